//! Writing a map: a dynvec of tables of a key and a value, or by a mark a fixvec of structs.

use serde_core::ser::{self, Serialize};

use super::encoder::{Cursor, Encoder, Written};
use super::header::Header;
use super::{dynamic, refuse_in_packed, unlike, wrong_length};
use crate::error::Segment;
use crate::molecule::wire::{self, EMPTY_FIXVEC, ENTRY_FIELDS, NUMBER_SIZE};
use crate::molecule::{Error, ErrorKind, Result};

/// A map whose entries are being written.
#[derive(Debug)]
pub(in crate::molecule) struct Entries<'a> {
    encoder: &'a mut Encoder,
    start: usize,
    /// Where the next key or value begins.
    at: usize,
    /// Whole entries so far, and how many there have to be.
    count: usize,
    announced: usize,
    /// Where the entry begins whose key is written and whose value is not.
    entry: Option<usize>,
    shape: Shape,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Entries take `item_size` bytes each; `outer` is whether structs were packed around.
    FixVec {
        item_size: usize,
        outer: bool,
    },
    DynVec(Header),
}

impl<'a> Entries<'a> {
    /// A dynvec of tables.
    #[inline]
    pub(super) fn new(cursor: Cursor<'a>, len: Option<usize>) -> Result<Self> {
        let announced = known_length(len)?;
        let Cursor { encoder, at: start } = cursor;
        refuse_in_packed(encoder, "a dynvec")?;
        encoder.enter()?;
        let (header, at) = Header::reserve(encoder, start, announced)?;
        let shape = Shape::DynVec(header);
        Ok(Entries { encoder, start, at, count: 0, announced, entry: None, shape })
    }

    /// A fixvec of structs.
    #[inline]
    pub(super) fn packed(cursor: Cursor<'a>, len: Option<usize>) -> Result<Self> {
        let announced = known_length(len)?;
        let Cursor { encoder, at: start } = cursor;
        refuse_in_packed(encoder, "a fixvec")?;
        let outer = core::mem::replace(&mut encoder.packs, true);
        encoder.enter()?;
        let at = encoder.out.put(start, EMPTY_FIXVEC);
        let shape = Shape::FixVec { item_size: 0, outer };
        Ok(Entries { encoder, start, at, count: 0, announced, entry: None, shape })
    }

    /// Begins an entry and writes its key.
    #[inline]
    fn put_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        if self.entry.is_some() {
            return Err(wrong_length(self.count, self.count + 1));
        }
        let (encoder, entry) = (&mut *self.encoder, self.at);
        if let Shape::DynVec(header) = self.shape {
            header.put_offset(encoder, self.count, entry)?;
            let header = wire::header_size(ENTRY_FIELDS);
            encoder.out.reserve(entry, header);
            encoder.out.patch(entry + wire::header_size(0), wire::number(header)?);
            self.at = entry + header;
        }
        let written = key.serialize(Cursor { encoder, at: self.at })?;
        if written.is_dynamic() && matches!(self.shape, Shape::FixVec { .. }) {
            return Err(dynamic("a key", "a fixvec"));
        }
        // The size of a packed entry is checked once its value is there.
        (self.at, self.entry) = (written.end(), Some(entry));
        Ok(())
    }

    /// Writes the value of an entry and completes it.
    #[inline]
    fn put_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let Some(entry) = self.entry.take() else {
            return Err(wrong_length(self.count + 1, self.count));
        };
        let encoder = &mut *self.encoder;
        if let Shape::DynVec(_) = self.shape {
            let offset = wire::number(self.at - entry)?;
            encoder.out.patch(entry + wire::header_size(1), offset);
        }
        let written = value.serialize(Cursor { encoder, at: self.at })?;
        self.at = written.end();
        match &mut self.shape {
            Shape::DynVec(_) => {
                self.encoder.out.patch(entry, wire::number(self.at - entry)?);
                self.count += 1;
            }
            Shape::FixVec { item_size, .. } => {
                let body = self.at - self.start - NUMBER_SIZE;
                if self.count == 0 {
                    *item_size = body;
                }
                self.count += 1;
                if written.is_dynamic() {
                    return Err(dynamic("a value", "a fixvec"));
                }
                if item_size.checked_mul(self.count) != Some(body) {
                    return Err(unlike(self.count - 1));
                }
            }
        }
        Ok(())
    }

    /// Completes the value.
    #[inline]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        let Entries { encoder, start, at, count, announced, entry, shape } = self;
        if announced != count || entry.is_some() {
            return Err(wrong_length(announced, count));
        }
        let end = match shape {
            Shape::DynVec(header) => header.finish(encoder, count, at)?,
            Shape::FixVec { outer, .. } => {
                encoder.out.patch(start, wire::number(count)?);
                encoder.packs = outer;
                at
            }
        };
        encoder.leave();
        Ok((encoder, Written::dynamic(end)))
    }
}

/// serde's `flatten` gives no length; reading such a map needs type tags.
#[inline]
fn known_length(len: Option<usize>) -> Result<usize> {
    len.ok_or_else(|| Error::placeless(ErrorKind::UnknownLength))
}

#[cold]
#[inline(never)]
fn in_entry(encoder: &mut Encoder, error: Error, index: usize, field: &'static str) -> Error {
    encoder.failed = true;
    error.inside(Segment::Field(field.into())).inside(Segment::Index(index))
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = Written;
    type Error = Error;

    #[inline]
    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        let index = self.count;
        self.put_key(key).map_err(|error| in_entry(self.encoder, error, index, "key"))
    }

    #[inline]
    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        self.put_value(value).map_err(|error| in_entry(self.encoder, error, index, "value"))
    }

    #[inline]
    fn end(self) -> Result<Written> {
        self.close().map(|(_, written)| written)
    }
}
