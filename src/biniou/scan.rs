//! Finds the end of a value while its bytes still come, without looking at a byte twice.

use alloc::vec;
use alloc::vec::Vec;

use super::wire::{self, Tag};
use super::{Error, Result};
use crate::error::CommonKind;
use crate::read::Reader;

/// A value whose end is being looked for.
#[derive(Debug)]
pub(super) struct Scan {
    /// How many of its bytes have been looked at.
    at: usize,
    /// The values around them, innermost last.
    open: Vec<Open>,
}

/// What is not complete yet.
#[derive(Debug)]
enum Open {
    /// So many values with tags.
    Tagged(usize),
    /// So many fields of a record.
    Fields(usize),
    /// So many values of one tag.
    Items(Tag, usize),
    /// So many rows, with the tags of the columns that are known and the number of those to come.
    Columns { rows: usize, tags: Vec<Tag>, left: usize },
    /// So many cells, whose tags come again and again.
    Cells { tags: Vec<Tag>, left: usize },
}

impl Scan {
    /// The start of a value.
    pub(super) fn new() -> Self {
        Scan { at: 0, open: vec![Open::Tagged(1)] }
    }

    /// How long the value is whose bytes so far are `bytes`; `None` if more have to come.
    pub(super) fn advance(&mut self, bytes: &[u8], max_depth: u16) -> Result<Option<usize>> {
        let most = usize::from(max_depth) + 1;
        loop {
            while self.open.last().is_some_and(Open::is_complete) {
                self.open.pop();
            }
            let Some(open) = self.open.last_mut() else { return Ok(Some(self.at)) };
            let mut reader = Reader::after(bytes, self.at);
            let inner = match open.step(&mut reader) {
                Ok(inner) => inner,
                Err(error) if error.is_eof() => return Ok(None),
                Err(error) => return Err(error),
            };
            self.at = reader.offset();
            if let Some(inner) = inner {
                if self.open.len() >= most {
                    return Err(Error::at(CommonKind::DepthLimit { limit: max_depth }, self.at));
                }
                self.open.push(inner);
            }
        }
    }
}

impl Open {
    fn is_complete(&self) -> bool {
        match self {
            Open::Tagged(left) | Open::Fields(left) | Open::Items(_, left) => *left == 0,
            Open::Columns { .. } => false,
            Open::Cells { left, .. } => *left == 0,
        }
    }

    /// Takes the next element: a value without nested ones, or the header of a value. Changes nothing if the
    /// element is not complete.
    fn step(&mut self, reader: &mut Reader<'_>) -> Result<Option<Open>> {
        let (tag, left) = match self {
            Open::Tagged(left) => (wire::take_tag(reader)?, left),
            Open::Fields(left) => {
                wire::take_field(reader)?;
                (wire::take_tag(reader)?, left)
            }
            Open::Items(tag, left) => (*tag, left),
            Open::Cells { tags, left } => {
                let column = (tags.len() - *left % tags.len()) % tags.len();
                (tags.get(column).copied().unwrap_or(Tag::Unit), left)
            }
            Open::Columns { rows, tags, left: 0 } => {
                // Each row has cells and each cell has bytes, so a false count ends with the input.
                let left = rows.saturating_mul(tags.len());
                *self = Open::Cells { tags: core::mem::take(tags), left };
                return Ok(None);
            }
            Open::Columns { tags, left, .. } => {
                wire::take_field(reader)?;
                tags.push(wire::take_tag(reader)?);
                *left -= 1;
                return Ok(None);
            }
        };
        let inner = take_part(tag, reader)?;
        *left -= 1;
        Ok(inner)
    }
}

/// Takes a value without nested ones, or the header of a value.
fn take_part(tag: Tag, reader: &mut Reader<'_>) -> Result<Option<Open>> {
    match tag {
        Tag::Uvint | Tag::Svint => wire::take_uvint(reader).map(|_| None),
        Tag::String => wire::take_string(reader).map(|_| None),
        Tag::Array => match wire::take_items(reader)? {
            0 => Ok(None),
            count => Ok(Some(Open::Items(wire::take_tag(reader)?, count))),
        },
        Tag::Tuple => Ok(Some(Open::Tagged(wire::take_cells(reader)?))),
        Tag::Record => Ok(Some(Open::Fields(wire::take_fields(reader)?))),
        Tag::NumVariant => match wire::take_num_variant(reader)? {
            (_, true) => Ok(Some(Open::Tagged(1))),
            (_, false) => Ok(None),
        },
        Tag::Variant => match wire::take_variant(reader)? {
            (_, true) => Ok(Some(Open::Tagged(1))),
            (_, false) => Ok(None),
        },
        Tag::Table => match wire::take_table_counts(reader)? {
            (_, 0) => Ok(None),
            (rows, left) => Ok(Some(Open::Columns { rows, tags: Vec::new(), left })),
        },
        Tag::Shared => match wire::take_shared(reader)? {
            None => Ok(Some(Open::Tagged(1))),
            Some(_) => Ok(None),
        },
        // All others have a fixed size.
        _ => reader.take(tag.fixed_size().unwrap_or_default()).map(|_| None),
    }
}
