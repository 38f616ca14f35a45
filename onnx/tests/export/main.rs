//! Modules converted to models: names, shapes and refusals.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod hostile;
mod params;
#[path = "../../../tennis/tests/support/random.rs"]
mod random;
mod refused;
mod structure;

use fourfold::tsm::{DType, Module, ModuleBuilder, NodeId};
use fourfold_onnx::{Graph, Options, export};

/// A module with one input `x` of a shape, and the nodes that `make` adds, of which the last ones are outputs.
fn module(
    shape: &[i32],
    make: impl FnOnce(&mut ModuleBuilder<'static>, NodeId) -> Vec<NodeId>,
) -> Module<'static> {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    graph.at(x).shape(shape).dtype(DType::Float32);
    let outputs = make(&mut graph, x);
    graph.build([x], outputs).unwrap()
}

fn graph(module: &Module<'_>) -> Graph {
    export(module, &Options::new()).unwrap().graph.unwrap()
}

fn error(module: &Module<'_>) -> String {
    export(module, &Options::new()).unwrap_err().to_string()
}
