//! The header of a TABLE: how many rows and columns, and the columns' tags.

use alloc::vec::Vec;

use super::{COLUMN_SIZE, MOST_EMPTY_ROWS, Source, Tag, take_field, take_length, take_tag};
use crate::biniou::ErrorKind;

/// Takes a TABLE's row and column counts. An empty one has no columns; one without columns has
/// few rows.
///
/// # Errors
///
/// `Length`, and `EmptyRows` for more than [`MOST_EMPTY_ROWS`] rows without columns.
#[inline]
pub fn take_table_counts<'de, S: Source<'de>>(source: &mut S) -> Result<(usize, usize), S::Error> {
    let start = source.place();
    let rows = source.take_uvint()?;
    if rows == 0 {
        return Ok((0, 0));
    }
    let columns = take_length(source, COLUMN_SIZE)?;
    let left = source.left().saturating_sub(columns.saturating_mul(COLUMN_SIZE));
    match usize::try_from(rows) {
        // Rows without columns take no bytes.
        Ok(count) if columns == 0 && rows <= MOST_EMPTY_ROWS => Ok((count, 0)),
        _ if columns == 0 => Err(source.fail(start, || ErrorKind::EmptyRows { rows })),
        // Each cell takes at least a byte.
        Ok(count) if left.checked_div(columns).is_some_and(|most| count <= most) => {
            Ok((count, columns))
        }
        _ => {
            let columns = u128::try_from(columns).unwrap_or(u128::MAX);
            let needed = rows.saturating_mul(columns);
            Err(source.fail(start, || ErrorKind::Length { claimed: rows, needed, left }))
        }
    }
}

/// Takes the columns of a TABLE, keeping only their tags.
pub(in crate::biniou) fn take_column_tags<'de, S: Source<'de>>(
    source: &mut S,
    columns: usize,
) -> Result<Vec<Tag>, S::Error> {
    let mut tags = Vec::new();
    for _ in 0..columns {
        take_field(source)?;
        tags.push(take_tag(source)?);
    }
    Ok(tags)
}
