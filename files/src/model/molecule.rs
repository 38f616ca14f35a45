//! Values of Molecule as JSON, by their types: the form in which the library shows them to serde, but lists are made
//! item by item, however long they are.

use fourfold::molecule::schema::{List, Parts, Value, Values};

use super::items::Listed;
use super::{Items, Part, TYPE, VALUE};

/// The key of a union's item beside its type and value.
const ID: &str = "id";

/// A value, with all that is in it but for the items of lists.
pub fn value(value: Value<'_>) -> Part<'_> {
    match value.parts() {
        Parts::Byte(byte) => Part::Integer(byte.into()),
        Parts::Bytes(bytes) => Part::Hex(bytes),
        Parts::List(list) => Part::Items(Items::Molecule(list)),
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
    Part::Items(Items::Records(Records { values, count }))
}

impl<'a> Listed<'a> for List<'a> {
    fn len(&self) -> usize {
        List::len(*self)
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
        Box::new(List::iter(*self).map(value))
    }

    fn get(&self, index: usize) -> Option<Part<'a>> {
        List::get(*self, index).map(value)
    }
}

/// Those of a file, which were checked.
#[derive(Clone, Copy, Debug)]
pub struct Records<'a> {
    values: &'a Values<'a>,
    count: usize,
}

impl<'a> Listed<'a> for Records<'a> {
    fn len(&self) -> usize {
        self.count
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
        Box::new(self.values.clone().filter_map(Result::ok).map(value))
    }
}
