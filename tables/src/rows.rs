//! The rows of files of either format.

use std::ops::Range;

use fourfold::{Error, Kind, biniou, molecule};
use fourfold_schema::{Most, Passed, Step, atd, mol};

use crate::column::Column;
use crate::{Options, Schema};

/// The rows of a file whose bytes may arrive in pieces.
#[derive(Debug)]
pub(crate) enum Rows<'s> {
    Biniou(atd::Rows<'s>),
    Molecule(mol::Rows<'s>),
}

/// Why a row cannot be read.
pub(crate) struct RowError {
    pub(crate) text: String,
    /// Whether the row ends too early.
    pub(crate) is_cut: bool,
}

impl<'s> Rows<'s> {
    /// The rows of a file of that type, if the schema has it.
    pub(crate) fn new(schema: &'s Schema, name: &str, options: &Options) -> Option<Self> {
        Some(match schema {
            Schema::Biniou(schema) => {
                Rows::Biniou(atd::Rows::new(schema.get(name)?, &biniou::Options::new()))
            }
            Schema::Molecule(schema) => {
                let reading = molecule::Options::new().compatible(options.compatible);
                Rows::Molecule(mol::Rows::new(schema.get(name)?, &reading))
            }
        })
    }

    /// The rows that begin in a part of the file.
    pub(crate) fn part(self, part: Range<usize>) -> Self {
        match self {
            Rows::Biniou(rows) => Rows::Biniou(rows.part(part)),
            Rows::Molecule(rows) => Rows::Molecule(rows.part(part)),
        }
    }

    pub(crate) fn offset(&self) -> usize {
        match self {
            Rows::Biniou(rows) => rows.offset(),
            Rows::Molecule(rows) => rows.offset(),
        }
    }

    /// Fills `column` with the next rows.
    pub(crate) fn read(
        &mut self,
        bytes: &[u8],
        is_end: bool,
        most: Most,
        column: &mut Column,
    ) -> Result<Step, RowError> {
        match self {
            Rows::Biniou(rows) => rows
                .read(bytes, is_end, most, column)
                .map_err(|error| RowError { is_cut: error.is_eof(), text: text_of(&error) }),
            Rows::Molecule(rows) => rows
                .read(bytes, is_end, most, column)
                .map_err(|error| RowError { is_cut: error.is_eof(), text: text_of(&error) }),
        }
    }

    pub(crate) fn skip(&mut self, bytes: &[u8], is_end: bool) -> Passed {
        match self {
            Rows::Biniou(rows) => rows.skip(bytes, is_end),
            Rows::Molecule(rows) => rows.skip(bytes, is_end),
        }
    }
}

/// The text of an error. Hints about columns are kept. Other hints are for Rust types and do not apply to rows.
fn text_of<K: Kind>(error: &Error<K>) -> String {
    match error.kind().common() {
        Some(fourfold::CommonKind::Message(_)) => error.to_string(),
        _ => error.without_hint().to_string(),
    }
}
