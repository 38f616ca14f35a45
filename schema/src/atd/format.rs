//! A text of the language in one form.

use core::fmt;

use super::Step;
use super::lexer::{Lexer, Token};
use super::schema::{Error, Result, Schema};

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
    Schema::parse(text)?;
    // All of it has been read before.
    form(text, |_| true).map_err(|wrong| Error::placeless(wrong.0))
}

/// All definitions of its own file as one text that atdgen compiles to the same OCaml. Annotations are kept, comments
/// are not. Schemas that differ in blanks and comments only have the same text.
///
/// ```
/// use fourfold_schema::atd::Schema;
///
/// let schema = Schema::parse(r#"type t={x:int;(* both *)?y:t option} type 'a u = [A of ('a*int)|B<json name="b">]"#)?;
/// assert_eq!(
///     schema.to_string(),
///     "type t = {\n  x : int;\n  ?y : t option;\n}\n\n\
///      type 'a u = [\n  | A of ('a * int)\n  | B <json name=\"b\">\n]\n",
/// );
/// # Ok::<(), fourfold_schema::atd::Error>(())
/// ```
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.sources.first().map_or("", |source| &source.text);
        f.write_str(&form(text, |_| false).unwrap_or_default())
    }
}

/// A comment, and how many line breaks are before it.
struct Comment<'t>(&'t str, u32);

/// The form of a text that has been read before, with those of its comments that are kept.
fn form(text: &str, keeps: impl Fn(&Comment<'_>) -> bool) -> Step<String> {
    let mut lexer = Lexer::new(text);
    let mut output = Output::default();
    while output.last != Some(Token::End) {
        let mut comments = Vec::new();
        let mut line = lexer.mark().line;
        while let Some((text, mark)) = lexer.comment()? {
            comments.push(Comment(text, mark.line - line));
            line = lexer.mark().line;
        }
        comments.retain(&keeps);
        let (token, mark) = lexer.take()?;
        output.separate(token);
        output.comments(&comments, token, mark.line - line);
        match token {
            Token::Text => output.word(token, &quoted(&lexer.string())),
            _ => output.word(token, text.get(mark.offset..lexer.mark().offset).unwrap_or_default()),
        }
    }
    Ok(output.text)
}

/// A string of the language, which need not be UTF-8.
fn quoted(string: &[u8]) -> String {
    let mut text = String::from("\"");
    for chunk in string.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\u{8}' => text.push_str("\\b"),
                '"' | '\\' | '\n' | '\r' | '\t' => text.extend(c.escape_default()),
                c if c.is_ascii_control() => text.push_str(&format!("\\x{:02x}", u32::from(c))),
                c => text.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text + "\""
}

/// A bracket that is open.
struct Bracket {
    sign: char,
    /// Whether it has fields or variants.
    has_members: bool,
    /// Whether a field or variant has begun and not ended.
    is_inside: bool,
}

/// What is written so far.
#[derive(Default)]
struct Output<'t> {
    text: String,
    open: Vec<Bracket>,
    /// The last token, but for signs that are left out.
    last: Option<Token<'t>>,
    is_after_comment: bool,
    /// Whether another cell has to follow, with `*` before it.
    has_star: bool,
    /// Whether the token begins a line, perhaps after an empty one.
    begins_line: bool,
    is_after_empty: bool,
}

impl<'t> Output<'t> {
    fn sign(&self) -> Option<char> {
        self.open.last().map(|bracket| bracket.sign)
    }

    /// Writes the sign that comes between the last token and comments before the next one.
    fn separate(&mut self, next: Token<'t>) {
        if core::mem::take(&mut self.has_star) && next != Token::Sign(')') {
            self.text.push_str(" *");
            self.last = Some(Token::Sign('*'));
        }
        if let Some(record) = self.open.last_mut().filter(|bracket| bracket.sign == '{') {
            if record.is_inside && matches!(next, Token::Sign(';' | '}')) {
                self.text.push(';');
                record.is_inside = false;
            }
        }
    }

