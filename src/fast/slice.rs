//! Writing into room that is there: what formats have in common whose serializers consist of a piece
//! of the buffer and nothing else, and hand back what is left of it. Two numbers, which stay in
//! registers, with nothing to grow, to enter or to explain on the way. What does not fit is given back,
//! to be written another way.

use core::marker::PhantomData;

use serde_core::ser::Serialize;

use crate::fast::Bail;
use crate::fast::buffer::{SHORT, put_short};
use crate::fast::scalar::Scalar;

/// What is left of the room behind a value.
pub(crate) type Left<'a> = Result<&'a mut [u8], Bail>;

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
    let (place, left) = room.split_first_chunk_mut().ok_or(Bail)?;
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
        return room.get_mut(COUNT + bytes.len()..).ok_or(Bail);
    }
    let room = put(room, count)?;
    let (place, left) = room.split_at_mut_checked(bytes.len()).ok_or(Bail)?;
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
    let size = count.checked_mul(N).ok_or(Bail)?;
    let (body, left) = room.split_at_mut_checked(size).ok_or(Bail)?;
    let (place, body) = body.split_first_chunk_mut().ok_or(Bail)?;
    *place = first.serialize(Scalar::<N>)?;
    for place in body.chunks_exact_mut(N) {
        let Some(item) = rest.next() else { return Err(Bail) };
        place.copy_from_slice(&item.serialize(Scalar::<N>)?);
    }
    match rest.next() {
        None => Ok(left),
        Some(_) => Err(Bail),
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
