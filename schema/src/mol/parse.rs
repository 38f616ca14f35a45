//! The schema language of Molecule: text into declarations.

use std::sync::Arc;

use super::comment::{Comments, Open};
use super::{Error, ErrorKind, Result};
use crate::common::{CommonKind, Cursor, Location, Mark};

/// One text: what it imports, and what it declares.
#[derive(Debug)]
pub(super) struct Text<'t> {
    /// The number after `syntax =`.
    pub(super) syntax: Option<Word<'t>>,
    pub(super) imports: Vec<Word<'t>>,
    pub(super) declarations: Vec<Declaration<'t>>,
}

/// A name, number or path, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) mark: Mark,
}

#[derive(Debug)]
pub(super) struct Declaration<'t> {
    pub(super) name: Word<'t>,
    pub(super) docs: String,
    pub(super) body: Body<'t>,
}

#[derive(Debug)]
pub(super) enum Body<'t> {
    /// The type of the items, and their count.
    Array(Word<'t>, Word<'t>),
    Struct(Vec<Member<'t>>),
    Vector(Word<'t>),
    Table(Vec<Member<'t>>),
    Option(Word<'t>),
    Union(Vec<Member<'t>>),
}

/// What is between commas.
#[derive(Debug)]
pub(super) struct Member<'t> {
    /// The name of a field, or the type of a union's item.
    pub(super) name: Word<'t>,
    /// The type of a field, or the id of a union's item where it is given.
    pub(super) of: Option<Word<'t>>,
    pub(super) docs: String,
}

/// Reads a text as a whole.
pub(super) fn text<'t>(text: &'t str, file: Option<&Arc<str>>) -> Result<Text<'t>> {
    parse(text, file, |parser| {
        let mut text = parser.head()?;
        while !parser.cursor.rest().is_empty() || text.declarations.is_empty() {
            text.declarations.push(parser.declaration()?);
        }
        Ok(text)
    })
}

/// Reads what is before all declarations.
pub(super) fn head<'t>(text: &'t str, file: Option<&Arc<str>>) -> Result<Text<'t>> {
    parse(text, file, Parser::head)
}

fn parse<'t>(
    text: &'t str,
    file: Option<&Arc<str>>,
    read: impl FnOnce(&mut Parser<'t>) -> Step<Text<'t>>,
) -> Result<Text<'t>> {
    let mut parser = Parser { cursor: Cursor::new(text), comments: Comments::default() };
    read(&mut parser).map_err(|(kind, mark)| {
        Error::new(kind, Location::new(file, mark), parser.cursor.line(mark))
    })
}

/// What is wrong, and where in the text.
type Step<T> = core::result::Result<T, (ErrorKind, Mark)>;

struct Parser<'t> {
    cursor: Cursor<'t>,
    /// Those before the next word or sign.
    comments: Comments<'t>,
}

