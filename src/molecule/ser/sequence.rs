//! Writes a sequence: a fixvec if its items are fixed, a dynvec if they are dynamic. Without a
//! mark, the first item decides. Does not know how items are written.

use core::marker::PhantomData;

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::frame::SCALAR_SIZE;
use super::header::Header;
use super::marking::Marking;
use super::packed::PackedWriter;
use super::position::{Position, Written};
use super::value::ValueWriter;
use super::{dynamic, in_item, unlike};
use crate::fast::forecast::Forecast;
use crate::molecule::error::{FIXVEC, place};
use crate::molecule::wire::{EMPTY_FIXVEC, offset};
use crate::molecule::{Error, ErrorKind, Result};

/// Upper bound on the memory that is taken because of a size hint.
const MOST_EXPECTED: usize = 1 << 28;

/// Below this size, memory is not taken ahead.
const SMALL: usize = 4096;

/// From so many items on, scalars are written into a slice, which takes an encoder of their own.
const MANY: usize = 32;

/// A sequence whose items are being written.
#[derive(Debug)]
pub(in crate::molecule) struct Sequence<'a, M> {
    encoder: &'a mut Encoder,
    start: usize,
    /// Where the next item begins.
    place: Position,
    /// How many items are written.
    count: usize,
    shape: Shape,
    marking: PhantomData<M>,
}

/// What the sequence is, as far as it is known.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// No mark, and no item yet.
    Open {
        announced: Option<usize>,
    },
    /// A fixvec whose items take `item_size` bytes each, as the first one showed. With a mark,
    /// structs in it are packed.
    FixVec {
        item_size: usize,
        marked: bool,
    },
    DynVec(Header),
}

