//! Modules and tensors in files.

use std::fs;
use std::path::{Path, PathBuf};

use fourfold::tsm::{Category, Module, PackedTensor};

use super::{FIXTURES, good, odd};

/// A temporary folder.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("tsm_{name}_{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn opened_modules_equal_those_of_their_bytes() {
    let folder = Folder::new("open");
    for name in FIXTURES.names("good", "tsm") {
        let bytes = good(&name);
        let opened = Module::open(FIXTURES.path(&format!("good/{name}.tsm"))).unwrap();
        assert_eq!(opened, Module::from_slice(&bytes).unwrap(), "{name}");
        let path = folder.0.join(format!("{name}.tsm"));
        opened.write_to(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes, "{name}");
        // Replaces the file that it is mapped from.
        let again = Module::open(&path).unwrap();
        again.write_to(&path).unwrap();
        assert_eq!(again, opened, "{name}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{name}");
    }
    assert_eq!(folder.names().len(), 23);
}

#[test]
fn values_of_an_opened_module_share_its_map() {
    let module = Module::open(FIXTURES.path("good/cnn_small.tsm")).unwrap();
    let weight = module.graph.find("block0.conv.weight").unwrap().value().unwrap().clone();
    let bytes = weight.first().unwrap().bytes().as_ptr();
    assert_eq!(
        module
            .graph
            .find("block0.conv.weight")
            .unwrap()
            .value()
            .unwrap()
            .first()
            .unwrap()
            .bytes()
            .as_ptr(),
        bytes
    );
    drop(module);
    let owned = weight.into_owned();
    assert_eq!(owned.first().unwrap().bytes().as_ptr(), bytes);
    assert_eq!(owned.first().unwrap().bytes().len(), 864);
}

#[test]
fn tensor_files_open_and_are_written() {
    let folder = Folder::new("tensor");
    for name in FIXTURES.names("good", "t") {
        let source = FIXTURES.path(&format!("good/{name}.t"));
        let bytes = fs::read(&source).unwrap();
        let opened = PackedTensor::open(&source).unwrap();
        assert_eq!(opened, PackedTensor::from_slice(&bytes).unwrap(), "{name}");
        let path = folder.0.join(&name);
        opened.write_to(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes, "{name}");
    }
}

#[test]
fn failed_opening_and_writing_leaves_no_files() {
    let folder = Folder::new("refused");
    let error = Module::open(folder.0.join("none.tsm")).unwrap_err();
    assert_eq!(error.category(), Category::Io);
    let empty = folder.0.join("empty.tsm");
    fs::write(&empty, b"").unwrap();
    assert!(Module::open(&empty).unwrap_err().is_eof());
    let bad = folder.0.join("bad.tsm");
    fs::write(&bad, odd("missing_op")).unwrap();
    assert_eq!(Module::open(&bad).unwrap_err().offset(), Some(206));

    let bytes = good("minimal");
    let mut module = Module::from_slice(&bytes).unwrap();
    assert_eq!(
        module.write_to(folder.0.join("no/such/folder")).unwrap_err().category(),
        Category::Io
    );
    module.outputs.push(9);
    let error = module.write_to(&empty).unwrap_err();
    assert_eq!(error.to_string(), "outputs[1] is node 9, of 2");
    assert_eq!(fs::read(&empty).unwrap(), b"");
    let mut names = folder.names();
    names.sort();
    assert_eq!(names, ["bad.tsm", "empty.tsm"]);
}
