//! Vectors of a known count of items that are written into the room there is.

use serde_core::ser::Serialize;

use super::{DEPTH, Room, number};
use crate::fast::Bail;
use crate::fast::scalar::Scalar;
use crate::fast::slice::{Left, Levels, put_scalars};
use crate::molecule::ser::probe::{self, Layout};
use crate::molecule::ser::window::Window;
use crate::molecule::wire::{self, NUMBER_SIZE};

impl<'a, L: Levels> Room<'a, L> {
    /// A fixvec that begins with `first`. In one by mark, structs are packed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixvec<T: Serialize>(
        self,
        first: &T,
        rest: impl Iterator<Item = T>,
        count: usize,
        packs: bool,
    ) -> Left<'a> {
        let (head, room) = self.bytes.split_first_chunk_mut().ok_or(Bail)?;
        *head = number(count);
        if first.serialize(Scalar::<1>).is_ok() {
            return put_scalars::<1, T>(room, first, rest, count);
        }
        if first.serialize(Scalar::<2>).is_ok() {
            return put_scalars::<2, T>(room, first, rest, count);
        }
        if first.serialize(Scalar::<4>).is_ok() {
            return put_scalars::<4, T>(room, first, rest, count);
        }
        if first.serialize(Scalar::<8>).is_ok() {
            return put_scalars::<8, T>(room, first, rest, count);
        }
        put_windows(room, first, rest, count, packs)
    }

    /// A dynvec that begins with `first`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynvec<T: Serialize>(
        self,
        first: &T,
        rest: impl Iterator<Item = T>,
        count: usize,
    ) -> Left<'a> {
        let size = self.bytes.len();
        let header = wire::header_size(count);
        let (head, room) = self.bytes.split_at_mut_checked(header).ok_or(Bail)?;
        let (full_size, offsets) = head.split_first_chunk_mut().ok_or(Bail)?;
        let mut slots = offsets.chunks_exact_mut(NUMBER_SIZE);
        let room = put_dynamic::<T, L>(room, first, slots.next(), size)?;
        let room = rest
            .into_iter()
            .try_fold(room, |room, item| put_dynamic::<T, L>(room, &item, slots.next(), size))?;
        match slots.next() {
            None => *full_size = number(size - room.len()),
            Some(_) => return Err(Bail),
        }
        Ok(room)
    }
}

/// Writes an item of a dynvec whose room had `size` bytes, and its offset.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_dynamic<'a, T: Serialize, L: Levels>(
    room: &'a mut [u8],
    item: &T,
    slot: Option<&mut [u8]>,
    size: usize,
) -> Left<'a> {
    let slot = slot.and_then(<[u8]>::first_chunk_mut).ok_or(Bail)?;
    *slot = number(size - room.len());
    match probe::layout(item, DEPTH) {
        Layout::Dynamic => item.serialize(Room::<L>::of(room).inside()?),
        Layout::Fixed => Err(Bail),
    }
}

/// Writes `count` fixed items by way of windows.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put_windows<'a, T: Serialize>(
    room: &'a mut [u8],
    first: &T,
    mut rest: impl Iterator<Item = T>,
    count: usize,
    packs: bool,
) -> Left<'a> {
    if count == 0 {
        return Err(Bail);
    }
    let window = room.first_chunk_mut().ok_or(Bail)?;
    let size = first.serialize(Window::new(window, packs))?;
    let mut room = room.get_mut(size..).ok_or(Bail)?;
    for _ in 1..count {
        let Some(item) = rest.next() else { return Err(Bail) };
        let window = room.first_chunk_mut().ok_or(Bail)?;
        if item.serialize(Window::new(window, packs))? != size {
            return Err(Bail);
        }
        room = room.get_mut(size..).ok_or(Bail)?;
    }
    match rest.next() {
        None => Ok(room),
        Some(_) => Err(Bail),
    }
}
