//! Writing a value that has parts: one type for all of serde's compound traits.
//!
//! What writes one part has to be compiled into whoever writes them all: there the hash of a field's
//! name, the choice of shape and the tag are constants. Not so without optimization, where it would
//! only make frames large, and types nest deep.

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::front::{Bare, Front, Key, Tagged};
use super::row::{Rows, put_row};
use super::slot::Slot;
use crate::biniou::mark::Mark;
use crate::biniou::names::Met;
use crate::biniou::skip::pass;
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::Segment;
use crate::limits::Depth;
use crate::read::Reader;

/// A value whose parts are being written. It begins with its length.
#[derive(Debug)]
pub(in crate::biniou) struct Compound<'a> {
    pub(super) encoder: &'a mut Encoder,
    /// Where the length is.
    start: usize,
    /// Whether the tag stands in front of it, and not elsewhere.
    has_tag: bool,
    /// The length that stands there for now.
    announced: usize,
    /// Parts so far.
    count: usize,
    /// How far the names of a record's fields have been met.
    met: Met,
    shape: Shape,
    /// The mark of a sequence of numbers, which is that of each.
    mark: Option<Mark>,
    /// Whether this is the argument of a variant.
    argument: bool,
    /// Whether this is a map of unknown length, which is what serde's `flatten` makes.
    flattens: bool,
    /// Whether an entry lacks its value.
    lacks_value: bool,
}

/// What the value is, as far as that is known.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// An ARRAY: before the first item, and when that has shown the tag of all.
    NewArray,
    Array(Tag),
    /// A TUPLE, or a sequence that turned out to have unlike items.
    Tuple,
    /// A map: an ARRAY of TUPLEs of two.
    Map,
    Record,
    /// A TABLE, whose rows the encoder knows more about.
    Table,
}

impl<'a> Compound<'a> {
    #[inline(always)]
    fn new<F: Front>(slot: Slot<'a, F>, tag: Tag, announced: usize, shape: Shape) -> Result<Self> {
        let Slot { encoder, front } = slot;
        encoder.depth.enter()?;
        let before = encoder.out.len();
        front.put_length(&mut encoder.out, tag, announced);
        let start = before + F::SIZE;
        Ok(Compound {
            encoder,
            start,
            has_tag: F::SIZE > 0,
            announced,
            count: 0,
            met: Met::NONE,
            shape,
            mark: None,
            argument: false,
            flattens: false,
            lacks_value: false,
        })
    }

    /// A sequence; `mark` is that of each item.
    #[inline(always)]
    pub(super) fn sequence<F: Front>(
        slot: Slot<'a, F>,
        len: Option<usize>,
        mark: Option<Mark>,
    ) -> Result<Self> {
        Ok(Compound { mark, ..Self::new(slot, Tag::Array, len.unwrap_or(0), Shape::NewArray)? })
    }

    /// A tuple or array; `mark` is that of each item.
    #[inline(always)]
    pub(super) fn tuple<F: Front>(
        slot: Slot<'a, F>,
        len: usize,
        mark: Option<Mark>,
    ) -> Result<Self> {
        Ok(Compound { mark, ..Self::new(slot, Tag::Tuple, len, Shape::Tuple)? })
    }

    /// A map.
    #[inline(always)]
    pub(super) fn map<F: Front>(slot: Slot<'a, F>, len: Option<usize>) -> Result<Self> {
        slot.encoder.refuse_flattened("a map in a flattened type would come back as a list")?;
        let flattens = len.is_none();
        slot.encoder.flattened += u16::from(flattens);
        Ok(Compound { flattens, ..Self::new(slot, Tag::Array, len.unwrap_or(0), Shape::Map)? })
    }

    /// A struct; `name` is its own or the variant's.
    #[inline(always)]
    pub(super) fn record<F: Front>(
        slot: Slot<'a, F>,
        name: &'static str,
        len: usize,
    ) -> Result<Self> {
        let met = slot.encoder.names.of(name);
        Ok(Compound { met, ..Self::new(slot, Tag::Record, len, Shape::Record)? })
    }

    /// A sequence of structs by the mark `table`.
    #[inline(always)]
    pub(super) fn table<F: Front>(slot: Slot<'a, F>, len: Option<usize>) -> Result<Self> {
        slot.encoder.tables.push(Rows::default());
        Self::new(slot, Tag::Table, len.unwrap_or(0), Shape::Table)
    }

    /// Notes that a variant's hash and the tag stand in front.
    #[inline(always)]
    pub(super) fn for_variant(self) -> Self {
        Compound { argument: true, ..self }
    }

