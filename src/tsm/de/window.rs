//! Reading one small value that owns nothing: most likely a number, or a struct, tuple or enum of them.
//!
//! Such a value is read from a copy of the reader that nothing else sees, so that compilers keep it in
//! registers; where there are bytes enough, from places that they know, with one check for all.
//! Whatever else there is, errors among it, is refused; then the decoder reads the value from its start
//! and tells what it was. So only values that can be asked for twice come here: those of a
//! `Deserialize`, not of a seed. For types that are never of this kind, all of it folds away.

use serde_core::de::{self, Deserialize, DeserializeSeed, IntoDeserializer, Visitor};

use crate::fast::{Bail, ErrorTextReads, FAST};
use crate::limits::Depth;
use crate::read::Reader;
use crate::tsm::{mark, wire};

/// How large a value may be.
const SIZE: usize = 256;

/// How deep it may be nested, newtypes included.
const HEIGHT: u16 = 8;

/// Whether a value of this type may be read so: the compiler knows.
#[inline(always)]
pub(super) const fn is_for<T>() -> bool {
    FAST && size_of::<T>() > 0 && size_of::<T>() <= SIZE && !core::mem::needs_drop::<T>()
}

/// The same, for values that are more than a number.
#[inline(always)]
pub(super) const fn is_for_more<T>() -> bool {
    is_for::<T>() && size_of::<T>() > size_of::<u64>()
}

/// Reads the value that comes next, if it can be read so; otherwise `reader` stays where it is.
#[inline(always)]
pub(super) fn read<'de, T: Deserialize<'de>>(reader: &mut Reader<'_>, depth: Depth) -> Option<T> {
    if !has_room(depth) {
        return None;
    }
    // A number alone has its one check in any case.
    if const { is_for_more::<T>() } {
        if let Some(bytes) = reader.ahead::<SIZE>() {
            let (value, Ahead { at, .. }) = read_from(Ahead { bytes, at: 0 });
            if value.is_some() {
                reader.skip(at);
            }
            return value;
        }
    }
    near_end(reader)
}

/// Whether nothing in a window can be too deep.
#[inline(always)]
pub(super) fn has_room(depth: Depth) -> bool {
    depth.has_room(HEIGHT)
}

/// Reads the value that comes next, and says how many bytes it took, if there are bytes for every value
/// of this kind. There has to be [room](has_room).
///
/// Never a reason in the place of a value: compilers would write a value's first numbers to memory one by
/// one and read them at once, for which processors wait (690 to 900 µs for 125,000 triangles).
#[inline(always)]
pub(super) fn ahead<'de, T: Deserialize<'de>>(reader: Reader<'_>) -> (Option<T>, usize) {
    match reader.ahead::<SIZE>() {
        Some(bytes) => {
            let (value, Ahead { at, .. }) = read_from(Ahead { bytes, at: 0 });
            (value, at)
        }
        None => (None, 0),
    }
}

/// Reads the value that comes next, with a check for each number. There has to be [room](has_room).
#[inline(always)]
pub(super) fn near_end<'de, T: Deserialize<'de>>(reader: &mut Reader<'_>) -> Option<T> {
    let (value, rest) = read_from(*reader);
    if value.is_some() {
        *reader = rest;
    }
    value
}

#[inline(always)]
fn read_from<'de, B: Bytes, T: Deserialize<'de>>(bytes: B) -> (Option<T>, B) {
    let mut window = Window { bytes, height: 0, refused: false };
    let reads = ErrorTextReads::snapshot();
    let value = match T::deserialize(&mut window) {
        Ok(value) if !window.refused && reads.unchanged() => Some(value),
        Ok(_) | Err(_) => None,
    };
    (value, window.bytes)
}

/// What numbers are taken from.
trait Bytes {
    fn left(&self) -> usize;

    fn take<const M: usize>(&mut self) -> Option<[u8; M]>;
}

impl Bytes for Reader<'_> {
    #[inline(always)]
    fn left(&self) -> usize {
        Reader::left(self)
    }

    #[inline(always)]
    fn take<const M: usize>(&mut self) -> Option<[u8; M]> {
        let bytes = self.ahead::<M>()?;
        self.skip(M);
        Some(*bytes)
    }
}

/// Bytes that are there.
struct Ahead<'a> {
    bytes: &'a [u8; SIZE],
    at: usize,
}

impl Bytes for Ahead<'_> {
    #[inline(always)]
    fn left(&self) -> usize {
        SIZE - self.at
    }

    #[inline(always)]
    fn take<const M: usize>(&mut self) -> Option<[u8; M]> {
        let bytes = self.bytes.get(self.at..)?.first_chunk()?;
        self.at += M;
        Some(*bytes)
    }
}

/// Everything here is small: if a function that is not inlined saw the window, its place would go to
/// memory and back.
struct Window<B> {
    bytes: B,
    height: u16,
    /// Whether a part was refused; its type may have gone on without it.
    refused: bool,
}

impl<B: Bytes> Window<B> {
    #[inline(always)]
    fn take<const M: usize>(&mut self) -> Result<[u8; M], Bail> {
        match self.bytes.take() {
            Some(bytes) => Ok(bytes),
            None => self.refuse(),
        }
    }

