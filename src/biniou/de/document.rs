//! State shared by all values of a message: its bytes, options, names of types, tables, and the error while `Failed` is
//! returned. Cold functions take and return values that fit in registers: an access whose address is passed to a
//! function does not stay in registers.
//!
//! What is called for every value is always inlined, for the reasons in [`value`](super::value).

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use super::head::{Head, Levels};
use super::shared::Shared;
use super::table::Table;
use super::types::{Collision, Type, Types};
use crate::biniou::budget::Budget;
use crate::biniou::names::collision;
use crate::biniou::skip::Skipper;
use crate::biniou::wire::{self, Tag, VINT_MORE};
use crate::biniou::{Error, ErrorKind, Options};
use crate::error::Segment;
use crate::failed::{Failed, Kept, Reason, unexplained};
use crate::limits::{DepthMeter, ItemBudget, too_deep};
use crate::read::Reader;

/// A result while reading.
pub(super) type Result<T, E = Failed> = core::result::Result<T, E>;

/// A message that is being read.
pub(super) struct Document<'t, 'de> {
    pub(super) bytes: &'de [u8],
    /// Where they begin in the whole, if they are a lazy value.
    pub(super) base: usize,
    pub(super) is_whole: bool,
    pub(super) options: &'t Options,
    /// Whether the fields of all structs are read by name.
    pub(super) by_name: bool,
    /// Whether the message has to be read again by name.
    pub(super) again: Cell<bool>,
    types: &'t Types,
    items: Cell<ItemBudget>,
    /// What follows a value that was read by a function that returns something else.
    pub(super) after: Cell<&'de [u8]>,
    error: Kept<ErrorKind>,
    /// The tables around the value that is being read, the innermost last.
    tables: RefCell<Vec<Rc<Table>>>,
    pub(super) shared: RefCell<Shared>,
}

impl<'t, 'de> Document<'t, 'de> {
    #[inline]
    pub(super) fn new(
        options: &'t Options,
        types: &'t Types,
        bytes: &'de [u8],
        budget: Budget,
        by_name: bool,
    ) -> Self {
        Document {
            bytes,
            base: 0,
            is_whole: true,
            options,
            by_name,
            again: Cell::new(false),
            types,
            items: Cell::new(ItemBudget::new(bytes.len())),
            after: Cell::new(&[]),
            error: Kept::new(),
            tables: RefCell::new(Vec::new()),
            shared: RefCell::new(Shared::new(budget)),
        }
    }