    /// Writes the next item of a sequence.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let (encoder, mark) = (&mut *self.encoder, self.mark);
        match self.shape {
            Shape::Array(tag) => {
                let at = encoder.out.len();
                match (Slot { encoder, front: Bare }).put_marked(value, mark)? {
                    Some(next) if next != tag => self.array_becomes_tuple(next, at)?,
                    _ => {}
                }
            }
            Shape::Table => return self.put_row(value),
            shape => {
                let tag = Slot { encoder, front: Tagged }.put_marked(value, mark)?;
                if let (Shape::NewArray, Some(tag)) = (shape, tag) {
                    // The first item shows the tag of all.
                    self.shape = Shape::Array(tag);
                }
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Writes the next cell of a tuple.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_cell<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let slot = Slot { encoder: &mut *self.encoder, front: Tagged };
        slot.put_marked(value, self.mark)?;
        self.count += 1;
        Ok(())
    }

    #[inline(never)]
    fn put_row<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        // Tables in this one come behind it, and are gone again.
        let Some(mut rows) = self.encoder.tables.pop() else { return Ok(()) };
        let result = put_row(self.encoder, &mut rows, value);
        self.encoder.tables.push(rows);
        self.count += 1;
        result
    }

    /// Where the tag of an ARRAY's items is, behind its length.
    fn items_at(&self) -> usize {
        self.start + wire::uvint_size(u128::try_from(self.announced).unwrap_or(u128::MAX))
    }

    /// Gives each item a tag of its own, since the one that begins at `last` has another.
    #[cold]
    fn array_becomes_tuple(&mut self, next: Tag, last: usize) -> Result<()> {
        let Shape::Array(tag) = self.shape else { return Ok(()) };
        let tag_at = self.items_at();
        let items = self.encoder.out.split_off(tag_at);
        let mut starts = Vec::new();
        // The common tag is the first one's already.
        let mut reader = Reader::new(&items, tag_at);
        reader.take::<ErrorKind>(1)?;
        let mut rest = items.as_slice();
        while reader.offset() < last {
            let from = reader.offset();
            pass(&mut reader, Some(tag), Depth::new(u16::MAX))?;
            starts.push(from);
            self.encoder.out.push(tag.byte());
            let tagless = usize::from(starts.len() == 1);
            rest = rest.get(tagless..).unwrap_or_default();
            let (item, tail) = rest.split_at_checked(reader.offset() - from).unwrap_or_default();
            self.encoder.out.extend_from_slice(item);
            rest = tail;
        }
        starts.push(last);
        self.encoder.out.push(next.byte());
        self.encoder.out.extend_from_slice(rest);
        self.encoder.sharing.spread(&starts);
        self.shape = Shape::Tuple;
        let tag_at = self.start.checked_sub(1).filter(|_| self.has_tag);
        if let Some(tag) = tag_at.and_then(|at| self.encoder.out.get_mut(at)) {
            *tag = Tag::Tuple.byte();
        }
        Ok(())
    }

