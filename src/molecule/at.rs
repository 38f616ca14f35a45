//! Reads one nested value by its path.
//!
//! Functions that run for every step are always inlined: short values are read in less time than calls take.

use core::num::NonZeroUsize;

use serde_core::de::Deserialize;

use super::de::{self, Form};
use super::wire::{self, ListParts, NUMBER_SIZE, Table};
use super::{Error, ErrorKind, Options, Path, Result, Segment};
use crate::path::{NOWHERE, Route, Step};

/// Reads the value at `path`.
#[inline]
pub(super) fn at<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    path: &Path,
) -> Result<T> {
    if path.is_empty() {
        return de::from_slice(options, bytes);
    }
    let value = match reach(options, bytes, path) {
        Some((part, form)) => part_of(options, bytes, part, form),
        None => rarely(options, bytes, path),
    };
    value.map_err(|error| explained(options, bytes, path, error))
}

/// Reads a nested value of the message.
#[inline(always)]
fn part_of<'de, T: Deserialize<'de>>(
    options: &Options,
    document: &'de [u8],
    part: &'de [u8],
    form: Form,
) -> Result<T> {
    let offset = part.as_ptr().addr().wrapping_sub(document.as_ptr().addr());
    de::part(options, part, offset, options.part_settings(), form)
}

/// The bytes at `path`. `None` if a [`Walk`] is needed: for errors, and if bytes may follow the message.
#[inline(never)]
fn reach<'de>(options: &Options, document: &'de [u8], path: &Path) -> Option<(&'de [u8], Form)> {
    if options.allow_trailing {
        return None;
    }
    let (mut part, mut form) = (document, Form::Slot);
    let Some(route) = path.route() else {
        for segment in path.segments() {
            let step = match segment {
                Segment::Slot(index) => Step::Field { index: *index, count: None },
                Segment::Index(index) => vector_item(part, *index)?,
                Segment::Field(_) => return None,
            };
            (part, form) = (found(part, &step, true)?, form_after(&step));
        }
        return Some((part, form));
    };
    let mut next = 0;
    while let Some(stop) = route.stops.get(next) {
        next = stop.next;
        part = match &stop.step {
            Step::Choose { first, count } => {
                let (id, payload) = wire::split_number(part)?;
                next = route.chosen(*first, *count, id).filter(|next| *next != NOWHERE)?;
                payload
            }
            step => found(part, step, options.compatible)?,
        };
        form = form_after(&stop.step);
    }
    Some((part, form))
}

/// The form of the value of a step's target.
#[inline(always)]
fn form_after(step: &Step) -> Form {
    match step {
        Step::Field { .. } | Step::Choose { .. } => Form::Slot,
        Step::Item { .. } => Form::Dynamic,
        Step::Packed { .. } | Step::Bytes { .. } => Form::Packed,
    }
}

/// Reads a value as [`at`] does if it needs a [`Walk`].
#[cold]
fn rarely<'de, T: Deserialize<'de>>(options: &Options, bytes: &'de [u8], path: &Path) -> Result<T> {
    let closed = options.clone().allow_trailing(false);
    match Walk::new(options, bytes).to(path) {
        Ok(walk) => part_of(&closed, bytes, walk.part, walk.form),
        // Formatted with all other errors.
        Err(error) => Err(error),
    }
}

/// An error with what is known of the way: that of the way itself, if it is one.
#[cold]
#[inline(never)]
fn explained(options: &Options, bytes: &[u8], path: &Path, error: Error) -> Error {
    match Walk::new(options, bytes).to(path) {
        Ok(walk) => inside(walk.explain(error), path, usize::MAX),
        Err(error) => error,
    }
}

/// The step to an item of a vector without a known layout.
#[inline(always)]
fn vector_item(bytes: &[u8], index: usize) -> Option<Step> {
    match wire::list_parts(bytes)? {
        ListParts::Dynvec { .. } => Some(Step::Item { index }),
        ListParts::Fixvec { size, .. } => (size > 0).then_some(Step::Packed { index, size }),
    }
}

/// The bytes of a step's target. `None` for a choice.
#[inline(always)]
fn found<'de>(part: &'de [u8], step: &Step, compatible: bool) -> Option<&'de [u8]> {
    match *step {
        Step::Field { index, count } => field(part, index, count, compatible),
        Step::Item { index } => field(part, index, None, true),
        Step::Packed { index, size } => wire::fixvec_item(part, index, size),
        Step::Bytes { start, size, whole } if part.len() == whole => part.get(start..)?.get(..size),
        Step::Bytes { .. } | Step::Choose { .. } => None,
    }
}

