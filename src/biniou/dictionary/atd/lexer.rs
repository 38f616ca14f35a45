//! ATD text into tokens. Knows characters, does not know the grammar.

use alloc::format;
use core::fmt;

use super::fault;
use crate::biniou::Result;

/// What the text is made of; comments and spaces are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name that begins with a small letter or `_`.
    Lower(&'t str),
    /// A name that begins with a capital letter.
    Upper(&'t str),
    /// `'a`
    Parameter,
    /// A string. Its content is not needed.
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
            Token::Lower(name) | Token::Upper(name) => write!(f, "`{name}`"),
            Token::Parameter => f.write_str("a type parameter"),
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

pub(super) struct Lexer<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Lexer { rest: text, line: 1 }
    }

    /// The next token, and the line it begins in.
    pub(super) fn take(&mut self) -> Result<(Token<'t>, usize)> {
        self.skip_blanks()?;
        let line = self.line;
        let start = self.rest;
        let Some(first) = self.next() else {
            return Ok((Token::End, line));
        };
        let token = match first {
            '"' => self.string(first, line)?,
            // Where no letter follows, it is a string.
            '\'' if !self.rest.starts_with(begins_lower) => self.string(first, line)?,
            '\'' => {
                self.skip_name();
                Token::Parameter
            }
            'A'..='Z' => Token::Upper(self.name(start)),
            first if begins_lower(first) => match self.name(start) {
                "type" => Token::Type,
                "of" => Token::Of,
                "inherit" => Token::Inherit,
                name => Token::Lower(name),
            },
            sign if SIGNS.contains(sign) => Token::Sign(sign),
            other => return Err(fault(format!("no token begins with {other:?}"), line)),
        };
        Ok((token, line))
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next()?;
        self.rest = chars.as_str();
        if next == '\n' {
            self.line += 1;
        }
        Some(next)
    }

    fn accept(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            if self.accept("(*") {
                self.comment()?;
            } else if self.rest.starts_with([' ', '\t', '\r', '\n']) {
                self.next();
            } else {
                return Ok(());
            }
        }
    }

    /// Steps over what is left of a comment: others nest in it, and so do strings.
    fn comment(&mut self) -> Result<()> {
        let start = self.line;
        let mut open = 1usize;
        while open > 0 {
            if self.accept("(*") {
                open += 1;
            } else if self.accept("*)") {
                open -= 1;
            } else {
                match self.next() {
                    Some('"') => drop(self.string('"', self.line)?),
                    Some(_) => {}
                    None => return Err(fault("comment without an end", start)),
                }
            }
        }
        Ok(())
    }

    /// Steps over what is left of a string.
    fn string(&mut self, quote: char, start: usize) -> Result<Token<'t>> {
        loop {
            match self.next() {
                Some('\\') => drop(self.next()),
                Some(end) if end == quote => return Ok(Token::Text),
                Some(_) => {}
                None => return Err(fault("string without an end", start)),
            }
        }
    }

    /// The name that `start` begins with, of which one character has been taken.
    fn name(&mut self, start: &'t str) -> &'t str {
        self.skip_name();
        start.get(..start.len() - self.rest.len()).unwrap_or_default()
    }

    fn skip_name(&mut self) {
        let is_part = |other: char| other.is_ascii_alphanumeric() || matches!(other, '_' | '\'');
        self.rest = self.rest.trim_start_matches(is_part);
    }
}

fn begins_lower(first: char) -> bool {
    matches!(first, 'a'..='z' | '_')
}
