//! Writing all items of a sequence at once, as serde's own sequences ask for. Knows sizes of items, does not
//! know how values are written.

use core::ops::ControlFlow;

use serde_core::ser::Serialize;

use super::compound::{Compound, in_item};
use super::fixed;
use super::output::Output;
use super::slice::{self, SliceWriter};
use crate::fast::FAST_WRITE;
use crate::fast::buffer::SMALL_VALUE;
use crate::fast::forecast::Forecast;
use crate::fast::scalar::{self, Scalar};
use crate::tsm::Result;

/// The most memory that is taken ahead for a size hint, which may be larger than what comes.
const MOST_EXPECTED: usize = 1 << 28;

/// After so many items of one size, the others are expected to have it, too.
const ENOUGH: usize = 32;

/// Below this, memory is not taken ahead.
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
        while let Some(there) = self.spare_size() {
            let at = self.at;
            self.put_item(&item)?;
            // If an item bailed although the slice was large enough, other items will bail, too.
            let wanted = self.at.wrapping_sub(at).saturating_add(SMALL_VALUE).saturating_mul(2);
            if core::mem::replace(&mut tried, true) && wanted <= there {
                return items.try_for_each(|item| self.put_item(&item));
            }
            match self.put_in_slice(&mut items, wanted, forecast) {
                Some(bailed) => item = bailed,
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

    /// How much memory is ready, if items may be written into it as a slice.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn spare_size(&mut self) -> Option<usize> {
        match self.depth.has_room(slice::MAX_DEPTH) {
            true => self.encoder.out.spare(self.at, 0).map(|slice| slice.len()),
            false => None,
        }
    }

    /// Writes items into a slice of the buffer: at least `wanted` bytes for the first item, and for each
    /// other twice what the one before took. Gives back the first one that bails; `None` if none does.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_in_slice<T, I>(
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
            let mut slice = self.encoder.out.spare(self.at, wanted).unwrap_or_default();
            loop {
                let item = items.next()?;
                let size = slice.len();
                let Ok(left) = item.serialize(SliceWriter::new(slice)) else { return Some(item) };
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
                slice = left;
            }
        }
    }

    /// Writes items by the fastest way for their type. For most types it is known at compile time. Gives
    /// back the first one that is unlike `first`.
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
        self.put_fixed_items(items, size)
    }

    /// Writes scalars of `N` bytes, and gives back the first item that is not one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_scalars<const N: usize, T, I>(&mut self, items: &mut I) -> Option<T>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        self.expect(items, N);
        loop {
            let Some(slice) = self.encoder.out.reserve(self.at, N) else { return items.next() };
            let (filled, next) = scalar::fill::<N, T, I>(slice, items);
            self.at += filled * N;
            self.given += filled;
            if let ControlFlow::Break(rest) = next {
                return rest;
            }
        }
    }

    /// Writes items of fixed size, and gives back the first one that bails.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_fixed_items<T, I>(&mut self, items: &mut I, size: usize) -> Result<Option<T>>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        if !fixed::fits(self.depth) {
            return Ok(items.next());
        }
        let (mut alike, mut left) = (true, ENOUGH);
        while let Some(item) = items.next() {
            let written = self.encoder.out.put_fixed(self.at, |slice| fixed::write(slice, &item));
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
