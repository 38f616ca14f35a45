//! Packs a scalar, with options and newtypes around it, into a number, so that the caller writes it with
//! what stands in front in one store. Knows bytes, does not know where they go.

use serde_core::ser::{self, Serialize};

use super::vint::{self, Uvint, zigzag8, zigzag16, zigzag32, zigzag64};
use crate::biniou::mark::Mark;
use crate::biniou::value::VALUE;
use crate::biniou::wire::{self, Tag};
use crate::fast::Bail;
use crate::fast::scalar::bail;
use crate::glue::mark::EXTENSION;

/// How many options and newtypes may be around a scalar.
pub(super) const MOST_AROUND: u16 = 4;

/// A scalar as bytes: its tag, and its body of `size` bytes, at most 8, the first one lowest.
#[derive(Clone, Copy)]
pub(super) struct PackedScalar {
    pub(super) tag: Tag,
    pub(super) body: u64,
    pub(super) size: usize,
}

/// A serializer that packs scalars and bails on all other values.
#[derive(Clone, Copy)]
pub(super) struct ScalarPacker {
    around: u16,
}

impl ScalarPacker {
    pub(super) const NEW: ScalarPacker = ScalarPacker { around: 0 };

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self) -> Result<Self, Bail> {
        match self.around < MOST_AROUND {
            true => Ok(ScalarPacker { around: self.around + 1 }),
            false => Err(Bail),
        }
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn vint(tag: Tag, number: impl Uvint) -> Result<PackedScalar, Bail> {
    if number.into() >= vint::LONG {
        return Err(Bail);
    }
    let (body, size) = number.spread();
    Ok(PackedScalar { tag, body, size })
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn plain<T>(number: T) -> T {
    number
}

macro_rules! scalars {
    ($($method:ident $type:ty, $tag:ident $number:ident;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<PackedScalar, Bail> {
            vint(Tag::$tag, $number(value))
        }
    )*};
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn packed(tag: Tag, body: u64, size: usize) -> Result<PackedScalar, Bail> {
    Ok(PackedScalar { tag, body, size })
}

impl ser::Serializer for ScalarPacker {
    type Ok = PackedScalar;
    type Error = Bail;
    type SerializeSeq = ser::Impossible<PackedScalar, Bail>;
    type SerializeTuple = ser::Impossible<PackedScalar, Bail>;
    type SerializeTupleStruct = ser::Impossible<PackedScalar, Bail>;
    type SerializeTupleVariant = ser::Impossible<PackedScalar, Bail>;
    type SerializeMap = ser::Impossible<PackedScalar, Bail>;
    type SerializeStruct = ser::Impossible<PackedScalar, Bail>;
    type SerializeStructVariant = ser::Impossible<PackedScalar, Bail>;

    scalars! {
        serialize_u8 u8, Uvint plain; serialize_u16 u16, Uvint plain; serialize_u32 u32, Uvint plain;
        serialize_u64 u64, Uvint plain;
        serialize_i8 i8, Svint zigzag8; serialize_i16 i16, Svint zigzag16;
        serialize_i32 i32, Svint zigzag32; serialize_i64 i64, Svint zigzag64;
    }

    bail! {
        serialize_i128(i128) -> PackedScalar;
        serialize_u128(u128) -> PackedScalar;
        serialize_char(char) -> PackedScalar;
        serialize_str(&str) -> PackedScalar;
        serialize_bytes(&[u8]) -> PackedScalar;
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
    fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Result<PackedScalar, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<PackedScalar, Bail> {
        packed(Tag::Bool, value.into(), 1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(self, value: f32) -> Result<PackedScalar, Bail> {
        packed(Tag::Float32, value.to_bits().swap_bytes().into(), 4)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(self, value: f64) -> Result<PackedScalar, Bail> {
        packed(Tag::Float64, value.to_bits().swap_bytes(), 8)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<PackedScalar, Bail> {
        packed(Tag::NumVariant, wire::NONE.into(), 1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<PackedScalar, Bail> {
        let PackedScalar { tag, body, size } = value.serialize(self.inside()?)?;
        if size > 6 {
            return Err(Bail);
        }
        let prefix = u64::from(wire::SOME) | u64::from(tag.byte()) << 8;
        packed(Tag::NumVariant, prefix | body << 16, size + 2)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<PackedScalar, Bail> {
        packed(Tag::Unit, 0, 1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Result<PackedScalar, Bail> {
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
    ) -> Result<PackedScalar, Bail> {
        if name == VALUE || !Mark::is_none_in(name) {
            return Err(Bail);
        }
        packed(Tag::Variant, wire::hash(variant).swap_bytes().into(), 4)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<PackedScalar, Bail> {
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
    ) -> Result<PackedScalar, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Packs a value that is smaller than a reference. Such a value cannot refer to text or an iterator, so
/// serializing it twice is harmless.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn packed_of<T: ?Sized + Serialize>(value: &T) -> Option<PackedScalar> {
    match size_of_val(value) < size_of::<usize>() {
        true => value.serialize(ScalarPacker::NEW).ok(),
        false => None,
    }
}

/// Writes items without their tag, while they are scalars with that tag and fit the slice. Returns how
/// many bytes and items these are, and the next item.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_packed<T: Serialize>(
    slice: &mut [u8],
    tag: Tag,
    mut item: T,
    items: &mut impl Iterator<Item = T>,
) -> (usize, usize, Option<T>) {
    let (mut at, mut count) = (0, 0);
    loop {
        let (Ok(packed), Some(place)) = (
            item.serialize(ScalarPacker::NEW),
            slice.get_mut(at..).and_then(<[u8]>::first_chunk_mut),
        ) else {
            return (at, count, Some(item));
        };
        if packed.tag != tag {
            return (at, count, Some(item));
        }
        *place = packed.body.to_le_bytes();
        at += packed.size;
        count += 1;
        match items.next() {
            Some(next) => item = next,
            None => return (at, count, None),
        }
    }
}
