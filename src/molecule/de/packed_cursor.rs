//! A stretch of the input that is read one fixed value after another.

use super::State;
use crate::error::Fault;
use crate::limits::Depth;
use crate::molecule::{Error, Result};

/// What is left of the bytes, and how deep the value at hand may still be.
#[derive(Debug)]
pub(super) struct PackedCursor<'a, 'de> {
    pub(super) state: &'a mut State,
    rest: &'de [u8],
    /// Where the bytes end in the input.
    end: usize,
    depth: Depth,
    /// Where a value failed before its end, so that nobody knows where the next one begins. Some types
    /// go on without it.
    abandoned_at: Option<usize>,
}

impl<'a, 'de> PackedCursor<'a, 'de> {
    /// The bytes, which begin at `base` of the input.
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

    /// What is left.
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

    /// What is left, one level further in, to be read by itself: then it does not lie in memory.
    /// [`advance_to`](Stretch::go_on) follows, also after an error: some types go on without the value
    /// that failed.
    #[inline(always)]
    pub(super) fn level(&mut self) -> Result<PackedCursor<'_, 'de>> {
        let Some(depth) = self.depth.enter() else {
            return Err(too_deep(self.state, self.offset()));
        };
        let PackedCursor { ref mut state, rest, end, .. } = *self;
        Ok(PackedCursor { state, rest, end, depth, abandoned_at: None })
    }

    /// Goes on behind a level.
    #[inline(always)]
    pub(super) fn advance_to(&mut self, rest: &'de [u8]) {
        self.rest = rest;
    }

    /// Notes if the value at `start` was left before it began: each takes a byte at least.
    #[inline(always)]
    pub(super) fn note_if_unread(&mut self, start: usize) {
        if self.offset() == start {
            self.mark_abandoned(start);
        }
    }

    /// Notes that the value at `start` was left before its end.
    #[cold]
    pub(super) fn mark_abandoned(&mut self, start: usize) {
        self.abandoned_at.get_or_insert(start);
    }

    /// Where a value was left before its end.
    #[inline(always)]
    pub(super) fn abandoned_at(&self) -> Option<usize> {
        self.abandoned_at
    }

    /// Notes that a visitor goes on although a value, if any, was left before its end.
    #[inline(always)]
    pub(super) fn note_abandoned(&mut self) {
        self.state.note_abandoned(self.abandoned_at);
    }

    /// Enters a newtype struct; [`unwrap`](Stretch::unwrap) follows.
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

    /// Refuses bytes that nobody has taken.
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
