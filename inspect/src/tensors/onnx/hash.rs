//! Hashes of what texts do not show whole, so that differences in it are found.

use std::hash::{DefaultHasher, Hash as _};

use fourfold_onnx::Value;
use fourfold_onnx::proto::{Attribute, Graph, SparseTensor, Tensor};

use super::text;

pub(super) fn attribute(attribute: &Attribute, hasher: &mut DefaultHasher) {
    attribute.name.hash(hasher);
    match attribute.value() {
        Some(Value::String(value)) => value.hash(hasher),
        Some(Value::Strings(values)) => values.hash(hasher),
        Some(Value::Ints(values)) => values.hash(hasher),
        Some(Value::Floats(values)) => values.iter().for_each(|it| it.to_bits().hash(hasher)),
        Some(Value::Tensor(value)) => tensor(value, hasher),
        Some(Value::Tensors(values)) => values.iter().for_each(|it| tensor(it, hasher)),
        Some(Value::SparseTensor(value)) => sparse(value, hasher),
        Some(Value::SparseTensors(values)) => values.iter().for_each(|it| sparse(it, hasher)),
        Some(Value::Graph(value)) => graph(value, hasher),
        Some(Value::Graphs(values)) => values.iter().for_each(|it| graph(it, hasher)),
        _ => text::attribute_text(attribute).hash(hasher),
    }
}

/// Readers limit how deep graphs are.
fn graph(graph: &Graph, hasher: &mut DefaultHasher) {
    graph.initializer.iter().for_each(|it| tensor(it, hasher));
    graph.sparse_initializer.iter().for_each(|it| sparse(it, hasher));
    for node in &graph.node {
        (&node.op_type, &node.domain, &node.name, &node.input, &node.output).hash(hasher);
        node.attribute.iter().for_each(|it| attribute(it, hasher));
    }
    for value in graph.input.iter().chain(&graph.output) {
        value.name.hash(hasher);
    }
}

pub(super) fn tensor(tensor: &Tensor, hasher: &mut DefaultHasher) {
    (&tensor.name, &tensor.dims, tensor.data_type, &tensor.string_data).hash(hasher);
    for entry in &tensor.external_data {
        (&entry.key, &entry.value).hash(hasher);
    }
    match &tensor.raw_data {
        Some(bytes) => bytes.hash(hasher),
        None => tensor.elements(None).ok().hash(hasher),
    }
}

pub(super) fn sparse(tensor: &SparseTensor, hasher: &mut DefaultHasher) {
    tensor.dims.hash(hasher);
    [&tensor.values, &tensor.indices].into_iter().flatten().for_each(|it| self::tensor(it, hasher));
}
