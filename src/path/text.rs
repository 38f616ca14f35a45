//! The text of a path, both ways.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use super::Segment;
use crate::hexadecimal;

/// What is wrong with a path, and where in its text.
///
/// ```
/// use fourfold::Path;
///
/// let error = Path::new("cells[3]x").unwrap_err();
/// assert_eq!(error.offset(), Some(8));
/// assert_eq!(error.to_string(), "a dot or bracket is missing at byte 8 of the path");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}{}", Place(*.at))]
pub struct PathError {
    error: Cow<'static, str>,
    at: Option<usize>,
}

impl PathError {
    /// An error at a byte of the text, or at none of them.
    #[cold]
    #[must_use]
    pub fn new(error: impl Into<Cow<'static, str>>, at: impl Into<Option<usize>>) -> Self {
        PathError { error: error.into(), at: at.into() }
    }

    /// Which byte of the text is wrong: the first one of the step. `None` where it is none of them.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.at
    }
}

/// The end of a sentence.
struct Place(Option<usize>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(at) => write!(f, " at byte {at} of the path"),
            None => Ok(()),
        }
    }
}

/// Whether a name without quotes would be read as something else.
fn needs_quotes(name: &str) -> bool {
    let is_odd = |c: char| c.is_control() || matches!(c, '.' | '[' | ']' | '"' | '…');
    name.bytes().all(|byte| byte.is_ascii_digit()) || name.contains(is_odd)
}

/// Writes a name, in quotes if need be.
pub(super) fn write_name(name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !needs_quotes(name) {
        return f.write_str(name);
    }
    f.write_char('"')?;
    name.chars().try_for_each(|c| match c {
        '"' | '\\' => write!(f, "\\{c}"),
        _ if c.is_control() => write!(f, "{}", c.escape_default()),
        _ => f.write_char(c),
    })?;
    f.write_char('"')
}

/// The segments of a text, outermost first, and the byte where each begins.
pub(crate) fn parse(text: &str) -> Result<Vec<(Segment, usize)>, PathError> {
    let mut text = Text { text, at: 0 };
    let mut segments = Vec::new();
    while !text.rest().is_empty() {
        let at = text.at;
        let segment = match text.take('[') {
            true => text.index()?,
            // A path may begin with a dot.
            false if text.take('.') || segments.is_empty() => text.name()?,
            false => return Err(PathError::new("a dot or bracket is missing", at)),
        };
        segments.push((segment, at));
    }
    Ok(segments)
}

struct Text<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Text<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, sign: char) -> bool {
        let is_there = self.rest().starts_with(sign);
        if is_there {
            self.at += sign.len_utf8();
        }
        is_there
    }

    /// Takes the text up to one of the characters, or all that is left.
    fn until(&mut self, is_end: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(is_end).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// The rest of `[5]`.
    fn index(&mut self) -> Result<Segment, PathError> {
        let at = self.at;
        let digits = self.until(|c| !c.is_ascii_digit());
        if digits.is_empty() {
            return Err(PathError::new("a number is missing between brackets", at));
        }
        let index = number(digits, at)?;
        match self.take(']') {
            true => Ok(Segment::Index(index)),
            false => Err(PathError::new("the bracket `]` is missing", self.at)),
        }
    }

    /// A name, or the number of a field without one.
    fn name(&mut self) -> Result<Segment, PathError> {
        let at = self.at;
        if self.take('"') {
            return self.quoted(at).map(|name| Segment::Field(name.into()));
        }
        let name = self.until(|c| matches!(c, '.' | '['));
        let odd = name.char_indices().find(|(_, c)| matches!(c, ']' | '"' | '…') || c.is_control());
        match (name, odd) {
            ("", _) => Err(PathError::new("a name or number is missing", at)),
            (_, Some((inside, '…'))) => {
                let error = "`…` replaces omitted segments: a path needs all of them";
                Err(PathError::new(error, at + inside))
            }
            (_, Some((inside, _))) => {
                let error = "a name with quotes, brackets or control characters needs quotes";
                Err(PathError::new(error, at + inside))
            }
            (name, None) if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                number(name, at).map(Segment::Slot)
            }
            (name, None) => Ok(Segment::Field(Cow::Owned(name.into()))),
        }
    }

    /// The rest of a name in quotes, which begin at `start`.
    fn quoted(&mut self, start: usize) -> Result<String, PathError> {
        let mut name = String::new();
        loop {
            name.push_str(self.until(|c| matches!(c, '"' | '\\')));
            if self.take('"') {
                return Ok(name);
            }
            let at = self.at;
            if !self.take('\\') {
                return Err(PathError::new("the quotes have no end", start));
            }
            let escaped = self.escaped();
            name.push(escaped.ok_or_else(|| PathError::new("no character has this escape", at))?);
        }
    }

    /// The character after a backslash.
    fn escaped(&mut self) -> Option<char> {
        let sign = self.rest().chars().next()?;
        self.at += sign.len_utf8();
        Some(match sign {
            '"' | '\\' | '\'' => sign,
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let digits = self.rest().strip_prefix('{')?.split_once('}')?.0;
                self.at += digits.len() + "{}".len();
                char::from_u32(u32::from_str_radix(hexadecimal::digits(digits)?, 16).ok()?)?
            }
            _ => return None,
        })
    }
}

fn number(digits: &str, at: usize) -> Result<usize, PathError> {
    digits.parse().map_err(|_| PathError::new("the number is too large", at))
}
