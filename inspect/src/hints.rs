//! Hints of errors that name the options of a front end.

use std::sync::OnceLock;

/// How a front end calls what solves an error. A front end leaves out what it does not have: the error then has no hint.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// Write elements as the numbers of their bits.
    pub raw: &'static str,
    /// Fill the tensors of an original file.
    pub original: &'static str,
    /// Select the format of a file that is of none.
    pub unknown: &'static str,
    /// Select one of the formats that a file may be of.
    pub ambiguous: &'static str,
    /// Read a file that may only be Molecule.
    pub layouts: &'static str,
    /// Give the schema of a file.
    pub schema: &'static str,
    /// Whether the front end is the command, so that errors may suggest its subcommands.
    pub is_command: bool,
}

static HINTS: OnceLock<Hints> = OnceLock::new();

/// Sets the hints. The first call counts: a process has one front end.
pub fn set_hints(hints: Hints) {
    let _ = HINTS.set(hints);
}

/// The hints of the front end.
pub(crate) fn hints() -> Hints {
    HINTS.get().copied().unwrap_or_default()
}

/// A text followed by a hint, if there is one.
pub(crate) fn with_hint(text: impl Into<String>, hint: &str) -> String {
    let text = text.into();
    match hint {
        "" => text,
        hint => format!("{text}; {hint}"),
    }
}
