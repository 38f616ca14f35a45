//! The header of a table or dynvec: reserved before its items, patched as they are written.

use super::encoder::Encoder;
use super::wrong_length;
use crate::molecule::Result;
use crate::molecule::wire::{self, ENTRY_FIELDS, MOST_RESERVED, NUMBER_SIZE, number_bytes};

/// A header at `start` with reserved places for `slots` offsets. Further offsets are kept in
/// `Encoder::offsets` from index `side` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    start: usize,
    slots: usize,
    side: usize,
}

impl Header {
    /// Reserves a header at `at`, and returns where its items begin.
    #[inline]
    pub(super) fn reserve(encoder: &mut Encoder, at: usize, slots: usize) -> (Self, usize) {
        let slots = slots.min(MOST_RESERVED);
        let header = Header { start: at, slots, side: encoder.offsets.len() };
        (header, header.begin(encoder))
    }

    /// The header of a map's entry at `start`.
    #[inline]
    pub(super) fn of_entry(start: usize) -> Self {
        Header { start, slots: ENTRY_FIELDS, side: 0 }
    }

    /// Reserves it, and returns where its items begin.
    #[inline]
    pub(super) fn begin(self, encoder: &mut Encoder) -> usize {
        let size = wire::header_size(self.slots);
        encoder.reserve(self.start, size);
        self.start + size
    }

    /// Inserts a header at `start` before items that are at `items..end` already, and returns how
    /// far they move.
    #[inline]
    pub(super) fn insert(
        encoder: &mut Encoder,
        start: usize,
        slots: usize,
        items: usize,
        end: usize,
    ) -> (Self, usize) {
        let slots = slots.min(MOST_RESERVED);
        let gap = start + wire::header_size(slots) - items;
        if gap > 0 {
            encoder.insert(items, gap, end);
        }
        (Header { start, slots, side: encoder.offsets.len() }, gap)
    }

    /// Where the offset of item `index` is.
    #[inline]
    fn slot(&self, index: usize) -> usize {
        self.start + wire::header_size(index)
    }

    /// Writes the offset of item `index`, which begins at `at`.
    #[inline]
    pub(super) fn put_offset(&self, encoder: &mut Encoder, index: usize, at: usize) {
        let offset = number_bytes(at.wrapping_sub(self.start));
        match index < self.slots {
            true => encoder.out.patch(self.slot(index), offset),
            false => encoder.offsets.push(u32::from_le_bytes(offset)),
        }
    }

    /// Completes the header of `count` items that end at `end`, and returns where the value ends.
    #[inline]
    pub(super) fn finish(self, encoder: &mut Encoder, count: usize, end: usize) -> Result<usize> {
        if count < self.slots {
            return Err(wrong_length(self.slots, count));
        }
        let end = match count > self.slots {
            true => self.lengthen(encoder, count, end),
            false => end,
        };
        encoder.out.patch(self.start, number_bytes(end.wrapping_sub(self.start)));
        Ok(end)
    }

    /// Inserts the offsets without a reserved place: serde does not count skipped fields, and some
    /// sequences do not announce their length.
    #[cold]
    #[inline(never)]
    fn lengthen(self, encoder: &mut Encoder, count: usize, end: usize) -> usize {
        let Header { start, slots, side } = self;
        let gap = wire::header_size(count) - wire::header_size(slots);
        encoder.insert(self.slot(slots), gap, end);
        let moved = u32::from_le_bytes(number_bytes(gap));
        let (first, size) = (start + NUMBER_SIZE, slots.saturating_mul(NUMBER_SIZE));
        let reserved = encoder.out.written_from(first).get_mut(..size).unwrap_or_default();
        for number in reserved.chunks_exact_mut(NUMBER_SIZE) {
            if let Some(number) = number.first_chunk_mut() {
                *number = u32::from_le_bytes(*number).saturating_add(moved).to_le_bytes();
            }
        }
        let Encoder { out, offsets, .. } = encoder;
        for (offset, index) in offsets.drain(side..).zip(slots..count) {
            out.patch(self.slot(index), offset.saturating_add(moved).to_le_bytes());
        }
        end + gap
    }
}
