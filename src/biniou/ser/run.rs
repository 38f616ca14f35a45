//! Values that go through windows: items of sequences, fields that hold no memory of their own,
//! small documents.
//! Whatever does not fit one is written anew by the serializer for any value.

use alloc::vec::Vec;

use serde_core::ser::{Serialize, SerializeSeq, Serializer};

use super::compound::Compound;
use super::encoder::Encoder;
use super::front::Front;
use super::output::Output;
use super::scalar::{Scalar, put_words};
use super::slot::Slot;
use super::which::Known;
use super::window::{MOST_LEVELS, WINDOW, Window, put_item};
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Options, Result};
use crate::fast::FAST_WRITE;
use crate::fast::forecast::Forecast;

/// What an item costs that does not fit, in items that do. A sequence begins with enough for two.
const MISS: i32 = 8;

/// Writes a document that may be small, if it is.
///
/// A tick takes 541 instructions and not 2,279; most of them are the allocator's.
#[inline]
pub(super) fn small<T: ?Sized + Serialize>(options: &Options, value: &T) -> Option<Vec<u8>> {
    // What holds memory of its own is rarely small.
    let is_small = size_of_val(value) <= LARGE && !core::mem::needs_drop::<T>();
    if !is_small || options.max_depth < MOST_LEVELS {
        return None;
    }
    let mut out = Output::new();
    let room = out.rest();
    let whole = room.len();
    let left = value.serialize(Window::new(room)).ok()?;
    out.advance(whole - left);
    Some(out.finish())
}

/// What is larger in memory is no small document.
const LARGE: usize = 256;

/// Writes a field that has parts but no memory of its own, if it fits a window.
///
/// A player's save takes 8,840 instructions and not 9,420.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_flat_field<T: ?Sized + Serialize>(
    encoder: &mut Encoder,
    hash: u32,
    value: &T,
) -> bool {
    if size_of_val(value) <= 8 || core::mem::needs_drop::<T>() || !encoder.takes_windows() {
        return false;
    }
    let window = encoder.out.room(WINDOW).get_mut(1..).and_then(<[u8]>::first_chunk_mut::<WINDOW>);
    let Some((key, rest)) = window.and_then(|window| window.split_first_chunk_mut()) else {
        return false;
    };
    *key = wire::field_key(hash);
    let whole = rest.len();
    let Ok(left) = value.serialize(Window::new(rest)) else { return false };
    let written = key.len() + whole - left;
    encoder.out.advance(written);
    true
}

/// Writes a sequence.
#[cfg_attr(debug_assertions, inline)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn put_all<F: Front, T: Serialize>(
    slot: Slot<'_, F>,
    mut items: impl Iterator<Item = T>,
) -> Result<Option<Tag>> {
    let len = match items.size_hint() {
        (least, Some(most)) if least == most => Some(least),
        _ => None,
    };
    let mut sequence = slot.serialize_seq(len)?;
    let mut credit = 2 * MISS;
    let forecast = Forecast { at: sequence.encoder.out.len(), count: sequence.count };
    let mut next = items.next();
    while let Some(item) = next {
        let start = sequence.encoder.out.len();
        // The first one shows the tag of all.
        sequence.serialize_element(&item)?;
        let taken = sequence.encoder.out.len().saturating_sub(start);
        sequence.foresee(forecast, &items, taken);
        next = match sequence.tag() {
            Some(tag) if FAST_WRITE && credit >= 0 => {
                sequence.run(tag, &mut items, &mut credit, forecast)
            }
            _ => items.next(),
        };
    }
    sequence.end()
}

impl Compound<'_> {
    /// Writes items for as long as they fit windows, and gives back the one that does not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<T: Serialize>(
        &mut self,
        tag: Tag,
        items: &mut impl Iterator<Item = T>,
        credit: &mut i32,
        forecast: Forecast,
    ) -> Option<T> {
        if !self.encoder.takes_windows() {
            return items.next();
        }
        let Encoder { out, variants, .. } = &mut *self.encoder;
        let is_asked = tag == Tag::Variant;
        let mut items = Known { items, variants, is_asked, unknown: None };
        let mut next = items.next();
        while let Some(item) = next {
            out.provide(forecast, self.count, &items, wanted(WINDOW));
            let (written, count, left, unfit) = run(out, tag, item, &mut items);
            out.advance(written);
            self.count += count;
            *credit = credit.saturating_add(i32::try_from(count).unwrap_or(i32::MAX));
            if unfit {
                *credit = credit.saturating_sub(MISS);
                return left;
            }
            next = left;
        }
        items.unknown
    }

    /// Takes memory for all of `items` once there is little more than for one like that of `taken` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn foresee(&mut self, forecast: Forecast, items: &impl Iterator, taken: usize) {
        self.encoder.out.provide(forecast, self.count, items, wanted(taken));
    }
}

/// How much memory there should be ahead of an item like one of so many bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn wanted(taken: usize) -> usize {
    taken.saturating_add(WINDOW).saturating_mul(2)
}

/// Writes items into the room that there is. Tells how many bytes and items these are, which item is
/// the next one, and whether that does not fit a window.
#[cfg_attr(not(debug_assertions), inline(always))]
fn run<T: Serialize>(
    out: &mut Output,
    tag: Tag,
    mut item: T,
    items: &mut impl Iterator<Item = T>,
) -> (usize, usize, Option<T>, bool) {
    let mut room = out.room(WINDOW);
    let whole = room.len();
    let mut count = 0;
    if item.serialize(Scalar::NEW).is_ok() {
        let (written, words, left) =
            put_words(room.get_mut(1..).unwrap_or_default(), tag, item, items);
        count = words;
        let Some(next) = left else { return (written, count, None, false) };
        item = next;
        room = room.get_mut(written..).unwrap_or_default();
    }
    loop {
        let Some(window) = room.first_chunk_mut::<WINDOW>() else {
            return (whole - room.len(), count, Some(item), false);
        };
        match put_item(window, Some(tag.byte()), &item) {
            Ok((_, used)) => room = room.get_mut(used..).unwrap_or_default(),
            Err(_) => return (whole - room.len(), count, Some(item), true),
        }
        count += 1;
        match items.next() {
            Some(next) => item = next,
            None => return (whole - room.len(), count, None, false),
        }
    }
}

impl Encoder {
    /// Whether windows do all that is to be done: count depth, text, and what flattened types lose.
    #[inline]
    pub(super) fn takes_windows(&self) -> bool {
        self.flattened == 0 && self.depth.depth().has_room(MOST_LEVELS) && !self.sharing.is_open()
    }
}
