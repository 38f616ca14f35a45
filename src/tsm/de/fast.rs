//! The fast way: reads one small value that owns no memory, such as a number, or a struct, tuple or enum of
//! numbers. Knows sizes, does not know the document.
//!
//! The value is read from a copy of the reader that no other function sees, so compilers keep it in
//! registers. If there are enough bytes, one check does for all numbers, which are then read at offsets
//! that the compiler knows. On everything else this bails, and the decoder reads the value from its start.
//! So a value is asked for twice: only a `Deserialize` can be, not a seed. For types that own memory, all
//! of this is removed at compile time.

use serde_core::de::{self, Deserialize, DeserializeSeed, IntoDeserializer, Visitor};

use crate::fast::{Bail, ErrorTextReads, FAST};
use crate::limits::Depth;
use crate::read::Reader;
use crate::tsm::{mark, wire};

/// How large a value may be.
const MAX_SIZE: usize = 256;

/// How deep it may be nested, newtypes included.
const MAX_DEPTH: u16 = 8;

/// Whether values of this type are tried. Known at compile time.
#[inline(always)]
pub(super) const fn is_for<T>() -> bool {
    FAST && size_of::<T>() > 0 && size_of::<T>() <= MAX_SIZE && !core::mem::needs_drop::<T>()
}

/// The same for values that are more than a number.
#[inline(always)]
pub(super) const fn is_for_more<T>() -> bool {
    is_for::<T>() && size_of::<T>() > size_of::<u64>()
}

/// Reads the next value. If this bails, `reader` stays where it is.
#[inline(always)]
pub(super) fn read<'de, T: Deserialize<'de>>(reader: &mut Reader<'_>, depth: Depth) -> Option<T> {
    if !has_depth(depth) {
        return None;
    }
    // A single number has one check in any case.
    if const { is_for_more::<T>() } {
        if let Some(bytes) = reader.ahead::<MAX_SIZE>() {
            let (value, Chunk { at, .. }) = read_from(Chunk { bytes, at: 0 });
            if value.is_some() {
                reader.skip(at);
            }
            return value;
        }
    }
    read_checked(reader)
}

/// Whether no value that is read fast can be too deep.
#[inline(always)]
pub(super) fn has_depth(depth: Depth) -> bool {
    depth.has_room(MAX_DEPTH)
}

/// Reads the next value, and returns how many bytes it took. Bails near the end of the input. The
/// [depth](has_depth) has to be checked.
///
/// Returns an `Option`, never a `Result` with a reason: with that, compilers would write the first numbers of
/// the value to memory and load them together, and the load would wait for the writes.
#[inline(always)]
pub(super) fn read_ahead<'de, T: Deserialize<'de>>(reader: Reader<'_>) -> (Option<T>, usize) {
    match reader.ahead::<MAX_SIZE>() {
        Some(bytes) => {
            let (value, Chunk { at, .. }) = read_from(Chunk { bytes, at: 0 });
            (value, at)
        }
        None => (None, 0),
    }
}

/// Reads the next value, with a check for each number. The [depth](has_depth) has to be checked.
#[inline(always)]
pub(super) fn read_checked<'de, T: Deserialize<'de>>(reader: &mut Reader<'_>) -> Option<T> {
    let (value, rest) = read_from(*reader);
    if value.is_some() {
        *reader = rest;
    }
    value
}

#[inline(always)]
fn read_from<'de, B: Source, T: Deserialize<'de>>(bytes: B) -> (Option<T>, B) {
    let mut reader = FastReader { bytes, depth: 0, bailed: false };
    let reads = ErrorTextReads::snapshot();
    let value = match T::deserialize(&mut reader) {
        Ok(value) if !reader.bailed && reads.unchanged() => Some(value),
        Ok(_) | Err(_) => None,
    };
    (value, reader.bytes)
}

/// What numbers are taken from.
trait Source {
    fn left(&self) -> usize;

    fn take<const M: usize>(&mut self) -> Option<[u8; M]>;
}

impl Source for Reader<'_> {
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

/// Bytes of which so many are there.
struct Chunk<'a> {
    bytes: &'a [u8; MAX_SIZE],
    at: usize,
}

impl Source for Chunk<'_> {
    #[inline(always)]
    fn left(&self) -> usize {
        MAX_SIZE - self.at
    }

    #[inline(always)]
    fn take<const M: usize>(&mut self) -> Option<[u8; M]> {
        let bytes = self.bytes.get(self.at..)?.first_chunk()?;
        self.at += M;
        Some(*bytes)
    }
}

/// All methods are small and inlined: if another function saw the reader, its offset would have to be kept
/// in memory.
struct FastReader<B> {
    bytes: B,
    depth: u16,
    /// Whether a part bailed; its type may have gone on without it.
    bailed: bool,
}

impl<B: Source> FastReader<B> {
    #[inline(always)]
    fn take<const M: usize>(&mut self) -> Result<[u8; M], Bail> {
        match self.bytes.take() {
            Some(bytes) => Ok(bytes),
            None => self.bail(),
        }
    }

