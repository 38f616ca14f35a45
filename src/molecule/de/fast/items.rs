//! Items of a fixvec, which are of one size: the header tells it. Each gets a cursor of its own. Does
//! not know what an item holds.
//!
//! Functions that are not inlined get bytes and numbers by value, never the address of the state,
//! so that the state stays in registers.

use super::fixed::{FixedCursor, FixedReader, ITEM, LAST_ITEM, MAX_FIXED_DEPTH};
use super::{Bail, DeserializeSeed, Error, Result, ValueReader, Visitor, sequence};
use crate::molecule::de::parts::{PackedIn, may_be_fixed};
use crate::molecule::wire;

/// Reads the items of a fixvec.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn fixvec<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    within: PackedIn,
    (count, rest): (usize, &'de [u8]),
    visitor: V,
) -> Result<V::Value> {
    if !reader.depth.has_room(MAX_FIXED_DEPTH) {
        return Err(reader.reading.bail());
    }
    let packs = within == PackedIn::Marked;
    let mut items = FixItems { reader, rest, count, size: 0, packs };
    match visitor.visit_seq(&mut items) {
        Ok(value) if items.rest.is_empty() => Ok(value),
        _ => Err(reader.reading.bail()),
    }
}

/// The items of a fixvec, which are of one size.
struct FixItems<'a, 'de> {
    reader: ValueReader<'a, 'de>,
    /// The unread items.
    rest: &'de [u8],
    count: usize,
    /// The size of an item; 0 until the first one is read.
    size: usize,
    packs: bool,
}

impl<'de> FixItems<'_, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left(&self) -> usize {
        // Each item takes at least one byte, so none is announced when none is left.
        self.count.min(self.rest.len())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        // The constant keeps other types from being compiled here.
        if const { !may_be_fixed::<T::Value>() } {
            return Err(self.end());
        }
        if self.size == 0 {
            match wire::lazy_item_size(size_of::<T::Value>(), self.rest.len(), self.count) {
                Some(size) => self.size = size,
                None => return Err(self.end()),
            }
        }
        let notes = self.reader.reading.0;
        // As `Fast::ahead`, which is compiled to more code in this loop.
        let ahead = match self.rest.get(..size_of::<T::Value>()) {
            None => notes.through_end(self.rest).get(..size_of::<T::Value>()),
            ahead => ahead,
        };
        let strict = notes.strict;
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
    fn advance<T>(&mut self, item: Result<T>, taken: Option<usize>) -> Result<Option<T>> {
        match (item, taken.and_then(|taken| self.rest.get(taken..))) {
            (Ok(item), Some(rest)) if taken == Some(self.size) => {
                self.rest = rest;
                Ok(Some(item))
            }
            _ => Err(self.end()),
        }
    }

    /// Iteration ends after an error.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(&mut self) -> Bail {
        self.rest = &[];
        self.reader.reading.bail()
    }
}

/// Reads an item at the start of `bytes`; also returns how many bytes it took.
#[cfg_attr(not(debug_assertions), inline(always))]
fn item<'de, const PLACE: u8, T: DeserializeSeed<'de>>(
    bytes: &'de [u8],
    strict: bool,
    packs: bool,
    seed: T,
) -> (Result<T::Value>, Option<usize>) {
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
) -> (Result<T::Value>, Option<usize>) {
    item::<LAST_ITEM, T>(bytes, strict, packs, seed)
}

sequence!(['de] FixItems<'_, 'de>);
