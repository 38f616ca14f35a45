//! Access to the items of sequences, the entries of maps, the parts of tuples that know their own end. Knows
//! counts and paths, does not know how values are read.

use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed, Visitor};

use super::decoder::Decoder;
use super::fast;
use super::value::Value;
use crate::glue::names::Names;
use crate::read::Reader;
use crate::tsm::wire;
use crate::tsm::{Error, ErrorKind, Result};

/// Refuses items that the type has left, since they cannot be skipped: the bytes do not tell their size.
#[inline]
pub(super) fn all_taken(found: usize, taken: usize, offset: usize) -> Result<()> {
    match found == taken {
        true => Ok(()),
        false => Err(Error::at(ErrorKind::ExtraItems { found, taken }, offset)),
    }
}

/// The parts of a tuple whose type knows where it ends, some of which may know where they end as well.
pub(super) struct UnboundedParts<'a, 'de> {
    pub(super) decoder: &'a mut Decoder<'de>,
    pub(super) next: usize,
}

impl<'de> de::SeqAccess<'de> for UnboundedParts<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let (index, offset) = (self.next, self.decoder.reader.offset());
        self.next += 1;
        self.decoder.knows_end = Some(offset);
        let part = seed.deserialize(Value(&mut *self.decoder));
        // Parts without bytes count, since a type could ask for them endlessly.
        part.and_then(|part| self.decoder.check_empty(offset).map(|()| Some(part)))
            .map_err(|error| inside(error, offset, Names::Indices, index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.decoder.reader.left())
    }
}

#[cold]
#[inline(never)]
pub(super) fn inside(error: Error, offset: usize, names: Names, index: usize) -> Error {
    error.or_offset(offset).inside(names.segment(index))
}

/// The items of a sequence.
pub(super) struct Items<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    /// The decoder's reader, borrowed while items are read fast. The decoder gets it back for the first
    /// other item and keeps it: moved to and fro through memory, each item would wait for the last.
    reader: Reader<'de>,
    /// Whether items may be read fast; then the reader is here.
    fast: bool,
    /// Whether the last item took no bytes. It is counted before the next item is read, since with an item
    /// at hand an error would move that in memory.
    empty: bool,
    next: usize,
    count: usize,
    /// The size hint: for how many items memory may be taken.
    hint: usize,
    count_offset: usize,
}

impl<'a, 'de> Items<'a, 'de> {
    /// Takes the count.
    #[inline]
    pub(super) fn take(decoder: &'a mut Decoder<'de>) -> Result<Self> {
        let count_offset = decoder.reader.offset();
        let count = wire::take_count(&mut decoder.reader, decoder.own.empty_items.left())?;
        let hint = decoder.items.claim(count);
        let (reader, fast) = (decoder.reader, fast::has_depth(decoder.depth));
        Ok(Items { decoder, reader, fast, empty: false, next: 0, count, hint, count_offset })
    }

    /// Returns the reader to the decoder.
    #[inline]
    fn return_reader(&mut self) {
        if self.fast {
            self.decoder.reader = self.reader;
            self.fast = false;
        }
    }

    /// Lets `read` read an item by the decoder.
    #[inline]
    fn by_decoder<T>(
        &mut self,
        read: impl FnOnce(&mut Decoder<'de>, usize) -> Result<T>,
    ) -> Result<Option<T>> {
        let index = self.next;
        self.next += 1;
        match read(self.decoder, index) {
            Ok(item) => Ok(Some(item)),
            Err(error) => {
                self.next = self.decoder.next_behind_error(self.next, self.count);
                Err(error)
            }
        }
    }

    /// Counts the last item if it took no bytes.
    #[inline]
    fn charge(&mut self) -> Result<()> {
        if !core::mem::take(&mut self.empty) {
            return Ok(());
        }
        let charged = charge_for_empty(self.decoder, self.next.saturating_sub(1));
        if charged.is_err() {
            self.next = self.count;
        }
        charged
    }

    #[inline]
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let offset = self.count_offset;
        let value = visitor.visit_seq(&mut self);
        self.return_reader();
        let value = value.map_err(|error| error.or_offset(offset))?;
        self.charge().map_err(|error| error.or_offset(offset))?;
        all_taken(self.count, self.next, offset)?;
        Ok(value)
    }
}

