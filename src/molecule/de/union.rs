//! Unions: which variant an id selects, and its payload.
//!
//! What is called for every value is always inlined, for the reasons in [`value`](super::value).

use serde_core::de::value::{StrDeserializer, U32Deserializer};
use serde_core::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

use super::document::{Context, Result};
use super::layout::FieldCount;
use super::value::{Rule, Value};
use crate::failed::Failed;
use crate::glue::names::Names;
use crate::molecule::mark::{self, UnionIds};

/// A union: the id and its payload.
pub(super) struct Union<'de, C> {
    /// The whole union.
    pub(super) slot: Value<'de, C>,
    pub(super) id: u32,
    /// The name of the enum, and the ids in it.
    pub(super) name: &'static str,
    pub(super) ids: Option<UnionIds>,
    /// The variants that serde lists.
    pub(super) variants: &'static [&'static str],
    pub(super) payload: Value<'de, C>,
}

impl<'de, C: Context<'de>> EnumAccess<'de> for Union<'de, C> {
    type Error = Failed;
    type Variant = Payload<'de, C>;

    /// Marked ids are looked up by name. The others are serde's own numbers: a derived type finds its variant by them
    /// even if aliases make the list of names longer.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant)> {
        let Union { slot: Value { context, bytes, .. }, id, name, ids, variants, payload } = self;
        let (variant, known) = match ids {
            None => {
                let known = usize::try_from(id).is_ok_and(|id| id < variants.len());
                (seed.deserialize(U32Deserializer::<Failed>::new(id)), known)
            }
            Some(ids) => match named_variant(ids, id, variants) {
                Ok(Some(name)) => (seed.deserialize(StrDeserializer::<Failed>::new(name)), true),
                // No variant has the highest number: only `#[serde(other)]` takes it.
                Ok(None) => (seed.deserialize(U32Deserializer::<Failed>::new(u32::MAX)), false),
                Err(error) => {
                    return Err(context.explain()?.fail(bytes, error));
                }
            },
        };
        match variant {
            Ok(variant) => Ok((variant, Payload { value: payload, known })),
            Err(Failed) => {
                Err(context.explain()?.unknown_id(bytes, id, name, variants, ids.is_some()))
            }
        }
    }
}

/// The name of the variant with this id, which has to be one of `variants`. `None` if no variant has the id.
fn named_variant(
    ids: UnionIds,
    id: u32,
    variants: &'static [&'static str],
) -> mark::Result<Option<&'static str>> {
    match ids.variant(id)? {
        Some(name) => ids.check(name, variants).map(|()| Some(name)),
        None => Ok(None),
    }
}

/// The payload after a union's id.
pub(super) struct Payload<'de, C> {
    value: Value<'de, C>,
    /// Whether the id is one of the type's. If not, `#[serde(other)]` has taken it.
    known: bool,
}

impl<'de, C: Context<'de>> VariantAccess<'de> for Payload<'de, C> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unit_variant(self) -> Result<()> {
        let Value { context, bytes, rule, .. } = self.value;
        match bytes {
            [_, ..] if self.known && rule != Rule::AllowTrailing => {
                Err(context.explain()?.trailing(bytes))
            }
            _ => Ok(()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let Value { context, bytes, .. } = self.value;
        match seed.deserialize(self.value.level()?) {
            Ok(content) => Ok(content),
            Err(Failed) => {
                let document = context.explain()?;
                Err(document.keep(document.located(bytes)))
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.value.table(None, FieldCount::Exactly(len), Names::SLOTS, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.value.table(None, FieldCount::AtMost(fields.len()), Names::Fields(fields), visitor)
    }
}
