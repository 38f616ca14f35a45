//! What speaks for Molecule, which has no types inside: the layouts that the bytes allow.

use fourfold::molecule::{Layout, count_records, layout_of_beginning, layouts};

use crate::formats::{Sample, Standing};

/// The layouts that the bytes allow; of a file that is only begun to be looked at, as far as the first
/// header shows it, or the full sizes of records do.
pub(super) fn evidence(sample: &Sample<'_>) -> (Standing, Vec<String>) {
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
        return (Standing::Unfit, vec!["can be: array or struct".into()]);
    }
    let standing = layouts.iter().map(standing).max().unwrap_or(Standing::Unfit);
    (standing, layouts.iter().map(|layout| format!("can be: {layout}")).collect())
}

/// That any bytes can be an array or a struct is no evidence, and that any can be the one item of a
/// fixvec is none either. A single number that fits is little.
const fn standing(layout: &Layout) -> Standing {
    match layout {
        Layout::Records { .. }
        | Layout::Table { items: 1.., .. }
        | Layout::Union { items: 1.., .. } => Standing::Fits,
        Layout::Empty | Layout::Raw { .. } | Layout::Fixvec { items: 1, .. } => Standing::Unfit,
        _ => Standing::Possible,
    }
}
