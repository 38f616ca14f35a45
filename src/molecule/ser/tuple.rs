//! Writes the items of a tuple or array. Without a mark it is packed until a dynamic item comes, which
//! makes it a table.
//!
//! What is called for every value is always inlined, for the reason in [`ser`](super).

use serde_core::ser::{self, Serialize};

use super::encoder::{Encoder, GATHERED, ambiguous};
use super::header::Header;
use super::parts::failed;
use super::position::{Position, Written};
use super::value::Value;
use super::{dynamic, unlike, wrong_length};
use crate::error::Segment;
use crate::molecule::error::place;
use crate::molecule::wire::number_bytes;
use crate::molecule::{Error, ErrorKind, Result};

/// The longest tuple that serde implements. Longer ones are arrays, whose items are alike.
const LONGEST_TUPLE: usize = 16;

/// A tuple or array whose items are being written.
///
/// `PACKED` and `MARKED` are those of the [`Value`].
#[derive(Debug)]
pub(in crate::molecule) struct Tuple<'a, const PACKED: bool, const MARKED: bool> {
    encoder: &'a mut Encoder,
    start: usize,
    /// Where the next item begins, after the gathered bytes.
    place: Position,
    /// How many items are written.
    count: usize,
    len: usize,
    shape: Shape,
    /// How many items are gathered in the encoder: the last ones, if they are bytes.
    gathered: usize,
    /// Where each item of an open tuple begins, counted from `start`. Not of an array, which becomes a
    /// table with its first item or never.
    places: [u32; LONGEST_TUPLE],
    /// The first item of an open tuple that has the bytes of a table.
    lookalike: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    /// No header, by a mark on it or around it.
    Packed,
    /// No mark, and all items so far are fixed.
    Open,
    Table(Header),
}

