//! The frame: the bytes of a fixed value before they are written into the document, and options
//! that all values need. Does not know serde.

use alloc::vec::Vec;

use super::gathered::Gathered;
use super::position::{Position, Written};
use crate::limits;
use crate::molecule::wire::LONGEST_DOCUMENT;
use crate::molecule::{Error, Result, mark};

/// Up to this size, a value is written without allocating.
pub(super) const INLINE_SIZE: usize = 256;

/// The largest scalar that is held.
pub(super) const SCALAR_SIZE: usize = 8;

/// The bytes of a scalar or packed value that is not written yet.
///
/// Offsets in it begin at zero for each value. So the compiler knows them if it knows the type, and
/// no length check is left.
#[derive(Debug)]
pub(super) struct Frame {
    inline: [u8; INLINE_SIZE],
    /// The bytes behind the first [`INLINE_SIZE`].
    rest: Vec<u8>,
    /// Whether the value is longer than a document may be.
    is_too_long: bool,
    /// Bytes of the current packed array that are not in `inline` yet.
    gathered: Gathered,
    /// A single byte of a packed value that is not in `inline` yet.
    byte: u8,
    pub(super) strict: bool,
    pub(super) max_depth: u16,
    /// Whether some part of the document failed.
    pub(super) failed: bool,
}

impl Frame {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(strict: bool, max_depth: u16) -> Self {
        Frame {
            inline: [0; INLINE_SIZE],
            rest: Vec::new(),
            is_too_long: false,
            gathered: Gathered::NONE,
            byte: 0,
            strict,
            max_depth,
            failed: false,
        }
    }

    /// Holds a scalar, by one move of [`SCALAR_SIZE`] bytes, as it will be read.
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

    /// The held scalar.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn held(&self) -> [u8; SCALAR_SIZE] {
        self.inline.first_chunk().copied().unwrap_or_default()
    }

    /// Writes a part of a packed value, and returns where it ends.
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

    /// Holds a single byte of a packed value; it will be written at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn hold_byte(&mut self, at: usize, byte: u8) -> Written {
        self.byte = byte;
        Written::pending(at, 1)
    }

    /// The byte that is held, if `written` is such a byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn held_byte(&self, written: Written) -> Option<u8> {
        written.is_pending(1).then_some(self.byte)
    }

    /// Writes what is pending of a part of a packed value, and returns where the part ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn complete(&mut self, written: Written) -> usize {
        match self.held_byte(written) {
            Some(byte) => self.put(written.at(), [byte]),
            None => written.at(),
        }
    }

    /// Gathers a byte of an array, to be written at `at` behind `count` others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn gather(&mut self, at: usize, count: usize, byte: u8) {
        self.gathered.push(at, count, byte);
    }

    /// Writes the gathered bytes, in front of a part of `size` bytes that is written. They are `count`
    /// or, if a tuple in the part has released them, none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn release(&mut self, count: usize, size: usize) {
        if count > 0 && self.gathered.count() == count {
            let at = self.gathered.at();
            match self.inline.get_mut(at..at.wrapping_add(count)) {
                Some(place) => place.copy_from_slice(self.gathered.bytes(count)),
                None => self.insert_behind(size),
            }
            self.gathered.clear();
        }
    }

    /// Writes the bytes that a tuple has gathered, in front of a tuple inside it that begins at `at`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn release_outer(&mut self, at: usize) {
        if self.gathered.count() > 0 {
            self.release_before(at);
        }
    }

    /// The inner tuple may be in a struct, of which fields are written between the bytes and the tuple.
    #[cold]
    #[inline(never)]
    fn release_before(&mut self, at: usize) {
        let count = self.gathered.count();
        let end = self.gathered.at().saturating_add(count);
        self.release(count, at.saturating_sub(end));
    }

    /// Inserts gathered bytes that do not fit in `inline` in front of the last `size` bytes.
    #[cold]
    #[inline(never)]
    fn insert_behind(&mut self, size: usize) {
        let bytes = self.gathered.bytes(self.gathered.count());
        let at = self.rest.len().saturating_sub(size);
        match self.rest.len() < LONGEST_DOCUMENT - INLINE_SIZE - bytes.len() {
            true => drop(self.rest.splice(at..at, bytes.iter().copied())),
            false => self.is_too_long = true,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// The bytes of a value of at most [`INLINE_SIZE`] bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bytes(&self, size: usize) -> &[u8] {
        self.inline.get(..size).unwrap_or_default()
    }

    /// The bytes of a longer value: the first ones, and the others.
    pub(super) fn take_long(&mut self, size: usize) -> (&[u8], Vec<u8>) {
        let rest = core::mem::take(&mut self.rest);
        (self.inline.get(..size.saturating_sub(rest.len())).unwrap_or_default(), rest)
    }

    /// Begins a document.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.rest.clear();
        self.gathered.clear();
        self.is_too_long = false;
        self.failed = false;
    }

    /// The position of parts of a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter(&self, place: Position) -> Result<Position> {
        match place.enter() {
            Some(place) => Ok(place),
            None => Err(limits::too_deep(self.max_depth)),
        }
    }

    /// The position inside a `Some` or newtype struct.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrap(&self, place: Position) -> Result<Position> {
        match place.wrap() {
            Some(place) => Ok(place),
            None => Err(limits::too_deep(self.max_depth)),
        }
    }

    /// Under `strict`, refuses a container's name that looks like a mark and is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn check_name(&self, name: &'static str) -> Result<()> {
        match self.strict {
            true => mark::check_strictly(name).map_err(Error::placeless),
            false => Ok(()),
        }
    }
}
