//! Hints of errors that name the options of a front end.

use std::sync::OnceLock;

use fourfold_tennis::Input;

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
    /// Give these shapes to inputs; empty if they cannot be written.
    pub shapes: Option<fn(&[Input]) -> String>,
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

/// A text followed by the shapes that inputs need, with examples in place of unknown sizes.
#[must_use]
pub fn with_shapes(text: impl Into<String>, examples: &[Input]) -> String {
    /// Names of inputs may be of any length.
    const LONGEST: usize = 4096;
    let shown = hints().shapes.filter(|_| !examples.is_empty()).map(|show| show(examples));
    match shown.filter(|shown| (1..=LONGEST).contains(&shown.len())) {
        Some(shown) => {
            with_hint(text, &format!("give sizes (unknown ones are examples here): {shown}"))
        }
        None => text.into(),
    }
}

/// A text followed by a hint, if there is one.
pub(crate) fn with_hint(text: impl Into<String>, hint: &str) -> String {
    let text = text.into();
    match hint {
        "" => text,
        hint => format!("{text}; {hint}"),
    }
}
