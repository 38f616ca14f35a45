//! Bytes and texts as the values of spans show them.

use std::fmt::Write as _;

use super::LOOKED_AT;

/// How much of a text or of bytes a value shows, in characters.
pub(super) const SHOWN: usize = 64;

/// Bytes in hexadecimal digits, of which 64 are shown.
pub(super) fn hex(bytes: &[u8]) -> String {
    hex_up_to(bytes, SHOWN)
}

/// The same of so many digits.
pub(super) fn hex_up_to(bytes: &[u8], most: usize) -> String {
    let mut text = String::new();
    for byte in bytes.iter().take(most / 2) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    if bytes.len() > most / 2 {
        let _ = write!(text, "… ({} bytes)", bytes.len());
    }
    text
}

/// Text in quotes and escaped, of which 64 characters are shown; bytes that are not UTF-8 as [`hex`] has them.
pub(super) fn text(bytes: &[u8]) -> String {
    // One character takes at most four bytes, so this many hold all that is shown.
    match beginning(bytes, SHOWN * 4) {
        Some(valid) => quoted(valid, SHOWN, bytes.len()),
        None => hex(bytes),
    }
}

/// So many characters of the text that so many bytes begin with.
pub(super) fn quoted(valid: &str, most: usize, len: usize) -> String {
    let mut shown = String::from("\"");
    shown.extend(valid.chars().take(most).flat_map(char::escape_debug));
    if valid.len() < len || valid.chars().nth(most).is_some() {
        // Writing to a string cannot fail.
        let _ = write!(shown, "…\" ({len} bytes)");
    } else {
        shown.push('"');
    }
    shown
}

/// The text that bytes begin with, of which so many are looked at. `None` if those are no UTF-8.
fn beginning(bytes: &[u8], most: usize) -> Option<&str> {
    let looked_at = bytes.get(..most).unwrap_or(bytes);
    match std::str::from_utf8(looked_at) {
        Ok(text) => Some(text),
        // The last character is cut off.
        Err(error) if error.error_len().is_none() && looked_at.len() < bytes.len() => {
            std::str::from_utf8(looked_at.get(..error.valid_up_to())?).ok()
        }
        Err(_) => None,
    }
}

/// Whether bytes are UTF-8 without control characters but line breaks and tabs. Of many bytes, only the first
/// 2<sup>20</sup> count.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let is_shown = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    beginning(bytes, LOOKED_AT).is_some_and(|text| text.chars().all(is_shown))
}
