//! A text of the language in one form, with all its comments.

use super::lexer::{Lexer, Token};
use super::schema::{Error, Result, Schema};
use crate::common::Mark;

/// Writes an `.atd` text in one form, that of [`Schema`]'s `Display`: annotations and comments stay, other blanks and
/// line breaks do not.
///
/// A comment after something in its line stays after it. One in a line of its own has one again, where the form
/// begins a line there. Between definitions, one of several empty lines around a comment is left.
///
/// ```
/// use fourfold_schema::atd::format;
///
/// assert_eq!(format("type t={x:int}")?, "type t = {\n  x : int;\n}\n");
/// assert_eq!(
///     format("(* all *)\ntype t={x:int (* one *)\n(* no more *)}")?,
///     "(* all *)\ntype t = {\n  x : int; (* one *)\n  (* no more *)\n}\n",
/// );
/// # Ok::<(), fourfold_schema::atd::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`Schema::parse`].
pub fn format(text: &str) -> Result<String> {
    let form = Schema::parse(text)?.to_string();
    let (written, shown) = (Words::of(text)?, Words::of(&form)?);
    let mut page = Page { form: &form, words: &shown.words, text: String::new(), done: 0 };
    let pairs = pairs(&written.words, &shown.words);
    for run in written.comments.chunk_by(|one, two| one.next == two.next && !two.is_after_empty) {
        page.run(run, &pairs);
    }
    page.copy(form.len());
    Ok(page.text)
}

/// A word, sign or string of a text.
struct Word<'t> {
    token: Token<'t>,
    /// What is in a string.
    string: Vec<u8>,
    start: usize,
    end: usize,
}

impl Word<'_> {
    /// Whether texts with and without it mean the same in some places.
    fn is_optional(&self) -> bool {
        matches!(self.token, Token::Sign('|' | ';' | '*' | ':'))
    }
}

struct Comment<'t> {
    text: &'t str,
    /// Which word comes next.
    next: usize,
    /// Whether it has begun a line, an empty line is above it, or one below it.
    is_own_line: bool,
    is_after_empty: bool,
    is_above_empty: bool,
}

#[derive(Default)]
struct Words<'t> {
    words: Vec<Word<'t>>,
    comments: Vec<Comment<'t>>,
}

impl<'t> Words<'t> {
    /// The words and comments of a text that has been read before.
    fn of(text: &'t str) -> Result<Self> {
        let refused = |wrong: super::Wrong| Error::placeless(wrong.0);
        let mut lexer = Lexer::new(text);
        let mut all = Words::default();
        loop {
            let mut line = lexer.mark().line;
            let first = all.comments.len();
            while let Some((text, Mark { line: start, .. })) = lexer.comment().map_err(refused)? {
                let breaks = start.saturating_sub(line);
                if let Some(last) = all.comments.get_mut(first..).and_then(<[_]>::last_mut) {
                    last.is_above_empty = breaks > 1;
                }
                all.comments.push(Comment {
                    text,
                    next: all.words.len(),
                    is_own_line: breaks > 0 || all.words.is_empty(),
                    is_after_empty: breaks > 1,
                    is_above_empty: false,
                });
                line = lexer.mark().line;
            }
            let (token, mark) = lexer.take().map_err(refused)?;
            if let Some(last) = all.comments.get_mut(first..).and_then(<[_]>::last_mut) {
                last.is_above_empty = mark.line.saturating_sub(line) > 1;
            }
            if token == Token::End {
                return Ok(all);
            }
            let (start, end) = (mark.offset, lexer.mark().offset);
            // Comments have strings, too.
            let string = if token == Token::Text { lexer.string() } else { Vec::new() };
            all.words.push(Word { token, string, start, end });
        }
    }
}

/// Of each word of a text, the one of its form. Signs that mean nothing are in one of them only.
fn pairs(text: &[Word<'_>], form: &[Word<'_>]) -> Vec<Option<usize>> {
    let mut pairs = Vec::new();
    let mut at = 0;
    for word in text {
        let is_same =
            |other: &Word<'_>| (&other.token, &other.string) == (&word.token, &word.string);
        // A sign of the form is passed over for one of the text only if that is there.
        let passed = form
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|other| !is_same(other) && other.is_optional() && !word.is_optional());
        let there = at + passed.count();
        let is_there = form.get(there).is_some_and(is_same);
        pairs.push(is_there.then_some(there));
        if is_there {
            at = there + 1;
        }
    }
    pairs
}

