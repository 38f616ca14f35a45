//! The state of the exact way: position, depth, shared values, names. Knows bytes, does not know what
//! types ask for.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use serde_core::de;

use super::Source;
use crate::biniou::budget::Budget;
use crate::biniou::definitions::Definitions;
use crate::biniou::error::{PAIRS, VALUE};
use crate::biniou::names::TypesRead;
use crate::biniou::skip::{Skipper, skip_value, spend_empty_rows};
use crate::biniou::value;
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Dictionary, Error, ErrorKind, Options, Result, Value};
use crate::error::{Fault, Segment};
use crate::limits::{DepthMeter, ItemBudget};
use crate::path::PATHS;
use crate::raw::KeptRoute;
use crate::read::Reader;

#[derive(Debug)]
pub(super) struct State<'de> {
    pub(super) reader: Reader<'de>,
    input: &'de [u8],
    pub(super) depth: DepthMeter,
    pub(super) items: ItemBudget,
    pub(super) max_depth: u16,
    /// The names of the types read so far.
    pub(super) names: TypesRead,
    /// The names that the user has told.
    dictionary: Option<Arc<Dictionary>>,
    /// Whether records are looked through for equal fields before they are read ..
    pub(super) looks_ahead: bool,
    /// .. and if not, whether there were any.
    pub(super) met_duplicate: bool,
    /// Whether a part failed. If its type goes on, the position of the reader means nothing until a
    /// value around the part has been skipped from its start.
    pub(super) failed: bool,
    pub(super) definitions: Definitions,
    /// The definitions that are being read.
    open: Vec<usize>,
    /// How many references lead to what is being read.
    expanding: usize,
    /// How many bytes references may still stand for, once there was one.
    expansion: Option<usize>,
    /// Where the outermost value begins, and its tag if that stands elsewhere.
    start: usize,
    tag: Option<Tag>,
    /// The budget of this value and those behind it.
    budget: Budget,
    /// The steps to the part that is being read ..
    pub(super) steps: Vec<Segment>,
    /// .. and those to the input, if it is a part that was kept raw, with its place in the whole.
    pub(super) outer: KeptRoute<'de>,
    pub(super) base: usize,
    /// Whether the input is no part of another value.
    pub(super) is_whole: bool,
}

/// A SHARED whose value is being read.
struct Shared<'de> {
    /// Where it begins, or that which it refers to.
    definition: usize,
    /// What follows a reference.
    behind: Option<Reader<'de>>,
    /// The depth around it.
    outer: DepthMeter,
}

impl<'de> State<'de> {
    pub(super) fn new(
        options: &Options,
        input: &'de [u8],
        looks_ahead: bool,
        budget: Budget,
    ) -> Self {
        State {
            reader: Reader::new(input, 0),
            input,
            depth: DepthMeter::new(options.max_depth),
            items: ItemBudget::new(input.len()),
            max_depth: options.max_depth,
            names: TypesRead::default(),
            dictionary: options.names.clone(),
            looks_ahead,
            met_duplicate: false,
            failed: false,
            definitions: Definitions::default(),
            open: Vec::new(),
            expanding: 0,
            expansion: None,
            start: 0,
            tag: None,
            budget,
            steps: Vec::new(),
            outer: KeptRoute::WHOLE,
            base: 0,
            is_whole: true,
        }
    }

    /// The state for a part that was kept raw, or for a document.
    pub(super) fn of(source: Source<'_, 'de>, looks_ahead: bool, budget: Budget) -> Self {
        let Source { options, bytes, depth, base, route, is_whole, .. } = source;
        let tag = source.tag();
        let depth = DepthMeter::within(depth, options.max_depth);
        let outer = route.into();
        State {
            depth,
            outer,
            base,
            tag,
            is_whole,
            ..State::new(options, bytes, looks_ahead, budget)
        }
    }

    /// Reads what this step leads to.
    #[inline]
    pub(super) fn in_step<T>(&mut self, step: Segment, read: impl FnOnce(&mut Self) -> T) -> T {
        if !PATHS {
            return read(self);
        }
        self.steps.push(step);
        let value = read(self);
        self.steps.pop();
        value
    }

