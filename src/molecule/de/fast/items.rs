//! Items of a fixvec, as the fast reader takes them, each with a cursor of its own. Does not know
//! what an item holds.
//!
//! Functions that are not inlined get bytes and numbers by value, never the address of the state,
//! so that the state stays in registers.

use serde_core::de::{self, DeserializeSeed};

use super::fixed::{FixedCursor, FixedReader, ITEM, LAST_ITEM};
use super::{Bail, FastReader};
use crate::molecule::wire;

/// The items of a fixvec, which are of one size.
pub(super) struct FixItems<'a, 'de> {
    reader: FastReader<'a, 'de>,
    /// The unread items.
    rest: &'de [u8],
    count: usize,
    /// The size of an item; 0 until the first one is read.
    size: usize,
    packs: bool,
}

impl<'a, 'de> FixItems<'a, 'de> {
    /// `rest` is exactly `count` items.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(
        reader: FastReader<'a, 'de>,
        rest: &'de [u8],
        count: usize,
        packs: bool,
    ) -> Self {
        FixItems { reader, rest, count, size: 0, packs }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn all_taken(&self) -> bool {
        self.rest.is_empty()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Bail> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        if self.size == 0 {
            match wire::lazy_item_size(size_of::<T::Value>(), self.rest.len(), self.count) {
                Some(size) => self.size = size,
                None => {
                    self.rest = &[];
                    return Err(self.reader.bail());
                }
            }
        }
        let ahead = match self.rest.get(..size_of::<T::Value>()) {
            None => self.reader.notes.through_document_end(self.rest).get(..size_of::<T::Value>()),
            ahead => ahead,
        };
        let strict = self.reader.notes.strict;
        // Two separate calls, so that in the first one the compiler knows the length of the item.
        match ahead {
            Some(ahead) if self.size <= ahead.len() => {
                let (item, taken) = item::<ITEM, T>(ahead, strict, self.packs, seed);
                self.advance(item, taken)
            }
            _ => {
                let (item, taken) = last(self.rest, strict, self.packs, seed);
                self.advance(item, taken)
            }
        }
    }

    /// Continues after an item that took `taken` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn advance<T>(
        &mut self,
        item: Result<T, Bail>,
        taken: Option<usize>,
    ) -> Result<Option<T>, Bail> {
        match (item, taken.and_then(|taken| self.rest.get(taken..))) {
            (Ok(item), Some(rest)) if taken == Some(self.size) => {
                self.rest = rest;
                Ok(Some(item))
            }
            _ => {
                // Iteration ends after an error.
                self.rest = &[];
                Err(self.reader.bail())
            }
        }
    }
}

/// Reads an item at the start of `bytes`; also returns how many bytes it took.
#[cfg_attr(not(debug_assertions), inline(always))]
fn item<'de, const PLACE: u8, T: DeserializeSeed<'de>>(
    bytes: &'de [u8],
    strict: bool,
    packs: bool,
    seed: T,
) -> (Result<T::Value, Bail>, Option<usize>) {
    let mut cursor = FixedCursor::new(bytes, strict);
    let item = seed.deserialize(FixedReader::<PLACE>::new(&mut cursor, packs));
    (item, cursor.left().map(|left| bytes.len() - left))
}

/// The same for the last item of a type with padding, and for every item of a type smaller than its
/// bytes.
#[inline(never)]
fn last<'de, T: DeserializeSeed<'de>>(
    bytes: &'de [u8],
    strict: bool,
    packs: bool,
    seed: T,
) -> (Result<T::Value, Bail>, Option<usize>) {
    item::<LAST_ITEM, T>(bytes, strict, packs, seed)
}

impl<'de> de::SeqAccess<'de> for &mut FixItems<'_, 'de> {
    type Error = Bail;

    next_by_read!();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        // Each item takes at least one byte, so none is announced when none is left.
        Some(self.count.min(self.rest.len()))
    }
}
