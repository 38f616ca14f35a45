//! What all values of a message share: its bytes, the options, and the error while it is returned.
//!
//! Values are read with a [`Context`]. A [`Document`] explains what is wrong; [`Quiet`] only counts that something is, so
//! that no code for errors is compiled for small programs.
//!
//! What is called for every value is always inlined, for the reasons in [`value`](super::value).

use core::cell::Cell;

use super::errors::NO_TYPES;
use super::value::Rule;
use crate::error::CommonKind;
use crate::failed::{Failed, Kept, Reason, unexplained};
use crate::limits::Depth;
use crate::molecule::error::ANY;
use crate::molecule::mark::UnionIds;
use crate::molecule::wire::{self, NUMBER_SIZE, Table};
use crate::molecule::{Error, ErrorKind, Options};
use crate::raw::Settings;

/// A result while reading.
pub(super) type Result<T, E = Failed> = core::result::Result<T, E>;

/// A message that is being read.
pub(super) struct Document<'a, 'de> {
    pub(super) bytes: &'de [u8],
    /// Where they begin in all that errors count from.
    pub(super) offset: usize,
    /// Whether something has stated where the bytes end, so that more input would not help.
    pub(super) is_framed: bool,
    pub(super) options: &'a Options,
    error: Kept<ErrorKind>,
    /// The size of a fixed-size number for which the input is too short, or 0. `fixed_error` makes an error of it; without
    /// one, `conclude` refuses the message.
    pub(super) cut_number: Cell<usize>,
    unread: Cell<Option<Unread>>,
    /// The number of fixed-size items in the tuple that was read as a table.
    fixed_items: Cell<usize>,
    pub(super) adjacent: Cell<Adjacent>,
}

/// Where a value failed that its type must have read, though it may ignore the error.
#[derive(Clone, Copy)]
enum Unread {
    /// The end of the value is unknown: nothing after it can be read, until what contains it has failed, too, and has a
    /// known end.
    End(usize),
    /// The value needs a self-describing format, so that it would never read what was written. This holds for the whole
    /// message: no end makes up for it.
    Types(usize),
}

/// What serde is expected to request next in an adjacently tagged enum, or has skipped: by the address of its first byte.
#[derive(Clone, Copy, Default)]
pub(super) enum Adjacent {
    #[default]
    None,
    /// A tag, and the ids in the name of its type.
    Tag(usize, Option<UnionIds>),
    /// The content after the tag.
    Content(usize),
    /// A field that was skipped.
    Skipped(usize),
}

impl<'a, 'de> Document<'a, 'de> {
    #[inline]
    pub(super) fn new(options: &'a Options, bytes: &'de [u8]) -> Self {
        Document {
            bytes,
            offset: 0,
            is_framed: false,
            options,
            error: Kept::new(),
            cut_number: Cell::new(0),
            unread: Cell::new(None),
            fixed_items: Cell::new(0),
            adjacent: Cell::new(Adjacent::None),
        }
    }

    /// Where `part` begins in all that errors count from.
    pub(super) fn offset(&self, part: &[u8]) -> usize {
        let start = part.as_ptr().addr().wrapping_sub(self.bytes.as_ptr().addr());
        self.offset.wrapping_add(start)
    }

    /// The bytes from the start of `part` to the end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn ahead(&self, part: &'de [u8]) -> &'de [u8] {
        let start = part.as_ptr().addr().wrapping_sub(self.bytes.as_ptr().addr());
        self.bytes.get(start..).unwrap_or(part)
    }

    /// What a lazy value, which takes all of `bytes`, is read with later, and its offset.
    pub(super) fn settings(&self, bytes: &'de [u8], depth: Depth) -> (Settings, usize) {
        let is_framed = self.is_framed || !core::ptr::eq(bytes, self.bytes);
        (self.options.settings(depth, is_framed), self.offset(bytes))
    }

    /// Whether the bytes of an unmarked tuple, which begin with their size, have the header of a table of `len` fields.
    /// All of it is checked: the bytes of a packed tuple may begin like a header.
    pub(super) fn has_header(&self, bytes: &[u8], len: usize, allows_trailing: bool) -> bool {
        Table::parse_open(bytes, 0, allows_trailing).is_ok_and(|table| {
            table.count() == len || (self.options.compatible && table.count() > len)
        })
    }

    /// Notes that the first field of a table may be the tag of an adjacently tagged enum with these ids.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn expect_tag(&self, table: &[u8], ids: Option<UnionIds>) {
        let start = wire::number_at(table, NUMBER_SIZE).unwrap_or_default();
        self.adjacent.set(Adjacent::Tag(table.as_ptr().addr().wrapping_add(start), ids));
    }

    /// Whether no type has gone on after an error that it must not ignore.
    #[inline]
    pub(super) fn is_sound(&self) -> bool {
        self.unread.get().is_none() && self.cut_number.get() == 0
    }

    /// The value, unless its type must not have made one.
    #[inline]
    pub(super) fn conclude<T>(&self, value: Result<T>) -> Result<T, Error> {
        match value {
            Ok(value) if self.is_sound() => Ok(value),
            Ok(_) => Err(self.ignored()),
            Err(Failed) => Err(self.located(self.bytes)),
        }
    }

    /// The error of a message whose type has ignored an error that it must not ignore.
    #[cold]
    pub(super) fn ignored(&self) -> Error {
        match self.unread.get() {
            Some(Unread::Types(offset)) => Error::at(NO_TYPES, offset),
            Some(Unread::End(offset)) => Error::at(CommonKind::Abandoned, offset),
            None => Error::at(CommonKind::Abandoned, self.offset),
        }
    }

    #[cold]
    pub(super) fn keep(&self, error: Error) -> Failed {
        self.error.keep(error)
    }

    /// Takes the error, and why it is one.
    #[cold]
    pub(super) fn take(&self) -> Option<(Error, Reason)> {
        let (error, reason) = self.error.take()?;
        Some((error.or_hint((reason == Reason::Sequence).then_some(ANY)), reason))
    }

    /// Takes the error, which is about the value at the start of `at`, unless it is located further in.
    #[cold]
    pub(super) fn located(&self, at: &[u8]) -> Error {
        self.locate(self.take(), at)
    }

    #[cold]
    pub(super) fn locate(&self, taken: Option<(Error, Reason)>, at: &[u8]) -> Error {
        taken.map_or_else(unexplained, |(error, _)| error).or_offset(self.offset(at))
    }

    /// An error at the start of `at`.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&self, at: &[u8], kind: impl Into<ErrorKind>) -> Failed {
        self.keep(Error::at(kind.into(), self.offset(at)))
    }

    /// Notes that the end of the value at the start of `at` is unknown.
    #[cold]
    pub(super) fn mark_end_unknown(&self, at: &[u8]) {
        self.unread.set(self.unread.get().or(Some(Unread::End(self.offset(at)))));
    }

    /// Notes that the value at the start of `at` needs a self-describing format.
    #[cold]
    pub(super) fn mark_untyped(&self, at: &[u8]) {
        let offset = match self.unread.get() {
            Some(Unread::End(offset) | Unread::Types(offset)) => offset,
            None => self.offset(at),
        };
        self.unread.set(Some(Unread::Types(offset)));
    }

    /// Drops the error of reading an empty slot.
    #[cold]
    pub(super) fn forgive(&self, slot: &[u8]) {
        drop(self.take());
        self.mark_end_known(slot);
    }

    /// Notes that the end of `whole` is known, so that nothing after it is lost. An error at its very end, for lack of
    /// bytes, is an error of the value.
    #[cold]
    pub(super) fn mark_end_known(&self, whole: &[u8]) {
        let start = self.offset(whole);
        let around = start..=start + whole.len();
        match self.unread.get() {
            Some(Unread::End(lost)) if around.contains(&lost) => self.unread.set(None),
            _ => {}
        }
    }
}

