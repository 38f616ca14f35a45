//! Fields of tables and items of dynvecs: where each begins and ends.

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
