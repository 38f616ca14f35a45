//! Tokens of the notation.

use super::{Error, ErrorKind, Result};

/// A word or sign, and where it is in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Lexeme<'t>,
    pub(super) offset: usize,
    /// Its text; empty at the end.
    pub(super) text: &'t str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lexeme<'t> {
    Name(&'t str),
    Number(i64),
    Sign(&'static str),
    End,
}

/// Longer ones first: `:=` is no `:`.
const SIGNS: [&str; 15] =
    [":=", "<", ">", "[", "]", "(", ")", "*", ":", ";", "$", ".", "+", "-", "/"];

/// What is left of a text.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'t> {
    rest: &'t str,
    offset: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut tokens = Tokens { rest: text, offset: 0 };
        // What some editors put before a text.
        tokens.take(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 });
        tokens
    }

    /// The next word or sign; `End` again and again after the last.
    pub(super) fn next(&mut self) -> Result<Token<'t>> {
        self.skip_blanks();
        let offset = self.offset;
        let Some(first) = self.rest.chars().next() else {
            return Ok(Token { kind: Lexeme::End, offset, text: "" });
        };
        let (kind, text) = if first.is_ascii_digit() {
            let digits = self.take_while(|c| c.is_ascii_digit());
            let number =
                digits.parse().map_err(|_| Error::at(ErrorKind::NumberTooLarge, offset))?;
            (Lexeme::Number(number), digits)
        } else if first.is_alphabetic() || first == '_' {
            let name = self.take_while(|c| c.is_alphanumeric() || c == '_');
            (Lexeme::Name(name), name)
        } else {
            let sign = SIGNS.into_iter().find(|sign| self.rest.starts_with(sign));
            let sign =
                sign.ok_or_else(|| Error::at(ErrorKind::Character { found: first }, offset))?;
            (Lexeme::Sign(sign), self.take(sign.len()))
        };
        Ok(Token { kind, offset, text })
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        self.take(self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len()))
    }

    fn take(&mut self, len: usize) -> &'t str {
        let (head, tail) = self.rest.split_at_checked(len).unwrap_or((self.rest, ""));
        self.rest = tail;
        self.offset += head.len();
        head
    }
}
