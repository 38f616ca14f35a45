//! Scripts that need onnx and onnxruntime.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python with onnx and onnxruntime, if there is one.
pub(crate) fn python() -> Option<PathBuf> {
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

/// Runs a script of the folder `tests`. Returns what it prints.
pub(crate) fn run<A: AsRef<OsStr>>(python: &Path, script: &str, arguments: &[A]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(script);
    let output = Command::new(python).arg(script).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{text}");
    text
}
