//! The type that a file is read as with a schema, and the note about it.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use super::{Format, OfType};
use crate::failure::Failure;
use crate::write::count::listed;

/// Maximum number of fitting types in a note.
const MOST_NAMED: usize = 5;

/// The format and type of a file.
pub struct Selection<'t> {
    /// The format, or why it is unknown.
    pub format: Result<Format, Failure>,
    /// The type; `None` if the file is read without one.
    pub of_type: Option<OfType<'t>>,
    /// How the type was selected, if it was not requested.
    pub note: Option<Note>,
}

/// How the type of a file was selected, or why it has none. Front ends print it, or translate its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    /// Only this type fits.
    Only {
        /// The type.
        ty: String,
        /// Whether it fits the other file of a comparison, too.
        fits_both: bool,
    },
    /// Several types fit.
    First {
        /// The first of them.
        ty: String,
        /// All of them.
        fitting: Vec<String>,
        /// Whether they fit the other file of a comparison, too.
        fits_both: bool,
    },
    /// No type fits, or not the requested one.
    None {
        /// The requested type, or the one whose first error is at the greatest offset.
        ty: String,
        /// The offset of the first byte that does not fit it.
        at: usize,
        /// The error at that byte.
        error: String,
        is_requested: bool,
    },
    /// No type fits, and the bytes are of another format.
    OtherFormat {
        /// The format of the bytes.
        format: &'static str,
        /// The format of the schema.
        of_schema: &'static str,
        /// The type whose first error is at the greatest offset, and that error.
        closest: Option<(String, String)>,
    },
    /// The schema has no types that a file can be of.
    Empty,
}

impl Note {
    /// Whether the file is read without a type because of it.
    pub const fn is_mismatch(&self) -> bool {
        matches!(self, Note::None { .. } | Note::OtherFormat { .. } | Note::Empty)
    }

    /// The error of a file that is not read because of it.
    #[must_use]
    pub fn refusal(&self) -> String {
        match self {
            Note::OtherFormat { .. } => format!("{self}; read it without a schema"),
            _ => self.to_string(),
        }
    }
}

impl Display for Note {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Note::Only { ty, fits_both } => {
                let both = if *fits_both { " both files" } else { "" };
                write!(f, "read as {ty}, the only type of the schema that fits{both}")
            }
            Note::First { ty, fitting, fits_both } => {
                let both = if *fits_both { " both files" } else { "" };
                let (count, names) = (fitting.len(), listed(fitting, MOST_NAMED));
                write!(f, "read as {ty}, the first of {count} types that fit{both}: {names}")
            }
            Note::None { ty, error, is_requested: false, .. } => {
                write!(f, "no type of the schema fits; {ty} fits best: {error}")
            }
            Note::None { ty, error, is_requested: true, .. } => write!(f, "not {ty}: {error}"),
            Note::OtherFormat { format, of_schema, closest } => {
                write!(f, "the schema is for {of_schema}, and this file can be read as {format}")?;
                closest.iter().try_for_each(|(ty, error)| write!(f, "; {ty} fits best: {error}"))
            }
            Note::Empty => f.write_str("the schema has no types"),
        }
    }
}