    /// Writes the comments before a token, which so many line breaks are before.
    fn comments(&mut self, comments: &[Comment<'_>], next: Token<'t>, breaks: u32) {
        let is_between = self.open.is_empty();
        self.begins_line = self.last.is_none()
            || match self.open.last() {
                None => matches!(next, Token::Type | Token::End),
                Some(Bracket { sign: '[' | '{', has_members, is_inside }) => match next {
                    Token::Sign(']' | '}') => *has_members,
                    Token::Sign(';') => false,
                    Token::Sign('|') => true,
                    _ => !is_inside,
                },
                Some(_) => false,
            };
        let is_same_line = |comment: &&Comment<'_>| comment.1 == 0 && self.last.is_some();
        let count = match self.begins_line {
            true => comments.iter().take_while(is_same_line).count(),
            false => comments.len(),
        };
        let (trailing, own) = comments.split_at_checked(count).unwrap_or((comments, &[]));
        for Comment(text, _) in trailing {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(text);
        }
        self.is_after_empty = is_between && (own.is_empty() || breaks > 1) && next != Token::End;
        let ends_far = own.iter().skip(1).any(|comment| comment.1 > 1) || breaks > 1;
        for (at, Comment(text, breaks)) in own.iter().enumerate() {
            // What is near the definition above, and not near the one below, stays there.
            let is_below = at > 0 || ends_far || next == Token::End;
            self.line(is_between && (*breaks > 1 || !is_below), 0);
            self.text.push_str(text);
        }
        self.is_after_comment = !comments.is_empty();
    }

    /// Begins a line, perhaps after an empty one, so many levels outside of the brackets that are open.
    fn line(&mut self, is_after_empty: bool, outside: usize) {
        if self.text.is_empty() {
            return;
        }
        self.text.push_str(if is_after_empty { "\n\n" } else { "\n" });
        let blocks = self.open.iter().filter(|bracket| matches!(bracket.sign, '[' | '{'));
        self.text.push_str(&"  ".repeat(blocks.count().saturating_sub(outside)));
    }

    fn word(&mut self, token: Token<'t>, text: &str) {
        let is_dropped = match (token, self.last) {
            (Token::Sign(';'), _) => true,
            // A cell needs no colon without annotations.
            (Token::Sign(':'), Some(Token::Sign('(' | '*'))) => true,
            (Token::Sign('*'), _) => {
                self.has_star = true;
                true
            }
            _ => false,
        };
        if is_dropped {
            return;
        }
        let is_end = matches!(token, Token::Sign(')' | ']' | '}' | '>'));
        if self.begins_line {
            self.line(self.is_after_empty, usize::from(is_end));
        } else if self.is_spaced(token) {
            self.text.push(' ');
        }
        if let Some(bracket) = self.open.last_mut().filter(|_| self.begins_line && !is_end) {
            (bracket.has_members, bracket.is_inside) = (true, true);
            if bracket.sign == '[' && token != Token::Sign('|') {
                self.text.push_str("| ");
            }
        }
        self.text.push_str(text);
        self.last = Some(token);
        match token {
            Token::Sign(sign @ ('(' | '[' | '{' | '<')) => {
                self.open.push(Bracket { sign, has_members: false, is_inside: false });
            }
            _ if is_end => drop(self.open.pop()),
            _ => {}
        }
    }

    /// Whether a blank is before a token that begins no line.
    fn is_spaced(&self, token: Token<'t>) -> bool {
        match (self.last, token) {
            (_, Token::Sign(')' | ',' | '>')) => false,
            _ if self.is_after_comment => true,
            (Some(Token::Sign('(' | '<' | '?' | '~' | '.')), _) | (_, Token::Sign('.')) => false,
            (Some(Token::Sign('=')), _) | (_, Token::Sign('=')) => self.sign() != Some('<'),
            (Some(Token::Sign('[' | '{')), Token::Sign(']' | '}')) => false,
            _ => true,
        }
    }
}
