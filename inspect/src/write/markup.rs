//! Text between the tags of HTML, SVG and other XML, or in attribute values.

use std::fmt::{self, Display, Write as _};

/// The escaped text. Characters that XML does not allow become blanks.
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' => f.write_char('\n')?,
                '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char(' ')?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(Escaped("a<b>&\"'\n\0é").to_string(), "a&lt;b&gt;&amp;&quot;&#39;\n é");
    }
}
