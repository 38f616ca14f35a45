//! Writing into room that is there: what formats have in common whose serializers consist of a piece
//! of the buffer and nothing else, and hand back what is left of it. Two numbers, which stay in
//! registers, with nothing to grow, to enter or to explain on the way. What does not fit is given back,
//! to be written another way.

use core::marker::PhantomData;

use serde_core::ser::Serialize;

use crate::buffer::{Buffer, SHORT, put_short};
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
pub(crate) const COUNTED: usize = COUNT + SHORT;

/// Writes `count`, and `bytes` that are short.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put_short_counted(place: &mut [u8], count: [u8; COUNT], bytes: &[u8]) {
    if let Some((head, place)) = place.split_first_chunk_mut() {
        *head = count;
        put_short(place, bytes);
    }
}

/// Writes `count`, which tells the length of `bytes`, and `bytes`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put_counted<'a>(room: &'a mut [u8], count: [u8; COUNT], bytes: &[u8]) -> Left<'a> {
    if let (true, Some(place)) = (bytes.len() <= SHORT, room.first_chunk_mut::<COUNTED>()) {
        put_short_counted(place, count, bytes);
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

/// So many items tell something of the others ..
const TELLING: usize = 16;

/// .. and so many, what they take on average: twice as much or half of it would be rare.
const TYPICAL: usize = 64;

/// So many times what there is may be asked for at once, when the items so far are telling ..
const SOME: usize = 3;

/// .. and when they are typical.
const MORE: usize = 31;

/// After so many items each, a look ahead is taken.
const FORESIGHT: usize = 32;

/// So much may the next item have, though what there is be less.
const LEAST: usize = 1024;

/// Where the items of a sequence begin, to tell from the first ones what the others will take.
#[derive(Clone, Copy)]
pub(crate) struct Beginning {
    pub(crate) at: usize,
    pub(crate) count: usize,
}

impl Beginning {
    /// Takes memory for all of `items`, which come behind `count` others and `at` bytes, once there is
    /// less than the next one would like to have.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn provide(
        self,
        out: &mut Buffer,
        at: usize,
        count: usize,
        items: &impl Iterator,
        wanted: usize,
    ) {
        let left = items.size_hint().0;
        if left > 0 && out.lacks(at, wanted) {
            out.expect(at, self.foresee(at, count, left, wanted));
        }
    }

    /// Takes memory for all of `items`, which come behind `count` others and `at` bytes, once there is less
    /// than the next ones are likely to take. Looks now and then, so that it costs nothing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn look_ahead(
        self,
        out: &mut Buffer,
        at: usize,
        count: usize,
        items: &impl Iterator,
    ) {
        if count % FORESIGHT == FORESIGHT / 2 {
            self.take_memory(out, at, count, items.size_hint().0);
        }
    }

    #[cold]
    #[inline(never)]
    fn take_memory(self, out: &mut Buffer, at: usize, count: usize, left: usize) {
        let (taken, count_here) = (at.saturating_sub(self.at), count.saturating_sub(self.count));
        // Only a sequence that is most of the document so far.
        if left == 0 || taken < at / 2 {
            return;
        }
        let average = taken.checked_div(count_here).unwrap_or(0);
        let wanted = average.saturating_mul(2 * TELLING).max(LEAST);
        if out.lacks(at, wanted) {
            out.expect(at, self.foresee(at, count, left, wanted));
        }
    }

    /// How much memory to take for `left` more items behind `count` items and `at` bytes, of which the
    /// next one would like to have `wanted`: as much as the items so far on average, and a little more.
    /// So what is written moves once or twice and not each time that it has grown by half. (10,000
    /// records of a log were moved by 1.06 times what they are, and now by a twentieth.) Memory that is
    /// not needed in the end is not touched, and what is much too large is given back.
    #[cold]
    #[inline(never)]
    fn foresee(self, at: usize, count: usize, left: usize, wanted: usize) -> usize {
        let count = count.saturating_sub(self.count);
        let average = at.saturating_sub(self.at).checked_div(count).unwrap_or(0);
        let likely = average.saturating_mul(left);
        let likely = likely.saturating_add(likely / 16);
        let guess = match count {
            ..TELLING => at / 2,
            TELLING..TYPICAL => likely.min(at.saturating_mul(SOME)),
            TYPICAL.. => likely.min(at.saturating_mul(MORE)),
        };
        guess.max(wanted.min((at / 2).max(LEAST)))
    }
}
