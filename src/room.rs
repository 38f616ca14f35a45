//! Writing into room that is there: what formats have in common whose serializers consist of a piece
//! of the buffer and nothing else, and hand back what is left of it. Two numbers, which stay in
//! registers, with nothing to grow, to enter or to explain on the way. What does not fit is given back,
//! to be written another way.

#![allow(dead_code, reason = "each format has its own ways of writing")]

use core::marker::PhantomData;

use serde_core::ser::Serialize;

use crate::buffer::{SHORT, put_short};
use crate::scalar::{Scalar, Unfit};

/// What is left of the room behind a value.
pub(crate) type Left<'a> = Result<&'a mut [u8], Unfit>;

/// How deep values may still nest. A type each, so that it costs nothing: types that hold themselves
/// are compiled so many times.
pub(crate) trait Levels {
    /// One level further in.
    type Inside: Levels;
    /// Whether nothing may be further in.
    const NONE: bool;
}

/// No level.
pub(crate) struct Zero;

/// One level more than `L`.
pub(crate) struct Next<L>(PhantomData<L>);

impl Levels for Zero {
    type Inside = Zero;
    const NONE: bool = true;
}

impl<L: Levels> Levels for Next<L> {
    type Inside = L;
    const NONE: bool = false;
}

type Three<L> = Next<Next<Next<L>>>;

/// The levels of a value that is written this way from its outermost part on ..
pub(crate) type All = Three<Three<Three<Zero>>>;

/// .. and how many there are, with the value inside them.
pub(crate) const LEVELS: u16 = 10;

/// Writes bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put<const N: usize>(room: &mut [u8], bytes: [u8; N]) -> Left<'_> {
    let (place, left) = room.split_first_chunk_mut().ok_or(Unfit)?;
    *place = bytes;
    Ok(left)
}

/// The bytes of a length.
const COUNT: usize = 4;

/// Short text and its length.
const COUNTED: usize = COUNT + SHORT;

/// Writes `count`, which tells the length of `bytes`, and `bytes`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put_counted<'a>(room: &'a mut [u8], count: [u8; COUNT], bytes: &[u8]) -> Left<'a> {
    if let (true, Some(place)) = (bytes.len() <= SHORT, room.first_chunk_mut::<COUNTED>()) {
        if let Some((head, place)) = place.split_first_chunk_mut() {
            *head = count;
            put_short(place, bytes);
        }
        return room.get_mut(COUNT + bytes.len()..).ok_or(Unfit);
    }
    let room = put(room, count)?;
    let (place, left) = room.split_at_mut_checked(bytes.len()).ok_or(Unfit)?;
    place.copy_from_slice(bytes);
    Ok(left)
}

/// Writes `count` scalars of `N` bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put_scalars<'a, const N: usize, T: Serialize>(
    room: &'a mut [u8],
    first: &T,
    mut rest: impl Iterator<Item = T>,
    count: usize,
) -> Left<'a> {
    let size = count.checked_mul(N).ok_or(Unfit)?;
    let (body, left) = room.split_at_mut_checked(size).ok_or(Unfit)?;
    let (place, body) = body.split_first_chunk_mut().ok_or(Unfit)?;
    *place = first.serialize(Scalar::<N>)?;
    for place in body.chunks_exact_mut(N) {
        let Some(item) = rest.next() else { return Err(Unfit) };
        place.copy_from_slice(&item.serialize(Scalar::<N>)?);
    }
    match rest.next() {
        None => Ok(left),
        Some(_) => Err(Unfit),
    }
}

/// How many items there will be, if that is known.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn exact_length(items: &impl Iterator) -> Option<usize> {
    match items.size_hint() {
        (least, Some(most)) if least == most => Some(least),
        _ => None,
    }
}

/// What the items of a sequence took so far, which tells what the others will take.
pub(crate) struct Sizes {
    count: usize,
    total: usize,
    least: usize,
}

/// So many items tell something of the others.
const TELLING: usize = 16;

impl Sizes {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new() -> Self {
        Sizes { count: 0, total: 0, least: usize::MAX }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn add(&mut self, size: usize) {
        self.count += 1;
        self.total += size;
        self.least = self.least.min(size);
    }

    /// How much memory to take for `left` more items behind `at` bytes, of which the next one wants
    /// `wanted`: so that what is written has to move once and not each time that it has grown by half.
    /// As much as the items so far on average, and a little more; but at most half more than if all
    /// were as small as the least one, and thrice of what there is.
    #[cold]
    pub(crate) fn foresee(&self, at: usize, left: usize, wanted: usize) -> usize {
        let average = match self.count < TELLING {
            true => 0,
            false => self.total / self.count,
        };
        let likely = average.saturating_mul(left);
        let least = at.saturating_add(self.least.saturating_mul(left));
        let most = least.saturating_add(least / 2).saturating_sub(at);
        likely.saturating_add(likely / 16).min(most).min(at.saturating_mul(3)).max(wanted)
    }
}
