//! Values that are shared, marked or invalid. Nothing here is inlined, and the bytes after a value are in
//! `Document::after`, so that the usual code keeps its state in registers.

use super::document::{Document, Result};
use super::head::{Head, Levels};
use super::input::Input;
use super::number::{self, Number};
use crate::biniou::ErrorKind;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::wire::{self, Tag};
use crate::error::CommonKind;
use crate::failed::Failed;
use crate::text;

/// A value with one of the expected tags: the value itself, or that of a SHARED.
pub(super) struct Open<'a, 't, 'de> {
    pub(super) input: Input<'a, 't, 'de>,
    pub(super) head: Head,
    /// The number of open SHARED, if it is in one.
    pub(super) shared: usize,
}

/// Input and head of a value, copied so that the original stays in registers.
#[derive(Clone, Copy)]
pub(super) struct ByValue<'a, 't, 'de> {
    pub(super) input: Input<'a, 't, 'de>,
    pub(super) head: Head,
}

impl<'a, 't, 'de> ByValue<'a, 't, 'de> {
    /// The error for a tag other than the expected ones.
    #[cold]
    pub(super) fn wrong_tag(self, expected: &'static str) -> Failed {
        let ByValue { input: Input { rest, document, .. }, head } = self;
        if head.is_row() {
            let (found, expected) = ("a row of a table", "a value that is no struct");
            return document.fail(rest, ErrorKind::WrongTag { found, expected });
        }
        let found = match document.known_tag(rest, head.tag()) {
            Ok(tag) => tag.name(),
            Err(failed) => return failed,
        };
        let kind = ErrorKind::WrongTag { found, expected };
        match head.shares_tag() {
            true => document.placeless(kind),
            false => document.fail(document.last(rest.len() + 1), kind),
        }
    }

    /// Refuses a mark that does not fit the target.
    #[cold]
    pub(super) fn check_mark(self, target: Target) -> Result<()> {
        match self.head.mark() {
            Some(mark) if !mark.fits(target) => Err(self.keep(mark.mismatch(target))),
            _ => Ok(()),
        }
    }

    /// An error of the value.
    #[cold]
    pub(super) fn keep(self, error: crate::biniou::Error) -> Failed {
        let Input { rest, document, .. } = self.input;
        document.keep(error.or_offset(document.offset_of(rest)))
    }

    /// Opens a value that has this tag, or one of `others`.
    #[cold]
    pub(super) fn open(
        self,
        tag: Tag,
        others: &'static [Tag],
        expected: &'static str,
    ) -> Result<Open<'a, 't, 'de>> {
        let mut opened = Open { input: self.input, head: self.head, shared: 0 };
        let mut is_open = Ok(());
        while opened.head.is(Tag::Shared) && is_open.is_ok() {
            is_open = opened.go_inside();
        }
        let Open { input, head, shared } = opened;
        // A row is a RECORD.
        let is_row = head.is_row() && (tag == Tag::Record || others == [Tag::Record]);
        if head.is(tag) || others.iter().any(|other| head.is(*other)) || is_row {
            return Ok(opened);
        }
        let failed = is_open.err().unwrap_or_else(|| ByValue { input, head }.wrong_tag(expected));
        input.close(shared, &[]);
        Err(failed)
    }
}

impl Open<'_, '_, '_> {
    /// Goes from a SHARED to its value.
    fn go_inside(&mut self) -> Result<()> {
        let inside = self.input.level()?;
        let (tag, rest, open) = inside.document.open(inside.rest)?;
        self.input = Input { rest, ..inside };
        self.head = self.head.to_mark().with_tag(tag);
        self.shared = if self.shared == 0 { open } else { self.shared };
        Ok(())
    }
}

/// A kind of value without nested values.
pub(super) struct Kind {
    pub(super) tag: Tag,
    pub(super) target: Target,
    /// The number of bytes; 0 if a length precedes them.
    size: usize,
}

