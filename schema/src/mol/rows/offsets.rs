//! Offsets of many rows at once.

use fourfold::molecule::wire::{NUMBER_SIZE, header_size, offsets, split_number, stated};

/// The offsets of a table of `count` fields, the first of which have these sizes, up to that of the field after them:
/// as the header has them after the full size. None, if that is no field.
pub(super) fn first_offsets(count: usize, sizes: &[usize]) -> Option<Box<[u8]>> {
    let mut offset = header_size(count);
    let mut offsets = Vec::from(u32::try_from(offset).ok()?.to_le_bytes());
    for size in sizes {
        offset = offset.checked_add(*size)?;
        offsets.extend_from_slice(&u32::try_from(offset).ok()?.to_le_bytes());
    }
    (sizes.len() < count).then(|| offsets.into_boxed_slice())
}

/// Keeps in `bounds` where those parts of a table begin that begins at `start`, and where the last one ends, whose
/// offsets are the last of `first` and those after it: in `column` of each. Returns whether the offsets begin with
/// `first`, which are [`first_offsets`], and are as many as there are bounds. Whether the parts are in order is not
/// looked at: see [`in_order`].
#[inline]
pub(super) fn bounds<const COLUMNS: usize>(
    bytes: &[u8],
    start: u32,
    column: usize,
    first: &[u8],
    bounds: &mut [[u32; COLUMNS]],
) -> bool {
    let Some((size, rest)) = split_number(bytes) else { return false };
    let [bounds @ .., end] = bounds else { return false };
    let front = first.len().saturating_sub(NUMBER_SIZE);
    // The first offset is that of as many fields as `first` is made for.
    let Some(offsets) = rest.get(..front + bounds.len() * NUMBER_SIZE) else { return false };
    if stated(size) != bytes.len() || !offsets.starts_with(first) {
        return false;
    }
    let column = column % COLUMNS;
    let keep = |bounds: &mut [u32; COLUMNS], offset: u32| {
        if let Some(bound) = bounds.get_mut(column) {
            *bound = start.wrapping_add(offset);
        }
    };
    let offsets = offsets.get(front..).unwrap_or_default();
    for (offset, bounds) in offsets.chunks_exact(NUMBER_SIZE).zip(bounds) {
        keep(bounds, offset.first_chunk().map_or(0, |offset| u32::from_le_bytes(*offset)));
    }
    keep(end, size);
    true
}

/// Whether each part begins where the one before ends or after, by its [`bounds`], of parts with the same number
/// in several tables. No bound may be 2^31 or more.
#[inline]
pub(super) fn in_order<'p>(parts: impl Iterator<Item = (&'p u32, &'p u32)>) -> bool {
    // The highest bits, without a branch for each.
    let signs = parts.fold(0, |signs, (start, end)| signs | start | end.wrapping_sub(*start));
    signs >> (u32::BITS - 1) == 0
}

/// The bounds of the items of a dynvec of that size, counted from where it begins, whose offsets these bytes begin with:
/// where each item begins, and where the last one ends. None, if something is not as it should be: then
/// [`take_offsets`](fourfold::molecule::wire::take_offsets) returns the error.
pub(super) fn item_bounds(bytes: &[u8], full_size: usize) -> Option<Vec<u32>> {
    let offsets = offsets(bytes)?.chunks_exact(NUMBER_SIZE);
    let mut bounds = Vec::with_capacity(offsets.len() + 1);
    let number = |offset: &[u8]| offset.first_chunk().map_or(0, |it| u32::from_le_bytes(*it));
    bounds.extend(offsets.map(number));
    bounds.push(u32::try_from(full_size).ok()?);
    in_order(bounds.iter().zip(bounds.get(1..)?)).then_some(bounds)
}
