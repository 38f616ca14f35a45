//! The fields of records and tables that are present, and whether the required ones are.

use fourfold::Reader;
use fourfold::biniou::wire::{self, Tag};
use fourfold::biniou::{Error, ErrorKind, Result};

use super::shape::{Field, Fields};
use crate::common::shortened;

/// Where a tag is, and the tag.
pub(super) type Head = (usize, Tag);

/// A column of a TABLE: which field it is, if the schema has it, and the tag.
pub(super) type Column<'s> = (Option<(usize, Field<'s>)>, Head);

/// Takes so many columns of the table that begins at `start`.
pub(super) fn take_columns<'s>(
    reader: &mut Reader<'_>,
    fields: Fields<'s>,
    count: usize,
    start: usize,
) -> Result<Vec<Column<'s>>> {
    let mut met = Met::new(fields);
    let mut columns = Vec::new();
    for _ in 0..count {
        let field = fields.with_hash(wire::take_field(reader)?);
        field.iter().for_each(|(index, _)| met.insert(*index));
        columns.push((field, (reader.offset(), wire::take_tag(reader)?)));
    }
    met.check_required(fields, start)?;
    Ok(columns)
}

/// Which fields of a record have been met.
pub(super) enum Met {
    /// One bit for each: most records have no more.
    Few(u64),
    Many(Vec<bool>),
}

impl Met {
    pub(super) fn new(fields: Fields<'_>) -> Self {
        match fields.len() {
            0..=64 => Met::Few(0),
            count => Met::Many(vec![false; count]),
        }
    }

    #[inline]
    pub(super) fn insert(&mut self, index: usize) {
        match self {
            Met::Few(bits) => *bits |= 1 << (index & 63),
            Met::Many(list) => {
                if let Some(met) = list.get_mut(index) {
                    *met = true;
                }
            }
        }
    }

    fn has(&self, index: usize) -> bool {
        match self {
            Met::Few(bits) => bits >> (index & 63) & 1 == 1,
            Met::Many(list) => list.get(index).copied().unwrap_or(false),
        }
    }

    /// How many have been met.
    fn count(&self) -> usize {
        match self {
            Met::Few(bits) => usize::try_from(bits.count_ones()).unwrap_or(usize::MAX),
            Met::Many(list) => list.iter().filter(|met| **met).count(),
        }
    }

    /// Refuses a record, which begins at `start`, without a field that has to be there.
    pub(super) fn check_required(&self, fields: Fields<'_>, start: usize) -> Result<()> {
        if self.count() == fields.len() {
            return Ok(());
        }
        let missing =
            fields.iter().enumerate().find(|(at, field)| !self.has(*at) && field.is_required());
        match missing {
            None => Ok(()),
            Some((_, field)) => {
                let name = shortened(field.name());
                Err(Error::at(ErrorKind::MissingField { name }, start))
            }
        }
    }
}
