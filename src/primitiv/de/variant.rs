//! Enums: the index or name of a variant, then its content.

use serde_core::de::value::{StrDeserializer, U32Deserializer};
use serde_core::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

use super::document::Result;
use super::parts::parts;
use super::value::Value;
use crate::failed::Failed;
use crate::glue::names::Names;
use crate::primitiv::error::{NAMED, or_str_hint};
use crate::primitiv::wire::{self, UINT32};

/// A variant, selected by index or name, whose content comes next.
pub(super) struct Variant<'a, 'de> {
    content: Value<'a, 'de>,
    which: Which<'de>,
    /// What begins with the variant.
    start: &'de [u8],
}

#[derive(Clone, Copy)]
enum Which<'de> {
    Index(u32),
    Name(&'de str),
}

impl<'a, 'de> Variant<'a, 'de> {
    /// Takes what selects the variant of `value`: its name if the value is marked.
    #[inline]
    pub(super) fn take(value: Value<'a, 'de>) -> Result<Self> {
        let document = value.document;
        let start = document.rest.get();
        let which = match value.mark {
            None => Which::Index(match value.fixed(UINT32) {
                Some(index) => u32::from_be_bytes(index),
                None => document.take_cold(|reader, lenient| {
                    wire::take_uint32(reader, lenient).map_err(|error| or_str_hint(error, NAMED))
                })?,
            }),
            Some(_) => Which::Name(document.text()?),
        };
        Ok(Variant { content: Value { mark: None, ..value }, which, start })
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Failed;
    type Variant = Self;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let Variant { content: Value { document, .. }, which, start } = self;
        let variant = match which {
            Which::Index(index) => seed
                .deserialize(U32Deserializer::<Failed>::new(index))
                .map_err(|Failed| document.unknown_variant(start, index)),
            Which::Name(name) => seed
                .deserialize(StrDeserializer::<Failed>::new(name))
                .map_err(|Failed| document.place(start)),
        };
        variant.map(|variant| (variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Failed;

    #[inline]
    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let document = self.content.document;
        let start = document.rest.get();
        seed.deserialize(self.content.level()?).map_err(|Failed| document.place(start))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        parts(self.content.level()?, len, Names::SLOTS, visitor)
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        parts(self.content.level()?, fields.len(), Names::Fields(fields), visitor)
    }
}
