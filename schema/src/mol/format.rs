//! Formats the text of a schema, and keeps all comments.

use core::mem;

use super::declare::Source;
use super::{Error, Result, comment};
use crate::common::{CommonKind, Cursor};

/// Writes a `.mol` text in one form: one field or item a line, four blanks before it, one blank between words, an
/// empty line after `}`.
///
/// Everything else stays: the order, imports, and all comments, in the line of what they follow now or in lines of their
/// own. Of several empty lines one is left.
///
/// ```
/// use fourfold_schema::mol::format;
///
/// let text = "// A log.\ntable   Log{id :Id, // its number\n}array Id[byte;4] ;";
/// assert_eq!(
///     format(text)?,
///     "// A log.\ntable Log {\n    id: Id, // its number\n}\n\narray Id [byte; 4];\n",
/// );
/// # Ok::<(), fourfold_schema::mol::Error>(())
/// ```
///
/// # Errors
///
/// What the grammar refuses. Types may be undeclared: they may be imported.
pub fn format(text: &str) -> Result<String> {
    Source::new(None, text)?;
    let mut pieces = Pieces { cursor: Cursor::new(text) };
    let mut output = Output::default();
    loop {
        match pieces.next() {
            Ok(Some(piece)) => output.put(&piece),
            Ok(None) => return Ok(output.finish()),
            // What has been parsed has no such comment.
            Err(comment::Open) => return Err(Error::placeless(CommonKind::OpenComment)),
        }
    }
}

/// A word, a sign, or a comment.
struct Piece<'t> {
    text: &'t str,
    is_comment: bool,
    /// How many line breaks are before it.
    breaks: u32,
}

impl Piece<'_> {
    /// Whether nothing else can be after it in its line.
    fn ends_line(&self) -> bool {
        self.is_comment && !self.text.starts_with("/*")
    }
}

struct Pieces<'t> {
    cursor: Cursor<'t>,
}

impl<'t> Pieces<'t> {
    fn next(&mut self) -> core::result::Result<Option<Piece<'t>>, comment::Open> {
        let line = self.cursor.mark().line;
        self.cursor.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
        let breaks = self.cursor.mark().line.saturating_sub(line);
        if let Some(text) = comment::take(&mut self.cursor)? {
            return Ok(Some(Piece { text: text.trim_end(), is_comment: true, breaks }));
        }
        let start = self.cursor.mark();
        while self.is_word() {
            self.cursor.next();
        }
        if self.cursor.mark() == start {
            self.cursor.next();
        }
        let text = self.cursor.since(start);
        Ok((!text.is_empty()).then_some(Piece { text, is_comment: false, breaks }))
    }

    /// Whether a word or a path goes on.
    fn is_word(&self) -> bool {
        let rest = self.cursor.rest();
        match rest.starts_with('/') {
            true => !rest.starts_with("//") && !rest.starts_with("/*"),
            false => {
                rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
            }
        }
    }
}

/// What is written so far.
#[derive(Default)]
struct Output {
    text: String,
    /// How many braces and brackets are open.
    braces: usize,
    brackets: usize,
    /// The last word or sign.
    last: String,
    /// Whether a declaration or member has begun and not ended.
    is_inside: bool,
    /// Whether what comes next has a line of its own.
    breaks: bool,
    /// Whether the last piece was a comment.
    is_after_comment: bool,
    /// Whether a brace has been closed in this line.
    is_after_brace: bool,
}

impl Output {
    fn put(&mut self, piece: &Piece<'_>) {
        match piece.is_comment {
            true => self.comment(piece),
            false => self.word(piece),
        }
    }

    fn comment(&mut self, piece: &Piece<'_>) {
        let is_trailing = piece.breaks == 0 && !self.text.is_empty() && !self.text.ends_with('\n');
        match is_trailing {
            true => self.text.push(' '),
            false => {
                self.line(piece.breaks, false);
                self.breaks = false;
            }
        }
        self.text.push_str(piece.text);
        self.breaks |= piece.ends_line();
        self.is_after_comment = true;
    }

    fn word(&mut self, piece: &Piece<'_>) {
        let text = piece.text;
        if text == "}" {
            self.braces = self.braces.saturating_sub(1);
            self.is_inside = false;
            self.breaks = self.last != "{" || self.is_after_comment;
        }
        let is_own_line = self.breaks || (self.is_after_comment && piece.breaks > 0);
        match is_own_line {
            true => self.line(piece.breaks, text == "}"),
            false if self.is_spaced(text) => self.text.push(' '),
            false => {}
        }
        self.text.push_str(text);
        self.after(text);
    }

    /// Notes what a word or sign begins and ends.
    fn after(&mut self, text: &str) {
        match text {
            "[" | "(" | "<" => self.brackets += 1,
            "]" | ")" | ">" => self.brackets = self.brackets.saturating_sub(1),
            "{" => self.braces += 1,
            _ => {}
        }
        let ends = match text {
            ";" => self.brackets == 0,
            "," | "{" | "}" => true,
            _ => false,
        };
        (self.breaks, self.is_inside, self.is_after_comment) = (ends, !ends, false);
        self.is_after_brace = text == "}";
        self.last.clear();
        self.last.push_str(text);
    }

    /// Whether a blank is before a word or sign.
    fn is_spaced(&self, text: &str) -> bool {
        let is_first = self.text.is_empty() || self.text.ends_with('\n');
        // A comment keeps its distance.
        let is_tight = match self.is_after_comment {
            true => text == "}",
            false => {
                matches!(text, ";" | "," | ":" | "]" | ">" | ")" | "}")
                    || matches!(&*self.last, "[" | "<" | "(")
            }
        };
        !is_first && !is_tight
    }

    /// Begins a line, after an empty one where there was one, or one has to be.
    fn line(&mut self, breaks: u32, is_end: bool) {
        if self.text.is_empty() {
            return;
        }
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
        let is_after_brace = mem::take(&mut self.is_after_brace);
        let is_within = self.last == "{" && !self.is_after_comment;
        if (breaks > 1 || is_after_brace) && !is_within && !is_end {
            self.text.push('\n');
        }
        let levels = self.braces + usize::from(self.is_inside);
        (0..levels).for_each(|_| self.text.push_str("    "));
    }

    fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        self.text.push('\n');
        mem::take(&mut self.text)
    }
}
