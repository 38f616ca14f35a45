//! Entries of maps that are dynvecs: tables of key and value. Does not know how keys and values are
//! read.

use super::{DeserializeSeed, Error, MapAccess, Result, ValueReader};
use crate::error::Segment;
use crate::molecule::de::parts::FieldCount;
use crate::molecule::de::reading::{PRESENT, Reading as _};
use crate::molecule::wire::{ENTRY_FIELDS, Parts};

/// The entries of a map that is a dynvec of tables.
pub(super) struct DynEntries<'a, 'de> {
    reader: ValueReader<'a, 'de>,
    pub(super) items: Parts<'de>,
    /// The value behind the last key.
    value: &'de [u8],
}

impl<'a, 'de> DynEntries<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(reader: ValueReader<'a, 'de>, items: Parts<'de>) -> Self {
        let value = reader.bytes.get(..0).unwrap_or(reader.bytes);
        DynEntries { reader, items, value }
    }

    /// The parts of an entry: a table of two fields, or of more for a compatible reader.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(&self, bytes: &'de [u8]) -> Result<Parts<'de>> {
        let (entry, count) = (self.reader.part(bytes), FieldCount::Exactly(ENTRY_FIELDS));
        entry.parts().and_then(|parts| entry.fit(parts, count)).map_err(|error| {
            let index = self.items.last();
            self.reader
                .reading
                .explain(PRESENT, error, |_, error| error.inside(Segment::Index(index)))
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<T: DeserializeSeed<'de>>(
        &self,
        bytes: &'de [u8],
        seed: T,
        field: &'static str,
    ) -> Result<T::Value> {
        let index = self.items.last();
        let value = super::in_entry(self.reader.part(bytes), (index, field), seed);
        value.map_err(|error| {
            self.reader
                .reading
                .explain(PRESENT, error, |exact, error| exact.in_entry(bytes, error, index, field))
        })
    }
}

impl<'de> MapAccess<'de> for DynEntries<'_, 'de> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(bytes) = self.reader.take(&mut self.items)? else { return Ok(None) };
        // Also of an entry that cannot be read.
        self.value = bytes.get(..0).unwrap_or(bytes);
        let mut entry = self.entry(bytes)?;
        let key = self.reader.take(&mut entry)?.unwrap_or(self.value);
        self.value = self.reader.take(&mut entry)?.unwrap_or(self.value);
        self.part(key, seed, "key").map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        self.part(self.value, seed, "value")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.items.left())
    }
}