impl<'de> de::SeqAccess<'de> for &mut Items<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        if const { !fast::is_for::<T>() } {
            return self.next_element_seed(PhantomData);
        }
        if self.next >= self.count {
            return Ok(None);
        }
        let is_called = size_of::<T>() <= MOST_CALLED;
        if !self.fast {
            if !is_called {
                return self.next_element_seed(PhantomData);
            }
            self.charge()?;
            return self.by_decoder(deep_item);
        }
        if const { fast::is_for_more::<T>() } {
            if let (Some(item), taken @ 1..) = fast::read_ahead(self.reader) {
                self.reader.skip(taken);
                self.next += 1;
                return Ok(Some(item));
            }
        } else {
            let mut reader = self.reader;
            if let Some(item) = fast::read_checked(&mut reader) {
                if reader.left() < self.reader.left() {
                    self.reader = reader;
                    self.next += 1;
                    return Ok(Some(item));
                }
            }
        }
        if !is_called {
            return self.next_element_seed(PhantomData);
        }
        self.decoder.reader = self.reader;
        let item = self.by_decoder(item);
        self.reader = self.decoder.reader;
        item
    }

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.charge()?;
        if self.next >= self.count {
            return Ok(None);
        }
        self.return_reader();
        let offset = self.decoder.reader.offset();
        let item = self.by_decoder(|decoder, index| {
            let item = seed.deserialize(Value(&mut *decoder));
            item.map_err(|error| inside(error, offset, Names::Indices, index))
        });
        self.empty = item.is_ok() && self.decoder.reader.offset() == offset;
        item
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

/// Does not see the state of the items, so that it stays in registers.
#[cold]
#[inline(never)]
fn charge_for_empty(decoder: &mut Decoder<'_>, index: usize) -> Result<()> {
    let offset = decoder.reader.offset();
    decoder.spend_empty_item().map_err(|error| inside(error, offset, Names::Indices, index))
}

/// The largest item that is returned by value from the slow call.
const MOST_CALLED: usize = 64;

/// Reads an item near the end of the input, or one on which the fast way bails.
///
/// A call that never sees the state of the items, so that compilers keep it in registers.
#[inline(never)]
fn item<'de, T: Deserialize<'de>>(decoder: &mut Decoder<'de>, index: usize) -> Result<T> {
    let mut reader = decoder.reader;
    match fast::read_checked(&mut reader) {
        Some(item) if reader.left() < decoder.reader.left() => {
            decoder.reader = reader;
            Ok(item)
        }
        _ => item_by(decoder, index, PhantomData),
    }
}

/// Reads an item where values may be too deep for the fast way.
#[inline(never)]
fn deep_item<'de, T: Deserialize<'de>>(decoder: &mut Decoder<'de>, index: usize) -> Result<T> {
    item_by(decoder, index, PhantomData)
}

#[inline]
fn item_by<'de, T: DeserializeSeed<'de>>(
    decoder: &mut Decoder<'de>,
    index: usize,
    seed: T,
) -> Result<T::Value> {
    let offset = decoder.reader.offset();
    seed.deserialize(Value(&mut *decoder))
        .and_then(|item| decoder.check_empty(offset).map(|()| item))
        .map_err(|error| inside(error, offset, Names::Indices, index))
}

/// The entries of a map.
pub(super) struct Entries<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    next: usize,
    count: usize,
    /// The size hint: for how many items memory may be taken.
    hint: usize,
    count_offset: usize,
    /// Where the entry at hand began.
    entry: usize,
}

impl<'a, 'de> Entries<'a, 'de> {
    /// Takes the count.
    #[inline]
    pub(super) fn take(decoder: &'a mut Decoder<'de>) -> Result<Self> {
        let count_offset = decoder.reader.offset();
        let count = wire::take_count(&mut decoder.reader, decoder.own.empty_items.left())?;
        let hint = decoder.items.claim(count);
        Ok(Entries { decoder, next: 0, count, hint, count_offset, entry: count_offset })
    }

    #[inline]
    pub(super) fn visit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let offset = self.count_offset;
        let value = visitor.visit_map(&mut self).map_err(|error| error.or_offset(offset))?;
        all_taken(self.count, self.next, offset)?;
        Ok(value)
    }
}

impl<'de> de::MapAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.next >= self.count {
            return Ok(None);
        }
        self.entry = self.decoder.reader.offset();
        match seed.deserialize(Value(&mut *self.decoder)) {
            Ok(key) => Ok(Some(key)),
            Err(error) => {
                let index = self.next;
                // It is not known where the next one begins.
                self.next = self.count;
                let error = error.or_offset(self.entry).in_entry(index, "key");
                self.decoder.note_failure(Err(error))
            }
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (index, offset) = (self.next, self.decoder.reader.offset());
        self.next += 1;
        let value = seed
            .deserialize(Value(&mut *self.decoder))
            .map_err(|error| error.or_offset(offset).in_entry(index, "value"))?;
        match self.decoder.check_empty(self.entry) {
            Ok(()) => Ok(value),
            Err(error) => Err(inside(error, offset, Names::Indices, index)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}
