//! Errors of values in a batch, with their path.

use std::fmt;

use fourfold::{Path, Segment};

/// Why a value cannot be written.
#[derive(Debug)]
pub(super) struct ValueError {
    text: String,
    /// The path of the value, in reverse order.
    steps: Vec<Segment>,
    /// The index of the row in the batch, if it is known.
    row: Option<usize>,
}

impl ValueError {
    #[cold]
    pub(super) fn new(text: impl Into<String>) -> Self {
        ValueError { text: text.into(), steps: Vec::new(), row: None }
    }

    /// A null for a type without null.
    #[cold]
    pub(super) fn null() -> Self {
        ValueError::new("null where a value is required")
    }

    /// Adds a field to the path.
    #[cold]
    pub(super) fn in_field(mut self, name: &str) -> Self {
        self.steps.push(Segment::Field(name.to_owned().into()));
        self
    }

    /// Adds an item to the path.
    #[cold]
    pub(super) fn in_item(mut self, index: usize) -> Self {
        self.steps.push(Segment::Index(index));
        self
    }

    /// Sets the row.
    #[cold]
    pub(super) fn in_row(self, row: usize) -> Self {
        ValueError { row: Some(row), ..self }
    }

    /// Adds `rows` to the index of the row.
    #[cold]
    pub(super) fn after_rows(self, rows: usize) -> Self {
        ValueError { row: self.row.map(|row| row.saturating_add(rows)), ..self }
    }

    pub(super) fn row(&self) -> Option<usize> {
        self.row
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if self.steps.is_empty() {
            return Ok(());
        }
        write!(f, " in {}", self.steps.iter().rev().cloned().collect::<Path>())
    }
}

impl std::error::Error for ValueError {}

impl serde_core::de::Error for ValueError {
    fn custom<T: fmt::Display>(text: T) -> Self {
        ValueError::new(text.to_string())
    }
}
