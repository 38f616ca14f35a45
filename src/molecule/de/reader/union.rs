//! Unions: which variant an id selects, and its payload. Does not know how values are read.

use super::{
    DeserializeSeed, EXACT, EnumAccess, Error, Result, ValueReader, VariantAccess, Visitor,
    other_variant, variant_by_id, variant_by_name,
};
use crate::glue::names::Names;
use crate::molecule::ErrorKind;
use crate::molecule::de::hint;
use crate::molecule::de::parts::FieldCount;
use crate::molecule::de::reading::Reading as _;
use crate::molecule::mark::UnionIds;

/// A union: the id and its payload.
pub(super) struct Union<'a, 'de> {
    /// The whole union.
    pub(super) slot: ValueReader<'a, 'de>,
    pub(super) id: u32,
    /// The name of the enum, and the ids in it.
    pub(super) name: &'static str,
    pub(super) ids: Option<UnionIds>,
    /// The variants that serde lists.
    pub(super) variants: &'static [&'static str],
    pub(super) payload: ValueReader<'a, 'de>,
}

impl<'a, 'de> Union<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unknown<T>(self) -> Result<T> {
        let Union { slot, id, name, ids, variants, payload } = self;
        slot.surely(|exact| {
            let hint = hint::of_union(id, payload.bytes.len(), name, variants, ids.is_some());
            Err(exact.error(slot.bytes, ErrorKind::UnknownId { id }).or_hint(hint))
        })
    }
}

impl<'a, 'de> EnumAccess<'de> for Union<'a, 'de> {
    type Error = Error;
    type Variant = Payload<'a, 'de>;

    /// Marked ids are looked up by name. The others are serde's own numbers: a derived type finds
    /// its variant by them even if aliases make the list of names longer.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant)> {
        let Union { slot, id, ids, variants, payload, .. } = self;
        let (variant, known) = match ids {
            None => {
                let known = usize::try_from(id).is_ok_and(|id| id < variants.len());
                if !EXACT && !known {
                    // Only `#[serde(other)]` takes it.
                    return self.unknown();
                }
                (variant_by_id(seed, id), known)
            }
            Some(ids) => match slot.reading.named(slot.bytes, ids.variant(id))? {
                Some(name) => {
                    slot.reading.named(slot.bytes, ids.check(name, variants))?;
                    (variant_by_name(seed, name), true)
                }
                // No variant has this id: only `#[serde(other)]` takes it.
                None => (other_variant(seed), false),
            },
        };
        match variant {
            Ok(variant) => Ok((variant, Payload { reader: payload, known })),
            Err(_) => self.unknown(),
        }
    }
}

/// The payload behind a union's id.
pub(super) struct Payload<'a, 'de> {
    reader: ValueReader<'a, 'de>,
    /// Whether the id is one of the type's. If not, `#[serde(other)]` has taken it.
    known: bool,
}

impl<'de> VariantAccess<'de> for Payload<'_, 'de> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unit_variant(self) -> Result<()> {
        match self.reader.bytes {
            [_, ..] if self.known => self.reader.surely(|exact| exact.finish(self.reader.bytes)),
            _ => Ok(()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let value = seed.deserialize(self.reader.level()?);
        self.reader.place_inner(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.reader.table(None, FieldCount::Exactly(len), Names::Slots, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.reader.table(None, FieldCount::AtMost(fields.len()), Names::Fields(fields), visitor)
    }
}