    /// The bytes of the input in this range.
    pub(super) fn input(&self, range: Range<usize>) -> &'de [u8] {
        self.input.get(range).unwrap_or_default()
    }

    /// Steps over a value.
    pub(super) fn skip(&mut self, tag: Tag) -> Result<()> {
        let State { depth, definitions, reader, .. } = self;
        let rows = &mut self.budget.empty_rows;
        let empty_rows = row_budget(self.expanding, &mut self.expansion, rows);
        Skipper { depth: *depth, notes: definitions, empty_rows }.value(reader, tag)
    }

    /// Steps over a value that is read as well, so that its rows without columns count only once.
    pub(super) fn skip_beside(&mut self, tag: Option<Tag>) -> Result<()> {
        let tag = match tag {
            Some(tag) => tag,
            None => wire::take_tag(&mut self.reader)?,
        };
        let mut empty_rows = usize::MAX;
        let State { depth, definitions, reader, .. } = self;
        Skipper { depth: *depth, notes: definitions, empty_rows: &mut empty_rows }
            .value(reader, tag)
    }

    /// Steps over a tag and its value.
    pub(super) fn skip_tagged(&mut self) -> Result<()> {
        let tag = wire::take_tag(&mut self.reader)?;
        self.skip(tag)
    }

    /// Reads a node of the format's own tree.
    pub(super) fn own_tree(&mut self, tag: Tag) -> Result<Value> {
        let (start, reader) = (self.reader, &mut self.reader);
        let rows = &mut self.budget.empty_rows;
        let empty_rows = row_budget(self.expanding, &mut self.expansion, rows);
        // A copy, since levels are not left after an error.
        let mut depth = self.depth;
        let (tree, has_shared) = value::read_untagged(tag, reader, &mut depth, empty_rows)?;
        if has_shared {
            // References from outside may lead into the tree.
            self.reader = start;
            self.skip_beside(Some(tag))?;
        }
        Ok(tree)
    }

    /// Counts rows that take no bytes. Of rows that are read again, each counts as a byte.
    pub(super) fn spend_empty_rows(&mut self, rows: usize, offset: usize) -> Result<()> {
        match self.expanding {
            0 => spend_empty_rows(&mut self.budget.empty_rows, rows, offset),
            _ => self.expand(rows, offset),
        }
    }

    /// The name that the user has told for a hash.
    pub(super) fn told_name(&self, hash: u32) -> Option<&str> {
        self.dictionary.as_deref()?.name(hash)
    }

    /// Enters a level. Returns the depth around it.
    pub(super) fn enter(&mut self) -> Result<DepthMeter> {
        self.go_inside(DepthMeter::enter)
    }

    /// The same for a wrapper.
    pub(super) fn wrap(&mut self) -> Result<DepthMeter> {
        self.go_inside(DepthMeter::wrap)
    }

    #[inline(never)]
    fn go_inside(&mut self, step: fn(&mut DepthMeter) -> Result<()>) -> Result<DepthMeter> {
        let (outer, offset) = (self.depth, self.reader.offset());
        match step(&mut self.depth) {
            Ok(()) => Ok(outer),
            Err(error) => {
                self.failed = true;
                Err(Error::or_offset(error, offset))
            }
        }
    }

    /// Reads the value of a SHARED, here or where the reference leads.
    #[cold]
    pub(super) fn shared<T>(
        &mut self,
        read: impl FnOnce(&mut Self, Tag, usize) -> Result<T>,
    ) -> Result<T> {
        let (shared, tag, at) = self.enter_shared()?;
        // The caller goes on behind a reference, so what is left of the value is skipped here.
        let value =
            read(self, tag, at).and_then(|value| self.skip_if_unread(at, None).map(|()| value));
        let value = self.note_failure(value);
        self.leave_shared(shared);
        value
    }

    /// Goes to the value of a SHARED. Also returns the value's tag, and where that lies.
    #[cold]
    #[inline(never)]
    fn enter_shared(&mut self) -> Result<(Shared<'de>, Tag, usize)> {
        let position = self.reader.offset();
        let (definition, behind) = match wire::take_shared(&mut self.reader)? {
            None => {
                self.definitions.begin(position);
                (position, None)
            }
            Some(distance) => {
                let behind = self.reader;
                (self.follow(position, distance)?, Some(behind))
            }
        };
        self.open.push(definition);
        let shared = Shared { definition, behind, outer: self.depth };
        let tag = self.enter().and_then(|_| {
            let at = self.reader.offset();
            wire::take_tag(&mut self.reader).map(|tag| (tag, at))
        });
        match self.note_failure(tag) {
            Ok((tag, at)) => Ok((shared, tag, at)),
            Err(error) => {
                self.leave_shared(shared);
                Err(error)
            }
        }
    }

    /// Goes to the definition that a reference at `position` leads to. Returns where that is.
    fn follow(&mut self, position: usize, distance: u128) -> Result<usize> {
        let target = wire::target(position, distance);
        let found = target.and_then(|target| Some((target, self.definitions.find(target)?)));
        let Some((target, cost)) = found else {
            return Err(Error::at(ErrorKind::Reference { distance }, position));
        };
        if self.open.contains(&target) {
            return Err(Error::at(ErrorKind::Cycle, position).or_hint(Some(VALUE)));
        }
        self.expand(cost.unwrap_or(self.input.len()), position)?;
        self.reader = Reader::behind(self.input, target);
        wire::take_shared(&mut self.reader)?;
        self.expanding += 1;
        Ok(target)
    }

    /// Goes on behind a SHARED, whose value was read or has failed.
    #[cold]
    #[inline(never)]
    fn leave_shared(&mut self, shared: Shared<'de>) {
        let Shared { definition, behind, outer } = shared;
        self.depth = outer;
        self.open.pop();
        match behind {
            Some(behind) => {
                self.expanding -= 1;
                self.reader = behind;
            }
            None if self.failed => {}
            None => self.definitions.end(definition, self.reader.offset()),
        }
    }

    /// Counts bytes that are read again through a reference.
    #[cold]
    fn expand(&mut self, bytes: usize, offset: usize) -> Result<()> {
        let left = match self.expansion {
            Some(left) => left,
            None => self.budget.expansion_limit(self.value_length()),
        };
        let rest = left.checked_sub(bytes);
        self.expansion = Some(rest.unwrap_or(0));
        match rest {
            Some(_) => Ok(()),
            None => {
                let limit = self.budget.expansion_limit(self.value_length());
                Err(Error::at(ErrorKind::Expansion { limit }, offset).or_hint(Some(VALUE)))
            }
        }
    }

    /// How many bytes the outermost value takes, or, if its end cannot be found, the input.
    fn value_length(&self) -> usize {
        let bytes = self.input.get(self.start..).unwrap_or_default();
        let mut reader = Reader::new(bytes, 0);
        match skip_value(&mut reader, self.tag, DepthMeter::new(self.max_depth)) {
            Ok(()) => reader.offset(),
            Err(_) => bytes.len(),
        }
    }

    /// Refuses a list of pairs if the type asks the data what it is, since a map has the same bytes.
    /// `ahead` is at the first item, behind the tag.
    pub(super) fn refuse_pairs(&self, ahead: Reader<'_>) -> Result<()> {
        let at = ahead.offset();
        match wire::is_pair(self.input.get(at..).unwrap_or_default()) {
            false => Ok(()),
            true => {
                let reason = "a list of pairs could be a map";
                let hint = Some(PAIRS);
                Err(Error::at(Fault::Unsupported { reason, hint }, self.reader.offset()))
            }
        }
    }

    /// Refuses to go on if a part failed and its type swallowed the error: then the start of the next
    /// value is not known.
    #[inline]
    pub(super) fn check_swallowed(&self) -> Result<()> {
        match self.failed {
            false => Ok(()),
            true => Err(Error::at(Fault::Abandoned, self.start)),
        }
    }

    /// What is left for the values behind the outermost one that has been read.
    pub(super) fn next_budget(&self) -> Budget {
        let mut budget = self.budget;
        budget.next_value(self.reader.offset().saturating_sub(self.start), self.expansion);
        budget
    }

    /// Begins another outermost value.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.check_swallowed()?;
        self.budget = self.next_budget();
        self.start = self.reader.offset();
        self.expansion = None;
        self.expanding = 0;
        self.depth = DepthMeter::new(self.max_depth);
        self.definitions = Definitions::default();
        self.open.clear();
        Ok(())
    }

    /// Skips a value from its start if its type did not read it as a whole: if it went on after an
    /// error, or took no byte behind the tag.
    #[inline]
    pub(super) fn skip_if_unread(&mut self, start: usize, tag: Option<Tag>) -> Result<()> {
        let value = start + usize::from(tag.is_none());
        match self.failed || self.reader.offset() == value {
            false => Ok(()),
            true => self.skip_again(start, tag),
        }
    }

    /// Skips an item that failed, since its type goes on.
    #[inline]
    pub(super) fn skip_unread(
        &mut self,
        unread: &mut Option<usize>,
        tag: Option<Tag>,
    ) -> Result<()> {
        match unread.take() {
            None => Ok(()),
            Some(start) => self.skip_again(start, tag),
        }
    }

    /// How many of so many parts can be found: none behind one that could not be skipped. The error
    /// comes when the value around them is skipped.
    #[inline]
    pub(super) fn reachable(&self, count: usize) -> usize {
        match self.failed {
            false => count,
            true => 0,
        }
    }

    /// Skips an item from its start, however far its type has read it.
    #[cold]
    pub(super) fn skip_again(&mut self, start: usize, tag: Option<Tag>) -> Result<()> {
        self.return_to(start);
        let skipped = self.skip_beside(tag);
        self.note_failure(skipped)
    }

    /// Notes a failure, after which the position of the reader means nothing.
    #[inline]
    pub(super) fn note_failure<T>(&mut self, result: Result<T>) -> Result<T> {
        self.failed |= result.is_err();
        result
    }

    /// Goes back to what begins at `start`, and forgets that a part of it failed.
    pub(super) fn return_to(&mut self, start: usize) {
        self.failed = false;
        self.reader = Reader::behind(self.input, start);
    }
}

/// The budget for rows that take no bytes. Of rows that are read again, each counts as a byte.
fn row_budget<'a>(
    expanding: usize,
    expansion: &'a mut Option<usize>,
    empty_rows: &'a mut usize,
) -> &'a mut usize {
    match (expanding, expansion) {
        (1.., Some(expansion)) => expansion,
        _ => empty_rows,
    }
}

/// The error for a value that is asked for without a key, or behind a failure.
#[cold]
pub(super) fn without_key<T>() -> Result<T> {
    Err(de::Error::custom("a value was asked for without a key"))
}
