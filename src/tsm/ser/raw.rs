//! Writing under the mark `raw`: bytes without a count.

use serde_core::ser::{self, Impossible, Serialize};

use super::compound::Compound;
use super::encoder::Cursor;
use super::output::Output;
use crate::tsm::{Error, Result, mark};

/// A serializer for what is marked.
pub(super) struct Raw<'a, O> {
    pub(super) cursor: Cursor<'a, O>,
}

/// What the mark does not fit.
macro_rules! mismatches {
    ($($found:literal: $($method:ident($($arg:ty),*) -> $result:ty;)+)*) => {$($(
        #[cold]
        fn $method(self, $(_: $arg),*) -> Result<$result> {
            Err(mark::mismatch($found))
        }
    )+)*};
}

type Never = Impossible<usize, Error>;

impl<'a, O: Output> ser::Serializer for Raw<'a, O> {
    type Ok = usize;
    type Error = Error;
    type SerializeSeq = Never;
    type SerializeTuple = Compound<'a, O>;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    mismatches! {
        "a number":
            serialize_i8(i8) -> usize; serialize_i16(i16) -> usize; serialize_i32(i32) -> usize;
            serialize_i64(i64) -> usize; serialize_i128(i128) -> usize; serialize_u8(u8) -> usize;
            serialize_u16(u16) -> usize; serialize_u32(u32) -> usize; serialize_u64(u64) -> usize;
            serialize_u128(u128) -> usize; serialize_f32(f32) -> usize; serialize_f64(f64) -> usize;
        "a bool": serialize_bool(bool) -> usize;
        "a char": serialize_char(char) -> usize;
        "text": serialize_str(&str) -> usize;
        "a unit": serialize_unit() -> usize; serialize_unit_struct(&'static str) -> usize;
        "a sequence": serialize_seq(Option<usize>) -> Never;
        "a map": serialize_map(Option<usize>) -> Never;
        "a struct":
            serialize_struct(&'static str, usize) -> Never;
            serialize_tuple_struct(&'static str, usize) -> Never;
        "an enum":
            serialize_unit_variant(&'static str, u32, &'static str) -> usize;
            serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
            serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<usize> {
        self.cursor.encoder.out.put_bytes(self.cursor.at, value)
    }

    /// An array, which has no count in any case.
    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a, O>> {
        self.cursor.serialize_tuple(len)
    }

    fn serialize_none(self) -> Result<usize> {
        self.cursor.serialize_none()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<usize> {
        let cursor = self.cursor.put_some()?;
        value.serialize(Raw { cursor })
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<usize> {
        mark::is_raw(name)?;
        let cursor = self.cursor.wrap()?;
        value.serialize(Raw { cursor })
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<usize> {
        Err(mark::mismatch("an enum"))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
