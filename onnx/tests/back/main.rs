//! Models of the ONNX world, made modules of TenniS and models again, and both run by onnxruntime.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test reports by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fourfold_onnx::{Folder, Model, Options, export, import};

/// A Python with onnx and onnxruntime, if there is one.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("FOURFOLD_PYTHON").map(PathBuf::from);
    let python = named.unwrap_or_else(|| PathBuf::from("python3"));
    let check = Command::new(&python).args(["-c", "import onnx, onnxruntime, numpy"]).output();
    if check.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "CI never skips what runs models");
    println!("no Python with onnx and onnxruntime here (see FOURFOLD_PYTHON): skipped");
    None
}

fn run(python: &Path, command: &str, folder: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/back/back.py");
    let output = Command::new(python).arg(script).arg(command).arg(folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    if command == "compare" {
        print!("{text}");
    }
}

#[test]
fn models_compute_the_same_after_tennis() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    run(&python, "make", folder.path());
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
    assert!(count >= 250, "{count} models are converted");
    run(&python, "compare", folder.path());
}
