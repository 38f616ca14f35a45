//! The layouts of values in slots, with the usual headers. [`errors`](super::errors) reads the others.
//!
//! `inline(always)` as in [`value`](super::value), which calls these functions.

use super::document::{Context, Result};
use super::value::{Rule, Value};
use crate::molecule::mark::{self, Mark, Target};
use crate::molecule::wire::{self, NUMBER_SIZE, Parts, Table, header_size};

impl<'de, C: Context<'de>> Value<'de, C> {
    /// The bytes of a number, bool or char.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn scalar<const N: usize>(self, target: &'static Target) -> Result<[u8; N]> {
        let is_plain = matches!(self.mark, None | Some(Mark::Struct)) && self.rule == Rule::None;
        let bytes = match is_plain && self.bytes.len() == N {
            true => self.bytes,
            false => parse_scalar(self.context, self.bytes, N, self.mark, self.rule, target)?,
        };
        Ok(bytes.first_chunk().copied().unwrap_or([0; N]))
    }

    /// The content of a `fixvec <byte>`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn content(self, target: &'static Target) -> Result<&'de [u8]> {
        let Value { bytes, mark, rule, .. } = self;
        match wire::byte_items(bytes) {
            Some(content) if matches!(mark, None | Some(Mark::FixVec)) => Ok(content),
            _ => self.context.explain()?.parse_content(bytes, mark, target, rule),
        }
    }

    /// The fields of a table: as many as the type has, if that is known.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fields(self, count: FieldCount) -> Result<Parts<'de>> {
        if let Some(header) = wire::lazy_header(self.bytes) {
            if count.fits(header.len()) {
                return Ok(Parts::new(self.bytes, header));
            }
        }
        let bytes = self.context.explain()?.parse_table(self.bytes, count, self.rule)?;
        // If the table has more fields than the type, `bytes` ends before theirs, but its header still has all offsets:
        // `start` is the length of the whole header.
        let start = wire::number_at(bytes, NUMBER_SIZE).unwrap_or(NUMBER_SIZE);
        let header = bytes.get(..start.min(header_size(count.most()))).unwrap_or(bytes);
        Ok(Parts::beginning(bytes, header, start))
    }

    /// The items of a dynvec.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn items(self) -> Result<Parts<'de>> {
        if let Some(header) = wire::lazy_header(self.bytes) {
            return Ok(Parts::new(self.bytes, header));
        }
        let bytes = self.context.explain()?.parse_dynvec(self.bytes, self.rule)?;
        Ok(Parts::new(bytes, wire::lazy_header(bytes).unwrap_or(bytes)))
    }

    /// The item count of a fixvec, and its items.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixvec_items(self) -> Result<(usize, &'de [u8])> {
        let Value { bytes, mark, rule, .. } = self;
        match wire::even_fixvec(bytes) {
            Some(items) => Ok(items),
            None => self.context.explain()?.parse_fixvec(bytes, mark, rule),
        }
    }

    /// The number at the start, and what follows it.
    #[inline]
    pub(super) fn number(self) -> Result<(u32, &'de [u8])> {
        match wire::split_number(self.bytes) {
            Some(split) => Ok(split),
            None => Err(self.context.explain()?.ends_early(self.bytes, NUMBER_SIZE)),
        }
    }

    /// Whether an unmarked tuple or array is a table: it has the header of one with as many fields. Under `strict`, it has
    /// a mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_tuple_table(self, len: usize) -> bool {
        let Value { context, bytes, rule, .. } = self;
        let allows_trailing = rule == Rule::AllowTrailing;
        Table::may_begin(bytes, allows_trailing)
            && !context.is_strict()
            && match context.document() {
                Some(document) => document.has_header(bytes, len, allows_trailing),
                // The length alone: a packed tuple that begins like a header is refused.
                None => {
                    wire::lazy_header(bytes).is_some_and(|header| header.len() == header_size(len))
                }
            }
    }
}

/// The bytes of a scalar with a wrong size, a mark or a rule. Its arguments fit in registers.
#[cold]
#[inline(never)]
fn parse_scalar<'de, C: Context<'de>>(
    context: C,
    bytes: &'de [u8],
    size: usize,
    mark: Option<Mark>,
    rule: Rule,
    target: &'static Target,
) -> Result<&'de [u8]> {
    if let Some(mark) = mark.filter(|mark| !mark.fits(*target)) {
        return Err(context.explain()?.misplaced(bytes, mark, target));
    }
    let number = match bytes.len() == size {
        true => bytes,
        false => context.explain()?.scalar(bytes, size, rule)?,
    };
    context.check_or_count_fixed(bytes, rule).map(|()| number)
}

/// The mark in the name of a container. Under `strict`, a name that looks like a mark and is none is refused.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn checked_name<T>(
    name: &'static str,
    found: mark::Result<T>,
    strict: bool,
) -> mark::Result<T> {
    match (found, mark::check_strictly(name)) {
        (Ok(_), Err(error)) if strict => Err(error),
        (found, _) => found,
    }
}

/// How many fields a type has.
#[derive(Clone, Copy)]
pub(super) enum FieldCount {
    Exactly(usize),
    /// A struct's list of names also has the aliases.
    AtMost(usize),
}

impl FieldCount {
    #[inline]
    pub(super) fn most(self) -> usize {
        match self {
            FieldCount::Exactly(count) | FieldCount::AtMost(count) => count,
        }
    }

    /// Whether the header of a table can have that length. If not, `Document::parse_table` reads the table or returns the
    /// error: rules for tables are in both.
    #[inline]
    pub(super) fn fits(self, header: usize) -> bool {
        match self {
            FieldCount::Exactly(count) => header == header_size(count),
            FieldCount::AtMost(count) => header <= header_size(count),
        }
    }
}
