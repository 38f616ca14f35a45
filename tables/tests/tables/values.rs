//! Values of columns are those that the library shows of the same bytes.
//!
//! What rows have in Arrow is told in the form of the library's JSON, by the schema, and both are compared as text.

#[path = "values/biniou.rs"]
mod biniou;
#[path = "values/molecule.rs"]
mod molecule;
#[path = "values/random.rs"]
mod random_values;
#[path = "values/told.rs"]
mod told;

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the library's tests, which OCaml or the official Molecule wrote.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of the files in a folder that end so, sorted.
fn names(folder: &str, end: &str) -> Vec<String> {
    let entries = fs::read_dir(fixture(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(end)).collect();
    names.sort();
    assert!(!names.is_empty(), "{folder}");
    names
}