impl<'a, const PACKED: bool, const MARKED: bool> Tuple<'a, PACKED, MARKED> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(
        encoder: &'a mut Encoder,
        start: usize,
        place: Position,
        len: usize,
        shape: Shape,
    ) -> Self {
        Tuple {
            encoder,
            start,
            place,
            count: 0,
            len,
            shape,
            gathered: 0,
            places: [0; LONGEST_TUPLE],
            lookalike: None,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn packed(encoder: &'a mut Encoder, place: Position, len: usize) -> Self {
        // Those of a tuple around this one.
        encoder.release();
        let start = place.at();
        let place = encoder.enter_packed(place);
        let place = if PACKED { place } else { place.go_to(0) };
        Self::new(encoder, start, place, len, Shape::Packed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn open(encoder: &'a mut Encoder, place: Position, len: usize) -> Result<Self> {
        encoder.release();
        let place = encoder.enter(place)?;
        Ok(Self::new(encoder, place.at(), place, len, Shape::Open))
    }

    /// A table by mark, or an empty tuple. It gathers no bytes itself, and those of a tuple around it are before it: they
    /// need not be written yet.
    #[inline]
    pub(super) fn table(encoder: &'a mut Encoder, place: Position, len: usize) -> Result<Self> {
        let place = encoder.enter(place)?;
        let start = place.at();
        let (header, at) = Header::reserve(encoder, start, len);
        Ok(Self::new(encoder, start, place.go_to(at), len, Shape::Table(header)))
    }

    /// Whether everything inside is packed. A constant where no mark can be.
    #[inline]
    fn is_packed(&self) -> bool {
        PACKED || (MARKED && matches!(self.shape, Shape::Packed))
    }

    /// Writes the next item, and returns the position after it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<Position> {
        match self.shape {
            _ if self.is_packed() => self.put_packed(value),
            Shape::Table(header) => {
                header.put_offset(self.encoder, self.count, self.place.at());
                let written =
                    value.serialize(Value::<false, false>::new(self.encoder, self.place))?;
                Ok(self.place.go_to(self.encoder.finish_in_slot(written)?))
            }
            _ => self.put_open(value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_packed<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<Position> {
        let written = value.serialize(Value::<true, false>::new(self.encoder, self.place))?;
        if let Some(byte) = written.pending_byte() {
            return Ok(self.gather(byte));
        }
        self.release();
        match written.is_dynamic() {
            true => Err(dynamic("a field", place::STRUCT)),
            false => Ok(self.place.go_to(written.at())),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_open<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<Position> {
        let written = value.serialize(Value::<false, false>::new(self.encoder, self.place))?;
        match self.places.get_mut(self.count) {
            Some(place) if self.len <= LONGEST_TUPLE => {
                *place = u32::from_le_bytes(number_bytes(self.place.at().wrapping_sub(self.start)));
            }
            _ => {}
        }
        if let Some(byte) = written.pending_byte() {
            return Ok(self.gather(byte));
        }
        self.release();
        if written.is_dynamic() {
            return Ok(self.place.go_to(self.become_table(written.at())?));
        }
        if written.is_lookalike() {
            self.lookalike.get_or_insert(self.count);
        }
        Ok(self.place.go_to(written.at()))
    }

    /// Takes the next item, a byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn gather(&mut self, byte: u8) -> Position {
        // The length is in the type, so short arrays do not compile this case.
        if self.len > GATHERED && self.gathered >= GATHERED {
            self.release();
        }
        let is_packed = self.is_packed();
        self.encoder.gather(self.place.at(), self.gathered, byte, is_packed);
        self.gathered += 1;
        self.place.go_to(self.place.at() + 1)
    }

    /// Writes the gathered bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn release(&mut self) {
        if self.gathered > 0 {
            self.encoder.release();
            self.gathered = 0;
        }
    }

    /// Continues as a table, and returns where its first dynamic item ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn become_table(&mut self, end: usize) -> Result<usize> {
        if let Some(index) = self.lookalike {
            self.count = index;
            return Err(ambiguous());
        }
        let Tuple { start, count, len, places, .. } = *self;
        let (header, end) = insert_header(self.encoder, start, count, len, places, end)?;
        self.shape = Shape::Table(header);
        Ok(end)
    }

    /// Completes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(mut self) -> Result<(&'a mut Encoder, Written)> {
        if self.count != self.len {
            return Err(wrong_length(self.len, self.count));
        }
        self.release();
        let is_packed = self.is_packed();
        let Tuple { encoder, start, place, count, shape, .. } = self;
        let end = place.at();
        let written = match shape {
            _ if is_packed && count == 0 => return Err(Error::placeless(ErrorKind::EmptyStruct)),
            _ if PACKED => Written::fixed(end),
            _ if is_packed => Written::fixed(encoder.finish_packed(start, Written::fixed(end))?),
            Shape::Table(header) => Written::dynamic(header.finish(encoder, count, end)?),
            _ if encoder.has_table(start, end, count) => Written::lookalike(end),
            _ => Written::fixed(end),
        };
        Ok((encoder, written))
    }
}

/// Inserts a header before the items, whose last one is dynamic and ends at `end`, and returns its new end. The arguments
/// are passed by value, so that a tuple can stay in registers; their names are those of its fields.
#[cold]
#[inline(never)]
fn insert_header(
    encoder: &mut Encoder,
    start: usize,
    count: usize,
    len: usize,
    places: [u32; LONGEST_TUPLE],
    end: usize,
) -> Result<(Header, usize)> {
    if len > LONGEST_TUPLE && count > 0 {
        return Err(unlike(count));
    }
    if encoder.strict {
        return Err(Error::placeless(ErrorKind::UNMARKED_TUPLE));
    }
    let (header, moved) = Header::insert(encoder, start, len, start, end);
    for (index, place) in places.iter().enumerate().take(count + 1) {
        let place = usize::try_from(*place).unwrap_or(usize::MAX);
        header.put_offset(encoder, index, start + moved + place);
    }
    Ok((header, end + moved))
}

impl<const PACKED: bool, const MARKED: bool> ser::SerializeTuple for Tuple<'_, PACKED, MARKED> {
    type Ok = Written;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        match self.put(value) {
            Ok(place) => {
                self.place = place;
                self.count += 1;
                Ok(())
            }
            Err(error) => Err(failed(self.encoder, error, Segment::Index(self.count))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<Written> {
        self.close().map(|(_, written)| written)
    }
}