    /// Bails, and notes it, since the type of the part may go on without it.
    #[inline(always)]
    fn bail<T>(&mut self) -> Result<T, Bail> {
        self.bailed = true;
        Err(Bail)
    }

    /// Enters a level or wrapper; [`leave`](FastReader::leave) follows.
    #[inline(always)]
    fn enter(&mut self) -> Result<(), Bail> {
        if self.depth >= MAX_DEPTH {
            return self.bail();
        }
        self.depth += 1;
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Reads parts. Some types leave parts at the end.
    #[inline(always)]
    fn parts<'de, V: Visitor<'de>>(
        &mut self,
        count: usize,
        unused: Unused,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.enter()?;
        let mut parts = Parts { reader: self, left: count };
        let Ok(value) = visitor.visit_seq(&mut parts) else { return self.bail() };
        if parts.left > 0 && matches!(unused, Unused::Bail) {
            return self.bail();
        }
        self.leave();
        Ok(value)
    }
}

/// What parts are that a type leaves. serde's list of a struct's fields contains aliases, too, so the type
/// may take fewer.
enum Unused {
    Aliases,
    Bail,
}

/// Parts of a value.
struct Parts<'w, B> {
    reader: &'w mut FastReader<B>,
    left: usize,
}

impl<'de, B: Source> de::SeqAccess<'de> for &mut Parts<'_, B> {
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
        match seed.deserialize(&mut *self.reader) {
            Ok(value) => Ok(Some(value)),
            Err(_) => self.reader.bail(),
        }
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.reader.bytes.left()))
    }
}

/// A variant whose number is taken.
struct Variant<'w, B> {
    reader: &'w mut FastReader<B>,
    index: u32,
}

impl<'de, B: Source> de::EnumAccess<'de> for Variant<'_, B> {
    type Error = Bail;
    type Variant = Self;

    #[inline(always)]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Bail> {
        let index: de::value::U32Deserializer<Bail> = self.index.into_deserializer();
        match seed.deserialize(index) {
            Ok(variant) => Ok((variant, self)),
            Err(_) => self.reader.bail(),
        }
    }
}

impl<'de, B: Source> de::VariantAccess<'de> for Variant<'_, B> {
    type Error = Bail;

    #[inline(always)]
    fn unit_variant(self) -> Result<(), Bail> {
        Ok(())
    }

    #[inline(always)]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Bail> {
        self.reader.enter()?;
        let Ok(value) = seed.deserialize(&mut *self.reader) else { return self.reader.bail() };
        self.reader.leave();
        Ok(value)
    }

    #[inline(always)]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Bail> {
        self.reader.parts(len, Unused::Bail, visitor)
    }

    #[inline(always)]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Bail> {
        self.reader.parts(fields.len(), Unused::Aliases, visitor)
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

/// What has no fixed size.
macro_rules! bail {
    ($($method:ident($($arg:ty),*))*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, $(_: $arg,)* _: V) -> Result<V::Value, Bail> {
            self.bail()
        }
    )*};
}

impl<'de, B: Source> de::Deserializer<'de> for &mut FastReader<B> {
    type Error = Bail;

    deserialize_le! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64,
    }

    bail! {
        deserialize_any() deserialize_str() deserialize_string() deserialize_bytes()
        deserialize_byte_buf() deserialize_seq() deserialize_map()
        deserialize_identifier() deserialize_ignored_any()
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match u8::from_le_bytes(self.take()?) {
            0 => visitor.visit_bool(false),
            1 => visitor.visit_bool(true),
            _ => self.bail(),
        }
    }

    #[inline(always)]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match char::from_u32(u32::from_le_bytes(self.take()?)) {
            Some(value) => visitor.visit_char(value),
            None => self.bail(),
        }
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Bail> {
        match i8::from_le_bytes(self.take()?) {
            wire::NONE => visitor.visit_none(),
            wire::SOME => {
                self.enter()?;
                let Ok(value) = visitor.visit_some(&mut *self) else { return self.bail() };
                self.leave();
                Ok(value)
            }
            _ => self.bail(),
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
                let Ok(value) = visitor.visit_enum(Variant { reader: &mut *self, index }) else {
                    return self.bail();
                };
                Ok(value)
            }
            Ok(_) | Err(_) => self.bail(),
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
            false => self.bail(),
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
            false => self.bail(),
            true => {
                self.enter()?;
                let Ok(value) = visitor.visit_newtype_struct(&mut *self) else {
                    return self.bail();
                };
                self.leave();
                Ok(value)
            }
        }
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Bail> {
        self.parts(len, Unused::Bail, visitor)
    }

    #[inline(always)]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Bail> {
        match mark::is_none_in(name) {
            false => self.bail(),
            true => self.parts(len, Unused::Bail, visitor),
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
            false => self.bail(),
            true => self.parts(fields.len(), Unused::Aliases, visitor),
        }
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        false
    }
}
