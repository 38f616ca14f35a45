//! The parts of a value in a slice. Knows counts and keys, does not know the document.

use serde_core::ser::{self, Serialize};

use super::super::probe::{ADJACENT_FIELDS, tag_of};
use super::super::scalar::{PackedScalar, ScalarPacker, packed_of, put_packed};
use super::{LEVEL_COST, SliceWriter, put_at};
use crate::biniou::wire::{self, Tag, hash};
use crate::fast::Bail;

/// Up to so many fields of a record have their hashes compared at compile time. On more this bails.
const MOST_FIELDS: usize = 16;

/// No hash, since these have 31 bits.
const NO_FIELD: u32 = u32::MAX;

/// The parts of a tuple or array, each with its tag.
pub(in crate::biniou::ser) struct Parts<'a> {
    writer: SliceWriter<'a>,
    /// Parts that are still to come.
    missing: usize,
    /// Whether a part bailed, even if the type goes on without it.
    bailed: bool,
}

impl<'a> Parts<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(writer: SliceWriter<'a>, len: usize) -> Self {
        Parts { writer, missing: len, bailed: false }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let slice = core::mem::take(&mut self.writer.0);
        let result = value.serialize(SliceWriter(&mut *slice));
        let used = result.ok().and_then(|left| slice.len().checked_sub(left));
        let rest = used.and_then(|used| slice.get_mut(used..));
        let (Some(rest), Some(missing)) = (rest, self.missing.checked_sub(1)) else {
            self.bailed = true;
            return Err(Bail);
        };
        self.missing = missing;
        self.writer.0 = rest;
        Ok(())
    }

    /// Writes the key in front of a field, the first byte lowest.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_key(&mut self, key: u32) -> Result<(), Bail> {
        match core::mem::take(&mut self.writer.0).split_first_chunk_mut() {
            Some((place, rest)) => {
                *place = key.to_le_bytes();
                self.writer.0 = rest;
                Ok(())
            }
            None => {
                self.bailed = true;
                Err(Bail)
            }
        }
    }

    /// Writes a field that is a packed scalar.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_packed(&mut self, key: u32, packed: PackedScalar) -> Result<(), Bail> {
        let PackedScalar { tag, body, size } = packed;
        let slice = core::mem::take(&mut self.writer.0);
        let (Some(place), Some(missing)) =
            (slice.first_chunk_mut::<16>(), self.missing.checked_sub(1))
        else {
            self.bailed = true;
            return Err(Bail);
        };
        // Writes three bytes too many. The body overwrites them.
        let prefix = u64::from(key) | u64::from(tag.byte()) << 32;
        put_at(place, 0, prefix);
        put_at(place, 5, body);
        let Some(rest) = slice.get_mut(5 + size..) else {
            self.bailed = true;
            return Err(Bail);
        };
        self.missing = missing;
        self.writer.0 = rest;
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<usize, Bail> {
        match self.missing == 0 && !self.bailed {
            true => Ok(self.writer.0.len() + LEVEL_COST),
            false => Err(Bail),
        }
    }
}

/// The fields of a record.
pub(in crate::biniou::ser) struct Fields<'a> {
    parts: Parts<'a>,
    /// The hashes of the fields so far. In derived types compilers remove all of this.
    seen: [u32; MOST_FIELDS],
}

impl<'a> Fields<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(writer: SliceWriter<'a>, len: usize) -> Self {
        Fields { parts: Parts::new(writer, len), seen: [NO_FIELD; MOST_FIELDS] }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Bail> {
        let hash = hash(key);
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, last] = self.seen;
        let low = a == hash || b == hash || c == hash || d == hash || e == hash || f == hash;
        let middle = g == hash || h == hash || i == hash || j == hash || k == hash || l == hash;
        let high = m == hash || n == hash || o == hash;
        if last != NO_FIELD || low || middle || high {
            self.parts.bailed = true;
            return Err(Bail);
        }
        if a == NO_FIELD && self.parts.missing == ADJACENT_FIELDS && tag_of(value).is_some() {
            // The exact way looks at the content.
            self.parts.bailed = true;
            return Err(Bail);
        }
        self.seen = [hash, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o];
        let key = u32::from_le_bytes(wire::field_key(hash));
        match packed_of(value) {
            Some(packed) => self.parts.put_packed(key, packed),
            None => {
                self.parts.put_key(key)?;
                self.parts.put(value)
            }
        }
    }
}

