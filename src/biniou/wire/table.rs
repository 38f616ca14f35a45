//! The header of a TABLE: how many rows and columns, and the columns' tags. Does not know what cells hold.

use alloc::vec::Vec;

use super::{COLUMN_SIZE, MOST_EMPTY_ROWS, Tag, take_field, take_length, take_tag, take_uvint};
use crate::biniou::{Error, ErrorKind, Result};
use crate::read::Reader;

/// Takes a TABLE's row and column counts. An empty one has no columns; one without columns has
/// few rows.
#[inline]
pub(in crate::biniou) fn take_table_counts(reader: &mut Reader<'_>) -> Result<(usize, usize)> {
    let start = reader.offset();
    let rows = take_uvint(reader)?;
    if rows == 0 {
        return Ok((0, 0));
    }
    let columns = take_length(reader, COLUMN_SIZE)?;
    let left = reader.left() - columns * COLUMN_SIZE;
    match usize::try_from(rows) {
        // Rows without columns take no bytes.
        Ok(count) if columns == 0 && rows <= MOST_EMPTY_ROWS => Ok((count, 0)),
        _ if columns == 0 => Err(Error::at(ErrorKind::EmptyRows { rows }, start)),
        // Each cell takes at least a byte.
        Ok(count) if left.checked_div(columns).is_some_and(|most| count <= most) => {
            Ok((count, columns))
        }
        _ => {
            let columns = u128::try_from(columns).unwrap_or(u128::MAX);
            let needed = rows.saturating_mul(columns);
            Err(Error::at(ErrorKind::Length { claimed: rows, needed, left }, start))
        }
    }
}

/// Takes the columns of a TABLE, of which only the tags matter.
pub(in crate::biniou) fn take_column_tags(
    reader: &mut Reader<'_>,
    columns: usize,
) -> Result<Vec<Tag>> {
    let mut tags = Vec::new();
    for _ in 0..columns {
        take_field(reader)?;
        tags.push(take_tag(reader)?);
    }
    Ok(tags)
}
