//! The bytes of the message that is being serialized, and the state that all of its values share.

use alloc::vec::Vec;

use super::position::{Position, Written};
use crate::buffer::{Buffer, SHORT, put_short};
use crate::limits;
use crate::molecule::wire::{self, LONGEST_DOCUMENT, NUMBER_SIZE, number_bytes};
use crate::molecule::{Error, ErrorKind, Options, Result, mark};

/// Up to this size, a packed value is copied to the message at once.
const FRAME: usize = 256;

/// How many bytes of an array are gathered: the compiler copies them at once.
pub(super) const GATHERED: usize = 32;

/// A message that is being serialized.
///
/// Writing bytes never fails: what is too long for a message is noted, and refused at the end.
#[derive(Debug)]
pub(in crate::molecule) struct Encoder {
    /// The message, of at most [`LONGEST_DOCUMENT`] bytes.
    pub(super) out: Buffer,
    /// Offsets without a reserved place in `out`. Those of a value follow those of the values around it.
    pub(super) offsets: Vec<u32>,
    /// The packed value that is being serialized. Its offsets begin at zero, a constant for the
    /// compiler, which then removes length checks.
    frame: [u8; FRAME],
    /// The bytes of the packed value after those in `frame`.
    rest: Vec<u8>,
    /// The last items of the innermost array, which are bytes, before they are written.
    gathered: [u8; GATHERED],
    gathered_count: usize,
    gathered_at: usize,
    gathered_is_packed: bool,
    /// The name of a struct with one field, and where that field begins. It is the tag of an adjacently tagged enum if a
    /// variant of the same name is written there.
    pub(super) tagged: (usize, &'static str),
    pub(super) strict: bool,
    pub(super) max_depth: u16,
    pub(super) is_too_long: bool,
    /// Whether values inside a packed value nest too deep.
    is_too_deep: bool,
    /// Whether a value failed. Its type may ignore the error, but the bytes are no message then.
    pub(super) failed: bool,
}

impl Encoder {
    /// An encoder with memory for `likely` bytes.
    #[inline]
    pub(in crate::molecule) fn new(options: &Options, likely: usize) -> Self {
        Encoder {
            out: Buffer::with_capacity(likely),
            offsets: Vec::new(),
            frame: [0; FRAME],
            rest: Vec::new(),
            gathered: [0; GATHERED],
            gathered_count: 0,
            gathered_at: 0,
            gathered_is_packed: false,
            tagged: (0, ""),
            strict: options.strict,
            max_depth: options.max_depth,
            is_too_long: false,
            is_too_deep: false,
            failed: false,
        }
    }

    /// Begins a message, whatever happened to the one before, and returns its position.
    #[inline]
    pub(super) fn start(&mut self) -> Position {
        self.offsets.clear();
        self.rest.clear();
        self.gathered_count = 0;
        self.tagged = (0, "");
        self.is_too_long = false;
        self.is_too_deep = false;
        self.failed = false;
        Position::first(self.max_depth)
    }

    /// Writes bytes, and returns where they end.
    #[inline]
    pub(super) fn put(&mut self, at: usize, bytes: &[u8]) -> usize {
        let end = at.wrapping_add(bytes.len());
        match self.out.written_mut(at, end) {
            Some(place) => place.copy_from_slice(bytes),
            None => self.grow_and_put(at, bytes),
        }
        end
    }

    #[cold]
    #[inline(never)]
    fn grow_and_put(&mut self, at: usize, bytes: &[u8]) {
        match at.saturating_add(bytes.len()) <= LONGEST_DOCUMENT {
            true => {
                self.out.put_bytes(at, bytes);
                self.out.limit(LONGEST_DOCUMENT);
            }
            false => self.is_too_long = true,
        }
    }

