//! Which files are read, and in which order.

use std::fs;
use std::path::Path;

use fourfold_tables::{Options, Schema, Table};
use serde_json::Value;

use super::{ENTRIES, entries, shown, values};
use crate::rows::{Outcome, outcome};

/// A folder with files, each of which has one row.
fn folder(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (entry, name) in entries(names.len().try_into().unwrap()).iter().zip(names) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, values(std::slice::from_ref(entry))).unwrap();
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The numbers in the rows read for these patterns, relative to a folder.
fn read(folder: &Path, patterns: &[&str]) -> Vec<i64> {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let table = Table::new(&schema, "entry").unwrap();
    let patterns = patterns.iter().map(|pattern| text(&folder.join(pattern)).to_owned());
    let mut reader = table.read_files(patterns).unwrap();
    let Outcome { rows, error, batches } = outcome(&mut reader);
    assert_eq!((error, reader.damaged()), (None, 0));
    // Batches continue across files.
    assert_eq!(batches, [rows.len()]);
    assert_eq!(reader.rows(), rows.len() as u64);
    rows.iter().map(|row: &Value| row["n"].as_i64().unwrap()).collect()
}

#[test]
fn files_are_read_in_the_order_of_patterns_and_then_of_names() {
    let folder = folder(&["c.biniou", "a.biniou", "b.biniou", "b.log", "sub/d.biniou"]);
    let folder = folder.path();
    assert_eq!(read(folder, &["a.biniou"]), [1]);
    assert_eq!(read(folder, &["*.biniou"]), [1, 2, 0]);
    assert_eq!(read(folder, &["b.*"]), [2, 3]);
    assert_eq!(read(folder, &["c.biniou", "[ab].biniou"]), [0, 1, 2]);
    assert_eq!(read(folder, &["**/*.biniou"]), [1, 2, 0, 4]);
    // A file that is named twice is read twice.
    assert_eq!(read(folder, &["a.biniou", "*.biniou", "a.biniou"]), [1, 1, 2, 0, 1]);
}

#[test]
fn a_folder_means_all_its_files() {
    let folder = folder(&["c", "a", "b.log", "sub/d"]);
    assert_eq!(read(folder.path(), &["."]), [1, 2, 0]);
    assert_eq!(read(folder.path(), &["sub/"]), [3]);
    assert_eq!(read(folder.path(), &["sub", ""]), [3, 1, 2, 0]);
}

/// An existing file or folder takes precedence over a pattern.
#[test]
fn names_may_look_like_patterns() {
    let folder = folder(&["x[1].log", "x1.log", "d[0-9]/a*", "d[0-9]/b", "d5/c"]);
    assert_eq!(read(folder.path(), &["x[1].log"]), [0]);
    assert_eq!(read(folder.path(), &["x?.log"]), [1]);
    assert_eq!(read(folder.path(), &["d[0-9]"]), [2, 3]);
    assert_eq!(read(folder.path(), &["d[0-9]/a*"]), [2]);
}

/// A file that grows while it is read ends at its length when it was opened.
#[test]
fn bytes_appended_while_reading_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let all = entries(4);
    fs::write(&path, values(&all[..2])).unwrap();
    let schema = Schema::biniou(ENTRIES).unwrap();
    let table = Table::with_options(&schema, "entry", Options::new().batch_rows(1)).unwrap();
    let mut reader = table.read_files([text(&path)]).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().num_rows(), 1);
    let mut bytes = values(&all);
    bytes.pop();
    fs::write(&path, bytes).unwrap();
    let outcome = outcome(&mut reader);
    assert_eq!((outcome.rows, outcome.error), (shown(&all[1..2]), None));
    assert_eq!((reader.rows(), reader.bytes()), (2, values(&all[..2]).len() as u64));
}

/// Empty files between others are allowed.
#[test]
fn files_may_be_empty() {
    let folder = folder(&["a", "b"]);
    for name in ["0", "aa", "z"] {
        fs::write(folder.path().join(name), []).unwrap();
    }
    assert_eq!(read(folder.path(), &["."]), [0, 1]);
}
