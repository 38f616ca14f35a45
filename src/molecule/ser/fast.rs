//! The fast writers, and when they are tried: small fixed documents, and items of dynvecs. If one
//! bails, the exact writer writes the value again and knows nothing of it. Does not know any
//! layout.

use alloc::vec::Vec;

use serde_core::ser::Serialize;

use super::encoder::Encoder;
use super::fixed::{self, FixedWriter};
use super::header::Header;
use super::marking::Marking;
use super::position::Position;
use super::probe::{self, Layout};
use super::sequence::Sequence;
use super::slice::{self, SliceWriter};
use crate::fast::buffer::{self, SMALL_VALUE};
use crate::fast::forecast::Forecast;
use crate::molecule::wire::LONGEST_DOCUMENT;
use crate::molecule::{Options, Result};

/// Writes a document of one small fixed value, in memory of exactly its size. Tries only types
/// without anything to drop, since others are hardly ever fixed.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn document<T: ?Sized + Serialize>(options: &Options, value: &T) -> Option<Vec<u8>> {
    if core::mem::needs_drop::<T>()
        || size_of_val(value) > SMALL_VALUE
        || options.max_depth < fixed::MAX_DEPTH
        || options.strict
    {
        return None;
    }
    buffer::message(size_of_val(value), |spare| {
        value.serialize(FixedWriter::new(spare, false)).ok()
    })
}

impl<M: Marking> Sequence<'_, M> {
    /// Writes items of a dynvec into the spare bytes as long as they fit. Returns whether these
    /// were all items.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn collect_fast<I>(&mut self, items: &mut I, header: Header) -> Result<bool>
    where
        I: Iterator,
        I::Item: Serialize,
    {
        let forecast = Forecast { at: self.place.at(), count: self.count };
        let mut wanted = if has_depth(self.encoder, self.place) { 2 * SMALL_VALUE } else { 0 };
        while wanted > 0 {
            let Some(item) = self.put_in_slice(items, header, wanted, forecast) else {
                return Ok(true);
            };
            let at = self.place.at();
            let spare = self.encoder.out.present_spare(at, 0).len();
            self.put_dynamic(&item, header)?;
            // If the item did not bail for lack of bytes, the next one will bail, too.
            let ready = (self.place.at() - at).saturating_add(SMALL_VALUE).saturating_mul(2);
            wanted = if ready > spare { ready } else { 0 };
        }
        Ok(false)
    }

    /// Writes items. Provides at least `wanted` bytes for the first item, and for each other item
    /// twice what the one before took. Returns the first item that does not fit, or `None` after
    /// the last one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_in_slice<T, I>(
        &mut self,
        items: &mut I,
        header: Header,
        mut wanted: usize,
        forecast: Forecast,
    ) -> Option<T>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        loop {
            let Encoder { out, offsets, .. } = &mut *self.encoder;
            let at = self.place.at();
            forecast.provide(out, at, self.count, items, wanted);
            // Never more than a document may have.
            out.present_spare(at, wanted);
            out.limit(LONGEST_DOCUMENT);
            let (written, mut spare) = out.split(at, 0);
            loop {
                let item = items.next()?;
                // Checked first, so that nothing else is compiled for fixed types.
                if probe::layout(&item, slice::DEPTH) == Layout::Fixed {
                    return Some(item);
                }
                let size = spare.len();
                let Ok(left) = item.serialize(SliceWriter::new(spare)) else { return Some(item) };
                header.put_offset_in(written, offsets, self.count, self.place.at());
                let taken = size - left.len();
                self.place = self.place.go_to(self.place.at() + taken);
                self.count += 1;
                wanted = taken.saturating_mul(2).max(2 * SMALL_VALUE);
                if left.len() < wanted {
                    break;
                }
                spare = left;
            }
        }
    }
}

/// Whether the fast writer's items are not too deep at this position.
#[cfg_attr(not(debug_assertions), inline(always))]
fn has_depth(encoder: &Encoder, place: Position) -> bool {
    !encoder.frame.strict && place.reaches(slice::MAX_DEPTH)
}
