//! Entries of maps that are fixvecs: structs of key and value. Does not know how keys and values are
//! read.

use super::packed::{PackedCursor, PackedReader};
use super::{DeserializeSeed, Error, MapAccess, Result, ValueReader, Visitor};
use crate::error::Segment;
use crate::molecule::de::parts::PackedIn;

/// Reads a map that is a fixvec of structs.
pub(super) fn fixvec_map<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    let reader = reader.level()?;
    let ValueReader { reading: exact, bytes, .. } = reader;
    let (count, items) = reader.fixvec_header()?;
    let cursor = PackedCursor::new(exact, items);
    let mut entries = FixEntries { cursor, reader, next: 0, count, entry: items, size: None };
    let value = visitor.visit_map(&mut entries).map_err(|error| exact.or_offset(bytes, error))?;
    exact.note_abandoned(entries.cursor.abandoned);
    exact.check_taken(bytes, count, entries.next)?;
    exact.finish(entries.cursor.rest)?;
    reader.saw_dynamic();
    Ok(value)
}

/// The entries of a map that is a fixvec of structs.
struct FixEntries<'a, 'de> {
    cursor: PackedCursor<'a, 'de>,
    reader: ValueReader<'a, 'de>,
    next: usize,
    count: usize,
    /// Where the entry begins whose key was read last.
    entry: &'de [u8],
    /// The size of each entry, as the first one has shown.
    size: Option<usize>,
}

impl<'de> FixEntries<'_, 'de> {
    fn part<T: DeserializeSeed<'de>>(&mut self, seed: T, field: &'static str) -> Result<T::Value> {
        let ValueReader { reading: exact, depth, .. } = self.reader;
        let (index, start) = (self.next, self.cursor.rest);
        let part = PackedReader { cursor: &mut self.cursor, depth, within: PackedIn::Marked };
        let part = seed.deserialize(part);
        self.cursor.note_if_unread(start);
        part.map_err(|error| exact.in_entry(start, error, index, field))
    }
}

impl<'de> MapAccess<'de> for FixEntries<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.entry = self.cursor.rest;
        match self.next < self.count {
            true => self.part(seed, "key").map(Some).map_err(|error| {
                // The start of the next entry is unknown.
                self.next = self.count;
                self.reader.reading.abandon(self.cursor.rest, error)
            }),
            false => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let value = self.part(seed, "value")?;
        let index = self.next;
        self.next += 1;
        self.cursor
            .check_alike(&mut self.size, self.entry, index)
            .map_err(|error| error.inside(Segment::Index(index)))?;
        Ok(value)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count.saturating_sub(self.next).min(self.cursor.rest.len()))
    }
}
