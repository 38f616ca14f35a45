//! Models that `onnx` wrote, and damaged ones.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test reports by panicking")]

mod damage;
mod read;
mod tensors;

use fourfold_onnx::Model;

fn path(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap()
}

fn model(name: &str) -> Model {
    Model::read(bytes(name)).unwrap()
}

const ALL: [&str; 6] =
    ["attributes.onnx", "dtypes.onnx", "external.onnx", "nested.onnx", "small.onnx", "types.onnx"];
