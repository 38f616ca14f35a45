//! Notes about text that is accepted although it is not quite the notation.

use std::fmt;

/// A slip in a text that is accepted, and its meaning: one of those that the upstream document makes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The byte of the text where it is.
    pub offset: usize,
    /// What it is.
    pub kind: NoteKind,
}

/// Kinds of slips.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// The value of a field is written without its `$`.
    MissingDollar {
        /// The name of the field.
        name: Box<str>,
    },
    /// The `;` after a declaration is missing; the offset is where it should be.
    MissingSemicolon {
        /// The type that is declared.
        name: Box<str>,
    },
    /// `prob` in place of `prod`.
    Prob,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            NoteKind::MissingDollar { name } => write!(f, "`{name}` taken for `${name}`")?,
            NoteKind::MissingSemicolon { name } => {
                write!(f, "missing `;` after the declaration of `{name}`")?;
            }
            NoteKind::Prob => f.write_str("`prob` taken for `prod`")?,
        }
        write!(f, " at byte {}", self.offset)
    }
}
