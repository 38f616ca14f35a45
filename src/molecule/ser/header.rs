//! The header of a table or dynvec while its parts are written: its length precedes them, its
//! numbers are known after them.

use alloc::vec::Vec;
use core::ops::Range;

use super::encoder::{Encoder, number};
use super::wrong_length;
use crate::molecule::Result;
use crate::molecule::wire::{self, MOST_RESERVED, NUMBER_SIZE};

/// A header with room for `slots` offsets; later ones wait in `Encoder::offsets` from `side` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    start: usize,
    slots: usize,
    side: usize,
}

impl Header {
    /// Reserves a header at `at`, and tells what follows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn reserve(encoder: &mut Encoder, at: usize, slots: usize) -> Result<(Self, usize)> {
        let slots = slots.min(MOST_RESERVED);
        let size = wire::header_size(slots);
        wire::number(size)?;
        encoder.out.reserve(at, size);
        Ok((Header { start: at, slots, side: encoder.offsets.len() }, at + size))
    }

    /// Puts a header in front of the parts that lie at `parts`, and tells what follows. Where each
    /// of them but the first begins, and the next one, is taken from `Encoder::offsets`, `side` on;
    /// they are as many as a tuple has before it is an array, and no more than are reserved.
    #[cold]
    #[inline(never)]
    pub(super) fn insert(
        encoder: &mut Encoder,
        parts: Range<usize>,
        slots: usize,
        side: usize,
    ) -> Result<(Self, usize)> {
        let slots = slots.min(MOST_RESERVED);
        let size = wire::header_size(slots);
        let moved = number(size)?;
        let header = Header { start: parts.start, slots, side };
        let Encoder { out, offsets, .. } = encoder;
        out.insert(parts.start, size, parts.end);
        out.patch(header.slot(0), moved.to_le_bytes());
        for (place, slot) in offsets.drain(side..).zip(1..slots) {
            out.patch(header.slot(slot), moved.saturating_add(place).to_le_bytes());
        }
        Ok((header, parts.end + size))
    }

    /// Where the offset of part `slot` stands.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slot(&self, slot: usize) -> usize {
        self.start + NUMBER_SIZE * (1 + slot)
    }

    /// Notes that part `index` begins at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_offset(&self, encoder: &mut Encoder, index: usize, at: usize) -> Result<()> {
        let Encoder { out, offsets, .. } = encoder;
        self.put_offset_in(out.written_from(0), offsets, index, at)
    }

    /// The same in what is `written`, where `side` takes the offsets that have no place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_offset_in(
        &self,
        written: &mut [u8],
        side: &mut Vec<u32>,
        index: usize,
        at: usize,
    ) -> Result<()> {
        let offset = number(at - self.start)?;
        if index >= self.slots {
            side.push(offset);
        } else if let Some(place) = written.get_mut(self.slot(index)..) {
            if let Some(place) = place.first_chunk_mut() {
                *place = offset.to_le_bytes();
            }
        }
        Ok(())
    }

    /// Completes the header of `count` parts that end at `end`, and tells what follows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(self, encoder: &mut Encoder, count: usize, end: usize) -> Result<usize> {
        if count < self.slots {
            return Err(wrong_length(self.slots, count));
        }
        let end = match count > self.slots {
            true => self.lengthen(encoder, count, end)?,
            false => end,
        };
        encoder.out.patch(self.start, wire::number(end - self.start)?);
        Ok(end)
    }

    /// Makes room for the offsets that were not announced: serde counts no skipped fields, and
    /// some sequences do not know their length.
    #[cold]
    #[inline(never)]
    fn lengthen(self, encoder: &mut Encoder, count: usize, end: usize) -> Result<usize> {
        let Header { start, slots, side } = self;
        let gap = wire::header_size(count) - wire::header_size(slots);
        let moved = number(gap)?;
        wire::number(end.saturating_add(gap))?;
        let (first, offsets) = (start + NUMBER_SIZE, slots.saturating_mul(NUMBER_SIZE));
        let header = encoder.out.written_from(first).get_mut(..offsets).unwrap_or_default();
        for number in header.chunks_exact_mut(NUMBER_SIZE) {
            if let Some(number) = number.first_chunk_mut() {
                *number = u32::from_le_bytes(*number).saturating_add(moved).to_le_bytes();
            }
        }
        let Encoder { out, offsets, .. } = encoder;
        out.insert(self.slot(slots), gap, end);
        for (waiting, slot) in offsets.drain(side..).zip(slots..count) {
            out.patch(self.slot(slot), waiting.saturating_add(moved).to_le_bytes());
        }
        Ok(end + gap)
    }
}
