//! A serializer into a slice of the buffer, with tags in front. Knows bytes, does not know the document:
//! it bails on marks, on all that could be refused, and on what does not fit.
//!
//! It holds the rest of the slice by value. So compilers know its length where everything before has a
//! fixed size, and keep it in registers where not.

mod parts;

use core::fmt;

use serde_core::ser::{self, Serialize};

pub(super) use self::parts::put_item;
use self::parts::{Fields, Items, Parts};
use super::scalar::{MOST_AROUND, PackedScalar, ScalarPacker};
use super::vint;
use crate::biniou::mark::Mark;
use crate::biniou::value::VALUE;
use crate::biniou::wire::{self, Tag};
use crate::fast::Bail;
use crate::fast::buffer::{SHORT, put_short};
use crate::fast::scalar::bail;
use crate::fast::slice::exact_length;
use crate::glue::mark::EXTENSION;

/// How large the slice for a value is.
pub(super) const SLICE_SIZE: usize = 512;

/// For each level of nesting, newtypes included, the slice is shortened by so many bytes. A separate
/// count of levels would not fit the registers that pass arguments.
const LEVEL_COST: usize = 16;

/// How deep values in a slice nest at most. Above, a variant and its parts count as one level, and what
/// is around a scalar does not count.
pub(super) const MAX_DEPTH: u16 = 2 * 32 + MOST_AROUND;

const _: () = assert!(SLICE_SIZE / LEVEL_COST == 32);

/// Writes a value into the rest of a slice, and returns how much is left.
pub(super) struct SliceWriter<'a>(&'a mut [u8]);

impl<'a> SliceWriter<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(rest: &'a mut [u8]) -> Self {
        SliceWriter(rest)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<const N: usize>(self, bytes: [u8; N]) -> Result<Self, Bail> {
        match self.0.split_first_chunk_mut() {
            Some((place, rest)) => {
                *place = bytes;
                Ok(SliceWriter(rest))
            }
            None => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn done<const N: usize>(self, bytes: [u8; N]) -> Result<usize, Bail> {
        Ok(self.put(bytes)?.0.len())
    }

    /// Writes a packed scalar.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_packed(self, packed: Result<PackedScalar, Bail>) -> Result<usize, Bail> {
        let left = self.0.len();
        let (PackedScalar { tag, body, size }, Some(place)) =
            (packed?, self.0.first_chunk_mut::<16>())
        else {
            return Err(Bail);
        };
        let [first, ..] = place;
        *first = tag.byte();
        put_at(place, 1, body);
        Ok(left - 1 - size)
    }

    /// Writes a vint that may have more than eight bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn long_vint(self, tag: Tag, number: u64) -> Result<usize, Bail> {
        let slice = self.put([tag.byte()])?.0;
        let (bytes, size) = vint::spread_long_uvint(number);
        let left = slice.len();
        *slice.first_chunk_mut().ok_or(Bail)? = bytes;
        Ok(left - size)
    }

    /// Writes a tag and the length behind it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn length(self, tag: Tag, length: usize) -> Result<Self, Bail> {
        match u8::try_from(length) {
            Ok(byte @ 0..0x80) => self.put([tag.byte(), byte]),
            _ => match u16::try_from(length) {
                Ok(word @ 0x80..0x4000) => {
                    let [low, _] = word.to_le_bytes();
                    let [high, _] = (word >> 7).to_le_bytes();
                    self.put([tag.byte(), low | 0x80, high])
                }
                _ => Err(Bail),
            },
        }
    }

    /// One level further in.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self) -> Result<Self, Bail> {
        let kept = self.0.len().checked_sub(LEVEL_COST).and_then(|kept| self.0.get_mut(..kept));
        kept.map(SliceWriter).ok_or(Bail)
    }

    /// The hashed name of a variant.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant(self, name: &'static str, variant: &str, argument: u32) -> Result<Self, Bail> {
        if name == VALUE || !Mark::is_none_in(name) {
            return Err(Bail);
        }
        let [a, b, c, d] = (wire::hash(variant) | argument).to_be_bytes();
        self.put([Tag::Variant.byte(), a, b, c, d])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tuple(self, len: usize) -> Result<Parts<'a>, Bail> {
        Ok(Parts::new(self.inside()?.length(Tag::Tuple, len)?, len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn record(self, len: usize) -> Result<Fields<'a>, Bail> {
        Ok(Fields::new(self.inside()?.length(Tag::Record, len)?, len))
    }
}

