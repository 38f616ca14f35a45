//! The fast way to write: small documents, fields that own no memory, items of sequences. Knows which
//! values are tried, does not know their bytes. If the writer into a slice bails, the value is written
//! again by the exact way.

use alloc::vec::Vec;

use serde_core::ser::Serialize;

use super::compound::Compound;
use super::encoder::Encoder;
use super::output::Output;
use super::probe::KnownVariants;
use super::scalar::{ScalarPacker, put_packed};
use super::slice::{MAX_DEPTH, SLICE_SIZE, SliceWriter, put_item};
use crate::biniou::Options;
use crate::biniou::wire::{self, Tag};
use crate::fast::forecast::Forecast;

/// The cost of an item that bails, in items that fit. A sequence begins with credit for two.
pub(super) const MISS: i32 = 8;

/// Writes a document if it is small. Then memory is taken only once.
#[inline]
pub(super) fn small_document<T: ?Sized + Serialize>(
    options: &Options,
    value: &T,
) -> Option<Vec<u8>> {
    // Types that own memory are rarely small.
    let is_small = size_of_val(value) <= LARGE && !core::mem::needs_drop::<T>();
    if !is_small || options.max_depth < MAX_DEPTH {
        return None;
    }
    let mut out = Output::new();
    let spare = out.spare();
    let whole = spare.len();
    let left = value.serialize(SliceWriter::new(spare)).ok()?;
    out.advance(whole - left);
    Some(out.finish())
}

/// Values larger than this in memory are not small documents.
const LARGE: usize = 256;

/// Writes a field that has parts but owns no memory, if it fits the slice.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_flat_field<T: ?Sized + Serialize>(
    encoder: &mut Encoder,
    hash: u32,
    value: &T,
) -> bool {
    if size_of_val(value) <= 8 || core::mem::needs_drop::<T>() || !encoder.may_write_fast() {
        return false;
    }
    let slice = encoder
        .out
        .reserve(SLICE_SIZE)
        .get_mut(1..)
        .and_then(<[u8]>::first_chunk_mut::<SLICE_SIZE>);
    let Some((key, rest)) = slice.and_then(|slice| slice.split_first_chunk_mut()) else {
        return false;
    };
    *key = wire::field_key(hash);
    let whole = rest.len();
    let Ok(left) = value.serialize(SliceWriter::new(rest)) else { return false };
    let written = key.len() + whole - left;
    encoder.out.advance(written);
    true
}

impl Compound<'_> {
    /// Writes items until one bails, and gives that one back.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_fast<T: Serialize>(
        &mut self,
        tag: Tag,
        items: &mut impl Iterator<Item = T>,
        credit: &mut i32,
        forecast: Forecast,
    ) -> Option<T> {
        if !self.encoder.may_write_fast() {
            return items.next();
        }
        let Encoder { out, variants, .. } = &mut *self.encoder;
        let is_asked = tag == Tag::Variant;
        let mut items = KnownVariants { items, variants, is_asked, unknown: None };
        let mut next = items.next();
        while let Some(item) = next {
            out.provide(forecast, self.count, &items, wanted(SLICE_SIZE));
            let (written, count, left, bailed) = put_items(out, tag, item, &mut items);
            out.advance(written);
            self.count += count;
            *credit = credit.saturating_add(i32::try_from(count).unwrap_or(i32::MAX));
            if bailed {
                *credit = credit.saturating_sub(MISS);
                return left;
            }
            next = left;
        }
        items.unknown
    }

    /// Takes memory for all of `items` once little is left for one of `taken` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn foresee(&mut self, forecast: Forecast, items: &impl Iterator, taken: usize) {
        self.encoder.out.provide(forecast, self.count, items, wanted(taken));
    }
}

/// How much memory should be ready before an item that is like one of so many bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn wanted(taken: usize) -> usize {
    taken.saturating_add(SLICE_SIZE).saturating_mul(2)
}

/// Writes items into the spare memory. Returns how many bytes and items these are, the next item, and
/// whether that item bailed.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_items<T: Serialize>(
    out: &mut Output,
    tag: Tag,
    mut item: T,
    items: &mut impl Iterator<Item = T>,
) -> (usize, usize, Option<T>, bool) {
    let mut spare = out.reserve(SLICE_SIZE);
    let whole = spare.len();
    let mut count = 0;
    if item.serialize(ScalarPacker::NEW).is_ok() {
        let (written, packed, left) =
            put_packed(spare.get_mut(1..).unwrap_or_default(), tag, item, items);
        count = packed;
        let Some(next) = left else { return (written, count, None, false) };
        item = next;
        spare = spare.get_mut(written..).unwrap_or_default();
    }
    loop {
        let Some(slice) = spare.first_chunk_mut::<SLICE_SIZE>() else {
            return (whole - spare.len(), count, Some(item), false);
        };
        match put_item(slice, Some(tag.byte()), &item) {
            Ok((_, used)) => spare = spare.get_mut(used..).unwrap_or_default(),
            Err(_) => return (whole - spare.len(), count, Some(item), true),
        }
        count += 1;
        match items.next() {
            Some(next) => item = next,
            None => return (whole - spare.len(), count, None, false),
        }
    }
}

impl Encoder {
    /// Whether values may be written into a slice: that checks neither depth nor what flattened types lose,
    /// and does not count text in shared values.
    #[inline]
    pub(super) fn may_write_fast(&self) -> bool {
        self.flattened == 0 && self.depth.depth().has_room(MAX_DEPTH) && !self.sharing.is_open()
    }
}
