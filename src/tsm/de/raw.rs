//! Reading under the mark `raw`: bytes without a count. Knows lengths that types tell, no others.

use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::decoder::Decoder;
use super::reading::Reading;
use super::value::{Value, take_is_some};
use crate::tsm::{Error, ErrorKind, Result, mark};

/// A deserializer for what is marked.
pub(super) struct Raw<'a, 'de> {
    pub(super) decoder: &'a mut Decoder<'de>,
}

/// What does not tell its length, or what the mark does not fit at all.
macro_rules! lengthless {
    ($($method:ident($($arg:ty),*))*) => {$(
        #[cold]
        fn $method<V: Visitor<'de>>(self, $(_: $arg,)* _: V) -> Result<V::Value> {
            Err(self.decoder.lengthless())
        }
    )*};
}

impl Decoder<'_> {
    #[cold]
    fn lengthless(&mut self) -> Error {
        self.refused(Error::placeless(ErrorKind::RawLength))
    }
}

impl<'de> de::Deserializer<'de> for Raw<'_, 'de> {
    type Error = Error;

    lengthless! {
        deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16()
        deserialize_i32() deserialize_i64() deserialize_i128() deserialize_u8()
        deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_char() deserialize_str()
        deserialize_string() deserialize_bytes() deserialize_byte_buf()
        deserialize_unit() deserialize_seq() deserialize_map()
        deserialize_identifier() deserialize_ignored_any()
        deserialize_unit_struct(&'static str)
        deserialize_tuple_struct(&'static str, usize)
        deserialize_struct(&'static str, &'static [&'static str])
        deserialize_enum(&'static str, &'static [&'static str])
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        Value(self.decoder).deserialize_tuple(len, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match take_is_some(self.decoder)? {
            false => visitor.visit_none(),
            true => self.decoder.wrapper(|decoder| visitor.visit_some(Raw { decoder })),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        mark::is_raw(name).map_err(|error| self.decoder.refused(error))?;
        self.decoder.wrapper(|decoder| match name == mark::RAW_LEN {
            true => visitor.visit_enum(LenTold { decoder }),
            false => visitor.visit_newtype_struct(Raw { decoder }),
        })
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Lets `with::RawLen` say how many bytes it wants, as the length of a variant: only there serde hands a
/// length from a visitor back to its caller.
pub(super) struct LenTold<'a, 'de> {
    pub(super) decoder: &'a mut Decoder<'de>,
}

impl<'de> de::EnumAccess<'de> for LenTold<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    #[inline]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        let told = seed.deserialize(().into_deserializer());
        Ok((self.decoder.note_failure(told)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for LenTold<'_, 'de> {
    type Error = Error;

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let bytes = self.decoder.reader.take(len);
        visitor.visit_borrowed_bytes(self.decoder.note_failure(bytes)?)
    }

    fn unit_variant(self) -> Result<()> {
        Err(self.decoder.lengthless())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value> {
        Err(self.decoder.lengthless())
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value> {
        Err(self.decoder.lengthless())
    }
}
