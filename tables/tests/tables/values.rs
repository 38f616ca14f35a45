//! Compares column values with the library's JSON of the same bytes.
//!
//! Rows in Arrow are converted to the library's JSON form using the schema, and both are compared as text.

#[path = "values/biniou.rs"]
mod biniou;
#[path = "values/json.rs"]
mod json;
#[path = "values/molecule.rs"]
pub(crate) mod molecule;
#[path = "values/random.rs"]
mod random_values;

use std::fs;
use std::path::{Path, PathBuf};

/// A fixture of the library's tests, written by OCaml or the official Molecule implementation.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures").join(name)
}

pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The sorted names of the files in a folder with that ending.
fn names(folder: &str, end: &str) -> Vec<String> {
    let entries = fs::read_dir(fixture(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(end)).collect();
    names.sort();
    assert!(!names.is_empty(), "{folder}");
    names
}
