//! Unions, as the exact reader takes them: which variant an id selects, and its payload. Does not know
//! how values are read.

use super::access::{FieldCount, Names};
use super::hint;
use super::value::ValueReader;
use crate::error::Fault;
use crate::glue::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};
use crate::glue::value::Always;
use crate::molecule::mark::UnionIds;
use crate::molecule::{Error, ErrorKind, Result};

/// A union: the id and its payload.
pub(super) struct Union<'a, 'de> {
    pub(super) id: u32,
    pub(super) id_offset: usize,
    pub(super) ids: Option<UnionIds>,
    /// The variants that serde lists.
    pub(super) variants: &'static [&'static str],
    pub(super) payload: ValueReader<'a, 'de>,
}

impl<'a, 'de> EnumAccess<'de> for Union<'a, 'de> {
    type Error = Error;
    type Variant = Payload<'a, 'de>;

    /// Marked ids are looked up by name. The others are serde's own numbers: a derived type finds
    /// its variant by them even if aliases make the list of names longer.
    fn variant_seed<T: DeserializeSeed<'de, Error>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant)> {
        let Union { id, id_offset, ids, variants, payload } = self;
        let is_marked = ids.is_some();
        let (variant, known) = match ids {
            None => {
                let known = usize::try_from(id).is_ok_and(|id| id < variants.len());
                (seed.deserialize(Always::new(id)), known)
            }
            Some(ids) => match ids.variant(id).map_err(|error| error.or_offset(id_offset))? {
                Some(name) => {
                    ids.check(name, variants).map_err(|error| error.or_offset(id_offset))?;
                    (seed.deserialize(Always::new(name)), true)
                }
                // No variant has this id: only `#[serde(other)]` takes it.
                None => (seed.deserialize(Always::new(u64::MAX)), false),
            },
        };
        match variant {
            Ok(variant) => Ok((variant, Payload { reader: payload, known })),
            Err::<_, Error>(_) => {
                let hint = hint::of_union(id, payload.bytes.len(), is_marked);
                Err(Error::at(ErrorKind::UnknownId { id }, id_offset).or_hint(hint))
            }
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

    fn unit_variant(self) -> Result<()> {
        match self.reader.bytes.len() {
            count if count > 0 && self.known && !self.reader.trailing => {
                Err(Error::at(Fault::TrailingBytes { count }, self.reader.base))
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de, Error>>(self, seed: T) -> Result<T::Value> {
        let ValueReader { state, bytes, base, trailing, .. } = self.reader;
        state.level(base, |state| {
            seed.deserialize(ValueReader::new(state, bytes, base).allowing(trailing))
                .map_err(|error| error.or_offset(base))
        })
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de, Error>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.reader.table(FieldCount::Exactly(len), Names::Slots, visitor)
    }

    #[inline]
    fn struct_variant<V: Visitor<'de, Error>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.reader.table(FieldCount::AtMost(fields.len()), Names::Fields(fields), visitor)
    }
}
