//! Values to JSON, node by node. The items of lists are converted lazily, so long lists take no memory.

use std::collections::BTreeSet;

use fourfold::biniou::{Chunks, Dictionary, Node, NodeFields, NodeList, NodeParts, Options, Value};

use super::name::of_hash;
use super::{
    FLOAT32, FLOAT64, INT8, INT16, INT32, INT64, NUM_VARIANT, OVERLONG, RECORD, REFERENCE, SHARED,
    TABLE, TUPLE, UVINT, VARIANT, chunk_part,
};
use crate::model::float::{part32, part64};
use crate::model::items::Listed;
use crate::model::{Items, Part, text_or_hex};

/// A node, with everything in it except for the items of lists.
pub(super) fn node<'a>(node: &Node<'a>, names: &'a Dictionary) -> Part<'a> {
    match node.parts() {
        NodeParts::Scalar(value) => scalar(&value),
        NodeParts::String(bytes) => text_or_hex(bytes),
        NodeParts::Array(list) => array(list, names),
        NodeParts::Tuple(list) => Part::form(TUPLE, nodes(list, names)),
        NodeParts::Record(fields) => record(&fields, names),
        NodeParts::Table(list) => Part::form(TABLE, nodes(list, names)),
        NodeParts::NumVariant(number, argument) => {
            variant(NUM_VARIANT, Part::integer(number), argument, names)
        }
        NodeParts::Variant(hash, argument) => {
            variant(VARIANT, Part::Text(of_hash(hash, names)), argument, names)
        }
        NodeParts::Shared(id, inner) => {
            Part::form(SHARED, Part::List(vec![Part::integer(id), self::node(&inner, names)]))
        }
        NodeParts::Overlong(extra, inner) => {
            let extra = extra.into_iter().map(Part::integer).collect();
            Part::form(OVERLONG, Part::List(vec![Part::List(extra), self::node(&inner, names)]))
        }
        // There are no others.
        _ => Part::Null,
    }
}

fn scalar(value: &Value) -> Part<'static> {
    if let Some((form, number)) = number(value) {
        return Part::form(form, number);
    }
    match value {
        Value::Bool(value) => Part::Bool(*value),
        Value::Svint(number) => Part::Integer(*number),
        Value::Float64(float) => match part64(*float) {
            text @ Part::Text(_) => Part::form(FLOAT64, text),
            number => number,
        },
        Value::Reference(id) => Part::form(REFERENCE, Part::integer(*id)),
        _ => Part::Null,
    }
}

/// The form of a number, if it has one.
fn number(value: &Value) -> Option<(&'static str, Part<'static>)> {
    Some(match value {
        Value::Int8(number) => (INT8, Part::integer(*number)),
        Value::Int16(number) => (INT16, Part::integer(*number)),
        Value::Int32(number) => (INT32, Part::integer(*number)),
        Value::Int64(number) => (INT64, Part::integer(*number)),
        Value::Uvint(number) => (UVINT, Part::Unsigned(*number)),
        Value::Float32(float) => (FLOAT32, part32(*float)),
        _ => return None,
    })
}

/// Numbers with the same form share it.
fn array<'a>(list: NodeList<'a>, names: &'a Dictionary) -> Part<'a> {
    let number_of = |node: Node<'a>| match node.parts() {
        NodeParts::Scalar(value) => number(&value),
        _ => None,
    };
    let form = list.iter().next().and_then(number_of).map(|(form, _)| form);
    // A number in a longer encoding than necessary has a form of its own.
    match form.filter(|_| list.iter().all(|node| number_of(node).is_some())) {
        Some(form) => {
            Part::form(form, Part::Items(Items::Nodes(Nodes { list, names, is_bare: true })))
        }
        None => nodes(list, names),
    }
}

pub(super) fn nodes<'a>(list: NodeList<'a>, names: &'a Dictionary) -> Part<'a> {
    Part::Items(Items::Nodes(Nodes { list, names, is_bare: false }))
}

/// Keys of objects are unique, but a record may have a field twice.
fn record<'a>(fields: &NodeFields<'a>, names: &'a Dictionary) -> Part<'a> {
    let parts = fields.iter().map(|(hash, field)| (of_hash(hash, names), node(&field, names)));
    let mut seen = BTreeSet::new();
    if fields.iter().all(|(hash, _)| seen.insert(hash)) {
        return Part::Map(parts.collect());
    }
    let pairs = parts.map(|(name, part)| Part::List(vec![Part::Text(name), part]));
    Part::form(RECORD, Part::List(pairs.collect()))
}

fn variant<'a>(
    form: &'static str,
    which: Part<'a>,
    argument: Option<Node<'a>>,
    names: &'a Dictionary,
) -> Part<'a> {
    match argument {
        None => Part::form(form, which),
        Some(argument) => Part::form(form, Part::List(vec![which, node(&argument, names)])),
    }
}

/// The items of a list.
#[derive(Clone, Debug)]
pub struct Nodes<'a> {
    list: NodeList<'a>,
    names: &'a Dictionary,
    /// Whether they are numbers whose form is around the list.
    is_bare: bool,
}

impl<'a> Listed<'a> for Nodes<'a> {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
        let Nodes { ref list, names, is_bare } = *self;
        Box::new(list.iter().map(move |item| match item.parts() {
            NodeParts::Scalar(value) if is_bare => number(&value).map_or(Part::Null, |it| it.1),
            _ => node(&item, names),
        }))
    }
}

/// The chunks of a file, which are parsed lazily.
#[derive(Clone, Debug)]
pub struct ChunkList<'a> {
    pub(super) chunks: Chunks<'a>,
    pub(super) count: usize,
    pub(super) names: &'a Dictionary,
    pub(super) options: &'a Options,
}

impl<'a> Listed<'a> for ChunkList<'a> {
    fn len(&self) -> usize {
        self.count
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
        let ChunkList { ref chunks, names, options, .. } = *self;
        Box::new(chunks.clone().map(move |chunk| chunk_part(chunk, names, options)))
    }
}
