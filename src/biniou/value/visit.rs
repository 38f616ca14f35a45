//! A [`Value`] in memory as an enum for serde: for readers, when a type requests the enum
//! [`VALUE`](super::VALUE).

use alloc::vec::Vec;

use serde_core::de::value::{
    EnumAccessDeserializer, SeqAccessDeserializer, SeqDeserializer, StrDeserializer,
    U32Deserializer,
};
use serde_core::de::{
    Deserialize as _, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_core::forward_to_deserialize_any;

use super::Value;
use super::form::{COLUMNS, Kind, ROWS};
use crate::biniou::{Error, Result};

/// Hands `value` to a visitor that waits for the enum [`VALUE`](super::VALUE).
pub(in crate::biniou) fn visit<'de, V: Visitor<'de>>(value: Value, visitor: V) -> Result<V::Value> {
    visitor.visit_enum(Node(value))
}

/// A value.
struct Node(Value);

impl<'de> IntoDeserializer<'de, Error> for Node {
    type Deserializer = EnumAccessDeserializer<Node>;

    fn into_deserializer(self) -> EnumAccessDeserializer<Node> {
        EnumAccessDeserializer::new(self)
    }
}

impl<'de> EnumAccess<'de> for Node {
    type Error = Error;
    type Variant = Payload;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Payload)> {
        let index = U32Deserializer::<Error>::new(Kind::of(&self.0).index());
        Ok((seed.deserialize(index)?, Payload(self.0)))
    }
}

/// What a value holds, without its variant.
struct Payload(Value);

impl<'de> VariantAccess<'de> for Payload {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        <()>::deserialize(self)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }
}

impl<'de> Deserializer<'de> for Payload {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Int8(number) => visitor.visit_u8(number),
            Value::Int16(number) => visitor.visit_u16(number),
            Value::Int32(number) => visitor.visit_i32(number),
            Value::Int64(number) => visitor.visit_i64(number),
            Value::Float32(number) => visitor.visit_f32(number),
            Value::Float64(number) => visitor.visit_f64(number),
            Value::Uvint(number) => visitor.visit_u128(number),
            Value::Svint(number) => visitor.visit_i128(number),
            Value::String(bytes) => visitor.visit_byte_buf(bytes),
            Value::Unit => visitor.visit_unit(),
            Value::Array(items) | Value::Tuple(items) => list(nodes(items), visitor),
            Value::Record(fields) => {
                let pairs = fields.into_iter().map(|(hash, value)| Pair::new(hash, Node(value)));
                list(pairs.collect(), visitor)
            }
            Value::NumVariant(number, argument) => {
                let argument = argument.map(|value| Node(*value));
                visitor.visit_seq(Pair::new(number, Argument(argument)))
            }
            Value::Variant(hash, argument) => {
                let argument = argument.map(|value| Node(*value));
                visitor.visit_seq(Pair::new(hash, Argument(argument)))
            }
            Value::Table(table) => {
                let columns = table.columns.into_iter();
                let columns: Vec<_> =
                    columns.map(|(hash, tag)| Pair::new(hash, tag.name())).collect();
                let rows: Vec<_> = table.rows.into_iter().map(nodes).collect();
                visitor.visit_map(Named(Pair::new(columns, rows)))
            }
            Value::Shared(id, value) => visitor.visit_seq(Pair::new(id, Node(*value))),
            Value::Reference(id) => visitor.visit_u32(id),
            Value::Overlong(extra, value) => {
                visitor.visit_seq(Pair::new(extra.to_vec(), Node(*value)))
            }
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

fn nodes(values: Vec<Value>) -> Vec<Node> {
    values.into_iter().map(Node).collect()
}

fn list<'de, T, V>(items: Vec<T>, visitor: V) -> Result<V::Value>
where
    T: IntoDeserializer<'de, Error>,
    V: Visitor<'de>,
{
    visitor.visit_seq(SeqDeserializer::new(items.into_iter()))
}

/// A variant's argument.
struct Argument(Option<Node>);

impl<'de> IntoDeserializer<'de, Error> for Argument {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Argument {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            None => visitor.visit_none(),
            Some(node) => visitor.visit_some(node.into_deserializer()),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Two unlike things, one after the other.
struct Pair<A, B> {
    first: Option<A>,
    second: Option<B>,
}

impl<A, B> Pair<A, B> {
    fn new(first: A, second: B) -> Self {
        Pair { first: Some(first), second: Some(second) }
    }
}

impl<'de, A, B> SeqAccess<'de> for Pair<A, B>
where
    A: IntoDeserializer<'de, Error>,
    B: IntoDeserializer<'de, Error>,
{
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if let Some(first) = self.first.take() {
            return seed.deserialize(first.into_deserializer()).map(Some);
        }
        match self.second.take() {
            Some(second) => seed.deserialize(second.into_deserializer()).map(Some),
            None => Ok(None),
        }
    }
}

impl<'de, A, B> IntoDeserializer<'de, Error> for Pair<A, B>
where
    A: IntoDeserializer<'de, Error>,
    B: IntoDeserializer<'de, Error>,
{
    type Deserializer = SeqAccessDeserializer<Self>;

    fn into_deserializer(self) -> SeqAccessDeserializer<Self> {
        SeqAccessDeserializer::new(self)
    }
}

/// The two fields of a table, by their names, since a struct has no other form in this format.
struct Named<A, B>(Pair<A, B>);

impl<'de, A, B> MapAccess<'de> for Named<A, B>
where
    A: IntoDeserializer<'de, Error>,
    B: IntoDeserializer<'de, Error>,
{
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let name = match (&self.0.first, &self.0.second) {
            (Some(_), _) => COLUMNS,
            (None, Some(_)) => ROWS,
            (None, None) => return Ok(None),
        };
        seed.deserialize(StrDeserializer::<Error>::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match self.0.next_element_seed(seed)? {
            Some(value) => Ok(value),
            None => Err(Error::missing_field(ROWS)),
        }
    }
}
