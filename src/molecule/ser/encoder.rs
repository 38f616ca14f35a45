//! A document under construction: its bytes, and what is known about all of it. Does not know
//! serde.

use alloc::vec::Vec;

use super::frame::{Frame, INLINE_SIZE, SCALAR_SIZE};
use super::gathered::Gathered;
use super::position::{Position, Written};
use crate::error::Fault;
use crate::fast::buffer::{Buffer, SHORT, put_short};
use crate::molecule::wire::{self, LONGEST_DOCUMENT, NUMBER_SIZE, offset};
use crate::molecule::{Error, ErrorKind, Options, Result};

/// A document under construction.
#[derive(Debug)]
pub(in crate::molecule) struct Encoder {
    /// At most [`LONGEST_DOCUMENT`].
    pub(super) out: Buffer,
    /// Bytes that are not in `out` yet, and what all values need.
    pub(super) frame: Frame,
    /// Bytes of the current array that are not in `out` yet.
    gathered: Gathered,
    /// Offsets that have no place in `out` yet. Those of a value follow those of the values around
    /// it.
    pub(super) offsets: Vec<u32>,
    /// Whether an unmarked tuple became a table although its first item does not show it.
    pub(super) wrote_mixed: bool,
    /// Whether the bytes of a packed tuple look like a table in a place where a table may be.
    pub(super) wrote_lookalike: bool,
}

impl Encoder {
    /// An encoder with memory for `likely` bytes.
    #[inline]
    pub(in crate::molecule) fn new(options: &Options, likely: usize) -> Self {
        Self::with(options.strict, options.max_depth, likely)
    }

    /// An encoder without memory, for items of a sequence that are expected to be scalars.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn scratch(&self) -> Self {
        Self::with(self.frame.strict, self.frame.max_depth, 0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with(strict: bool, max_depth: u16, likely: usize) -> Self {
        Encoder {
            out: Buffer::with_capacity(likely),
            frame: Frame::new(strict, max_depth),
            gathered: Gathered::NONE,
            offsets: Vec::new(),
            wrote_mixed: false,
            wrote_lookalike: false,
        }
    }

    /// Begins a document, whatever happened to the one before, and returns its position.
    #[inline]
    pub(super) fn start(&mut self) -> Position {
        self.offsets.clear();
        self.frame.clear();
        self.gathered.clear();
        self.wrote_mixed = false;
        self.wrote_lookalike = false;
        Position::first(self.frame.max_depth)
    }

    /// Writes bytes, and returns where they end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> Result<usize> {
        put(&mut self.out, at, &bytes)
    }

