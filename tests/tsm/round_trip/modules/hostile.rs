//! Modules with hostile counts, invalid shapes, and cyclic or very large graphs.

use super::damage::{MEMORY, MEMORY_PER_BYTE};
use super::plain::{INT32, Plain, PlainNode, PlainTensor, packed_bytes};
use super::{assert_same, build};
use crate::round_trip::assert_reason;
use crate::support::alloc::measure_value;
use fourfold::tsm::{
    self, DType, DiagnosticKind, Module, PackedTensor, Prototype, Severity, Tensor, from_slice,
    to_vec,
};

/// Reads with bounded memory.
#[track_caller]
fn read(bytes: &[u8]) -> tsm::Result<Module<'_>> {
    let (read, stats) = measure_value(|| from_slice::<Module<'_>>(bytes));
    assert!(stats.peak <= MEMORY + MEMORY_PER_BYTE * bytes.len(), "{stats:?} of {}", bytes.len());
    if let Err(error) = &read {
        assert_reason(error, &bytes.len());
        assert!(error.offset().is_some_and(|at| at <= bytes.len()), "{error}");
    }
    read
}

/// Each four bytes of a module are replaced by a hostile count.
#[test]
fn hostile_counts_at_each_offset_are_refused() {
    let mut plain = Plain::small();
    plain.nodes[1].params.push((b"list".into(), vec![PlainTensor::new(INT32, &[2], &[1; 8])]));
    let bytes = plain.bytes();
    read(&bytes).unwrap();
    for at in 0..=bytes.len() - 4 {
        for count in [i32::MAX, i32::MAX - 1, -1, i32::MIN, 1 << 24, 4096, 4097, 100_000] {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
            // Names, numbers and most of the header may have any value.
            if let Ok(module) = read(&bytes) {
                assert!(to_vec(&module).unwrap() == bytes, "{count} at {at}");
            }
        }
    }
    // The counts of inputs, outputs and nodes at the end of the file.
    let header = &bytes[..128];
    for (zeros, path) in [(0, "inputs"), (1, "outputs"), (2, "graph")] {
        for count in [i32::MAX, 1 << 20, 1] {
            let zeros = vec![0; 4 * zeros];
            let bytes = [header, &zeros, &count.to_le_bytes()].concat();
            let error = read(&bytes).unwrap_err();
            assert!(error.is_eof(), "{error}");
            assert!(error.to_string().contains(path), "{error}");
        }
        for count in [-1_i32, i32::MIN] {
            let bytes = [header, &vec![0; 4 * zeros], &count.to_le_bytes(), &[0; 100]].concat();
            let error = read(&bytes).unwrap_err();
            assert_eq!(error.offset(), Some(128 + 4 * zeros), "{error}");
            assert!(error.to_string().contains(&count.to_string()), "{error}");
        }
    }
}

/// The counts of each level claim all remaining bytes.
#[test]
fn nested_counts_reserve_memory_once() {
    let header = &Plain::empty().bytes()[..136];
    for rest in [100_u32, 10_000, 1_000_000] {
        let count = rest.to_le_bytes();
        let tail = vec![0; rest as usize];
        // Nodes, params, a name, fields, dims.
        for claims in [
            &[&count[..]][..],
            &[&count, &count],
            &[&count, &count, &count],
            &[&count, &count, &[0; 4], &count],
            &[&count, &count, &[0; 4], &count, &[5], &count],
        ] {
            let bytes = [header, &claims.concat(), &tail].concat();
            assert!(read(&bytes).is_err());
        }
    }
}

#[test]
fn shapes_that_overflow() {
    const SHAPES: [&[i32]; 12] = [
        &[1 << 16, 1 << 16],
        &[641, 6_700_417],
        &[i32::MAX, 2],
        &[i32::MAX, i32::MAX],
        &[i32::MAX; 7],
        &[1 << 16, 1 << 15],
        &[1 << 10, 1 << 10, 1 << 11],
        &[1 << 8, 1 << 8, 1 << 8, 1 << 8],
        &[1 << 31 >> 1, 4, 1, 1],
        &[2; 32],
        &[1; 8],
        &[1; 64],
    ];
    for shape in SHAPES {
        for dtype in 0..33 {
            let plain = PlainTensor::new(dtype, shape, &[0; 4]);
            let bytes = packed_bytes(&[plain]);
            let (read, stats) = measure_value(|| PackedTensor::from_slice(&bytes));
            let error = read.expect_err(&format!("{shape:?}"));
            assert_reason(&error, &shape);
            assert!(!error.is_eof(), "{shape:?}: {error}");
            assert!(error.offset().is_some(), "{shape:?}: {error}");
            assert!(stats.peak <= 16 << 10, "{stats:?}");
            let prototype = Prototype::new(DType::from_code(dtype).unwrap(), shape);
            assert_reason(&prototype.bytes().unwrap_err(), &shape);
            assert!(Tensor::new(prototype, &[][..]).is_err());
        }
    }
    // A prototype may have negative dims, a tensor may not.
    for shape in [&[-1][..], &[i32::MIN], &[2, -1], &[-1, -1], &[-1, 0], &[0, -1]] {
        for dtype in [0, 2, 10] {
            let bytes = packed_bytes(&[PlainTensor::new(dtype, shape, &[0; 16])]);
            let error = PackedTensor::from_slice(&bytes).unwrap_err();
            assert!(!error.is_eof(), "{shape:?}: {error}");
            let least = shape.iter().find(|&&dim| dim < 0).unwrap();
            assert!(error.to_string().contains(&least.to_string()), "{shape:?}: {error}");
        }
    }
    // Valid sizes, but missing bytes.
    for (shape, size) in [(&[i32::MAX][..], 1_u64), (&[32_767, 65_536], 16), (&[40_000, 50_000], 4)]
    {
        let dtype = [(1, 2), (4, 10), (16, 24)].iter().find(|(bytes, _)| *bytes == size).unwrap().1;
        let bytes = packed_bytes(&[PlainTensor::new(dtype, shape, &[0; 100])]);
        let (read, stats) = measure_value(|| PackedTensor::from_slice(&bytes));
        let error = read.unwrap_err();
        // Sizes beyond the address space have another error.
        let addressable = usize::try_from(u64::from(i32::MAX.unsigned_abs()) * size).is_ok();
        assert!(error.is_eof() || !addressable, "{shape:?}: {error}");
        assert!(stats.peak <= 16 << 10, "{stats:?}");
    }
    // Elements without bytes.
    let void = packed_bytes(&[PlainTensor::new(0, &[i32::MAX], &[])]);
    let packed = PackedTensor::from_slice(&void).unwrap();
    assert_eq!(packed.fields[0].count(), i32::MAX as usize);
    assert_eq!(packed.to_vec().unwrap(), void);
}