    /// Where `rest`, which ends where the message does, begins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn offset_of(&self, rest: &[u8]) -> usize {
        self.bytes.len().saturating_sub(rest.len())
    }

    /// Where bytes of the message begin, which may end before it does.
    #[cold]
    pub(super) fn offset_within(&self, part: &[u8]) -> usize {
        part.as_ptr().addr().wrapping_sub(self.bytes.as_ptr().addr())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn from(&self, offset: usize) -> &'de [u8] {
        self.bytes.get(offset..).unwrap_or_default()
    }

    /// The last bytes of the message, so many.
    pub(super) fn last(&self, len: usize) -> &'de [u8] {
        self.from(self.bytes.len().saturating_sub(len))
    }

    pub(super) fn reader(&self, rest: &[u8]) -> Reader<'de> {
        Reader::after(self.bytes, self.offset_of(rest))
    }

    /// Has the message read again by name.
    #[cold]
    pub(super) fn read_again(&self) -> Failed {
        self.again.set(true);
        Failed
    }

    /// For how many items memory may be reserved.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn claim(&self, count: usize) -> usize {
        let mut items = self.items.get();
        let granted = items.claim(count);
        self.items.set(items);
        granted
    }

    /// The names in `list`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn type_of(&self, list: &'static [&'static str]) -> Result<&'t Type> {
        match self.types.known(list) {
            Some(known) => Ok(known),
            None => self.find_type(list),
        }
    }

    #[cold]
    fn find_type(&self, list: &'static [&'static str]) -> Result<&'t Type> {
        self.types.find(list).map_err(|Collision(first, second)| {
            self.keep(collision(first, second, wire::hash(first)))
        })
    }

    /// The name that the options have for a hash.
    pub(super) fn name_in_options(&self, hash: u32) -> Option<&'t str> {
        self.options.names.as_deref()?.name(hash)
    }

    /// A count of what takes at least `size` bytes each, and what follows the count.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn length(&self, rest: &'de [u8], size: usize) -> Result<(usize, &'de [u8])> {
        match rest.split_first() {
            Some((count, tail))
                if *count < VINT_MORE && usize::from(*count) * size <= tail.len() =>
            {
                Ok((usize::from(*count), tail))
            }
            _ => self.long_length(rest, size),
        }
    }

    #[inline(never)]
    fn long_length(&self, rest: &'de [u8], size: usize) -> Result<(usize, &'de [u8])> {
        let mut reader = self.reader(rest);
        let count = self.kept(wire::take_length(&mut reader, size))?;
        Ok((count, reader.rest()))
    }

    /// The tag that `rest` begins with.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tag(&self, rest: &'de [u8]) -> Result<(u8, &'de [u8])> {
        match rest.split_first() {
            Some((tag, rest)) => Ok((*tag, rest)),
            None => Err(self.no_bytes(rest, |reader| wire::take_tag(reader).map(drop))),
        }
    }

    /// The tag of the first value, which may be stored elsewhere, and what follows it.
    #[inline]
    pub(super) fn first_head(
        &self,
        tag: Option<Tag>,
        rest: &'de [u8],
    ) -> Result<(Head, &'de [u8])> {
        match tag {
            Some(tag) => Ok((Head::new(tag.byte()).shared(), rest)),
            None => {
                let (tag, rest) = self.tag(rest)?;
                Ok((Head::new(tag), rest))
            }
        }
    }

    /// The tag of a byte that comes just before `rest`.
    pub(super) fn known_tag(&self, rest: &[u8], found: u8) -> Result<Tag> {
        Tag::from_byte(found).ok_or_else(|| {
            let at = self.offset_of(rest).saturating_sub(1);
            self.keep(Error::at(ErrorKind::UnknownTag { found }, at))
        })
    }

    /// Skips a value; its tag comes first if `tag` is `None`.
    #[cold]
    pub(super) fn skip(
        &self,
        rest: &'de [u8],
        tag: Option<u8>,
        depth: Levels,
    ) -> Result<&'de [u8]> {
        self.skip_counting(rest, tag, depth, true)
    }

    /// The same for a value that is read as well, so that its rows without columns count only once.
    #[cold]
    pub(super) fn skip_uncounted(
        &self,
        rest: &'de [u8],
        tag: Option<u8>,
        depth: Levels,
    ) -> Result<&'de [u8]> {
        self.skip_counting(rest, tag, depth, false)
    }

    fn skip_counting(
        &self,
        rest: &'de [u8],
        tag: Option<u8>,
        depth: Levels,
        counts: bool,
    ) -> Result<&'de [u8]> {
        let mut reader = self.reader(rest);
        let tag = match tag {
            Some(tag) => self.known_tag(rest, tag)?,
            None => self.kept(wire::take_tag(&mut reader))?,
        };
        let mut shared = self.shared.borrow_mut();
        let (notes, empty_rows) = shared.notes(counts);
        let depth = DepthMeter::within(depth.depth(), self.options.max_depth);
        self.kept(Skipper { depth, notes, empty_rows }.value(&mut reader, tag))?;
        Ok(reader.rest())
    }

    /// Skips so many values, which have this tag or one each.
    #[cold]
    pub(super) fn skip_many(
        &self,
        rest: &'de [u8],
        count: usize,
        common: Head,
        depth: Levels,
    ) -> Result<&'de [u8]> {
        (0..count).try_fold(rest, |rest, _| match common.has_no_tag() {
            true if common.is_row() => self.table().skip(self, rest, depth),
            true => self.skip(rest, None, depth),
            false => self.skip(rest, Some(common.tag()), depth),
        })
    }

    /// Skips a value whose type has read nothing of it, or ignored an error in it.
    #[cold]
    pub(super) fn skip_unread(
        &self,
        rest: &'de [u8],
        head: Head,
        depth: Levels,
    ) -> Result<&'de [u8]> {
        drop(self.take());
        match head.is_row() {
            true => self.table().skip(self, rest, depth),
            false => self.skip_uncounted(rest, Some(head.tag()), depth),
        }
    }

    /// The innermost table.
    pub(super) fn table(&self) -> Rc<Table> {
        self.tables.borrow().last().cloned().unwrap_or_default()
    }

    pub(super) fn enter_table(&self, table: Table) {
        self.tables.borrow_mut().push(Rc::new(table));
    }

    #[cold]
    pub(super) fn leave_table(&self) {
        self.tables.borrow_mut().pop();
    }
}

