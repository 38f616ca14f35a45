//! Writes a map: a dynvec of tables of key and value, or with a mark a fixvec of structs. Does not
//! know how keys and values are written.

use core::marker::PhantomData;

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::header::Header;
use super::marking::Marking;
use super::packed::PackedWriter;
use super::position::{Position, Written};
use super::value::ValueWriter;
use super::{dynamic, unlike, wrong_length};
use crate::molecule::error::place;
use crate::molecule::wire::{EMPTY_FIXVEC, ENTRY_FIELDS, offset};
use crate::molecule::{Error, Result};

/// A map whose entries are being written.
#[derive(Debug)]
pub(in crate::molecule) struct Entries<'a, M> {
    encoder: &'a mut Encoder,
    start: usize,
    /// Where the next key or value begins.
    place: Position,
    /// How many entries are complete, and how many there must be.
    count: usize,
    announced: usize,
    /// Where the entry begins whose key is written and whose value is not.
    entry: Option<usize>,
    shape: Shape,
    marking: PhantomData<M>,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Each entry takes `item_size` bytes, as the first one showed.
    FixVec {
        item_size: Option<usize>,
    },
    DynVec(Header),
}

impl<'a, M: Marking> Entries<'a, M> {
    /// A dynvec of tables.
    #[inline]
    pub(super) fn dynvec(
        encoder: &'a mut Encoder,
        place: Position,
        announced: usize,
    ) -> Result<Self> {
        let place = encoder.frame.enter(place)?;
        let start = place.at();
        let (header, at) = Header::reserve(encoder, start, announced)?;
        Ok(Self::new(encoder, start, place.go_to(at), announced, Shape::DynVec(header)))
    }

    /// A fixvec of structs.
    #[inline]
    pub(super) fn fixvec(
        encoder: &'a mut Encoder,
        place: Position,
        announced: usize,
    ) -> Result<Self> {
        let place = encoder.frame.enter(place)?;
        let start = place.at();
        let at = encoder.put(start, EMPTY_FIXVEC)?;
        let shape = Shape::FixVec { item_size: None };
        Ok(Self::new(encoder, start, place.go_to(at), announced, shape))
    }

    #[inline]
    fn new(
        encoder: &'a mut Encoder,
        start: usize,
        place: Position,
        announced: usize,
        shape: Shape,
    ) -> Self {
        let marking = PhantomData;
        Entries { encoder, start, place, count: 0, announced, entry: None, shape, marking }
    }

    /// Begins an entry and writes its key.
    #[inline]
    fn put_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        if self.entry.is_some() {
            return Err(wrong_length(self.count, self.count + 1));
        }
        let (encoder, entry) = (&mut *self.encoder, self.place.at());
        if let Shape::DynVec(header) = self.shape {
            header.put_offset(encoder, self.count, entry);
            let header = Header::of_entry(entry);
            let at = header.begin(encoder)?;
            header.put_offset(encoder, 0, at);
            self.place = self.place.go_to(at);
        }
        self.put(key, "a key")?;
        // The size of a packed entry is checked after its value.
        self.entry = Some(entry);
        Ok(())
    }

    /// Writes the value of an entry and completes it.
    #[inline]
    fn put_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let Some(entry) = self.entry.take() else {
            return Err(wrong_length(self.count + 1, self.count));
        };
        if let Shape::DynVec(_) = self.shape {
            Header::of_entry(entry).put_offset(self.encoder, 1, self.place.at());
        }
        self.put(value, "a value")?;
        self.count += 1;
        match &mut self.shape {
            Shape::DynVec(_) => {
                let header = Header::of_entry(entry);
                header.finish(self.encoder, ENTRY_FIELDS, self.place.at())?;
            }
            Shape::FixVec { item_size } => {
                let size = self.place.at() - entry;
                if *item_size.get_or_insert(size) != size {
                    return Err(unlike(self.count - 1));
                }
            }
        }
        Ok(())
    }

    /// Writes a key or a value.
    #[inline]
    fn put<T: ?Sized + Serialize>(&mut self, part: &T, found: &'static str) -> Result<()> {
        let Entries { encoder, place, shape, .. } = self;
        // Without a mark, no packed code is compiled.
        let end = match shape {
            Shape::FixVec { .. } if !M::NEVER => {
                let cursor = PackedWriter::new(&mut encoder.frame, place.go_to(0));
                let written = part.serialize(cursor)?;
                if written.is_dynamic() {
                    return Err(dynamic(found, place::FIXVEC));
                }
                let written = encoder.hold_packed(place.at(), written)?;
                encoder.complete(written)?
            }
            _ => {
                let written = part.serialize(ValueWriter::new(encoder, *place))?;
                encoder.complete_in_slot(part, written)?
            }
        };
        *place = place.go_to(end);
        Ok(())
    }

    /// Completes the value.
    #[inline]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        let Entries { encoder, start, place, count, announced, entry, shape, .. } = self;
        if announced != count || entry.is_some() {
            return Err(wrong_length(announced, count));
        }
        let end = match shape {
            Shape::DynVec(header) => header.finish(encoder, count, place.at())?,
            Shape::FixVec { .. } => {
                encoder.out.patch(start, offset(count));
                place.at()
            }
        };
        Ok((encoder, Written::dynamic(end)))
    }
}

#[cold]
#[inline(never)]
fn in_entry(encoder: &mut Encoder, error: Error, index: usize, field: &'static str) -> Error {
    encoder.frame.failed = true;
    error.in_entry(index, field)
}

impl<M: Marking> ser::SerializeMap for Entries<'_, M> {
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