/// A chain of many nodes: nothing may follow it by recursion, for which no stack is large enough.
#[test]
fn a_long_chain_of_nodes() {
    const COUNT: u32 = if cfg!(debug_assertions) { 20_000 } else { 100_000 };
    let mut plain = Plain::small();
    plain.nodes.extend((2..COUNT).map(|index| PlainNode::new(b"relu", b"", &[index - 1])));
    for outputs in [vec![COUNT - 1], vec![0], (0..COUNT).collect()] {
        plain.outputs = outputs;
        let bytes = plain.bytes();
        let module = read(&bytes).unwrap();
        assert_same(&module, &plain);
        assert!(to_vec(&module).unwrap() == bytes);
        let refused = module.check();
        assert!(refused.iter().all(|diagnostic| diagnostic.severity() == Severity::Suspicious));
    }
    // A cycle of all nodes, and nodes that are their own input.
    plain.nodes[1].inputs = vec![COUNT - 1];
    plain.outputs = vec![COUNT - 1];
    let bytes = plain.bytes();
    let module = read(&bytes).unwrap();
    let cycles = |module: &Module<'_>| {
        let kinds = module.check().into_iter().map(|diagnostic| diagnostic.kind);
        kinds.filter(|kind| matches!(kind, DiagnosticKind::Cycle { .. })).count()
    };
    assert_eq!(cycles(&module), 1);
    let found = module.check();
    assert!(found.iter().any(|found| found.kind == DiagnosticKind::EndlessSave));
    let text = format!("a cycle of nodes 1, 2, 3, 4, 5, 6, 7, 8 and {} more", COUNT - 9);
    assert!(found.iter().any(|found| found.to_string().contains(&text)), "{text}");
    for (index, node) in (0_u32..).zip(&mut plain.nodes) {
        node.inputs = vec![index];
    }
    let bytes = plain.bytes();
    assert!(cycles(&read(&bytes).unwrap()) > 0);
}

/// Each node has all others as inputs.
#[test]
fn a_graph_of_many_edges() {
    const COUNT: u32 = 400;
    let mut plain = Plain::small();
    let all: Vec<u32> = (0..COUNT).collect();
    plain.nodes.extend((2..COUNT).map(|_| PlainNode::new(b"add", b"n", &all)));
    plain.outputs = all;
    let bytes = plain.bytes();
    let module = read(&bytes).unwrap();
    assert!(to_vec(&module).unwrap() == bytes);
    assert!(module.check().iter().any(|f| matches!(f.kind, DiagnosticKind::Cycle { .. })));

    // One node with many inputs, and many inputs and outputs of the module for one node.
    let mut plain = Plain::small();
    plain.nodes[1].inputs = vec![0; 200_000];
    plain.inputs = vec![0; 200_000];
    plain.outputs = vec![1; 200_000];
    let bytes = plain.bytes();
    assert!(to_vec(&read(&bytes).unwrap()).unwrap() == bytes);
    let _ = read(&bytes).unwrap().check();
}

/// The number of diagnostics is linear, and each is short.
#[test]
fn many_diagnostics() {
    const COUNT: usize = 20_000;
    let mut plain = Plain::small();
    plain.nodes.extend((0..COUNT).map(|_| PlainNode::new(b"", b"same", &[])));
    let params = (0..COUNT).map(|_| (b"twice".into(), vec![]));
    plain.nodes[1].params.extend(params);
    let bytes = plain.bytes();
    let module = read(&bytes).unwrap();
    let (diagnostics, stats) = measure_value(|| module.check());
    assert!(diagnostics.len() >= COUNT, "{}", diagnostics.len());
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.to_string().len() < 500));
    assert!(stats.peak <= MEMORY_PER_BYTE * bytes.len(), "{stats:?} of {}", bytes.len());
}

/// Many small nodes take memory in proportion.
#[test]
fn many_small_nodes() {
    let mut plain = Plain::small();
    let none = || (Vec::new(), Vec::new());
    plain.nodes[1].params.extend((0..50_000).map(|_| none()));
    let voids = (0..50_000).map(|_| PlainTensor::new(0, &[], &[])).collect();
    plain.nodes[1].params.push((b"voids".into(), voids));
    let empty = PlainTensor::new(2, &[0, 1], &[]);
    plain.nodes[1].params.push((b"empty".into(), vec![empty; 10_000]));
    let bytes = plain.bytes();
    let module = read(&bytes).unwrap();
    assert_same(&module, &plain);
    assert!(to_vec(&module).unwrap() == bytes);
    assert_eq!(module.index().len(), 4 + 60_000);
    assert!(module == build(&plain).unwrap());
}