    /// Writes the next field of a record.
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        // Where this is compiled for one field, so is the hash.
        let hash = wire::hash(key);
        let Encoder { names, out, .. } = &mut *self.encoder;
        let (start, count) = (self.start, self.count);
        let is_here = || has_field(out.get(start..).unwrap_or_default(), count, hash);
        names.meet(&mut self.met, hash, key, is_here)?;
        let tag = value.serialize(Slot { encoder: &mut *self.encoder, front: Key::new(hash) })?;
        self.count += usize::from(tag.is_some());
        Ok(())
    }

    /// Says in which part something is wrong, and that the document cannot be complete.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: Error, part: Segment) -> Error {
        self.encoder.failed = true;
        error.inside(part)
    }

    /// Completes the value.
    #[inline(always)]
    fn finish(self) -> Result<Option<Tag>> {
        self.close().map(|(_, tag)| tag)
    }

    /// Completes the value and gives the encoder back.
    #[inline(always)]
    pub(super) fn close(mut self) -> Result<(&'a mut Encoder, Option<Tag>)> {
        self.encoder.flattened -= u16::from(self.flattens);
        if self.lacks_value {
            let (announced, given) = (self.count + 1, self.count);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        let tag = match self.shape {
            Shape::Array(Tag::Tuple) if self.encoder.flattened > 0 => {
                self.refuse_pairs()?;
                Tag::Array
            }
            Shape::NewArray | Shape::Array(_) | Shape::Map => Tag::Array,
            Shape::Tuple => Tag::Tuple,
            Shape::Record => Tag::Record,
            Shape::Table => {
                if let Some(rows) = self.encoder.tables.pop() {
                    rows.finish(self.encoder, self.count)?;
                }
                Tag::Table
            }
        };
        if self.count != self.announced {
            self.patch_length();
        }
        self.encoder.depth.leave();
        if !self.argument {
            return Ok((self.encoder, Some(tag)));
        }
        self.encoder.depth.leave();
        Ok((self.encoder, Some(Tag::Variant)))
    }

    /// Refuses, in a flattened type, a list of pairs that would come back as a map.
    #[cold]
    fn refuse_pairs(&self) -> Result<()> {
        let items = self.encoder.out.get(self.items_at() + 1..).unwrap_or_default();
        match wire::is_pair_with_name(items) {
            false => Ok(()),
            true => {
                let reason = "a list of pairs in a flattened type could be a map";
                self.encoder.refuse_flattened(reason)
            }
        }
    }

    /// Corrects the length: of a sequence that did not know it, or of a record with fields left out.
    #[cold]
    fn patch_length(&mut self) {
        let old = wire::uvint_size(u128::try_from(self.announced).unwrap_or(u128::MAX));
        let mut length = Vec::new();
        wire::put_length(&mut length, self.count);
        let by = isize::try_from(length.len()).unwrap_or(0) - isize::try_from(old).unwrap_or(0);
        if by != 0 {
            self.encoder.sharing.moved(self.start + 1, by);
        }
        self.encoder.out.splice(self.start..self.start + old, length);
    }

    /// Writes the key of a map's next entry: the first cell of a TUPLE of two.
    #[inline(always)]
    fn put_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        if self.count == 0 {
            self.encoder.out.push(Tag::Tuple.byte());
        }
        if core::mem::replace(&mut self.lacks_value, true) {
            let (announced, given) = (self.count + 1, self.count);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        wire::put_length(&mut self.encoder.out, ENTRY_CELLS);
        self.encoder.depth.enter()?;
        self.encoder.put(key)?;
        Ok(())
    }

    #[inline(always)]
    fn put_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        if !core::mem::take(&mut self.lacks_value) {
            let (announced, given) = (self.count, self.count + 1);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        self.encoder.put(value)?;
        self.encoder.depth.leave();
        self.count += 1;
        Ok(())
    }
}

/// Cells of a map's entry: key and value.
const ENTRY_CELLS: usize = 2;

/// The traits whose parts have no names.
macro_rules! serialize_items {
    ($($trait:ident $method:ident $put:ident $segment:ident,)*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = Option<Tag>;
            type Error = Error;

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                let index = self.count;
                match self.$put(value) {
                    Ok(()) => Ok(()),
                    Err(error) => Err(self.fail(error, Segment::$segment(index))),
                }
            }

            #[inline(always)]
            fn end(self) -> Result<Option<Tag>> {
                self.finish()
            }
        }
    )*};
}

serialize_items! {
    SerializeSeq serialize_element put Index,
    SerializeTuple serialize_element put_cell Index,
    SerializeTupleStruct serialize_field put_cell Slot,
    SerializeTupleVariant serialize_field put_cell Slot,
}

/// The traits whose parts have names. A skipped field takes no bytes.
macro_rules! serialize_fields {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = Option<Tag>;
            type Error = Error;

            #[cfg_attr(debug_assertions, inline)]
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                match self.put_field(key, value) {
                    Ok(()) => Ok(()),
                    Err(error) => Err(self.fail(error, Segment::Field(key.into()))),
                }
            }

            #[inline(always)]
            fn end(self) -> Result<Option<Tag>> {
                self.finish()
            }
        }
    )*};
}

serialize_fields! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Compound<'_> {
    type Ok = Option<Tag>;
    type Error = Error;

    #[inline(always)]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        let index = self.count;
        let result = self.put_key(key);
        self.encoder.failed |= result.is_err();
        result.map_err(|error| in_entry(error, index, "key"))
    }

    #[inline(always)]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        let result = self.put_value(value);
        self.encoder.failed |= result.is_err();
        result.map_err(|error| in_entry(error, index, "value"))
    }

    #[inline(always)]
    fn end(self) -> Result<Option<Tag>> {
        self.finish()
    }
}

/// Whether one of the first `count` fields of the record that `bytes` begin with has that hash.
#[cold]
fn has_field(bytes: &[u8], count: usize, hash: u32) -> bool {
    let mut reader = Reader::new(bytes, 0);
    if wire::take_uvint(&mut reader).is_err() {
        return false;
    }
    let mut next = || {
        let field = wire::take_field(&mut reader)?;
        pass(&mut reader, None, Depth::new(u16::MAX)).map(|()| field)
    };
    (0..count).any(|_| next().is_ok_and(|field| field == hash))
}

#[cold]
fn in_entry(error: Error, index: usize, field: &'static str) -> Error {
    error.inside(Segment::Field(field.into())).inside(Segment::Index(index))
}
