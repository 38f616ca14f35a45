//! The parts of a value in a window.

use serde_core::ser::{self, Serialize};

use super::super::scalar::{Scalar, Word, put_words, word_of};
use super::super::which::{ADJACENT_FIELDS, tag_of};
use super::{LEVEL, Window, put_at};
use crate::biniou::wire::{self, Tag, hash};
use crate::fast::Bail;

/// So many fields of a record are compared with each other where its type is compiled; records of
/// more are written another way.
const MOST_FIELDS: usize = 16;

/// No hash, since these have 31 bits.
const NO_FIELD: u32 = u32::MAX;

/// The parts of a tuple or array, each with its tag.
pub(in crate::biniou::ser) struct Parts<'a> {
    window: Window<'a>,
    /// Parts that are still to come.
    missing: usize,
    /// Whether a part did not fit, also where the type goes on without it.
    failed: bool,
}

impl<'a> Parts<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(window: Window<'a>, len: usize) -> Self {
        Parts { window, missing: len, failed: false }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let room = core::mem::take(&mut self.window.0);
        let result = value.serialize(Window(&mut *room));
        let used = result.ok().and_then(|left| room.len().checked_sub(left));
        let rest = used.and_then(|used| room.get_mut(used..));
        let (Some(rest), Some(missing)) = (rest, self.missing.checked_sub(1)) else {
            self.failed = true;
            return Err(Bail);
        };
        self.missing = missing;
        self.window.0 = rest;
        Ok(())
    }

    /// Writes the key in front of a field, the first byte lowest.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_key(&mut self, key: u32) -> Result<(), Bail> {
        match core::mem::take(&mut self.window.0).split_first_chunk_mut() {
            Some((place, rest)) => {
                *place = key.to_le_bytes();
                self.window.0 = rest;
                Ok(())
            }
            None => {
                self.failed = true;
                Err(Bail)
            }
        }
    }

    /// Writes a field that is a word.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_word(&mut self, key: u32, word: Word) -> Result<(), Bail> {
        let Word { tag, body, size } = word;
        let room = core::mem::take(&mut self.window.0);
        let (Some(place), Some(missing)) =
            (room.first_chunk_mut::<16>(), self.missing.checked_sub(1))
        else {
            self.failed = true;
            return Err(Bail);
        };
        // Three bytes too many, over which the body goes.
        let front = u64::from(key) | u64::from(tag.byte()) << 32;
        put_at(place, 0, front);
        put_at(place, 5, body);
        let Some(rest) = room.get_mut(5 + size..) else {
            self.failed = true;
            return Err(Bail);
        };
        self.missing = missing;
        self.window.0 = rest;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<usize, Bail> {
        match self.missing == 0 && !self.failed {
            true => Ok(self.window.0.len() + LEVEL),
            false => Err(Bail),
        }
    }
}

/// The fields of a record.
pub(in crate::biniou::ser) struct Fields<'a> {
    parts: Parts<'a>,
    /// The hashes of the fields so far. All this is gone when a derived type is compiled.
    seen: [u32; MOST_FIELDS],
}

impl<'a> Fields<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(window: Window<'a>, len: usize) -> Self {
        Fields { parts: Parts::new(window, len), seen: [NO_FIELD; MOST_FIELDS] }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Bail> {
        let hash = hash(key);
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, last] = self.seen;
        let low = a == hash || b == hash || c == hash || d == hash || e == hash || f == hash;
        let middle = g == hash || h == hash || i == hash || j == hash || k == hash || l == hash;
        let high = m == hash || n == hash || o == hash;
        if last != NO_FIELD || low || middle || high {
            self.parts.failed = true;
            return Err(Bail);
        }
        if a == NO_FIELD && self.parts.missing == ADJACENT_FIELDS && tag_of(value).is_some() {
            // What its content is has to be looked at.
            self.parts.failed = true;
            return Err(Bail);
        }
        self.seen = [hash, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o];
        let key = u32::from_le_bytes(wire::field_key(hash));
        match word_of(value) {
            Some(word) => self.parts.put_word(key, word),
            None => {
                self.parts.put_key(key)?;
                self.parts.put(value)
            }
        }
    }
}

/// The items of a sequence, which have one tag.
pub(in crate::biniou::ser) struct Items<'a> {
    /// The byte in front of the next item, and what is left.
    room: &'a mut [u8],
    tag: Option<u8>,
    missing: usize,
    failed: bool,
}

