//! How wide text is in a drawing.

use crate::write::width::columns;

/// The width of a letter, in sizes of the font: that of the monospaced fonts that are in use.
const LETTER: f64 = 0.605;

/// How wide a text is in a font of that size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    crate::layout::length(columns(text)) * LETTER * size
}
