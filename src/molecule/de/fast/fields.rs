//! Parts of tables, dynvecs and maps, as the fast reader takes them. Checks each offset when it
//! takes the part. Does not know what the parts hold.

use serde_core::de::{self, DeserializeSeed};

use super::{Bail, FastReader};
use crate::glue::de::Shape;
use crate::molecule::wire::{self, ENTRY_FIELDS, NUMBER_SIZE, header_size};

/// Takes the parts of a table or dynvec one by one.
struct Parts<'de> {
    bytes: &'de [u8],
    /// Full size and offsets.
    header: &'de [u8],
    /// Where the header has the end of the next part. Past the header, the next part is the last
    /// one.
    at: usize,
    /// Where the next part begins.
    start: usize,
}

impl<'de> Parts<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(bytes: &'de [u8]) -> Option<Self> {
        let header = wire::lazy_header(bytes)?;
        Some(Parts { bytes, header, at: header_size(1), start: header.len() })
    }

    /// How many parts are left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left(&self) -> usize {
        (self.header.len() + NUMBER_SIZE).saturating_sub(self.at) / NUMBER_SIZE
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn all_taken(&self) -> bool {
        self.at > self.header.len()
    }

    /// Ends the iteration after an error, so that callers that ignore the error terminate.
    #[cold]
    fn end(&mut self) -> Bail {
        self.at = self.header.len() + NUMBER_SIZE;
        Bail
    }

    /// The next part, if any. Fails if its end is wrong.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Result<Option<&'de [u8]>, Bail> {
        let end = match wire::number_at(self.header, self.at) {
            Some(end) => end,
            None if self.all_taken() => return Ok(None),
            None => self.bytes.len(),
        };
        // Two separate bounds checks: one combined check would compute both bounds first.
        let part = self.bytes.get(..end).and_then(|part| part.get(self.start..));
        let Some(part) = part else { return Err(self.end()) };
        self.at += NUMBER_SIZE;
        self.start = end;
        Ok(Some(part))
    }
}

/// The fields of a table.
pub(super) struct Fields<'a, 'de> {
    /// A reader with the depth that is left for each field.
    reader: FastReader<'a, 'de>,
    parts: Parts<'de>,
    /// Length of the header of a table with all fields of the type.
    most: usize,
    /// Whether absent fields may have defaults.
    defaults: bool,
}

impl<'a, 'de> Fields<'a, 'de> {
    /// The fields of a type with at most `most` fields. serde counts a struct's aliases as names,
    /// too.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at_most(reader: FastReader<'a, 'de>, most: usize) -> Result<Self, Bail> {
        let most = header_size(most);
        match Parts::of(reader.bytes) {
            Some(parts) if parts.header.len() <= most => {
                Ok(Fields { reader, parts, most, defaults: true })
            }
            _ => Err(reader.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn exactly(
        reader: FastReader<'a, 'de>,
        count: usize,
        defaults: bool,
    ) -> Result<Self, Bail> {
        let fields = Self::at_most(reader, count)?;
        match fields.parts.header.len() == fields.most {
            true => Ok(Fields { defaults, ..fields }),
            false => Err(reader.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Bail> {
        let bytes = match self.parts.next() {
            Ok(Some(bytes)) => bytes,
            Ok(None) if self.parts.header.len() == self.most => return Ok(None),
            _ => {
                self.most = self.parts.header.len();
                return Err(self.reader.bail());
            }
        };
        // An enum reads itself, so that no empty slot is an `Option` of it that is `None`.
        let reads_itself = const { Shape::of::<T::Value>().is_enum };
        let is_empty = bytes.is_empty();
        if is_empty && !reads_itself {
            self.reader.notes.none.set(None);
        }
        match seed.deserialize(self.reader.part(bytes)) {
            Ok(_) if is_empty && !reads_itself && self.was_none::<T::Value>() => Ok(None),
            Ok(value) => Ok(Some(value)),
            // The field is absent.
            Err(Bail) if is_empty => Ok(None),
            Err(Bail) => Err(self.reader.bail()),
        }
    }

    /// Whether the last option was read from this slot, not from one inside it, and makes a `T`,
    /// which may have a default.
    #[cold]
    fn was_none<T>(&self) -> bool {
        let none = self.reader.notes.none.get();
        self.defaults
            && none.is_some_and(|none| {
                none.made(const { Shape::of::<T>() }, self.reader.depth.wrappers)
            })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn all_taken(&self) -> bool {
        self.parts.all_taken()
    }
}

impl<'de> de::SeqAccess<'de> for &mut Fields<'_, 'de> {
    type Error = Bail;

    next_by_read!();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.parts.left())
    }
}

/// The items of a dynvec.
pub(super) struct DynItems<'a, 'de> {
    reader: FastReader<'a, 'de>,
    parts: Parts<'de>,
}

impl<'a, 'de> DynItems<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(reader: FastReader<'a, 'de>) -> Result<Self, Bail> {
        match Parts::of(reader.bytes) {
            Some(parts) => Ok(DynItems { reader, parts }),
            None => Err(reader.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Result<Option<FastReader<'a, 'de>>, Bail> {
        match self.parts.next() {
            Ok(bytes) => Ok(bytes.map(|bytes| self.reader.part(bytes))),
            Err(Bail) => Err(self.reader.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Bail> {
        let Some(item) = self.next()? else {
            return Ok(None);
        };
        item.saw_dynamic(false);
        match seed.deserialize(item) {
            Ok(value) if item.has_seen_dynamic() => Ok(Some(value)),
            _ => Err(self.reader.bail()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn all_taken(&self) -> bool {
        self.parts.all_taken()
    }
}

impl<'de> de::SeqAccess<'de> for &mut DynItems<'_, 'de> {
    type Error = Bail;

    next_by_read!();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.parts.left())
    }
}

/// The entries of a map: items of a dynvec, each a table of key and value.
pub(super) struct Entries<'a, 'de> {
    items: DynItems<'a, 'de>,
    /// The fields of the entry whose key has been read.
    entry: Option<Parts<'de>>,
}

impl<'a, 'de> Entries<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(reader: FastReader<'a, 'de>) -> Result<Self, Bail> {
        DynItems::of(reader).map(|items| Entries { items, entry: None })
    }

    /// Whether all entries have been read, values included.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn all_taken(&self) -> bool {
        self.items.all_taken() && self.entry.is_none()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<T: DeserializeSeed<'de>>(
        &self,
        bytes: Option<&'de [u8]>,
        seed: T,
    ) -> Result<T::Value, Bail> {
        let reader = self.items.reader;
        match bytes.map(|bytes| seed.deserialize(reader.part(bytes))) {
            Some(Ok(value)) => Ok(value),
            _ => Err(reader.bail()),
        }
    }
}

impl<'de> de::MapAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Bail> {
        if self.entry.take().is_some() {
            return Err(self.items.reader.bail());
        }
        let Some(item) = self.items.next()? else {
            return Ok(None);
        };
        let Some(mut entry) = Parts::of(item.bytes).filter(|entry| entry.left() == ENTRY_FIELDS)
        else {
            return Err(item.bail());
        };
        let key = entry.next().ok().flatten();
        self.entry = Some(entry);
        self.part(key, seed).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Bail> {
        let value = self.entry.take().and_then(|mut entry| entry.next().ok().flatten());
        self.part(value, seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.items.parts.left())
    }
}
