//! The columns of a TABLE: names and tags, which are written once, before the first row.

use alloc::vec::Vec;

use super::encoder::Encoder;
use super::prefix::Prefix;
use super::written::Written;
use crate::biniou::error::WITHOUT_TABLE;
use crate::biniou::names::collision;
use crate::biniou::wire::{self, COLUMN_SIZE, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::{CommonKind, Segment};

/// The error for a lazy value as a row.
pub(super) const RAW_ROWS: CommonKind = CommonKind::Unsupported {
    reason: "a row of a table has no bytes of its own, so lazy values cannot be rows",
    hint: Some("remove the mark `table`, or use the type of the rows"),
};

/// More columns than this are refused: memory for the columns is taken when a type announces them.
const MOST_COLUMNS: usize = 65_535;

/// A TABLE that is being written.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The columns, by which the first row binds all others.
    columns: Vec<Column>,
    /// Where the columns are.
    columns_at: usize,
    /// How many there are.
    announced: usize,
    /// How many rows are complete.
    rows: usize,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    hash: u32,
    name: &'static str,
    tag: Written,
}

impl Table {
    #[cold]
    fn differs(&self, what: &'static str) -> Error {
        Error::placeless(ErrorKind::Rows { row: self.rows, what })
    }

    /// Refuses two columns with one hash.
    fn check_names(&self) -> Result<()> {
        let mut columns = self.columns.clone();
        // Stable, so that the later one of two is refused.
        columns.sort_by_key(|column| column.hash);
        for pair in columns.windows(2) {
            match pair {
                [first, second] if first.hash == second.hash => {
                    let error = collision(first.name, second.name, first.hash);
                    return Err(error.inside(Segment::Field(second.name.into())));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Begins a row of the innermost table.
pub(super) fn begin_row(encoder: &mut Encoder, len: usize) -> Result<()> {
    if len > MOST_COLUMNS {
        let reason = "tables cannot have rows of more than 65,535 fields";
        let hint = Some(WITHOUT_TABLE);
        return Err(Error::placeless(CommonKind::Unsupported { reason, hint }));
    }
    encoder.depth.enter()?;
    let Encoder { out, tables, .. } = encoder;
    if let Some(table) = tables.last_mut().filter(|table| table.rows == 0) {
        Prefix::UNTAGGED.put_length(out, Tag::Record, len);
        (table.columns_at, table.announced) = (out.len(), len);
        for _ in 0..len {
            out.put_bytes(&[0; COLUMN_SIZE]);
        }
    }
    Ok(())
}

/// Takes the cell of that index, which was written.
pub(super) fn end_cell(
    encoder: &mut Encoder,
    index: usize,
    (hash, name): (u32, &'static str),
    tag: Written,
) -> Result<()> {
    let Encoder { out, tables, .. } = encoder;
    let Some(table) = tables.last_mut() else { return Ok(()) };
    if table.rows > 0 {
        return match table.columns.get(index) {
            Some(column) if column.hash != hash => Err(table.differs("another field")),
            Some(column) if column.tag != tag => Err(table.differs("another tag")),
            Some(_) => Ok(()),
            None => Err(table.differs("one field more")),
        };
    }
    let place = out.change_from(table.columns_at + index * COLUMN_SIZE).first_chunk_mut();
    let (Some(place), true) = (place, index < table.announced) else {
        let (announced, given) = (table.announced, index + 1);
        return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
    };
    let [a, b, c, d] = wire::field_key(hash);
    *place = [a, b, c, d, tag.tag().unwrap_or(Tag::Unit).byte()];
    table.columns.push(Column { hash, name, tag });
    Ok(())
}

/// The error for a field that is left out.
#[cold]
pub(super) fn skipped(encoder: &Encoder) -> Error {
    let table = encoder.tables.last();
    table.map_or(Error::placeless(CommonKind::Abandoned), |table| table.differs(ErrorKind::SKIPPED))
}

/// Completes a row of so many cells.
pub(super) fn end_row(encoder: &mut Encoder, cells: usize) -> Result<()> {
    encoder.depth.leave();
    let Some(table) = encoder.tables.last_mut() else { return Ok(()) };
    if table.rows > 0 && cells < table.columns.len() {
        return Err(table.differs("fewer fields"));
    }
    if table.rows == 0 {
        let (announced, given) = (table.announced, cells);
        if given < announced {
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        table.check_names()?;
    }
    table.rows += 1;
    Ok(())
}

/// Completes the innermost table. More rows without bytes than readers accept are refused.
pub(super) fn end(encoder: &mut Encoder) -> Result<()> {
    match encoder.tables.pop() {
        Some(table) if table.columns.is_empty() => {
            encoder.spend_empty_rows(table.rows).map_err(|error| error.or_hint(Some(WITHOUT_TABLE)))
        }
        _ => Ok(()),
    }
}
