//! Writes into a slice and returns its unused tail. For serializers that consist of a piece of the
//! buffer and nothing else: two numbers, which stay in registers. Knows widths, knows no format.
//!
//! Such a serializer does not grow the buffer, does not count depth at run time, and does not
//! explain errors. It bails on what does not fit, and the exact writer writes the value.

use core::marker::PhantomData;

use serde_core::ser::Serialize;

use crate::fast::Bail;
use crate::fast::buffer::{SHORT, put_short};
use crate::fast::scalar::Scalar;

/// The unused tail of a slice behind a value.
pub(crate) type Left<'a> = Result<&'a mut [u8], Bail>;

/// A depth as a type: how deep values may still nest. The compiler knows it, so counting costs
/// nothing. A type that holds itself is compiled once for each depth.
pub(crate) trait TypeDepth {
    /// One level deeper.
    type Inside: TypeDepth;
    /// How many levels may still be entered.
    const LEVELS: u16;
    /// Whether no level may be entered.
    const NONE: bool = Self::LEVELS == 0;
}

/// No level may be entered.
pub(crate) struct NoDepth;

/// One level more than `D`.
pub(crate) struct OneMore<D>(PhantomData<D>);

impl TypeDepth for NoDepth {
    type Inside = NoDepth;
    const LEVELS: u16 = 0;
}

impl<D: TypeDepth> TypeDepth for OneMore<D> {
    type Inside = D;
    const LEVELS: u16 = D::LEVELS + 1;
}

type ThreeMore<D> = OneMore<OneMore<OneMore<D>>>;

/// The depth at the outermost part of a value.
pub(crate) type MaxTypeDepth = ThreeMore<ThreeMore<ThreeMore<NoDepth>>>;

/// How many values may lie in one another, the innermost one included.
pub(crate) const MAX_LEVELS: u16 = MaxTypeDepth::LEVELS + 1;

const _: () = assert!(MAX_LEVELS == 10);

/// Writes bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put<const N: usize>(spare: &mut [u8], bytes: [u8; N]) -> Left<'_> {
    let (place, left) = spare.split_first_chunk_mut().ok_or(Bail)?;
    *place = bytes;
    Ok(left)
}

/// The width of a length.
const COUNT: usize = 4;

/// The size of short text and its length.
pub(crate) const COUNTED: usize = COUNT + SHORT;

/// Writes `count`, and `bytes` that are short.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put_short_counted(place: &mut [u8], count: [u8; COUNT], bytes: &[u8]) {
    if let Some((head, place)) = place.split_first_chunk_mut() {
        *head = count;
        put_short(place, bytes);
    }
}

/// Writes `count`, which states the length of `bytes`, and `bytes`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put_counted<'a>(spare: &'a mut [u8], count: [u8; COUNT], bytes: &[u8]) -> Left<'a> {
    if let (true, Some(place)) = (bytes.len() <= SHORT, spare.first_chunk_mut::<COUNTED>()) {
        put_short_counted(place, count, bytes);
        return spare.get_mut(COUNT + bytes.len()..).ok_or(Bail);
    }
    let spare = put(spare, count)?;
    let (place, left) = spare.split_at_mut_checked(bytes.len()).ok_or(Bail)?;
    place.copy_from_slice(bytes);
    Ok(left)
}

/// Writes `count` scalars of `N` bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn put_scalars<'a, const N: usize, T: Serialize>(
    spare: &'a mut [u8],
    first: &T,
    mut rest: impl Iterator<Item = T>,
    count: usize,
) -> Left<'a> {
    let size = count.checked_mul(N).ok_or(Bail)?;
    let (body, left) = spare.split_at_mut_checked(size).ok_or(Bail)?;
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

/// The number of items, if it is known.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn exact_length(items: &impl Iterator) -> Option<usize> {
    match items.size_hint() {
        (least, Some(most)) if least == most => Some(least),
        _ => None,
    }
}
