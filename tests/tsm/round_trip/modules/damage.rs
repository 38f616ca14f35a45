//! Damaged modules: no panics and bounded memory. Accepted modules are valid, and are written with the same bytes.

use super::plain::{Plain, PlainTensor, packed_bytes};
use crate::damage::{MODULES, mutate};
use crate::round_trip::Hex;
use crate::support::damage::{Messages, bounded};
use crate::support::fixture::Fixtures;
use crate::support::random::Dice;
use fourfold::tsm::{Module, PackedTensor, Severity, from_slice, take_from_slice, to_vec};

/// Nested nodes, params, tensors and dims each reserve memory for as many items as there are bytes left: 180 bytes together.
pub(super) const MEMORY_PER_BYTE: usize = 192;
pub(super) const MEMORY: usize = 16 << 10;

/// Returns the number of accepted messages.
fn run(name: &str, seeds: Vec<Vec<u8>>, mutations: usize) -> usize {
    let mut messages = Messages::new(name, seeds, mutate);
    let mut accepted = 0;
    for _ in 0..mutations {
        let message = messages.next();
        let most = MEMORY + MEMORY_PER_BYTE * message.len();
        if let Ok(module) = bounded(name, &message, most, || from_slice::<Module<'_>>(&message)) {
            accepted += 1;
            assert_accepted(&message, &module);
        }
        if let Ok((module, rest)) = take_from_slice::<Module<'_>>(&message) {
            let taken = &message[..message.len() - rest.len()];
            assert_eq!(Hex(&to_vec(&module).unwrap()), Hex(taken), "taken from {}", Hex(&message));
        }
    }
    accepted
}

#[track_caller]
fn assert_accepted(message: &[u8], module: &Module<'_>) {
    let shown = Hex(message);
    let written = to_vec(module).unwrap_or_else(|e| panic!("{shown} is read, not written: {e}"));
    assert!(written == message, "{shown} is written as {}", Hex(&written));
    for diagnostic in module.check() {
        assert_eq!(diagnostic.severity(), Severity::Suspicious, "{diagnostic}: {shown}");
    }
    for entry in module.index() {
        assert!(entry.range.end <= message.len(), "{entry}: {shown}");
    }
    for node in &module.graph.nodes {
        let _ = (node.op(), node.name(), node.shape(), node.dtype(), node.value());
        for tensor in node.bubble.params.iter().flat_map(|param| &param.value.fields) {
            let _ = (tensor.to_text(), tensor.integers(), tensor.to_vec::<f32>());
            let _ = (tensor.to_vec::<bool>(), tensor.as_slice::<u8>(), tensor.count());
        }
    }
    assert!(module.clone().into_owned() == *module, "{shown}");
}

#[test]
fn damaged_random_modules() {
    let mut dice = Dice::of("damaged");
    let plain = (0..200).map(|_| Plain::random(&mut dice)).filter(Plain::is_sound);
    let seeds: Vec<Vec<u8>> = plain.map(|plain| plain.bytes()).collect();
    let accepted = run("random modules", seeds, MODULES / 2);
    assert!(accepted > MODULES / 100, "{accepted} accepted");
}

#[test]
fn damaged_fixtures() {
    let fixtures = Fixtures("tsm");
    let names = fixtures.names("good", "tsm");
    let files = names.iter().map(|name| fixtures.bytes(&format!("good/{name}.tsm")));
    // In large files, most damage changes only elements, which are not checked.
    let seeds: Vec<Vec<u8>> = files.filter(|bytes| bytes.len() < 4000).collect();
    assert!(seeds.len() > 10, "{names:?}");
    let accepted = run("fixtures", seeds, MODULES / 2);
    assert!(accepted > MODULES / 100, "{accepted} accepted");
}

#[test]
fn damaged_odd_fixtures() {
    let fixtures = Fixtures("tsm");
    let names = fixtures.names("odd", "tsm");
    let seeds = names.iter().map(|name| fixtures.bytes(&format!("odd/{name}.tsm")));
    run("odd fixtures", seeds.collect(), MODULES / 8);
}

#[test]
fn damaged_packed_tensors() {
    let mut dice = Dice::of("damaged tensors");
    let mut seeds = Vec::new();
    for count in 0..60 {
        let fields: Vec<_> = (0..count % 5).map(|_| PlainTensor::random(&mut dice)).collect();
        seeds.push(packed_bytes(&fields));
    }
    let mut messages = Messages::new("packed", seeds, mutate);
    let mut accepted = 0;
    for _ in 0..MODULES / 4 {
        let message = messages.next();
        let (shown, most) = (Hex(&message), MEMORY + MEMORY_PER_BYTE * message.len());
        let read = bounded("PackedTensor", &message, most, || PackedTensor::from_slice(&message));
        if let Ok(packed) = read {
            accepted += 1;
            assert_eq!(Hex(&packed.to_vec().unwrap()), shown);
            for tensor in &packed.fields {
                let size = tensor.prototype().bytes().unwrap();
                assert_eq!(size, tensor.bytes().len(), "{shown}");
            }
        }
    }
    assert!(accepted > MODULES / 100, "{accepted} accepted");
}