/// The way from a message to a part of it, step by step. Each step checks only what it needs to find the part.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a, 'de> {
    options: &'a Options,
    document: &'de [u8],
    part: &'de [u8],
    within: Within,
    form: Form,
}

/// What determines where a value ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// Nothing but the end of the input.
    Input,
    /// What is around it, which may have no bytes for it.
    Slot,
    /// What is around it, which has them.
    Packed,
}

/// The error of the value at the first `segments` of a path.
#[cold]
#[inline(never)]
pub(super) fn inside(error: Error, path: &Path, segments: usize) -> Error {
    let outer = path.segments().take(segments).rev();
    outer.fold(error, |error, segment| error.inside(segment.clone()))
}

impl<'a, 'de> Walk<'a, 'de> {
    /// At the whole message.
    #[must_use]
    #[inline]
    pub fn new(options: &'a Options, document: &'de [u8]) -> Self {
        Walk { options, document, part: document, within: Within::Input, form: Form::Slot }
    }

    /// The bytes of the part.
    #[must_use]
    pub fn part(self) -> &'de [u8] {
        self.part
    }

    /// Walks to the value at `path`.
    #[cold]
    fn to(self, path: &Path) -> Result<Self> {
        match path.route() {
            Some(route) => self.along(route, path),
            None => self.by_numbers(path),
        }
    }

    /// Walks by the steps of a resolved path.
    fn along(mut self, route: &Route, path: &Path) -> Result<Self> {
        let mut next = 0;
        while let Some(stop) = route.stops.get(next) {
            next = stop.next;
            let taken = match stop.step {
                Step::Choose { first, count } => self.choose(|id| {
                    next = route.chosen(first, count, id)?;
                    Some(next != NOWHERE)
                }),
                step => self.step(step),
            };
            if let Err(error) = taken {
                return Err(inside(error, path, stop.segments));
            }
        }
        Ok(self)
    }

    /// Goes by the numbers of fields and items, which bytes show by themselves.
    fn by_numbers(mut self, path: &Path) -> Result<Self> {
        for (taken, segment) in path.segments().enumerate() {
            let step = match segment {
                Segment::Slot(index) => Ok(Step::Field { index: *index, count: None }),
                Segment::Index(index) => self.item(*index),
                Segment::Field(name) => {
                    let name = name.clone().into_owned();
                    Err(Error::at(ErrorKind::UnresolvedName { name }, self.offset()))
                }
            };
            if let Err(error) = step.and_then(|step| self.step(step)) {
                return Err(inside(error, path, taken));
            }
        }
        Ok(self)
    }

    /// The step to an item of a vector without a known layout.
    fn item(self, index: usize) -> Result<Step> {
        let Walk { part, .. } = self;
        if self.is_open() {
            let found = "an unmarked sequence";
            return Err(Error::at(ErrorKind::Endless { found }, self.offset()));
        }
        if part.len() < NUMBER_SIZE {
            return Err(self.empty());
        }
        if let Some(step) = vector_item(part, index) {
            return Ok(step);
        }
        wire::check_list(part, self.offset()).map_err(|error| self.placed(error))?;
        // Nothing is wrong with it, so it has no items.
        Err(Error::at(ErrorKind::NoItem { index, found: 0 }, self.offset()))
    }

    /// Takes a step that is not [`Step::Choose`].
    ///
    /// # Errors
    ///
    /// Those of [`at`](crate::molecule::at()) for headers on the way, `NoItem` and `AbsentValue`.
    pub fn step(&mut self, step: Step) -> Result<()> {
        if self.is_open() {
            self.close(step);
        }
        let Some(found) = found(self.part, &step, self.options.compatible) else {
            return Err(self.error(step));
        };
        self.part = found;
        self.form = form_after(&step);
        self.within = match step {
            Step::Field { .. } | Step::Item { .. } => Within::Slot,
            Step::Packed { .. } | Step::Bytes { .. } | Step::Choose { .. } => Within::Packed,
        };
        Ok(())
    }

    /// Steps into the value of a union. `choose` returns whether the way continues after an id: `None` if the type does not
    /// have the id.
    ///
    /// # Errors
    ///
    /// `OtherItem` if it does not continue, `UnknownId`, and `AbsentValue` if there is no value.
    pub fn choose(&mut self, choose: impl FnOnce(u32) -> Option<bool>) -> Result<()> {
        let Some((id, payload)) = wire::split_number(self.part) else { return Err(self.empty()) };
        let kind = match choose(id) {
            Some(true) => {
                (self.part, self.form) = (payload, Form::Slot);
                return Ok(());
            }
            Some(false) => ErrorKind::OtherItem { id },
            None => ErrorKind::UnknownId { id },
        };
        Err(Error::at(kind, self.offset()))
    }

    /// Where the part begins in the message.
    #[must_use]
    pub fn offset(self) -> usize {
        self.part.as_ptr().addr().wrapping_sub(self.document.as_ptr().addr())
    }

    /// Whether bytes may follow the value.
    fn is_open(self) -> bool {
        self.options.allow_trailing && self.within == Within::Input
    }

    /// Leaves out what follows the value, if the step shows where that begins. If not, the step fails.
    #[cold]
    fn close(&mut self, step: Step) {
        let stated = wire::number_at(self.part, 0);
        let end = match step {
            Step::Field { .. } | Step::Item { .. } => stated.filter(|end| *end >= NUMBER_SIZE),
            Step::Packed { size, .. } => stated
                .and_then(|count| count.checked_mul(size))
                .and_then(|items| items.checked_add(NUMBER_SIZE)),
            Step::Bytes { whole, .. } => Some(whole),
            Step::Choose { .. } => None,
        };
        self.part = end.and_then(|end| self.part.get(..end)).unwrap_or(self.part);
    }

    /// The error as a reader of the whole message reports it.
    #[cold]
    fn placed(self, error: Error) -> Error {
        match self.within {
            Within::Input => error.or_offset(self.offset()),
            Within::Slot | Within::Packed => {
                error.or_offset(self.offset()).map_kind(ErrorKind::in_item)
            }
        }
    }

    /// The error of reading the value. A field of zero bytes is read if it may be absent.
    #[cold]
    #[inline(never)]
    fn explain(self, error: Error) -> Error {
        match self.is_absent() && !matches!(self.form, Form::Dynamic) {
            true => Error::at(ErrorKind::Absent, self.offset()),
            false => self.placed(error),
        }
    }

    /// The error of a value that ends before its first number.
    #[cold]
    fn empty(self) -> Error {
        match wire::parse_number(self.part, self.offset()) {
            Err(error) if !self.is_absent() => self.placed(error),
            _ => Error::at(ErrorKind::AbsentValue, self.offset()),
        }
    }

    /// Whether the value is an empty slot.
    fn is_absent(self) -> bool {
        self.part.is_empty() && self.within == Within::Slot
    }

    /// Why a step fails: the error of a reader of the whole header, or that the value is not there.
    #[cold]
    #[inline(never)]
    fn error(self, step: Step) -> Error {
        let Walk { part, .. } = self;
        if self.is_absent() {
            return Error::at(ErrorKind::AbsentValue, self.offset());
        }
        let refused = match step {
            Step::Field { index, count } => self.no_field(index, count),
            Step::Item { index } => self.no_field(index, None),
            Step::Packed { index, size } => self.no_item(index, size),
            Step::Bytes { whole, .. } => wire::exactly(part, whole, self.offset()).err(),
            Step::Choose { .. } => None,
        };
        // A step that fails has a reason.
        let refused = refused.unwrap_or_else(|| Error::at(ErrorKind::AbsentValue, self.offset()));
        self.placed(refused)
    }

    fn no_field(self, index: usize, count: Option<NonZeroUsize>) -> Option<Error> {
        let table = match Table::parse_open(self.part, self.offset(), self.is_open()) {
            Ok(table) => table,
            Err(error) => return Some(error),
        };
        let found = table.count();
        let kind = match count.map(NonZeroUsize::get) {
            Some(expected) if found < expected => ErrorKind::MissingFields { found },
            Some(expected) if found > expected && !self.options.compatible => {
                ErrorKind::ExtraFields { found, expected }
            }
            _ => ErrorKind::NoItem { index, found },
        };
        Some(Error::at(kind, table.count_offset()))
    }

    fn no_item(self, index: usize, size: usize) -> Option<Error> {
        let (part, offset) = (self.part, self.offset());
        let (found, items) = match wire::parse_open_fixvec(part, offset, self.is_open()) {
            Ok(parsed) => parsed,
            Err(error) => return Some(error),
        };
        let whole = wire::exactly(items, size.saturating_mul(found), offset + NUMBER_SIZE);
        let kind = ErrorKind::NoItem { index, found };
        Some(whole.err().unwrap_or_else(|| Error::at(kind, offset)))
    }
}

/// Field `index` of a table that takes all of `bytes` and has `count` fields, if that is known, or more, if
/// `compatible` allows them.
#[inline(always)]
fn field(
    bytes: &[u8],
    index: usize,
    count: Option<NonZeroUsize>,
    compatible: bool,
) -> Option<&[u8]> {
    let (found, part) = wire::lazy_part(bytes, index)?;
    match count {
        Some(count) if found != count.get() && !(compatible && found > count.get()) => None,
        _ => Some(part),
    }
}