impl<'a> Items<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(window: Window<'a>, len: usize) -> Result<Self, Bail> {
        let front = match len {
            0..0x80 => 1,
            _ => 2,
        };
        let head = 1 + front;
        let rest = window.0;
        Window(&mut *rest).length(Tag::Array, len)?;
        let room = rest.get_mut(head - 1..).unwrap_or_default();
        Ok(Items { room, tag: None, missing: len, failed: false })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let room = core::mem::take(&mut self.room);
        if self.tag == Some(Tag::Variant.byte()) {
            return self.leave_variants();
        }
        let (result, missing) = (put_item(room, self.tag, value), self.missing.checked_sub(1));
        let (Ok((tag, used)), Some(missing)) = (result, missing) else {
            self.failed = true;
            return Err(Bail);
        };
        self.tag = Some(tag);
        self.missing = missing;
        self.room = room.get_mut(used..).unwrap_or_default();
        Ok(())
    }

    /// Leaves a list of several variants to who keeps their names in mind: two of them may have one hash.
    #[cold]
    fn leave_variants(&mut self) -> Result<(), Bail> {
        self.failed = true;
        Err(Bail)
    }
}

impl Items<'_> {
    /// Writes all items.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_all<T: Serialize>(
        mut self,
        mut items: impl Iterator<Item = T>,
    ) -> Result<usize, Bail> {
        let mut next = items.next();
        if let Some((Word { tag, .. }, first)) = next
            .as_ref()
            .and_then(|item| item.serialize(Scalar::NEW).ok())
            .zip(self.room.get_mut(1))
        {
            *first = tag.byte();
            if tag == Tag::Variant && self.missing > 1 {
                self.leave_variants()?;
            }
            let room = self.room.get_mut(2..).unwrap_or_default();
            let Some(item) = next else { return Err(Bail) };
            let (written, count, left) = put_words(room, tag, item, &mut items);
            self.tag = Some(tag.byte());
            self.missing = self.missing.checked_sub(count).ok_or(Bail)?;
            self.room = core::mem::take(&mut self.room).get_mut(1 + written..).unwrap_or_default();
            next = left;
        }
        while let Some(item) = next {
            self.put(&item)?;
            next = items.next();
        }
        self.finish()
    }
}

/// Writes an item behind the first byte of `room`, and tells its tag and its size. If the tag is
/// known, it has to be that one, and is not there.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::biniou::ser) fn put_item<T: ?Sized + Serialize>(
    room: &mut [u8],
    tag: Option<u8>,
    value: &T,
) -> Result<(u8, usize), Bail> {
    let Some(tag) = tag else {
        let rest = room.get_mut(1..).unwrap_or_default();
        let left = value.serialize(Window(rest))?;
        let tag = room.get(1).copied().ok_or(Bail)?;
        return Ok((tag, room.len() - 1 - left));
    };
    // The tag goes over the byte in front, which then comes back.
    let front = room.first().copied().ok_or(Bail)?;
    let result = value.serialize(Window(&mut *room));
    let found = room.first_mut().map(|place| core::mem::replace(place, front));
    match result {
        Ok(left) if found == Some(tag) => Ok((tag, (room.len() - 1).saturating_sub(left))),
        _ => Err(Bail),
    }
}

/// The traits of parts without names.
macro_rules! items {
    ($($trait:ident $method:ident $of:ident,)*) => {$(
        impl ser::$trait for $of<'_> {
            type Ok = usize;
            type Error = Bail;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
                self.put(value)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<usize, Bail> {
                self.finish()
            }
        }
    )*};
}

items! {
    SerializeSeq serialize_element Items,
    SerializeTuple serialize_element Parts,
    SerializeTupleStruct serialize_field Parts,
    SerializeTupleVariant serialize_field Parts,
}

impl Items<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<usize, Bail> {
        match self.missing == 0 && !self.failed {
            true => Ok(self.room.len().saturating_sub(1) + LEVEL),
            false => Err(Bail),
        }
    }
}

/// The traits of parts with names. A field that is left out is none.
macro_rules! fields {
    ($($trait:ident)*) => {$(
        impl ser::$trait for Fields<'_> {
            type Ok = usize;
            type Error = Bail;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Bail> {
                self.put(key, value)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<usize, Bail> {
                self.parts.finish()
            }
        }
    )*};
}

fields! { SerializeStruct SerializeStructVariant }