/// Writes eight bytes, the first one lowest.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_at(place: &mut [u8; 16], at: usize, body: u64) {
    if let Some(place) = place.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = body.to_le_bytes();
    }
}

/// Values that are scalars.
macro_rules! scalars {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<usize, Bail> {
            self.put_packed(ScalarPacker::NEW.$method(value))
        }
    )*};
}

impl<'a> ser::Serializer for SliceWriter<'a> {
    type Ok = usize;
    type Error = Bail;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = ser::Impossible<usize, Bail>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Fields<'a>;

    scalars! {
        serialize_bool bool,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_f32 f32, serialize_f64 f64,
    }

    bail! {
        serialize_i128(i128) -> usize;
        serialize_u128(u128) -> usize;
        serialize_map(Option<usize>) -> Self::SerializeMap;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u64(self, value: u64) -> Result<usize, Bail> {
        match ScalarPacker::NEW.serialize_u64(value) {
            Ok(packed) => self.put_packed(Ok(packed)),
            Err(_) => self.long_vint(Tag::Uvint, value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i64(self, value: i64) -> Result<usize, Bail> {
        match ScalarPacker::NEW.serialize_i64(value) {
            Ok(packed) => self.put_packed(Ok(packed)),
            Err(_) => self.long_vint(Tag::Svint, vint::zigzag64(value)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<usize, Bail> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<usize, Bail> {
        self.serialize_bytes(value.as_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<usize, Bail> {
        let slice = self.length(Tag::String, value.len())?.0;
        if value.len() <= SHORT && slice.len() >= SHORT {
            put_short(slice, value);
            return Ok(slice.len() - value.len());
        }
        match slice.split_at_mut_checked(value.len()) {
            Some((place, rest)) => {
                place.copy_from_slice(value);
                Ok(rest.len())
            }
            None => Err(Bail),
        }
    }

    /// Not formatted here, since a value might print its text only once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + fmt::Display>(self, _: &T) -> Result<usize, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<usize, Bail> {
        self.done([Tag::NumVariant.byte(), wire::NONE])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<usize, Bail> {
        let writer = self.inside()?.put([Tag::NumVariant.byte(), wire::SOME])?;
        Ok(value.serialize(writer)? + LEVEL_COST)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<usize, Bail> {
        self.done([Tag::Unit.byte(), 0])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Result<usize, Bail> {
        match Mark::is_none_in(name) {
            true => self.serialize_unit(),
            false => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<usize, Bail> {
        Ok(self.variant(name, variant, 0)?.0.len())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<usize, Bail> {
        if name == EXTENSION {
            return Err(Bail);
        }
        match Mark::of_newtype(name) {
            Ok(None) => Ok(value.serialize(self.inside()?)? + LEVEL_COST),
            Ok(Some(_)) | Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<usize, Bail> {
        let writer = self.inside()?.variant(name, variant, wire::ARGUMENT)?;
        Ok(value.serialize(writer)? + LEVEL_COST)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Items<'a>, Bail> {
        match len {
            Some(len) => Items::new(self.inside()?, len),
            None => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I>(self, items: I) -> Result<usize, Bail>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let items = items.into_iter();
        match exact_length(&items) {
            Some(count) => Items::new(self.inside()?, count)?.put_all(items),
            None => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Parts<'a>, Bail> {
        self.tuple(len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Parts<'a>, Bail> {
        match Mark::is_none_in(name) {
            true => self.tuple(len),
            false => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'a>, Bail> {
        self.variant(name, variant, wire::ARGUMENT)?.tuple(len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Fields<'a>, Bail> {
        match Mark::is_none_in(name) {
            true => self.record(len),
            false => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Fields<'a>, Bail> {
        self.variant(name, variant, wire::ARGUMENT)?.record(len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
