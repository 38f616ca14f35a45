//! Writing under the mark `raw`: bytes without a count.

use serde_core::ser::{self, Impossible, Serialize};

use super::compound::Compound;
use super::encoder::Encoder;
use super::output::Output;
use crate::tsm::{Error, Result, mark, wire};

/// A serializer for what is marked.
pub(super) struct Raw<'a, O> {
    pub(super) encoder: &'a mut Encoder<O>,
}

/// What the mark does not fit.
macro_rules! misfits {
    ($($found:literal: $($method:ident($($arg:ty),*) -> $result:ty;)+)*) => {$($(
        #[cold]
        fn $method(self, $(_: $arg),*) -> Result<$result> {
            Err(mark::misfit($found))
        }
    )+)*};
}

type Never = Impossible<(), Error>;

impl<'a, O: Output> ser::Serializer for Raw<'a, O> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Never;
    type SerializeTuple = Compound<'a, O>;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    misfits! {
        "a number":
            serialize_i8(i8) -> (); serialize_i16(i16) -> (); serialize_i32(i32) -> ();
            serialize_i64(i64) -> (); serialize_i128(i128) -> (); serialize_u8(u8) -> ();
            serialize_u16(u16) -> (); serialize_u32(u32) -> (); serialize_u64(u64) -> ();
            serialize_u128(u128) -> (); serialize_f32(f32) -> (); serialize_f64(f64) -> ();
        "a bool": serialize_bool(bool) -> ();
        "a char": serialize_char(char) -> ();
        "text": serialize_str(&str) -> ();
        "a unit": serialize_unit() -> (); serialize_unit_struct(&'static str) -> ();
        "a sequence": serialize_seq(Option<usize>) -> Never;
        "a map": serialize_map(Option<usize>) -> Never;
        "a struct":
            serialize_struct(&'static str, usize) -> Never;
            serialize_tuple_struct(&'static str, usize) -> Never;
        "an enum":
            serialize_unit_variant(&'static str, u32, &'static str) -> ();
            serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
            serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.encoder.out.put(value)
    }

    /// An array, which has no count in any case.
    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a, O>> {
        self.encoder.serialize_tuple(len)
    }

    fn serialize_none(self) -> Result<()> {
        self.encoder.serialize_none()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        let Raw { encoder } = self;
        encoder.depth.wrap()?;
        encoder.out.put(&wire::SOME.to_le_bytes())?;
        value.serialize(Raw { encoder: &mut *encoder })?;
        encoder.depth.unwrap();
        Ok(())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<()> {
        let Raw { encoder } = self;
        encoder.depth.wrap()?;
        value.serialize(Raw { encoder: &mut *encoder })?;
        encoder.depth.unwrap();
        Ok(())
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(mark::misfit("an enum"))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
