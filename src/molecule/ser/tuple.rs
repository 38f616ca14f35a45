//! Writing a tuple or array. Without a mark it is a table if any item is dynamic, which shows item
//! by item.

use serde_core::ser::{self, Serialize};

use super::encoder::{Cursor, Encoder, Layout, Written};
use super::header::Header;
use super::{dynamic, in_item, probe, refuse_in_packed, unlike, wrong_length};
use crate::molecule::wire;
use crate::molecule::{Error, ErrorKind, Result};
use crate::scalar::Scalar;

/// The longest tuple that serde knows; what is longer is an array, whose items are alike.
pub(super) const LONGEST_TUPLE: usize = 16;

/// So many bytes of an array are gathered before they are written.
///
/// They are gathered in a place that is nothing else's, so that compilers make one move of an array
/// of bytes, which serde hands over byte by byte. A hash of 32 bytes: 570 to 82 instructions.
pub(super) const GATHERED: usize = 32;

/// A tuple whose items are being written.
#[derive(Debug)]
pub(in crate::molecule) struct Tuple<'a> {
    encoder: &'a mut Encoder,
    start: usize,
    /// Where the next item begins, but for the bytes that are gathered.
    at: usize,
    /// Items so far.
    count: usize,
    len: usize,
    shape: Shape,
    /// What each item takes, as long as all take the same.
    item_size: usize,
    /// So many items, single bytes all of them, are in `Encoder::gathered`.
    gathered: usize,
    /// Where each item but the first begins, counted from `start`, is in `Encoder::offsets` from here
    /// on, once they take different sizes.
    side: usize,
    alike: bool,
    /// Whether the value has a place of its own, where a reader may take a tuple for a table.
    in_slot: bool,
    /// Whether an item is a packed tuple that passes for a table, should it get such a place.
    holds_lookalike: bool,
}

/// What the tuple is, as far as that is known.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Fixed items, no header; `outer` is whether structs were packed around it too.
    Packed { outer: bool },
    /// No mark, and all items were fixed so far.
    Open,
    /// Anything, behind a header.
    Table(Header),
}

