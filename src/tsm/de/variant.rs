//! Enums: the number of a variant, then its content. Inlined for the same reason as [`parts`](super::parts).

use serde_core::de::value::U32Deserializer;
use serde_core::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

use super::document::Result;
use super::parts::parts;
use super::value::Value;
use crate::failed::Failed;
use crate::glue::names::Names;

/// A variant, selected by number, whose content comes next.
pub(super) struct Variant<'a, 'de, const AHEAD: usize> {
    content: Value<'a, 'de, AHEAD>,
    index: u32,
    /// What begins with the variant.
    start: &'de [u8],
}

/// Reads an enum.
#[inline(always)]
pub(super) fn read<'de, V: Visitor<'de>, const AHEAD: usize>(
    content: Value<'_, 'de, AHEAD>,
    visitor: V,
) -> Result<V::Value> {
    let Value { document, rest, .. } = content;
    let start = rest.get();
    let index = content.variant()?;
    let value = visitor.visit_enum(Variant { content, index, start });
    value.map_err(|Failed| document.place(start))
}

impl<'de, const AHEAD: usize> EnumAccess<'de> for Variant<'_, 'de, AHEAD> {
    type Error = Failed;
    type Variant = Self;

    #[inline(always)]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let Variant { content: Value { document, .. }, index, start } = self;
        match seed.deserialize(U32Deserializer::<Failed>::new(index)) {
            Ok(variant) => Ok((variant, self)),
            Err(Failed) => Err(document.unknown_variant(start, index)),
        }
    }
}

impl<'de, const AHEAD: usize> VariantAccess<'de> for Variant<'_, 'de, AHEAD> {
    type Error = Failed;

    #[inline]
    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let Value { document, rest, .. } = self.content;
        let start = rest.get();
        seed.deserialize(self.content.level()?).map_err(|Failed| document.place(start))
    }

    #[inline(always)]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        parts(self.content, len, Names::SLOTS, visitor)
    }

    #[inline(always)]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        parts(self.content, fields.len(), Names::Fields(fields), visitor)
    }
}
