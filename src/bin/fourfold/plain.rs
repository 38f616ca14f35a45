//! Text that comes out of files, made harmless for terminals and pages.

use std::borrow::Cow;

/// The text on one line, with no character that moves the cursor, changes colours or turns the
/// direction of writing.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match is_harmful(character) {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}
