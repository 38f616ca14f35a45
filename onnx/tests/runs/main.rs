//! Modules that TenniS has run, converted and run by onnxruntime.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test reports by panicking")]

mod made;
#[path = "../support/python.rs"]
mod python;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use fourfold::tsm::Module;
use fourfold_onnx::{Options, export};

use self::python::{python, run};

/// A folder of runs, and the modules in its folders.
fn modules(runs: &str, folders: &[&str]) -> (PathBuf, Vec<PathBuf>) {
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join(runs);
    let folders = folders.iter().map(|folder| fs::read_dir(runs.join(folder)).unwrap());
    let files = folders.flatten().map(|entry| entry.unwrap().path());
    let is_module = |path: &PathBuf| path.extension().is_some_and(|it| it == "tsm");
    let mut modules: Vec<_> = files.filter(is_module).collect();
    modules.sort();
    (runs, modules)
}

/// Modules of the Python front end, as real ones are.
fn usual() -> (PathBuf, Vec<PathBuf>) {
    modules("../tests/fixtures/tsm-runs", &["ops", "nets"])
}

/// Modules with values, types and params that are rare.
fn rare() -> (PathBuf, Vec<PathBuf>) {
    modules("tests/runs", &["recorded"])
}

fn compare((runs, modules): (PathBuf, Vec<PathBuf>)) {
    let folder = tempfile::tempdir().unwrap();
    let mut refused = Vec::new();
    for path in &modules {
        let bytes = fs::read(path).unwrap();
        let module = Module::from_slice(&bytes).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        match export(&module, &Options::new()) {
            Ok(model) => {
                let bytes = model.to_bytes().unwrap();
                assert_eq!(export(&module, &Options::new()).unwrap().to_bytes().unwrap(), bytes);
                fs::write(folder.path().join(format!("{name}.onnx")), bytes).unwrap();
            }
            Err(error) => refused.push(format!("{name}: {error}")),
        }
    }
    assert_eq!(refused, [""; 0], "{refused:#?}");
    script("runs.py", &[folder.path(), &runs]);
}

#[test]
fn onnxruntime_computes_what_tennis_computes() {
    let usual = usual();
    assert_eq!(usual.1.len(), 245);
    compare(usual);
}

#[test]
fn onnxruntime_computes_what_tennis_computes_in_rare_cases() {
    let rare = rare();
    assert!(!rare.1.is_empty());
    compare(rare);
}

/// Runs a script of this folder, if there is a Python that can.
fn script(name: &str, arguments: &[&Path]) {
    if let Some(python) = python() {
        print!("{}", run(&python, &format!("runs/{name}"), arguments));
    }
}
