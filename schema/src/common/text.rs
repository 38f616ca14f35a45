//! A cursor over text, with line and column.

use core::fmt;

/// A place in a text, counted from its beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Bytes before it.
    pub(crate) offset: usize,
    /// The line and the character in it, both from 1.
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Which of the texts of a schema it is in, from 0.
    pub(crate) text: usize,
}

/// What is left of a text.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    text: &'t str,
    rest: &'t str,
    line: u32,
    column: u32,
    number: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self::of(text, 0)
    }

    /// One in a text of several, which has that number.
    pub(crate) fn of(text: &'t str, number: usize) -> Self {
        Cursor { text, rest: text, line: 1, column: 1, number }
    }

    /// Where it is.
    pub(crate) fn mark(&self) -> Mark {
        let offset = self.text.len() - self.rest.len();
        Mark { offset, line: self.line, column: self.column, text: self.number }
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'t str {
        self.rest
    }

    /// The text from `start` up to here.
    pub(crate) fn since(&self, start: Mark) -> &'t str {
        self.text.get(start.offset..self.mark().offset).unwrap_or_default()
    }

    /// Steps over the next character.
    pub(crate) fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next()?;
        self.rest = chars.as_str();
        match next {
            '\n' => (self.line, self.column) = (self.line.saturating_add(1), 1),
            _ => self.column = self.column.saturating_add(1),
        }
        Some(next)
    }

    /// Steps over `text` if that is next. It has no line breaks.
    pub(crate) fn accept(&mut self, text: &str) -> bool {
        let is_next = self.rest.starts_with(text);
        if is_next {
            text.chars().for_each(|_| _ = self.next());
        }
        is_next
    }

    /// Steps over all characters that are so.
    pub(crate) fn take_while(&mut self, is_so: impl Fn(char) -> bool) -> &'t str {
        let start = self.mark();
        while self.rest.starts_with(&is_so) {
            self.next();
        }
        self.since(start)
    }

    /// The line of `mark`.
    pub(crate) fn line(&self, mark: Mark) -> &'t str {
        let (before, after) = self.text.split_at_checked(mark.offset).unwrap_or((self.text, ""));
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let end = mark.offset + after.find('\n').unwrap_or(after.len());
        self.text.get(start..end).unwrap_or_default().trim_end_matches('\r')
    }

    /// What is next, for an error: a word, another character, or the end.
    pub(crate) fn found(&self) -> String {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        match self.rest.chars().next() {
            None => "the end".to_owned(),
            Some(first) if is_word(first) => {
                format!("`{}`", shortened(self.clone().take_while(is_word)))
            }
            Some(sign) if sign.is_ascii_graphic() => format!("`{sign}`"),
            Some(sign) => format!("{sign:?}"),
        }
    }
}

/// So many characters of a name are shown.
const LONGEST_NAME: usize = 64;

/// A name for an error: of a long one the beginning.
pub(crate) fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// Writes items with a line break between each two.
pub(crate) fn write_lines(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = impl fmt::Display>,
) -> fmt::Result {
    let mut between = "";
    for item in items {
        write!(f, "{between}{item}")?;
        between = "\n";
    }
    Ok(())
}
