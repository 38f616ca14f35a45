//! Entries of maps, as the exact reader hands them to visitors: tables of a dynvec, or structs of a
//! fixvec. Does not know how keys and values are read.

use super::State;
use super::access::in_part;
use super::packed::{PackedIn, PackedReader};
use super::packed_cursor::PackedCursor;
use super::value::ValueReader;
use crate::error::Segment;
use crate::glue::de::{DeserializeSeed, MapAccess};
use crate::molecule::wire::{ENTRY_FIELDS, Table};
use crate::molecule::{Error, ErrorKind, Result};

/// The entries of a map that is a dynvec of tables.
pub(super) struct DynEntries<'a, 'de> {
    pub(super) state: &'a mut State,
    pub(super) table: Table<'de>,
    pub(super) next: usize,
    pub(super) value: (&'de [u8], usize),
}

impl<'de> DynEntries<'_, 'de> {
    /// The fields of an entry: a table of two fields, or of more for a compatible reader.
    fn entry(&self, bytes: &'de [u8], offset: usize) -> Result<Table<'de>> {
        let entry = Table::parse(bytes, offset, false)?;
        let found = entry.count();
        match found {
            ENTRY_FIELDS => Ok(entry),
            0..ENTRY_FIELDS => {
                Err(Error::at(ErrorKind::MissingFields { found }, entry.count_offset()))
            }
            _ if self.state.compatible => Ok(entry),
            _ => {
                let kind = ErrorKind::ExtraFields { found, expected: ENTRY_FIELDS };
                Err(Error::at(kind, entry.count_offset()))
            }
        }
    }
}

#[cold]
fn in_entry(error: Error, offset: usize, index: usize, field: &'static str) -> Error {
    in_part(error, offset).inside(Segment::Field(field.into())).inside(Segment::Index(index))
}

impl<'de> MapAccess<'de> for DynEntries<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        let Some((bytes, offset)) = self.table.item(self.next) else {
            return Ok(None);
        };
        let index = self.next;
        // Also skips an entry that cannot be read, and one whose value is not read.
        self.next += 1;
        self.value = (&[], offset);
        let entry =
            self.entry(bytes, offset).map_err(|error| error.inside(Segment::Index(index)))?;
        let (key, key_offset) = entry.item(0).unwrap_or((&[], offset));
        self.value = entry.item(1).unwrap_or((&[], offset));
        seed.deserialize(ValueReader::new(self.state, key, key_offset))
            .map(Some)
            .map_err(|error| in_entry(error, key_offset, index, "key"))
    }

    fn next_value_seed<V: DeserializeSeed<'de, Error>>(&mut self, seed: V) -> Result<V::Value> {
        let index = self.next.saturating_sub(1);
        let (bytes, offset) = self.value;
        seed.deserialize(ValueReader::new(self.state, bytes, offset))
            .map_err(|error| in_entry(error, offset, index, "value"))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.table.count().saturating_sub(self.next))
    }
}

/// The entries of a map that is a fixvec of structs.
pub(super) struct FixEntries<'a, 'de> {
    pub(super) cursor: PackedCursor<'a, 'de>,
    pub(super) next: usize,
    pub(super) count: usize,
}

impl<'de> FixEntries<'_, 'de> {
    fn part<T: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: T,
        field: &'static str,
    ) -> Result<T::Value> {
        let (index, offset) = (self.next, self.cursor.offset());
        let part = PackedReader { cursor: &mut self.cursor, within: PackedIn::Marked };
        let part = seed.deserialize(part);
        self.cursor.note_if_unread(offset);
        part.map_err(|error| in_entry(error, offset, index, field))
    }
}

impl<'de> MapAccess<'de> for FixEntries<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        match self.next < self.count {
            true => self.part(seed, "key").map(Some).map_err(|error| {
                // The start of the next entry is unknown.
                self.next = self.count;
                let offset = self.cursor.offset();
                self.cursor.state.abandon(error, offset)
            }),
            false => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de, Error>>(&mut self, seed: V) -> Result<V::Value> {
        let value = self.part(seed, "value")?;
        self.next += 1;
        Ok(value)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.count.saturating_sub(self.next).min(self.cursor.rest().len()))
    }
}
