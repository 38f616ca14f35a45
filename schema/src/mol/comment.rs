//! Comments of the schema language, and the declarations they belong to.

use crate::common::Cursor;

/// A comment, and the lines it takes.
#[derive(Debug)]
struct Comment<'t> {
    text: &'t str,
    first_line: u32,
    last_line: u32,
}

/// Comments between two words or signs.
#[derive(Debug, Default)]
pub(super) struct Comments<'t> {
    found: Vec<Comment<'t>>,
    /// The line of the word or sign before them.
    line: u32,
}

/// A comment is open at the end of the text.
pub(super) struct Open;

impl<'t> Comments<'t> {
    /// Steps over spaces, line breaks and comments.
    pub(super) fn skip(&mut self, cursor: &mut Cursor<'t>) -> Result<(), Open> {
        self.found.clear();
        self.line = cursor.mark().line;
        loop {
            cursor.take_while(|c| matches!(c, ' ' | '\t' | '\n'));
            let first_line = cursor.mark().line;
            if let Some(text) = take(cursor)? {
                self.found.push(Comment { text, first_line, last_line: cursor.mark().line });
            } else if !cursor.accept("\r\n") {
                return Ok(());
            }
        }
    }

    /// The text of trailing comments: those after the word or sign, in its line. They are taken once.
    pub(super) fn trailing(&mut self) -> String {
        let count = self.found.iter().take_while(|comment| comment.first_line == self.line).count();
        let mut text = String::new();
        self.found.drain(..count).for_each(|comment| append(comment.text, &mut text));
        text
    }

    /// The text of those above `line`, up to an empty line.
    pub(super) fn above(&self, line: u32) -> String {
        let mut below = line;
        let is_near = |comment: &&Comment<'_>| {
            let near = below - comment.last_line <= 1;
            below = comment.first_line;
            near
        };
        let count = self.found.iter().rev().take_while(is_near).count();
        let mut text = String::new();
        for comment in self.found.iter().skip(self.found.len() - count) {
            append(comment.text, &mut text);
        }
        text
    }
}

/// Steps over a comment, if that is next.
pub(super) fn take<'t>(cursor: &mut Cursor<'t>) -> Result<Option<&'t str>, Open> {
    let (start, rest) = (cursor.mark(), cursor.rest());
    if rest.starts_with("//") || rest.starts_with('#') {
        cursor.take_while(|c| c != '\n');
    } else if rest.starts_with("/*") {
        let mut probe = cursor.clone();
        skip_block(&mut probe)?;
        *cursor = probe;
    } else {
        return Ok(None);
    }
    Ok(Some(cursor.since(start)))
}

/// Steps over a comment of the form `/* .. */`, in which others nest.
fn skip_block(cursor: &mut Cursor<'_>) -> Result<(), Open> {
    let mut open = 0usize;
    loop {
        if cursor.accept("/*") {
            open += 1;
        } else if cursor.accept("*/") {
            open -= 1;
        } else if cursor.next().is_none() {
            return Err(Open);
        }
        if open == 0 {
            return Ok(());
        }
    }
}

/// Appends the text of a comment.
fn append(comment: &str, docs: &mut String) {
    let inside = match comment.strip_prefix("/*") {
        Some(block) => block.strip_suffix("*/").unwrap_or(block),
        None => comment.trim_start_matches(['/', '#']),
    };
    let lines = inside.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix('*').map_or(line, str::trim_start)
    });
    for line in lines.skip_while(|line| line.is_empty()) {
        if !docs.is_empty() {
            docs.push('\n');
        }
        docs.push_str(line);
    }
    docs.truncate(docs.trim_end().len());
}
