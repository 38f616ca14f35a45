//! Access to an enum's variant, read fast or exactly: its number, then its content. Knows no other enums than
//! serde's.

use serde_core::de::value::U32Deserializer;
use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::parts::parts;
use super::reading::Reading;
use super::value::{Value, take_variant};
use crate::glue::names::Names;
use crate::tsm::{Result, wire};

/// A variant whose number is taken.
pub(super) struct Variant<'a, R> {
    reader: &'a mut R,
    index: u32,
    offset: usize,
}

impl<'a, R> Variant<'a, R> {
    #[inline(always)]
    pub(super) fn take<'de>(reader: &'a mut R) -> Result<Self, R::Error>
    where
        R: Reading<'de>,
    {
        let offset = reader.offset();
        let index = take_variant(reader)?;
        Ok(Variant { reader, index, offset })
    }

    #[inline(always)]
    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, R::Error>
    where
        R: Reading<'de>,
    {
        let Variant { reader, index, offset } = self;
        match visitor.visit_enum(Variant { reader: &mut *reader, index, offset }) {
            Ok(value) => Ok(value),
            Err(error) => Err(reader.failed(error, offset)),
        }
    }
}

impl<'de, R: Reading<'de>> de::EnumAccess<'de> for Variant<'_, R> {
    type Error = R::Error;
    type Variant = Self;

    #[inline(always)]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), R::Error> {
        let Variant { reader, index, offset } = self;
        let number: U32Deserializer<R::Error> = index.into_deserializer();
        let variant = match seed.deserialize(number) {
            Ok(variant) => variant,
            Err(_) => reader
                .exactly(|decoder| Err(decoder.refused(wire::unknown_variant(index, offset))))?,
        };
        Ok((variant, Variant { reader, index, offset }))
    }
}

impl<'de, R: Reading<'de>> de::VariantAccess<'de> for Variant<'_, R> {
    type Error = R::Error;

    #[inline(always)]
    fn unit_variant(self) -> Result<(), R::Error> {
        Ok(())
    }

    #[inline(always)]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, R::Error> {
        self.reader.level(|reader| {
            let offset = reader.offset();
            seed.deserialize(Value(&mut *reader)).map_err(|error| reader.failed(error, offset))
        })
    }

    #[inline(always)]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, R::Error> {
        parts(self.reader, len, Names::SLOTS, visitor)
    }

    #[inline(always)]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        parts(self.reader, fields.len(), Names::Fields(fields), visitor)
    }
}