    /// Writes a fixvec of bytes, and returns where it ends.
    #[inline]
    pub(super) fn put_counted(&mut self, at: usize, bytes: &[u8]) -> usize {
        if bytes.len() <= SHORT {
            let end = at.wrapping_add(NUMBER_SIZE + SHORT);
            let place = self.out.written_mut(at, end).and_then(<[u8]>::split_first_chunk_mut);
            if let Some((count, place)) = place {
                *count = number_bytes(bytes.len());
                put_short(place, bytes);
                return at + NUMBER_SIZE + bytes.len();
            }
        }
        self.put_long_counted(at, bytes)
    }

    #[inline(never)]
    fn put_long_counted(&mut self, at: usize, bytes: &[u8]) -> usize {
        let at = self.put(at, &number_bytes(bytes.len()));
        self.put(at, bytes)
    }

    /// Gathers a byte of an array, to be written at `at` after `count` others.
    #[inline]
    pub(super) fn gather(&mut self, at: usize, count: usize, byte: u8, is_packed: bool) {
        if count == 0 {
            self.gathered_at = at;
            self.gathered_is_packed = is_packed;
        }
        if let Some(place) = self.gathered.get_mut(count) {
            *place = byte;
            self.gathered_count = count + 1;
        }
    }

    /// Writes the gathered bytes.
    #[inline]
    pub(super) fn release(&mut self) {
        let (at, count) = (self.gathered_at, self.gathered_count);
        if count > 0 {
            let (out, frame) = (&mut self.out, &mut self.frame);
            let place = match self.gathered_is_packed {
                true => frame.get_mut(at..at.wrapping_add(count)),
                false => out.written_mut(at, at.wrapping_add(count)),
            };
            match (place, self.gathered.get(..count)) {
                (Some(place), Some(bytes)) => place.copy_from_slice(bytes),
                _ => self.release_slowly(),
            }
            self.gathered_count = 0;
        }
    }

    #[cold]
    #[inline(never)]
    fn release_slowly(&mut self) {
        let (at, bytes) = (self.gathered_at, self.gathered);
        let bytes = bytes.get(..self.gathered_count).unwrap_or_default();
        match self.gathered_is_packed {
            true => self.put_long_packed(at, bytes),
            false => self.grow_and_put(at, bytes),
        }
    }

    /// Where a value ends, which is written if it is a byte.
    #[inline]
    pub(super) fn finish(&mut self, written: Written) -> usize {
        match written.pending_byte() {
            Some(byte) => self.put(written.at(), &[byte]),
            None => written.at(),
        }
    }

    /// The same where a table may be: there, a packed tuple must not look like one.
    #[inline]
    pub(super) fn finish_in_slot(&mut self, written: Written) -> Result<usize> {
        match written.is_lookalike() {
            true => Err(ambiguous()),
            false => Ok(self.finish(written)),
        }
    }

    /// Writes a value inside a packed value, and returns where it ends.
    #[inline]
    pub(super) fn put_packed<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> usize {
        let end = at.wrapping_add(N);
        match self.frame.get_mut(at..end) {
            Some(place) => place.copy_from_slice(&bytes),
            None => self.put_rest(at, bytes),
        }
        end
    }

    /// Bytes are passed by value, in registers: by reference, each caller would store them first.
    #[cold]
    #[inline(never)]
    fn put_rest<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        self.put_long_packed(at, &bytes);
    }

    /// The same where not all of them fit in the frame.
    #[cold]
    #[inline(never)]
    fn put_long_packed(&mut self, at: usize, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(FRAME.saturating_sub(at).min(bytes.len()));
        if let Some(place) = self.frame.get_mut(at..at.saturating_add(first.len())) {
            place.copy_from_slice(first);
        }
        if at.saturating_add(bytes.len()) > LONGEST_DOCUMENT {
            self.is_too_long = true;
            return;
        }
        let start = at.saturating_sub(FRAME);
        let end = start.saturating_add(rest.len());
        if self.rest.len() < end {
            self.rest.resize(end, 0);
        }
        if let Some(place) = self.rest.get_mut(start..end) {
            place.copy_from_slice(rest);
        }
    }

