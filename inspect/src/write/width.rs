//! The width of text on terminals, and shortening it.

use std::borrow::Cow;
use std::fmt;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::plain::is_printable;

/// The number of terminal columns of the text: two for Chinese characters, for example.
pub fn columns(text: &str) -> usize {
    match text.bytes().all(is_printable) {
        true => text.len(),
        false => text.width(),
    }
}

/// A number of blanks. Widths in `format!` end at 65,535, and text of files needs more.
pub struct Blanks(pub usize);

impl Blanks {
    /// The padding after the text in a column of that width.
    pub fn after(text: &str, width: usize) -> Self {
        Blanks(width.saturating_sub(columns(text)))
    }
}

impl fmt::Display for Blanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MANY: &str = "                                                                ";
        let mut left = self.0;
        while let Some(less) = left.checked_sub(MANY.len()) {
            f.write_str(MANY)?;
            left = less;
        }
        f.write_str(MANY.get(..left).unwrap_or_default())
    }
}

/// As much of the text as fits, from its start.
pub fn head(text: &str, most: usize) -> Cow<'_, str> {
    if columns(text) <= most {
        return Cow::Borrowed(text);
    }
    fitting(text.chars(), most.saturating_sub(1)).into_iter().chain(['…']).collect()
}

/// As much of the text as fits, without its middle, which is the least useful part of a path.
pub fn ends(text: &str, most: usize) -> Cow<'_, str> {
    // A character has at most as many columns as bytes.
    if text.len() <= most || columns(text) <= most {
        return Cow::Borrowed(text);
    }
    let left = most.saturating_sub(1);
    let head: String = fitting(text.chars(), left / 2).into_iter().collect();
    let tail = fitting(text.chars().rev(), left - left / 2);
    Cow::Owned(head.chars().chain(['…']).chain(tail.into_iter().rev()).collect())
}

/// As many characters as fit.
fn fitting(letters: impl Iterator<Item = char>, most: usize) -> Vec<char> {
    let mut used = 0;
    letters
        .take_while(|letter| {
            used += letter.width().unwrap_or(0);
            used <= most
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_blanks() {
        for count in [0, 1, 64, 65, 65_536, 100_000] {
            assert_eq!(Blanks(count).to_string(), " ".repeat(count));
        }
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!([columns("abc"), columns("é"), columns("重み"), columns("")], [3, 1, 4, 0]);
        assert_eq!(ends("encoder.lstm.w", 9), "enco…tm.w");
        assert_eq!(ends("重みの行列", 7), "重…列");
        assert_eq!(ends("重み", 4), "重み");
        assert_eq!([head("重みの行列", 6), head("重み", 4)], ["重み…", "重み"]);
    }
}
