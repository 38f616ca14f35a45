//! A serializer for values of a few bytes, which hands these over instead of writing them. So who
//! knows what stands in front of them writes all at once.

use serde_core::ser::{self, Serialize};

use super::encoder::EXTENSION;
use super::vint;
use super::window::zigzag;
use crate::biniou::mark::Mark;
use crate::biniou::value::VALUE;
use crate::biniou::wire::{self, Tag};
use crate::fast::Bail;

/// How many options and newtypes may be around a scalar.
pub(super) const MOST_AROUND: u16 = 4;

/// What a scalar is in the bytes: its tag, its body with the first byte lowest, and how many bytes
/// that has, which are 8 at most.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) tag: Tag,
    pub(super) body: u64,
    pub(super) size: usize,
}

/// Tells the word of a value that is one.
#[derive(Clone, Copy)]
pub(super) struct Scalar {
    around: u16,
}

impl Scalar {
    pub(super) const NEW: Scalar = Scalar { around: 0 };

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self) -> Result<Self, Bail> {
        match self.around < MOST_AROUND {
            true => Ok(Scalar { around: self.around + 1 }),
            false => Err(Bail),
        }
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn long_vint(tag: Tag, number: u64) -> Result<Word, Bail> {
    if number >= 1 << 56 {
        return Err(Bail);
    }
    let (body, size) = vint::spread_uvint(number);
    Ok(Word { tag, body, size })
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn short_vint(tag: Tag, number: u32) -> Result<Word, Bail> {
    let (body, size) = vint::spread_short_uvint(number);
    Ok(Word { tag, body, size })
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn least_vint(tag: Tag, number: u16) -> Result<Word, Bail> {
    let (body, size) = vint::spread_least_uvint(number);
    Ok(Word { tag, body, size })
}

/// Of a byte, whose highest bit alone is in the second one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn byte_vint(tag: Tag, number: u8) -> Result<Word, Bail> {
    let high = u64::from(number & 0x80);
    let size = 1 + usize::from(number >> 7);
    Ok(Word { tag, body: u64::from(number) + (high << 1), size })
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn plain<T>(number: T) -> T {
    number
}

macro_rules! words {
    ($($method:ident $type:ty, $make:ident $tag:ident $number:expr;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Word, Bail> {
            $make(Tag::$tag, $number(value))
        }
    )*};
}

/// Everything that is no word.
macro_rules! bail {
    ($($method:ident($($arg:ty),*) -> $ok:ty;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, $(_: $arg),*) -> Result<$ok, Bail> {
            Err(Bail)
        }
    )*};
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn word(tag: Tag, body: u64, size: usize) -> Result<Word, Bail> {
    Ok(Word { tag, body, size })
}

impl ser::Serializer for Scalar {
    type Ok = Word;
    type Error = Bail;
    type SerializeSeq = ser::Impossible<Word, Bail>;
    type SerializeTuple = ser::Impossible<Word, Bail>;
    type SerializeTupleStruct = ser::Impossible<Word, Bail>;
    type SerializeTupleVariant = ser::Impossible<Word, Bail>;
    type SerializeMap = ser::Impossible<Word, Bail>;
    type SerializeStruct = ser::Impossible<Word, Bail>;
    type SerializeStructVariant = ser::Impossible<Word, Bail>;

    words! {
        serialize_u8 u8, byte_vint Uvint plain;
        serialize_u16 u16, least_vint Uvint plain;
        serialize_u32 u32, short_vint Uvint plain;
        serialize_u64 u64, long_vint Uvint plain;
        serialize_i8 i8, byte_vint Svint |n: i8| u8::from_ne_bytes(((n << 1) ^ (n >> 7)).to_ne_bytes());
        serialize_i16 i16, least_vint Svint |n: i16| u16::from_ne_bytes(((n << 1) ^ (n >> 15)).to_ne_bytes());
        serialize_i32 i32, short_vint Svint |n: i32| u32::from_ne_bytes(((n << 1) ^ (n >> 31)).to_ne_bytes());
        serialize_i64 i64, long_vint Svint zigzag;
    }

    bail! {
        serialize_i128(i128) -> Word;
        serialize_u128(u128) -> Word;
        serialize_char(char) -> Word;
        serialize_str(&str) -> Word;
        serialize_bytes(&[u8]) -> Word;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeStructVariant;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Result<Word, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<Word, Bail> {
        word(Tag::Bool, value.into(), 1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(self, value: f32) -> Result<Word, Bail> {
        word(Tag::Float32, value.to_bits().swap_bytes().into(), 4)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(self, value: f64) -> Result<Word, Bail> {
        word(Tag::Float64, value.to_bits().swap_bytes(), 8)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<Word, Bail> {
        word(Tag::NumVariant, wire::NONE.into(), 1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Word, Bail> {
        let Word { tag, body, size } = value.serialize(self.inside()?)?;
        if size > 6 {
            return Err(Bail);
        }
        let front = u64::from(wire::SOME) | u64::from(tag.byte()) << 8;
        word(Tag::NumVariant, front | body << 16, size + 2)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<Word, Bail> {
        word(Tag::Unit, 0, 1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Result<Word, Bail> {
        match Mark::refuse(name, "") {
            Ok(()) => self.serialize_unit(),
            Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Word, Bail> {
        if name == VALUE || Mark::refuse(name, "").is_err() {
            return Err(Bail);
        }
        word(Tag::Variant, wire::hash(variant).swap_bytes().into(), 4)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Word, Bail> {
        if name == EXTENSION {
            return Err(Bail);
        }
        match Mark::of_newtype(name) {
            Ok(None) => value.serialize(self.inside()?),
            Ok(Some(_)) | Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Word, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The word of a value that looks as if it were one: nothing that small holds a reference, behind
/// which there might be text or an iterator.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn word_of<T: ?Sized + Serialize>(value: &T) -> Option<Word> {
    match size_of_val(value) < size_of::<usize>() {
        true => value.serialize(Scalar::NEW).ok(),
        false => None,
    }
}

/// Writes items without their tag, for as long as they are words with that tag and there is room.
/// Tells how many bytes and items these are, and which item is the next one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_words<T: Serialize>(
    room: &mut [u8],
    tag: Tag,
    mut item: T,
    items: &mut impl Iterator<Item = T>,
) -> (usize, usize, Option<T>) {
    let (mut at, mut count) = (0, 0);
    loop {
        let (Ok(word), Some(place)) =
            (item.serialize(Scalar::NEW), room.get_mut(at..).and_then(<[u8]>::first_chunk_mut))
        else {
            return (at, count, Some(item));
        };
        if word.tag != tag {
            return (at, count, Some(item));
        }
        *place = word.body.to_le_bytes();
        at += word.size;
        count += 1;
        match items.next() {
            Some(next) => item = next,
            None => return (at, count, None),
        }
    }
}
