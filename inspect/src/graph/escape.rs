//! Escapes for characters that a font cannot draw.

use std::collections::BTreeSet;

use super::picture::{Card, MOST_COLUMNS, Picture};
use crate::write::width::columns;

/// Replaces these characters in the title and the text of the boxes by escapes such as `\u{4e2d}`. Tooltips are not changed.
pub fn escape(picture: &mut Picture, missing: &BTreeSet<char>) {
    let Picture { title, summary, .. } = picture;
    for text in [title, summary] {
        *text = escaped(text, missing, usize::MAX);
    }
    picture.cards.iter_mut().for_each(|card| escape_card(card, missing));
}

fn escape_card(card: &mut Card, missing: &BTreeSet<char>) {
    let lines = card.attribute_lines.iter_mut().chain(&mut card.weight_lines);
    let lines = lines.chain([&mut card.head, &mut card.name]).map(|line| &mut line.text);
    for text in lines.chain([&mut card.output]) {
        if text.chars().any(|letter| missing.contains(&letter)) {
            *text = escaped(text, missing, MOST_COLUMNS);
        }
    }
    card.stacked.iter_mut().for_each(|card| escape_card(card, missing));
}

/// The text with escapes, shortened in the middle if it is too wide then. No escape is cut.
fn escaped(text: &str, missing: &BTreeSet<char>, most: usize) -> String {
    let escape = |letter: char| match missing.contains(&letter) {
        true if letter == '…' => "...".to_owned(),
        true => letter.escape_unicode().to_string(),
        false => letter.into(),
    };
    let pieces: Vec<String> = text.chars().map(escape).collect();
    if pieces.iter().map(|piece| columns(piece)).sum::<usize>() <= most {
        return pieces.concat();
    }
    let between = escape('…');
    let most = most - columns(&between);
    let fitting = |pieces: &mut dyn Iterator<Item = &String>, most: usize| {
        let mut used = 0;
        let fits = |piece: &&String| {
            used += columns(piece);
            used <= most
        };
        pieces.take_while(fits).cloned().collect::<Vec<_>>()
    };
    let head = fitting(&mut pieces.iter(), most / 2);
    let mut tail = fitting(&mut pieces.iter().rev(), most - most / 2);
    tail.reverse();
    [head.concat(), between, tail.concat()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_missing_characters_are_escaped() {
        let missing = BTreeSet::from(['中']);
        assert_eq!(escaped("a中b文", &missing, MOST_COLUMNS), "a\\u{4e2d}b文");
    }

    #[test]
    fn long_texts_lose_their_middle_and_no_escape_is_cut() {
        let missing = BTreeSet::from(['中', '…']);
        let text = escaped(&"中".repeat(40), &missing, MOST_COLUMNS);
        assert_eq!(text, format!("{0}...{0}", "\\u{4e2d}".repeat(2)));
        assert!(columns(&text) <= MOST_COLUMNS);
    }
}
