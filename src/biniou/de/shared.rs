//! Shared values: where they are defined, which are being read, and what reading them again may cost. A message without
//! any has empty tables.

use alloc::vec::Vec;

use super::document::{Document, Result};
use super::head::Levels;
use crate::biniou::budget::{Budget, cost};
use crate::biniou::definitions::Definitions;
use crate::biniou::error::VALUE;
use crate::biniou::skip::{Skipper, skip_part, spend_empty_rows};
use crate::biniou::wire::{self, Tag};
use crate::biniou::{self, Error, ErrorKind, value};
use crate::limits::DepthMeter;
use crate::read::Reader;

pub(super) struct Shared {
    definitions: Definitions,
    /// The shared values that are being read, the innermost last.
    open: Vec<Open>,
    /// How many bytes references may still expand to, once there was one.
    expansion: Option<usize>,
    budget: Budget,
    /// Where the outermost value begins, and its tag if that is stored elsewhere.
    start: usize,
    tag: Option<Tag>,
    /// Rows that were counted before.
    uncounted: usize,
}

/// A shared value that is being read.
struct Open {
    definition: usize,
    /// Where a reference ends that leads to it.
    end: Option<usize>,
}

impl Shared {
    pub(super) fn new(budget: Budget) -> Self {
        Shared {
            definitions: Definitions::default(),
            open: Vec::new(),
            expansion: None,
            budget,
            start: 0,
            tag: None,
            uncounted: usize::MAX,
        }
    }

    /// Whether a reference leads to what is being read.
    fn is_expanding(&self) -> bool {
        self.open.iter().any(|open| open.end.is_some())
    }

    /// What is noted of skipped values, and how many rows without columns they may have.
    pub(super) fn notes(&mut self, counts: bool) -> (&mut Definitions, &mut usize) {
        self.uncounted = usize::MAX;
        let is_expanding = self.is_expanding();
        let rows = match (counts, &mut self.expansion) {
            (false, _) => &mut self.uncounted,
            // Of rows that are read again, each counts as a byte.
            (true, Some(expansion)) if is_expanding => expansion,
            (true, _) => &mut self.budget.empty_rows,
        };
        (&mut self.definitions, rows)
    }

    /// Goes to the value of a SHARED, which `reader` is at. Returns its tag.
    fn enter<'de>(
        &mut self,
        document: &Document<'_, 'de>,
        reader: &mut Reader<'de>,
    ) -> biniou::Result<Tag> {
        let position = reader.offset();
        let open = match wire::take_shared(reader)? {
            None => {
                self.definitions.begin(position);
                Open { definition: position, end: None }
            }
            Some(distance) => {
                let end = Some(reader.offset());
                Open { definition: self.follow(document, position, distance, reader)?, end }
            }
        };
        let tag = wire::take_tag(reader)?;
        self.open.push(open);
        Ok(tag)
    }

    /// Moves to the target of the reference at `position`, and returns its offset.
    fn follow<'de>(
        &mut self,
        document: &Document<'_, 'de>,
        position: usize,
        distance: u128,
        reader: &mut Reader<'de>,
    ) -> biniou::Result<usize> {
        let target = wire::target(position, distance);
        let found = target.and_then(|target| Some((target, self.definitions.find(target)?)));
        let Some((target, known_cost)) = found else {
            return Err(Error::at(ErrorKind::Reference { distance }, position));
        };
        if self.open.iter().any(|open| open.definition == target) {
            return Err(Error::at(ErrorKind::Cycle, position).or_hint(Some(VALUE)));
        }
        *reader = Reader::after(document.bytes, target);
        let cost = known_cost.unwrap_or_else(|| self.measure(document, *reader));
        wire::take_shared(reader)?;
        self.expand(document, cost, position)?;
        Ok(target)
    }

    /// What it costs to read the definition again that `reader` is at. Others that refer to it need not measure it.
    fn measure(&mut self, document: &Document<'_, '_>, mut reader: Reader<'_>) -> usize {
        let (mut notes, mut empty_rows) = (Definitions::default(), usize::MAX);
        let (depth, start) = (DepthMeter::new(document.options.max_depth), reader.offset());
        let mut skipper = Skipper { depth, notes: &mut notes, empty_rows: &mut empty_rows };
        let cost = match skipper.value(&mut reader, Tag::Shared) {
            Ok(()) => cost(reader.offset() - start, notes.text()),
            Err(_) => document.bytes.len(),
        };
        self.definitions.note_cost(start, cost);
        cost
    }

    /// Counts bytes that are read again through a reference.
    fn expand(
        &mut self,
        document: &Document<'_, '_>,
        bytes: usize,
        offset: usize,
    ) -> biniou::Result<()> {
        let limit = |shared: &Self| shared.budget.expansion_limit(shared.length(document));
        let left = self.expansion.unwrap_or_else(|| limit(self));
        let rest = left.checked_sub(bytes);
        self.expansion = Some(rest.unwrap_or(0));
        match rest {
            Some(_) => Ok(()),
            None => {
                let kind = ErrorKind::Expansion { limit: limit(self) };
                Err(Error::at(kind, offset).or_hint(Some(VALUE)))
            }
        }
    }

    /// How many bytes the outermost value takes, or, if its end cannot be found, the input.
    fn length(&self, document: &Document<'_, '_>) -> usize {
        let bytes = document.from(self.start);
        let mut reader = Reader::new(bytes, 0);
        match skip_part(&mut reader, self.tag, DepthMeter::new(document.options.max_depth)) {
            Ok(()) => reader.offset(),
            Err(_) => bytes.len(),
        }
    }
}

