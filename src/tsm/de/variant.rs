//! Access to an enum's variant: its number, then its content. Knows no other enums than serde's.

use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::decoder::Decoder;
use crate::glue::names::Names;
use crate::tsm::{Error, Result, wire};

/// A variant whose number is taken.
pub(super) struct Variant<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    index: u32,
    offset: usize,
}

impl<'a, 'de> Variant<'a, 'de> {
    #[inline]
    pub(super) fn take(decoder: &'a mut Decoder<'de>) -> Result<Self> {
        let offset = decoder.reader.offset();
        let index = wire::take_variant(&mut decoder.reader)?;
        Ok(Variant { decoder, index, offset })
    }

    #[inline]
    pub(super) fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let offset = self.offset;
        visitor.visit_enum(self).map_err(|error| error.or_offset(offset))
    }
}

impl<'de> de::EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    #[inline]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        match seed.deserialize(self.index.into_deserializer()) {
            Ok(variant) => Ok((variant, self)),
            Err::<_, Error>(_) => {
                let error = wire::unknown_variant(self.index, self.offset);
                Err(self.decoder.refused(error))
            }
        }
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Error;

    #[inline]
    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.decoder.level(|decoder| {
            let offset = decoder.reader.offset();
            seed.deserialize(decoder).map_err(|error| error.or_offset(offset))
        })
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.decoder.parts(len, Names::Slots, visitor)
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.decoder.parts(fields.len(), Names::Fields(fields), visitor)
    }
}
