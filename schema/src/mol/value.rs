//! Values without Rust types: checked bytes, and their type in a schema.

use core::fmt;

use fourfold::molecule::wire::{self, Table};
use fourfold::molecule::{Error, ErrorKind, Options, Result};

use super::verify::Check;
use super::{Field, Fields, Item, Number, Schema, Shape, Type};
use crate::common::{shortened, suggestion};

impl Schema {
    /// Checks that `bytes` are a value of the type of that name, down to the last header.
    ///
    /// Takes no memory: a [`Value`] is a view of the bytes, which decodes what is requested.
    ///
    /// ```
    /// use fourfold::molecule::to_vec;
    /// use fourfold_schema::mol::Schema;
    ///
    /// let schema = Schema::parse("vector Bytes <byte>; table Entry { id: byte, name: Bytes, }")?;
    /// let bytes = to_vec(&(7u8, "molecule"))?;
    /// let entry = schema.to_value(&bytes, "Entry")?;
    /// assert_eq!(entry.get("name").unwrap().bytes()[4..], *b"molecule");
    ///
    /// let error = schema.to_value(&bytes[..20], "Entry").unwrap_err();
    /// assert_eq!(error.to_string(), "input ends early: 25 bytes needed, 20 left at byte 0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Every error of the bytes, with its offset and path; `NoType` if there is no such type.
    pub fn to_value<'a>(&'a self, bytes: &'a [u8], name: &str) -> Result<Value<'a>> {
        self.to_value_with(bytes, name, &Options::new())
    }

    /// The same with `options`: of these `compatible`, which takes tables with more fields than the schema
    /// has, and `max_depth` count.
    ///
    /// # Errors
    ///
    /// Those of [`to_value`](Schema::to_value).
    pub fn to_value_with<'a>(
        &'a self,
        bytes: &'a [u8],
        name: &str,
        options: &Options,
    ) -> Result<Value<'a>> {
        let value = Value::unchecked(self.need(name)?, bytes);
        Check::new(options).whole(value).map(|()| value)
    }

    /// The type of that name, or the error.
    pub(super) fn need(&self, name: &str) -> Result<Type<'_>> {
        self.get(name).ok_or_else(|| Error::placeless(self.no_type(name)))
    }

    /// What is wrong with the name of a type that is not there.
    pub(super) fn no_type(&self, name: &str) -> ErrorKind {
        let suggestion = suggestion(name, self.types().map(Type::name));
        ErrorKind::NoType { name: shortened(name), suggestion }
    }
}

/// A value and its type: bytes that have been checked, which are decoded as they are requested.
///
/// [`Debug`](fmt::Debug) shows the type and the bytes.
#[derive(Clone, Copy, PartialEq)]
pub struct Value<'a> {
    ty: Type<'a>,
    bytes: &'a [u8],
}

/// What is in a value.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Parts<'a> {
    /// One byte.
    Byte(u8),
    /// The number that an array of bytes is, by its [`Type::number`].
    Number(Number<'a>),
    /// The bytes of another array of bytes, or of a fixvec of them.
    Bytes(&'a [u8]),
    /// The items of another array, fixvec or dynvec.
    List(List<'a>),
    /// The fields of a struct or table.
    Record(Record<'a>),
    /// The value of an option, if it has one.
    Option(Option<Value<'a>>),
    /// The item of a union, and its value.
    Union(Item<'a>, Value<'a>),
}

impl<'a> Value<'a> {
    /// The value of bytes that [`to_value`](Schema::to_value) accepts, without checking them again. What is in other
    /// bytes is not specified.
    ///
    /// ```
    /// use fourfold_schema::mol::{Schema, Value};
    ///
    /// let schema = Schema::parse("array Pair [byte; 2];")?;
    /// let bytes = [7, 8];
    /// let value = schema.to_value(&bytes, "Pair")?;
    /// assert_eq!(Value::unchecked(schema.get("Pair").unwrap(), &bytes), value);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn unchecked(ty: Type<'a>, bytes: &'a [u8]) -> Self {
        Value { ty, bytes }
    }

    /// Its type.
    #[must_use]
    pub fn ty(self) -> Type<'a> {
        self.ty
    }

    /// All its bytes.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// What is in it.
    #[must_use]
    pub fn parts(self) -> Parts<'a> {
        let Value { ty, bytes } = self;
        match ty.shape() {
            Shape::Byte => Parts::Byte(bytes.first().copied().unwrap_or_default()),
            Shape::Array(item, _) if item.shape() == Shape::Byte => match ty.number() {
                Some(number) => Parts::Number(number.unchecked(bytes)),
                None => Parts::Bytes(bytes),
            },
            Shape::FixVec(item) if item.shape() == Shape::Byte => {
                Parts::Bytes(wire::byte_items(bytes).unwrap_or_default())
            }
            Shape::Array(item, _) => Parts::List(List::packed(item, bytes)),
            Shape::FixVec(item) => {
                let items = wire::split_number(bytes).map_or(&[][..], |(_, items)| items);
                Parts::List(List::packed(item, items))
            }
            Shape::DynVec(item) => Parts::List(List { item, items: Items::Offsets(table(bytes)) }),
            Shape::Struct(fields) => Parts::Record(Record { fields, items: Items::Packed(bytes) }),
            Shape::Table(fields) => {
                // Of a table without fields, nothing but the full size has been checked.
                let parts = match fields.is_empty() {
                    true => Table::parse(bytes, 0).ok().map(wire::Parts::from),
                    false => table(bytes),
                };
                Parts::Record(Record { fields, items: Items::Offsets(parts) })
            }
            Shape::Option(ty) => Parts::Option((!bytes.is_empty()).then_some(Value { ty, bytes })),
            Shape::Union(items) => {
                let (id, bytes) = wire::split_number(bytes).unwrap_or_default();
                match items.with_id(id) {
                    Some(item) => Parts::Union(item, Value { ty: item.ty(), bytes }),
                    None => Parts::Bytes(bytes),
                }
            }
        }
    }

    /// The field of that name, if it is a struct or table that has one. Of an option, that of its value.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        match self.parts() {
            Parts::Record(record) => record.get(name),
            Parts::Option(value) => value?.get(name),
            _ => None,
        }
    }
}

