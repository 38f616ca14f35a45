//! Bytes as hexadecimal digits.

use std::fmt::Write as _;

pub fn digits(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The first bytes, `most` cells at most; the last cell is an ellipsis if there are more.
pub fn cells(bytes: &[u8], most: usize) -> String {
    let shown = if bytes.len() > most { most.saturating_sub(1) } else { bytes.len() };
    let mut cells = String::with_capacity(3 * (shown + 1));
    for byte in bytes.iter().take(shown) {
        let space = if cells.is_empty() { "" } else { " " };
        let _ = write!(cells, "{space}{byte:02x}");
    }
    if shown < bytes.len() {
        cells.push_str(if cells.is_empty() { "…" } else { " …" });
    }
    cells
}

/// `None` unless the digits are lower case and two per byte.
pub fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?)).collect()
}

/// The value of a digit in lower case.
pub fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_bytes_are_cut() {
        assert_eq!([cells(&[0x9d, 0x0b], 2), cells(&[1, 2, 3], 2)], ["9d 0b", "01 …"]);
    }

    #[test]
    fn digits_are_read_back() {
        assert_eq!(digits(&[0, 0x7f, 0xff]), "007fff");
        assert_eq!(bytes("007fff"), Some(vec![0, 0x7f, 0xff]));
        assert_eq!(bytes(""), Some(vec![]));
        assert!(["0", "0g", "FF", "é"].iter().all(|text| bytes(text).is_none()));
    }
}