pub(super) const BOOL: &Kind = &Kind { tag: Tag::Bool, target: Target::Bool, size: 1 };
pub(super) const UNIT: &Kind = &Kind { tag: Tag::Unit, target: Target::Unit, size: 1 };
pub(super) const CHAR: &Kind = &Kind { tag: Tag::Int8, target: Target::Char, size: 1 };
pub(super) const SINGLE: &Kind = &Kind { tag: Tag::Float32, target: Target::Float, size: 4 };
pub(super) const DOUBLE: &Kind = &Kind { tag: Tag::Float64, target: Target::Float, size: 8 };
pub(super) const TEXT: &Kind = &Kind { tag: Tag::String, target: Target::Text, size: 0 };
pub(super) const BYTES: &Kind = &Kind { tag: Tag::String, target: Target::Bytes, size: 0 };
#[cfg(feature = "any")]
pub(super) const ANY_VALUE: &Kind = &Kind { tag: Tag::String, target: Target::Any, size: 0 };

/// The sign of an integer, or that reading it failed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Unsigned,
    Signed,
    Failed,
}

impl<'de> Document<'_, 'de> {
    /// The bytes of a value without nested ones.
    #[cold]
    pub(super) fn shared_or_marked_bytes(
        &self,
        rest: &'de [u8],
        head: Head,
        depth: Levels,
        kind: &'static Kind,
    ) -> Result<&'de [u8]> {
        let value = ByValue { input: Input { rest, document: self, depth }, head };
        value.check_mark(kind.target)?;
        let Open { input, shared, .. } = value.open(kind.tag, &[], kind.tag.name())?;
        let mut reader = self.reader(input.rest);
        let bytes = match kind.size {
            0 => wire::take_string(&mut reader).map(|(bytes, _)| bytes),
            size => reader.take(size),
        };
        let bytes = self.kept(bytes);
        self.after.set(input.close(shared, reader.rest()));
        bytes
    }

    #[cold]
    pub(super) fn shared_or_marked_text(
        &self,
        rest: &'de [u8],
        head: Head,
        depth: Levels,
    ) -> Result<&'de str> {
        let bytes = self.shared_or_marked_bytes(rest, head, depth, TEXT)?;
        text::checked(bytes).map_err(|error| {
            let start = self.offset_within(bytes);
            self.fail(self.from(start + error.valid_up_to()), CommonKind::InvalidUtf8)
        })
    }

    /// The bits of an integer of at most 64 bits.
    #[inline(never)]
    pub(super) fn shared_or_marked_integer(
        &self,
        rest: &'de [u8],
        head: Head,
        depth: Levels,
    ) -> (u64, Sign) {
        if let (number, size @ 1..) = number::plain(rest, head) {
            self.after.set(rest.get(size..).unwrap_or_default());
            return match head.is(Tag::Svint) {
                true => (number::bits(number::unzigzag(number)), Sign::Signed),
                false => (number, Sign::Unsigned),
            };
        }
        match self.wide_integer(rest, head, depth).map(|number| (number, number.narrow())) {
            Ok((_, Some((bits, true)))) => (bits, Sign::Signed),
            Ok((_, Some((bits, false)))) => (bits, Sign::Unsigned),
            Ok((number, None)) => {
                self.placeless(number.too_large());
                (0, Sign::Failed)
            }
            Err(Failed) => (0, Sign::Failed),
        }
    }

    #[cold]
    pub(super) fn wide_integer(
        &self,
        rest: &'de [u8],
        head: Head,
        depth: Levels,
    ) -> Result<Number> {
        const OTHERS: &[Tag] = &[Tag::Svint, Tag::Int8, Tag::Int16];
        let value = ByValue { input: Input { rest, document: self, depth }, head };
        value.check_mark(Target::Integer)?;
        let (tag, others, expected) = match head.mark() {
            Some(Mark::Int32) => (Tag::Int32, &[][..], Tag::Int32.name()),
            Some(Mark::Int64) => (Tag::Int64, &[][..], Tag::Int64.name()),
            _ => (Tag::Uvint, OTHERS, "uvint, svint, int8 or int16"),
        };
        let Open { input, head, shared } = value.open(tag, others, expected)?;
        let mut reader = self.reader(input.rest);
        let number = self.kept(number::take(&mut reader, head.tag()));
        self.after.set(input.close(shared, reader.rest()));
        number
    }
}
