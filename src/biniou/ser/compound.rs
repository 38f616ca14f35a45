//! Writes the items of a list, the fields of a record, or the entries of a map.
//!
//! What is called for every value is always inlined, for the reason in [`ser`](super).

use serde_core::ser::{self, Serialize};

use super::adjacent::ADJACENT_FIELDS;
use super::encoder::Encoder;
use super::fields::Fields;
use super::length_slot::LengthSlot;
use super::prefix::Prefix;
use super::table::{self, Table};
use super::value::Value;
use super::written::Written;
use crate::biniou::error::{FLATTEN, NAMES};
use crate::biniou::wire::{self, ENTRY_CELLS, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::{CommonKind, Segment};
use crate::forecast::Forecast;

/// A value whose items, fields or entries are being written. It begins with its length.
///
/// Only if `MARKED`, a mark may have made it a TABLE or a row, or be on each item.
#[derive(Debug)]
pub(in crate::biniou) struct Compound<'a, const MARKED: bool> {
    encoder: &'a mut Encoder,
    slot: LengthSlot,
    /// How many items, fields or entries are complete.
    count: usize,
    /// The names of a record so far.
    fields: Fields,
    shape: Shape,
    /// The prefix of each item, with its mark.
    item: Prefix,
    /// Whether this is the argument of a variant.
    is_argument: bool,
    /// Whether an entry lacks its value.
    lacks_value: bool,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    /// An ARRAY without an item yet. The first one determines the tag of all.
    NewArray,
    Array(Written),
    /// A TUPLE, or a sequence whose items have different tags.
    Tuple,
    /// A map: an ARRAY of TUPLEs of two. One of unknown length is what serde's `flatten` makes.
    Map {
        flattens: bool,
    },
    Record,
    /// The content of an adjacently tagged enum: a record that is read without the names of its fields.
    Content,
    /// The encoder has the columns.
    Table,
    Row,
}

