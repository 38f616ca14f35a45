//! Writing one value of any kind into the document's buffer.

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::marked::Marked;
use crate::error::Fault;
use crate::limits::Depth;
use crate::molecule::mark::{self, Mark, UnionIds};
use crate::molecule::wire;
use crate::molecule::{Error, ErrorKind, Options, Result};

/// Whether the size of a value follows from its type: what tells a fixvec from a dynvec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::molecule) enum Layout {
    Fixed,
    Dynamic,
}

/// A document under construction.
#[derive(Debug)]
pub(in crate::molecule) struct Encoder {
    pub(super) out: Vec<u8>,
    /// Offsets that have no place in `out` yet, of the values at hand; each value's own begin
    /// behind those of the values around it.
    pub(super) offsets: Vec<u32>,
    pub(super) depth: Depth,
    pub(super) strict: bool,
    /// Whether unmarked structs are packed: inside a marked struct or fixvec.
    pub(super) packs: bool,
    /// Whether some unmarked tuple became a table whose first item does not show that ..
    pub(super) wrote_mixed: bool,
    /// .. and whether the bytes of a packed one, in a place where tables may be, pass for one.
    pub(super) wrote_lookalike: bool,
    /// Whether the next value has a place of its own, where a table may be.
    pub(super) in_slot: bool,
    /// Whether the tuple completed last was packed and passes for a table.
    pub(super) last_looks_like_table: bool,
    /// Whether some part was refused.
    pub(super) failed: bool,
    max_depth: u16,
}

impl Encoder {
    pub(in crate::molecule) fn new(options: &Options) -> Self {
        Encoder {
            out: Vec::new(),
            offsets: Vec::new(),
            depth: Depth::new(options.max_depth),
            strict: options.strict,
            packs: false,
            wrote_mixed: false,
            wrote_lookalike: false,
            in_slot: true,
            last_looks_like_table: false,
            failed: false,
            max_depth: options.max_depth,
        }
    }

    /// Begins a document, whatever became of the one before.
    pub(super) fn begin(&mut self) {
        self.out.clear();
        self.offsets.clear();
        self.depth = Depth::new(self.max_depth);
        self.packs = false;
        self.wrote_mixed = false;
        self.wrote_lookalike = false;
        self.in_slot = true;
        self.last_looks_like_table = false;
        self.failed = false;
    }

    /// The finished document.
    pub(super) fn document(&self) -> Result<&[u8]> {
        if self.failed {
            return Err(Error::placeless(Fault::Abandoned));
        }
        wire::number(self.out.len())?;
        // A reader that starts over takes all tuples that start with something fixed for packed.
        if self.wrote_mixed && self.wrote_lookalike {
            return Err(Error::placeless(ErrorKind::AmbiguousTuple));
        }
        Ok(&self.out)
    }

    /// The finished document, by value.
    pub(in crate::molecule) fn finish(self) -> Result<Vec<u8>> {
        self.document()?;
        Ok(self.out)
    }

    /// Writes the id that heads a union's payload.
    #[inline]
    fn put_id(&mut self, name: &'static str, index: u32, variant: &'static str) -> Result<()> {
        let id = match UnionIds::of(name)? {
            Some(ids) => ids.id(variant)?,
            None => index,
        };
        self.out.extend_from_slice(&id.to_le_bytes());
        Ok(())
    }
}

/// Fixed values that are their own little-endian bytes.
macro_rules! serialize_le {
    ($($method:ident $type:ty,)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<Layout> {
            self.out.extend_from_slice(&value.to_le_bytes());
            Ok(Layout::Fixed)
        }
    )*};
}

impl<'a> ser::Serializer for &'a mut Encoder {
    type Ok = Layout;
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    serialize_le! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128, serialize_f32 f32, serialize_f64 f64,
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<Layout> {
        self.serialize_u8(u8::from(value))
    }

    #[inline]
    fn serialize_char(self, value: char) -> Result<Layout> {
        self.serialize_u32(u32::from(value))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<Layout> {
        self.serialize_bytes(value.as_bytes())
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<Layout> {
        self.out.extend_from_slice(&wire::number(value.len())?);
        self.out.extend_from_slice(value);
        Ok(Layout::Dynamic)
    }

    #[inline]
    fn serialize_none(self) -> Result<Layout> {
        Ok(Layout::Dynamic)
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Layout> {
        self.depth.wrap()?;
        self.in_slot = true;
        let start = self.out.len();
        value.serialize(&mut *self)?;
        if self.out.len() == start {
            return Err(Error::placeless(ErrorKind::SomeNone));
        }
        self.depth.unwrap();
        Ok(Layout::Dynamic)
    }

    #[inline]
    fn serialize_unit(self) -> Result<Layout> {
        self.out.extend_from_slice(&wire::EMPTY_TABLE);
        Ok(Layout::Dynamic)
    }

    #[inline]
    fn serialize_unit_struct(self, name: &'static str) -> Result<Layout> {
        mark::refuse_on_unit(name)?;
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Layout> {
        self.put_id(name, index, variant)?;
        Ok(Layout::Dynamic)
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Layout> {
        self.depth.wrap()?;
        let layout = match Mark::of_newtype(name)? {
            Some(mark) => value.serialize(Marked::new(self, mark))?,
            None => value.serialize(&mut *self)?,
        };
        self.depth.unwrap();
        Ok(layout)
    }

    #[inline]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Layout> {
        self.depth.enter()?;
        self.put_id(name, index, variant)?;
        self.in_slot = true;
        value.serialize(&mut *self)?;
        self.depth.leave();
        Ok(Layout::Dynamic)
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a>> {
        Compound::sequence(self, len)
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a>> {
        Compound::tuple(self, len)
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound<'a>> {
        self.serialize_struct(name, len).map(|compound| compound.exactly(len))
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        self.put_id(name, index, variant)?;
        Compound::table(self, len).map(|compound| compound.exactly(len))
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'a>> {
        Compound::map(self, len)
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Compound<'a>> {
        match Mark::is_packed(name)? || self.packs {
            true => Compound::packed(self),
            false => Compound::table(self, len),
        }
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        self.put_id(name, index, variant)?;
        Compound::table(self, len)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
