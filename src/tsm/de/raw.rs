//! Reading under the mark `raw`: bytes without a count, whose length is determined by the type.

use serde_core::de::value::UnitDeserializer;
use serde_core::de::{DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use super::document::Result;
use super::value::Value;
use crate::failed::Failed;
use crate::tsm::ErrorKind;
use crate::tsm::mark::{self, RAW_LEN};

/// A marked value. Also lets `with::RawLen` set its length, as the length of a variant: only there serde passes a
/// length from a visitor back to its caller.
pub(super) struct Raw<'a, 'de>(Value<'a, 'de>);

/// Reads what is in a newtype struct with this name, which is a mark.
#[cold]
pub(super) fn marked<'de, V: Visitor<'de>>(
    value: Value<'_, 'de>,
    name: &'static str,
    visitor: V,
) -> Result<V::Value> {
    mark::is_raw(name).map_err(|error| value.document.keep(error, value.rest.get()))?;
    let raw = Raw(value.wrapper()?);
    match name == RAW_LEN {
        true => visitor.visit_enum(raw),
        false => visitor.visit_newtype_struct(raw),
    }
}

impl Raw<'_, '_> {
    /// The value does not set its length, or the mark is on a type that it does not fit.
    #[cold]
    fn lengthless(self) -> Failed {
        self.0.document.invalid(self.0.rest.get(), ErrorKind::RawLength)
    }
}

impl<'de> Deserializer<'de> for Raw<'_, 'de> {
    type Error = Failed;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(self.lengthless())
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.0.deserialize_tuple(len, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0.is_some()? {
            false => visitor.visit_none(),
            true => visitor.visit_some(Raw(self.0.wrapper()?)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        marked(self.0, name, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple_struct map struct enum identifier ignored_any
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<'de> EnumAccess<'de> for Raw<'_, 'de> {
    type Error = Failed;
    type Variant = Self;

    #[inline]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        seed.deserialize(UnitDeserializer::<Failed>::new()).map(|length| (length, self))
    }
}

impl<'de> VariantAccess<'de> for Raw<'_, 'de> {
    type Error = Failed;

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(self.0.take_slice(len)?)
    }

    fn unit_variant(self) -> Result<()> {
        Err(self.lengthless())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value> {
        Err(self.lengthless())
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value> {
        Err(self.lengthless())
    }
}
