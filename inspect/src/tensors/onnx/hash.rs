//! Hashes of what texts do not show whole, so that differences in it are found.

use std::hash::{Hash, Hasher};

use fourfold_onnx::Value;
use fourfold_onnx::proto::{Attribute, Graph, SparseTensor, Tensor};

use super::text;

/// A message that is hashed by all that it contains.
pub(super) struct Of<'a, T>(pub(super) &'a T);

fn each<'a, T: 'a>(items: impl IntoIterator<Item = &'a T>, hasher: &mut impl Hasher)
where
    Of<'a, T>: Hash,
{
    items.into_iter().for_each(|item| Of(item).hash(hasher));
}

impl Hash for Of<'_, Attribute> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.name.hash(hasher);
        match self.0.value() {
            Some(Value::String(value)) => value.hash(hasher),
            Some(Value::Strings(values)) => values.hash(hasher),
            Some(Value::Ints(values)) => values.hash(hasher),
            Some(Value::Floats(values)) => values.iter().for_each(|it| it.to_bits().hash(hasher)),
            Some(Value::Tensor(value)) => Of(value).hash(hasher),
            Some(Value::Tensors(values)) => each(values, hasher),
            Some(Value::SparseTensor(value)) => Of(value).hash(hasher),
            Some(Value::SparseTensors(values)) => each(values, hasher),
            Some(Value::Graph(value)) => Of(value).hash(hasher),
            Some(Value::Graphs(values)) => each(values, hasher),
            _ => text::attribute_text(self.0).hash(hasher),
        }
    }
}

/// Readers limit how deep graphs are.
impl Hash for Of<'_, Graph> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let graph = self.0;
        each(&graph.initializer, hasher);
        each(&graph.sparse_initializer, hasher);
        for node in &graph.node {
            (&node.op_type, &node.domain, &node.name, &node.input, &node.output).hash(hasher);
            each(&node.attribute, hasher);
        }
        for value in graph.input.iter().chain(&graph.output) {
            value.name.hash(hasher);
        }
    }
}

impl Hash for Of<'_, Tensor> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let tensor = self.0;
        (&tensor.name, &tensor.dims, tensor.data_type, &tensor.string_data).hash(hasher);
        for entry in &tensor.external_data {
            (&entry.key, &entry.value).hash(hasher);
        }
        match &tensor.raw_data {
            Some(bytes) => bytes.hash(hasher),
            None => tensor.elements(None).ok().hash(hasher),
        }
    }
}

impl Hash for Of<'_, SparseTensor> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.dims.hash(hasher);
        each([&self.0.values, &self.0.indices].into_iter().flatten(), hasher);
    }
}
