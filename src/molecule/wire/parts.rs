//! Fields of tables and items of dynvecs: where each begins and ends.

#[cfg(feature = "schema")]
use alloc::{boxed::Box, vec::Vec};

use super::{NUMBER_SIZE, Table, header_size, number_at};

/// The fields of a table or the items of a dynvec, which are taken one by one.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'de> {
    bytes: &'de [u8],
    /// Full size and offsets.
    header: &'de [u8],
    /// Where the end of the next item is in the header. After the header, the next item is the last
    /// one.
    at: usize,
    /// Where the next item begins.
    start: usize,
}

impl<'de> Parts<'de> {
    /// The items of a value with that header, which [`lazy_header`](super::lazy_header) has found.
    #[must_use]
    #[inline]
    pub fn new(bytes: &'de [u8], header: &'de [u8]) -> Self {
        Parts { bytes, header, at: header_size(1), start: header.len() }
    }

    /// The same if the first item does not begin after the header, since that had more offsets.
    #[inline]
    pub(in crate::molecule) fn beginning(
        bytes: &'de [u8],
        header: &'de [u8],
        start: usize,
    ) -> Self {
        Parts { start, ..Parts::new(bytes, header) }
    }

    /// The whole value.
    pub(in crate::molecule) fn bytes(&self) -> &'de [u8] {
        self.bytes
    }

    /// The offset of item `index` in the value, and its bytes, whichever items were taken.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<(usize, &'de [u8])> {
        let start = number_at(self.header, header_size(index))?;
        let end = number_at(self.header, header_size(index.saturating_add(1)));
        Some((start, self.bytes.get(start..end.unwrap_or(self.bytes.len()))?))
    }

    /// The bytes from the start of item `index` on.
    pub(in crate::molecule) fn starting_at(&self, index: usize) -> Option<&'de [u8]> {
        let start = match index {
            0 => self.header.len(),
            _ => number_at(self.header, header_size(index))?,
        };
        self.bytes.get(start..)
    }

    /// Length of the header.
    #[inline]
    pub(in crate::molecule) fn header_len(&self) -> usize {
        self.header.len()
    }

    /// The first `count` items of more.
    pub(in crate::molecule) fn first_ones(self, count: usize) -> Self {
        let Parts { bytes, header, .. } = self;
        let end = number_at(header, header_size(count)).unwrap_or(bytes.len());
        let header = header.get(..header_size(count)).unwrap_or(header);
        Parts { bytes: bytes.get(..end).unwrap_or(bytes), header, ..self }
    }

    /// The number of items.
    #[must_use]
    pub fn count(&self) -> usize {
        (self.header.len() / NUMBER_SIZE).saturating_sub(1)
    }

    /// The index of the next item.
    pub(in crate::molecule) fn index(&self) -> usize {
        (self.at / NUMBER_SIZE).saturating_sub(2)
    }

    /// The index of the item that was taken last.
    pub(in crate::molecule) fn last(&self) -> usize {
        self.index().saturating_sub(1)
    }

    /// The item that was taken last.
    pub(in crate::molecule) fn last_taken(&self) -> &'de [u8] {
        let part = self.starting_at(self.last()).unwrap_or_default();
        let after = self.bytes.len().saturating_sub(self.start);
        part.get(..part.len().saturating_sub(after)).unwrap_or(part)
    }

    /// The bytes from where the count is stated: the first offset.
    pub(in crate::molecule) fn at_count(&self) -> &'de [u8] {
        match self.count() {
            0 => self.bytes,
            _ => self.bytes.get(NUMBER_SIZE..).unwrap_or(self.bytes),
        }
    }

    /// How many items were not taken yet.
    #[must_use]
    #[inline]
    pub fn left(&self) -> usize {
        (self.header.len() + NUMBER_SIZE).saturating_sub(self.at) / NUMBER_SIZE
    }

    #[inline]
    pub(in crate::molecule) fn all_taken(&self) -> bool {
        self.at > self.header.len()
    }

    /// Ends the iteration after an error, so that callers that ignore the error terminate.
    #[cold]
    pub(in crate::molecule) fn end(&mut self) {
        self.at = self.header.len() + NUMBER_SIZE;
    }

    /// The next item, if any.
    ///
    /// # Errors
    ///
    /// If an offset is wrong. [`Table::parse`] has checked them. No items are returned after an error.
    #[inline]
    pub fn take(&mut self) -> Result<Option<&'de [u8]>, WrongEnd> {
        let end = match number_at(self.header, self.at) {
            Some(end) => end,
            None if self.all_taken() => return Ok(None),
            None => self.bytes.len(),
        };
        // Two separate bounds checks: one combined check would compute both bounds first.
        let part = self.bytes.get(..end).and_then(|part| part.get(self.start..));
        let Some(part) = part else {
            self.end();
            return Err(WrongEnd);
        };
        self.at += NUMBER_SIZE;
        self.start = end;
        Ok(Some(part))
    }
}

