//! Writing all items of a sequence at once: what serde's own sequences ask for.

use core::ops::ControlFlow;

use serde_core::ser::Serialize;

use super::compound::{Compound, in_item};
use super::output::Output;
use super::room::{self, Room};
use super::window;
use crate::fast::FAST_WRITE;
use crate::fast::buffer::SMALL_VALUE;
use crate::fast::forecast::Forecast;
use crate::fast::scalar::{self, Scalar};
use crate::tsm::Result;

/// Memory for so many bytes of items is taken at once; who announces more and gives fewer takes no
/// more than this.
const MOST_EXPECTED: usize = 1 << 28;

/// After so many items of one size, the others are taken to have it too.
const ENOUGH: usize = 32;

/// Memory for fewer bytes than these is not worth a question.
const SMALL: usize = 4096;

impl<O: Output> Compound<'_, O> {
    /// Writes all items of a sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_all<I: Iterator<Item: Serialize>>(&mut self, mut items: I) -> Result<()> {
        if !FAST_WRITE {
            return self.put_each(items);
        }
        let Some(first) = items.next() else { return Ok(()) };
        let start = self.at;
        self.put_item(&first)?;
        let size = self.at.wrapping_sub(start);
        let Some(mut item) = self.put_alike(&first, &mut items, size)? else { return Ok(()) };
        let forecast = Forecast { at: self.at, count: self.given };
        let mut tried = false;
        while let Some(there) = self.room() {
            let at = self.at;
            self.put_item(&item)?;
            // If a room was tried, and it was not too small, other items will not fit either.
            let wanted = self.at.wrapping_sub(at).saturating_add(SMALL_VALUE).saturating_mul(2);
            if core::mem::replace(&mut tried, true) && wanted <= there {
                return items.try_for_each(|item| self.put_item(&item));
            }
            match self.put_in_room(&mut items, wanted, forecast) {
                Some(unfit) => item = unfit,
                None => return Ok(()),
            }
        }
        self.put_item(&item)?;
        items.try_for_each(|item| self.put_item(&item))
    }

    /// Writes all items, one by one.
    fn put_each<I: Iterator<Item: Serialize>>(&mut self, mut items: I) -> Result<()> {
        let forecast = Forecast { at: self.at, count: self.given };
        while let Some(item) = items.next() {
            self.put_item(&item)?;
            if let Some(out) = self.encoder.out.memory() {
                forecast.look_ahead(out, self.at, self.given, &items);
            }
        }
        Ok(())
    }

    /// The size of the room there is, if items may be written into it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn room(&mut self) -> Option<usize> {
        match self.depth.has_room(room::HEIGHT) {
            true => self.encoder.out.present(self.at, 0).map(|room| room.len()),
            false => None,
        }
    }

    /// Writes items into the room there is, `wanted` bytes at least for the first one and for each
    /// twice what the one before took. Gives back the first that does not fit; `None` says that there
    /// are no more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_in_room<T, I>(
        &mut self,
        items: &mut I,
        mut wanted: usize,
        forecast: Forecast,
    ) -> Option<T>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        loop {
            if let Some(out) = self.encoder.out.memory() {
                forecast.provide(out, self.at, self.given, items, wanted);
            }
            let mut room = self.encoder.out.present(self.at, wanted).unwrap_or_default();
            loop {
                let item = items.next()?;
                let size = room.len();
                let Ok(left) = item.serialize(Room::new(room)) else { return Some(item) };
                let taken = size - left.len();
                if taken == 0 {
                    return Some(item);
                }
                self.at += taken;
                self.given += 1;
                wanted = taken.saturating_mul(2).max(2 * SMALL_VALUE);
                if left.len() < wanted {
                    break;
                }
                room = left;
            }
        }
    }

    /// Writes items as fast as their type allows: the compiler knows for most types which way that
    /// is. Gives back the first one that is unlike `first`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_alike<T, I>(&mut self, first: &T, items: &mut I, size: usize) -> Result<Option<T>>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        if first.serialize(Scalar::<1>).is_ok() {
            return Ok(self.put_scalars::<1, T, I>(items));
        }
        if first.serialize(Scalar::<2>).is_ok() {
            return Ok(self.put_scalars::<2, T, I>(items));
        }
        if first.serialize(Scalar::<4>).is_ok() {
            return Ok(self.put_scalars::<4, T, I>(items));
        }
        if first.serialize(Scalar::<8>).is_ok() {
            return Ok(self.put_scalars::<8, T, I>(items));
        }
        self.put_windows(items, size)
    }

    /// Writes scalars of `N` bytes, and gives back the first item that is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_scalars<const N: usize, T, I>(&mut self, items: &mut I) -> Option<T>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        self.expect(items, N);
        loop {
            let Some(room) = self.encoder.out.room(self.at, N) else { return items.next() };
            let (filled, next) = scalar::fill::<N, T, I>(room, items);
            self.at += filled * N;
            self.given += filled;
            if let ControlFlow::Break(rest) = next {
                return rest;
            }
        }
    }

    /// Writes items that fit a window, and gives back the first one that does not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_windows<T, I>(&mut self, items: &mut I, size: usize) -> Result<Option<T>>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        if !window::fits(self.depth) {
            return Ok(items.next());
        }
        let (mut alike, mut left) = (true, ENOUGH);
        while let Some(item) = items.next() {
            let written = self.encoder.out.put_window(self.at, |room| window::write(room, &item));
            self.failed |= written.is_err();
            let end = match written.map_err(|error| in_item(error, self.given))? {
                Some(end) if end != self.at => end,
                _ => return Ok(Some(item)),
            };
            alike &= end.wrapping_sub(self.at) == size;
            (self.at, self.given) = (end, self.given + 1);
            left = left.wrapping_sub(1);
            if left == 0 && alike {
                self.expect(items, size);
            }
        }
        Ok(None)
    }

    /// Takes memory for the items that are left, of `size` bytes each.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn expect<I: Iterator>(&mut self, items: &I, size: usize) {
        let expected = items.size_hint().0.saturating_mul(size);
        if expected > SMALL {
            if let Some(out) = self.encoder.out.memory() {
                out.expect(self.at, expected.min(MOST_EXPECTED));
            }
        }
    }
}
