//! Reading one item of a sequence through a window of fixed size.
//!
//! If the first item held numbers only, in structs and tuples perhaps, the type's other items most
//! likely do too. They are read from places that the compiler knows: one check per item, not per
//! number. Whatever else happens, errors among it, is a surprise: then the whole value is read once
//! more without windows, which tells what it was.

use core::fmt;

use serde_core::de::{self, DeserializeSeed, Visitor};

use super::decoder::Decoder;
use crate::tsm::{Result, mark};

/// How large an item may be.
pub(super) const SIZE: usize = 256;

/// How deep it may be nested.
const HEIGHT: u16 = 8;

/// The bytes from an item on. Everything here is small, for the sake of [`Window::read`]: if a
/// function that is not inlined saw the window, its place would go to memory and back.
pub(super) struct Window<'de> {
    bytes: &'de [u8; SIZE],
    at: usize,
    height: u16,
    /// Whether a part was refused; its type may have gone on without it.
    refused: bool,
}

/// Something that a window does not know.
#[derive(Debug)]
pub(super) struct Surprise;

impl<'de> Window<'de> {
    /// Reads an item of `size` bytes. Gives the seed back where there is no room for a window.
    #[inline(always)]
    pub(super) fn read<T: DeserializeSeed<'de>>(
        decoder: &mut Decoder<'de>,
        size: usize,
        seed: T,
    ) -> Result<Result<T::Value, Surprise>, T> {
        let Some(bytes) = decoder.reader.ahead::<SIZE>() else {
            return Err(seed);
        };
        if !decoder.depth.has_room(HEIGHT) {
            return Err(seed);
        }
        let mut window = Window { bytes, at: 0, height: 0, refused: false };
        let item = seed.deserialize(&mut window);
        if window.refused || window.at != size {
            return Ok(Err(Surprise));
        }
        decoder.reader.skip(window.at);
        Ok(item)
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Surprise> {
        let bytes = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk::<N>);
        self.at += N;
        match bytes {
            Some(bytes) => Ok(*bytes),
            None => self.refuse(),
        }
    }

    /// Notes that a part is refused: its type may go on without it.
    #[inline(always)]
    fn refuse<T>(&mut self) -> Result<T, Surprise> {
        self.refused = true;
        Err(Surprise)
    }

    #[inline(always)]
    fn parts<V: Visitor<'de>>(&mut self, left: usize, visitor: V) -> Result<V::Value, Surprise> {
        self.height += 1;
        if self.height > HEIGHT {
            return self.refuse();
        }
        let mut parts = Parts { window: self, left };
        let value = visitor.visit_seq(&mut parts)?;
        self.height -= 1;
        Ok(value)
    }
}

/// Parts of an item.
struct Parts<'a, 'de> {
    window: &'a mut Window<'de>,
    left: usize,
}

impl<'de> de::SeqAccess<'de> for &mut Parts<'_, 'de> {
    type Error = Surprise;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Surprise> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        match seed.deserialize(&mut *self.window) {
            Ok(value) => Ok(Some(value)),
            Err(surprise) => {
                self.window.refused = true;
                Err(surprise)
            }
        }
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Surprise> {
            visitor.$visit(<$type>::from_le_bytes(self.take()?))
        }
    )*};
}

/// What is not of one size.
macro_rules! surprises {
    ($($method:ident($($arg:ty),*))*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, $(_: $arg,)* _: V) -> Result<V::Value, Surprise> {
            self.refuse()
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Window<'de> {
    type Error = Surprise;

    deserialize_le! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64,
    }

    surprises! {
        deserialize_any() deserialize_str() deserialize_string() deserialize_bytes()
        deserialize_byte_buf() deserialize_option() deserialize_seq() deserialize_map()
        deserialize_identifier() deserialize_ignored_any()
        deserialize_enum(&'static str, &'static [&'static str])
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Surprise> {
        match u8::from_le_bytes(self.take()?) {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            _ => self.refuse(),
        }
    }

    #[inline(always)]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Surprise> {
        match char::from_u32(u32::from_le_bytes(self.take()?)) {
            Some(value) => visitor.visit_char(value),
            None => self.refuse(),
        }
    }

    #[inline(always)]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Surprise> {
        visitor.visit_unit()
    }

    #[inline(always)]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Surprise> {
        match mark::is_raw(name) {
            true => self.refuse(),
            false => visitor.visit_unit(),
        }
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Surprise> {
        match mark::is_raw(name) {
            true => self.refuse(),
            false => visitor.visit_newtype_struct(self),
        }
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Surprise> {
        self.parts(len, visitor)
    }

    #[inline(always)]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Surprise> {
        match mark::is_raw(name) {
            true => self.refuse(),
            false => self.parts(len, visitor),
        }
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Surprise> {
        match mark::is_raw(name) {
            true => self.refuse(),
            false => self.parts(fields.len(), visitor),
        }
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        false
    }
}

impl fmt::Display for Surprise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not for a window")
    }
}

impl core::error::Error for Surprise {}

impl de::Error for Surprise {
    #[cold]
    fn custom<T: fmt::Display>(_: T) -> Self {
        Surprise
    }
}
