//! Writing a sequence: a fixvec if its items are fixed, a dynvec if they are dynamic.

use core::ops::ControlFlow;

use serde_core::ser::{self, Serialize};

use super::encoder::{Cursor, Encoder, Layout, Written};
use super::header::Header;
use super::room::{self, Room};
use super::window::{self, Window};
use super::{dynamic, in_item, probe, refuse_in_packed, unlike};
use crate::buffer::WINDOW;
use crate::molecule::wire::{self, EMPTY_FIXVEC};
use crate::molecule::{Error, ErrorKind, Result};
use crate::room::Beginning;
use crate::scalar::{self, Scalar};

/// Memory for so many bytes of items is taken at once; who announces more and gives fewer takes no
/// more than this.
const MOST_EXPECTED: usize = 1 << 28;

/// Memory for fewer bytes than these is not worth a question.
const SMALL: usize = 4096;

/// A sequence whose items are being written.
#[derive(Debug)]
pub(in crate::molecule) struct Sequence<'a> {
    encoder: &'a mut Encoder,
    start: usize,
    /// Where the next item begins.
    at: usize,
    /// Items so far.
    count: usize,
    shape: Shape,
}

/// What the sequence is, as far as that is known.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Without a mark and before its first item.
    Open {
        announced: Option<usize>,
    },
    /// A fixvec whose items take `item_size` bytes each. By a mark, structs in it are packed;
    /// `outer` is whether they were around it.
    FixVec {
        item_size: usize,
        outer: bool,
    },
    DynVec(Header),
}

