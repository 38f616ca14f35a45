//! Encodes values of at most 8 bytes into a `u64`, so that the caller stores them without a branch.
//! For options and enums, whose size depends on the value and is badly predicted. Knows no format;
//! [`PackRules`] are the format's.

use core::marker::PhantomData;

use serde_core::ser::{self, Serialize};

use crate::fast::Bail;
use crate::fast::scalar::bail;
use crate::fast::slice::Left;

/// The largest size of such a value.
const SIZE: usize = 8;

/// How many options and newtypes may surround a scalar.
const MAX_DEPTH: u16 = 4;

/// The bytes of a small value, the first one lowest, and how many there are.
#[derive(Clone, Copy)]
pub(crate) struct Packed64 {
    bytes: u64,
    size: usize,
}

impl Packed64 {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) const fn of_byte(byte: u8) -> Self {
        Packed64 { bytes: byte as u64, size: 1 }
    }

    pub(crate) const EMPTY: Packed64 = Packed64 { bytes: 0, size: 0 };

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new<const N: usize>(bytes: [u8; N]) -> Result<Self, Bail> {
        let mut word = [0; SIZE];
        *word.first_chunk_mut().ok_or(Bail)? = bytes;
        Ok(Packed64 { bytes: u64::from_le_bytes(word), size: N })
    }

    /// The same value with a byte in front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn behind(self, byte: u8) -> Result<Self, Bail> {
        match self.size < SIZE {
            true => Ok(Packed64 { bytes: self.bytes << 8 | u64::from(byte), size: self.size + 1 }),
            false => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_empty(self) -> bool {
        self.size == 0
    }

    /// Writes all [`SIZE`] bytes at once, so that many have to be spare.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn put(self, spare: &mut [u8]) -> Left<'_> {
        *spare.first_chunk_mut().ok_or(Bail)? = self.bytes.to_le_bytes();
        spare.get_mut(self.size..).ok_or(Bail)
    }
}

/// How a format writes small values that are not numbers.
pub(crate) trait PackRules {
    const NONE: Packed64;

    fn some(value: Packed64) -> Result<Packed64, Bail>;

    /// A variant without content of the enum with this name.
    fn unit_variant(name: &'static str, index: u32) -> Result<Packed64, Bail>;

    /// Whether a newtype struct of this name is written as its content.
    fn is_plain(name: &'static str) -> bool;
}

/// Encodes a value if its type is small enough.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn of<S: PackRules, T: ?Sized + Serialize>(value: &T) -> Result<Packed64, Bail> {
    match !core::mem::needs_drop::<T>() && size_of_val(value) <= SIZE {
        true => value.serialize(Packer::<S> { depth: 0, rules: PhantomData }),
        false => Err(Bail),
    }
}

/// Encodes a small value.
struct Packer<S> {
    depth: u16,
    rules: PhantomData<S>,
}

impl<S> Packer<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self) -> Result<Self, Bail> {
        match self.depth < MAX_DEPTH {
            true => Ok(Packer { depth: self.depth + 1, ..self }),
            false => Err(Bail),
        }
    }
}

macro_rules! scalars {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Packed64, Bail> {
            Packed64::new(value.to_le_bytes())
        }
    )*};
}

type Never = ser::Impossible<Packed64, Bail>;

impl<S: PackRules> ser::Serializer for Packer<S> {
    type Ok = Packed64;
    type Error = Bail;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    scalars! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_f32 f32, serialize_f64 f64,
    }

    bail! {
        serialize_str(&str) -> Packed64;
        serialize_bytes(&[u8]) -> Packed64;
        serialize_unit() -> Packed64;
        serialize_unit_struct(&'static str) -> Packed64;
        serialize_seq(Option<usize>) -> Never;
        serialize_map(Option<usize>) -> Never;
        serialize_tuple(usize) -> Never;
        serialize_tuple_struct(&'static str, usize) -> Never;
        serialize_struct(&'static str, usize) -> Never;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<Packed64, Bail> {
        self.serialize_u8(u8::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<Packed64, Bail> {
        self.serialize_u32(u32::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<Packed64, Bail> {
        Ok(S::NONE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Packed64, Bail> {
        S::some(value.serialize(self.inside()?)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
    ) -> Result<Packed64, Bail> {
        S::unit_variant(name, index)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Packed64, Bail> {
        match S::is_plain(name) {
            true => value.serialize(self.inside()?),
            false => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Packed64, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Result<Packed64, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
