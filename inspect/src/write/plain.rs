//! Text from files, escaped for terminals and HTML, and JSON of such text.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// The text on one line, without characters that move the cursor, change colours or the text direction.
pub fn plain(text: &str) -> Cow<'_, str> {
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

/// Bytes that are mostly text, in the same way. Invalid UTF-8 is escaped, and backslashes are doubled, so that
/// escapes are unambiguous.
pub fn plain_bytes(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(at) = rest.bytes().position(|byte| byte == b'\\' || !is_printable(byte)) {
            let (simple, special) = rest.split_at(at);
            shown.push_str(simple);
            let mut letters = special.chars();
            match letters.next() {
                Some('\\') => shown.push_str("\\\\"),
                Some(letter) if is_harmful(letter) => shown.extend(letter.escape_default()),
                letter => shown.extend(letter),
            }
            rest = letters.as_str();
        }
        shown.push_str(rest);
        shown.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    shown
}

/// Whether a byte is a letter, digit or sign of ASCII, which has one column. Most text of files consists of these.
pub(crate) fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Plain text; two quotes if it is empty.
pub struct OneLine<'a>(pub &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("\"\"");
        }
        f.write_str(&plain(self.0))
    }
}

/// The text as JSON, in which each such character is an escape: JSON readers return the same text.
pub fn quoted(text: &str) -> String {
    let mut bytes = Vec::new();
    // Cannot fail: text is JSON, and a vector grows.
    let _ = write_json(&mut bytes, text);
    String::from_utf8(bytes).unwrap_or_default()
}

/// The value as JSON on one line.
pub fn write_json(out: &mut dyn Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    write_json_as(out, value, CompactFormatter)
}

/// The value as JSON on many lines.
pub fn write_json_lines(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    write_json_as(out, value, PrettyFormatter::new())
}

fn write_json_as(
    out: &mut dyn Write,
    value: &(impl Serialize + ?Sized),
    layout: impl Formatter,
) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, Plain(layout));
    Ok(value.serialize(&mut serializer)?)
}

/// A JSON formatter that escapes more. JSON itself only requires escapes for ASCII's first control characters;
/// terminals act on others, too.
struct Plain<F>(F);

/// `name(arguments);` for each method that is delegated.
macro_rules! delegated {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method<W: ?Sized + Write>(&mut self, out: &mut W $(, $argument: $type)*) -> io::Result<()> {
            self.0.$method(out $(, $argument)*)
        }
    )*};
}

impl<F: Formatter> Formatter for Plain<F> {
    delegated! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        escape(out, fragment)
    }
}

/// Writes text of a JSON string, with escapes for such characters.
pub fn escape<W: ?Sized + Write>(out: &mut W, text: &str) -> io::Result<()> {
    let mut rest = text;
    while let Some(at) = rest.find(is_harmful) {
        let (plain, harmful) = rest.split_at(at);
        out.write_all(plain.as_bytes())?;
        let mut letters = harmful.chars();
        // All of these characters are below U+10000.
        letters.next().map_or(Ok(()), |letter| write!(out, "\\u{:04x}", u32::from(letter)))?;
        rest = letters.as_str();
    }
    out.write_all(rest.as_bytes())
}

fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
                // YAML does not allow these.
                | '\u{fffe}' | '\u{ffff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_escaped_between_text() {
        let shown = plain_bytes(b"a\\b\n\xc3\xa9 c\xff\x1bd\x7f");
        assert_eq!(shown, r"a\\b\né c\xff\u{1b}d\u{7f}");
        assert_eq!([plain_bytes(b""), plain_bytes(b"abc")], ["", "abc"]);
    }
}
