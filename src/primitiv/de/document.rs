//! What all values of a message share: its bytes, the options, and the error while it is returned.

use alloc::vec::Vec;
use core::cell::Cell;

use serde_core::de::{self, Unexpected};

use crate::error::{CommonKind, Segment};
use crate::failed::{Failed, Kept, unexplained};
use crate::glue::adjacent::Adjacent;
use crate::limits::ItemBudget;
use crate::primitiv::error::{BYTES, SELF_DESCRIBING, TEXT, or_str_hint};
use crate::primitiv::wire::{self, Fixed, Headed};
use crate::primitiv::{Error, ErrorKind, Options};
use crate::read::Reader;
use crate::text;

/// A result while reading.
pub(super) type Result<T, E = Failed> = core::result::Result<T, E>;

/// A message that is being read.
pub(super) struct Document<'a, 'de> {
    bytes: &'de [u8],
    /// Where they begin in the whole message, if they are a lazy value.
    pub(super) base: usize,
    pub(super) is_whole: bool,
    pub(super) options: &'a Options,
    /// The bytes that were not read yet.
    pub(super) rest: Cell<&'de [u8]>,
    items: Cell<ItemBudget>,
    error: Kept<ErrorKind>,
    /// Where a value failed first. If its type ignores the error, it reads on at a place that means nothing.
    pub(super) failed_at: Cell<Option<usize>>,
    pub(super) adjacent: Cell<Adjacent>,
    /// Where the last item began of a tuple whose type determines its own end.
    pub(super) knows_end: Cell<Option<usize>>,
}

impl<'a, 'de> Document<'a, 'de> {
    #[inline]
    pub(super) fn new(options: &'a Options, bytes: &'de [u8]) -> Self {
        Document {
            bytes,
            base: 0,
            is_whole: true,
            options,
            rest: Cell::new(bytes),
            items: Cell::new(ItemBudget::new(bytes.len())),
            error: Kept::new(),
            failed_at: Cell::new(None),
            adjacent: Cell::new(Adjacent::None),
            knows_end: Cell::new(None),
        }
    }

    /// How many bytes were read.
    #[inline]
    pub(super) fn taken(&self) -> usize {
        self.bytes.len() - self.rest.get().len()
    }

    /// Where the next byte is in the whole message.
    #[inline]
    pub(super) fn offset(&self) -> usize {
        self.offset_of(self.rest.get())
    }

    /// Where `rest`, which ends where the bytes do, begins.
    #[inline]
    pub(super) fn offset_of(&self, rest: &[u8]) -> usize {
        self.base + (self.bytes.len() - rest.len())
    }

    pub(super) fn reader(&self) -> Reader<'de> {
        Reader::new(self.rest.get(), self.offset())
    }

    /// Runs `take`, whose argument is whether the options are lenient.
    pub(super) fn take<T>(
        &self,
        take: impl FnOnce(&mut Reader<'de>, bool) -> crate::primitiv::Result<T>,
    ) -> Result<T> {
        let mut reader = self.reader();
        match take(&mut reader, self.options.lenient) {
            Ok(value) => {
                self.rest.set(reader.rest());
                Ok(value)
            }
            Err(error) => Err(self.keep(error)),
        }
    }

    /// The same, out of line, for uncommon and invalid bytes.
    #[cold]
    #[inline(never)]
    pub(super) fn take_cold<T>(
        &self,
        take: impl FnOnce(&mut Reader<'de>, bool) -> crate::primitiv::Result<T>,
    ) -> Result<T> {
        self.take(take)
    }

    /// Takes the count of a value whose items take at least `size` bytes each, and for how many of them memory may be
    /// reserved.
    #[inline(never)]
    pub(super) fn count(&self, headed: Headed, size: u32) -> Result<(usize, usize)> {
        let (count, _) = self.take(|reader, _| wire::take_count(reader, headed, size))?;
        let mut items = self.items.get();
        let hint = items.claim(count);
        self.items.set(items);
        Ok((count, hint))
    }

    /// Takes the bytes of a str or bin.
    #[inline(never)]
    pub(super) fn string(&self, headed: Headed) -> Result<&'de [u8]> {
        self.take(|reader, lenient| match wire::take_bytes(reader, headed, lenient) {
            Ok((bytes, ..)) => Ok(bytes),
            Err(error) => Err(or_str_hint(error, TEXT)),
        })
    }

    /// Takes a str that is UTF-8.
    #[inline(never)]
    pub(super) fn text(&self) -> Result<&'de str> {
        let bytes = self.string(Headed::Str)?;
        let offset = self.offset() - bytes.len();
        text::utf8(bytes, offset).map_err(|error| self.keep(error))
    }

    /// Takes an integer of `N` bytes, or one of another width, if the options allow that.
    #[cold]
    pub(super) fn other_integer<const N: usize>(&self, usual: Fixed) -> Result<i128> {
        if self.options.lenient && self.rest.get().first() != Some(&usual.marker.to_u8()) {
            if let Some(number) = self.take(|reader, _| wire::take_integer(reader))? {
                return Ok(number);
            }
        }
        // It is none, or cut.
        self.take(|reader, _| wire::take_fixed::<N>(reader, usual).map(|_| 0))
    }

    /// Takes bytes that were written as a sequence: by types that read bytes and do not write them.
    #[cold]
    pub(super) fn listed_bytes(&self) -> Result<Vec<u8>> {
        let (count, hint) = self.count(Headed::Array, 1)?;
        let mut bytes = Vec::with_capacity(hint);
        for index in 0..count {
            let byte = self.take(wire::take_byte);
            bytes.push(byte.map_err(|Failed| self.inside(self.rest.get(), Segment::Index(index)))?);
        }
        Ok(bytes)
    }
}

