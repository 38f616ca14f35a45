//! A cursor over fixed values that follow one another. Knows offsets and depth, does not know any
//! type.

use super::State;
use crate::error::Fault;
use crate::limits::Depth;
use crate::molecule::{Error, Result};

/// The unread bytes, and how deep the next value may nest.
#[derive(Debug)]
pub(super) struct PackedCursor<'a, 'de> {
    pub(super) state: &'a mut State,
    rest: &'de [u8],
    /// Where the bytes end in the input.
    end: usize,
    depth: Depth,
    /// Where a value failed before its end, so that the start of the next one is unknown. A type
    /// may ignore such an error.
    abandoned_at: Option<usize>,
}

impl<'a, 'de> PackedCursor<'a, 'de> {
    /// A cursor over `bytes`, which begin at `base` of the input.
    #[inline(always)]
    pub(super) fn new(state: &'a mut State, bytes: &'de [u8], base: usize) -> Self {
        let (depth, end) = (state.depth.depth(), base + bytes.len());
        PackedCursor { state, rest: bytes, end, depth, abandoned_at: None }
    }

    /// Where the next byte lies in the input.
    #[inline(always)]
    pub(super) fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    /// The unread bytes.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'de [u8] {
        self.rest
    }

    /// Takes the next `N` bytes.
    #[inline(always)]
    pub(super) fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk() {
            Some((bytes, rest)) => {
                self.rest = rest;
                Ok(*bytes)
            }
            None => Err(ends_early(N, self.rest.len(), self.end)),
        }
    }

    /// A cursor over the unread bytes, one level deeper. As a value of its own, it can stay in
    /// registers. [`advance_to`](PackedCursor::advance_to) follows, also after an error, since a
    /// type may ignore it.
    #[inline(always)]
    pub(super) fn level(&mut self) -> Result<PackedCursor<'_, 'de>> {
        let Some(depth) = self.depth.enter() else {
            return Err(too_deep(self.state, self.offset()));
        };
        let PackedCursor { ref mut state, rest, end, .. } = *self;
        Ok(PackedCursor { state, rest, end, depth, abandoned_at: None })
    }

    /// Continues after a deeper level, which left `rest` unread.
    #[inline(always)]
    pub(super) fn advance_to(&mut self, rest: &'de [u8]) {
        self.rest = rest;
    }

    /// Records the value at `start` as abandoned if nothing of it was read: each value takes at
    /// least one byte.
    #[inline(always)]
    pub(super) fn note_if_unread(&mut self, start: usize) {
        if self.offset() == start {
            self.mark_abandoned(start);
        }
    }

    /// Records the value at `start` as abandoned before its end.
    #[cold]
    pub(super) fn mark_abandoned(&mut self, start: usize) {
        self.abandoned_at.get_or_insert(start);
    }

    /// Where a value was abandoned before its end.
    #[inline(always)]
    pub(super) fn abandoned_at(&self) -> Option<usize> {
        self.abandoned_at
    }

    /// Records in the document what was abandoned although its visitor succeeded.
    #[inline(always)]
    pub(super) fn note_abandoned(&mut self) {
        self.state.note_abandoned(self.abandoned_at);
    }

    /// Enters a newtype struct; [`unwrap`](PackedCursor::unwrap) follows.
    #[inline(always)]
    pub(super) fn wrap(&mut self) -> Result<()> {
        match self.depth.wrap() {
            Some(depth) => self.depth = depth,
            None => return Err(too_deep(self.state, self.offset())),
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn unwrap(&mut self) {
        self.depth.wrappers = self.depth.wrappers.saturating_add(1);
    }

    /// Refuses unread bytes.
    #[inline(always)]
    pub(super) fn finish(&self) -> Result<()> {
        match self.rest.len() {
            0 => Ok(()),
            count => Err(trailing(count, self.end)),
        }
    }
}

#[cold]
#[inline(never)]
fn ends_early(needed: usize, left: usize, end: usize) -> Error {
    Error::at(Fault::UnexpectedEnd { needed, left }, end - left)
}

#[cold]
#[inline(never)]
fn trailing(count: usize, end: usize) -> Error {
    Error::at(Fault::TrailingBytes { count }, end - count)
}

#[cold]
#[inline(never)]
fn too_deep(state: &State, offset: usize) -> Error {
    let error: Error = state.depth.reached();
    error.or_offset(offset)
}
