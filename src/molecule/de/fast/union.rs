//! Unions, as the fast reader takes them: which variant an id selects, and its payload. Does not
//! know how values are read.

use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor, value::StrDeserializer};

use super::{Bail, FastReader};
use crate::molecule::mark::UnionIds;

/// A union.
pub(super) struct Union<'a, 'de> {
    pub(super) id: u32,
    pub(super) ids: Option<UnionIds>,
    pub(super) variants: &'static [&'static str],
    pub(super) payload: FastReader<'a, 'de>,
}

impl<'a, 'de> de::EnumAccess<'de> for Union<'a, 'de> {
    type Error = Bail;
    type Variant = Payload<'a, 'de>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), Bail> {
        let Union { id, ids, variants, payload } = self;
        let variant = match ids {
            None if usize::try_from(id).is_ok_and(|id| id < variants.len()) => {
                seed.deserialize(id.into_deserializer())
            }
            // Only `#[serde(other)]` takes it.
            None => Err(Bail),
            Some(ids) => match ids.variant(id) {
                Ok(Some(name)) if ids.check(name, variants).is_ok() => {
                    seed.deserialize(StrDeserializer::new(name))
                }
                _ => Err(Bail),
            },
        };
        match variant {
            Ok(variant) => Ok((variant, Payload { reader: payload })),
            Err(Bail) => Err(payload.bail()),
        }
    }
}

/// The payload behind a union's id.
pub(super) struct Payload<'a, 'de> {
    reader: FastReader<'a, 'de>,
}

impl<'de> de::VariantAccess<'de> for Payload<'_, 'de> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unit_variant(self) -> Result<(), Bail> {
        match self.reader.bytes.is_empty() {
            true => Ok(()),
            false => Err(self.reader.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Bail> {
        seed.deserialize(self.reader.level()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Bail> {
        self.reader.tuple_table(len, true, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.reader.struct_table(fields.len(), visitor)
    }
}
