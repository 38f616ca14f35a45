//! ATD text into definitions.

use super::lexer::{Lexer, Token};
use super::{ErrorKind, MAX_DEPTH, Step, wrong_at};
use crate::common::{CommonKind, Mark};

/// One text.
#[derive(Debug)]
pub(crate) struct Text<'t> {
    /// What is before all definitions.
    pub(super) annotations: Annotations<'t>,
    /// Where there are words of later versions of the language.
    pub(super) imports: Vec<Mark>,
    pub(super) definitions: Vec<Definition<'t>>,
    /// The names of all fields and variants, in the order of the text.
    pub(crate) names: Vec<&'t str>,
    /// How many types are written in it, with those in others.
    pub(super) size: usize,
}

/// A name, and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) mark: Mark,
}

/// `type ('a, 'b) name <..> = type`
#[derive(Debug)]
pub(super) struct Definition<'t> {
    pub(super) name: Word<'t>,
    pub(super) parameters: Vec<&'t str>,
    pub(super) annotations: Annotations<'t>,
    pub(super) body: Expression<'t>,
}

/// A type.
#[derive(Debug)]
pub(super) struct Expression<'t> {
    pub(super) mark: Mark,
    pub(super) kind: Kind<'t>,
    pub(super) annotations: Annotations<'t>,
    /// How many types it has inside each other.
    height: usize,
    /// Whether there is a type parameter in it.
    pub(super) is_open: bool,
}

#[derive(Debug)]
pub(super) enum Kind<'t> {
    Sum(Vec<Member<'t>>),
    Record(Vec<Member<'t>>),
    Tuple(Vec<Cell<'t>>),
    /// A name, and the types before it.
    Name(Word<'t>, Vec<Expression<'t>>),
    Parameter(&'t str),
}

/// A field of a record, or a variant.
#[derive(Debug)]
pub(super) enum Member<'t> {
    /// A field has a type, a variant may have one.
    Own(Word<'t>, Presence, Annotations<'t>, Option<Expression<'t>>),
    Inherit(Expression<'t>),
}

/// Whether a field may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    Required,
    /// `?`
    Optional,
    /// `~`
    Default,
}

#[derive(Debug)]
pub(super) struct Cell<'t> {
    pub(super) annotations: Annotations<'t>,
    pub(super) ty: Expression<'t>,
}

/// All sections in one place: `<section key="value" key>`.
pub(super) type Annotations<'t> = Vec<Section<'t>>;

#[derive(Debug)]
pub(super) struct Section<'t> {
    pub(super) name: &'t str,
    pub(super) entries: Vec<Entry>,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: Option<Vec<u8>>,
    pub(super) mark: Mark,
}

/// Reads a text as a whole.
pub(crate) fn parse(text: &str) -> Step<Text<'_>> {
    parse_one(text, 0)
}

/// Reads one of several texts: all marks have its number.
pub(super) fn parse_one(text: &str, number: usize) -> Step<Text<'_>> {
    let mut parser = Parser {
        lexer: Lexer::of(text, number),
        token: Token::End,
        mark: Mark::default(),
        depth: 0,
        size: 0,
        names: Vec::new(),
        imports: Vec::new(),
    };
    parser.module()
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    /// The next token, and where it is.
    token: Token<'t>,
    mark: Mark,
    depth: usize,
    size: usize,
    names: Vec<&'t str>,
    imports: Vec<Mark>,
}

