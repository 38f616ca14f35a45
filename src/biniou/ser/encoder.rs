//! Writing one value of any kind into the document's buffer.
//!
//! A serializer writes what follows the tag, and returns the tag: whoever holds the value knows
//! whether it stands in front of it (most places) or once for many (an ARRAY, a column).

use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::marked::Marked;
use super::sharing::{PLACEHOLDER, Place, Sharing};
use crate::biniou::mark::Mark;
use crate::biniou::names::Written;
use crate::biniou::value::{self, VALUE};
use crate::biniou::wire::{self, MOST_EMPTY_ROWS, Tag};
use crate::biniou::{Error, ErrorKind, Options, Result};
use crate::error::Fault;
use crate::limits::Depth;

/// A document under construction.
#[derive(Debug)]
pub(in crate::biniou) struct Encoder {
    pub(super) out: Vec<u8>,
    pub(super) depth: Depth,
    pub(super) names: Written,
    pub(super) sharing: Sharing,
    /// Whether the next value is a field of a record, where an optional one may be left out.
    pub(super) in_field: bool,
    /// How many maps of unknown length, which is what serde's `flatten` makes, are being written.
    pub(super) flattened: u16,
    /// Whether a part was refused, so that what is here must not get out.
    pub(super) failed: bool,
    /// Rows without columns that a reader will still believe.
    empty_rows: usize,
    max_depth: u16,
}

impl Encoder {
    pub(in crate::biniou) fn new(options: &Options) -> Self {
        Encoder {
            out: Vec::new(),
            depth: Depth::new(options.max_depth),
            names: Written::default(),
            sharing: Sharing::default(),
            in_field: false,
            flattened: 0,
            failed: false,
            empty_rows: 0,
            max_depth: options.max_depth,
        }
    }

    /// Begins a document, whatever became of the one before.
    pub(super) fn begin(&mut self) {
        self.out.clear();
        self.out.push(0);
        self.depth = Depth::new(self.max_depth);
        self.sharing.clear();
        self.in_field = false;
        self.flattened = 0;
        self.failed = false;
        self.empty_rows = usize::try_from(MOST_EMPTY_ROWS).unwrap_or(usize::MAX);
    }

    /// Completes a document: its tag, and where references lead.
    pub(super) fn complete(&mut self, tag: Option<Tag>) -> Result<()> {
        if self.failed {
            return Err(Error::placeless(Fault::Abandoned));
        }
        self.patch_tag(0, tag);
        self.sharing.settle(&mut self.out)
    }

    /// The complete document.
    pub(super) fn document(&self) -> &[u8] {
        &self.out
    }

    /// The complete document, by value.
    pub(super) fn into_document(self) -> Vec<u8> {
        self.out
    }

    /// Puts a tag into the byte that was kept for it; without one, that byte was the last.
    #[inline]
    fn patch_tag(&mut self, at: usize, tag: Option<Tag>) {
        match (tag, self.out.get_mut(at)) {
            (Some(tag), Some(byte)) => *byte = tag.byte(),
            _ => self.out.truncate(at),
        }
    }

    /// Writes a value with its tag in front; `false` if it is one that is left out.
    #[inline]
    pub(super) fn put<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        mark: Option<Mark>,
    ) -> Result<bool> {
        let at = self.out.len();
        self.out.push(0);
        let tag = self.put_untagged(value, mark)?;
        self.patch_tag(at, tag);
        Ok(tag.is_some())
    }

    /// Writes what follows a value's tag.
    #[inline]
    pub(super) fn put_untagged<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        mark: Option<Mark>,
    ) -> Result<Option<Tag>> {
        match mark {
            None => value.serialize(self),
            Some(mark) => value.serialize(Marked::new(self, mark)),
        }
    }

    /// Writes what follows the tag of an option's `Some`.
    #[inline]
    pub(super) fn put_some<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        mark: Option<Mark>,
    ) -> Result<Option<Tag>> {
        self.in_field = false;
        self.depth.enter()?;
        self.out.push(wire::SOME);
        self.put(value, mark)?;
        self.depth.leave();
        Ok(Some(Tag::NumVariant))
    }

    /// Writes the hashed name of a variant.
    #[inline]
    fn put_variant(&mut self, name: &'static str, variant: &str, argument: u32) -> Result<()> {
        Mark::refuse(name, "an enum")?;
        self.in_field = false;
        self.out.extend_from_slice(&(wire::hash(variant) | argument).to_be_bytes());
        Ok(())
    }

    /// Writes what follows the tag of a SHARED: the value at an address, or where it was.
    pub(super) fn put_shared<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        once: bool,
    ) -> Result<Option<Tag>> {
        let place = Place::of(value);
        // Values of no size have no place of their own.
        let once = once || place.is_empty();
        let position = self.out.len();
        if !once {
            if let Some(height) = self.sharing.refer(place, position)? {
                self.depth.pass(height)?;
                self.out.push(PLACEHOLDER);
                return Ok(Some(Tag::Shared));
            }
        }
        // A place may serve the next value once nobody holds this one.
        self.sharing.define((!once).then_some(place), position);
        self.in_field = false;
        let outer = self.depth.measure();
        self.depth.enter()?;
        self.out.push(0);
        self.put(value, None)?;
        self.depth.leave();
        let height = self.depth.measured(outer);
        self.sharing.close(self.out.len(), height);
        Ok(Some(Tag::Shared))
    }

    /// Writes what follows the tag of a node of the format's own tree.
    fn put_node<T: ?Sized + Serialize>(
        &mut self,
        variant: &'static str,
        payload: &T,
    ) -> Result<Option<Tag>> {
        self.refuse_flattened("a `Value` in a flattened type has no tag when it comes back")?;
        let node = value::capture(variant, payload, self.depth)?;
        let rows = value::write_untagged(&node, &mut self.depth, &mut self.out)?;
        self.spend_empty_rows(rows)?;
        Ok(Some(node.tag()))
    }

    /// Refuses what serde's `flatten` could not read back, since it asks the data for its type.
    #[inline]
    pub(super) fn refuse_flattened(&self, reason: &'static str) -> Result<()> {
        match self.flattened {
            0 => Ok(()),
            _ => Err(Error::placeless(Fault::Unsupported(reason))),
        }
    }

    /// Counts rows that take no bytes.
    pub(super) fn spend_empty_rows(&mut self, rows: usize) -> Result<()> {
        match self.empty_rows.checked_sub(rows) {
            Some(left) => {
                self.empty_rows = left;
                self.sharing.spend_empty_rows(rows);
                Ok(())
            }
            None => Err(Error::placeless(ErrorKind::EmptyRows { rows })),
        }
    }
}

