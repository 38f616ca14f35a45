//! Files of hexadecimal digits, the form in which block explorers and CKB's RPC show bytes.

use std::path::Path;

use clap::Args;
use fourfold_inspect::formats::{hex_digits, is_hex_text};
use fourfold_inspect::write::hex;

use crate::failure::{Failure, warn};
use crate::input::{self, Input};
use crate::output;

/// The option of subcommands that read bytes.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Hex {
    /// The input is text in hexadecimal digits, such as `0x7f00`. Quotes around them, and blanks and line breaks
    /// between them, are ignored.
    #[arg(long)]
    hex: bool,
}

impl Hex {
    /// Opens a file, or standard input for `-`, whose format will be detected: detection reports hex text.
    pub(crate) fn open(self, path: &Path) -> Result<Input, Failure> {
        self.bytes_of(input::open(path)?)
    }

    /// The same for a file whose format may be known: if so, this function warns of hex text.
    pub(crate) fn open_as(self, path: &Path, is_known: bool) -> Result<Input, Failure> {
        let input = input::open(path)?;
        if is_known && !self.hex && is_hex_text(&input.bytes) {
            warn(&format!("{}: this is hex text; use --hex to read its bytes", input.name));
        }
        self.bytes_of(input)
    }

    /// Opens the bytes that detection needs, and returns whether more follow them.
    pub(crate) fn look(self, path: &Path) -> Result<(Input, bool), Failure> {
        match self.hex {
            true => Ok((self.open(path)?, false)),
            false => input::look(path),
        }
    }

    /// The option for output only.
    pub(crate) const fn writing(hex: bool) -> Self {
        Hex { hex }
    }

    pub(crate) const fn is_given(self) -> bool {
        self.hex
    }

    /// The bytes of the input, decoded if requested.
    fn bytes_of(self, input: Input) -> Result<Input, Failure> {
        if !self.hex {
            return Ok(input);
        }
        match bytes(&input.bytes) {
            Ok(bytes) => Ok(Input { bytes: bytes.into(), ..input }),
            Err(text) => Err(Failure::data(&input.name, text)),
        }
    }

    /// Writes bytes, as hex digits if requested.
    pub(crate) fn save(self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        match self.hex {
            true => output::save(path, format!("0x{}\n", hex::digits(bytes)).as_bytes()),
            false => output::save(path, bytes),
        }
    }
}

/// Decodes hex digits.
fn bytes(text: &[u8]) -> Result<Vec<u8>, String> {
    let trimmed = text.trim_ascii();
    // RPC responses have quotes.
    let quoted = trimmed.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
    let digits = quoted.unwrap_or(trimmed).trim_ascii_start();
    let digits = hex_digits(digits).unwrap_or(digits);
    let start = digits.as_ptr().addr() - text.as_ptr().addr();
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    let mut high = None;
    for (at, letter) in digits.iter().enumerate().filter(|(_, it)| !it.is_ascii_whitespace()) {
        let Some(digit) = hex::digit(letter.to_ascii_lowercase()) else {
            let letter = char::from(*letter);
            return Err(format!("{letter:?} is not a hexadecimal digit at byte {}", start + at));
        };
        match high.take() {
            Some(high) => bytes.push(high << 4 | digit),
            None => high = Some(digit),
        }
    }
    match high {
        Some(_) => {
            Err(format!("{} hexadecimal digits: the last byte has only one", bytes.len() * 2 + 1))
        }
        None => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_decoded_and_blanks_between_them_are_ignored() {
        for text in ["0x7f00ff", "7F00FF", " 0X7f 00\nff\r\n", "0x7\nf00f f"] {
            assert_eq!(bytes(text.as_bytes()).unwrap(), [0x7f, 0, 0xff], "{text}");
            assert_eq!(
                bytes(format!(" \"{text}\"\n").as_bytes()).unwrap(),
                [0x7f, 0, 0xff],
                "{text}"
            );
        }
        for nothing in ["", " ", "0x", "\"\"", "\"0x\""] {
            assert!(bytes(nothing.as_bytes()).unwrap().is_empty(), "{nothing}");
        }
        assert_eq!(bytes(b" \"0x7g\"").unwrap_err(), "'g' is not a hexadecimal digit at byte 5");
        for (text, at) in [("\"0x7f", 0), ("0x7f\"", 4), ("\"", 0), ("\"7f\"7f\"", 3)] {
            let expected = format!("'\"' is not a hexadecimal digit at byte {at}");
            assert_eq!(bytes(text.as_bytes()).unwrap_err(), expected, "{text}");
        }
        assert_eq!(bytes(b" 0x7g").unwrap_err(), "'g' is not a hexadecimal digit at byte 4");
        assert_eq!(bytes(b"7f0").unwrap_err(), "3 hexadecimal digits: the last byte has only one");
    }
}
