//! No drawing as pixels: the programs that make them are the larger part of what the command is built from.

use std::path::Path;

use super::svg::Svg;
use crate::failure::Failure;

/// Refuses every drawing.
pub(super) fn render(
    _svg: &Svg,
    _font: Option<&Path>,
    _scale: Option<f32>,
) -> Result<Vec<u8>, Failure> {
    let text = "png: this command was built without the feature `png`; --to svg draws without it";
    Err(Failure::Usage(text.into()))
}
