//! The fast way for items with text and sequences in them: a serializer into a slice of the buffer. Knows
//! bytes, does not know the document. It bails on what does not fit and on what could be refused.

mod parts;

use core::marker::PhantomData;

use serde_core::ser::{self, Serialize};

use self::parts::{Entries, Parts};
use super::fixed;
use crate::fast::Bail;
use crate::fast::buffer::SMALL_VALUE;
use crate::fast::packed64::{self, Packed64};
use crate::fast::scalar::Scalar;
use crate::fast::slice::{self, Left, MaxTypeDepth, TypeDepth, exact_length};
use crate::tsm::{mark, wire};

/// How deep values may be nested, with the values of fixed size in them.
pub(super) const MAX_DEPTH: u16 = slice::MAX_LEVELS + fixed::MAX_DEPTH;

/// Writes a value.
pub(super) struct SliceWriter<'a, L> {
    bytes: &'a mut [u8],
    levels: PhantomData<L>,
}

impl<'a> SliceWriter<'a, MaxTypeDepth> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(bytes: &'a mut [u8]) -> Self {
        SliceWriter::of(bytes)
    }
}

impl<'a, L: TypeDepth> SliceWriter<'a, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(bytes: &'a mut [u8]) -> Self {
        SliceWriter { bytes, levels: PhantomData }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<const N: usize>(self, bytes: [u8; N]) -> Left<'a> {
        slice::put(self.bytes, bytes)
    }

    /// One level further in.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self) -> Result<SliceWriter<'a, L::Inside>, Bail> {
        match L::NONE {
            true => Err(Bail),
            false => Ok(SliceWriter::of(self.bytes)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_variant(self, name: &'static str, index: u32) -> Result<Self, Bail> {
        match mark::is_none_in(name) {
            false => Err(Bail),
            true => self.put(wire::variant_bytes(index).map_err(|_| Bail)?).map(SliceWriter::of),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_count(self, count: usize) -> Left<'a> {
        self.put(wire::count_bytes(count).map_err(|_| Bail)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts(self, name: &'static str, len: usize) -> Result<Parts<'a, L>, Bail> {
        match mark::is_none_in(name) {
            false => Err(Bail),
            true => Ok(Parts::new(self.bytes, len)),
        }
    }

    /// Writes a part of a value. One that owns no memory most likely has a fixed size: then one check does
    /// for all its numbers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_part<T: ?Sized + Serialize>(self, value: &T) -> Left<'a> {
        if let Ok(word) = packed64::of::<PackRules, T>(value) {
            return word.put(self.bytes);
        }
        if !core::mem::needs_drop::<T>() && size_of_val(value) <= SMALL_VALUE {
            let chunk = self.bytes.first_chunk_mut().ok_or(Bail)?;
            if let Some(size) = fixed::write(chunk, value) {
                return self.bytes.get_mut(size..).ok_or(Bail);
            }
        }
        value.serialize(self.inside()?)
    }
}

/// How tsm writes small values.
struct PackRules;

impl packed64::PackRules for PackRules {
    const NONE: Packed64 = Packed64::of_byte(wire::NONE.to_le_bytes()[0]);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn some(value: Packed64) -> Result<Packed64, Bail> {
        let [some] = wire::SOME.to_le_bytes();
        value.behind(some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unit_variant(name: &'static str, index: u32) -> Result<Packed64, Bail> {
        match mark::is_none_in(name) {
            false => Err(Bail),
            true => Packed64::new(wire::variant_bytes(index).map_err(|_| Bail)?),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_plain(name: &'static str) -> bool {
        mark::is_none_in(name)
    }
}

macro_rules! scalars {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Left<'a> {
            self.put(value.to_le_bytes())
        }
    )*};
}

impl<'a, L: TypeDepth> ser::Serializer for SliceWriter<'a, L> {
    type Ok = &'a mut [u8];
    type Error = Bail;
    type SerializeSeq = ser::Impossible<&'a mut [u8], Bail>;
    type SerializeTuple = Parts<'a, L>;
    type SerializeTupleStruct = Parts<'a, L>;
    type SerializeTupleVariant = Parts<'a, L>;
    type SerializeMap = Entries<'a, L>;
    type SerializeStruct = Parts<'a, L>;
    type SerializeStructVariant = Parts<'a, L>;

    scalars! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128, serialize_f32 f32, serialize_f64 f64,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Left<'a> {
        self.serialize_u8(u8::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Left<'a> {
        self.serialize_u32(u32::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Left<'a> {
        self.serialize_bytes(value.as_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Left<'a> {
        let count = wire::count_bytes(value.len()).map_err(|_| Bail)?;
        slice::put_counted(self.bytes, count, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Left<'a> {
        self.serialize_i8(wire::NONE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Left<'a> {
        let left = self.put(wire::SOME.to_le_bytes())?;
        value.serialize(SliceWriter::<L>::of(left).inside()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Left<'a> {
        Ok(self.bytes)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Left<'a> {
        self.parts(name, 0)?.finish()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(self, name: &'static str, index: u32, _: &'static str) -> Left<'a> {
        self.put_variant(name, index).map(|bytes| bytes.bytes)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Left<'a> {
        match mark::is_none_in(name) {
            false => Err(Bail),
            true => value.serialize(self.inside()?),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Left<'a> {
        value.serialize(self.put_variant(name, index)?.inside()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I>(self, items: I) -> Left<'a>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let mut items = items.into_iter();
        let count = exact_length(&items).ok_or(Bail)?;
        let left = self.put_count(count)?;
        match items.next() {
            None if count == 0 => Ok(left),
            None => Err(Bail),
            Some(first) => SliceWriter::<L>::of(left).put_items(&first, items, count),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Parts<'a, L>, Bail> {
        self.parts("", len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Parts<'a, L>, Bail> {
        self.parts(name, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        len: usize,
    ) -> Result<Parts<'a, L>, Bail> {
        self.put_variant(name, index)?.parts(name, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'a, L>, Bail> {
        let len = len.ok_or(Bail)?;
        self.put_count(len).map(|left| Entries::new(left, len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Parts<'a, L>, Bail> {
        self.parts(name, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        len: usize,
    ) -> Result<Parts<'a, L>, Bail> {
        self.put_variant(name, index)?.parts(name, len)
    }

    /// Not formatted here, since a value might print its text only once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Left<'a> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<'a, L: TypeDepth> SliceWriter<'a, L> {
    /// Writes the `count` items of a sequence. Bails on items without bytes, which the exact way counts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_items<T: Serialize>(
        self,
        first: &T,
        mut rest: impl Iterator<Item = T>,
        count: usize,
    ) -> Left<'a> {
        if count == 0 {
            return Err(Bail);
        }
        let bytes = self.bytes;
        if first.serialize(Scalar::<1>).is_ok() {
            return slice::put_scalars::<1, T>(bytes, first, rest, count);
        }
        if first.serialize(Scalar::<2>).is_ok() {
            return slice::put_scalars::<2, T>(bytes, first, rest, count);
        }
        if first.serialize(Scalar::<4>).is_ok() {
            return slice::put_scalars::<4, T>(bytes, first, rest, count);
        }
        if first.serialize(Scalar::<8>).is_ok() {
            return slice::put_scalars::<8, T>(bytes, first, rest, count);
        }
        let chunk = bytes.first_chunk_mut().ok_or(Bail)?;
        if let Some(size) = fixed::write(chunk, first) {
            return put_fixed_items(bytes.get_mut(size..).ok_or(Bail)?, size, rest, count);
        }
        let bytes = put_item::<T, L>(bytes, first)?;
        let mut left = count;
        let bytes = rest.try_fold(bytes, |bytes, item| {
            left = left.checked_sub(1).ok_or(Bail)?;
            put_item::<T, L>(bytes, &item)
        })?;
        match left {
            1 => Ok(bytes),
            _ => Err(Bail),
        }
    }
}

/// Writes an item of a sequence.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_item<'a, T: Serialize, L: TypeDepth>(bytes: &'a mut [u8], item: &T) -> Left<'a> {
    let size = bytes.len();
    let left = item.serialize(SliceWriter::<L>::of(bytes).inside()?)?;
    match left.len() < size {
        true => Ok(left),
        false => Err(Bail),
    }
}

/// Writes what follows the first of `count` items of fixed size; the first has `size` bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_fixed_items<'a, T: Serialize>(
    bytes: &'a mut [u8],
    size: usize,
    mut rest: impl Iterator<Item = T>,
    count: usize,
) -> Left<'a> {
    if size == 0 {
        return Err(Bail);
    }
    let mut bytes = bytes;
    for _ in 1..count {
        let Some(item) = rest.next() else { return Err(Bail) };
        let chunk = bytes.first_chunk_mut().ok_or(Bail)?;
        match fixed::write(chunk, &item) {
            Some(size) if size > 0 => bytes = bytes.get_mut(size..).ok_or(Bail)?,
            _ => return Err(Bail),
        }
    }
    match rest.next() {
        None => Ok(bytes),
        Some(_) => Err(Bail),
    }
}