    /// Writes bytes, and returns where they end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_bytes(&mut self, at: usize, bytes: &[u8]) -> Result<usize> {
        put(&mut self.out, at, bytes)
    }

    /// Gathers a byte of an array, to be written at `at` behind `count` others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn gather(&mut self, at: usize, count: usize) {
        let [byte, ..] = self.frame.held();
        self.gathered.push(at, count, byte);
    }

    /// Writes the gathered bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn release(&mut self) -> Result<()> {
        let count = self.gathered.count();
        if count > 0 {
            put(&mut self.out, self.gathered.at(), self.gathered.bytes(count))?;
            self.gathered.clear();
        }
        Ok(())
    }

    /// Writes a fixvec of bytes, and returns where it ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_counted(&mut self, at: usize, bytes: &[u8]) -> Result<usize> {
        if bytes.len() <= SHORT {
            let end = at.wrapping_add(NUMBER_SIZE + SHORT);
            let place = self.out.written_mut(at, end).and_then(<[u8]>::split_first_chunk_mut);
            if let Some((count, place)) = place {
                *count = offset(bytes.len());
                put_short(place, bytes);
                return Ok(at + NUMBER_SIZE + bytes.len());
            }
        }
        self.put_long_counted(at, bytes)
    }

    #[inline(never)]
    fn put_long_counted(&mut self, at: usize, bytes: &[u8]) -> Result<usize> {
        let count = wire::number(bytes.len())?;
        let at = self.put(at, count)?;
        self.put_bytes(at, bytes)
    }

    /// Holds a scalar in the frame; it will be written at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn hold<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> Result<Written> {
        self.frame.hold(bytes);
        Ok(Written::pending(at, N))
    }

    /// Holds a packed value that will begin at `at`, or writes it if it is long.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn hold_packed(&mut self, at: usize, written: Written) -> Result<Written> {
        let size = self.frame.complete(written);
        match size <= INLINE_SIZE {
            true => Ok(Written::pending(at, size)),
            false => self.put_long(at, size),
        }
    }

    #[cold]
    #[inline(never)]
    fn put_long(&mut self, at: usize, size: usize) -> Result<Written> {
        let (first, rest) = self.frame.take_long(size);
        let behind = put(&mut self.out, at, first)?;
        put(&mut self.out, behind, &rest).map(Written::fixed)
    }

    /// Writes what is pending of a value, and returns where it ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn complete(&mut self, written: Written) -> Result<usize> {
        match written.size() {
            0 => Ok(written.at()),
            1..=SCALAR_SIZE => self.complete_scalar(written),
            size => put(&mut self.out, written.at(), self.frame.bytes(size)),
        }
    }

    /// The same by one move of [`SCALAR_SIZE`] bytes, for at most so many bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn complete_scalar(&mut self, written: Written) -> Result<usize> {
        let (at, size) = (written.at(), written.size());
        match self.out.written_mut(at, at + SCALAR_SIZE) {
            Some(place) => place.copy_from_slice(&self.frame.held()),
            None => put_slowly(&mut self.out, at, self.frame.bytes(size))?,
        }
        Ok(at + size)
    }

    /// The same for `value` in a slot of its own, where a table may be. That is every value but
    /// items of unmarked tuples and fixvecs.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn complete_in_slot<T: ?Sized>(
        &mut self,
        value: &T,
        written: Written,
    ) -> Result<usize> {
        if const { core::mem::needs_drop::<T>() } {
            return self.complete_item(written);
        }
        self.note_lookalike(written)?;
        // Small options and enums: without a branch that the processor predicts badly.
        match size_of_val(value) <= 2 * SCALAR_SIZE && written.size() <= SCALAR_SIZE {
            true => self.complete_scalar(written),
            false => self.complete(written),
        }
    }

    /// The same for a value that is hardly ever fixed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn complete_item(&mut self, written: Written) -> Result<usize> {
        match written.is_usual() {
            true => Ok(written.at()),
            false => self.complete_unusual(written),
        }
    }

    #[inline(never)]
    fn complete_unusual(&mut self, written: Written) -> Result<usize> {
        self.note_lookalike(written)?;
        self.complete(written)
    }

    /// Whether the bytes from `start` to `end` could be a table of `count` fields or more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_lookalike(&self, start: usize, end: usize, count: usize) -> bool {
        let bytes = self.out.written(end).get(start..);
        bytes.is_some_and(|bytes| wire::passes_for_table(bytes, count))
    }

    /// Records a value in a slot of its own that looks like a table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn note_lookalike(&mut self, written: Written) -> Result<()> {
        match written.looks_like_table() {
            false => Ok(()),
            true => {
                self.wrote_lookalike = true;
                self.check_tuples()
            }
        }
    }

    /// Refuses tuples that a reader cannot tell apart: one that starts over takes every tuple with a fixed first
    /// item for packed.
    #[cold]
    #[inline(never)]
    pub(super) fn check_tuples(&self) -> Result<()> {
        match self.wrote_mixed && self.wrote_lookalike {
            false => Ok(()),
            true => Err(Error::placeless(ErrorKind::AmbiguousTuple)),
        }
    }

    /// Makes `count` bytes ready.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn reserve(&mut self, at: usize, count: usize) -> Result<()> {
        // A loop, so that the compiler knows afterwards that the bytes are ready.
        while self.out.lacks_ready(at, count) {
            self.grow(at, count)?;
        }
        Ok(())
    }

    /// Makes a gap of `count` bytes in front of the bytes from `at` to `end`.
    pub(super) fn insert(&mut self, at: usize, count: usize, end: usize) -> Result<()> {
        self.reserve(end, count)?;
        self.out.insert(at, count, end);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, at: usize, count: usize) -> Result<()> {
        wire::check_size(at.saturating_add(count))?;
        self.out.reserve(at, count);
        self.out.limit(LONGEST_DOCUMENT);
        Ok(())
    }

    /// Checks that the outermost value is a valid document.
    #[inline]
    fn check(&mut self, written: Written) -> Result<()> {
        self.note_lookalike(written)?;
        if self.frame.failed {
            return Err(Error::placeless(Fault::Abandoned));
        }
        if self.frame.is_too_long() {
            return Err(Error::placeless(ErrorKind::TooLarge { size: LONGEST_DOCUMENT }));
        }
        Ok(())
    }

    /// The finished document.
    pub(super) fn document(&mut self, written: Written) -> Result<&[u8]> {
        self.check(written)?;
        let size = self.complete(written)?;
        Ok(self.out.written(size))
    }

    /// The finished document, by value.
    #[inline(never)]
    pub(super) fn finish(mut self, written: Written) -> Result<Vec<u8>> {
        self.check(written)?;
        match written.size() {
            0 => Ok(self.out.finish(written.at())),
            // A small fixed value gets memory of exactly its size.
            size => Ok(self.frame.bytes(size).to_vec()),
        }
    }

    /// The finished document of a small fixed value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixed_document(&self, written: Written) -> Option<&[u8]> {
        let is_refused = self.frame.failed || self.frame.is_too_long();
        let is_sound = written.is_fixed_and_pending() && !is_refused;
        is_sound.then(|| self.frame.bytes(written.size()))
    }
}

/// Writes bytes, and returns where they end.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put(out: &mut Buffer, at: usize, bytes: &[u8]) -> Result<usize> {
    let end = at.wrapping_add(bytes.len());
    match out.written_mut(at, end) {
        Some(place) => place.copy_from_slice(bytes),
        None => put_slowly(out, at, bytes)?,
    }
    Ok(end)
}

#[cold]
#[inline(never)]
fn put_slowly(out: &mut Buffer, at: usize, bytes: &[u8]) -> Result<()> {
    wire::check_size(at.saturating_add(bytes.len()))?;
    out.put_bytes(at, bytes);
    out.limit(LONGEST_DOCUMENT);
    Ok(())
}
