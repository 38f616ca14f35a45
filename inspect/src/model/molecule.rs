//! Typed values of Molecule as JSON: the form in which the library shows them to serde. The items of lists are
//! converted lazily, so long lists take no memory.

use fourfold_schema::mol::{List, Number, Parts, Value, Values};

use super::items::Listed;
use super::{Items, Part, TYPE, VALUE};

/// The key of a union's item id, next to its type and value.
pub const ID: &str = "id";

/// Converts a value.
pub type Show = for<'v> fn(Value<'v>) -> Part<'v>;

/// A value, with everything in it except for the items of lists.
pub fn value(value: Value<'_>) -> Part<'_> {
    match value.parts() {
        Parts::Byte(byte) => Part::Integer(byte.into()),
        Parts::Number(number) => self::number(number),
        Parts::Bytes(bytes) => Part::Hex(bytes),
        Parts::List(list) => list_of(list, self::value),
        // Strict readers refuse fields that the type does not have.
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

/// A number, as text if JSON readers that use doubles would round it.
pub fn number(number: Number<'_>) -> Part<'static> {
    match number.exact() {
        Some(exact) => Part::integer(exact),
        None => Part::text(number.to_string()),
    }
}

/// A list, whose items are created lazily.
pub fn list_of(list: List<'_>, show: Show) -> Part<'_> {
    Part::Items(Items::Molecule(Shown { list, show }))
}

/// The first `count` records, created lazily.
pub fn records<'a>(values: &'a Values<'a>, count: usize, show: Show) -> Part<'a> {
    Part::Items(Items::Records(Records { values, count, show }))
}

/// A list, and the conversion of its items.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    list: List<'a>,
    show: Show,
}

impl<'a> Listed<'a> for Shown<'a> {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
        Box::new(self.list.iter().map(self.show))
    }

    fn get(&self, index: usize) -> Option<Part<'a>> {
        self.list.get(index).map(self.show)
    }
}

/// The records of a file, which were checked.
#[derive(Clone, Copy, Debug)]
pub struct Records<'a> {
    values: &'a Values<'a>,
    count: usize,
    show: Show,
}

impl<'a> Listed<'a> for Records<'a> {
    fn len(&self) -> usize {
        self.count
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Part<'a>> + 'a> {
        Box::new(self.values.clone().filter_map(Result::ok).map(self.show))
    }
}
