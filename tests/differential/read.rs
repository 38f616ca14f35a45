//! A `Deserialize` for every schema.

use std::fmt;

use serde::de::{Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};

use crate::digest::{FAILED, IDLE, NONE, SOME, UNIT, VARIANT, mix};
use crate::parts::{Fields, Name, map, sequence};
use crate::schema::{
    Content, Inner, Parts, Scalar, Schema, Shape, VARIANTS, Variant, for_each_number,
};
use crate::target::{Copied, Seed, Target, next_is};

/// Reads a value of a schema, and returns the digest of all that the visitors received.
pub(crate) fn read<'de, D: Deserializer<'de>>(schema: &Schema, from: D) -> Result<u64, D::Error> {
    let visitor = Reading(schema);
    match &schema.shape {
        Shape::Scalar(scalar) => read_scalar(*scalar, from, visitor),
        Shape::Text => from.deserialize_str(visitor),
        Shape::Bytes => from.deserialize_bytes(visitor),
        Shape::Unit => from.deserialize_unit(visitor),
        Shape::UnitStruct(name) => from.deserialize_unit_struct(name, visitor),
        Shape::Option(_) => from.deserialize_option(visitor),
        Shape::Newtype(name, ..) => from.deserialize_newtype_struct(name, visitor),
        Shape::Sequence(_) => from.deserialize_seq(visitor),
        Shape::Tuple(parts) => from.deserialize_tuple(parts.types.len(), visitor),
        Shape::TupleStruct(name, parts) => {
            from.deserialize_tuple_struct(name, parts.types.len(), visitor)
        }
        Shape::Map(_) => from.deserialize_map(visitor),
        Shape::Struct(name, parts) => from.deserialize_struct(name, parts.fields(), visitor),
        Shape::Enum(name, _, variants) => {
            from.deserialize_enum(name, &VARIANTS[..variants.len()], visitor)
        }
        Shape::Any => from.deserialize_any(visitor),
        Shape::Identifier => from.deserialize_identifier(visitor),
        Shape::Ignored => from.deserialize_ignored_any(visitor),
        Shape::Lenient(inner) => Ok(read(inner, from).unwrap_or(FAILED)),
        Shape::Refusing(inner) => match read(inner, from)? {
            digest if digest % 2 == 1 => Err(Error::custom("refused")),
            digest => Ok(digest),
        },
        Shape::Idle => Ok(IDLE),
    }
}

macro_rules! scalar_reader {
    ($($scalar:ident $type:ident $deserialize:ident $visit:ident $serialize:ident),*) => {
        fn read_scalar<'de, D: Deserializer<'de>>(
            scalar: Scalar,
            from: D,
            visitor: Reading<'_>,
        ) -> Result<u64, D::Error> {
            match scalar {
                $(Scalar::$scalar => from.$deserialize(visitor),)*
                Scalar::F32 => from.deserialize_f32(visitor),
                Scalar::F64 => from.deserialize_f64(visitor),
                Scalar::Bool => from.deserialize_bool(visitor),
                Scalar::Char => from.deserialize_char(visitor),
            }
        }
    };
}
for_each_number!(scalar_reader);

/// Accepts any type: a number of any width, and all others.
struct Reading<'s>(&'s Schema);

impl Reading<'_> {
    fn number<E: Error>(&self, number: u128) -> Result<u64, E> {
        const LOW: u128 = u64::MAX as u128;

        if self.0.picky && number % 2 == 1 {
            return Err(E::custom("odd"));
        }
        let [low, high] = [number & LOW, number >> 64].map(|half| u64::try_from(half).unwrap());
        Ok(mix(mix(1, low), high))
    }

    /// A value without content.
    fn sign<E: Error>(&self, sign: u64, name: &str) -> Result<u64, E> {
        match self.0.picky {
            true => Err(E::custom(name)),
            false => Ok(sign),
        }
    }

    fn parts<E: Error>(&self, found: &str) -> Result<&Parts, E> {
        match &self.0.shape {
            Shape::Sequence(parts)
            | Shape::Tuple(parts)
            | Shape::TupleStruct(_, parts)
            | Shape::Map(parts)
            | Shape::Struct(_, parts) => Ok(parts),
            _ => Err(E::custom(format_args!("{found} of what has no parts"))),
        }
    }
}

