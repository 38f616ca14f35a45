//! Names of tensors as text: bytes that are not text are escaped, and duplicate names get a number.

use std::collections::HashMap;

use crate::write::hex;

/// Bytes as text. Backslashes, control characters, invalid UTF-8 and the characters of `special` are escaped: `\\`,
/// `\x0a`, `\xff`, `\.`.
pub(super) fn escaped(bytes: &[u8], special: &[char]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match u8::try_from(letter) {
                Ok(byte) if byte.is_ascii_control() => text.push_str(&escape(byte)),
                _ if letter == '\\' || special.contains(&letter) => text.extend(['\\', letter]),
                _ => text.push(letter),
            }
        }
        text.extend(chunk.invalid().iter().copied().map(escape));
    }
    text
}

/// The escape of a byte.
fn escape(byte: u8) -> String {
    format!("\\x{}", hex::digits(&[byte]))
}

/// The bytes of parts that were escaped, and joined by `separator`.
///
/// # Errors
///
/// A text for an invalid escape.
pub(super) fn split(text: &str, separator: Option<char>) -> Result<Vec<Vec<u8>>, String> {
    let mut parts = Vec::new();
    let mut part = Vec::new();
    let mut letters = text.chars();
    let mut buffer = [0; 4];
    while let Some(letter) = letters.next() {
        if Some(letter) == separator {
            parts.push(std::mem::take(&mut part));
        } else if letter != '\\' {
            part.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
        } else {
            match letters.next() {
                Some('x') => {
                    let digits: String = letters.by_ref().take(2).collect();
                    match hex::bytes(&digits.to_ascii_lowercase()).as_deref() {
                        Some([byte]) => part.push(*byte),
                        _ => return Err(format!("`\\x{digits}` in the name `{text}`")),
                    }
                }
                Some(letter) if !letter.is_alphanumeric() => {
                    part.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
                }
                other => {
                    let letter = other.map(String::from).unwrap_or_default();
                    return Err(format!("`\\{letter}` in the name `{text}`"));
                }
            }
        }
    }
    parts.push(part);
    Ok(parts)
}

/// The text before the first `mark` that is not escaped, and the text after it.
pub(super) fn cut(text: &str, mark: char) -> (&str, Option<&str>) {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        if letter == mark && !escaped {
            let (before, after) = text.split_at(at);
            return (before, after.strip_prefix(mark));
        }
        escaped = letter == '\\' && !escaped;
    }
    (text, None)
}

/// Makes names unique.
#[derive(Default)]
pub struct Names {
    /// How often each name was used.
    used: HashMap<String, usize>,
}

impl Names {
    /// The name itself, or with the first number that makes it unique: `w~2`.
    pub fn unique(&mut self, name: String) -> String {
        let mut times = self.used.get(&name).copied().unwrap_or(0) + 1;
        let mut unique = name.clone();
        if times > 1 {
            loop {
                unique = format!("{name}~{times}");
                if !self.used.contains_key(&unique) {
                    break;
                }
                times += 1;
            }
            self.used.insert(unique.clone(), 1);
        }
        self.used.insert(name, times);
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_escaped_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [b"".as_slice(), b"a.b", b"\\", b"\\.", b"\xff\xfe", "é:.\\x".as_bytes(), &all]
        {
            let text = escaped(bytes, &['.', ':']);
            assert_eq!(split(&text, Some('.')).unwrap(), [bytes.to_vec()], "{text}");
            assert_eq!(cut(&text, ':'), (text.as_str(), None));
        }
        assert_eq!(escaped(b"a.b\n\xff", &['.']), r"a\.b\x0a\xff");
        assert_eq!(split(r"a.b\.c", Some('.')).unwrap(), [b"a".to_vec(), b"b.c".to_vec()]);
        for wrong in [r"\x", r"\x1", r"\xgg", r"\x+1", r"\n", "\\"] {
            assert!(split(wrong, None).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names = Names::default();
        let names_in_order = ["a", "a~2", "a", "a", "b", "a~2"];
        let unique: Vec<String> =
            names_in_order.iter().map(|name| names.unique((*name).into())).collect();
        assert_eq!(unique, ["a", "a~2", "a~3", "a~4", "b", "a~2~2"]);
    }
}
