//! Refuses to render PNG, for builds without the feature `png`. The renderer is the larger part of the
//! command's dependencies.

use std::path::Path;

use crate::failure::Failure;
use fourfold_inspect::graph::colours::Theme;
use fourfold_inspect::graph::picture::Picture;

/// Refuses every picture.
pub(crate) fn render(
    _picture: &mut Picture,
    _theme: Theme,
    name: &str,
    _font: Option<&Path>,
    _scale: Option<f32>,
) -> Result<Vec<u8>, Failure> {
    Err(Failure::Usage(format!(
        "{name}: this command was built without PNG: use --to svg, or build it with `--features png`"
    )))
}
