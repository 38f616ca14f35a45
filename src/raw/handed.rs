//! How a reader passes a lazy value to its type through serde.
//!
//! The type requests a newtype struct of the reserved name. A reader of its format returns the one variant of
//! an enum, which contains the bytes, their offset and the settings. Every other reader returns the requested
//! newtype struct, which is refused.

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::value::{BorrowedBytesDeserializer, U64Deserializer, UnitDeserializer};
use serde_core::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, SeqAccess, VariantAccess, Visitor,
};

use super::{Found, Settings};

/// What is passed: the enum, its variant, and the fields of that, one by one.
pub(crate) struct Handed<'de, E> {
    part: Found<'de>,
    next: u8,
    error: PhantomData<fn() -> E>,
}

/// Passes a lazy value.
pub(crate) fn hand_over<'de, E: de::Error>(part: Found<'de>) -> Handed<'de, E> {
    Handed { part, next: 0, error: PhantomData }
}

impl<'de, E: de::Error> EnumAccess<'de> for Handed<'de, E> {
    type Error = E;
    type Variant = Self;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), E> {
        Ok((seed.deserialize(UnitDeserializer::new())?, self))
    }
}

/// Ordinary enums cannot be read from a lazy value.
#[cold]
fn no_variant<T, E: de::Error>() -> Result<T, E> {
    Err(de::Error::custom("raw bytes are read as a newtype struct of their reserved name"))
}

impl<'de, E: de::Error> VariantAccess<'de> for Handed<'de, E> {
    type Error = E;

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, E> {
        visitor.visit_seq(self)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, E> {
        no_variant()
    }

    fn unit_variant(self) -> Result<(), E> {
        no_variant()
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, E> {
        no_variant()
    }
}

impl<'de, E: de::Error> SeqAccess<'de> for Handed<'de, E> {
    type Error = E;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, E> {
        let Found { bytes, offset, settings } = self.part;
        let piece = self.next;
        self.next = piece.saturating_add(1);
        let number = match piece {
            0 => return seed.deserialize(BorrowedBytesDeserializer::new(bytes)).map(Some),
            1 => u64::try_from(offset).unwrap_or(u64::MAX),
            2 => settings.to_number(),
            _ => return Ok(None),
        };
        seed.deserialize(U64Deserializer::new(number)).map(Some)
    }
}

/// Requests a lazy value.
#[inline]
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    format: &'static str,
    name: &'static str,
    deserializer: D,
) -> Result<Found<'de>, D::Error> {
    deserializer.deserialize_newtype_struct(name, PartVisitor(format))
}

/// Takes the fields that a reader of the format passes.
struct PartVisitor(&'static str);

impl<'de> Visitor<'de> for PartVisitor {
    type Value = Found<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes of {}, which only `fourfold::{0}` reads", self.0)
    }

    #[inline]
    fn visit_enum<A: EnumAccess<'de>>(self, part: A) -> Result<Found<'de>, A::Error> {
        let ((), part) = part.variant()?;
        part.tuple_variant(3, PieceVisitor)
    }

    /// Of a reader of another format.
    #[cold]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<Found<'de>, D::Error> {
        Err(de::Error::custom(format_args!(
            "raw bytes of {0} are read by `fourfold::{0}` only; for other formats, use the type of the value",
            self.0
        )))
    }
}

/// Takes the pieces.
struct PieceVisitor;

impl<'de> Visitor<'de> for PieceVisitor {
    type Value = Found<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, their offset and settings")
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut pieces: A) -> Result<Found<'de>, A::Error> {
        let missing = || de::Error::custom("raw bytes without their offset");
        let Some(bytes) = pieces.next_element()? else { return Err(missing()) };
        let Some(offset) = pieces.next_element::<u64>()? else { return Err(missing()) };
        let Some(settings) = pieces.next_element()? else { return Err(missing()) };
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        Ok(Found { bytes, offset, settings: Settings::from_number(settings) })
    }
}
