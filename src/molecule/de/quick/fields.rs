//! Parts of tables, dynvecs and maps in a first attempt. Offsets are checked as parts are taken.

use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, DeserializeSeed};

use super::{Bail, Quick};
use crate::glue::de::Shape;
use crate::molecule::wire::{ENTRY_FIELDS, NUMBER_SIZE, header_size};

/// Takes the parts of a table or dynvec one by one.
struct Parts<'de> {
    bytes: &'de [u8],
    /// Full size and offsets.
    header: &'de [u8],
    /// Where the header says the next part's end; behind the header, the last part's.
    at: usize,
    /// Where the next part begins.
    start: usize,
}

impl<'de> Parts<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(bytes: &'de [u8]) -> Option<Self> {
        let (full_size, rest) = bytes.split_first_chunk()?;
        if usize::try_from(u32::from_le_bytes(*full_size)) != Ok(bytes.len()) {
            return None;
        }
        let header = match rest.first_chunk() {
            // The first offset is also the header's length.
            Some(first) => match u32::from_le_bytes(*first) {
                first @ 8.. if first % 4 == 0 => bytes.get(..usize::try_from(first).ok()?)?,
                _ => return None,
            },
            None if rest.is_empty() => bytes,
            None => return None,
        };
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

    /// Gives up, so that whoever asks on comes to an end.
    #[cold]
    fn end(&mut self) -> Bail {
        self.at = self.header.len() + NUMBER_SIZE;
        Bail
    }

    /// The next part, if there is one, unless its end is wrong.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Result<Option<&'de [u8]>, Bail> {
        let end = match self.header.get(self.at..).and_then(<[u8]>::first_chunk) {
            Some(end) => usize::try_from(u32::from_le_bytes(*end)).map_err(|_| Bail)?,
            None if self.all_taken() => return Ok(None),
            None => self.bytes.len(),
        };
        // One bound after the other: asked for together, both are worked out before either is looked at.
        let part = self.bytes.get(..end).and_then(|part| part.get(self.start..));
        let Some(part) = part else { return Err(self.end()) };
        self.at += NUMBER_SIZE;
        self.start = end;
        Ok(Some(part))
    }
}

/// The fields of a table.
pub(super) struct Fields<'a, 'de> {
    /// What is left of the depth for each.
    quick: Quick<'a, 'de>,
    parts: Parts<'de>,
    /// Length of the header of a table with all the fields that the type has.
    most: usize,
    /// Whether they may have defaults.
    defaults: bool,
}

impl<'a, 'de> Fields<'a, 'de> {
    /// The fields of a type that has so many at most: a struct's names have the aliases among them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at_most(quick: Quick<'a, 'de>, most: usize) -> Result<Self, Bail> {
        let most = header_size(most);
        match Parts::of(quick.bytes) {
            Some(parts) if parts.header.len() <= most => {
                Ok(Fields { quick, parts, most, defaults: true })
            }
            _ => Err(quick.surprise()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn exactly(
        quick: Quick<'a, 'de>,
        count: usize,
        defaults: bool,
    ) -> Result<Self, Bail> {
        let fields = Self::at_most(quick, count)?;
        match fields.parts.header.len() == fields.most {
            true => Ok(Fields { defaults, ..fields }),
            false => Err(quick.surprise()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Bail> {
        let bytes = match self.parts.next() {
            Ok(Some(bytes)) => bytes,
            Ok(None) if self.parts.header.len() == self.most => return Ok(None),
            _ => {
                self.most = self.parts.header.len();
                return Err(self.quick.surprise());
            }
        };
        // An enum reads itself, so that none of an `Option` is none.
        let reads_itself = const { Shape::of::<T::Value>().is_enum };
        let is_empty = bytes.is_empty();
        if is_empty && !reads_itself {
            self.quick.notes.none.set(None);
        }
        match seed.deserialize(self.quick.part(bytes)) {
            Ok(_) if is_empty && !reads_itself && self.was_none::<T::Value>() => Ok(None),
            Ok(value) => Ok(Some(value)),
            // The field is absent.
            Err(Bail) if is_empty => Ok(None),
            Err(Bail) => Err(self.quick.surprise()),
        }
    }

    /// Whether an option was read from the slot at hand, and not from one further in, and `T` may be an
    /// option of that, which may have a default.
    #[cold]
    fn was_none<T>(&self) -> bool {
        let none = self.quick.notes.none.get();
        self.defaults
            && none.is_some_and(|none| {
                none.made(const { Shape::of::<T>() }, self.quick.depth.wrappers)
            })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn all_taken(&self) -> bool {
        self.parts.all_taken()
    }
}

impl<'de> de::SeqAccess<'de> for &mut Fields<'_, 'de> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Bail> {
        self.read(seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Bail> {
        self.read(PhantomData)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.parts.left())
    }
}

/// The items of a dynvec.
pub(super) struct DynItems<'a, 'de> {
    quick: Quick<'a, 'de>,
    parts: Parts<'de>,
}

impl<'a, 'de> DynItems<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(quick: Quick<'a, 'de>) -> Result<Self, Bail> {
        match Parts::of(quick.bytes) {
            Some(parts) => Ok(DynItems { quick, parts }),
            None => Err(quick.surprise()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Result<Option<Quick<'a, 'de>>, Bail> {
        match self.parts.next() {
            Ok(bytes) => Ok(bytes.map(|bytes| self.quick.part(bytes))),
            Err(Bail) => Err(self.quick.surprise()),
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
            _ => Err(self.quick.surprise()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn all_taken(&self) -> bool {
        self.parts.all_taken()
    }
}

impl<'de> de::SeqAccess<'de> for &mut DynItems<'_, 'de> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Bail> {
        self.read(seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, Bail> {
        self.read(PhantomData)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.parts.left())
    }
}

/// The entries of a map: items of a dynvec, each a table of key and value.
pub(super) struct Entries<'a, 'de> {
    items: DynItems<'a, 'de>,
    /// The fields of the entry whose key was handed out.
    entry: Option<Parts<'de>>,
}

impl<'a, 'de> Entries<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(quick: Quick<'a, 'de>) -> Result<Self, Bail> {
        DynItems::of(quick).map(|items| Entries { items, entry: None })
    }

    /// Whether all have been taken, values included.
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
        let quick = self.items.quick;
        match bytes.map(|bytes| seed.deserialize(quick.part(bytes))) {
            Some(Ok(value)) => Ok(value),
            _ => Err(quick.surprise()),
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
            return Err(self.items.quick.surprise());
        }
        let Some(item) = self.items.next()? else {
            return Ok(None);
        };
        let Some(mut entry) = Parts::of(item.bytes).filter(|entry| entry.left() == ENTRY_FIELDS)
        else {
            return Err(item.surprise());
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
