//! A [`Value`] as one of serde's enums.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::{self, Deserialize, Deserializer, EnumAccess, VariantAccess, Visitor};
use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use super::number::{Double, Signed, Single, Unsigned};
use super::{Table, VALUE, Value};
use crate::biniou::wire::Tag;

/// The variants in order: those of [`Tag::ALL`], then two that have no tag of their own.
const VARIANTS: [&str; 20] = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "float32",
    "float64",
    "uvint",
    "svint",
    "string",
    "array",
    "tuple",
    "record",
    "num_variant",
    "variant",
    "unit",
    "table",
    "shared",
    REFERENCE,
    OVERLONG,
];
const REFERENCE: &str = "reference";
const REFERENCE_INDEX: u32 = 18;
const OVERLONG: &str = "overlong";
const OVERLONG_INDEX: u32 = 19;

/// Fields of a [`Table`].
const TABLE: &str = "table";
pub(super) const COLUMNS: &str = "columns";
pub(super) const ROWS: &str = "rows";

/// Which variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Node(Tag),
    Reference,
    Overlong,
}

impl Kind {
    pub(super) fn of(value: &Value) -> Kind {
        match value {
            Value::Reference(_) => Kind::Reference,
            Value::Overlong(..) => Kind::Overlong,
            value => Kind::Node(value.tag()),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Node(tag) => tag.name(),
            Kind::Reference => REFERENCE,
            Kind::Overlong => OVERLONG,
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Kind> {
        VARIANTS
            .iter()
            .zip(0..)
            .find(|(known, _)| **known == name)
            .and_then(|(_, index)| Kind::from_index(index))
    }

    fn from_index(index: u32) -> Option<Kind> {
        let tag = usize::try_from(index).ok().and_then(|index| Tag::ALL.get(index));
        match (tag, index) {
            (Some(tag), _) => Some(Kind::Node(*tag)),
            (None, REFERENCE_INDEX) => Some(Kind::Reference),
            (None, OVERLONG_INDEX) => Some(Kind::Overlong),
            (None, _) => None,
        }
    }

    /// The place in [`VARIANTS`].
    pub(super) fn index(self) -> u32 {
        match self {
            Kind::Node(tag) => {
                (0..).zip(Tag::ALL).find(|(_, other)| **other == tag).map_or(0, |(index, _)| index)
            }
            Kind::Reference => REFERENCE_INDEX,
            Kind::Overlong => OVERLONG_INDEX,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kind = Kind::of(self);
        let (index, name) = (kind.index(), kind.name());
        match self {
            Value::Unit => serializer.serialize_unit_variant(VALUE, index, name),
            value => serializer.serialize_newtype_variant(VALUE, index, name, &Payload(value)),
        }
    }
}

/// What a value holds, without its variant.
struct Payload<'a>(&'a Value);

impl Serialize for Payload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int8(number) => serializer.serialize_u8(*number),
            Value::Int16(number) => serializer.serialize_u16(*number),
            Value::Int32(number) => serializer.serialize_i32(*number),
            Value::Int64(number) => serializer.serialize_i64(*number),
            Value::Float32(number) => Single(*number).serialize(serializer),
            Value::Float64(number) => Double(*number).serialize(serializer),
            Value::Uvint(number) => Unsigned(*number).serialize(serializer),
            Value::Svint(number) => Signed(*number).serialize(serializer),
            Value::String(bytes) => match core::str::from_utf8(bytes) {
                Ok(text) => serializer.serialize_str(text),
                // Formats for people do not support bytes, and some of them return an error.
                Err(_) if serializer.is_human_readable() => serializer.collect_seq(bytes),
                Err(_) => serializer.serialize_bytes(bytes),
            },
            Value::Array(items) | Value::Tuple(items) => items.serialize(serializer),
            Value::Record(fields) => fields.serialize(serializer),
            Value::NumVariant(number, argument) => (number, argument).serialize(serializer),
            Value::Variant(hash, argument) => (hash, argument).serialize(serializer),
            Value::Unit => serializer.serialize_unit(),
            Value::Table(table) => table.serialize(serializer),
            Value::Shared(id, value) => (id, value).serialize(serializer),
            Value::Reference(id) => serializer.serialize_u32(*id),
            Value::Overlong(extra, value) => (extra, value).serialize(serializer),
        }
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = serializer.serialize_struct(TABLE, 2)?;
        table.serialize_field(COLUMNS, &self.columns)?;
        table.serialize_field(ROWS, &self.rows)?;
        table.end()
    }
}

/// As the format's name for it.
impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum(VALUE, &VARIANTS, Values)
    }
}

struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a biniou value under the name of its tag")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        let (kind, payload) = data.variant()?;
        match kind {
            Kind::Node(tag) => node(tag, payload),
            Kind::Reference => payload.newtype_variant().map(Value::Reference),
            Kind::Overlong => {
                payload.newtype_variant().map(|(extra, value)| Value::Overlong(extra, value))
            }
        }
    }
}

fn node<'de, A: VariantAccess<'de>>(tag: Tag, payload: A) -> Result<Value, A::Error> {
    Ok(match tag {
        Tag::Bool => Value::Bool(payload.newtype_variant()?),
        Tag::Int8 => Value::Int8(payload.newtype_variant()?),
        Tag::Int16 => Value::Int16(payload.newtype_variant()?),
        Tag::Int32 => Value::Int32(payload.newtype_variant()?),
        Tag::Int64 => Value::Int64(payload.newtype_variant()?),
        Tag::Float32 => Value::Float32(payload.newtype_variant::<Single>()?.0),
        Tag::Float64 => Value::Float64(payload.newtype_variant::<Double>()?.0),
        Tag::Uvint => Value::Uvint(payload.newtype_variant::<Unsigned>()?.0),
        Tag::Svint => Value::Svint(payload.newtype_variant::<Signed>()?.0),
        Tag::String => Value::String(payload.newtype_variant::<Bytes>()?.0),
        Tag::Array => Value::Array(payload.newtype_variant()?),
        Tag::Tuple => Value::Tuple(payload.newtype_variant()?),
        Tag::Record => Value::Record(payload.newtype_variant()?),
        Tag::NumVariant => {
            let (number, argument) = payload.newtype_variant()?;
            Value::NumVariant(number, argument)
        }
        Tag::Variant => {
            let (hash, argument) = payload.newtype_variant()?;
            Value::Variant(hash, argument)
        }
        Tag::Unit => payload.unit_variant().map(|()| Value::Unit)?,
        Tag::Table => Value::Table(Box::new(payload.newtype_variant()?)),
        Tag::Shared => {
            let (id, value) = payload.newtype_variant()?;
            Value::Shared(id, value)
        }
    })
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_identifier(Kinds)
    }
}

struct Kinds;

impl Visitor<'_> for Kinds {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a biniou tag")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Kind, E> {
        Kind::from_name(name).ok_or_else(|| E::unknown_variant(name, &VARIANTS))
    }

    fn visit_bytes<E: de::Error>(self, name: &[u8]) -> Result<Kind, E> {
        match core::str::from_utf8(name) {
            Ok(name) => self.visit_str(name),
            Err(_) => Err(E::invalid_value(de::Unexpected::Bytes(name), &self)),
        }
    }

    fn visit_u64<E: de::Error>(self, index: u64) -> Result<Kind, E> {
        let kind = u32::try_from(index).ok().and_then(Kind::from_index);
        kind.ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(index), &self))
    }
}

/// A string: text, or bytes where it is not.
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Strings).map(Bytes)
    }
}

struct Strings;

impl<'de> Visitor<'de> for Strings {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or bytes")
    }

    fn visit_str<E>(self, text: &str) -> Result<Vec<u8>, E> {
        Ok(text.into())
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.into())
    }

    fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Vec<u8>, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        Ok(bytes)
    }
}

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserializer.deserialize_str(Kinds)? {
            Kind::Node(tag) => Ok(tag),
            kind => Err(de::Error::custom(format!("`{}` is no tag of its own", kind.name()))),
        }
    }
}

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(TABLE, &[COLUMNS, ROWS], Tables)
    }
}

struct Tables;

impl<'de> Visitor<'de> for Tables {
    type Value = Table;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("columns and rows")
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut fields: A) -> Result<Table, A::Error> {
        let columns = fields.next_element()?;
        let rows = fields.next_element()?;
        table(columns, rows)
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut fields: A) -> Result<Table, A::Error> {
        let (mut columns, mut rows) = (None, None);
        while let Some(name) = fields.next_key::<alloc::string::String>()? {
            match name.as_str() {
                COLUMNS => columns = Some(fields.next_value()?),
                ROWS => rows = Some(fields.next_value()?),
                name => return Err(de::Error::unknown_field(name, &[COLUMNS, ROWS])),
            }
        }
        table(columns, rows)
    }
}

fn table<E: de::Error>(
    columns: Option<Vec<(u32, Tag)>>,
    rows: Option<Vec<Vec<Value>>>,
) -> Result<Table, E> {
    Ok(Table {
        columns: columns.ok_or_else(|| E::missing_field(COLUMNS))?,
        rows: rows.ok_or_else(|| E::missing_field(ROWS))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_in_its_place() {
        for (index, name) in (0..).zip(VARIANTS) {
            let kind = Kind::from_name(name).unwrap();
            assert_eq!((kind.index(), kind.name()), (index, name));
        }
    }
}