/// Parts after a header that has been checked.
fn table(bytes: &[u8]) -> Option<wire::Parts<'_>> {
    let header = wire::lazy_header(bytes)?;
    Some(wire::Parts::new(bytes, header))
}

/// Where parts are: one after the other, or where a header has them.
#[derive(Clone, Copy)]
enum Items<'a> {
    Packed(&'a [u8]),
    Offsets(Option<wire::Parts<'a>>),
}

/// The items of an array, fixvec or dynvec.
#[derive(Clone, Copy)]
pub struct List<'a> {
    item: Type<'a>,
    items: Items<'a>,
}

impl<'a> List<'a> {
    const fn packed(item: Type<'a>, bytes: &'a [u8]) -> Self {
        List { item, items: Items::Packed(bytes) }
    }

    /// How many items there are.
    #[must_use]
    pub fn len(self) -> usize {
        match self.items {
            Items::Packed(bytes) => {
                bytes.len().checked_div(self.item.size().unwrap_or(0)).unwrap_or(0)
            }
            Items::Offsets(table) => table.map_or(0, |table| table.count()),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The item at that place, from 0, without a look at others.
    #[must_use]
    pub fn get(self, index: usize) -> Option<Value<'a>> {
        let bytes = match self.items {
            Items::Packed(bytes) => {
                let size = self.item.size()?;
                bytes.get(index.checked_mul(size)?..)?.get(..size)?
            }
            Items::Offsets(table) => table?.get(index)?.1,
        };
        Some(Value { ty: self.item, bytes })
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Value<'a>> {
        (0..self.len()).map_while(move |index| self.get(index))
    }
}

/// The fields of a struct or table.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    fields: Fields<'a>,
    items: Items<'a>,
}

impl<'a> Record<'a> {
    /// The fields as the schema has them.
    #[must_use]
    pub fn fields(self) -> Fields<'a> {
        self.fields
    }

    /// All fields with their values, in order.
    pub fn iter(self) -> impl Iterator<Item = (Field<'a>, Value<'a>)> {
        let mut rest = match self.items {
            Items::Packed(bytes) => bytes,
            Items::Offsets(_) => &[],
        };
        self.fields.iter().enumerate().map_while(move |(index, field)| {
            let bytes = match self.items {
                Items::Packed(_) => {
                    let (bytes, after) = rest.split_at_checked(field.ty().size()?)?;
                    rest = after;
                    bytes
                }
                Items::Offsets(table) => table?.get(index)?.1,
            };
            Some((field, Value { ty: field.ty(), bytes }))
        })
    }

    /// The value of the field of that name.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        self.iter().find(|(field, _)| field.name() == name).map(|(_, value)| value)
    }

    /// The bytes of the unknown fields of a table, which only
    /// [`Options::compatible`] lets in.
    pub fn extra(self) -> impl Iterator<Item = &'a [u8]> {
        let table = match self.items {
            Items::Packed(_) => None,
            Items::Offsets(table) => table,
        };
        let end = table.map_or(0, |table| table.count());
        (self.fields.len()..end).filter_map(move |index| Some(table?.get(index)?.1))
    }

    /// Whether bytes follow that are no fields of a later version either: a table without fields takes any.
    pub(super) fn has_unknown_bytes(self) -> bool {
        matches!(self.items, Items::Offsets(None))
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:02x?}", self.ty.name(), self.bytes)
    }
}

impl fmt::Debug for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(field, value)| (field.name(), value))).finish()
    }
}
