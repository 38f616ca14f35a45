//! The bytes of a fixed value before they have their place in the document, and what all values know.

use alloc::vec::Vec;

use super::position::Position;
use crate::limits;
use crate::molecule::wire::LONGEST_DOCUMENT;
use crate::molecule::{Result, mark};

/// So many bytes of a value are written without a question.
pub(super) const INLINE_SIZE: usize = 256;

/// So many bytes a scalar has at most that is handed over.
pub(super) const SCALAR_SIZE: usize = 8;

/// The bytes of a scalar or packed value that nobody has taken yet.
///
/// Places in it begin with zero for each value. So compilers know them where they know the type, and then
/// nothing is left of the question whether bytes fit.
#[derive(Debug)]
pub(super) struct Frame {
    inline: [u8; INLINE_SIZE],
    /// What comes behind the bytes that fit the window.
    rest: Vec<u8>,
    /// Whether there were more bytes than a document may have.
    is_too_long: bool,
    pub(super) strict: bool,
    pub(super) max_depth: u16,
    /// Whether some part of the document was refused.
    pub(super) failed: bool,
}

impl Frame {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(strict: bool, max_depth: u16) -> Self {
        let (inline, rest) = ([0; INLINE_SIZE], Vec::new());
        Frame { inline, rest, is_too_long: false, strict, max_depth, failed: false }
    }

    /// Holds a scalar. It is read as it was written, by one move of [`SCALAR_SIZE`] bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn hold<const N: usize>(&mut self, bytes: [u8; N]) {
        const { assert!(N <= SCALAR_SIZE) };
        let mut word = [0; SCALAR_SIZE];
        for (place, byte) in word.iter_mut().zip(bytes) {
            *place = byte;
        }
        if let Some(place) = self.inline.first_chunk_mut() {
            *place = word;
        }
    }

    /// The scalar that is held.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn held(&self) -> [u8; SCALAR_SIZE] {
        self.inline.first_chunk().copied().unwrap_or_default()
    }

    /// Writes a part of a packed value, and tells what follows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> usize {
        let end = at.wrapping_add(N);
        match self.inline.get_mut(at..end) {
            Some(place) => place.copy_from_slice(&bytes),
            None => self.put_behind(bytes),
        }
        end
    }

    #[cold]
    #[inline(never)]
    fn put_behind<const N: usize>(&mut self, bytes: [u8; N]) {
        match self.rest.len() < LONGEST_DOCUMENT - INLINE_SIZE - N {
            true => self.rest.extend_from_slice(&bytes),
            false => self.is_too_long = true,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// The bytes of a value that fits the window.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bytes(&self, size: usize) -> &[u8] {
        self.inline.get(..size).unwrap_or_default()
    }

    /// The bytes of a value that does not: those in the window, and the others.
    pub(super) fn take_long(&mut self, size: usize) -> (&[u8], Vec<u8>) {
        let rest = core::mem::take(&mut self.rest);
        (self.inline.get(..size.saturating_sub(rest.len())).unwrap_or_default(), rest)
    }

    /// Begins a document.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.rest.clear();
        self.is_too_long = false;
        self.failed = false;
    }

    /// The place of parts of a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter(&self, place: Position) -> Result<Position> {
        match place.enter() {
            Some(place) => Ok(place),
            None => Err(limits::too_deep(self.max_depth)),
        }
    }

    /// The place inside of a `Some` or newtype struct.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrap(&self, place: Position) -> Result<Position> {
        match place.wrap() {
            Some(place) => Ok(place),
            None => Err(limits::too_deep(self.max_depth)),
        }
    }

    /// Refuses the name of a container that looks like a mark and is none, under `strict`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn check_name(&self, name: &'static str) -> Result<()> {
        match self.strict {
            true => mark::check_strictly(name),
            false => Ok(()),
        }
    }
}
