//! What an exact reading knows and records, and what it says of a fault. Does not know how values are
//! read.

use alloc::vec::Vec;
use core::cell::Cell;

use super::absent::{Absences, Field};
use super::hint;
use super::reading::{Keep, Notes, Reading};
use super::{NO_TYPES, Record, Tuples};
use crate::error::{Fault, Segment};
use crate::glue::de::Shape;
use crate::glue::names::Names;
use crate::limits::{self, Depth};
use crate::molecule::mark::{Mark, UnionIds};
use crate::molecule::wire::{self, Parts, Table};
use crate::molecule::{Error, ErrorKind, Options, Result};
use crate::path::PATHS;
use crate::text;

/// What the exact reading of a document knows and records.
pub(super) struct Session<'a, 'de> {
    pub(super) notes: Notes<'a, 'de>,
    pub(super) options: &'a Options,
    pub(super) tuples: Tuples,
    pub(super) record: &'a Cell<Record>,
    pub(super) absences: &'a Cell<Absences>,
    /// The steps to the part that is being read.
    pub(super) steps: &'a Cell<Vec<Segment>>,
    /// How deep the first packed tuple may nest that was met since this was last cleared.
    pub(super) tuple: Cell<Option<Depth>>,
}

/// The exact reading: says what is wrong.
#[derive(Clone, Copy)]
pub(super) struct Exact<'a, 'de> {
    pub(super) session: &'a Session<'a, 'de>,
    /// Whether bytes may follow the value: only after the outermost one, if that is allowed.
    pub(super) trailing: bool,
}

impl<'de> Exact<'_, 'de> {
    /// Where `bytes` begin in the input.
    pub(super) fn offset(self, bytes: &[u8]) -> usize {
        self.session.notes.offset(bytes)
    }

    /// An error at the start of `bytes`.
    #[cold]
    #[inline(never)]
    pub(super) fn error(self, bytes: &[u8], kind: impl Into<ErrorKind>) -> Error {
        Error::at(kind, self.offset(bytes))
    }

    #[cold]
    pub(super) fn fault<T>(self, bytes: &[u8], kind: impl Into<ErrorKind>) -> Result<T> {
        Err(self.error(bytes, kind))
    }

    /// The error with the start of `bytes` as its place, unless it has one.
    #[cold]
    #[inline(never)]
    pub(super) fn or_offset(self, bytes: &[u8], error: Error) -> Error {
        error.or_offset(self.offset(bytes))
    }

    /// The error for a value at the start of `bytes` that nests too deep.
    #[cold]
    pub(super) fn too_deep<T>(self, bytes: &[u8]) -> Result<T> {
        Err(self.or_offset(bytes, limits::too_deep(self.session.options.max_depth)))
    }

    /// The error for bytes that end before the `needed` ones of a value.
    #[cold]
    pub(super) fn ends_early<T>(self, bytes: &[u8], needed: usize) -> Result<T> {
        self.fault(bytes, Fault::UnexpectedEnd { needed, left: bytes.len() })
    }

    /// Refuses unread bytes.
    pub(super) fn finish(self, rest: &[u8]) -> Result<()> {
        match rest.len() {
            count if count > 0 && !self.trailing => {
                self.fault(rest, Fault::TrailingBytes { count })
            }
            _ => Ok(()),
        }
    }

    /// Whether the mark in the name of a struct, whose bytes begin at `bytes`, packs it.
    #[inline(never)]
    pub(super) fn packs(self, bytes: &'de [u8], name: &'static str) -> Result<bool> {
        self.check_name(bytes, name)?;
        self.named(bytes, Mark::is_packed(name))
    }

    pub(super) fn record(self) -> Record {
        self.session.record.get()
    }

    pub(super) fn note(self, change: impl FnOnce(&mut Record)) {
        let mut record = self.record();
        change(&mut record);
        self.session.record.set(record);
    }

    pub(super) fn absences<T>(self, with: impl FnOnce(&mut Absences) -> T) -> T {
        let mut absences = self.session.absences.take();
        let value = with(&mut absences);
        self.session.absences.set(absences);
        value
    }

    /// Reads without keeping what the reading records, since only its success matters.
    pub(super) fn without_notes<T>(self, read: impl FnOnce() -> T) -> T {
        let noted = self.record();
        let value = read();
        self.note(|record| {
            (record.abandoned, record.asked_types) = (noted.abandoned, noted.asked_types);
        });
        value
    }

    /// Refuses to say which type the value at the start of `bytes` has. A type may ignore the error;
    /// the document fails.
    #[cold]
    pub(super) fn refuse_unknown_type<T>(self, bytes: &[u8]) -> Result<T> {
        self.note(|record| {
            record.asked_types.get_or_insert(self.offset(bytes));
        });
        self.fault(bytes, NO_TYPES)
    }

    /// Reads what this step leads to.
    pub(super) fn in_step<T>(self, step: Segment, read: impl FnOnce() -> T) -> T {
        // Without paths, only their number counts.
        let step = if PATHS { step } else { Segment::Index(0) };
        self.steps(|steps| steps.push(step));
        let value = read();
        self.steps(Vec::pop);
        value
    }

    pub(super) fn steps<T>(self, with: impl FnOnce(&mut Vec<Segment>) -> T) -> T {
        let mut steps = self.session.steps.take();
        let value = with(&mut steps);
        self.session.steps.set(steps);
        value
    }

    /// Records an error after which no part can be read, since a type may ignore it.
    #[cold]
    pub(super) fn abandon(self, bytes: &[u8], error: Error) -> Error {
        let offset = error.offset().unwrap_or(self.offset(bytes));
        self.note(|record| {
            record.abandoned.get_or_insert(offset);
        });
        error
    }

    /// Records a part that was left before its end although its visitor succeeded.
    pub(super) fn note_abandoned(self, abandoned: Option<&[u8]>) {
        if let Some(abandoned) = abandoned {
            self.note(|record| {
                record.abandoned.get_or_insert(self.offset(abandoned));
            });
        }
    }
}