impl<'a, const MARKED: bool> Compound<'a, MARKED> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(
        writer: Value<'a, MARKED>,
        tag: Tag,
        announced: usize,
        shape: Shape,
        fields: Fields,
    ) -> Result<Self> {
        let Value { encoder, prefix } = writer;
        encoder.depth.enter()?;
        let start = encoder.out.len() + prefix.size();
        prefix.put_length(&mut encoder.out, tag, announced);
        let slot = LengthSlot { start, has_tag: prefix.size() > 0, announced };
        let item = Prefix::TAGGED.with_mark(if MARKED { prefix.mark() } else { None });
        Ok(Self::begun(encoder, slot, shape, item, fields))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begun(
        encoder: &'a mut Encoder,
        slot: LengthSlot,
        shape: Shape,
        item: Prefix,
        fields: Fields,
    ) -> Self {
        let (is_argument, lacks_value) = (false, false);
        Compound { encoder, slot, count: 0, fields, shape, item, is_argument, lacks_value }
    }

    /// A sequence, whose mark is that of each item.
    pub(super) fn sequence(writer: Value<'a, MARKED>, len: Option<usize>) -> Result<Self> {
        Self::new(writer, Tag::Array, len.unwrap_or(0), Shape::NewArray, Fields::NONE)
    }

    /// A tuple or array, whose mark is that of each item.
    pub(super) fn tuple(writer: Value<'a, MARKED>, len: usize) -> Result<Self> {
        Self::new(writer, Tag::Tuple, len, Shape::Tuple, Fields::NONE)
    }

    pub(super) fn map(writer: Value<'a, MARKED>, len: Option<usize>) -> Result<Self> {
        writer.encoder.refuse_flattened(MAP_IN_FLATTENED)?;
        let flattens = len.is_none();
        writer.encoder.flattened += u16::from(flattens);
        Self::new(writer, Tag::Array, len.unwrap_or(0), Shape::Map { flattens }, Fields::NONE)
    }

    pub(super) fn record(writer: Value<'a, MARKED>, len: usize) -> Result<Self> {
        let fields = Fields::of(writer.encoder, len);
        Self::new(writer, Tag::Record, len, Shape::Record, fields)
    }

    /// The named fields of an adjacently tagged enum.
    pub(super) fn content(writer: Value<'a, MARKED>, len: usize) -> Result<Self> {
        Ok(Compound { shape: Shape::Content, ..Self::record(writer, len)? })
    }

    /// A sequence or array of structs, by the mark `table`.
    pub(super) fn table(writer: Value<'a, MARKED>, len: usize) -> Result<Self> {
        writer.encoder.tables.push(Table::default());
        Self::new(writer, Tag::Table, len, Shape::Table, Fields::NONE)
    }

    /// A struct that is a row of the innermost table.
    pub(super) fn row(writer: Value<'a, MARKED>, len: usize) -> Result<Self> {
        let Value { encoder, prefix } = writer;
        table::begin_row(encoder, len)?;
        let slot = LengthSlot { start: 0, has_tag: false, announced: len };
        Ok(Self::begun(encoder, slot, Shape::Row, prefix, Fields::NONE))
    }

    /// Notes that this is the argument of a variant, which precedes it.
    pub(super) fn for_variant(self) -> Self {
        Compound { is_argument: true, ..self }
    }

    /// Writes the next item of a list, or row of a TABLE; `segment` is its step in the path of an error.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        segment: fn(usize) -> Segment,
    ) -> Result<()> {
        let at = self.encoder.out.len();
        let result = match self.shape {
            Shape::Table if MARKED => put_row(self.encoder, value),
            Shape::Array(_) => {
                let prefix = self.item.without_tag();
                value.serialize(Value::<MARKED>::new(self.encoder, prefix))
            }
            _ => value.serialize(Value::<MARKED>::new(self.encoder, self.item)),
        };
        match (result, self.shape) {
            (Err(error), _) => return Err(fail(self.encoder, error, segment(self.count))),
            (Ok(next), Shape::Array(tag)) if next != tag => {
                self.slot.array_becomes_tuple(self.encoder, tag, next, at)?;
                self.shape = Shape::Tuple;
            }
            (Ok(tag), Shape::NewArray) => self.shape = Shape::Array(tag),
            _ => {}
        }
        self.count += 1;
        Ok(())
    }

    /// Writes all `items` and completes the sequence. serde's own sequences call this.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn collect<I>(mut self, mut items: I) -> Result<Written>
    where
        I: Iterator,
        I::Item: Serialize,
    {
        let forecast = Forecast { at: self.encoder.out.len(), count: self.count };
        while let Some(item) = items.next() {
            self.put(&item, Segment::Index)?;
            self.encoder.out.look_ahead(forecast, self.count, &items);
        }
        self.finish()
    }

    /// Writes the next field of a record, or cell of a row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        // A constant where this is inlined for one field.
        let hash = wire::hash(key);
        if let (true, Shape::Row) = (MARKED, self.shape) {
            if self.slot.announced == ADJACENT_FIELDS {
                self.expect_adjacent(value);
            }
            let tag = value.serialize(Value::<false>::new(self.encoder, Prefix::UNTAGGED))?;
            table::end_cell(self.encoder, self.count, (hash, key), tag)?;
            self.count += 1;
            return Ok(());
        }
        self.fields.add(self.encoder, (hash, key));
        if self.slot.announced == ADJACENT_FIELDS {
            self.expect_adjacent(value);
        }
        let tag = value.serialize(Value::<false>::new(self.encoder, Prefix::of_field(hash)))?;
        match tag {
            Written::ABSENT => self.leave_out(),
            _ => {
                self.count += 1;
                Ok(())
            }
        }
    }

    /// Expects that the next field is the tag or the content of an adjacently tagged enum.
    fn expect_adjacent<T: ?Sized>(&mut self, value: &T) {
        let record = self.slot.start;
        let Encoder { out, adjacent, tells_names, .. } = &mut *self.encoder;
        match self.count {
            _ if *tells_names => {}
            0 => adjacent.expect_tag(value, record, out.len()),
            _ => adjacent.expect_content(value, record, out.len()),
        }
    }

    /// Leaves a field out.
    fn skip(&mut self, key: &'static str) -> Result<()> {
        let result = match self.shape {
            Shape::Row if MARKED => Err(table::skipped(self.encoder)),
            _ => self.leave_out(),
        };
        result.map_err(|error| fail(self.encoder, error, Segment::Field(key.into())))
    }

    /// A record lacks a field: only its name would show which one.
    fn leave_out(&self) -> Result<()> {
        match self.shape {
            Shape::Content => Err(no_adjacent_fields()),
            _ => Ok(()),
        }
    }

    /// Writes the key of the next entry: the first cell of a TUPLE of two.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        if self.count == 0 {
            self.encoder.out.put_bytes(&[Tag::Tuple.byte()]);
        }
        if core::mem::replace(&mut self.lacks_value, true) {
            return Err(wrong_length(self.count + 1, self.count));
        }
        Prefix::UNTAGGED.put_length(&mut self.encoder.out, Tag::Tuple, ENTRY_CELLS);
        self.encoder.depth.enter()?;
        self.encoder.put(key).map(drop)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        if !core::mem::take(&mut self.lacks_value) {
            return Err(wrong_length(self.count, self.count + 1));
        }
        self.encoder.put(value)?;
        self.encoder.depth.leave();
        self.count += 1;
        Ok(())
    }

    /// Completes the value.
    fn finish(self) -> Result<Written> {
        self.close().map(|(_, written)| written)
    }

    /// Completes the value and returns the encoder.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        let Compound { encoder, slot, count, fields, shape, is_argument, lacks_value, .. } = self;
        if lacks_value {
            return Err(wrong_length(count + 1, count));
        }
        let tag = match shape {
            Shape::Array(tag) => {
                if encoder.flattened > 0 && tag == Written::of(Tag::Tuple) {
                    slot.refuse_pairs(encoder)?;
                }
                Tag::Array
            }
            Shape::NewArray => Tag::Array,
            Shape::Map { flattens } => {
                encoder.flattened -= u16::from(flattens);
                Tag::Array
            }
            Shape::Tuple => Tag::Tuple,
            Shape::Record | Shape::Content => {
                fields.finish(encoder)?;
                Tag::Record
            }
            Shape::Row if MARKED => {
                table::end_row(encoder, count)?;
                return Ok((encoder, Written::of(Tag::Record)));
            }
            Shape::Row | Shape::Table => {
                table::end(encoder)?;
                Tag::Table
            }
        };
        if count != slot.announced {
            slot.patch_length(encoder, count);
        }
        encoder.depth.leave();
        if !is_argument {
            return Ok((encoder, Written::of(tag)));
        }
        encoder.depth.leave();
        Ok((encoder, Written::of(Tag::Variant)))
    }
}

