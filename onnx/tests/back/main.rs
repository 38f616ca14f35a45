//! Models of the ONNX world, made modules of TenniS and models again, and both run by onnxruntime.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test reports by panicking")]

#[path = "../support/python.rs"]
mod python;

use std::fs;
use std::path::Path;

use fourfold_onnx::{Folder, Model, Options, export, import};

use self::python::{python, run};

#[test]
fn models_compute_the_same_after_tennis() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let script = |command: &str| run(&python, "back/back.py", &[Path::new(command), folder.path()]);
    script("make");
    let back = folder.path().join("back");
    fs::create_dir(&back).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "onnx") {
            continue;
        }
        let Ok(model) = Model::read(fs::read(&path).unwrap()) else { continue };
        let name = path.file_name().unwrap().to_str().unwrap();
        let module = match import(&model, Some(&Folder::of(&path))) {
            Ok(module) => module,
            // Operators that TenniS does not have; networks have none.
            Err(refused) => {
                assert!(!name.starts_with("net_"), "{name}: {refused}");
                continue;
            }
        };
        match export(&module, &Options::new()) {
            Ok(model) => fs::write(back.join(name), model.to_bytes().unwrap()).unwrap(),
            Err(refused) => {
                assert!(!name.starts_with("net_"), "{name}: {refused}");
                continue;
            }
        }
        count += 1;
    }
    assert!(count >= 600, "{count} models are converted");
    print!("{}", script("compare"));
}
