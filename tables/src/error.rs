//! The errors of this crate, one line of text each.

use std::{fmt, io};

use arrow_schema::ArrowError;

/// Why a schema has no such table, or a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A schema cannot be parsed.
    #[error("{0}")]
    Schema(Box<str>),
    /// The schema has no such type.
    #[error("the schema has no type `{name}`{}", suggested(.name, .known))]
    NoType {
        /// The requested name.
        name: String,
        /// The types that have columns.
        known: Vec<String>,
    },
    /// The type's values have no fields that could be columns.
    #[error("`{name}` is {what}, which has no columns; name a record, or a list of records: {}", Names(.known))]
    NoRecord {
        /// The type.
        name: String,
        /// What kind of type it is.
        what: &'static str,
        /// The types that have columns.
        known: Vec<String>,
    },
    /// A type has more columns than the limit.
    #[error(
        "`{name}` has more than {limit} columns, nested ones included; lower the option `recursion`"
    )]
    TooManyColumns {
        /// The type.
        name: String,
        /// The limit.
        limit: usize,
    },
    /// A type nests deeper than the limit for reading values.
    #[error("`{name}` nests deeper than {limit} levels")]
    TooDeep {
        /// The type.
        name: String,
        /// The limit.
        limit: usize,
    },
    /// An array is longer than Arrow allows.
    #[error("`{name}` has an array of {length}; arrays in Arrow have at most 2147483647 items")]
    TooLong {
        /// The type.
        name: String,
        /// Number of items or bytes.
        length: usize,
    },
    /// A requested column does not exist.
    #[error("there is no column `{name}`{}", suggested(.name, .known))]
    NoColumn {
        /// The requested name.
        name: String,
        /// The existing columns.
        known: Vec<String>,
    },
    /// A column to be exploded is not a list.
    #[error("`{path}` is {ty}, not a list{}", suggested(.path, .lists))]
    NoList {
        /// The path to the column.
        path: String,
        /// Its type in a few words.
        ty: String,
        /// The paths to columns that are lists.
        lists: Vec<String>,
    },
    /// A column to be exploded is inside another list, which has to be exploded first.
    #[error("`{path}` is inside of the list `{}`; explode {} in this order", first(.lists), Names(.lists))]
    InList {
        /// The path to the column.
        path: String,
        /// The paths to use instead: each list on the path, and the column if it is a list.
        lists: Vec<String>,
    },
    /// A column to be exploded is inside a struct that may be null.
    #[error(
        "`{path}` is inside of `{optional}`, which may be null; only lists that are never null can be exploded"
    )]
    InOptional {
        /// The path to the column.
        path: String,
        /// The path to the struct.
        optional: String,
    },
    /// No file matches the path or pattern.
    #[error("no file is named `{pattern}`")]
    NoFiles {
        /// The path or pattern.
        pattern: String,
    },
    /// A path leads to a pipe or a device, which has no known length.
    #[error("`{path}` is a pipe or a device, not a file; save its output to a file, and use that")]
    NoFile {
        /// The path.
        path: String,
    },
    /// A path leads to an object store that is not registered.
    #[error("`{path}` is in an object store that is not registered in this session")]
    NoStore {
        /// The path.
        path: String,
    },
    /// A file name pattern is invalid.
    #[error("invalid file name pattern `{pattern}`: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why.
        reason: &'static str,
    },
    /// An unknown option, or an invalid value of one.
    #[error("`{name}` {text}")]
    Option {
        /// The option.
        name: String,
        /// What is wrong, and what is possible.
        text: String,
    },
    /// A file cannot be read or written.
    #[error("{file}: {source}")]
    Io {
        /// Its path.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// A row is damaged. The rows after it are not read.
    #[error("{0}")]
    Damaged(Damage),
    /// A number has more digits than a decimal of 128 bits. The rows after it are not read.
    #[error("{0}")]
    TooWide(Damage),
    /// The type cannot be written in this form.
    #[error("{0}")]
    Form(String),
    /// The columns of a batch differ from those of the table.
    #[error("the batch does not match `{name}`: {text}")]
    Columns {
        /// The type.
        name: String,
        /// What differs, and where.
        text: String,
    },
    /// A row of a batch is not a valid value of its type. No row of that batch is written.
    #[error("row {row}: {text}")]
    Row {
        /// The index of the row, from 0, among all rows passed to the writer.
        row: u64,
        /// What is wrong with it, and where.
        text: String,
    },
    /// The bytes cannot be written.
    #[error("cannot write: {0}")]
    Output(#[source] io::Error),
    /// Arrow returned an error.
    #[error("{0}")]
    Arrow(#[from] ArrowError),
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Turns the `ArrowError` of a [`Reader`](crate::Reader) back into the error of this crate.
    #[must_use]
    pub fn from_arrow(error: ArrowError) -> Self {
        match error {
            ArrowError::ExternalError(source) => match source.downcast() {
                Ok(error) => *error,
                Err(source) => Error::Arrow(ArrowError::ExternalError(source)),
            },
            error => Error::Arrow(error),
        }
    }
}

impl From<Error> for ArrowError {
    fn from(error: Error) -> Self {
        match error {
            Error::Arrow(error) => error,
            error => ArrowError::ExternalError(Box::new(error)),
        }
    }
}

/// A damaged row: its file, its index, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub(crate) file: Option<String>,
    pub(crate) row: Option<u64>,
    pub(crate) text: String,
    pub(crate) hint: Option<&'static str>,
}

impl Damage {
    /// The path of the file, if it is one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The same without the path of the file, for a caller that prints the path itself.
    #[must_use]
    pub fn without_file(self) -> Self {
        Damage { file: None, ..self }
    }

    /// The index of the row in the file, from 0; damaged rows count. `None` when the file is not read from its start.
    #[must_use]
    pub fn row(&self) -> Option<u64> {
        self.row
    }

    /// What is wrong: kind, path and byte offset.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { file, row, text, hint } = self;
        if let Some(file) = file {
            write!(f, "{file}: ")?;
        }
        if let Some(row) = row {
            write!(f, "row {row}: ")?;
        }
        f.write_str(text)?;
        match hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

fn suggested(name: &str, known: &[String]) -> String {
    fourfold_schema::suggestion(name, known.iter().map(String::as_str))
}

fn first(lists: &[String]) -> &str {
    lists.first().map_or("", String::as_str)
}

/// Prints the first of several names.
pub(crate) struct Names<'a>(pub(crate) &'a [String]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (index, name) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}`{name}`", if index > 0 { ", " } else { "" })?;
        }
        match self.0.len().checked_sub(SHOWN) {
            Some(more) if more > 0 => write!(f, " and {more} more"),
            _ => Ok(()),
        }
    }
}