impl<'t> Parser<'t> {
    /// `syntax = 1; import common;`
    fn head(&mut self) -> Step<Text<'t>> {
        self.skip_blanks()?;
        let syntax = match self.accept_keyword("syntax")? {
            Some(_) => Some(self.syntax()?),
            None => None,
        };
        let mut imports = Vec::new();
        while let Some(end) = self.accept_keyword("import")? {
            imports.push(self.import(end)?);
        }
        Ok(Text { syntax, imports, declarations: Vec::new() })
    }

    /// `= 1;`
    fn syntax(&mut self) -> Step<Word<'t>> {
        self.sign("=", "`=` after `syntax`")?;
        let version = self.word("a version", |c| c.is_ascii_digit())?;
        self.sign(";", "`;` after the version")?;
        Ok(version)
    }

    /// `../folder/name;`, where the keyword ends at `end`
    fn import(&mut self, end: Mark) -> Step<Word<'t>> {
        let mark = self.cursor.mark();
        if mark == end {
            return self.expected("a space after `import`");
        }
        while self.cursor.accept("../") {}
        loop {
            self.letters("the path of a schema, without `.mol`")?;
            // A comment may follow.
            if self.cursor.rest().starts_with("//") || self.cursor.rest().starts_with("/*") {
                break;
            }
            if !self.cursor.accept("/") {
                break;
            }
        }
        let text = self.cursor.since(mark);
        self.skip_blanks()?;
        self.sign(";", "`;` after an import")?;
        Ok(Word { text, mark })
    }

    /// `array Name [byte; 4];` and its like
    fn declaration(&mut self) -> Step<Declaration<'t>> {
        let start = self.cursor.clone();
        let mut docs = self.comments.above(start.mark().line);
        let keyword = self.cursor.take_while(is_part);
        self.skip_blanks()?;
        let parse_body: fn(&mut Self) -> Step<Body<'t>> = match keyword {
            "array" => Self::array,
            "struct" => |parser| parser.fields(1).map(Body::Struct),
            "vector" => |parser| parser.item("<", ">").map(Body::Vector),
            "table" => |parser| parser.fields(0).map(Body::Table),
            "option" => |parser| parser.item("(", ")").map(Body::Option),
            "union" => |parser| parser.union_items().map(Body::Union),
            _ => {
                self.cursor = start;
                return self.expected("`array`, `struct`, `vector`, `table`, `option` or `union`");
            }
        };
        let name = self.name("the name of the type")?;
        let body = parse_body(self)?;
        join(&mut docs, &self.comments.trailing());
        Ok(Declaration { name, docs, body })
    }

    /// `[byte; 4];`
    fn array(&mut self) -> Step<Body<'t>> {
        self.sign("[", "`[`")?;
        let item = self.name("the type of the items")?;
        self.sign(";", "`;` and the count of items")?;
        let count = match self.cursor.rest().starts_with('0') {
            false => self.number("a count of 1 or more")?,
            true => return self.expected("a count of 1 or more"),
        };
        self.sign("]", "`]` after the count")?;
        self.sign(";", "`;` after a declaration")?;
        Ok(Body::Array(item, count))
    }

    /// `<Item>;` or `(Item);`
    fn item(&mut self, open: &'static str, close: &'static str) -> Step<Word<'t>> {
        self.sign(open, if open == "<" { "`<`" } else { "`(`" })?;
        let item = self.name("the type of the item")?;
        self.sign(close, if close == ">" { "`>` after the type" } else { "`)` after the type" })?;
        self.sign(";", "`;` after a declaration")?;
        Ok(item)
    }

    /// `{ name: Type, }`
    fn fields(&mut self, least: usize) -> Step<Vec<Member<'t>>> {
        self.members(least, "the name of a field", |parser| {
            parser.sign(":", "`:` after the name of a field")?;
            parser.name("the type of the field").map(Some)
        })
    }

    /// `{ Type, Type: 7, }`
    fn union_items(&mut self) -> Step<Vec<Member<'t>>> {
        self.members(1, "the type of an item", |parser| match parser.accept(":")? {
            true => parser.number("the id of the item").map(Some),
            false => Ok(None),
        })
    }

    fn members(
        &mut self,
        least: usize,
        what: &'static str,
        of: impl Fn(&mut Self) -> Step<Option<Word<'t>>>,
    ) -> Step<Vec<Member<'t>>> {
        self.sign("{", "`{`")?;
        let mut members = Vec::new();
        while members.len() < least || !self.cursor.rest().starts_with('}') {
            let mut docs = self.comments.above(self.cursor.mark().line);
            let name = self.name(what)?;
            let of = of(self)?;
            self.sign(",", "`,` after each field and item")?;
            join(&mut docs, &self.comments.trailing());
            members.push(Member { name, of, docs });
        }
        self.sign("}", "`}`")?;
        Ok(members)
    }

    /// A name, and what may follow any word: spaces and comments.
    fn name(&mut self, what: &'static str) -> Step<Word<'t>> {
        let mark = self.cursor.mark();
        let text = self.letters(what)?;
        self.skip_blanks()?;
        Ok(Word { text, mark })
    }

    fn letters(&mut self, what: &'static str) -> Step<&'t str> {
        match self.cursor.rest().starts_with(|c: char| c.is_ascii_alphabetic()) {
            true => Ok(self.cursor.take_while(is_part)),
            false => self.expected(what),
        }
    }

    /// A number without leading zeros.
    fn number(&mut self, what: &'static str) -> Step<Word<'t>> {
        let start = self.cursor.clone();
        let word = self.word(what, |c| c.is_ascii_digit())?;
        match word.text.len() > 1 && word.text.starts_with('0') {
            false => Ok(word),
            true => {
                self.cursor = start;
                self.expected(what)
            }
        }
    }

    fn word(&mut self, what: &'static str, is_part: fn(char) -> bool) -> Step<Word<'t>> {
        let mark = self.cursor.mark();
        let text = self.cursor.take_while(is_part);
        if text.is_empty() {
            return self.expected(what);
        }
        self.skip_blanks()?;
        Ok(Word { text, mark })
    }

    /// Steps over the keyword if it is next, and gives where it ends.
    fn accept_keyword(&mut self, keyword: &str) -> Step<Option<Mark>> {
        let mut after = self.cursor.clone();
        if after.take_while(is_part) != keyword {
            return Ok(None);
        }
        self.cursor = after;
        let end = self.cursor.mark();
        self.skip_blanks()?;
        Ok(Some(end))
    }

    fn accept(&mut self, sign: &str) -> Step<bool> {
        let is_next = self.cursor.accept(sign);
        if is_next {
            self.skip_blanks()?;
        }
        Ok(is_next)
    }

    fn sign(&mut self, sign: &str, what: &'static str) -> Step<()> {
        match self.accept(sign)? {
            true => Ok(()),
            false => self.expected(what),
        }
    }

    fn skip_blanks(&mut self) -> Step<()> {
        let skipped = self.comments.skip(&mut self.cursor);
        skipped.map_err(|Open| (CommonKind::OpenComment.into(), self.cursor.mark()))
    }

    #[cold]
    fn expected<T>(&self, expected: &'static str) -> Step<T> {
        let found = self.cursor.found();
        Err((CommonKind::Expected { expected, found }.into(), self.cursor.mark()))
    }
}

/// Whether a name may go on so.
fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Appends a line to a comment.
fn join(docs: &mut String, line: &str) {
    match docs.is_empty() {
        true => *docs = line.to_owned(),
        false if line.is_empty() => {}
        false => docs.extend(["\n", line]),
    }
}
