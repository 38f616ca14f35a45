//! Items of dynvecs and fixvecs, found by their numbers. Does not know what an item holds.

use super::{
    NUMBER_SIZE, Table, header_size, is_dynvec, is_even, lazy_header, number_at, parse_number,
    parse_unmarked_fixvec, split_number, stated,
};
use crate::error::Fault;
use crate::molecule::{Error, ErrorKind, Result};

/// The items of a sequence without a mark, by its bytes alone: a dynvec or a fixvec.
#[derive(Clone, Copy, Debug)]
pub enum ListParts {
    /// How many items a dynvec has.
    Dynvec { count: usize },
    /// How many items a fixvec has, and the size of each.
    Fixvec { count: usize, size: usize },
}

/// Finds them by the numbers at the start, whatever the items are. `None` if the header is wrong as far as that
/// shows; [`check_list`] says how.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::molecule) fn list_parts(bytes: &[u8]) -> Option<ListParts> {
    let (first, items) = split_number(bytes)?;
    if is_dynvec(first, bytes) {
        let header = lazy_header(bytes)?;
        return Some(ListParts::Dynvec { count: (header.len() / NUMBER_SIZE).saturating_sub(1) });
    }
    let count = stated(first);
    match is_even(count, items.len()) {
        true => {
            let size = items.len().checked_div(count).unwrap_or(0);
            Some(ListParts::Fixvec { count, size })
        }
        false => None,
    }
}

/// The error for a sequence without a mark whose header is wrong.
pub(in crate::molecule) fn check_list(bytes: &[u8], base: usize) -> Result<()> {
    if list_parts(bytes).is_some() {
        return Ok(());
    }
    let (first, _) = parse_number(bytes, base)?;
    match is_dynvec(first, bytes) {
        true => Table::parse(bytes, base, false).map(drop),
        false => parse_unmarked_fixvec(bytes, base).map(drop),
    }
}

/// The item of this number of a dynvec, and where it begins: by the two offsets around it. Its header was found by
/// [`list_parts`].
#[inline]
pub(in crate::molecule) fn dynvec_item(bytes: &[u8], index: usize) -> Result<(usize, &[u8])> {
    let at = header_size(index);
    let header = number_at(bytes, NUMBER_SIZE).unwrap_or(NUMBER_SIZE);
    let start = number_at(bytes, at).unwrap_or(usize::MAX);
    // Behind the last offset, the items begin.
    let next = at.saturating_add(NUMBER_SIZE);
    let end = match next < header {
        true => number_at(bytes, next).unwrap_or(usize::MAX),
        false => bytes.len(),
    };
    match bytes.get(start..end) {
        Some(item) if start >= header => Ok((start, item)),
        _ => Err(wrong_offset(bytes, index)),
    }
}

/// What is wrong with an offset of a dynvec around the item of this number.
#[cold]
fn wrong_offset(bytes: &[u8], index: usize) -> Error {
    let (at, full_size) = (header_size(index), bytes.len());
    let header = number_at(bytes, NUMBER_SIZE).unwrap_or(NUMBER_SIZE);
    let start = number_at(bytes, at).unwrap_or(usize::MAX);
    if start < header {
        return Error::at(ErrorKind::OffsetOrder { found: start, previous: header }, at);
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

/// The item of this number of a fixvec whose items have this size, and where it begins.
#[inline]
pub(in crate::molecule) fn fixvec_item(
    bytes: &[u8],
    size: usize,
    index: usize,
) -> Result<(usize, &[u8])> {
    let start = index.saturating_mul(size).saturating_add(NUMBER_SIZE);
    match bytes.get(start..start.saturating_add(size)) {
        Some(item) => Ok((start, item)),
        None => Err(Error::at(Fault::UnexpectedEnd { needed: size, left: 0 }, start)),
    }
}
