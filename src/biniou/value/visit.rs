//! A [`Value`] in memory as an enum for serde: for readers, when a type asks for the enum
//! [`VALUE`](super::VALUE). Does not know bytes.

use alloc::vec::Vec;

use super::Value;
use super::form::{COLUMNS, Kind, ROWS};
use crate::biniou::{Error, Result};
use crate::glue::de::{DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use crate::glue::plain::Plain;
use crate::glue::value::{Always, Answer, List};

/// Hands `value` to a visitor that waits for the enum [`VALUE`](super::VALUE).
pub(in crate::biniou) fn visit<'de, V: Visitor<'de, Error>>(
    value: Value,
    visitor: V,
) -> Result<V::Value> {
    visitor.visit_enum(Node(value))
}

/// A value.
struct Node(Value);

impl<'de> Answer<'de, Error> for Node {
    fn answer<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_enum(self)
    }
}

impl<'de> EnumAccess<'de> for Node {
    type Error = Error;
    type Variant = Payload;

    fn variant_seed<S: DeserializeSeed<'de, Error>>(self, seed: S) -> Result<(S::Value, Payload)> {
        let index = Always::new(Kind::of(&self.0).index());
        Ok((seed.deserialize(index)?, Payload(self.0)))
    }
}

/// What a value holds, without its variant.
struct Payload(Value);

impl<'de> VariantAccess<'de> for Payload {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        <() as serde_core::Deserialize>::deserialize(Plain(Always::new(self)))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de, Error>>(self, seed: S) -> Result<S::Value> {
        seed.deserialize(Always::new(self))
    }

    fn tuple_variant<V: Visitor<'de, Error>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.answer(visitor)
    }

    fn struct_variant<V: Visitor<'de, Error>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.answer(visitor)
    }
}

impl<'de> Answer<'de, Error> for Payload {
    fn answer<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
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
}

fn nodes(values: Vec<Value>) -> Vec<Node> {
    values.into_iter().map(Node).collect()
}

fn list<'de, T, V>(items: Vec<T>, visitor: V) -> Result<V::Value>
where
    T: Answer<'de, Error>,
    V: Visitor<'de, Error>,
{
    visitor.visit_seq(List::new(items.into_iter()))
}

/// A variant's argument.
struct Argument(Option<Node>);

impl<'de> Answer<'de, Error> for Argument {
    fn answer<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            None => visitor.visit_none(),
            Some(node) => visitor.visit_some(Always::new(node)),
        }
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
    A: Answer<'de, Error>,
    B: Answer<'de, Error>,
{
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>> {
        if let Some(first) = self.first.take() {
            return seed.deserialize(Always::new(first)).map(Some);
        }
        match self.second.take() {
            Some(second) => seed.deserialize(Always::new(second)).map(Some),
            None => Ok(None),
        }
    }
}

impl<'de, A: Answer<'de, Error>, B: Answer<'de, Error>> Answer<'de, Error> for Pair<A, B> {
    fn answer<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self)
    }
}

/// The two parts of a table, by their names, since a struct has no other form in this format.
struct Named<A, B>(Pair<A, B>);

impl<'de, A, B> MapAccess<'de> for Named<A, B>
where
    A: Answer<'de, Error>,
    B: Answer<'de, Error>,
{
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>> {
        let name = match (&self.0.first, &self.0.second) {
            (Some(_), _) => COLUMNS,
            (None, Some(_)) => ROWS,
            (None, None) => return Ok(None),
        };
        seed.deserialize(Always::new(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de, Error>>(&mut self, seed: S) -> Result<S::Value> {
        match self.0.next_element_seed(seed)? {
            Some(value) => Ok(value),
            None => Err(serde_core::de::Error::missing_field(ROWS)),
        }
    }
}