impl<'t> Parser<'t> {
    /// `annotations imports definitions`
    fn module(&mut self) -> Step<Text<'t>> {
        self.step()?;
        let annotations = self.annotations()?;
        while self.token == Token::Lower("from") {
            self.import()?;
        }
        let mut definitions = Vec::new();
        while self.token != Token::End {
            definitions.push(self.definition()?);
        }
        let (imports, names) =
            (core::mem::take(&mut self.imports), core::mem::take(&mut self.names));
        Ok(Text { annotations, imports, definitions, names, size: self.size })
    }

    /// `from a.b <..> as c import d, 'a e`
    fn import(&mut self) -> Step<()> {
        self.imports.push(self.mark);
        self.step()?;
        self.path("the name of a module")?;
        self.annotations()?;
        if self.accept(Token::Lower("as"))? {
            self.lower("the name of a module")?;
        }
        self.expect(Token::Lower("import"), "`import`")?;
        self.separated(',', |parser| {
            parser.parameters()?;
            parser.lower("the name of a type")?;
            parser.annotations().map(drop)
        })?;
        Ok(())
    }

    /// One item or more, with signs between them.
    fn separated<T>(
        &mut self,
        sign: char,
        mut item: impl FnMut(&mut Self) -> Step<T>,
    ) -> Step<Vec<T>> {
        let mut items = Vec::from([item(self)?]);
        while self.accept(Token::Sign(sign))? {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn definition(&mut self) -> Step<Definition<'t>> {
        self.expect(Token::Type, "`type`")?;
        let parameters = self.parameters()?;
        let name = self.lower("the name of a type")?;
        let annotations = self.annotations()?;
        self.expect(Token::Sign('='), "`=` after the name of a type")?;
        let body = self.expression()?;
        Ok(Definition { name, parameters, annotations, body })
    }

    /// `'a` or `('a, 'b)` or nothing
    fn parameters(&mut self) -> Step<Vec<&'t str>> {
        if let Token::Parameter(name) = self.token {
            self.step()?;
            return Ok(Vec::from([name]));
        }
        if !self.accept(Token::Sign('('))? {
            return Ok(Vec::new());
        }
        let names = self.separated(',', |parser| match parser.token {
            Token::Parameter(name) => parser.step().map(|()| name),
            _ => parser.expected("a type parameter"),
        })?;
        self.expect(Token::Sign(')'), "`)` after type parameters")?;
        Ok(names)
    }

    /// A type with its annotations, then names of types that it is an argument of: `int list`
    fn expression(&mut self) -> Step<Expression<'t>> {
        if self.depth == MAX_DEPTH {
            return Err(wrong_at(ErrorKind::Depth { limit: MAX_DEPTH }, self.mark));
        }
        self.depth += 1;
        self.size += 1;
        let first = self.first()?;
        self.postfix(first)
    }

    /// A type without the names that follow it.
    fn first(&mut self) -> Step<Expression<'t>> {
        let mark = self.mark;
        let kind = match self.token {
            Token::Sign('[') => self.variants()?,
            Token::Sign('{') => self.fields()?,
            Token::Sign('(') => self.cells()?,
            Token::Parameter(name) => {
                self.step()?;
                Kind::Parameter(name)
            }
            _ => return self.named(Vec::new(), mark),
        };
        match kind {
            // Only a name may follow, whose arguments these are.
            Kind::Name(_, arguments) => self.named(arguments, mark),
            Kind::Parameter(_) => Ok(Expression::new(mark, kind, Vec::new())),
            _ => Ok(Expression::new(mark, kind, self.annotations()?)),
        }
    }

    /// Names that follow a type.
    fn postfix(&mut self, first: Expression<'t>) -> Step<Expression<'t>> {
        let mut ty = first;
        while let Token::Lower(_) = self.token {
            if ty.height >= MAX_DEPTH {
                return Err(wrong_at(ErrorKind::Depth { limit: MAX_DEPTH }, self.mark));
            }
            let mark = ty.mark;
            ty = self.named(Vec::from([ty]), mark)?;
        }
        self.depth -= 1;
        Ok(ty)
    }

    /// A name after its arguments, with annotations.
    fn named(&mut self, arguments: Vec<Expression<'t>>, mark: Mark) -> Step<Expression<'t>> {
        self.size += 1;
        let kind = Kind::Name(self.path("a type")?, arguments);
        Ok(Expression::new(mark, kind, self.annotations()?))
    }

    /// `[ | A <..> of type | B | inherit type ]`
    fn variants(&mut self) -> Step<Kind<'t>> {
        self.step()?;
        let has_bar = self.accept(Token::Sign('|'))?;
        if !has_bar && self.accept(Token::Sign(']'))? {
            return Ok(Kind::Sum(Vec::new()));
        }
        let members = self.separated('|', |parser| {
            if parser.accept(Token::Inherit)? {
                return parser.expression().map(Member::Inherit);
            }
            let Token::Upper(name) = parser.token else {
                return parser.expected("the name of a variant");
            };
            parser.names.push(name);
            let word = Word { text: name, mark: parser.mark };
            parser.step()?;
            let annotations = parser.annotations()?;
            let argument = match parser.accept(Token::Of)? {
                true => Some(parser.expression()?),
                false => None,
            };
            Ok(Member::Own(word, Presence::Required, annotations, argument))
        })?;
        self.expect(Token::Sign(']'), "`|` or `]` after a variant")?;
        Ok(Kind::Sum(members))
    }

    /// `{ x <..> : type; ?y : type; ~z : type; inherit type }`
    fn fields(&mut self) -> Step<Kind<'t>> {
        self.step()?;
        let mut members = Vec::new();
        while self.token != Token::Sign('}') {
            if self.accept(Token::Inherit)? {
                members.push(Member::Inherit(self.expression()?));
            } else {
                let presence = match self.token {
                    Token::Sign('?') => Presence::Optional,
                    Token::Sign('~') => Presence::Default,
                    _ => Presence::Required,
                };
                if presence != Presence::Required {
                    self.step()?;
                }
                let name = self.lower("the name of a field")?;
                self.names.push(name.text);
                let annotations = self.annotations()?;
                self.expect(Token::Sign(':'), "`:` after the name of a field")?;
                members.push(Member::Own(name, presence, annotations, Some(self.expression()?)));
            }
            if !self.accept(Token::Sign(';'))? {
                break;
            }
        }
        self.expect(Token::Sign('}'), "`;` or `}` after a field")?;
        Ok(Kind::Record(members))
    }

    /// A tuple `(<..> : type * type)`, or the arguments of a type `(type, type)`, which are given as those of a
    /// name that is not there yet.
    fn cells(&mut self) -> Step<Kind<'t>> {
        let open = self.mark;
        self.step()?;
        let mut cells: Vec<Cell<'t>> = Vec::new();
        let mut is_plain = true;
        while self.token != Token::Sign(')') {
            let annotations = self.annotations()?;
            let has_colon = match annotations.is_empty() {
                // A cell without annotations may have the colon too.
                true => self.accept(Token::Sign(':'))?,
                false => {
                    self.expect(Token::Sign(':'), "`:` after the annotation of a cell")?;
                    true
                }
            };
            is_plain &= !has_colon;
            cells.push(Cell { annotations, ty: self.expression()? });
            if is_plain && cells.len() == 1 && self.accept(Token::Sign(','))? {
                return self.arguments(cells, open);
            }
            if !self.accept(Token::Sign('*'))? {
                break;
            }
        }
        self.expect(Token::Sign(')'), "`*`, `,` or `)` after a cell")?;
        Ok(Kind::Tuple(cells))
    }

    /// What follows the first comma.
    fn arguments(&mut self, first: Vec<Cell<'t>>, open: Mark) -> Step<Kind<'t>> {
        let mut arguments: Vec<_> = first.into_iter().map(|cell| cell.ty).collect();
        arguments.extend(self.separated(',', Self::expression)?);
        self.expect(Token::Sign(')'), "`,` or `)` after an argument")?;
        Ok(Kind::Name(Word { text: "", mark: open }, arguments))
    }

    /// `<section key="value" key>`, any number of them.
    fn annotations(&mut self) -> Step<Annotations<'t>> {
        let mut sections = Vec::new();
        let mut start = self.mark;
        while self.accept(Token::Sign('<'))? {
            let name = self.in_annotation(start, "the name of an annotation")?;
            let mut entries = Vec::new();
            while !self.accept(Token::Sign('>'))? {
                entries.push(self.entry(start)?);
            }
            sections.push(Section { name, entries });
            start = self.mark;
        }
        Ok(sections)
    }

    /// `key.key="value"` or `key`, in the annotation that began at `start`.
    fn entry(&mut self, start: Mark) -> Step<Entry> {
        let mark = self.mark;
        let mut key = self.in_annotation(start, "a key of an annotation, or `>`")?.to_owned();
        while self.accept(Token::Sign('.'))? {
            key.push('.');
            key.push_str(self.in_annotation(start, "a key of an annotation")?);
        }
        let mut value = None;
        if self.accept(Token::Sign('='))? {
            match self.token {
                Token::Text => {
                    value = Some(self.lexer.string());
                    self.step()?;
                }
                Token::End => return Err(wrong_at(ErrorKind::OpenAnnotation, start)),
                _ => return self.expected("a string"),
            }
        }
        Ok(Entry { key, value, mark })
    }

    fn in_annotation(&mut self, start: Mark, what: &'static str) -> Step<&'t str> {
        match self.token {
            Token::End => Err(wrong_at(ErrorKind::OpenAnnotation, start)),
            _ => self.lower(what).map(|word| word.text),
        }
    }

    /// `a`, or `a.b.c` as later versions have it.
    fn path(&mut self, what: &'static str) -> Step<Word<'t>> {
        let word = self.lower(what)?;
        while self.token == Token::Sign('.') {
            self.imports.push(self.mark);
            self.step()?;
            self.lower(what)?;
        }
        Ok(word)
    }

    fn lower(&mut self, what: &'static str) -> Step<Word<'t>> {
        match self.token {
            Token::Lower(text) => {
                let mark = self.mark;
                self.step()?;
                Ok(Word { text, mark })
            }
            _ => self.expected(what),
        }
    }

    fn expect(&mut self, token: Token<'t>, what: &'static str) -> Step<()> {
        match self.accept(token)? {
            true => Ok(()),
            false => self.expected(what),
        }
    }

    fn accept(&mut self, token: Token<'t>) -> Step<bool> {
        let is_next = self.token == token;
        if is_next {
            self.step()?;
        }
        Ok(is_next)
    }

    fn step(&mut self) -> Step<()> {
        (self.token, self.mark) = self.lexer.take()?;
        Ok(())
    }

    #[cold]
    fn expected<T>(&self, expected: &'static str) -> Step<T> {
        Err(wrong_at(CommonKind::Expected { expected, found: self.token.to_string() }, self.mark))
    }
}

impl<'t> Expression<'t> {
    fn new(mark: Mark, kind: Kind<'t>, annotations: Annotations<'t>) -> Self {
        let none = (0, matches!(kind, Kind::Parameter(_)));
        let more = |(height, is_open): (usize, bool), ty: &Expression<'t>| {
            (height.max(ty.height), is_open | ty.is_open)
        };
        let (height, is_open) = match &kind {
            Kind::Sum(members) | Kind::Record(members) => {
                members.iter().filter_map(Member::ty).fold(none, more)
            }
            Kind::Tuple(cells) => cells.iter().map(|cell| &cell.ty).fold(none, more),
            Kind::Name(_, arguments) => arguments.iter().fold(none, more),
            Kind::Parameter(_) => none,
        };
        Expression { mark, kind, annotations, height: height + 1, is_open }
    }
}

impl<'t> Member<'t> {
    fn ty(&self) -> Option<&Expression<'t>> {
        match self {
            Member::Own(.., ty) => ty.as_ref(),
            Member::Inherit(ty) => Some(ty),
        }
    }
}