/// The items of a sequence, which have one tag.
pub(in crate::biniou::ser) struct Items<'a> {
    /// The rest of the slice, beginning one byte in front of the next item.
    slice: &'a mut [u8],
    tag: Option<u8>,
    missing: usize,
    bailed: bool,
}

impl<'a> Items<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(writer: SliceWriter<'a>, len: usize) -> Result<Self, Bail> {
        let size = match len {
            0..0x80 => 1,
            _ => 2,
        };
        let header = 1 + size;
        let rest = writer.0;
        SliceWriter(&mut *rest).length(Tag::Array, len)?;
        let slice = rest.get_mut(header - 1..).unwrap_or_default();
        Ok(Items { slice, tag: None, missing: len, bailed: false })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let slice = core::mem::take(&mut self.slice);
        if self.tag == Some(Tag::Variant.byte()) {
            return self.leave_variants();
        }
        let (result, missing) = (put_item(slice, self.tag, value), self.missing.checked_sub(1));
        let (Ok((tag, used)), Some(missing)) = (result, missing) else {
            self.bailed = true;
            return Err(Bail);
        };
        self.tag = Some(tag);
        self.missing = missing;
        self.slice = slice.get_mut(used..).unwrap_or_default();
        Ok(())
    }

    /// Bails on a list of several variants: two of them may have one hash, which is not checked here.
    #[cold]
    fn leave_variants(&mut self) -> Result<(), Bail> {
        self.bailed = true;
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
        if let Some((PackedScalar { tag, .. }, first)) = next
            .as_ref()
            .and_then(|item| item.serialize(ScalarPacker::NEW).ok())
            .zip(self.slice.get_mut(1))
        {
            *first = tag.byte();
            if tag == Tag::Variant && self.missing > 1 {
                self.leave_variants()?;
            }
            let slice = self.slice.get_mut(2..).unwrap_or_default();
            let Some(item) = next else { return Err(Bail) };
            let (written, count, left) = put_packed(slice, tag, item, &mut items);
            self.tag = Some(tag.byte());
            self.missing = self.missing.checked_sub(count).ok_or(Bail)?;
            self.slice =
                core::mem::take(&mut self.slice).get_mut(1 + written..).unwrap_or_default();
            next = left;
        }
        while let Some(item) = next {
            self.put(&item)?;
            next = items.next();
        }
        self.finish()
    }
}

/// Writes an item behind the first byte of `slice`. Returns its tag and size. If the tag is known, it has
/// to be that one and is not written.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::biniou::ser) fn put_item<T: ?Sized + Serialize>(
    slice: &mut [u8],
    tag: Option<u8>,
    value: &T,
) -> Result<(u8, usize), Bail> {
    let Some(tag) = tag else {
        let rest = slice.get_mut(1..).unwrap_or_default();
        let left = value.serialize(SliceWriter(rest))?;
        let tag = slice.get(1).copied().ok_or(Bail)?;
        return Ok((tag, slice.len() - 1 - left));
    };
    // The tag goes over the first byte, which is then restored.
    let prefix = slice.first().copied().ok_or(Bail)?;
    let result = value.serialize(SliceWriter(&mut *slice));
    let found = slice.first_mut().map(|place| core::mem::replace(place, prefix));
    match result {
        Ok(left) if found == Some(tag) => Ok((tag, (slice.len() - 1).saturating_sub(left))),
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
        match self.missing == 0 && !self.bailed {
            true => Ok(self.slice.len().saturating_sub(1) + LEVEL_COST),
            false => Err(Bail),
        }
    }
}

/// The traits of parts with names. A field that is left out takes no bytes.
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
