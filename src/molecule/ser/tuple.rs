//! Writes a tuple or array. Without a mark it is a table if any item is dynamic, which shows item
//! by item. Does not know how items are written.

use alloc::vec::Vec;
use core::marker::PhantomData;

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::frame::Frame;
use super::gathered::GATHERED;
use super::header::Header;
use super::marking::Marking;
use super::packed::Parts;
use super::position::{Position, Written};
use super::value::ValueWriter;
use super::{in_item, unlike, wrong_length};
use crate::molecule::wire::{self, offset};
use crate::molecule::{Error, ErrorKind, Result};

/// The longest tuple that serde implements. Longer ones are arrays, whose items are alike.
pub(super) const LONGEST_TUPLE: usize = 16;

/// A tuple whose items are being written.
#[derive(Debug)]
pub(in crate::molecule) struct Tuple<'a, M> {
    encoder: &'a mut Encoder,
    start: usize,
    /// Where the next item begins, behind the gathered bytes.
    place: Position,
    /// How many items are written.
    count: usize,
    len: usize,
    shape: Shape,
    /// How many items are gathered in the encoder; all are single bytes.
    gathered: usize,
    /// The size of each item, as long as all have the same.
    item_size: usize,
    alike: bool,
    /// Once items differ in size, `Encoder::offsets` holds from here on where each item but the
    /// first begins, counted from `start`. A header that is inserted later needs this.
    side: usize,
    /// Whether an item is a packed tuple that would look like a table in a slot of its own.
    holds_lookalike: bool,
    kind: PhantomData<M>,
}

/// What the tuple is, as far as it is known.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Fixed items in the frame, no header.
    Packed(Parts),
    /// No mark, and all items so far are fixed.
    Open,
    /// Any items behind a header: by mark, or because an item is dynamic.
    Table { header: Header, marked: bool },
}

impl<'a, M: Marking> Tuple<'a, M> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(
        encoder: &'a mut Encoder,
        start: usize,
        place: Position,
        len: usize,
        shape: Shape,
    ) -> Self {
        let side = encoder.offsets.len();
        Tuple {
            encoder,
            start,
            place,
            count: 0,
            len,
            shape,
            gathered: 0,
            item_size: 1,
            alike: true,
            side,
            holds_lookalike: false,
            kind: PhantomData,
        }
    }

    /// A tuple or array without a mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn open(encoder: &'a mut Encoder, place: Position, len: usize) -> Result<Self> {
        // Bytes of a tuple around this one.
        encoder.release()?;
        let place = encoder.frame.enter(place)?;
        Ok(Self::new(encoder, place.at(), place, len, Shape::Open))
    }

    /// A struct by mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn packed(encoder: &'a mut Encoder, place: Position, len: usize) -> Result<Self> {
        let parts = Parts::new(&encoder.frame, place.go_to(0), Some(len))?;
        Ok(Self::new(encoder, place.at(), place, len, Shape::Packed(parts)))
    }

    /// A table by mark, or an empty tuple.
    #[inline]
    pub(super) fn table(encoder: &'a mut Encoder, place: Position, len: usize) -> Result<Self> {
        let place = encoder.frame.enter(place)?;
        let start = place.at();
        let (header, at) = Header::reserve(encoder, start, len)?;
        let shape = Shape::Table { header, marked: true };
        Ok(Self::new(encoder, start, place.go_to(at), len, shape))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        // Without a mark, no packed code is compiled.
        if !M::NEVER {
            if let Shape::Packed(parts) = &mut self.shape {
                let explain = |frame: &mut Frame, error| in_item(frame, error, index);
                parts.put(&mut self.encoder.frame, value, explain)?;
                self.count += 1;
                return Ok(());
            }
        }
        if let Shape::Table { header, .. } = self.shape {
            header.put_offset(self.encoder, self.count, self.place.at());
        }
        let end = match value.serialize(ValueWriter::new(self.encoder, self.place)) {
            Ok(written) => self.take(value, written),
            Err(error) => Err(error),
        };
        match end {
            Ok(end) => {
                self.place = self.place.go_to(end);
                self.count += 1;
                Ok(())
            }
            Err(error) => Err(in_item(&mut self.encoder.frame, error, index)),
        }
    }

    /// Takes the next item, `value`, and returns where it ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take<T: ?Sized>(&mut self, value: &T, written: Written) -> Result<usize> {
        if let Shape::Table { .. } = self.shape {
            return self.encoder.complete_in_slot(value, written);
        }
        if written.is_pending(1) && self.alike && self.item_size == 1 {
            return self.gather();
        }
        self.encoder.release()?;
        self.gathered = 0;
        if written.is_dynamic() {
            self.encoder.wrote_lookalike |= self.holds_lookalike;
            let Tuple { start, count, len, item_size, alike, side, .. } = *self;
            let items = Items { start, count, len, item_size, alike, side };
            let (header, end) = items.become_table(self.encoder, written)?;
            self.shape = Shape::Table { header, marked: false };
            return Ok(end);
        }
        self.holds_lookalike |= written.looks_like_table();
        let end = self.encoder.complete(written)?;
        self.note_size(end - self.place.at());
        Ok(end)
    }

    /// Takes the next item, a byte like all before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn gather(&mut self) -> Result<usize> {
        // The length is in the type, so short arrays do not compile this case.
        if self.len > GATHERED && self.gathered >= GATHERED {
            self.encoder.release()?;
            self.gathered = 0;
        }
        self.encoder.gather(self.place.at(), self.gathered);
        self.gathered += 1;
        Ok(self.place.at() + 1)
    }

    /// Records the size of an item that is not gathered.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note_size(&mut self, size: usize) {
        if self.count == 0 {
            self.item_size = size;
        } else if self.alike && size != self.item_size {
            (self.alike, self.item_size) = (false, 0);
            note_places(self.encoder, self.place.at() - self.start, self.count);
        }
        if !self.alike {
            let next = self.place.at() + size - self.start;
            self.encoder.offsets.push(u32::from_le_bytes(offset(next)));
        }
    }

    /// Completes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        if self.count != self.len {
            return Err(wrong_length(self.len, self.count));
        }
        let Tuple { encoder, start, place, count, shape, side, alike, .. } = self;
        let at = place.at();
        let written = match shape {
            Shape::Packed(parts) => encoder.hold_packed(start, Written::fixed(parts.finish()?))?,
            Shape::Open => {
                encoder.release()?;
                if !alike {
                    encoder.offsets.truncate(side);
                }
                // Checked first, since the compiler often knows it.
                let is_long = at - start >= wire::header_size(count);
                match is_long && encoder.is_lookalike(start, at, count) {
                    true => Written::fixed(at).looking_like_table(),
                    false => Written::fixed(at),
                }
            }
            Shape::Table { header, marked } => {
                let written = Written::dynamic(header.finish(encoder, count, at)?);
                if marked { written } else { written.as_tuple() }
            }
        };
        Ok((encoder, written))
    }
}

