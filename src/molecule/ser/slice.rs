//! The fast writer of values with headers: writes into the spare bytes of the buffer. Bails on what
//! does not fit or is unusual. Does not know the buffer, and explains no errors.

mod marked;
mod parts;
mod vectors;

use core::marker::PhantomData;

use serde_core::ser::{self, Serialize};

use self::marked::MarkedSliceWriter;
use self::parts::{Entries, Fields, Packed, Table};
use super::fixed;
use super::probe::{self, Layout};
use crate::fast::Bail;
use crate::fast::packed64::{self, Packed64};
use crate::fast::scalar::bail;
use crate::fast::slice::{self, Left, MaxTypeDepth, TypeDepth, exact_length};
use crate::limits::Depth;
use crate::molecule::mark::{self, Mark, UnionIds};
use crate::molecule::wire::{EMPTY_FIXVEC, EMPTY_TABLE, offset};

/// How deep it writes: its own levels, and the fixed items of a vector inside them.
pub(super) const MAX_DEPTH: u16 = slice::MAX_LEVELS + fixed::MAX_DEPTH;

/// How deep tuples and newtypes are probed: as deep as they could be written.
pub(super) const DEPTH: Depth = Depth { levels: MAX_DEPTH, wrappers: MAX_DEPTH };

/// Writes a value that is not inside a packed one.
pub(super) struct SliceWriter<'a, L> {
    bytes: &'a mut [u8],
    levels: PhantomData<L>,
}

impl<'a> SliceWriter<'a, MaxTypeDepth> {
    /// `bytes` are at most as long as header numbers allow.
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

    /// A writer for a value inside this one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self) -> Result<SliceWriter<'a, L::Inside>, Bail> {
        match L::NONE {
            true => Err(Bail),
            false => Ok(SliceWriter::of(self.bytes)),
        }
    }

    /// Writes a part of a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_part<T: ?Sized + Serialize>(self, value: &T) -> Left<'a> {
        match packed64::of::<PackRules, T>(value) {
            Ok(word) => word.put(self.bytes),
            Err(_) => value.serialize(self.inside()?),
        }
    }

    /// Writes the id in front of a union's payload.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_id(self, name: &'static str, index: u32, variant: &'static str) -> Result<Self, Bail> {
        let id = UnionIds::id_of(name, index, variant).map_err(|_| Bail)?;
        self.put(id.to_le_bytes()).map(SliceWriter::of)
    }
}

/// How Molecule writes small values.
struct PackRules;

impl packed64::PackRules for PackRules {
    const NONE: Packed64 = Packed64::EMPTY;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn some(value: Packed64) -> Result<Packed64, Bail> {
        match value.is_empty() {
            true => Err(Bail),
            false => Ok(value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unit_variant(name: &'static str, index: u32) -> Result<Packed64, Bail> {
        match UnionIds::of(name) {
            Ok(None) => Packed64::new(index.to_le_bytes()),
            Ok(Some(_)) | Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_plain(name: &'static str) -> bool {
        matches!(Mark::of_newtype(name), Ok(None))
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
    type SerializeTuple = Packed<'a>;
    type SerializeTupleStruct = Fields<'a, L>;
    type SerializeTupleVariant = Table<'a, L>;
    type SerializeMap = Entries<'a, L>;
    type SerializeStruct = Fields<'a, L>;
    type SerializeStructVariant = Table<'a, L>;

    scalars! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128, serialize_f32 f32, serialize_f64 f64,
    }

    bail! {
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
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
        slice::put_counted(self.bytes, offset(value.len()), value)
    }

    /// The text is not even formatted, since some values can be formatted only once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Left<'a> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Left<'a> {
        Ok(self.bytes)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Left<'a> {
        let size = self.bytes.len();
        let left = value.serialize(self.inside()?)?;
        match left.len() < size {
            true => Ok(left),
            false => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Left<'a> {
        self.put(EMPTY_TABLE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Left<'a> {
        mark::refuse_on_unit(name).map_err(|_| Bail)?;
        self.serialize_unit()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Left<'a> {
        self.put_id(name, index, variant).map(|writer| writer.bytes)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Left<'a> {
        let inside = self.inside()?;
        match Mark::of_newtype(name) {
            Ok(None) => value.serialize(inside),
            Ok(Some(mark)) => value.serialize(MarkedSliceWriter::new(inside, mark)),
            Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Left<'a> {
        value.serialize(self.put_id(name, index, variant)?.inside()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I>(self, items: I) -> Left<'a>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let mut items = items.into_iter();
        let count = exact_length(&items).ok_or(Bail)?;
        match items.next() {
            None => self.put(EMPTY_FIXVEC),
            Some(first) => match probe::layout(&first, DEPTH) {
                Layout::Fixed => self.fixvec(&first, items, count, false),
                Layout::Dynamic => self.dynvec(&first, items, count),
            },
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Packed<'a>, Bail> {
        match len {
            0 => Err(Bail),
            _ => Ok(Packed::tuple(self.bytes, len)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Fields<'a, L>, Bail> {
        match Mark::is_packed(name) {
            Ok(true) => Ok(Fields::Packed(Packed::marked(self.bytes, Some(len)))),
            Ok(false) => Table::new(self.bytes, len).map(Fields::Table),
            Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Table<'a, L>, Bail> {
        Table::new(self.put_id(name, index, variant)?.bytes, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'a, L>, Bail> {
        Entries::new(self.bytes, len.ok_or(Bail)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Fields<'a, L>, Bail> {
        match Mark::is_packed(name) {
            Ok(true) => Ok(Fields::Packed(Packed::marked(self.bytes, None))),
            Ok(false) => Table::new(self.bytes, len).map(Fields::Table),
            Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Table<'a, L>, Bail> {
        Table::new(self.put_id(name, index, variant)?.bytes, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
