//! The evidence for Molecule: the layouts that the bytes allow.

use fourfold::molecule::count_records;

use crate::formats::{Confidence, Sample};
use crate::spans::molecule::{Layout, layout_of_beginning, layouts};

/// The layouts that the bytes allow. For the beginning of a file, only the first header and the full sizes of records are
/// used.
pub(super) fn evidence(sample: &Sample<'_>) -> (Confidence, Vec<String>) {
    let layouts = match sample.is_whole() {
        true => layouts(sample.front),
        false => {
            let count = sample.all.and_then(count_records);
            let records = count.map(|count| Layout::Records { count });
            let begun = || layout_of_beginning(sample.front, sample.all.map(<[u8]>::len));
            records.or_else(begun).into_iter().collect()
        }
    };
    if layouts.is_empty() {
        return (Confidence::Unfit, vec!["can be: array or struct".into()]);
    }
    let confidence = layouts.iter().map(confidence).max().unwrap_or(Confidence::Unfit);
    (confidence, layouts.iter().map(|layout| format!("can be: {layout}")).collect())
}

/// Any bytes can be an array, a struct, or the only item of a fixvec, so these are no evidence. A single number that fits
/// is weak evidence.
const fn confidence(layout: &Layout) -> Confidence {
    match layout {
        Layout::Records { .. }
        | Layout::Table { items: 1.., .. }
        | Layout::Union { items: 1.., .. } => Confidence::Fits,
        Layout::Empty | Layout::Raw { .. } | Layout::Fixvec { items: 1, .. } => Confidence::Unfit,
        _ => Confidence::Possible,
    }
}
