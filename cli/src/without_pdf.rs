//! Refuses to write PDF, for builds without the feature `png`.

use std::path::Path;

use crate::failure::Failure;
use crate::paper::Paper;
use fourfold_inspect::graph::colours::Theme;
use fourfold_inspect::graph::picture::Picture;

/// Refuses every picture.
pub(crate) fn render(
    _: &mut Picture,
    _: Theme,
    name: &str,
    _: Option<&Path>,
    _: Option<Paper>,
) -> Result<Vec<u8>, Failure> {
    Err(Failure::Usage(format!(
        "{name}: this command was built without PDF: use --to svg, or build it with `--features png`"
    )))
}