/// The offset of an item, or of the next one, is wrong: [`Table::parse`] returns which, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the offset of a field or item is wrong")]
pub struct WrongEnd;

impl<'de> From<Table<'de>> for Parts<'de> {
    fn from(table: Table<'de>) -> Self {
        Parts::new(table.bytes(), table.header())
    }
}

/// The offsets of a table of `count` fields, the first of which have these sizes, up to that of the field after them:
/// as in the header after the full size. `None` if there is no such field.
#[cfg(feature = "schema")]
pub(in crate::molecule) fn first_offsets(count: usize, sizes: &[usize]) -> Option<Box<[u8]>> {
    let mut offset = header_size(count);
    let mut offsets = Vec::from(u32::try_from(offset).ok()?.to_le_bytes());
    for size in sizes {
        offset = offset.checked_add(*size)?;
        offsets.extend_from_slice(&u32::try_from(offset).ok()?.to_le_bytes());
    }
    (sizes.len() < count).then(|| offsets.into_boxed_slice())
}

/// Stores in `bounds` where fields of a table begin and where the last one ends: the table begins at `start`, and
/// the offsets of these fields are the last of `first` and those after it. They go to `column` of each bound.
/// Returns whether the offsets begin with `first`, which are [`first_offsets`], and are as many as there are
/// bounds. Whether the fields are in order is not checked: see [`in_order`].
#[cfg(feature = "schema")]
#[inline]
pub(in crate::molecule) fn bounds<const COLUMNS: usize>(
    bytes: &[u8],
    start: u32,
    column: usize,
    first: &[u8],
    bounds: &mut [[u32; COLUMNS]],
) -> bool {
    let Some((size, rest)) = super::split_number(bytes) else { return false };
    let [bounds @ .., end] = bounds else { return false };
    let front = first.len().saturating_sub(NUMBER_SIZE);
    // The first offset is that of as many fields as `first` is made for.
    let Some(offsets) = rest.get(..front + bounds.len() * NUMBER_SIZE) else { return false };
    if !super::is_full_size(size, bytes) || !offsets.starts_with(first) {
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

/// Whether each field begins at or after the end of the one before, by their [`bounds`], for fields with the same
/// number in several tables. No bound may be 2^31 or more.
#[cfg(feature = "schema")]
#[inline]
pub(in crate::molecule) fn in_order<'p>(parts: impl Iterator<Item = (&'p u32, &'p u32)>) -> bool {
    // The highest bits, without a branch for each.
    let signs = parts.fold(0, |signs, (start, end)| signs | start | end.wrapping_sub(*start));
    signs >> (u32::BITS - 1) == 0
}

/// The bounds of the items of a dynvec of that size, counted from its start, whose offsets these bytes begin with:
/// where each item begins, and where the last one ends. `None` if something is wrong;
/// [`take_offsets`](super::take_offsets) returns the error.
#[cfg(feature = "schema")]
pub(in crate::molecule) fn items(bytes: &[u8], full_size: usize) -> Option<Vec<u32>> {
    let offsets = super::offsets(bytes)?.chunks_exact(NUMBER_SIZE);
    let mut bounds = Vec::with_capacity(offsets.len() + 1);
    let number = |offset: &[u8]| offset.first_chunk().map_or(0, |it| u32::from_le_bytes(*it));
    bounds.extend(offsets.map(number));
    bounds.push(u32::try_from(full_size).ok()?);
    in_order(bounds.iter().zip(bounds.get(1..)?)).then_some(bounds)
}
