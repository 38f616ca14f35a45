//! What is wrong with a value of a batch, and where it is. Knows no arrays.

use std::fmt;

use fourfold::{Path, Segment};

/// Why a value cannot be written.
#[derive(Debug)]
pub(super) struct Fault {
    text: String,
    /// The steps that lead to it, the last one first.
    steps: Vec<Segment>,
    /// Which row of the batch it is in, if that is known.
    row: Option<usize>,
}

impl Fault {
    #[cold]
    pub(super) fn new(text: impl Into<String>) -> Self {
        Fault { text: text.into(), steps: Vec::new(), row: None }
    }

    /// A null where the type has no value that is one.
    #[cold]
    pub(super) fn null() -> Self {
        Fault::new("null where there has to be a value")
    }

    /// The same fault of a part of that name.
    #[cold]
    pub(super) fn in_field(mut self, name: &str) -> Self {
        self.steps.push(Segment::Field(name.to_owned().into()));
        self
    }

    /// The same fault of an item.
    #[cold]
    pub(super) fn in_item(mut self, index: usize) -> Self {
        self.steps.push(Segment::Index(index));
        self
    }

    /// The same fault of a row.
    #[cold]
    pub(super) fn in_row(self, row: usize) -> Self {
        Fault { row: Some(row), ..self }
    }

    /// The same fault of rows that are counted from another one on.
    #[cold]
    pub(super) fn behind_rows(self, rows: usize) -> Self {
        Fault { row: self.row.map(|row| row.saturating_add(rows)), ..self }
    }

    pub(super) fn row(&self) -> Option<usize> {
        self.row
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if self.steps.is_empty() {
            return Ok(());
        }
        write!(f, " in {}", self.steps.iter().rev().cloned().collect::<Path>())
    }
}

impl std::error::Error for Fault {}

impl serde_core::de::Error for Fault {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Fault::new(text.to_string())
    }
}