impl<'a, M: Marking> Sequence<'a, M> {
    /// A sequence without a mark. Its first item is written as that of a fixvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn open(
        encoder: &'a mut Encoder,
        place: Position,
        announced: Option<usize>,
    ) -> Result<Self> {
        Self::counted(encoder, place, Shape::Open { announced })
    }

    /// A fixvec by mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixvec(encoder: &'a mut Encoder, place: Position) -> Result<Self> {
        Self::counted(encoder, place, Shape::FixVec { item_size: 0, marked: true })
    }

    /// A sequence whose items follow a count.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn counted(encoder: &'a mut Encoder, place: Position, shape: Shape) -> Result<Self> {
        let place = encoder.frame.enter(place)?;
        let start = place.at();
        let place = place.go_to(encoder.put(start, EMPTY_FIXVEC)?);
        Ok(Sequence { encoder, start, place, count: 0, shape, marking: PhantomData })
    }

    /// A dynvec by mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynvec(
        encoder: &'a mut Encoder,
        place: Position,
        len: Option<usize>,
    ) -> Result<Self> {
        let place = encoder.frame.enter(place)?;
        let start = place.at();
        let (header, at) = Header::reserve(encoder, start, len.unwrap_or(0))?;
        let (place, shape) = (place.go_to(at), Shape::DynVec(header));
        Ok(Sequence { encoder, start, place, count: 0, shape, marking: PhantomData })
    }

    /// Writes the next item.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let end = match self.shape {
            Shape::DynVec(header) => return self.put_dynamic(value, header),
            Shape::Open { announced } => self.put_first(value, announced),
            Shape::FixVec { item_size, .. } => self.put_fixed(value, item_size),
        };
        self.finish_item(end)
    }

    /// Continues after an item that ends at `end`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish_item(&mut self, end: Result<usize>) -> Result<()> {
        match end {
            Ok(end) => {
                self.place = self.place.go_to(end);
                self.count += 1;
                Ok(())
            }
            Err(error) => Err(in_item(&mut self.encoder.frame, error, self.count)),
        }
    }

    /// Writes the first item, which decides what the sequence is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_first<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        announced: Option<usize>,
    ) -> Result<usize> {
        let written = value.serialize(ValueWriter::new(self.encoder, self.place))?;
        if !written.is_dynamic() {
            self.shape = Shape::FixVec { item_size: 0, marked: false };
            return self.take_fixed(written, 0);
        }
        let (encoder, start, at) = (&mut *self.encoder, self.start, self.place.at());
        let slots = announced.unwrap_or(0);
        let (header, moved) = Header::insert(encoder, start, slots, at, written.at())?;
        header.put_offset(encoder, 0, at + moved);
        self.shape = Shape::DynVec(header);
        self.encoder.complete_item(written.moved(moved))
    }

    /// Writes an item of a fixvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_fixed<T: ?Sized + Serialize>(&mut self, value: &T, item_size: usize) -> Result<usize> {
        let marked = self.is_packed();
        let written = Self::write_fixed(self.encoder, self.place, marked, value)?;
        self.take_fixed(written, item_size)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_packed(&self) -> bool {
        matches!(self.shape, Shape::FixVec { marked: true, .. })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write_fixed<T: ?Sized + Serialize>(
        encoder: &mut Encoder,
        place: Position,
        packed: bool,
        value: &T,
    ) -> Result<Written> {
        // Without a mark, no packed code is compiled.
        if M::NEVER || !packed {
            return value.serialize(ValueWriter::new(encoder, place));
        }
        let cursor = PackedWriter::new(&mut encoder.frame, place.go_to(0));
        let written = value.serialize(cursor)?;
        match written.is_dynamic() {
            true => Ok(written),
            false => encoder.hold_packed(place.at(), written),
        }
    }

    /// Takes a written item of a fixvec, and returns where it ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_fixed(&mut self, written: Written, item_size: usize) -> Result<usize> {
        if written.is_dynamic() {
            return Err(not_fixed(self.count));
        }
        let end = self.encoder.complete(written)?;
        let size = end - self.place.at();
        if self.count == 0 {
            if let Shape::FixVec { item_size, .. } = &mut self.shape {
                *item_size = size;
            }
        } else if size != item_size {
            return Err(unlike(self.count));
        }
        Ok(end)
    }

    /// Writes an item of a dynvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_dynamic<T: ?Sized + Serialize>(&mut self, value: &T, header: Header) -> Result<()> {
        header.put_offset(self.encoder, self.count, self.place.at());
        match value.serialize(ValueWriter::new(self.encoder, self.place)) {
            Ok(written) => self.take_dynamic(written),
            Err(error) => Err(in_item(&mut self.encoder.frame, error, self.count)),
        }
    }

    /// Takes a written item of a dynvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_dynamic(&mut self, written: Written) -> Result<()> {
        let end = match written.is_usual_dynamic() {
            true => written.at(),
            false => take_unusual(self.encoder, written, self.count)?,
        };
        self.place = self.place.go_to(end);
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
        if let Some(first) = items.next() {
            self.put(&first)?;
            match self.shape {
                Shape::Open { .. } => {}
                Shape::FixVec { item_size, .. } => self.collect_fixed(items, item_size)?,
                Shape::DynVec(header) => self.collect_dynamic(items, header)?,
            }
        }
        self.close().map(|(_, written)| written)
    }

    /// Writes all other items of a fixvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_fixed<I>(&mut self, mut items: I, item_size: usize) -> Result<()>
    where
        I: Iterator,
        I::Item: Serialize,
    {
        let (least, _) = items.size_hint();
        let expected = least.saturating_mul(item_size).min(MOST_EXPECTED);
        if expected > SMALL {
            self.encoder.out.expect(self.place.at(), expected);
        }
        let may_fill = least >= MANY && (1..=SCALAR_SIZE).contains(&item_size);
        if may_fill && self.fill(&mut items, item_size)? {
            return Ok(());
        }
        for item in items {
            let end = self.put_fixed(&item, item_size);
            self.finish_item(end)?;
        }
        Ok(())
    }

    /// Writes scalars as fast as their type allows. Returns whether these were all items.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fill<I>(&mut self, items: &mut I, item_size: usize) -> Result<bool>
    where
        I: Iterator,
        I::Item: Serialize,
    {
        loop {
            let at = self.place.at();
            self.encoder.reserve(at, item_size)?;
            // Scalars stay in its frame, so nothing is written to its buffer.
            let mut scratch = self.encoder.scratch();
            let (mut filled, mut next) = (0, None);
            let packed = self.is_packed();
            for place in self.encoder.out.written_from(at).chunks_exact_mut(item_size) {
                let Some(item) = items.next() else {
                    self.count += filled;
                    self.place = self.place.go_to(at + filled * item_size);
                    return Ok(true);
                };
                match Self::write_fixed(&mut scratch, self.place.go_to(0), packed, &item) {
                    // A failed part of an item that went on without it has to be noted.
                    Ok(written) if written.is_pending(item_size) && !scratch.frame.failed => {
                        put_exactly(place, scratch.frame.held());
                    }
                    other => {
                        next = Some(other);
                        break;
                    }
                }
                filled += 1;
            }
            self.count += filled;
            self.place = self.place.go_to(at + filled * item_size);
            if let Some(result) = next {
                let end = take_over(self.encoder, self.place.at(), result, scratch)
                    .and_then(|written| self.take_fixed(written, item_size));
                self.finish_item(end)?;
                return Ok(false);
            }
        }
    }

    /// Writes all other items of a dynvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_dynamic<I>(&mut self, mut items: I, header: Header) -> Result<()>
    where
        I: Iterator,
        I::Item: Serialize,
    {
        let forecast = Forecast { at: self.place.at(), count: self.count };
        loop {
            let (at, count) = (self.place.at(), self.count);
            forecast.look_ahead(&mut self.encoder.out, at, count, &items);
            let Some(item) = items.next() else { return Ok(()) };
            self.put_dynamic(&item, header)?;
        }
    }

    /// Completes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        let Sequence { encoder, start, place, count, shape, .. } = self;
        let end = match shape {
            Shape::Open { .. } if encoder.frame.strict => return Err(unmarked()),
            Shape::Open { .. } => place.at(),
            Shape::FixVec { .. } => {
                encoder.out.patch(start, offset(count));
                place.at()
            }
            Shape::DynVec(header) => header.finish(encoder, count, place.at())?,
        };
        Ok((encoder, Written::dynamic(end)))
    }
}

