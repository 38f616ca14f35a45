//! The header of a table or dynvec while its parts are written: it comes before the parts, and its
//! numbers are known after them. Does not know serde.

use super::encoder::Encoder;
use super::wrong_length;
use crate::molecule::Result;
use crate::molecule::wire::{self, ENTRY_FIELDS, MOST_RESERVED, NUMBER_SIZE, offset};

/// A header with `slots` offsets; further ones are kept in `Encoder::offsets` from `side` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    start: usize,
    slots: usize,
    side: usize,
}

impl Header {
    /// Reserves a header at `at`, and returns where its parts begin.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn reserve(encoder: &mut Encoder, at: usize, slots: usize) -> Result<(Self, usize)> {
        let slots = slots.min(MOST_RESERVED);
        let header = Header { start: at, slots, side: encoder.offsets.len() };
        Ok((header, header.begin(encoder)?))
    }

    /// The header of a map's entry at `start`, which has no further offsets.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of_entry(start: usize) -> Self {
        Header { start, slots: ENTRY_FIELDS, side: 0 }
    }

    /// Reserves it, and returns where its parts begin.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin(self, encoder: &mut Encoder) -> Result<usize> {
        let size = wire::header_size(self.slots);
        encoder.reserve(self.start, size)?;
        Ok(self.start + size)
    }

    /// Inserts a header at `start` in front of a first part that lies from `part` to `end`, and
    /// returns how far the part moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn insert(
        encoder: &mut Encoder,
        start: usize,
        slots: usize,
        part: usize,
        end: usize,
    ) -> Result<(Self, usize)> {
        let slots = slots.min(MOST_RESERVED);
        let gap = start + wire::header_size(slots) - part;
        if gap > 0 {
            encoder.insert(part, gap, end)?;
        }
        Ok((Header { start, slots, side: encoder.offsets.len() }, gap))
    }

    /// The same header, with further offsets kept from `side` on.
    pub(super) fn behind(self, side: usize) -> Self {
        Header { side, ..self }
    }

    /// Where the offset of part `slot` stands.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slot(&self, slot: usize) -> usize {
        self.start + wire::header_size(slot)
    }

    /// Writes the offset of part `index`, which begins at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_offset(&self, encoder: &mut Encoder, index: usize, at: usize) {
        let offset = offset(at - self.start);
        match index < self.slots {
            true => encoder.out.patch(self.slot(index), offset),
            false => encoder.offsets.push(u32::from_le_bytes(offset)),
        }
    }

    /// Completes the header of `count` parts that end at `end`, and returns where the value ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(self, encoder: &mut Encoder, count: usize, end: usize) -> Result<usize> {
        if count < self.slots {
            return Err(wrong_length(self.slots, count));
        }
        let end = match count > self.slots {
            true => self.lengthen(encoder, count, end)?,
            false => end,
        };
        encoder.out.patch(self.start, offset(end - self.start));
        Ok(end)
    }

    /// Inserts the offsets that were not announced: serde does not count skipped fields, and some
    /// sequences do not know their length.
    #[cold]
    #[inline(never)]
    fn lengthen(self, encoder: &mut Encoder, count: usize, end: usize) -> Result<usize> {
        let Header { start, slots, side } = self;
        let gap = wire::header_size(count) - wire::header_size(slots);
        encoder.insert(self.slot(slots), gap, end)?;
        let moved = u32::from_le_bytes(offset(gap));
        let (first, offsets) = (start + NUMBER_SIZE, slots.saturating_mul(NUMBER_SIZE));
        let header = encoder.out.written_from(first).get_mut(..offsets).unwrap_or_default();
        for number in header.chunks_exact_mut(NUMBER_SIZE) {
            if let Some(number) = number.first_chunk_mut() {
                *number = u32::from_le_bytes(*number).saturating_add(moved).to_le_bytes();
            }
        }
        let Encoder { out, offsets, .. } = encoder;
        for (waiting, slot) in offsets.drain(side..).zip(slots..count) {
            out.patch(self.slot(slot), waiting.saturating_add(moved).to_le_bytes());
        }
        Ok(end + gap)
    }
}
