//! Writing a value that has parts: one type for all of serde's compound traits.

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::row::{Rows, put_row};
use crate::biniou::mark::Mark;
use crate::biniou::skip::pass;
use crate::biniou::wire::{self, ARGUMENT, Tag};
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
    /// The length that stands there for now.
    announced: usize,
    /// Parts so far.
    count: usize,
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
#[derive(Debug)]
enum Shape {
    /// An ARRAY whose items' tag, once there is one, stands at `tag_at`.
    Array { tag_at: usize, tag: Option<Tag> },
    /// A TUPLE, or a sequence that turned out to have unlike items.
    Tuple,
    /// A map: an ARRAY of TUPLEs of two.
    Map,
    /// A RECORD; `names` is the number by which its type's names are known.
    Record { names: usize },
    /// A TABLE.
    Table(Rows),
}

impl<'a> Compound<'a> {
    #[inline]
    fn new(encoder: &'a mut Encoder, announced: usize, shape: Shape) -> Result<Self> {
        encoder.depth.enter()?;
        encoder.in_field = false;
        let start = encoder.out.len();
        wire::put_length(&mut encoder.out, announced);
        Ok(Compound {
            encoder,
            start,
            announced,
            count: 0,
            shape,
            mark: None,
            argument: false,
            flattens: false,
            lacks_value: false,
        })
    }

    /// A sequence; `mark` is that of each item.
    #[inline]
    pub(super) fn sequence(
        encoder: &'a mut Encoder,
        len: Option<usize>,
        mark: Option<Mark>,
    ) -> Result<Self> {
        let shape = Shape::Array { tag_at: 0, tag: None };
        Ok(Compound { mark, ..Self::new(encoder, len.unwrap_or(0), shape)? })
    }

    /// A tuple or array; `mark` is that of each item.
    #[inline]
    pub(super) fn tuple(encoder: &'a mut Encoder, len: usize, mark: Option<Mark>) -> Result<Self> {
        Ok(Compound { mark, ..Self::new(encoder, len, Shape::Tuple)? })
    }

    /// A map.
    #[inline]
    pub(super) fn map(encoder: &'a mut Encoder, len: Option<usize>) -> Result<Self> {
        encoder.refuse_flattened("a map in a flattened type would come back as a list")?;
        let flattens = len.is_none();
        encoder.flattened += u16::from(flattens);
        Ok(Compound { flattens, ..Self::new(encoder, len.unwrap_or(0), Shape::Map)? })
    }

    /// A struct; `name` is its own or the variant's.
    #[inline]
    pub(super) fn record(encoder: &'a mut Encoder, name: &'static str, len: usize) -> Result<Self> {
        let names = encoder.names.of(name);
        Self::new(encoder, len, Shape::Record { names })
    }

    /// A sequence of structs by the mark `table`.
    #[inline]
    pub(super) fn table(encoder: &'a mut Encoder, len: Option<usize>) -> Result<Self> {
        Self::new(encoder, len.unwrap_or(0), Shape::Table(Rows::default()))
    }

    /// Notes that a variant's hash and the tag stand in front.
    #[inline]
    pub(super) fn for_variant(self) -> Self {
        Compound { argument: true, ..self }
    }

