//! The items of sequences, and the cells of tuples of a known length.
//!
//! What is called for every value is always inlined, for the reasons in [`value`](super::value).

use serde_core::de::{Deserialize, DeserializeSeed, SeqAccess};

use super::document::{Document, Result};
use super::head::Head;
use super::input::Input;
use super::table::Table;
use crate::biniou::ErrorKind;
use crate::biniou::mark::Mark;
use crate::biniou::wire::{CELL_SIZE, ITEM_SIZE, Tag};
use crate::error::Segment;
use crate::failed::Failed;

/// The items of an ARRAY, which share a tag, the cells of a TUPLE, which have a tag each, or the rows of a TABLE.
pub(super) struct Items<'a, 't, 'de> {
    pub(super) input: Input<'a, 't, 'de>,
    /// How many there are; after an error, how many have come.
    count: usize,
    left: usize,
    /// For how many memory may be reserved.
    hint: usize,
    /// The head of all, `ROW` or `OF_EACH`.
    common: Head,
    /// How many bytes there are from the first one on.
    first: usize,
    failed: bool,
}

impl<'a, 't, 'de> Items<'a, 't, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(input: Input<'a, 't, 'de>, head: Head) -> Result<Self> {
        let Input { rest, document, .. } = input;
        let (count, common, rest) = match head.is_plain(Tag::Array) {
            true => document.take_array(rest, Head::UNMARKED)?,
            false => document.take_others(rest, head)?,
        };
        let (hint, first) = (document.claim(count), rest.len());
        let input = Input { rest, ..input };
        Ok(Items { input, count, left: count, hint, common, first, failed: false })
    }

    /// Skips the items that the visitor has not read, or returns its error with offset and path.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end<T>(&mut self, value: Result<T>) -> Result<T> {
        let Input { rest, document, depth } = self.input;
        if value.is_err() || self.failed {
            let taken = self.count - self.left;
            let index = self.failed.then_some(taken.saturating_sub(1));
            return Err(document.fail_items(rest.len(), self.first, index, self.common));
        }
        if self.left > 0 {
            self.input.rest = document.skip_many(rest, self.left, self.common, depth)?;
        }
        if self.common.is_row() {
            document.leave_table();
        }
        value
    }
}