impl<'de> Document<'_, 'de> {
    /// Notes where the outermost value begins, and its tag if that is stored elsewhere.
    #[cold]
    pub(super) fn begin(&self, start: usize, tag: Option<Tag>) {
        let mut shared = self.shared.borrow_mut();
        (shared.start, shared.tag) = (start, tag);
    }

    /// Goes to the value of a SHARED: its tag, what follows that, and how many are open then.
    #[cold]
    pub(super) fn open(&self, rest: &'de [u8]) -> Result<(u8, &'de [u8], usize)> {
        let mut shared = self.shared.borrow_mut();
        let mut reader = self.reader(rest);
        let tag = self.kept(shared.enter(self, &mut reader))?;
        Ok((tag.byte(), reader.rest(), shared.open.len()))
    }

    /// Leaves the SHARED that was opened as that many, whose value ends before `rest`, or has failed. Returns what
    /// follows the reference, or the value itself.
    #[cold]
    pub(super) fn close(&self, open: usize, rest: &'de [u8]) -> &'de [u8] {
        let mut shared = self.shared.borrow_mut();
        let end = shared.open.get(open - 1).and_then(|open| open.end);
        shared.open.truncate(open - 1);
        end.map_or(rest, |offset| self.from(offset))
    }

    /// What is left for the values after the outermost one, which took so many bytes.
    #[inline]
    pub(super) fn next_budget(&self, taken: usize) -> Budget {
        let shared = self.shared.borrow();
        let mut budget = shared.budget;
        budget.next_value(taken, shared.expansion);
        budget
    }

    /// Counts rows that take no bytes.
    pub(super) fn spend_empty_rows(&self, rows: usize, rest: &[u8]) -> Result<()> {
        let mut shared = self.shared.borrow_mut();
        let offset = self.offset_of(rest);
        self.kept(match shared.is_expanding() {
            false => spend_empty_rows(&mut shared.budget.empty_rows, rows, offset),
            true => shared.expand(self, rows, offset),
        })
    }

    /// Skips a lazy value. Returns what follows it, and where a reference in it is, if one leads out of it, or any.
    pub(super) fn skip_lazy(
        &self,
        rest: &'de [u8],
        tag: u8,
        depth: Levels,
        any: bool,
    ) -> Result<(&'de [u8], Option<usize>)> {
        self.shared.borrow_mut().definitions.forget_references();
        let end = self.skip(rest, Some(tag), depth)?;
        let definitions = &self.shared.borrow().definitions;
        let reference = match any {
            true => definitions.reference(),
            false => definitions.reference_before(self.offset_of(rest)),
        };
        Ok((end, reference))
    }

    /// Checks a value as the format's own tree. Returns what follows it.
    #[cold]
    pub(super) fn check_tree(&self, rest: &'de [u8], tag: Tag, depth: Levels) -> Result<&'de [u8]> {
        let mut reader = self.reader(rest);
        let mut meter = DepthMeter::within(depth.depth(), self.options.max_depth);
        let mut shared = self.shared.borrow_mut();
        let (_, empty_rows) = shared.notes(true);
        let places = value::check_tree(tag, &mut reader, &mut meter, empty_rows);
        drop(shared);
        if !self.kept(places)?.definitions.is_empty() {
            // References from outside may lead into the tree.
            self.skip_uncounted(rest, Some(tag.byte()), depth)?;
        }
        Ok(reader.rest())
    }
}