    /// Notes that a part is refused: its type may go on without it.
    #[inline(always)]
    fn refuse<T>(&mut self) -> Result<T, Bail> {
        self.refused = true;
        Err(Bail)
    }

    /// Enters a level or wrapper; [`leave`](Window::leave) follows.
    #[inline(always)]
    fn enter(&mut self) -> Result<(), Bail> {
        if self.height >= HEIGHT {
            return self.refuse();
        }
        self.height += 1;
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.height -= 1;
    }

    /// Reads parts, of which some types leave a number that they know.
    #[inline(always)]
    fn parts<'de, V: Visitor<'de>>(
        &mut self,
        count: usize,
        unused: Unused,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.enter()?;
        let mut parts = Parts { window: self, left: count };
        let Ok(value) = visitor.visit_seq(&mut parts) else { return self.refuse() };
        if parts.left > 0 && matches!(unused, Unused::Refused) {
            return self.refuse();
        }
        self.leave();
        Ok(value)
    }
}

/// What becomes of parts that the type leaves: serde's list of a struct's fields has the aliases in it
/// too, so the type may take fewer.
enum Unused {
    Aliases,
    Refused,
}

/// Parts of a value.
struct Parts<'w, B> {
    window: &'w mut Window<B>,
    left: usize,
}

impl<'de, B: Bytes> de::SeqAccess<'de> for &mut Parts<'_, B> {
    type Error = Bail;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Bail> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        match seed.deserialize(&mut *self.window) {
            Ok(value) => Ok(Some(value)),
            Err(_) => self.window.refuse(),
        }
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.window.bytes.left()))
    }
}

/// A variant whose number is taken.
struct Variant<'w, B> {
    window: &'w mut Window<B>,
    index: u32,
}

impl<'de, B: Bytes> de::EnumAccess<'de> for Variant<'_, B> {
    type Error = Bail;
    type Variant = Self;

    #[inline(always)]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Bail> {
        let index: de::value::U32Deserializer<Bail> = self.index.into_deserializer();
        match seed.deserialize(index) {
            Ok(variant) => Ok((variant, self)),
            Err(_) => self.window.refuse(),
        }
    }
}

impl<'de, B: Bytes> de::VariantAccess<'de> for Variant<'_, B> {
    type Error = Bail;

    #[inline(always)]
    fn unit_variant(self) -> Result<(), Bail> {
        Ok(())
    }

    #[inline(always)]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Bail> {
        self.window.enter()?;
        let Ok(value) = seed.deserialize(&mut *self.window) else { return self.window.refuse() };
        self.window.leave();
        Ok(value)
    }

    #[inline(always)]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Bail> {
        self.window.parts(len, Unused::Refused, visitor)
    }

    #[inline(always)]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.window.parts(fields.len(), Unused::Aliases, visitor)
    }
}

macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
            visitor.$visit(<$type>::from_le_bytes(self.take()?))
        }
    )*};
}

/// What is not of one size.
macro_rules! surprises {
    ($($method:ident($($arg:ty),*))*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, $(_: $arg,)* _: V) -> Result<V::Value, Bail> {
            self.refuse()
        }
    )*};
}

impl<'de, B: Bytes> de::Deserializer<'de> for &mut Window<B> {
    type Error = Bail;

    deserialize_le! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64,
    }

    surprises! {
        deserialize_any() deserialize_str() deserialize_string() deserialize_bytes()
        deserialize_byte_buf() deserialize_seq() deserialize_map()
        deserialize_identifier() deserialize_ignored_any()
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match u8::from_le_bytes(self.take()?) {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            _ => self.refuse(),
        }
    }

    #[inline(always)]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match char::from_u32(u32::from_le_bytes(self.take()?)) {
            Some(value) => visitor.visit_char(value),
            None => self.refuse(),
        }
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match i8::from_le_bytes(self.take()?) {
            wire::NONE => visitor.visit_none(),
            wire::SOME => {
                self.enter()?;
                let Ok(value) = visitor.visit_some(&mut *self) else { return self.refuse() };
                self.leave();
                Ok(value)
            }
            _ => self.refuse(),
        }
    }

    #[inline(always)]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        let index = i32::from_le_bytes(self.take()?);
        match u32::try_from(index) {
            Ok(index) if mark::is_none_in(name) => {
                let Ok(value) = visitor.visit_enum(Variant { window: &mut *self, index }) else {
                    return self.refuse();
                };
                Ok(value)
            }
            Ok(_) | Err(_) => self.refuse(),
        }
    }

    #[inline(always)]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        visitor.visit_unit()
    }

    #[inline(always)]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        match mark::is_none_in(name) {
            false => self.refuse(),
            true => visitor.visit_unit(),
        }
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        match mark::is_none_in(name) {
            false => self.refuse(),
            true => {
                self.enter()?;
                let Ok(value) = visitor.visit_newtype_struct(&mut *self) else {
                    return self.refuse();
                };
                self.leave();
                Ok(value)
            }
        }
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Bail> {
        self.parts(len, Unused::Refused, visitor)
    }

    #[inline(always)]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        match mark::is_none_in(name) {
            false => self.refuse(),
            true => self.parts(len, Unused::Refused, visitor),
        }
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        match mark::is_none_in(name) {
            false => self.refuse(),
            true => self.parts(fields.len(), Unused::Aliases, visitor),
        }
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        false
    }
}