/// What values are read with.
pub(super) trait Context<'de>: Copy {
    /// The document, if there is one.
    fn document(&self) -> Option<&Document<'_, 'de>>;

    /// The document, to keep the reason of a failure. Fails if there is none.
    fn explain(&self) -> Result<&Document<'_, 'de>>;

    /// Calls `read` with the document, which reading an uncommon layout needs. Fails if there is none: what `read` calls is
    /// not compiled then.
    fn with_or_fail<T>(self, read: impl FnOnce(&Document<'_, 'de>) -> Result<T>) -> Result<T>;

    /// The number of errors, if nothing else of them is kept.
    fn errors(self) -> usize;

    /// Drops the error of reading an empty slot, before which there were so many.
    fn forgive(self, slot: &'de [u8], errors: usize);

    /// The number of fixed-size items in the tuple that was read as a table.
    fn fixed_items(&self) -> &Cell<usize>;

    /// Fails at a number that needs so many bytes. A store is all that the code of numbers has for it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fail_short(self, needed: usize) -> Failed {
        if let Ok(document) = self.explain() {
            document.cut_number.set(needed);
        }
        Failed
    }

    /// Refuses a fixed-size value, at the start of `bytes`, as an item of a dynvec. Counts it in a tuple that was taken for a
    /// table.
    #[cold]
    fn check_or_count_fixed(self, bytes: &'de [u8], rule: Rule) -> Result<()> {
        match rule {
            Rule::Dynamic => Err(self.explain()?.fixed_item(bytes)),
            Rule::Guessed => {
                self.fixed_items().set(self.fixed_items().get() + 1);
                Ok(())
            }
            Rule::None | Rule::AllowTrailing => Ok(()),
        }
    }

    #[inline]
    fn is_strict(self) -> bool {
        self.document().is_some_and(|document| document.options.strict)
    }

    #[inline]
    fn allows_trailing(self) -> bool {
        self.document().is_some_and(|document| document.options.allow_trailing)
    }
}

impl<'de> Context<'de> for &Document<'_, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn document(&self) -> Option<&Document<'_, 'de>> {
        Some(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn explain(&self) -> Result<&Document<'_, 'de>> {
        Ok(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with_or_fail<T>(self, read: impl FnOnce(&Document<'_, 'de>) -> Result<T>) -> Result<T> {
        read(self)
    }

    #[inline]
    fn errors(self) -> usize {
        0
    }

    fn forgive(self, slot: &'de [u8], _: usize) {
        Document::forgive(self, slot);
    }

    fn fixed_items(&self) -> &Cell<usize> {
        &self.fixed_items
    }
}

/// A context without details of errors. It counts them, so that a type that ignores one is refused.
#[derive(Default)]
pub(super) struct Quiet {
    pub(super) errors: Cell<usize>,
    fixed_items: Cell<usize>,
}

impl Quiet {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> Failed {
        self.errors.set(self.errors.get() + 1);
        Failed
    }
}

impl<'de> Context<'de> for &Quiet {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn document(&self) -> Option<&Document<'_, 'de>> {
        None
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn explain(&self) -> Result<&Document<'_, 'de>> {
        Err(self.count())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with_or_fail<T>(self, _: impl FnOnce(&Document<'_, 'de>) -> Result<T>) -> Result<T> {
        Err(self.count())
    }

    #[inline]
    fn errors(self) -> usize {
        self.errors.get()
    }

    #[inline]
    fn forgive(self, _: &'de [u8], errors: usize) {
        self.errors.set(errors);
    }

    fn fixed_items(&self) -> &Cell<usize> {
        &self.fixed_items
    }
}
