//! An owned value without Python objects, which the library serializes while other threads run.

use serde::de::value::{Error, MapDeserializer, SeqDeserializer, U64Deserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// A value of a known type. Fields and items have the indices of the schema.
pub(super) enum Form {
    Byte(u8),
    Bytes(Vec<u8>),
    List(Vec<Form>),
    Record(Vec<(Key, Form)>),
    Nothing,
    Union(u64, Box<Form>),
    /// The bytes of a field that the schema does not have, in hex.
    Text(String),
}

/// The index of a field, or the name of `$extra`.
#[derive(Clone, Copy)]
pub(super) enum Key {
    Place(u64),
    Name(&'static str),
}

impl<'de> Deserializer<'de> for Form {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Form::Byte(byte) => visitor.visit_u64(byte.into()),
            Form::Bytes(bytes) => visitor.visit_byte_buf(bytes),
            Form::List(items) => SeqDeserializer::new(items.into_iter()).deserialize_seq(visitor),
            Form::Record(fields) => visitor.visit_map(MapDeserializer::new(fields.into_iter())),
            Form::Nothing => visitor.visit_none(),
            Form::Union(..) => visitor.visit_enum(self),
            Form::Text(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Form::Nothing => visitor.visit_none(),
            form => visitor.visit_some(form),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Form {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> EnumAccess<'de> for Form {
    type Error = Error;
    type Variant = Form;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Form), Error> {
        match self {
            Form::Union(place, inner) => {
                let place: U64Deserializer<Error> = place.into_deserializer();
                Ok((seed.deserialize(place)?, *inner))
            }
            _ => Err(serde::de::Error::invalid_type(Unexpected::Other("no union"), &"a union")),
        }
    }
}

impl<'de> VariantAccess<'de> for Form {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Err(serde::de::Error::invalid_type(Unexpected::UnitVariant, &"a value"))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }
}

impl<'de> Deserializer<'de> for Key {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Key::Place(place) => visitor.visit_u64(place),
            Key::Name(name) => visitor.visit_borrowed_str(name),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Key {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
