//! Fast attempts: small documents by way of a window, items of a dynvec into the room there is. What an attempt
//! does not fit is written once more, by the writer that can do all, which knows nothing of it.

use alloc::vec::Vec;

use serde_core::ser::Serialize;

use super::encoder::Encoder;
use super::header::Header;
use super::marking::Marking;
use super::place::Place;
use super::probe::{self, Layout};
use super::room::{self, Room};
use super::sequence::Sequence;
use super::window::{self, Window};
use crate::fast::buffer::{self, WINDOW};
use crate::fast::forecast::Forecast;
use crate::molecule::wire::LONGEST_DOCUMENT;
use crate::molecule::{Options, Result};

/// A document of one small fixed value: such messages get memory of just their size. Only types without
/// anything to drop are tried, which are most likely fixed.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn document<T: ?Sized + Serialize>(options: &Options, value: &T) -> Option<Vec<u8>> {
    if core::mem::needs_drop::<T>()
        || size_of_val(value) > WINDOW
        || options.max_depth < window::MOST_LEVELS
        || options.strict
    {
        return None;
    }
    buffer::message(size_of_val(value), |room| value.serialize(Window::new(room, false)).ok())
}

impl<M: Marking> Sequence<'_, M> {
    /// Writes items of a dynvec into the room there is, as long as they fit. Tells whether these were all.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn collect_fast<I>(&mut self, items: &mut I, header: Header) -> Result<bool>
    where
        I: Iterator,
        I::Item: Serialize,
    {
        let forecast = Forecast { at: self.place.at(), count: self.count };
        let mut wanted = if has_room(self.encoder, self.place) { 2 * WINDOW } else { 0 };
        while wanted > 0 {
            let Some(item) = self.put_in_room(items, header, wanted, forecast) else {
                return Ok(true);
            };
            let at = self.place.at();
            let room = self.encoder.out.present(at, 0).len();
            let end = self.put_dynamic(&item, header);
            self.go_on(end)?;
            // If it was not for lack of room, other items will not fit either.
            let ready = (self.place.at() - at).saturating_add(WINDOW).saturating_mul(2);
            wanted = if ready > room { ready } else { 0 };
        }
        Ok(false)
    }

    /// Writes items, `wanted` bytes at least for the first one and for each twice what the one before took.
    /// Gives back the first that does not fit; `None` says that there are no more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_in_room<T, I>(
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
            // No more of it than a document may have.
            out.present(at, wanted);
            out.limit(LONGEST_DOCUMENT);
            let (written, mut room) = out.split(at, 0);
            loop {
                let item = items.next()?;
                // Asked first, so that nothing else is compiled for fixed types.
                if probe::layout(&item, room::DEPTH) == Layout::Fixed {
                    return Some(item);
                }
                let size = room.len();
                let Ok(left) = item.serialize(Room::new(room)) else { return Some(item) };
                header.put_offset_in(written, offsets, self.count, self.place.at());
                let taken = size - left.len();
                self.place = self.place.go_to(self.place.at() + taken);
                self.count += 1;
                wanted = taken.saturating_mul(2).max(2 * WINDOW);
                if left.len() < wanted {
                    break;
                }
                room = left;
            }
        }
    }
}

/// Whether items at this place may be written so.
#[cfg_attr(not(debug_assertions), inline(always))]
fn has_room(encoder: &Encoder, place: Place) -> bool {
    !encoder.frame.strict && place.reaches(room::MOST_LEVELS)
}
