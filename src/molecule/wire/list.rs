//! Items of dynvecs and fixvecs, found by their numbers.

use core::ops::Range;

use super::{
    NUMBER_SIZE, Table, header_size, is_dynvec, is_even, lazy_header, number_at, offset_count,
    parse_number, parse_unmarked_fixvec, split_number, stated,
};
use crate::molecule::{Error, ErrorKind, Result};

/// The items of a sequence without a mark, by its bytes alone: a dynvec or a fixvec.
#[derive(Clone, Copy, Debug)]
pub(in crate::molecule) enum ListParts {
    /// How many items a dynvec has, and how many bytes its header.
    Dynvec { count: usize, header: usize },
    /// How many items a fixvec has, and the size of each.
    Fixvec { count: usize, size: usize },
}

/// Finds them by the numbers at the start, whatever the items are. `None` if the header is wrong as far as it
/// was read; [`check_list`] returns the error.
#[inline]
pub(in crate::molecule) fn list_parts(bytes: &[u8]) -> Option<ListParts> {
    let (first, items) = split_number(bytes)?;
    if is_dynvec(first, bytes) {
        let header = lazy_header(bytes)?.len();
        return Some(ListParts::Dynvec { count: (header / NUMBER_SIZE).saturating_sub(1), header });
    }
    let (count, size) = even_parts(stated(first), items.len())?;
    Some(ListParts::Fixvec { count, size })
}

/// How many items a fixvec has that takes all of `bytes`, and the size of each. `None` if they do not fill it evenly.
#[inline]
pub(in crate::molecule) fn fixvec_parts(bytes: &[u8]) -> Option<(usize, usize)> {
    let (count, items) = split_number(bytes)?;
    even_parts(stated(count), items.len())
}

/// The same for items that take `body` bytes.
#[inline]
fn even_parts(count: usize, body: usize) -> Option<(usize, usize)> {
    let size = body.checked_div(count).unwrap_or(0);
    is_even(count, body).then_some((count, size))
}

/// Where item `index` is in a table or dynvec of `size` bytes, whose header numbers `number` returns. Checks the
/// same as [`lazy_part`].
pub(in crate::molecule) fn part_range(
    size: usize,
    index: usize,
    mut number: impl FnMut(usize) -> Option<usize>,
) -> Option<Range<usize>> {
    if number(0)? != size {
        return None;
    }
    let first = number(NUMBER_SIZE)?;
    let count = offset_count(first, size)?;
    let start = (index < count).then(|| number(header_size(index))).flatten()?;
    let end = match index + 1 < count {
        true => number(header_size(index + 1))?,
        false => size,
    };
    between(first, start, end, size)
}

/// Where item `index` is in a sequence without a mark of `size` bytes, and whether that is an item of a dynvec.
pub(in crate::molecule) fn item_range(
    size: usize,
    index: usize,
    mut number: impl FnMut(usize) -> Option<usize>,
) -> Option<(Range<usize>, bool)> {
    let first = number(0)?;
    if first == size {
        return Some((part_range(size, index, number)?, true));
    }
    let (count, width) = even_parts(first, size.checked_sub(NUMBER_SIZE)?)?;
    let start = index.checked_mul(width).filter(|_| index < count)? + NUMBER_SIZE;
    Some((start..start + width, false))
}

/// Where the items are in a `fixvec <byte>` that takes `size` bytes.
pub(in crate::molecule) fn byte_range(
    size: usize,
    mut number: impl FnMut(usize) -> Option<usize>,
) -> Option<Range<usize>> {
    (number(0)? == size.checked_sub(NUMBER_SIZE)?).then_some(NUMBER_SIZE..size)
}

/// An item between two offsets, after a header of `header` bytes.
#[inline]
fn between(header: usize, start: usize, end: usize, size: usize) -> Option<Range<usize>> {
    (header <= start && start <= end && end <= size).then_some(start..end)
}

