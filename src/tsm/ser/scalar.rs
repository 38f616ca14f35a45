//! Writing a sequence of numbers. Serde shows no item's type, so each item is asked for its bytes by
//! a serializer that takes nothing but one number: for a type that is one, the compiler sees the
//! answer, and what is left of the loop is a copy.

use serde_core::ser::{self, Impossible, Serialize};

use super::window::Refused;

/// What answers with the bytes of one number.
pub(super) struct Scalar;

/// How wide a number is.
pub(super) enum Bytes {
    One(u8),
    More,
}

type Never = Impossible<Bytes, Refused>;

/// Numbers, and what is none.
macro_rules! answers {
    ($($method:ident($value:ident: $type:ty) $bytes:expr;)*) => {$(
        #[inline(always)]
        fn $method(self, $value: $type) -> Result<Bytes, Refused> {
            Ok($bytes)
        }
    )*};
}

macro_rules! refusals {
    ($($method:ident $(<$value:ident>)? ($($arg:ty),*) -> $result:ty;)*) => {$(
        #[inline(always)]
        fn $method $(<$value: ?Sized + Serialize>)? (self, $(_: $arg),*) -> Result<$result, Refused> {
            Err(Refused)
        }
    )*};
}

impl ser::Serializer for Scalar {
    type Ok = Bytes;
    type Error = Refused;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    answers! {
        serialize_bool(v: bool) Bytes::One(u8::from(v));
        serialize_u8(v: u8) Bytes::One(v);
        serialize_i8(v: i8) Bytes::One(u8::from_le_bytes(v.to_le_bytes()));
        serialize_u16(_v: u16) Bytes::More;
        serialize_i16(_v: i16) Bytes::More;
        serialize_u32(_v: u32) Bytes::More;
        serialize_i32(_v: i32) Bytes::More;
        serialize_f32(_v: f32) Bytes::More;
        serialize_char(_v: char) Bytes::More;
        serialize_u64(_v: u64) Bytes::More;
        serialize_i64(_v: i64) Bytes::More;
        serialize_f64(_v: f64) Bytes::More;
    }

    refusals! {
        serialize_i128(i128) -> Bytes;
        serialize_u128(u128) -> Bytes;
        serialize_str(&str) -> Bytes;
        serialize_bytes(&[u8]) -> Bytes;
        serialize_none() -> Bytes;
        serialize_some<T>(&T) -> Bytes;
        serialize_unit() -> Bytes;
        serialize_unit_struct(&'static str) -> Bytes;
        serialize_unit_variant(&'static str, u32, &'static str) -> Bytes;
        serialize_newtype_struct<T>(&'static str, &T) -> Bytes;
        serialize_newtype_variant<T>(&'static str, u32, &'static str, &T) -> Bytes;
        serialize_seq(Option<usize>) -> Never;
        serialize_tuple(usize) -> Never;
        serialize_tuple_struct(&'static str, usize) -> Never;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
        serialize_map(Option<usize>) -> Never;
        serialize_struct(&'static str, usize) -> Never;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    #[inline(always)]
    fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Result<Bytes, Refused> {
        Err(Refused)
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        false
    }
}