/// Errors.
impl<'de> Document<'_, 'de> {
    #[cold]
    pub(super) fn keep(&self, error: Error) -> Failed {
        self.error.keep(error)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn kept<T>(&self, result: crate::biniou::Result<T>) -> Result<T> {
        result.map_err(|error| self.keep(error))
    }

    /// An error at the start of `rest`.
    #[cold]
    pub(super) fn fail(&self, rest: &[u8], kind: impl Into<ErrorKind>) -> Failed {
        self.keep(Error::at(kind.into(), self.offset_of(rest)))
    }

    /// An error whose offset is that of the value around it.
    #[cold]
    pub(super) fn placeless(&self, kind: impl Into<ErrorKind>) -> Failed {
        self.keep(Error::placeless(kind.into()))
    }

    #[cold]
    pub(super) fn take(&self) -> Error {
        self.error.take().map_or_else(unexplained, |(error, _)| error)
    }

    /// Takes the error of a value that begins after `taken` bytes. `head` is its tag and where that is, if it is stored
    /// elsewhere.
    #[cold]
    pub(super) fn error_after(&self, taken: usize, head: Option<(Tag, usize)>) -> Error {
        if let Some((_, at)) = head {
            self.place_tag(self.bytes.len().saturating_sub(at));
        }
        self.take().or_offset(taken)
    }

    /// An error in a value that begins with `rest`.
    #[cold]
    pub(super) fn place(&self, rest: &[u8], Failed: Failed) -> Failed {
        self.keep(self.take().or_offset(self.offset_of(rest)))
    }

    /// An error in a field, item or cell that begins with `rest`.
    #[cold]
    pub(super) fn inside(&self, rest: &[u8], segment: Segment) -> Failed {
        self.keep(self.take().or_offset(self.offset_of(rest)).inside(segment))
    }

    /// Moves an error about a tag that many values share to the offset of the tag, which begins the last `len` bytes.
    #[cold]
    pub(super) fn place_tag(&self, len: usize) {
        let Some((error, _)) = self.error.take() else { return };
        let is_of_tag = matches!(error.kind(), ErrorKind::WrongTag { .. });
        self.keep(match is_of_tag {
            true => error.or_offset(self.bytes.len().saturating_sub(len)),
            false => error,
        });
    }

    /// Replaces an error without an offset: the visitor failed since there were too few items or cells.
    #[cold]
    pub(super) fn too_few(&self, rest: &[u8], kind: impl Into<ErrorKind>) {
        let error = self.take();
        self.keep(match error.offset() {
            None => Error::at(kind.into(), self.offset_of(rest)),
            Some(_) => error,
        });
    }

    /// The error of a visitor that has refused bytes which cannot be borrowed: its own, or `kind` if it takes no others.
    #[cold]
    pub(super) fn not_borrowed(&self, kind: impl Into<ErrorKind>) -> Failed {
        self.keep(match self.error.take() {
            Some((error, reason)) if reason != Reason::Bytes => error,
            _ => Error::placeless(kind.into()),
        })
    }

    #[cold]
    pub(super) fn too_deep(&self, rest: &[u8]) -> Failed {
        self.keep(too_deep(self.options.max_depth).or_offset(self.offset_of(rest)))
    }

    /// The error for bytes that `take` refuses.
    #[cold]
    pub(super) fn no_bytes(
        &self,
        rest: &[u8],
        take: fn(&mut Reader<'de>) -> crate::biniou::Result<()>,
    ) -> Failed {
        match take(&mut self.reader(rest)) {
            Err(error) => self.keep(error),
            Ok(()) => Failed,
        }
    }
}
