//! Bytes as hexadecimal digits.

use std::fmt::Write as _;

pub(crate) fn digits(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// `None` unless the digits are lower case and two per byte.
pub(crate) fn bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?)).collect()
}

fn digit(letter: u8) -> Option<u8> {
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
    fn digits_are_read_back() {
        assert_eq!(digits(&[0, 0x7f, 0xff]), "007fff");
        assert_eq!(bytes("007fff"), Some(vec![0, 0x7f, 0xff]));
        assert_eq!(bytes(""), Some(vec![]));
        assert!(["0", "0g", "FF", "é"].iter().all(|text| bytes(text).is_none()));
    }
}
