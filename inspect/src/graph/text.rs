//! The width of text in a drawing.

use crate::write::width::columns;

/// The width of a letter in usual monospaced fonts, as a multiple of the font size.
const LETTER: f64 = 0.605;

/// The width of a text at that font size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    crate::layout::length(columns(text)) * LETTER * size
}
