//! The header of a TABLE. Its rows are read as RECORDs without keys and tags.

use alloc::vec::Vec;

use super::document::{Document, Result};
use super::head::Levels;
use crate::biniou::wire::{self, Tag};

#[derive(Default)]
pub(super) struct Table {
    pub(super) rows: usize,
    pub(super) columns: Vec<Column>,
}

pub(super) struct Column {
    pub(super) hash: u32,
    pub(super) tag: Tag,
    /// Where its hash is in the header. The tag follows.
    pub(super) offset: usize,
}

impl Table {
    /// Takes the counts and columns. Returns what follows them.
    #[cold]
    pub(super) fn take<'de>(
        document: &Document<'_, 'de>,
        rest: &'de [u8],
    ) -> Result<(Self, &'de [u8])> {
        let mut reader = document.reader(rest);
        let (rows, count) = document.kept(wire::take_table_counts(&mut reader))?;
        if count == 0 {
            document.spend_empty_rows(rows, rest)?;
        }
        let mut columns = Vec::new();
        for _ in 0..count {
            let offset = reader.offset();
            let hash = document.kept(wire::take_field(&mut reader))?;
            let tag = document.kept(wire::take_tag(&mut reader))?;
            columns.push(Column { hash, tag, offset });
        }
        Ok((Table { rows, columns }, reader.rest()))
    }

    /// Skips a row.
    #[cold]
    pub(super) fn skip<'de>(
        &self,
        document: &Document<'_, 'de>,
        rest: &'de [u8],
        depth: Levels,
    ) -> Result<&'de [u8]> {
        self.columns
            .iter()
            .try_fold(rest, |rest, column| document.skip(rest, Some(column.tag.byte()), depth))
    }
}
