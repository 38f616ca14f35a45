//! The fast way: reads one small value that owns no memory, such as a number, or a struct, tuple or enum of
//! numbers. Knows sizes, does not know the document.
//!
//! The value is read from a copy of the reader that no other function sees, so compilers keep it in
//! registers. If there are enough bytes, one check does for all numbers, which are then read at offsets
//! that the compiler knows. On everything else this bails, and the decoder reads the value from its start.
//! So a value is asked for twice: only a `Deserialize` can be, not a seed. For types that own memory, all
//! of this is removed at compile time.

use serde_core::de::Deserialize;

use super::decoder::Decoder;
use super::reading::Reading;
use super::value::Value;
use crate::fast::{Bail, ErrorTextReads, FAST};
use crate::glue::names::Names;
use crate::limits::Depth;
use crate::read::Reader;
use crate::tsm;

/// How large a value may be.
const MAX_SIZE: usize = 256;

/// How deep it may be nested, newtypes included.
const MAX_DEPTH: u16 = 8;

/// Whether values of this type are tried. Known at compile time.
#[inline(always)]
pub(super) const fn is_for<T>() -> bool {
    FAST && size_of::<T>() > 0 && size_of::<T>() <= MAX_SIZE && !core::mem::needs_drop::<T>()
}

/// The same for values that are more than a number.
#[inline(always)]
pub(super) const fn is_for_more<T>() -> bool {
    is_for::<T>() && size_of::<T>() > size_of::<u64>()
}

/// Reads the next value. If this bails, `reader` stays where it is.
#[inline(always)]
pub(super) fn read<'de, T: Deserialize<'de>>(reader: &mut Reader<'_>, depth: Depth) -> Option<T> {
    if !has_depth(depth) {
        return None;
    }
    // A single number has one check in any case.
    if const { is_for_more::<T>() } {
        if let Some(bytes) = reader.ahead::<MAX_SIZE>() {
            let (value, Chunk { at, .. }) = read_from(Chunk { bytes, at: 0 });
            if value.is_some() {
                reader.skip(at);
            }
            return value;
        }
    }
    read_checked(reader)
}

/// Whether no value that is read fast can be too deep.
#[inline(always)]
pub(super) fn has_depth(depth: Depth) -> bool {
    depth.has_room(MAX_DEPTH)
}

/// Reads the next value, and returns how many bytes it took. Bails near the end of the input. The
/// [depth](has_depth) has to be checked.
///
/// Returns an `Option`, never a `Result` with a reason: with that, compilers would write the first numbers of
/// the value to memory and load them together, and the load would wait for the writes.
#[inline(always)]
pub(super) fn read_ahead<'de, T: Deserialize<'de>>(reader: Reader<'_>) -> (Option<T>, usize) {
    match reader.ahead::<MAX_SIZE>() {
        Some(bytes) => {
            let (value, Chunk { at, .. }) = read_from(Chunk { bytes, at: 0 });
            (value, at)
        }
        None => (None, 0),
    }
}

/// Reads the next value, with a check for each number. The [depth](has_depth) has to be checked.
#[inline(always)]
pub(super) fn read_checked<'de, T: Deserialize<'de>>(reader: &mut Reader<'_>) -> Option<T> {
    let (value, rest) = read_from(*reader);
    if value.is_some() {
        *reader = rest;
    }
    value
}

#[inline(always)]
fn read_from<'de, B: Source, T: Deserialize<'de>>(bytes: B) -> (Option<T>, B) {
    let mut reader = FastReader { bytes, depth: 0, bailed: false };
    let reads = ErrorTextReads::snapshot();
    let value = match T::deserialize(Value(&mut reader)) {
        Ok(value) if !reader.bailed && reads.unchanged() => Some(value),
        Ok(_) | Err(_) => None,
    };
    (value, reader.bytes)
}

/// What numbers are taken from.
trait Source {
    fn left(&self) -> usize;

    fn take<const M: usize>(&mut self) -> Option<[u8; M]>;
}

impl Source for Reader<'_> {
    #[inline(always)]
    fn left(&self) -> usize {
        Reader::left(self)
    }

    #[inline(always)]
    fn take<const M: usize>(&mut self) -> Option<[u8; M]> {
        let bytes = self.ahead::<M>()?;
        self.skip(M);
        Some(*bytes)
    }
}

/// Bytes of which so many are there.
struct Chunk<'a> {
    bytes: &'a [u8; MAX_SIZE],
    at: usize,
}

impl Source for Chunk<'_> {
    #[inline(always)]
    fn left(&self) -> usize {
        MAX_SIZE - self.at
    }

    #[inline(always)]
    fn take<const M: usize>(&mut self) -> Option<[u8; M]> {
        let bytes = self.bytes.get(self.at..)?.first_chunk()?;
        self.at += M;
        Some(*bytes)
    }
}

/// All methods are small and inlined: if another function saw the reader, its offset would have to be kept
/// in memory.
struct FastReader<B> {
    bytes: B,
    depth: u16,
    /// Whether a part bailed; its type may have gone on without it.
    bailed: bool,
}

impl<B> FastReader<B> {
    /// Bails, and notes it, since the type of the part may go on without it.
    #[inline(always)]
    fn bail<T>(&mut self) -> Result<T, Bail> {
        self.bailed = true;
        Err(Bail)
    }
}

impl<'de, B: Source> Reading<'de> for FastReader<B> {
    type Error = Bail;

    #[inline(always)]
    fn offset(&self) -> usize {
        0
    }

    #[inline(always)]
    fn left(&self) -> usize {
        self.bytes.left()
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Bail> {
        match self.bytes.take() {
            Some(bytes) => Ok(bytes),
            None => self.bail(),
        }
    }

    #[inline(always)]
    fn exactly<T>(
        &mut self,
        _: impl FnOnce(&mut Decoder<'de>) -> tsm::Result<T>,
    ) -> Result<T, Bail> {
        self.bail()
    }

    #[inline(always)]
    fn level<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Bail>) -> Result<T, Bail> {
        if self.depth >= MAX_DEPTH {
            return self.bail();
        }
        self.depth += 1;
        let Ok(value) = read(self) else { return self.bail() };
        self.depth -= 1;
        Ok(value)
    }

    #[inline(always)]
    fn wrapper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Bail>) -> Result<T, Bail> {
        self.level(read)
    }

    /// What fails in a value with parts, its [`level`](Reading::level) notes.
    #[inline(always)]
    fn check_end(&self, _: Names, _: usize, _: usize, _: usize) -> Result<(), Bail> {
        Err(Bail)
    }

    #[inline(always)]
    fn failed(&mut self, error: Bail, _: usize) -> Bail {
        self.bailed = true;
        error
    }

    #[inline(always)]
    fn part_failed(&mut self, error: Bail, offset: usize, _: Names, _: usize) -> Bail {
        self.failed(error, offset)
    }
}
