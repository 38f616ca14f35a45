//! How wide text is, and text that is made shorter.

/// The width of a letter, in sizes of the font: that of the monospaced fonts that are in use.
const LETTER: f64 = 0.605;

/// As many letters from the start and the end as fit into `most` columns.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let half = most.saturating_sub(1) / 2;
    let fitting = |letters: &mut dyn Iterator<Item = char>| {
        let mut used = 0;
        let mut kept = Vec::new();
        for letter in letters {
            used += wide(letter);
            if used > half {
                break;
            }
            kept.push(letter);
        }
        kept
    };
    let start = fitting(&mut text.chars());
    let mut end = fitting(&mut text.chars().rev());
    end.reverse();
    start.into_iter().chain(['…']).chain(end).collect()
}

/// How wide a text is in a font of that size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    crate::layout::length(columns(text)) * LETTER * size
}

pub(super) fn columns(text: &str) -> usize {
    text.chars().map(wide).sum()
}

/// Scripts beyond Greek, Cyrillic and their neighbours take up to two columns.
fn wide(letter: char) -> usize {
    match u32::from(letter) {
        0..0x0590 | 0x2000..0x2600 => 1,
        _ => 2,
    }
}