/// Writes an item at `at` that is no scalar, so that it was written to `scratch`.
#[cold]
#[inline(never)]
fn take_over(
    encoder: &mut Encoder,
    at: usize,
    result: Result<Written>,
    mut scratch: Encoder,
) -> Result<Written> {
    encoder.frame.failed |= scratch.frame.failed;
    let written = result?;
    if written.is_dynamic() {
        return Ok(Written::dynamic(at));
    }
    let size = scratch.complete(written)?;
    encoder.put_bytes(at, scratch.out.written(size)).map(Written::fixed)
}

/// Writes as many of `bytes` as `place` has, by one move if the compiler knows that number.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_exactly(place: &mut [u8], bytes: [u8; SCALAR_SIZE]) {
    if let (Some(bytes), true) = (bytes.get(..place.len()), place.len() <= SCALAR_SIZE) {
        place.copy_from_slice(bytes);
    }
}

#[cold]
#[inline(never)]
fn unmarked() -> Error {
    Error::placeless(ErrorKind::UNMARKED_SEQUENCE)
}

/// Takes an item of a dynvec of which something has to be noted or written, or which is fixed.
#[inline(never)]
fn take_unusual(encoder: &mut Encoder, written: Written, index: usize) -> Result<usize> {
    let end = match written.is_dynamic() {
        true => encoder.complete_item(written),
        false => Err(fixed(index)),
    };
    end.map_err(|error| in_item(&mut encoder.frame, error, index))
}

/// The error for a dynamic item of a fixvec.
#[cold]
#[inline(never)]
fn not_fixed(index: usize) -> Error {
    match index {
        0 => dynamic("an item", place::FIXVEC),
        index => unlike(index),
    }
}

/// The error for a fixed item of a dynvec.
#[cold]
#[inline(never)]
fn fixed(index: usize) -> Error {
    match index {
        0 => Error::placeless(ErrorKind::FixedItem).or_hint(Some(FIXVEC)),
        index => unlike(index),
    }
}

impl<M: Marking> ser::SerializeSeq for Sequence<'_, M> {
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
