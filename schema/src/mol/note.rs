//! Notes: comments `fourfold: ..` at a declaration, for properties that the schema language cannot express.

/// The prefix of a note.
const PREFIX: &str = "fourfold:";

/// A note at the declaration of a type.
pub(super) enum Note {
    /// `number` or `signed number`: an array of bytes is an integer.
    Number {
        /// Whether negative values are stored as two's complement.
        is_signed: bool,
    },
    /// Another text, or several notes.
    Unknown,
}

/// The note in the comments of a declaration.
pub(super) fn note(docs: &str) -> Option<Note> {
    let mut notes = docs.lines().filter_map(|line| line.trim().strip_prefix(PREFIX));
    let note = match notes.next()?.trim() {
        "number" => Note::Number { is_signed: false },
        "signed number" => Note::Number { is_signed: true },
        _ => Note::Unknown,
    };
    Some(if notes.next().is_some() { Note::Unknown } else { note })
}
