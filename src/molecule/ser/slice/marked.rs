//! Writes marked values into a slice. Bails if the mark does not fit, so that the exact writer
//! refuses it. Does not know how values are written.

use core::fmt;

use serde_core::ser::{self, Serialize};

use super::SliceWriter;
use super::parts::{Entries, Fields, Packed, Table};
use crate::fast::Bail;
use crate::fast::scalar::bail;
use crate::fast::slice::{Left, TypeDepth, exact_length};
use crate::molecule::mark::{Mark, Target};
use crate::molecule::wire::{EMPTY_FIXVEC, EMPTY_TABLE};

/// Writes one value under a mark. `Some` and newtype structs pass the mark on.
pub(super) struct MarkedSliceWriter<'a, L> {
    writer: SliceWriter<'a, L>,
    mark: Mark,
}

impl<'a, L: TypeDepth> MarkedSliceWriter<'a, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(writer: SliceWriter<'a, L>, mark: Mark) -> Self {
        MarkedSliceWriter { writer, mark }
    }

    /// The writer, if the mark fits the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn checked(self, target: Target) -> Result<SliceWriter<'a, L>, Bail> {
        match self.mark.fits(target) {
            true => Ok(self.writer),
            false => Err(Bail),
        }
    }

    /// The writer, if the mark is `fits`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn only(self, fits: Mark) -> Result<SliceWriter<'a, L>, Bail> {
        match self.mark == fits {
            true => Ok(self.writer),
            false => Err(Bail),
        }
    }

    /// A struct with or without a header.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields(
        self,
        name: &'static str,
        len: usize,
        exactly: Option<usize>,
    ) -> Result<Fields<'a, L>, Bail> {
        match (self.mark, Mark::is_packed(name)) {
            (Mark::Struct, Ok(_)) => Ok(Fields::Packed(Packed::marked(self.writer.bytes, exactly))),
            (Mark::Table, Ok(_)) => Table::new(self.writer.bytes, len).map(Fields::Table),
            (Mark::FixVec | Mark::DynVec, _) | (_, Err(_)) => Err(Bail),
        }
    }
}

/// Fixed values. A marked newtype around one is a struct of one field.
macro_rules! serialize_fixed {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Left<'a> {
            self.checked(Target::Scalar(stringify!($type)))?.$method(value)
        }
    )*};
}

impl<'a, L: TypeDepth> ser::Serializer for MarkedSliceWriter<'a, L> {
    type Ok = &'a mut [u8];
    type Error = Bail;
    type SerializeSeq = ser::Impossible<&'a mut [u8], Bail>;
    type SerializeTuple = Packed<'a>;
    type SerializeTupleStruct = Fields<'a, L>;
    type SerializeTupleVariant = ser::Impossible<&'a mut [u8], Bail>;
    type SerializeMap = Entries<'a, L>;
    type SerializeStruct = Fields<'a, L>;
    type SerializeStructVariant = ser::Impossible<&'a mut [u8], Bail>;

    serialize_fixed! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_u8 u8, serialize_u16 u16,
        serialize_u32 u32, serialize_u64 u64, serialize_u128 u128, serialize_f32 f32,
        serialize_f64 f64, serialize_char char,
    }

    bail! {
        serialize_unit() -> Self::Ok;
        serialize_unit_struct(&'static str) -> Self::Ok;
        serialize_unit_variant(&'static str, u32, &'static str) -> Self::Ok;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeStructVariant;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Left<'a> {
        self.checked(Target::Text)?.serialize_str(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Left<'a> {
        self.checked(Target::Bytes)?.serialize_bytes(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Left<'a> {
        self.writer.serialize_none()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Left<'a> {
        let MarkedSliceWriter { writer, mark } = self;
        let size = writer.bytes.len();
        let left = value.serialize(MarkedSliceWriter::new(writer.inside()?, mark))?;
        match left.len() < size {
            true => Ok(left),
            false => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Left<'a> {
        let MarkedSliceWriter { writer, mark } = self;
        match Mark::one_of(Some(mark), name) {
            Ok(_) => value.serialize(MarkedSliceWriter::new(writer.inside()?, mark)),
            Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Left<'a> {
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
        match (self.mark, items.next()) {
            (Mark::FixVec, Some(first)) => self.writer.fixvec(&first, items, count, true),
            (Mark::FixVec | Mark::DynVec, None) if count > 0 => Err(Bail),
            (Mark::FixVec, None) => self.writer.put(EMPTY_FIXVEC),
            (Mark::DynVec, None) => self.writer.put(EMPTY_TABLE),
            (Mark::DynVec, Some(first)) => self.writer.dynvec(&first, items, count),
            (Mark::Struct | Mark::Table, _) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Packed<'a>, Bail> {
        Ok(Packed::marked(self.only(Mark::Struct)?.bytes, Some(len)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Fields<'a, L>, Bail> {
        self.fields(name, len, Some(len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'a, L>, Bail> {
        Entries::new(self.only(Mark::DynVec)?.bytes, len.ok_or(Bail)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Fields<'a, L>, Bail> {
        self.fields(name, len, None)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + fmt::Display>(self, _: &T) -> Left<'a> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