/// The error for a sequence without a mark whose header is wrong.
pub(in crate::molecule) fn check_list(bytes: &[u8], base: usize) -> Result<()> {
    if list_parts(bytes).is_some() {
        return Ok(());
    }
    let (first, _) = parse_number(bytes, base)?;
    match is_dynvec(first, bytes) {
        true => Table::parse(bytes, base).map(drop),
        false => parse_unmarked_fixvec(bytes, base).map(drop),
    }
}

/// What is wrong with an offset of a dynvec around the item of this number.
#[cold]
pub(in crate::molecule) fn wrong_offset(bytes: &[u8], index: usize) -> Error {
    let (at, full_size) = (header_size(index), bytes.len());
    let header = number_at(bytes, NUMBER_SIZE).unwrap_or(NUMBER_SIZE);
    let start = number_at(bytes, at).unwrap_or(usize::MAX);
    if start < header {
        // The first offset is the length of the header, so this is not the first.
        let previous = number_at(bytes, header_size(index.saturating_sub(1))).unwrap_or(header);
        let previous = previous.max(header);
        return Error::at(ErrorKind::OffsetOrder { found: start, previous }, at);
    }
    if start > full_size {
        return Error::at(ErrorKind::OffsetBeyond { found: start, full_size }, at);
    }
    let next = at.saturating_add(NUMBER_SIZE);
    let end = number_at(bytes, next).unwrap_or(usize::MAX);
    match end < start {
        true => Error::at(ErrorKind::OffsetOrder { found: end, previous: start }, next),
        false => Error::at(ErrorKind::OffsetBeyond { found: end, full_size }, next),
    }
}

/// Item `index` of a table or dynvec that takes all of `bytes`, and the number of items. Checks the same
/// as [`lazy_header`], and the offsets of this item alone. `None` also if there are fewer items.
#[inline]
pub(in crate::molecule) fn lazy_part(bytes: &[u8], index: usize) -> Option<(usize, &[u8])> {
    let header = lazy_header(bytes)?;
    Some((header.len() / NUMBER_SIZE - 1, part_by(header, bytes, index)?))
}

/// Item `index` of a dynvec with a header of so many bytes, as [`list_parts`] has found it. Checks the offsets of this item
/// alone.
#[inline]
pub(in crate::molecule) fn dynvec_item(bytes: &[u8], index: usize, header: usize) -> Option<&[u8]> {
    part_by(bytes.get(..header)?, bytes, index)
}

/// Item `index` of a table or dynvec that takes all of `bytes` and begins with this header.
#[inline]
fn part_by<'de>(header: &[u8], bytes: &'de [u8], index: usize) -> Option<&'de [u8]> {
    // So large an index is out of range, which `get` returns.
    let offsets = header.get(header_size(index)..)?;
    let (start, rest) = split_number(offsets)?;
    let end = split_number(rest).map_or(bytes.len(), |(end, _)| stated(end));
    bytes.get(between(header.len(), stated(start), end, bytes.len())?)
}

/// The item of that number in a fixvec that takes all of `bytes`, whose items take `size` bytes each.
#[inline]
pub(in crate::molecule) fn fixvec_item(bytes: &[u8], index: usize, size: usize) -> Option<&[u8]> {
    let (count, items) = split_number(bytes)?;
    let fits = stated(count).checked_mul(size) == Some(items.len());
    let start = index.checked_mul(size).filter(|_| fits && index < stated(count))?;
    items.get(start..)?.get(..size)
}

/// The end of the items of a dynvec from `first` on that are in order: up to the first offset that is smaller than
/// the previous one, or beyond the end. Its header was found by [`list_parts`].
#[cfg(feature = "rayon")]
pub(in crate::molecule) fn ordered_end(bytes: &[u8], first: usize) -> usize {
    let header = lazy_header(bytes).unwrap_or_default();
    let offsets = header.chunks_exact(NUMBER_SIZE).skip(first.saturating_add(1));
    let mut previous = header.len();
    let mut end = first;
    for offset in offsets.filter_map(|offset| number_at(offset, 0)) {
        if offset < previous || offset > bytes.len() {
            // The previous item is the one that is wrong.
            return end.saturating_sub(1).max(first);
        }
        previous = offset;
        end += 1;
    }
    end
}
