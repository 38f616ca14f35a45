//! What speaks for Molecule, which has no types inside: the numbers of headers.

use fourfold::molecule::{Layout, layouts};

use super::Standing;

/// The layouts that the bytes allow. That any bytes can be an array or a struct is no evidence, and
/// that any can be the one item of a fixvec is none either. A single number that fits is little.
pub(super) fn evidence(bytes: &[u8]) -> (Standing, Vec<String>) {
    let layouts = layouts(bytes);
    let standing = layouts.iter().map(|layout| match layout {
        Layout::Table { items: 1.., .. } | Layout::Union { items: 1.., .. } => Standing::Fits,
        Layout::Empty | Layout::Raw { .. } | Layout::Fixvec { items: 1, .. } => Standing::Unfit,
        _ => Standing::Possible,
    });
    let standing = standing.max().unwrap_or(Standing::Unfit);
    let words = layouts.iter().map(|layout| format!("can be: {layout}")).collect();
    (standing, words)
}
