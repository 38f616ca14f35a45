//! Reading and writing a module takes the memory of its bytes once.

use std::io;

use fourfold::tsm::{self, Module, ModuleBuilder, PackedTensor, Tensor};

use crate::support::alloc::measure_value;

/// A module of tensors of some MiB.
fn large() -> Vec<u8> {
    let mut graph = ModuleBuilder::new();
    let x = graph.param("x");
    let mut last = x;
    for layer in 0..8_u8 {
        let values = vec![f32::from(layer); 1 << 18];
        let weights = graph.constant("w", Tensor::from_values(&values, &[1 << 9, 1 << 9]).unwrap());
        last = graph.op("inner_prod", "dense", [last, weights]).node();
    }
    graph.build([x], [last]).unwrap().to_vec().unwrap()
}

#[test]
fn a_module_from_a_reader_has_its_bytes_once() {
    let bytes = large();
    let (module, stats) = measure_value(|| Module::from_reader(&bytes[..]).unwrap());
    assert!(stats.peak <= bytes.len() / 10 * 11, "{stats:?} for {}", bytes.len());
    assert_eq!(module.to_vec().unwrap(), bytes);
    // A range of the source shares its memory.
    let weights = module.graph.find("w").unwrap().value().unwrap().clone();
    drop(module);
    assert_eq!(weights.first().unwrap().to_vec::<f32>().unwrap(), [0.0; 1 << 18]);
}

#[test]
fn tensors_from_a_reader_have_their_bytes_once() {
    let packed = PackedTensor::from(Tensor::from_values(&vec![1_u8; 1 << 22], &[1 << 22]).unwrap());
    let bytes = packed.to_vec().unwrap();
    let (read, stats) = measure_value(|| PackedTensor::from_reader(&bytes[..]).unwrap());
    assert!(stats.peak <= bytes.len() / 10 * 11, "{stats:?} for {}", bytes.len());
    assert_eq!(read, packed);
    let error = PackedTensor::from_reader(&bytes[..9]).unwrap_err();
    assert_eq!(error.offset(), Some(9));
}

#[test]
fn writing_a_module_takes_little_memory() {
    let bytes = large();
    let module = Module::from_slice(&bytes).unwrap();
    let most = 1 << 14;
    let ((), stats) = measure_value(|| tsm::to_writer(io::sink(), &module).unwrap());
    assert!(stats.peak < most, "{stats:?}");
    let ((), stats) = measure_value(|| module.to_writer(io::sink()).unwrap());
    assert!(stats.peak < most, "{stats:?}");
    let (copy, stats) = measure_value(|| module.to_vec().unwrap());
    assert!(stats.peak <= bytes.len() / 10 * 11, "{stats:?} for {}", bytes.len());
    assert_eq!(copy, bytes);
}

/// Indices are written as they come, too.
#[test]
fn writing_many_indices_takes_little_memory() {
    let mut graph = Module::from_slice(&large()).unwrap().graph.into_owned();
    graph.nodes.last_mut().unwrap().inputs = vec![0; 1 << 20];
    let ((), stats) = measure_value(|| tsm::to_writer(io::sink(), &graph).unwrap());
    assert!(stats.peak < 1 << 18, "{stats:?}");
}

#[cfg(feature = "mmap")]
#[test]
fn writing_a_module_of_a_file_takes_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.tsm"), folder.path().join("b.tsm"));
    std::fs::write(&path, large()).unwrap();
    let (module, stats) = measure_value(|| Module::open(&path).unwrap());
    assert!(stats.peak < 1 << 16, "{stats:?}");
    let ((), stats) = measure_value(|| module.write_to(&other).unwrap());
    assert!(stats.peak < 1 << 16, "{stats:?}");
    assert_eq!(std::fs::read(&other).unwrap(), std::fs::read(&path).unwrap());
}

#[test]
fn options_apply_to_a_module_from_a_reader() {
    let bytes = large();
    let careful = tsm::Options::new().max_input(1 << 20);
    let error = Module::from_reader_with(&bytes[..], &careful).unwrap_err();
    assert_eq!(
        error.to_string(),
        "input is longer than 1048576 bytes at byte 1048576; use `Options::max_input` to allow more"
    );
    let open = tsm::Options::new().max_input(1 << 30).allow_trailing(true);
    let more = [&bytes[..], &[1, 2]].concat();
    assert_eq!(Module::from_reader_with(&more[..], &open).unwrap().to_vec().unwrap(), bytes);
}
