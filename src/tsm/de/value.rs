//! Values of all kinds, read fast or exactly: one source for both. Knows serde's kinds, does not know which
//! of the two reads.
//!
//! All methods are inlined: if another function saw a fast reader, its offset would have to be kept in memory.

use serde_core::de::{self, Visitor};

use super::parts::parts;
use super::reading::Reading;
use super::variant::Variant;
use crate::glue::de::for_each_number;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::glue::session::UNBOUNDED;
use crate::tsm::{ErrorKind, Result, mark, wire};

/// A deserializer for the next value.
pub(super) struct Value<'a, R>(pub(super) &'a mut R);

/// Takes what stands in front of an optional value: whether it is there.
#[inline(always)]
pub(super) fn take_is_some<'de, R: Reading<'de>>(reader: &mut R) -> Result<bool, R::Error> {
    let found = i8::from_le_bytes(reader.take()?);
    match wire::is_some(found) {
        Some(is_some) => Ok(is_some),
        None => reader.exactly(|decoder| {
            decoder.invalid(ErrorKind::OptionFlag { found }, size_of_val(&found))
        }),
    }
}

/// Takes the number of an enum's variant.
#[inline(always)]
pub(super) fn take_variant<'de, R: Reading<'de>>(reader: &mut R) -> Result<u32, R::Error> {
    let index = i32::from_le_bytes(reader.take()?);
    match u32::try_from(index) {
        Ok(index) => Ok(index),
        Err(_) => reader
            .exactly(|decoder| decoder.invalid(ErrorKind::Variant { index }, size_of_val(&index))),
    }
}

macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, R::Error> {
            visitor.$visit(<$type>::from_le_bytes(self.0.take()?))
        }
    )*};
}

/// What has no fixed size, by the decoder's method for it.
macro_rules! exactly {
    ($($method:ident $by:ident,)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, R::Error> {
            self.0.exactly(|decoder| decoder.$by(visitor))
        }
    )*};
}

/// Has the exact way check names that are or resemble marks.
macro_rules! check_name {
    ($value:ident, $name:ident, $found:literal) => {
        if !mark::is_none_in($name) {
            $value.0.exactly(|decoder| decoder.check_name($name, $found))?;
        }
    };
}

impl<'de, R: Reading<'de>> de::Deserializer<'de> for Value<'_, R> {
    type Error = R::Error;

    for_each_number!(deserialize_le);

    exactly! {
        deserialize_any anything, deserialize_str text, deserialize_string text,
        deserialize_bytes bytes, deserialize_byte_buf bytes, deserialize_seq items,
        deserialize_map entries, deserialize_identifier identifier,
        deserialize_ignored_any ignored,
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, R::Error> {
        let found = u8::from_le_bytes(self.0.take()?);
        let value = match wire::to_bool(found) {
            Some(value) => value,
            None => self.0.exactly(|decoder| {
                decoder.invalid(ErrorKind::Bool { found }, size_of_val(&found))
            })?,
        };
        visitor.visit_bool(value)
    }

    #[inline(always)]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, R::Error> {
        let found = u32::from_le_bytes(self.0.take()?);
        let value = match char::from_u32(found) {
            Some(value) => value,
            None => self.0.exactly(|decoder| {
                decoder.invalid(ErrorKind::Char { found }, size_of_val(&found))
            })?,
        };
        visitor.visit_char(value)
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, R::Error> {
        match take_is_some(self.0)? {
            false => visitor.visit_none(),
            true => self.0.wrapper(|reader| visitor.visit_some(Value(reader))),
        }
    }

    #[inline(always)]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, R::Error> {
        visitor.visit_unit()
    }

    #[inline(always)]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        check_name!(self, name, "a unit struct");
        visitor.visit_unit()
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        match mark::is_none_in(name) {
            true => self.0.newtype(name, visitor),
            false => self.0.exactly(|decoder| decoder.marked(name, visitor)),
        }
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        if len == UNBOUNDED {
            return self.0.exactly(|decoder| decoder.unbounded_parts(visitor));
        }
        parts(self.0, len, Names::Indices, visitor)
    }

    #[inline(always)]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        check_name!(self, name, "a tuple struct");
        parts(self.0, len, Names::SLOTS, visitor)
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        check_name!(self, name, "a struct");
        self.0.fields(Owner::of::<V::Value>(name), fields, visitor)
    }

    #[inline(always)]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        check_name!(self, name, "an enum");
        let _ = variants;
        Variant::take(self.0)?.visit(visitor)
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        false
    }
}
