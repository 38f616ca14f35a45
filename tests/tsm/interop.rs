//! Exchanges files with TenniS in both directions: this crate reads TenniS's files and writes the same bytes, and TenniS
//! reads this crate's files as the same modules and tensors.
//!
//! `FOURFOLD_TENNIS` names the program of `tests/interop/tsm/`, whose README describes how to build it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fourfold::tsm::{DType, DiagnosticKind, Error, Module, PackedTensor, Tensor};

use crate::exchange::{Made, both_ways};
use crate::round_trip::modules::plain::{Plain, PlainTensor};
use crate::round_trip::modules::{build, tensor};
use crate::support::fixture::hex;
use crate::support::random::Dice;

/// The content in the format of the program.
fn dump_packed(packed: &PackedTensor<'_>) -> String {
    let mut text = String::new();
    for field in &packed.fields {
        let (code, bytes) = (field.dtype().code(), hex(field.bytes()));
        writeln!(text, "tensor {code} {} {bytes}", joined(field.shape())).unwrap();
    }
    text
}

fn joined(shape: &[i32]) -> String {
    shape.iter().map(i32::to_string).collect::<Vec<_>>().join(",")
}

/// The content in the format of the program: nodes in depth-first order from the outputs and the inputs.
fn dump(module: &Module<'_>) -> String {
    fn visit(module: &Module<'_>, node: u32, order: &mut Vec<u32>) {
        if !order.contains(&node) {
            order.push(node);
            for &input in &module.graph.get(node).unwrap().inputs {
                visit(module, input, order);
            }
        }
    }
    let mut order = Vec::new();
    for &node in module.outputs.iter().chain(&module.inputs) {
        visit(module, node, &mut order);
    }
    let listed = |nodes: &[u32]| {
        let place = |node: &u32| order.iter().position(|met| met == node).unwrap();
        nodes.iter().map(|node| format!(" {}", place(node))).collect::<String>()
    };
    let mut text = String::new();
    writeln!(text, "inputs{}", listed(&module.inputs)).unwrap();
    writeln!(text, "outputs{}", listed(&module.outputs)).unwrap();
    for &node in &order {
        let node = module.graph.get(node).unwrap();
        let (op, name) = (hex(node.op_bytes().unwrap()), hex(node.name_bytes().unwrap()));
        writeln!(text, "node {op} {name}{}", listed(&node.inputs)).unwrap();
        let shape = node.bubble.tensor("#shape");
        if shape.is_some_and(|shape| shape.dtype() == DType::Int32 && shape.count() <= 7) {
            writeln!(text, "shape {}", joined(&node.shape().unwrap())).unwrap();
        }
        // If a param is repeated, TenniS uses the first one.
        let mut params = BTreeMap::new();
        for param in &node.bubble.params {
            params.entry(param.name()).or_insert(&param.value);
        }
        for (name, value) in params {
            writeln!(text, "param {}", hex(name)).unwrap();
            text += &dump_packed(value);
        }
    }
    text
}

fn read(extension: &str, bytes: &[u8]) -> Result<(String, Vec<u8>), Error> {
    if extension == "t" {
        let packed = PackedTensor::from_slice(bytes)?;
        return Ok((dump_packed(&packed), packed.to_vec()?));
    }
    let module = Module::from_slice(bytes)?;
    Ok((dump(&module), module.to_vec()?))
}

/// Whether TenniS cannot save the module, reads it differently, or crashes: it writes a long `#shape` beyond the end of an
/// array.
fn is_strange(module: &Module<'_>) -> bool {
    use DiagnosticKind as K;
    module.check().iter().any(|diagnostic| {
        matches!(
            diagnostic.kind,
            K::EndlessSave
                | K::UnsavedInput { .. }
                | K::NoFields { .. }
                | K::Shape { count: 8.., .. }
        )
    })
}

fn make(dice: &mut Dice) -> Made {
    if dice.one_in(5) {
        let fields: Vec<PlainTensor> =
            (0..1 + dice.below(3)).map(|_| PlainTensor::random(dice)).collect();
        let fields: Result<Vec<Tensor<'_>>, Error> = fields.iter().map(tensor).collect();
        let packed = PackedTensor::from(fields.unwrap());
        let bytes = packed.to_vec().unwrap();
        return Made { extension: "t", bytes, meaning: dump_packed(&packed) };
    }
    loop {
        let plain = Plain::random(dice);
        let Ok(module) = build(&plain) else { continue };
        if plain.is_sound() && !is_strange(&module) {
            let bytes = module.to_vec().unwrap();
            return Made { extension: "tsm", bytes, meaning: dump(&module) };
        }
    }
}

#[test]
#[ignore = "needs TenniS: see `tests/interop/tsm/README.md`"]
fn files_are_exchanged_in_both_directions() {
    both_ways("tsm", "FOURFOLD_TENNIS", read, make);
}