impl<'de> Document<'_, 'de> {
    /// Takes the count of an ARRAY and the tag of its items, which have this mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_array(&self, rest: &'de [u8], mark: Head) -> Result<(usize, Head, &'de [u8])> {
        let (count, rest) = self.length(rest, ITEM_SIZE)?;
        if count == 0 {
            return Ok((0, Head::OF_EACH, rest));
        }
        let (tag, rest) = self.tag(rest)?;
        Ok((count, mark.with_tag(tag).shared(), rest))
    }

    /// Takes the same of a marked ARRAY, the count of a TUPLE or the header of a TABLE.
    #[cold]
    fn take_others(&self, rest: &'de [u8], head: Head) -> Result<(usize, Head, &'de [u8])> {
        let is_table = head.has(Mark::Table);
        if head.is(Tag::Array) {
            // Items under the mark `table` are records.
            return self.take_array(rest, if is_table { Head::UNMARKED } else { head.to_mark() });
        }
        if head.is(Tag::Table) {
            let (table, rest) = Table::take(self, rest)?;
            let rows = table.rows;
            self.enter_table(table);
            return Ok((rows, Head::ROW, rest));
        }
        if is_table {
            let (found, expected) = (Tag::Tuple.name(), "table or array");
            let tag = self.last(rest.len() + 1);
            return Err(self.fail(tag, ErrorKind::WrongTag { found, expected }));
        }
        let (count, rest) = self.length(rest, CELL_SIZE)?;
        Ok((count, head.to_mark().of_each(), rest))
    }

    /// The head of a cell or a row, and what follows its tag.
    #[inline(never)]
    fn next_head(&self, rest: &'de [u8], common: Head) -> Result<(Head, &'de [u8])> {
        if common.is_row() {
            return Ok((Head::ROW, rest));
        }
        let (tag, rest) = self.tag(rest)?;
        Ok((common.to_mark().with_tag(tag), rest))
    }

    /// The error of a sequence. `index` is that of an item that has failed.
    #[cold]
    fn fail_items(&self, rest: usize, first: usize, index: Option<usize>, common: Head) -> Failed {
        if !common.has_no_tag() {
            self.place_tag(first + 1);
        }
        match index {
            // The tag is that of all items.
            Some(_) if !common.has_no_tag() && Tag::from_byte(common.tag()).is_none() => {}
            Some(index) => drop(self.inside(self.last(rest), Segment::Index(index))),
            None => {}
        }
        if common.is_row() {
            self.leave_table();
        }
        self.place(self.last(first), Failed)
    }

    /// The error of a tuple. `index` is that of a cell that has failed; `found` is how many cells there are if that is
    /// too few.
    #[cold]
    fn fail_cells(
        &self,
        rest: usize,
        first: usize,
        index: Option<usize>,
        found: Option<usize>,
        segment: fn(usize) -> Segment,
    ) -> Failed {
        match (index, found) {
            (Some(index), _) => drop(self.inside(self.last(rest), segment(index))),
            (None, Some(found)) => {
                self.too_few(self.last(first), ErrorKind::MissingCells { found });
            }
            (None, None) => {}
        }
        self.place(self.last(first), Failed)
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'_, '_, 'de> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(core::marker::PhantomData)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let next = match self.common.has_no_tag() {
            false => Ok((self.common, self.input.rest)),
            true => self.input.document.next_head(self.input.rest, self.common),
        };
        let value = match next {
            Ok((head, rest)) => self.input.value(rest, head, |value| seed.deserialize(value)),
            Err(Failed) => Err(Failed),
        };
        if value.is_err() {
            // None comes after it.
            (self.failed, self.count, self.left) = (true, self.count - self.left, 0);
        }
        value.map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.hint))
    }
}

/// For so many cells of a tuple memory may be taken at once. Types of a known length seldom request it.
const MOST_CELLS: usize = 64;

/// The cells of a tuple. Missing ones at the end get defaults if the type has them, and unknown ones are skipped, as by
/// OCaml's readers.
pub(super) struct Cells<'a, 't, 'de> {
    pub(super) input: Input<'a, 't, 'de>,
    /// How many there are; after an error, how many had come.
    count: usize,
    /// How many the type takes.
    len: usize,
    /// How many of these are to come.
    left: usize,
    mark: Head,
    first: usize,
    /// How paths name one.
    segment: fn(usize) -> Segment,
    failed: bool,
}

impl<'a, 't, 'de> Cells<'a, 't, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(
        input: Input<'a, 't, 'de>,
        len: usize,
        mark: Head,
        segment: fn(usize) -> Segment,
    ) -> Result<Self> {
        let (count, rest) = input.document.length(input.rest, CELL_SIZE)?;
        let (first, input) = (rest.len(), Input { rest, ..input });
        Ok(Cells { input, count, len, left: count.min(len), mark, first, segment, failed: false })
    }

    /// Skips the items that the visitor has not read, or returns its error with offset and path.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end<T>(&mut self, value: Result<T>) -> Result<T> {
        let Input { rest, document, depth } = self.input;
        if value.is_err() || self.failed {
            let index = self.failed.then_some(self.count);
            let found = (self.count < self.len).then_some(self.count);
            return Err(document.fail_cells(rest.len(), self.first, index, found, self.segment));
        }
        if self.left > 0 || self.count > self.len {
            let others = self.left + self.count.saturating_sub(self.len);
            self.input.rest = document.skip_many(rest, others, Head::OF_EACH, depth)?;
        }
        value
    }
}

impl<'de> SeqAccess<'de> for &mut Cells<'_, '_, 'de> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(core::marker::PhantomData)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let value = self.input.tagged(self.mark, |value| seed.deserialize(value));
        if value.is_err() {
            // None comes after it.
            let index = self.count.min(self.len) - self.left - 1;
            (self.failed, self.count, self.left) = (true, index, 0);
        }
        value.map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(MOST_CELLS))
    }
}
