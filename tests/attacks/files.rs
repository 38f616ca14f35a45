//! Finds the hostile files, and parses their manifests. Shared with the command that writes `docs/hostile.md`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The folders of hostile files.
pub(crate) const FORMATS: [&str; 4] = ["biniou", "molecule", "primitiv", "tsm"];

/// One file read as one type.
#[derive(Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) file: String,
    pub(crate) reads_as: String,
    pub(crate) claim: String,
    pub(crate) answer: String,
}

/// The folder of a format.
pub(crate) fn path(format: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = if here.ends_with("bench") { here.parent().unwrap_or(here) } else { here };
    root.join("tests/attacks").join(format)
}

/// The manifest of a format.
pub(crate) fn shelf(format: &str) -> Vec<Entry> {
    let path = path(format).join("manifest.json");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