impl<'a> Tuple<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with(cursor: Cursor<'a>, start: usize, len: usize, shape: Shape) -> Self {
        let Cursor { encoder, at } = cursor;
        let (in_slot, side) = (encoder.in_slot, encoder.offsets.len());
        let (count, item_size, gathered) = (0, 1, 0);
        let (alike, holds_lookalike) = (true, false);
        Tuple {
            encoder,
            start,
            at,
            count,
            len,
            shape,
            item_size,
            gathered,
            side,
            alike,
            in_slot,
            holds_lookalike,
        }
    }

    /// A tuple or array without a mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(cursor: Cursor<'a>, len: usize) -> Result<Self> {
        match len {
            0 => Self::table(cursor, 0),
            _ if cursor.encoder.packs => Self::packed(cursor, len),
            _ => {
                cursor.encoder.enter()?;
                let start = cursor.at;
                Ok(Self::with(cursor, start, len, Shape::Open))
            }
        }
    }

    /// A struct by mark, or a tuple where structs are packed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn packed(cursor: Cursor<'a>, len: usize) -> Result<Self> {
        let outer = core::mem::replace(&mut cursor.encoder.packs, true);
        cursor.encoder.enter()?;
        let start = cursor.at;
        Ok(Self::with(cursor, start, len, Shape::Packed { outer }))
    }

    /// A table by mark.
    #[inline]
    pub(super) fn table(cursor: Cursor<'a>, len: usize) -> Result<Self> {
        let Cursor { encoder, at: start } = cursor;
        refuse_in_packed(encoder, "a table")?;
        encoder.enter()?;
        let (header, at) = Header::reserve(encoder, start, len)?;
        Ok(Self::with(Cursor { encoder, at }, start, len, Shape::Table(header)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        if !matches!(self.shape, Shape::Table(_)) && self.item_size == 1 {
            if let Ok([byte]) = value.serialize(Scalar::<1>) {
                self.gather(byte);
                return Ok(());
            }
        }
        self.release();
        if let Shape::Open = self.shape {
            self.settle(value)?;
        }
        let cursor = Cursor { encoder: &mut *self.encoder, at: self.at };
        match self.shape {
            Shape::Packed { .. } => {
                let written = value.serialize(cursor)?;
                if written.is_dynamic() {
                    return Err(dynamic("a field", "a struct"));
                }
                (self.at, self.item_size) = (written.end(), 0);
            }
            Shape::Open => {
                cursor.encoder.in_slot = false;
                cursor.encoder.last_looks_like_table = false;
                let written = value.serialize(cursor)?;
                self.encoder.in_slot = true;
                if written.is_dynamic() {
                    return Err(unlike(self.count));
                }
                self.holds_lookalike |= self.encoder.last_looks_like_table;
                self.note_size(written.end() - self.at);
                self.at = written.end();
            }
            Shape::Table(header) => {
                header.put_offset(cursor.encoder, self.count, self.at)?;
                self.at = value.serialize(cursor)?.end();
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Takes the next item, a byte like all before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn gather(&mut self, byte: u8) {
        // Asked first, since the length is in the type: a short array has no such case.
        if self.len > GATHERED && self.gathered >= GATHERED {
            self.release();
        }
        if let Some(place) = self.encoder.gathered.get_mut(self.gathered) {
            *place = byte;
        }
        self.gathered += 1;
        self.count += 1;
    }

    /// Writes the bytes that are gathered.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn release(&mut self) {
        let Encoder { out, gathered, .. } = &mut *self.encoder;
        if self.gathered == GATHERED {
            self.at = out.put(self.at, *gathered);
        } else if self.gathered > 0 {
            let bytes = gathered.get(..self.gathered).unwrap_or_default();
            self.at = out.put_bytes(self.at, bytes);
        }
        self.gathered = 0;
    }

    /// Notes what an item takes that is neither the first byte of an array nor a byte behind that:
    /// a header that comes in front will want to know where it begins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note_size(&mut self, size: usize) {
        if self.count == 0 {
            self.item_size = size;
        } else if self.alike && size != self.item_size {
            (self.alike, self.item_size) = (false, 0);
            note_places(self.encoder, self.at - self.start, self.count);
        }
        if !self.alike {
            let next = self.at + size - self.start;
            self.encoder.offsets.push(place(next));
        }
    }

    /// Decides what the tuple becomes with `value` as its next item.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn settle<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        // The items of an array are like the first one.
        let is_alike = self.len > LONGEST_TUPLE && self.count > 0;
        if is_alike || probe::layout(value, self.encoder.reach()) == Layout::Fixed {
            return Ok(());
        }
        if self.encoder.strict {
            return Err(unmarked());
        }
        if self.count > 0 || probe::is_dynamic_tuple(value, self.encoder.reach()) {
            self.encoder.wrote_mixed = true;
        }
        self.encoder.wrote_lookalike |= self.holds_lookalike;
        if self.alike && self.count > 0 {
            note_places(self.encoder, self.at - self.start, self.count);
        }
        let (header, at) = Header::insert(self.encoder, self.start..self.at, self.len, self.side)?;
        (self.shape, self.at) = (Shape::Table(header), at);
        Ok(())
    }

    /// Completes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(mut self) -> Result<(&'a mut Encoder, Written)> {
        if self.count != self.len {
            return Err(wrong_length(self.len, self.count));
        }
        self.release();
        let Tuple { encoder, start, at, count, shape, side, alike, .. } = self;
        let written = match shape {
            Shape::Packed { outer } => {
                if count == 0 {
                    return Err(Error::placeless(ErrorKind::EmptyStruct));
                }
                encoder.packs = outer;
                Written::fixed(at)
            }
            Shape::Open => {
                if !alike {
                    encoder.offsets.truncate(side);
                }
                let bytes = encoder.out.written(at).get(start..).unwrap_or_default();
                let looks_like_table = wire::passes_for_table(bytes, self.len);
                encoder.last_looks_like_table = looks_like_table;
                encoder.wrote_lookalike |= looks_like_table && self.in_slot;
                Written::fixed(at)
            }
            Shape::Table(header) => Written::dynamic(header.finish(encoder, count, at)?),
        };
        encoder.leave();
        Ok((encoder, written))
    }
}

/// Notes where each of `count` items that take `size` bytes together begins, but for the first, and
/// where the next one will.
#[cold]
#[inline(never)]
fn note_places(encoder: &mut Encoder, size: usize, count: usize) {
    let item_size = size.checked_div(count).unwrap_or(0);
    encoder.offsets.extend((1..=count).map(|item| place(item.saturating_mul(item_size))));
}

/// What does not fit makes the table too large, which is seen then.
#[cfg_attr(not(debug_assertions), inline(always))]
fn place(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[cold]
#[inline(never)]
fn unmarked() -> Error {
    let found = "a tuple or array with a dynamic item";
    Error::placeless(ErrorKind::Unmarked { found, mark: "table" })
}

impl ser::SerializeTuple for Tuple<'_> {
    type Ok = Written;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        self.put(value).map_err(|error| in_item(self.encoder, error, index))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<Written> {
        self.close().map(|(_, written)| written)
    }
}