impl<'a> Sequence<'a> {
    /// A sequence without a mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(cursor: Cursor<'a>, announced: Option<usize>) -> Result<Self> {
        let Cursor { encoder, at } = cursor;
        refuse_in_packed(encoder, "a sequence")?;
        encoder.enter()?;
        Ok(Sequence { encoder, start: at, at, count: 0, shape: Shape::Open { announced } })
    }

    /// A fixvec by mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixvec(cursor: Cursor<'a>) -> Result<Self> {
        let Cursor { encoder, at: start } = cursor;
        refuse_in_packed(encoder, "a fixvec")?;
        let outer = core::mem::replace(&mut encoder.packs, true);
        encoder.enter()?;
        let at = encoder.out.put(start, EMPTY_FIXVEC);
        Ok(Sequence { encoder, start, at, count: 0, shape: Shape::FixVec { item_size: 0, outer } })
    }

    /// A dynvec by mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynvec(cursor: Cursor<'a>, len: Option<usize>) -> Result<Self> {
        let Cursor { encoder, at: start } = cursor;
        refuse_in_packed(encoder, "a dynvec")?;
        encoder.enter()?;
        let (header, at) = Header::reserve(encoder, start, len.unwrap_or(0))?;
        Ok(Sequence { encoder, start, at, count: 0, shape: Shape::DynVec(header) })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        if let Shape::Open { announced } = self.shape {
            self.settle(value, announced)?;
        }
        let cursor = Cursor { encoder: &mut *self.encoder, at: self.at };
        let written = match &mut self.shape {
            Shape::DynVec(header) => {
                header.put_offset(cursor.encoder, self.count, self.at)?;
                let written = value.serialize(cursor)?;
                if !written.is_dynamic() {
                    return Err(fixed(self.count));
                }
                written
            }
            Shape::FixVec { item_size, .. } => {
                cursor.encoder.in_slot = false;
                let written = value.serialize(cursor)?;
                self.encoder.in_slot = true;
                if written.is_dynamic() {
                    return Err(dynamic("an item", "a fixvec"));
                }
                let size = written.end() - self.at;
                if self.count == 0 {
                    *item_size = size;
                }
                if *item_size != size {
                    return Err(unlike(self.count));
                }
                written
            }
            Shape::Open { .. } => return Ok(()),
        };
        self.at = written.end();
        self.count += 1;
        Ok(())
    }

    /// Decides what the sequence becomes with `value` as its first item.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn settle<T: ?Sized + Serialize>(&mut self, value: &T, announced: Option<usize>) -> Result<()> {
        match probe::layout(value, self.encoder.reach()) {
            Layout::Fixed => {
                self.at = self.encoder.out.put(self.at, EMPTY_FIXVEC);
                self.shape = Shape::FixVec { item_size: 0, outer: self.encoder.packs };
            }
            Layout::Dynamic => {
                let slots = announced.unwrap_or(0);
                let (header, at) = Header::reserve(self.encoder, self.at, slots)?;
                (self.shape, self.at) = (Shape::DynVec(header), at);
            }
        }
        Ok(())
    }

    /// Writes all of `items` and completes the sequence: what serde's own sequences call.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn collect<I>(mut self, items: I) -> Result<Written>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let mut items = items.into_iter();
        let Some(first) = items.next() else { return self.finish() };
        self.put_item(&first)?;
        if let Shape::FixVec { item_size, .. } = self.shape {
            let (least, _) = items.size_hint();
            let expected = least.saturating_mul(item_size).min(MOST_EXPECTED);
            match self.put_alike(&first, &mut items, item_size, expected) {
                Some(item) => self.put_item(&item)?,
                None => return self.finish(),
            }
        }
        let mut wanted = self.wanted_room();
        let beginning = Beginning { at: self.at, count: self.count };
        while wanted > 0 {
            let Some(item) = self.put_in_room(&mut items, wanted, beginning) else {
                return self.finish();
            };
            let (at, room) = (self.at, self.encoder.out.present(self.at, 0).len());
            self.put_item(&item)?;
            // If it was not for lack of room, other items will not fit either.
            let ready = (self.at - at).saturating_add(WINDOW).saturating_mul(2);
            wanted = if ready > room { ready } else { 0 };
        }
        for item in items {
            self.put_item(&item)?;
        }
        self.finish()
    }

    /// Writes items as fast as their type allows. Gives back the first one that it did not write;
    /// `None` says that there are no more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_alike<T, I>(
        &mut self,
        first: &T,
        items: &mut I,
        item_size: usize,
        expected: usize,
    ) -> Option<T>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        if item_size == 1 && first.serialize(Scalar::<1>).is_ok() {
            return self.put_scalars::<1, T, I>(items, expected);
        }
        if item_size == 2 && first.serialize(Scalar::<2>).is_ok() {
            return self.put_scalars::<2, T, I>(items, expected);
        }
        if item_size == 4 && first.serialize(Scalar::<4>).is_ok() {
            return self.put_scalars::<4, T, I>(items, expected);
        }
        if item_size == 8 && first.serialize(Scalar::<8>).is_ok() {
            return self.put_scalars::<8, T, I>(items, expected);
        }
        self.put_windows(items, item_size, expected)
    }

    /// Writes scalars of `N` bytes, and gives back the first item that is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_scalars<const N: usize, T, I>(&mut self, items: &mut I, expected: usize) -> Option<T>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        if expected > SMALL {
            self.encoder.out.expect(self.at, expected);
        }
        loop {
            let room = self.encoder.out.room(self.at, N);
            let (filled, next) = scalar::fill::<N, T, I>(room, items);
            self.at += filled * N;
            self.count += filled;
            if let ControlFlow::Break(rest) = next {
                return rest;
            }
        }
    }

    /// Writes items that fit a window, and gives back the first one that does not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_windows<T, I>(&mut self, items: &mut I, item_size: usize, expected: usize) -> Option<T>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        let Encoder { strict, levels, wrappers, .. } = *self.encoder;
        if strict || levels.min(wrappers) < window::MOST_LEVELS {
            return items.next();
        }
        if expected > SMALL {
            self.encoder.out.expect(self.at, expected);
        }
        let packs = self.encoder.packs;
        let Sequence { encoder, at, count, .. } = self;
        for item in items {
            let Some(room) = encoder.out.window(*at) else { return Some(item) };
            match item.serialize(Window::new(room, packs)) {
                Ok(size) if size == item_size => *at += size,
                Ok(_) | Err(_) => return Some(item),
            }
            *count += 1;
        }
        None
    }

    /// How much room to have ready for the first item that is written into what there is. 0 if none
    /// may be.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn wanted_room(&self) -> usize {
        let Encoder { strict, packs, levels, wrappers, .. } = *self.encoder;
        let is_dynvec = matches!(self.shape, Shape::DynVec(_));
        match is_dynvec && !strict && !packs && levels.min(wrappers) >= room::MOST_LEVELS {
            true => 2 * WINDOW,
            false => 0,
        }
    }

    /// Writes items of a dynvec into the room there is, `wanted` bytes at least for the first one and
    /// for each twice what the one before took. Gives back the first that does not fit; `None` says
    /// that there are no more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_in_room<T, I>(
        &mut self,
        items: &mut I,
        mut wanted: usize,
        beginning: Beginning,
    ) -> Option<T>
    where
        T: Serialize,
        I: Iterator<Item = T>,
    {
        let Shape::DynVec(header) = self.shape else { return items.next() };
        loop {
            let Encoder { out, offsets, .. } = &mut *self.encoder;
            beginning.provide(out, self.at, self.count, items, wanted);
            let (written, room) = out.split(self.at, wanted);
            let mut room = room::addressable(room);
            loop {
                let item = items.next()?;
                // Asked first, so that nothing else is compiled for fixed types.
                if probe::layout(&item, room::REACH) == Layout::Fixed {
                    return Some(item);
                }
                let size = room.len();
                let Ok(left) = item.serialize(Room::new(room)) else { return Some(item) };
                if header.put_offset_in(written, offsets, self.count, self.at).is_err() {
                    return Some(item);
                }
                let taken = size - left.len();
                self.at += taken;
                self.count += 1;
                wanted = taken.saturating_mul(2).max(2 * WINDOW);
                if left.len() < wanted {
                    break;
                }
                room = left;
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_item<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let index = self.count;
        self.put(value).map_err(|error| in_item(self.encoder, error, index))
    }

    /// Completes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        let Sequence { encoder, start, at, count, shape } = self;
        let end = match shape {
            Shape::Open { .. } if encoder.strict => return Err(unmarked()),
            Shape::Open { .. } => encoder.out.put(at, EMPTY_FIXVEC),
            Shape::FixVec { outer, .. } => {
                encoder.out.patch(start, wire::number(count)?);
                encoder.packs = outer;
                at
            }
            Shape::DynVec(header) => header.finish(encoder, count, at)?,
        };
        encoder.leave();
        Ok((encoder, Written::dynamic(end)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<Written> {
        self.close().map(|(_, written)| written)
    }
}

#[cold]
#[inline(never)]
fn unmarked() -> Error {
    let (found, mark) = ("an empty sequence", "fixvec or dynvec");
    Error::placeless(ErrorKind::Unmarked { found, mark })
}

#[cold]
#[inline(never)]
fn fixed(index: usize) -> Error {
    match index {
        0 => Error::placeless(ErrorKind::FixedItem),
        index => unlike(index),
    }
}

impl ser::SerializeSeq for Sequence<'_> {
    type Ok = Written;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.put_item(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<Written> {
        self.finish()
    }
}