impl<'de> Reading<'de> for Exact<'_, 'de> {
    type Error = Error;

    fn exactly<T>(self, _: &'de [u8], read: impl FnOnce(Exact<'_, 'de>) -> Result<T>) -> Result<T> {
        read(self)
    }

    fn explain(
        self,
        _: &'de [u8],
        error: Error,
        add: impl FnOnce(Exact<'_, 'de>, Error) -> Error,
    ) -> Error {
        add(self, error)
    }

    fn notes(&self) -> &Notes<'_, 'de> {
        &self.session.notes
    }

    fn within<T>(
        self,
        _: &'de [u8],
        _: Shape,
        step: impl FnOnce() -> (Names, usize),
        read: impl FnOnce() -> T,
    ) -> T {
        let (names, index) = step();
        self.in_step(names.segment(index), read)
    }

    fn text(self, content: &'de [u8]) -> Result<&'de str> {
        text::utf8(content, self.offset(content))
    }

    fn part(self) -> Self {
        Exact { trailing: false, ..self }
    }

    fn check_shows_end(self, bytes: &'de [u8], found: &'static str) -> Result<()> {
        match self.trailing {
            true => self.fault(bytes, ErrorKind::Endless { found }),
            false => Ok(()),
        }
    }

    fn presumes(self, field: &Field) -> bool {
        self.absences(|absences| absences.presumes(*field))
    }

    fn note_first(self, first: impl FnOnce() -> Option<&'de [u8]>) {
        self.note(|record| record.tag_at = first().map(|first| self.offset(first)));
    }

    fn note_name(self, name: &'static str, ids: Option<UnionIds>) {
        self.note(|record| (record.tag_of, record.tag_ids) = (name, ids));
    }

    fn note_skipped(self) {
        self.note(|record| record.skipped = true);
    }

    fn has_read_tag(self, slot: &'de [u8]) -> bool {
        let end = self.offset(slot) + slot.len();
        self.record().content.is_some_and(|(content, _)| content == end)
    }
}

/// Keeps it.
pub(super) struct Keeping<T>(T);

impl<T> Keep<T> for Keeping<T> {
    fn new(make: impl FnOnce() -> T) -> Self {
        Keeping(make())
    }

    fn get(&mut self) -> Option<&mut T> {
        Some(&mut self.0)
    }
}

/// What the exact reading has to say of headers, and where an error lies.
impl<'de> Exact<'_, 'de> {
    /// The parts of a table of a type without fields.
    pub(super) fn table_without_fields(self, bytes: &'de [u8]) -> Result<Parts<'de>> {
        let offset = self.offset(bytes);
        match self.session.options.compatible {
            true => Table::parse_full_size(bytes, offset, self.trailing),
            false => Table::parse(bytes, offset, self.trailing),
        }
        .map(Parts::from)
    }

    /// What to do with a table of another count of fields than the type has.
    #[cold]
    pub(super) fn cut_or_refuse(self, parts: Parts<'de>, expected: usize) -> Result<Parts<'de>> {
        let found = parts.count();
        match found > expected {
            true if self.session.options.compatible => Ok(parts.first_ones(expected)),
            true => self.fault(parts.at_count(), ErrorKind::ExtraFields { found, expected }),
            false => self.fault(parts.at_count(), ErrorKind::MissingFields { found }),
        }
    }

    /// Checks the whole header of a fixvec.
    pub(super) fn fixvec_header(
        self,
        bytes: &'de [u8],
        mark: Option<Mark>,
    ) -> Result<(usize, &'de [u8])> {
        let offset = self.offset(bytes);
        match mark {
            None => wire::parse_unmarked_fixvec(bytes, offset),
            Some(_) => wire::parse_fixvec(bytes, offset, self.trailing)
                .map_err(|error| error.or_hint(hint::of_vector(bytes, Mark::FixVec))),
        }
    }

    /// Refuses items that a visitor has left unread.
    pub(super) fn check_taken(self, bytes: &[u8], found: usize, expected: usize) -> Result<()> {
        match found == expected {
            true => Ok(()),
            false => self.fault(bytes, ErrorKind::ExtraItems { found, expected }),
        }
    }

    #[cold]
    pub(super) fn in_entry(
        self,
        part: &[u8],
        error: Error,
        index: usize,
        field: &'static str,
    ) -> Error {
        self.in_part(part, error).in_entry(index, field)
    }

    /// Adds where an error happened. Errors of parts have an offset and belong to the part before
    /// `next`; errors of visitors have none.
    #[cold]
    pub(super) fn in_parts(self, start: &[u8], error: Error, names: Names, next: usize) -> Error {
        match error.offset() {
            Some(_) => error.inside(names.segment(next.saturating_sub(1))),
            None => self.or_offset(start, error),
        }
    }

    /// Completes an error in a part whose end the header states.
    #[cold]
    pub(super) fn in_part(self, part: &[u8], error: Error) -> Error {
        self.or_offset(part, error).map_kind(ErrorKind::in_item)
    }

    /// Records that a field which counted as missing has no default.
    pub(super) fn learn(self, presumed: Option<Field>) {
        if let Some(field) = presumed {
            self.absences(|absences| absences.learn(field));
        }
    }
}