    /// Writes the next item of a sequence or tuple.
    #[inline]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        match &mut self.shape {
            Shape::Array { tag: Some(tag), .. } => {
                let (tag, at) = (*tag, self.encoder.out.len());
                let next = self.encoder.put_untagged(value, self.mark)?;
                if let Some(next) = next.filter(|next| *next != tag) {
                    self.array_becomes_tuple(next, at)?;
                }
            }
            Shape::Array { .. } => {
                // The first item shows the tag of all.
                let tag_at = self.encoder.out.len();
                self.encoder.put(value, self.mark)?;
                let tag = self.encoder.out.get(tag_at).copied().and_then(Tag::from_byte);
                self.shape = Shape::Array { tag_at, tag };
            }
            Shape::Table(rows) => put_row(self.encoder, rows, value)?,
            Shape::Tuple | Shape::Map | Shape::Record { .. } => {
                self.encoder.put(value, self.mark)?;
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Gives each item a tag of its own, since the one that begins at `last` has another.
    #[cold]
    fn array_becomes_tuple(&mut self, next: Tag, last: usize) -> Result<()> {
        let Shape::Array { tag_at, tag: Some(tag) } = self.shape else { return Ok(()) };
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
        Ok(())
    }

    /// Writes the next field of a record.
    #[inline]
    fn put_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let Shape::Record { names } = self.shape else { return Ok(()) };
        let Encoder { names: known, out, .. } = &mut *self.encoder;
        let (start, count) = (self.start, self.count);
        let is_here = |hash| has_field(out.get(start..).unwrap_or_default(), count, hash);
        let hash = known.hash(names, count, key, is_here)?;
        let start = self.encoder.out.len();
        self.encoder.out.extend_from_slice(&(hash | ARGUMENT).to_be_bytes());
        self.encoder.in_field = true;
        if self.encoder.put(value, None)? {
            self.count += 1;
        } else {
            self.encoder.out.truncate(start);
        }
        self.encoder.in_field = false;
        Ok(())
    }

    /// Completes the value.
    #[inline]
    fn finish(self) -> Result<Option<Tag>> {
        self.close().map(|(_, tag)| tag)
    }

    /// Completes the value and gives the encoder back.
    #[inline]
    pub(super) fn close(mut self) -> Result<(&'a mut Encoder, Option<Tag>)> {
        self.encoder.flattened -= u16::from(self.flattens);
        if self.lacks_value {
            let (announced, given) = (self.count + 1, self.count);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        let tag = match &mut self.shape {
            Shape::Array { tag_at, tag: Some(Tag::Tuple) } => {
                let items = self.encoder.out.get(*tag_at + 1..).unwrap_or_default();
                if wire::is_pair_with_name(items) {
                    let reason = "a list of pairs in a flattened type could be a map";
                    self.encoder.refuse_flattened(reason)?;
                }
                Tag::Array
            }
            Shape::Array { .. } | Shape::Map => Tag::Array,
            Shape::Tuple => Tag::Tuple,
            Shape::Record { .. } => Tag::Record,
            Shape::Table(rows) => {
                rows.finish(self.encoder, self.count)?;
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
    #[inline]
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
        self.encoder.put(key, None)?;
        Ok(())
    }

    #[inline]
    fn put_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        if !core::mem::take(&mut self.lacks_value) {
            let (announced, given) = (self.count, self.count + 1);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        self.encoder.put(value, None)?;
        self.encoder.depth.leave();
        self.count += 1;
        Ok(())
    }
}

/// Cells of a map's entry: key and value.
const ENTRY_CELLS: usize = 2;

/// The traits whose parts have no names.
macro_rules! serialize_items {
    ($($trait:ident $method:ident $segment:ident,)*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = Option<Tag>;
            type Error = Error;

            #[inline]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                let index = self.count;
                let result = self.put(value);
                self.encoder.failed |= result.is_err();
                result.map_err(|error| error.inside(Segment::$segment(index)))
            }

            #[inline]
            fn end(self) -> Result<Option<Tag>> {
                self.finish()
            }
        }
    )*};
}

serialize_items! {
    SerializeSeq serialize_element Index,
    SerializeTuple serialize_element Index,
    SerializeTupleStruct serialize_field Slot,
    SerializeTupleVariant serialize_field Slot,
}

/// The traits whose parts have names. A skipped field takes no bytes.
macro_rules! serialize_fields {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = Option<Tag>;
            type Error = Error;

            #[inline]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                let result = self.put_field(key, value);
                self.encoder.failed |= result.is_err();
                result.map_err(|error| error.inside(Segment::Field(key.into())))
            }

            #[inline]
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

    #[inline]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        let index = self.count;
        let result = self.put_key(key);
        self.encoder.failed |= result.is_err();
        result.map_err(|error| in_entry(error, index, "key"))
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        let result = self.put_value(value);
        self.encoder.failed |= result.is_err();
        result.map_err(|error| in_entry(error, index, "value"))
    }

    #[inline]
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
