//! What all values of a message share: its error while the token for it is returned, and limits.
//!
//! Positions are passed as the rest of the bytes; only its length is used.

use core::cell::Cell;

use crate::error::CommonKind;
use crate::failed::{Failed, Kept, unexplained};
use crate::glue::adjacent::Adjacent;
use crate::glue::names::Names;
use crate::limits::{ItemBudget, too_deep};
use crate::read::Reader;
use crate::tsm::wire::{self, EmptyItems};
use crate::tsm::{Error, ErrorKind};

/// A result while reading.
pub(super) type Result<T, E = Failed> = core::result::Result<T, E>;

/// A message that is being read, but for the bytes that are left.
pub(super) struct Document {
    /// Where the message ends.
    end: usize,
    pub(super) max_depth: u16,
    error: Kept<ErrorKind>,
    /// Where a value failed first. If its type ignores the error, it reads on at a place that means nothing.
    pub(super) failed_at: Cell<Option<usize>>,
    items: Cell<ItemBudget>,
    empty_items: Cell<EmptyItems>,
    pub(super) adjacent: Cell<Adjacent>,
    /// Where the last item began of a tuple whose type determines its own end.
    pub(super) knows_end: Cell<Option<usize>>,
}

impl Document {
    /// A message that ends with `bytes`, after `taken` bytes that were read before.
    #[inline]
    pub(super) fn new(max_depth: u16, bytes: &[u8], taken: usize) -> Self {
        Document {
            end: taken + bytes.len(),
            max_depth,
            error: Kept::new(),
            failed_at: Cell::new(None),
            items: Cell::new(ItemBudget::new(bytes.len())),
            empty_items: Cell::new(EmptyItems::ALL),
            adjacent: Cell::new(Adjacent::None),
            knows_end: Cell::new(None),
        }
    }

    /// Where `rest` begins.
    #[inline]
    pub(super) fn offset_of(&self, rest: &[u8]) -> usize {
        self.end - rest.len()
    }

    /// The count of items at the start of `at`, and for how many of them memory may be reserved.
    #[inline(never)]
    pub(super) fn count(&self, at: &[u8]) -> Result<(usize, usize)> {
        let empty = self.empty_items.get().left();
        let count = wire::take_count(&mut Reader::new(at, self.offset_of(at)), empty);
        let count = count.map_err(|error| self.keep(error, at))?;
        let mut items = self.items.get();
        let hint = items.claim(count);
        self.items.set(items);
        Ok((count, hint))
    }

    /// Counts an item without bytes at the start of `at`.
    #[cold]
    #[inline(never)]
    pub(super) fn spend_empty_item(&self, at: &[u8]) -> Result<()> {
        let mut empty = self.empty_items.get();
        empty.spend().map_err(|error| self.keep(error, at))?;
        self.empty_items.set(empty);
        Ok(())
    }

    /// The value of a message and its length, where `rest` is unread, unless its type has refused it or ignored an error.
    #[inline]
    pub(super) fn end<T>(&self, value: Result<T>, rest: &[u8]) -> Result<(T, usize), Error> {
        match value {
            Ok(value) if self.failed_at.get().is_none() => Ok((value, self.offset_of(rest))),
            value => Err(self.refused(value.is_ok())),
        }
    }
}

/// What is wrong. None of it runs while all goes well.
impl Document {
    /// The message ends `left` bytes on, and `needed` are to be taken.
    #[cold]
    #[inline(never)]
    pub(super) fn ends_early(&self, needed: usize, left: usize) -> Failed {
        self.keep(Error::at(CommonKind::UnexpectedEnd { needed, left }, self.end - left), &[])
    }

    /// Keeps an error, which is about the start of `at` unless it has an offset.
    #[cold]
    #[inline(never)]
    pub(super) fn keep(&self, error: Error, at: &[u8]) -> Failed {
        let error = error.or_offset(self.offset_of(at));
        self.failed_at.set(self.failed_at.get().or(error.offset()));
        self.error.keep(error)
    }

    /// Takes the error of a type, which is no error of the bytes.
    #[cold]
    pub(super) fn take_error(&self) -> Option<Error> {
        self.error.take().map(|(error, _)| error)
    }

    /// Takes the error, which is about the value at the start of `at`, unless it is located further in.
    #[cold]
    pub(super) fn located(&self, at: &[u8]) -> Error {
        self.take_error().unwrap_or_else(unexplained).or_offset(self.offset_of(at))
    }

    /// The error of a message that its type has refused, or of one whose type has ignored an error.
    #[cold]
    #[inline(never)]
    fn refused(&self, is_ignored: bool) -> Error {
        match self.failed_at.get() {
            Some(offset) if is_ignored => Error::at(CommonKind::Abandoned, offset),
            _ => self.take_error().unwrap_or_else(unexplained).or_offset(0),
        }
    }

    /// Locates the error of the value at the start of `at`, which was not read to its end.
    #[cold]
    #[inline(never)]
    pub(super) fn place(&self, at: &[u8]) -> Failed {
        self.keep(self.located(at), at)
    }

    /// The error of a wrapper whose inner value is at the start of `at`. If the visitor has refused it unread, with
    /// `left` bytes left still, the place of the next value is unknown.
    #[cold]
    #[inline(never)]
    pub(super) fn wrapper_refused(&self, at: &[u8], left: usize) -> Failed {
        match left == at.len() {
            true => self.place(at),
            false => Failed,
        }
    }

    /// The error of the field or item at the start of `at`.
    #[cold]
    #[inline(never)]
    pub(super) fn inside(&self, at: &[u8], names: Names, index: usize) -> Failed {
        self.keep(self.located(at).inside(names.segment(index)), at)
    }

    /// The error of the `key` or `value` of a map's entry, at the start of `at`.
    #[cold]
    #[inline(never)]
    pub(super) fn in_entry(&self, at: &[u8], index: usize, half: &'static str) -> Failed {
        self.keep(self.located(at).in_entry(index, half), at)
    }

    /// Refuses what is at the start of `at`.
    #[cold]
    #[inline(never)]
    pub(super) fn invalid(&self, at: &[u8], kind: ErrorKind) -> Failed {
        self.keep(Error::placeless(kind), at)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn too_deep(&self, at: &[u8]) -> Failed {
        self.keep(too_deep(self.max_depth), at)
    }

    /// A type needs a self-describing format.
    #[cold]
    #[inline(never)]
    pub(super) fn not_described(&self, at: &[u8]) -> Failed {
        self.invalid(at, ErrorKind::SelfDescribing)
    }

    /// A variant whose number, at the start of `at`, the type does not have.
    #[cold]
    #[inline(never)]
    pub(super) fn unknown_variant(&self, at: &[u8], index: u32) -> Failed {
        self.keep(wire::unknown_variant(index, self.offset_of(at)), at)
    }

    /// The type of the value at the start of `at` has left items.
    #[cold]
    #[inline(never)]
    pub(super) fn items_left(&self, at: &[u8], found: usize, taken: usize) -> Failed {
        self.invalid(at, ErrorKind::ExtraItems { found, taken })
    }
}