/// Records where each of `count` items that take `size` bytes together begins, but for the first,
/// and where the next one will begin.
#[cold]
#[inline(never)]
fn note_places(encoder: &mut Encoder, size: usize, count: usize) {
    let item_size = size.checked_div(count).unwrap_or(0);
    let places = (1..=count).map(|item| u32::from_le_bytes(offset(item.saturating_mul(item_size))));
    encoder.offsets.extend(places);
}

/// The fixed items so far, with the fields of [`Tuple`] of the same names.
struct Items {
    start: usize,
    count: usize,
    len: usize,
    item_size: usize,
    alike: bool,
    side: usize,
}

impl Items {
    /// Inserts a header in front of the items and the first dynamic one, and returns where that one
    /// ends. Takes all by value, so that a tuple can stay in registers.
    #[cold]
    #[inline(never)]
    fn become_table(self, encoder: &mut Encoder, written: Written) -> Result<(Header, usize)> {
        let Items { start, count, len, item_size, alike, side } = self;
        if len > LONGEST_TUPLE && count > 0 {
            return Err(unlike(count));
        }
        if encoder.frame.strict {
            return Err(unmarked());
        }
        // A reader does not see this before it reads the item.
        encoder.wrote_mixed |= count > 0 || written.is_tuple();
        encoder.check_tuples()?;
        let end = encoder.complete(written)?;
        if alike && count > 0 {
            note_places(encoder, item_size.saturating_mul(count), count);
        }
        let (header, moved) = Header::insert(encoder, start, len, start, end)?;
        let header = header.behind(side);
        let places: Vec<u32> = encoder.offsets.drain(side..).collect();
        header.put_offset(encoder, 0, start + moved);
        for (item, place) in (1..=count).zip(places) {
            let place = usize::try_from(place).unwrap_or(usize::MAX);
            header.put_offset(encoder, item, start + moved + place);
        }
        Ok((header, end + moved))
    }
}

#[cold]
#[inline(never)]
fn unmarked() -> Error {
    Error::placeless(ErrorKind::UNMARKED_TUPLE)
}

impl<M: Marking> ser::SerializeTuple for Tuple<'_, M> {
    type Ok = Written;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.put(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<Written> {
        self.close().map(|(_, written)| written)
    }
}