    /// The error of a value, unless its message is too long: then sizes that were compared may have been wrong.
    #[cold]
    pub(super) fn too_large_or(&self, error: Error) -> Error {
        match self.is_too_long {
            true => super::too_large(),
            false => error,
        }
    }

    /// Copies a packed value to the message at `at`, and returns where it ends there.
    #[inline]
    pub(super) fn finish_packed(&mut self, at: usize, written: Written) -> Result<usize> {
        if self.is_too_deep {
            return Err(limits::too_deep(self.max_depth));
        }
        if let Some(byte) = written.pending_byte() {
            return Ok(self.put(at, &[byte]));
        }
        let (size, end) = (written.at(), at.wrapping_add(written.at()));
        self.reserve(at, size);
        match (self.out.written_mut(at, end), self.frame.get(..size)) {
            (Some(place), Some(bytes)) => place.copy_from_slice(bytes),
            _ => self.copy_long_frame(at),
        }
        Ok(end)
    }

    #[cold]
    #[inline(never)]
    fn copy_long_frame(&mut self, at: usize) {
        let Encoder { out, frame, rest, .. } = self;
        for (at, bytes) in [(at, frame.as_slice()), (at.saturating_add(FRAME), rest.as_slice())] {
            if let Some(place) = out.written_mut(at, at.saturating_add(bytes.len())) {
                place.copy_from_slice(bytes);
            }
        }
        rest.clear();
    }

    /// Makes `count` bytes ready at `at`.
    #[inline]
    pub(super) fn reserve(&mut self, at: usize, count: usize) {
        if self.out.lacks_ready(at, count) {
            self.grow(at, count);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, at: usize, count: usize) {
        match at.saturating_add(count) <= LONGEST_DOCUMENT {
            true => {
                self.out.reserve(at, count);
                self.out.limit(LONGEST_DOCUMENT);
            }
            false => self.is_too_long = true,
        }
    }

    /// Makes a gap of `count` bytes before the bytes from `at` to `end`.
    pub(super) fn insert(&mut self, at: usize, count: usize, end: usize) {
        self.reserve(end, count);
        if !self.is_too_long {
            self.out.insert(at, count, end);
        }
    }

    /// Whether the bytes from `start` to `end` are those of a table with `count` fields or more.
    #[inline]
    pub(super) fn has_table(&self, start: usize, end: usize, count: usize) -> bool {
        end.wrapping_sub(start) >= wire::header_size(count)
            && self.out.written(end).get(start..).is_some_and(|b| wire::passes_for_table(b, count))
    }

    /// The position of the items of a value.
    #[inline]
    pub(super) fn enter(&self, place: Position) -> Result<Position> {
        place.enter().ok_or_else(|| limits::too_deep(self.max_depth))
    }

    /// The same inside a packed value. It notes what is too deep: a branch for an error would keep the
    /// compiler from inlining the fields.
    #[inline]
    pub(super) fn enter_packed(&mut self, place: Position) -> Position {
        let (inside, is_too_deep) = place.enter_anyhow();
        self.is_too_deep |= is_too_deep;
        inside
    }

    /// The position inside a `Some` or newtype struct.
    #[inline]
    pub(super) fn wrap(&self, place: Position) -> Result<Position> {
        place.wrap().ok_or_else(|| limits::too_deep(self.max_depth))
    }

    /// Under `strict`, refuses a container name that looks like a mark and is none. Inlined, so that the
    /// name is a constant.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn check_name(&self, name: &'static str) -> Result<()> {
        match self.strict {
            true => mark::check_strictly(name).map_err(Error::placeless),
            false => Ok(()),
        }
    }
}

#[cold]
#[inline(never)]
pub(super) fn ambiguous() -> Error {
    Error::placeless(ErrorKind::AmbiguousTuple)
}
