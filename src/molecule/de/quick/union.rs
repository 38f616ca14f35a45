//! Unions in a first attempt: the id, and what follows it.

use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor, value::StrDeserializer};

use super::{Bail, Quick};
use crate::molecule::mark::UnionIds;

/// A union.
pub(super) struct Union<'a, 'de> {
    pub(super) id: u32,
    pub(super) ids: Option<UnionIds>,
    pub(super) variants: &'static [&'static str],
    pub(super) payload: Quick<'a, 'de>,
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
            Ok(variant) => Ok((variant, Payload { quick: payload })),
            Err(Bail) => Err(payload.surprise()),
        }
    }
}

/// What follows a union's id.
pub(super) struct Payload<'a, 'de> {
    quick: Quick<'a, 'de>,
}

impl<'de> de::VariantAccess<'de> for Payload<'_, 'de> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unit_variant(self) -> Result<(), Bail> {
        match self.quick.bytes.is_empty() {
            true => Ok(()),
            false => Err(self.quick.surprise()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Bail> {
        seed.deserialize(self.quick.level()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Bail> {
        self.quick.tuple_table(len, true, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.quick.struct_table(fields.len(), visitor)
    }
}