/// A form, with the comments that have been put into it.
struct Page<'f, 't> {
    form: &'f str,
    words: &'f [Word<'t>],
    text: String,
    /// How much of the form is in the text.
    done: usize,
}

impl Page<'_, '_> {
    /// Copies the form up to there.
    fn copy(&mut self, end: usize) {
        let end = end.max(self.done);
        self.text.push_str(self.form.get(self.done..end).unwrap_or_default());
        self.done = end;
    }

    /// Puts comments into the form that have no empty line between them.
    fn run(&mut self, run: &[Comment<'_>], pairs: &[Option<usize>]) {
        let Some(next) = run.first().map(|comment| comment.next) else { return };
        let (before, after) = pairs.split_at_checked(next).unwrap_or((pairs, &[]));
        let before = before.iter().rev().find_map(|pair| *pair);
        let after = after.iter().find_map(|pair| *pair);
        let count = run.iter().take_while(|comment| !comment.is_own_line).count();
        let (beside, own) = run.split_at_checked(count).unwrap_or((run, &[]));
        beside.iter().for_each(|comment| self.beside(comment, before));
        if own.is_empty() {
            return;
        }
        match after.map(|word| self.line_of(word)) {
            None => self.at_end(own),
            Some(None) => own.iter().for_each(|comment| self.beside(comment, before)),
            Some(Some(line)) => self.above(own, line, before),
        }
    }

    /// The line of the form that a word begins, but for signs that the text does not have.
    fn line_of(&self, word: usize) -> Option<usize> {
        let start = self.words.get(word)?.start;
        let line = self.form.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        self.form.get(line..start)?.chars().all(|c| matches!(c, ' ' | '|')).then_some(line)
    }

    /// Puts a comment after a word, and after a sign that the form ends a line with there.
    fn beside(&mut self, comment: &Comment<'_>, before: Option<usize>) {
        let end = before.and_then(|before| self.words.get(before)).map_or(0, |word| word.end);
        let ends_line = self.form.get(end..).is_some_and(|rest| rest.starts_with(";\n"));
        self.copy(if ends_line { end + 1 } else { end });
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
        self.text.push_str(comment.text);
        let rest = self.form.get(self.done..).unwrap_or_default();
        if !rest.starts_with(|c: char| c.is_whitespace() || matches!(c, ';' | ',' | ')' | '>')) {
            self.text.push(' ');
        }
    }

    /// Puts comments into lines of their own, above the one that begins there.
    fn above(&mut self, comments: &[Comment<'_>], line: usize, before: Option<usize>) {
        let (mut line, rest) = (line, self.form.get(line..).unwrap_or_default());
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        let mut indentation = " ".repeat(blanks);
        if rest.trim_start_matches(' ').starts_with(['}', ']']) {
            indentation.push_str("  ");
        }
        let is_between = blanks == 0 && before.is_some() && indentation.is_empty();
        let is_above_empty = comments.last().is_some_and(|comment| comment.is_above_empty);
        let is_after_empty = comments.first().is_some_and(|comment| comment.is_after_empty);
        // What is near the definition above, and not near the one below, stays there.
        let is_below = is_between && is_above_empty && !is_after_empty;
        if is_below && self.done < line {
            line = line.saturating_sub(1);
        }
        self.copy(line);
        for comment in comments {
            let line = format!("{indentation}{}\n", comment.text);
            self.text.push_str(&line);
        }
        if !is_below && is_above_empty && indentation.is_empty() {
            self.text.push('\n');
        }
    }

    /// Puts comments after all of the form.
    fn at_end(&mut self, comments: &[Comment<'_>]) {
        self.copy(self.form.len());
        if !self.text.is_empty() && comments.first().is_some_and(|comment| comment.is_after_empty) {
            self.text.push('\n');
        }
        for comment in comments {
            self.text.push_str(comment.text);
            self.text.push('\n');
        }
    }
}