/// serde's buffers have no 128 bits.
pub(super) const WIDE_IN_FLATTENED: &str = "flattened types cannot hold 128-bit integers";

/// A number that a mark's width cannot hold.
#[cold]
pub(super) fn inexact(mark: Mark, value: &dyn fmt::Debug) -> Error {
    let (mark, value) = (mark.keyword(), format!("{value:?}"));
    Error::placeless(ErrorKind::Inexact { mark, value })
}

macro_rules! serialize_uvint {
    ($($method:ident $type:ty,)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<Option<Tag>> {
            wire::put_uvint(&mut self.out, u128::from(value));
            Ok(Some(Tag::Uvint))
        }
    )*};
}

macro_rules! serialize_svint {
    ($($method:ident $type:ty,)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<Option<Tag>> {
            wire::put_uvint(&mut self.out, wire::zigzag(i128::from(value)));
            Ok(Some(Tag::Svint))
        }
    )*};
}

impl<'a> ser::Serializer for &'a mut Encoder {
    type Ok = Option<Tag>;
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    serialize_uvint! {
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
    }

    serialize_svint! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
    }

    fn serialize_u128(self, value: u128) -> Result<Option<Tag>> {
        self.refuse_flattened(WIDE_IN_FLATTENED)?;
        wire::put_uvint(&mut self.out, value);
        Ok(Some(Tag::Uvint))
    }

    fn serialize_i128(self, value: i128) -> Result<Option<Tag>> {
        self.refuse_flattened(WIDE_IN_FLATTENED)?;
        wire::put_uvint(&mut self.out, wire::zigzag(value));
        Ok(Some(Tag::Svint))
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<Option<Tag>> {
        self.out.push(u8::from(value));
        Ok(Some(Tag::Bool))
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<Option<Tag>> {
        self.out.extend_from_slice(&value.to_be_bytes());
        Ok(Some(Tag::Float32))
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<Option<Tag>> {
        self.out.extend_from_slice(&value.to_be_bytes());
        Ok(Some(Tag::Float64))
    }

    #[inline]
    fn serialize_char(self, value: char) -> Result<Option<Tag>> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<Option<Tag>> {
        self.serialize_bytes(value.as_bytes())
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<Option<Tag>> {
        wire::put_length(&mut self.out, value.len());
        self.out.extend_from_slice(value);
        self.sharing.pass_text(value.len());
        Ok(Some(Tag::String))
    }

    #[inline]
    fn serialize_none(self) -> Result<Option<Tag>> {
        self.out.push(wire::NONE);
        Ok(Some(Tag::NumVariant))
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Option<Tag>> {
        self.put_some(value, None)
    }

    #[inline]
    fn serialize_unit(self) -> Result<Option<Tag>> {
        self.out.push(0);
        Ok(Some(Tag::Unit))
    }

    #[inline]
    fn serialize_unit_struct(self, name: &'static str) -> Result<Option<Tag>> {
        Mark::refuse(name, "a unit struct")?;
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Option<Tag>> {
        if name == VALUE {
            return self.put_node(variant, &());
        }
        self.put_variant(name, variant, 0)?;
        Ok(Some(Tag::Variant))
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Option<Tag>> {
        self.depth.wrap()?;
        let tag = match Mark::of_newtype(name) {
            None => value.serialize(&mut *self)?,
            Some(Mark::Shared { once }) => self.put_shared(value, once)?,
            mark => self.put_untagged(value, mark)?,
        };
        self.depth.unwrap();
        Ok(tag)
    }

    #[inline]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Option<Tag>> {
        if name == VALUE {
            return self.put_node(variant, value);
        }
        self.put_variant(name, variant, wire::ARGUMENT)?;
        self.depth.enter()?;
        self.put(value, None)?;
        self.depth.leave();
        Ok(Some(Tag::Variant))
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a>> {
        Compound::sequence(self, len, None)
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a>> {
        Compound::tuple(self, len, None)
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound<'a>> {
        Mark::refuse(name, "a tuple struct")?;
        Compound::tuple(self, len, None)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        self.put_variant(name, variant, wire::ARGUMENT)?;
        self.depth.enter()?;
        self.out.push(Tag::Tuple.byte());
        Compound::tuple(self, len, None).map(Compound::for_variant)
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'a>> {
        Compound::map(self, len)
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Compound<'a>> {
        Mark::refuse(name, "a struct")?;
        Compound::record(self, name, len)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        self.put_variant(name, variant, wire::ARGUMENT)?;
        self.depth.enter()?;
        self.out.push(Tag::Record.byte());
        Compound::record(self, variant, len).map(Compound::for_variant)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
