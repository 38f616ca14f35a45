//! Values of attributes.

use bytes::Bytes;

use crate::proto::{Attribute, Graph, SparseTensor, Tensor, Type, attribute_type as types};

/// The value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A number.
    Float(f32),
    /// An integer.
    Int(i64),
    /// A text, which should be UTF-8.
    String(&'a Bytes),
    /// A tensor.
    Tensor(&'a Tensor),
    /// A graph.
    Graph(&'a Graph),
    /// A tensor by its elements that are not 0.
    SparseTensor(&'a SparseTensor),
    /// A type.
    Type(&'a Type),
    /// Numbers.
    Floats(&'a [f32]),
    /// Integers.
    Ints(&'a [i64]),
    /// Texts, which should be UTF-8.
    Strings(&'a [Bytes]),
    /// Tensors.
    Tensors(&'a [Tensor]),
    /// Graphs.
    Graphs(&'a [Graph]),
    /// Tensors by their elements that are not 0.
    SparseTensors(&'a [SparseTensor]),
    /// Types.
    Types(&'a [Type]),
}

impl Attribute {
    /// The value, or `None` if the field that the type names is missing. Models of the first version have no
    /// types: then it is the field that has something.
    #[must_use]
    pub fn value(&self) -> Option<Value<'_>> {
        match self.r#type {
            0 => (types::FLOAT..=types::TYPE_PROTOS)
                .find_map(|number| self.value_of(number).filter(|value| !value.is_empty_list())),
            number => self.value_of(number),
        }
    }

    fn value_of(&self, number: i32) -> Option<Value<'_>> {
        match number {
            types::FLOAT => self.f.map(Value::Float),
            types::INT => self.i.map(Value::Int),
            types::STRING => self.s.as_ref().map(Value::String),
            types::TENSOR => self.t.as_deref().map(Value::Tensor),
            types::GRAPH => self.g.as_deref().map(Value::Graph),
            types::SPARSE_TENSOR => self.sparse_tensor.as_deref().map(Value::SparseTensor),
            types::TYPE_PROTO => self.tp.as_deref().map(Value::Type),
            types::FLOATS => Some(Value::Floats(&self.floats)),
            types::INTS => Some(Value::Ints(&self.ints)),
            types::STRINGS => Some(Value::Strings(&self.strings)),
            types::TENSORS => Some(Value::Tensors(&self.tensors)),
            types::GRAPHS => Some(Value::Graphs(&self.graphs)),
            types::SPARSE_TENSORS => Some(Value::SparseTensors(&self.sparse_tensors)),
            types::TYPE_PROTOS => Some(Value::Types(&self.type_protos)),
            _ => None,
        }
    }

    /// An attribute with a number.
    pub fn float(name: impl Into<String>, value: f32) -> Self {
        Attribute { f: Some(value), ..Attribute::typed(name, types::FLOAT) }
    }

    /// An attribute with an integer.
    pub fn int(name: impl Into<String>, value: i64) -> Self {
        Attribute { i: Some(value), ..Attribute::typed(name, types::INT) }
    }

    /// An attribute with a text.
    pub fn string(name: impl Into<String>, value: impl Into<Bytes>) -> Self {
        Attribute { s: Some(value.into()), ..Attribute::typed(name, types::STRING) }
    }

    /// An attribute with a tensor.
    pub fn tensor(name: impl Into<String>, value: Tensor) -> Self {
        Attribute { t: Some(Box::new(value)), ..Attribute::typed(name, types::TENSOR) }
    }

    /// An attribute with numbers.
    pub fn floats(name: impl Into<String>, values: impl Into<Vec<f32>>) -> Self {
        Attribute { floats: values.into(), ..Attribute::typed(name, types::FLOATS) }
    }

    /// An attribute with integers.
    pub fn ints(name: impl Into<String>, values: impl Into<Vec<i64>>) -> Self {
        Attribute { ints: values.into(), ..Attribute::typed(name, types::INTS) }
    }

    fn typed(name: impl Into<String>, r#type: i32) -> Self {
        Attribute { name: name.into(), r#type, ..Attribute::default() }
    }
}

impl Value<'_> {
    fn is_empty_list(&self) -> bool {
        match self {
            Value::Floats(items) => items.is_empty(),
            Value::Ints(items) => items.is_empty(),
            Value::Strings(items) => items.is_empty(),
            Value::Tensors(items) => items.is_empty(),
            Value::Graphs(items) => items.is_empty(),
            Value::SparseTensors(items) => items.is_empty(),
            Value::Types(items) => items.is_empty(),
            _ => false,
        }
    }
}