macro_rules! visit_numbers {
    ($($scalar:ident $type:ident $deserialize:ident $visit:ident $serialize:ident),*) => {$(
        #[allow(
            clippy::cast_lossless,
            clippy::cast_sign_loss,
            reason = "of any number its bits, as many as the widest has"
        )]
        fn $visit<E: Error>(self, number: $type) -> Result<u64, E> {
            self.number(number as u128)
        }
    )*};
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a random type")
    }

    for_each_number!(visit_numbers);

    fn visit_bool<E: Error>(self, value: bool) -> Result<u64, E> {
        self.number(value.into())
    }

    fn visit_char<E: Error>(self, value: char) -> Result<u64, E> {
        self.number(value.into())
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<u64, E> {
        self.number(value.to_bits().into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
        self.number(value.to_bits().into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
        self.visit_bytes(text.as_bytes())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<u64, E> {
        let digest = bytes.iter().fold(0, |digest, byte| mix(digest, u64::from(*byte) + 1));
        Ok(mix(digest, self.number(bytes.len() as u128)?))
    }

    fn visit_unit<E: Error>(self) -> Result<u64, E> {
        self.sign(UNIT, "unit")
    }

    fn visit_none<E: Error>(self) -> Result<u64, E> {
        self.sign(NONE, "none")
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<u64, D::Error> {
        match &self.0.shape {
            Shape::Option(inner) => Ok(mix(SOME, read(inner, from)?)),
            _ => Err(Error::custom("some of what is no option")),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<u64, D::Error> {
        let Shape::Newtype(_, does, inner) = &self.0.shape else {
            return Err(Error::custom("a newtype struct of what is none"));
        };
        match does {
            Inner::Read => read(inner, from),
            Inner::Lenient => Ok(read(inner, from).unwrap_or(FAILED)),
            Inner::Refused => {
                read(inner, from)?;
                Err(Error::custom("refused what is in it"))
            }
            Inner::Idle => Ok(IDLE),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<u64, A::Error> {
        let parts = self.parts("a sequence")?;
        match self.0.shape {
            Shape::Struct(..) => Fields(parts).visit_seq(access),
            _ => sequence(parts, parts.most, access),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<u64, A::Error> {
        let parts = self.parts("a map")?;
        match self.0.shape {
            Shape::Map(_) => map(parts, access),
            Shape::Struct(..) => Fields(parts).visit_map(access),
            _ => Err(Error::custom("a map of what is a sequence")),
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<u64, A::Error> {
        let Shape::Enum(_, does, variants) = &self.0.shape else {
            return Err(Error::custom("an enum of what is none"));
        };
        if *does == Content::NoVariant {
            return Ok(IDLE);
        }
        let names = &VARIANTS[..variants.len()];
        let (index, access) = access.variant_seed(Name(names))?;
        let index = index.ok_or_else(|| Error::custom("no variant"))?;
        if *does == Content::Idle {
            return Ok(mix(VARIANT, index as u64));
        }
        let content = match &variants[index] {
            Variant::Unit => access.unit_variant().map(|()| UNIT),
            Variant::Newtype(inner) if *does == Content::Seed => {
                access.newtype_variant_seed(Seed(inner))
            }
            Variant::Newtype(inner) => {
                next_is(inner);
                access.newtype_variant::<Copied<2>>().map(Target::digest)
            }
            Variant::Tuple(parts) => access.tuple_variant(parts.types.len(), TupleVariant(parts)),
            Variant::Struct(parts) => access.struct_variant(parts.fields(), Fields(parts)),
        };
        match content {
            Err(_) if *does == Content::Lenient => Ok(FAILED),
            content => Ok(mix(mix(VARIANT, index as u64), content?)),
        }
    }
}

/// The elements of a tuple variant.
struct TupleVariant<'s>(&'s Parts);

impl<'de> Visitor<'de> for TupleVariant<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the parts of a variant")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<u64, A::Error> {
        sequence(self.0, self.0.most, access)
    }
}