/// Writes a row of the innermost table.
#[inline(never)]
fn put_row<T: ?Sized + Serialize>(encoder: &mut Encoder, value: &T) -> Result<Written> {
    value.serialize(Value::<true>::new(encoder, Prefix::of_row()))
}

/// Maps and lists of pairs are the same bytes.
const MAP_IN_FLATTENED: (&str, &str) =
    ("a map in a flattened type would come back as a list", FLATTEN);

/// Fields of an adjacently tagged enum are read by their order.
#[cold]
#[inline(never)]
fn no_adjacent_fields() -> Error {
    let reason = "a field of an adjacently tagged enum is left out, and needs its name";
    Error::placeless(CommonKind::Unsupported { reason, hint: Some(NAMES) })
}

#[cold]
#[inline(never)]
fn wrong_length(announced: usize, given: usize) -> Error {
    Error::placeless(ErrorKind::LengthMismatch { announced, given })
}

/// Adds a step to the path of an error. Notes that there was one, since a type may ignore it.
#[cold]
#[inline(never)]
fn fail(encoder: &mut Encoder, error: Error, segment: Segment) -> Error {
    encoder.failed = true;
    error.inside(segment)
}

macro_rules! compound {
    ($($trait:ident { $($methods:tt)* })*) => {$(
        impl<const MARKED: bool> ser::$trait for Compound<'_, MARKED> {
            type Ok = Written;
            type Error = Error;

            $($methods)*

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<Written> {
                self.finish()
            }
        }
    )*};
}

macro_rules! named {
    () => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_field<T: ?Sized + Serialize>(
            &mut self,
            key: &'static str,
            value: &T,
        ) -> Result<()> {
            match self.put_field(key, value) {
                Ok(()) => Ok(()),
                Err(error) => Err(fail(self.encoder, error, Segment::Field(key.into()))),
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn skip_field(&mut self, key: &'static str) -> Result<()> {
            self.skip(key)
        }
    };
}

macro_rules! numbered {
    ($method:ident $segment:ident) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
            self.put(value, Segment::$segment)
        }
    };
}

compound! {
    SerializeSeq { numbered! { serialize_element Index } }
    SerializeTuple { numbered! { serialize_element Index } }
    SerializeTupleStruct { numbered! { serialize_field Slot } }
    SerializeTupleVariant { numbered! { serialize_field Slot } }
    SerializeStruct { named! {} }
    SerializeStructVariant { named! {} }
    SerializeMap {
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
            let result = self.put_key(key);
            self.encoder.failed |= result.is_err();
            result.map_err(|error| error.in_entry(self.count, "key"))
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
            let index = self.count;
            let result = self.put_value(value);
            self.encoder.failed |= result.is_err();
            result.map_err(|error| error.in_entry(index, "value"))
        }
    }
}