/// What is wrong. None of it runs while all goes well.
impl Document<'_, '_> {
    /// Keeps an error, which is about the next byte unless it has an offset.
    #[cold]
    pub(super) fn keep(&self, error: Error) -> Failed {
        let error = error.or_offset(self.offset());
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
    pub(super) fn refused(&self, is_ignored: bool) -> Error {
        match self.failed_at.get() {
            Some(offset) if is_ignored => Error::at(CommonKind::Abandoned, offset),
            _ => self.located(self.bytes),
        }
    }

    /// Locates the error of the value at the start of `at`, which was not read to its end.
    #[cold]
    pub(super) fn place(&self, at: &[u8]) -> Failed {
        self.keep(self.located(at))
    }

    /// The error of a wrapper whose inner value is at the start of `at`. If the visitor has refused it unread, the place
    /// of the next value is unknown.
    #[cold]
    pub(super) fn wrapper_refused(&self, at: &[u8]) -> Failed {
        match self.rest.get().len() == at.len() {
            true => self.place(at),
            false => Failed,
        }
    }

    /// The error of a field or item at the start of `at`.
    #[cold]
    pub(super) fn inside(&self, at: &[u8], segment: Segment) -> Failed {
        self.keep(self.located(at).inside(segment))
    }

    /// The error of the `key` or `value` of a map's entry.
    #[cold]
    pub(super) fn in_entry(&self, at: &[u8], index: usize, half: &'static str) -> Failed {
        self.keep(self.located(at).in_entry(index, half))
    }

    /// Refuses to read on after an error.
    #[inline]
    pub(super) fn check_sound(&self) -> Result<()> {
        match self.failed_at.get() {
            None => Ok(()),
            Some(offset) => Err(self.keep(Error::at(CommonKind::Abandoned, offset))),
        }
    }

    /// An integer that its type cannot hold.
    #[cold]
    pub(super) fn out_of_range(&self, found: i128, expected: &'static str) -> Failed {
        let found = match (u64::try_from(found), i64::try_from(found)) {
            (Ok(found), _) => Unexpected::Unsigned(found),
            (_, Ok(found)) => Unexpected::Signed(found),
            _ => Unexpected::Other("integer"),
        };
        de::Error::invalid_value(found, &expected)
    }

    /// The error of a type that does not take bytes that were written as a sequence.
    #[cold]
    pub(super) fn not_listed(&self, at: &[u8]) -> Failed {
        let error = self.located(at);
        let would_borrow = match error.kind() {
            ErrorKind::Common(CommonKind::Message(text)) => text.starts_with("invalid type"),
            _ => false,
        };
        self.keep(error.or_hint(would_borrow.then_some(BYTES)))
    }

    /// A type needs a self-describing format.
    #[cold]
    pub(super) fn not_described(&self) -> Failed {
        self.keep(Error::placeless(NOT_DESCRIBED))
    }

    /// A variant whose index the type does not have.
    #[cold]
    pub(super) fn unknown_variant(&self, at: &[u8], index: u32) -> Failed {
        self.keep(Error::at(ErrorKind::UnknownVariant { index }, self.offset_of(at)))
    }

    /// The type of the value at the start of `at` has left items.
    #[cold]
    pub(super) fn items_left(&self, at: &[u8], found: usize, taken: usize) -> Failed {
        self.keep(Error::at(ErrorKind::ItemsLeft { found, taken }, self.offset_of(at)))
    }
}

/// The error for a type that needs a self-describing format.
const NOT_DESCRIBED: CommonKind = CommonKind::Unsupported {
    reason: "the type calls `deserialize_any` (as untagged, internally tagged, `flatten` and `Value` do), \
             and primitiv is not self-describing",
    hint: Some(SELF_DESCRIBING),
};
