//! Modules that TenniS has run: shapes and types are those of the recorded outputs.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use fourfold::tsm::{DType, Module};
use fourfold_tennis::{Input, Shapes, Size};

/// The modules that TenniS has run.
pub(crate) fn modules() -> Vec<PathBuf> {
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/tsm-runs");
    let folders = ["ops", "nets"].map(|folder| fs::read_dir(runs.join(folder)).unwrap());
    let files = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut modules: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|it| it == "tsm")).collect();
    modules.sort();
    assert_eq!(modules.len(), 245);
    modules
}

/// An array of an `.npz` file.
struct Array {
    dtype: DType,
    shape: Vec<i32>,
    bytes: Vec<u8>,
}

impl Array {
    /// The shape, with the values if they are integers, which shapes may be computed from.
    fn input(&self) -> Input {
        let input = Input::new(known(&self.shape)).typed(self.dtype);
        let size = self.dtype.size();
        let value = |bytes: &[u8]| match self.dtype {
            DType::Int32 => i64::from(i32::from_le_bytes(bytes.try_into().unwrap())),
            _ => i64::from_le_bytes(bytes.try_into().unwrap()),
        };
        match self.dtype {
            DType::Int32 | DType::Int64 => {
                input.with_values(self.bytes.chunks_exact(size).map(value).collect())
            }
            _ => input,
        }
    }
}

/// The arrays whose names begin so.
fn arrays(path: &Path, prefix: &str) -> Vec<Array> {
    let mut archive = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
    let count = archive.file_names().filter(|name| name.starts_with(prefix)).count();
    let array = |at: usize| {
        let mut file = archive.by_name(&format!("{prefix}{at}.npy")).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        array(&bytes)
    };
    (0..count).map(array).collect()
}

/// The header of an `.npy` file is a dict of Python.
fn array(bytes: &[u8]) -> Array {
    let end = bytes.iter().position(|it| *it == b'\n').unwrap();
    let header = String::from_utf8_lossy(&bytes[..end]);
    let after = |key: &str| header.split_once(key).unwrap().1;
    let dtype = match after("'descr': '").split('\'').next().unwrap() {
        "|b1" => DType::Boolean,
        "|i1" => DType::Int8,
        "|u1" => DType::UInt8,
        "<i2" => DType::Int16,
        "<i4" => DType::Int32,
        "<i8" => DType::Int64,
        "<f4" => DType::Float32,
        "<f8" => DType::Float64,
        other => panic!("{other}"),
    };
    let shape = after("'shape': (").split(')').next().unwrap();
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
    let shape = sizes.map(|size| size.parse().unwrap()).collect();
    Array { dtype, shape, bytes: bytes[end + 1..].to_vec() }
}

fn known(shape: &[i32]) -> Vec<Size> {
    shape.iter().copied().map(Some).collect()
}

#[test]
fn shapes_are_those_of_the_recorded_outputs() {
    let mut outputs = 0;
    for path in modules() {
        let bytes = fs::read(&path).unwrap();
        let module = Module::from_slice(&bytes).unwrap();
        let recorded = path.with_extension("npz");
        let inputs = arrays(&recorded, "in").into_iter();
        let inputs: Vec<_> = inputs.map(|array| array.input()).collect();
        let shapes =
            Shapes::infer(&module, &inputs).unwrap_or_else(|error| panic!("{path:?}: {error}"));

        let expected = arrays(&recorded, "out");
        assert_eq!(module.outputs.len(), expected.len(), "{path:?}");
        for (index, Array { dtype, shape, .. }) in module.outputs.iter().zip(expected) {
            let node = shapes.node(*index).unwrap();
            let output = node.output().unwrap();
            assert_eq!(output.shape(), Some(&known(&shape)[..]), "{path:?}: {:?}", node.unknown);
            assert_eq!(output.dtype(), Some(dtype), "{path:?}");
            outputs += 1;
        }
        // Nothing inside is unknown, and so the costs are not, either.
        for (node, shapes) in module.graph.nodes.iter().zip(shapes.nodes()) {
            assert_eq!(shapes.unknown, None, "{path:?}: {:?}", node.name());
            assert!(shapes.output().unwrap().bytes().is_some(), "{path:?}: {:?}", node.name());
        }
        assert!(shapes.multiply_adds().is_some(), "{path:?}");
        assert!(shapes.peak_bytes().unwrap() >= shapes.parameter_bytes(), "{path:?}");
    }
    assert_eq!(outputs, 258);
}

#[test]
fn a_free_batch_stays_free() {
    for path in modules() {
        let bytes = fs::read(&path).unwrap();
        let module = Module::from_slice(&bytes).unwrap();
        // What the module states, with a free first dim where it has one.
        let shapes =
            Shapes::infer(&module, &[]).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let expected = arrays(&path.with_extension("npz"), "out");
        for (index, Array { dtype, shape, .. }) in module.outputs.iter().zip(expected) {
            let output = shapes.node(*index).unwrap().output().unwrap();
            // A size is known rightly or not at all.
            let found = output.shape().unwrap_or_else(|| panic!("{path:?}"));
            assert_eq!(found.len(), shape.len(), "{path:?}");
            for (found, expected) in found.iter().zip(shape) {
                assert!(found.is_none_or(|found| found == expected), "{path:?}: {output}");
            }
            assert_eq!(output.dtype(), Some(dtype), "{path:?}");
        }
    }
}
