//! No drawing as pixels: the programs that make them are the larger part of what the command is built from.

use std::path::Path;

use crate::failure::Failure;
use fourfold_files::graph::svg::Svg;

/// Refuses every drawing.
pub(crate) fn render(
    svg: &Svg,
    _font: Option<&Path>,
    _scale: Option<f32>,
) -> Result<Vec<u8>, Failure> {
    Err(Failure::Usage(format!(
        "png: a drawing of {} by {} needs the feature `png`, which this command was built without; \
         --to svg draws it",
        svg.width, svg.height
    )))
}
