//! What can go wrong, in one line each.

use std::fmt;
use std::io;

use arrow_schema::ArrowError;

/// Why a schema gives no table, or a file no more rows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A schema is not in its language.
    #[error("{0}")]
    Schema(Box<str>),
    /// The schema has no such type.
    #[error("the schema has no type `{name}`{}", suggested(.name, .known))]
    NoType {
        /// The name that was asked for.
        name: String,
        /// The types that have columns.
        known: Vec<String>,
    },
    /// The type's values have no parts that could be columns.
    #[error("`{name}` is {what}, which has no columns; name a record, or a list of records: {}", Names(.known))]
    NoRecord {
        /// The type.
        name: String,
        /// What it is.
        what: &'static str,
        /// The types that have columns.
        known: Vec<String>,
    },
    /// A type has more parts than a table should.
    #[error(
        "`{name}` has more than {limit} columns, those in columns counted; show recursive types less deep"
    )]
    TooManyColumns {
        /// The type.
        name: String,
        /// How many there may be.
        limit: usize,
    },
    /// A type nests deeper than values that are read.
    #[error("`{name}` nests deeper than {limit} levels")]
    TooDeep {
        /// The type.
        name: String,
        /// How many levels there may be.
        limit: usize,
    },
    /// An array is longer than Arrow counts.
    #[error("`{name}` has an array of {length}, and Arrow has none of more than 2147483647")]
    TooLong {
        /// The type.
        name: String,
        /// How many items or bytes it has.
        length: usize,
    },
    /// A column that was asked for is not there.
    #[error("there is no column `{name}`{}", suggested(.name, .known))]
    NoColumn {
        /// The name that was asked for.
        name: String,
        /// Those that are there.
        known: Vec<String>,
    },
    /// A column that is to be exploded is not a list.
    #[error("`{path}` is {ty}, not a list{}", suggested(.path, .lists))]
    NoList {
        /// The path to the column.
        path: String,
        /// What its type is, in a few words.
        ty: String,
        /// The paths to columns that are lists.
        lists: Vec<String>,
    },
    /// A column that is to be exploded is inside of another list, which has to be exploded first.
    #[error("`{path}` is inside of the list `{}`; explode {} in this order", first(.lists), Names(.lists))]
    InList {
        /// The path to the column.
        path: String,
        /// The paths to give instead: each list on the way, and the column if it is one.
        lists: Vec<String>,
    },
    /// A column that is to be exploded is inside of a struct that may be null.
    #[error(
        "`{path}` is inside of `{optional}`, which may be null; only lists that are always there can be exploded"
    )]
    InOptional {
        /// The path to the column.
        path: String,
        /// The path to the struct.
        optional: String,
    },
    /// No file has a name of that form.
    #[error("no file is named `{pattern}`")]
    NoFiles {
        /// The path or pattern.
        pattern: String,
    },
    /// A path leads to a pipe or a device, of which the end is not known.
    #[error("`{path}` is no file but a pipe or a device; save what it gives, and name that file")]
    NoFile {
        /// The path.
        path: String,
    },
    /// A path leads to a store of files that is not known.
    #[error("`{path}` is in a store that this session does not know")]
    NoStore {
        /// The path.
        path: String,
    },
    /// A pattern of names is none.
    #[error("`{pattern}` is no pattern of file names: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why.
        reason: &'static str,
    },
    /// A choice is made that there is not.
    #[error("`{name}` {text}")]
    Option {
        /// The option.
        name: String,
        /// What is wrong, and what there is.
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
    /// A row is damaged, and the rows behind it are not read.
    #[error("{0}")]
    Damaged(Damage),
    /// A number has more digits than a decimal of 128 bits, and the rows behind it are not read.
    #[error("{0}")]
    TooWide(Damage),
    /// Rows of a type cannot lie so in a file.
    #[error("{0}")]
    Form(String),
    /// A batch has other columns than the table that it is written as.
    #[error("the batch is none of `{name}`: {text}")]
    Columns {
        /// The type.
        name: String,
        /// What differs, and where.
        text: String,
    },
    /// A row of a batch is no value of its type. No row of that batch is written.
    #[error("row {row}: {text}")]
    Row {
        /// Which row it is, from 0, among all that were given.
        row: u64,
        /// What is wrong with it, and where.
        text: String,
    },
    /// The bytes cannot be written.
    #[error("cannot write: {0}")]
    Output(#[source] io::Error),
    /// Arrow refuses the columns.
    #[error("{0}")]
    Arrow(#[from] ArrowError),
}

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// The error that a [`Reader`](crate::Reader) has given as one of Arrow.
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

/// A row that is no value of its type: in which file it is, which row, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub(crate) file: Option<String>,
    pub(crate) row: Option<u64>,
    pub(crate) text: String,
    pub(crate) way_out: Option<&'static str>,
}

impl Damage {
    /// The path of the file, if it is one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The same without the name of the file, for who has named it.
    #[must_use]
    pub fn without_file(self) -> Self {
        Damage { file: None, ..self }
    }

    /// Which row of the file it is, from 0: those that are damaged count. Behind the first part of a file, none knows.
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
        let Damage { file, row, text, way_out } = self;
        if let Some(file) = file {
            write!(f, "{file}: ")?;
        }
        if let Some(row) = row {
            write!(f, "row {row}: ")?;
        }
        f.write_str(text)?;
        match way_out {
            Some(way_out) => write!(f, "; {way_out}"),
            None => Ok(()),
        }
    }
}

fn suggested(name: &str, known: &[String]) -> String {
    fourfold::schema::suggestion(name, known.iter().map(String::as_str))
}

fn first(lists: &[String]) -> &str {
    lists.first().map_or("", String::as_str)
}

/// Some names of many.
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
