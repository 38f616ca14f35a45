//! Values of Molecule as JSON, by their types: the form in which the library shows them to serde, but lists are made
//! item by item, however long they are.

use fourfold::molecule::schema::{List, Parts, Value, Values};

use super::{Part, TYPE, VALUE};

/// The key of a union's item beside its type and value.
const ID: &str = "id";

/// A value, with all that is in it but for the items of lists.
pub fn value(value: Value<'_>) -> Part<'_> {
    match value.parts() {
        Parts::Byte(byte) => Part::Integer(byte.into()),
        Parts::Bytes(bytes) => Part::Hex(bytes),
        Parts::List(list) => Part::Items(Items::List(list)),
        // Strict readers let no fields in that the type has not.
        Parts::Record(record) => {
            let fields = record.iter().map(|(field, it)| (field.name().into(), self::value(it)));
            Part::Map(fields.collect())
        }
        Parts::Option(inner) => inner.map_or(Part::Null, self::value),
        Parts::Union(item, inner) => Part::map([
            (TYPE, Part::text(item.ty().name())),
            (ID, Part::integer(item.id())),
            (VALUE, self::value(inner)),
        ]),
        _ => Part::Hex(value.bytes()),
    }
}

/// So many records, which are made when they are asked for.
pub fn records<'a>(values: &'a Values<'a>, count: usize) -> Part<'a> {
    Part::Items(Items::Records { values, count })
}

/// The items of a list, which are made when they are asked for.
#[derive(Clone, Copy, Debug)]
pub enum Items<'a> {
    List(List<'a>),
    /// Those of a file, which were checked.
    Records {
        values: &'a Values<'a>,
        count: usize,
    },
}

impl<'a> Items<'a> {
    pub(crate) fn len(self) -> usize {
        match self {
            Items::List(list) => list.len(),
            Items::Records { count, .. } => count,
        }
    }

    pub fn get(self, index: usize) -> Option<Part<'a>> {
        match self {
            Items::List(list) => list.get(index).map(value),
            Items::Records { .. } => self.iter().nth(index),
        }
    }

    pub fn iter(self) -> impl Iterator<Item = Part<'a>> {
        let (list, values) = match self {
            Items::List(list) => (Some(list), None),
            Items::Records { values, .. } => (None, Some(values.clone())),
        };
        let items = list.into_iter().flat_map(|list| list.iter());
        items.chain(values.into_iter().flatten().filter_map(Result::ok)).map(value)
    }
}
