//! Values of Molecule as JSON, by their types: the form in which the library shows them to serde, but lists are made
//! item by item, however long they are.

use fourfold::molecule::schema::{List, Parts, Value};

use super::{Part, TYPE};

/// The keys of a union beside its type.
const ID: &str = "id";
pub(crate) const VALUE: &str = "value";
/// Records one behind the other.
pub(crate) const VALUES: &str = "values";

/// A value, with all that is in it but for the items of lists.
pub(crate) fn value(value: Value<'_>) -> Part<'_> {
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

/// Records, which are made when they are asked for.
pub(crate) fn records<'a>(records: &'a [Value<'a>]) -> Part<'a> {
    Part::Items(Items::Records(records))
}

/// The items of a list, which are made when they are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Items<'a> {
    List(List<'a>),
    /// Those of a file.
    Records(&'a [Value<'a>]),
}

impl<'a> Items<'a> {
    pub(crate) fn len(self) -> usize {
        match self {
            Items::List(list) => list.len(),
            Items::Records(records) => records.len(),
        }
    }

    pub(crate) fn get(self, index: usize) -> Option<Part<'a>> {
        match self {
            Items::List(list) => list.get(index).map(value),
            Items::Records(records) => records.get(index).copied().map(value),
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Part<'a>> {
        let (list, records) = match self {
            Items::List(list) => (Some(list), &[][..]),
            Items::Records(records) => (None, records),
        };
        let items = list.into_iter().flat_map(|list| list.iter());
        items.chain(records.iter().copied()).map(value)
    }
}
