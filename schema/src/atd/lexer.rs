//! ATD text into tokens.

use core::{fmt, mem};

use super::{ErrorKind, Step, wrong_at};
use crate::common::{CommonKind, Cursor, Mark, shortened};

/// What the text is made of; comments and spaces are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name that begins with a small letter or `_`.
    Lower(&'t str),
    /// A name that begins with a capital letter.
    Upper(&'t str),
    /// `'a`, without the quote.
    Parameter(&'t str),
    /// A string: [`Lexer::string`] has its content.
    Text,
    Type,
    Of,
    Inherit,
    Sign(char),
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Lower(name) | Token::Upper(name) => write!(f, "`{}`", shortened(name)),
            Token::Parameter(_) => f.write_str("a type parameter"),
            Token::Text => f.write_str("a string"),
            Token::Type => f.write_str("`type`"),
            Token::Of => f.write_str("`of`"),
            Token::Inherit => f.write_str("`inherit`"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::End => f.write_str("the end"),
        }
    }
}

const SIGNS: &str = "()[]{}<>;,:*|=?~.";

#[derive(Debug)]
pub(super) struct Lexer<'t> {
    cursor: Cursor<'t>,
    /// The content of the last string.
    string: Vec<u8>,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self::of(text, 0)
    }

    /// One of a text among several.
    pub(super) fn of(text: &'t str, number: usize) -> Self {
        Lexer { cursor: Cursor::of(text, number), string: Vec::new() }
    }

    /// The content of the last string, which need not be UTF-8.
    pub(super) fn string(&mut self) -> Vec<u8> {
        mem::take(&mut self.string)
    }

    /// The text after the last token.
    pub(super) fn rest(&self) -> &'t str {
        self.cursor.rest()
    }

    /// The next token, and where it begins.
    pub(super) fn take(&mut self) -> Step<(Token<'t>, Mark)> {
        while self.comment()?.is_some() {}
        let mark = self.cursor.mark();
        let rest = self.cursor.rest();
        let Some(first) = self.cursor.next() else {
            return Ok((Token::End, mark));
        };
        let token = match first {
            '"' => self.text(first, mark)?,
            // Where no name follows, it is a string.
            '\'' if !begins_lower(self.cursor.rest()) => self.text(first, mark)?,
            '\'' => Token::Parameter(self.cursor.take_while(is_part)),
            'A'..='Z' => {
                self.cursor.take_while(is_part);
                Token::Upper(self.cursor.since(mark))
            }
            _ if begins_lower(rest) => {
                self.cursor.take_while(is_part);
                match self.cursor.since(mark) {
                    "type" => Token::Type,
                    "of" => Token::Of,
                    "inherit" => Token::Inherit,
                    name => Token::Lower(name),
                }
            }
            sign if SIGNS.contains(sign) => Token::Sign(sign),
            found => return Err(wrong_at(ErrorKind::Character { found }, mark)),
        };
        Ok((token, mark))
    }

    /// Where the text has been read up to.
    pub(super) fn mark(&self) -> Mark {
        self.cursor.mark()
    }

    /// Steps over blanks, and a comment if that is after them.
    pub(super) fn comment(&mut self) -> Step<Option<(&'t str, Mark)>> {
        loop {
            let rest = self.cursor.rest();
            if rest.starts_with("(*") {
                let start = self.cursor.mark();
                self.skip_comment(start)?;
                return Ok(Some((self.cursor.since(start), start)));
            } else if rest.starts_with([' ', '\t', '\n']) || rest.starts_with("\r\n") {
                self.cursor.next();
            } else {
                return Ok(None);
            }
        }
    }

    /// Steps over a comment: others nest in it, and so do strings in double quotes.
    fn skip_comment(&mut self, start: Mark) -> Step<()> {
        let mut open = 0usize;
        loop {
            if self.cursor.accept("(*") {
                open += 1;
            } else if self.cursor.accept("*)") {
                open -= 1;
                if open == 0 {
                    return Ok(());
                }
            } else {
                let mark = self.cursor.mark();
                match self.cursor.next() {
                    Some('"') => drop(self.text('"', mark)?),
                    Some(_) => {}
                    None => return Err(wrong_at(CommonKind::OpenComment, start)),
                }
            }
        }
    }

    /// Reads what is left of a string that began at `start`.
    fn text(&mut self, quote: char, start: Mark) -> Step<Token<'t>> {
        self.string.clear();
        loop {
            let mark = self.cursor.mark();
            match self.cursor.next() {
                Some('\\') => self.escape(mark)?,
                Some(end) if end == quote => return Ok(Token::Text),
                Some(other) => {
                    let mut bytes = [0; 4];
                    self.string.extend(other.encode_utf8(&mut bytes).as_bytes());
                }
                None => return Err(wrong_at(ErrorKind::OpenString, start)),
            }
        }
    }

    /// Reads what is after the `\` at `mark`.
    fn escape(&mut self, mark: Mark) -> Step<()> {
        let byte = match self.cursor.next() {
            Some('n') => b'\n',
            Some('r') => b'\r',
            Some('t') => b'\t',
            Some('b') => 8,
            Some('\\') => b'\\',
            Some('"') => b'"',
            Some('\'') => b'\'',
            Some(first @ ('x' | '0'..='9')) => {
                let number = match first.to_digit(10) {
                    Some(first) => self.number(first, 10),
                    None => self.number(0, 16),
                };
                number.ok_or_else(|| wrong_at(ErrorKind::Escape, mark))?
            }
            Some('\n') => {
                self.skip_indentation();
                return Ok(());
            }
            Some('\r') if self.cursor.rest().starts_with('\n') => {
                self.cursor.next();
                self.skip_indentation();
                return Ok(());
            }
            _ => return Err(wrong_at(ErrorKind::Escape, mark)),
        };
        self.string.push(byte);
        Ok(())
    }

    /// A line that goes on: its line break and the blanks of the next line are no part of the string.
    fn skip_indentation(&mut self) {
        self.cursor.take_while(|c| matches!(c, ' ' | '\t'));
    }

    /// The byte that two more digits make after `first`.
    fn number(&mut self, first: u32, base: u32) -> Option<u8> {
        let mut number = first;
        for _ in 0..2 {
            number = number * base + self.cursor.next()?.to_digit(base)?;
        }
        u8::try_from(number).ok()
    }
}

/// Whether a name with a small letter begins here. `_` alone is none.
fn begins_lower(text: &str) -> bool {
    let mut chars = text.chars();
    match chars.next() {
        Some('a'..='z') => true,
        Some('_') => chars.next().is_some_and(is_part),
        _ => false,
    }
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '\'')
}
