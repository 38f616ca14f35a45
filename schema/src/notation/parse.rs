//! The grammar of the notation: from tokens to types.

use std::collections::{BTreeMap, BTreeSet};

use super::evaluate::{Folds, evaluate};
use super::syntax::{Expression, Field, NameList, Schema, Sequence, Shape};
use super::token::{Lexeme, Token, Tokens};
use super::{Builtin, Error, ErrorKind, Result};
use crate::depth::{DEFAULT_MAX_DEPTH, Depth};

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Result<Schema> {
    let mut tokens = Tokens::new(text);
    let next = tokens.next()?;
    let mut parser = Parser {
        tokens,
        next,
        depth: Depth::new(DEFAULT_MAX_DEPTH),
        types: Vec::new(),
        declared: BTreeMap::new(),
    };
    let mut root = parser.text()?;
    let names = parser.declared.iter();
    let unknown = names.filter(|(_, (id, _))| parser.types.get(*id).is_some_and(Option::is_none));
    if let Some((name, (_, offset))) = unknown.min_by_key(|(_, (_, offset))| *offset) {
        return Err(Error::at(ErrorKind::UnknownType { name: (*name).into() }, *offset));
    }
    let mut types: Vec<Sequence> = parser.types.into_iter().flatten().collect();
    let shapes: Vec<Option<Shape>> = types.iter().map(Sequence::aliased).collect();
    for field in types.iter_mut().chain([&mut root]).flat_map(|it| &mut it.fields) {
        field.shape = without_aliases(field.shape, &shapes);
    }
    Ok(Schema { types, root })
}

/// A built-in type in place of other names of it, so that arrays of it are compact.
fn without_aliases(shape: Shape, aliased: &[Option<Shape>]) -> Shape {
    let mut next = shape;
    for _ in 0..DEFAULT_MAX_DEPTH {
        match next {
            Shape::Builtin(_) => return next,
            Shape::Type(id) => match aliased.get(id) {
                Some(Some(inner)) => next = *inner,
                _ => return shape,
            },
        }
    }
    shape
}

pub(super) struct Parser<'t> {
    pub(super) tokens: Tokens<'t>,
    pub(super) next: Token<'t>,
    pub(super) depth: Depth,
    /// A type gets its number when it is first named, be that by its declaration or in a field.
    types: Vec<Option<Sequence>>,
    /// The number of each name, and where it first is.
    declared: BTreeMap<&'t str, (usize, usize)>,
}

/// What a field is named: by itself, and as its type is declared.
#[derive(Default)]
struct Label<'t> {
    name: Option<&'t str>,
    type_name: Option<&'t str>,
}

impl<'t> Parser<'t> {
    /// `declaration* sequence`
    fn text(&mut self) -> Result<Sequence> {
        while let Lexeme::Name(name) = self.next.kind {
            self.declaration(name)?;
        }
        let root = self.sequence("`<` of the field definition")?;
        if self.next.kind == Lexeme::Sign(";") {
            self.advance()?;
        }
        match self.next.kind {
            Lexeme::End => Ok(root),
            _ => Err(self.unexpected("end of the text")),
        }
    }

    /// `name := sequence ;` or `name := type ;`
    fn declaration(&mut self, name: &'t str) -> Result<()> {
        let offset = self.next.offset;
        self.advance()?;
        self.expect(":=", "`:=`")?;
        let id = self.type_id(name, offset);
        if self.types.get(id).is_some_and(Option::is_some) || Builtin::of(name).is_some() {
            return Err(Error::at(ErrorKind::DuplicateType { name: name.into() }, offset));
        }
        let sequence = match self.next.kind {
            Lexeme::Name(_) => {
                let (shape, type_name) = self.shape()?;
                let label = Label { name: None, type_name };
                named(vec![Field { shape, count: None }], &[label], &BTreeSet::new())
            }
            _ => self.sequence("`<`, `[` or a type")?,
        };
        if let Some(declared) = self.types.get_mut(id) {
            *declared = Some(sequence);
        }
        match self.next.kind {
            Lexeme::Sign(";") => self.advance(),
            // The document leaves it out once.
            Lexeme::Name(_) => Ok(()),
            _ => Err(self.unexpected("`;`")),
        }
    }

    /// Fields and groups in brackets, one after another. A group alone is what is in it.
    fn sequence(&mut self, expected: &'static str) -> Result<Sequence> {
        let offset = self.next.offset;
        let depth = self.enter()?;
        let sequence = match self.next.kind {
            Lexeme::Sign("[") => {
                let group = self.group()?;
                match self.next.kind {
                    Lexeme::Sign("[" | "<") => {
                        let first = self.unnamed(group);
                        self.fields(vec![first], offset)?
                    }
                    _ => group,
                }
            }
            Lexeme::Sign("<") => self.fields(Vec::new(), offset)?,
            _ => return Err(self.unexpected(expected)),
        };
        self.depth = depth;
        Ok(sequence)
    }

    /// `[ sequence ]`
    fn group(&mut self) -> Result<Sequence> {
        self.expect("[", "`[`")?;
        let inner = self.sequence("`<` or `[`")?;
        self.expect("]", "`]`")?;
        Ok(inner)
    }

    /// The fields from here on, after a group that may be before them.
    fn fields(&mut self, mut fields: Vec<Field>, mut offset: usize) -> Result<Sequence> {
        let mut labels: Vec<Label<'t>> = fields.iter().map(|_| Label::default()).collect();
        let mut taken = BTreeSet::new();
        loop {
            let (field, label) = match self.next.kind {
                Lexeme::Sign("<") => self.field(&mut offset)?,
                Lexeme::Sign("[") => {
                    let group = self.group()?;
                    (self.unnamed(group), Label::default())
                }
                _ => return Ok(named(fields, &labels, &taken)),
            };
            if let Some(name) = label.name.filter(|name| !taken.insert(*name)) {
                return Err(Error::at(ErrorKind::DuplicateField { name: name.into() }, offset));
            }
            fields.push(field);
            labels.push(label);
        }
    }

    /// A field whose type is written in its place.
    fn unnamed(&mut self, sequence: Sequence) -> Field {
        self.types.push(Some(sequence));
        Field { shape: Shape::Type(self.types.len() - 1), count: None }
    }

    /// `< type [* count] [: name] >`; sets the offset to that of the name.
    fn field(&mut self, offset: &mut usize) -> Result<(Field, Label<'t>)> {
        self.expect("<", "`<`")?;
        let (shape, type_name) = self.shape()?;
        let (mut count, mut name) = (None, None);
        if self.next.kind == Lexeme::Sign("*") {
            self.advance()?;
            count = Some(self.count()?);
        }
        if self.next.kind == Lexeme::Sign(":") {
            self.advance()?;
            *offset = self.next.offset;
            name = Some(self.name("name of the field")?);
        }
        let rest = match (&count, name) {
            (None, None) => "`*`, `:` or `>`",
            (Some(_), None) => "`:` or `>`",
            (_, Some(_)) => "`>`",
        };
        self.expect(">", rest)?;
        Ok((Field { shape, count }, Label { name, type_name }))
    }

    /// The name of a type, or fields in its place; and the name if it is one of a declared type.
    fn shape(&mut self) -> Result<(Shape, Option<&'t str>)> {
        let offset = self.next.offset;
        let Lexeme::Name(name) = self.next.kind else {
            let sequence = self.sequence("type")?;
            return Ok((self.unnamed(sequence).shape, None));
        };
        self.advance()?;
        Ok(match Builtin::of(name) {
            Some(builtin) => (Shape::Builtin(builtin), None),
            None => (Shape::Type(self.type_id(name, offset)), Some(name)),
        })
    }

    /// `number`, `$reference`, `reference` or `( expression )`
    fn count(&mut self) -> Result<Expression> {
        let offset = self.next.offset;
        let expression = match self.next.kind {
            Lexeme::Number(_) | Lexeme::Name(_) | Lexeme::Sign("$" | "(") => self.operand()?,
            _ => return Err(self.unexpected("count")),
        };
        match evaluate(&expression, None, &mut Folds::default()) {
            Ok(found) if found < 0 => Err(Error::at(ErrorKind::NegativeCount { found }, offset)),
            Ok(count) => Ok(Expression::Number(count)),
            // Bytes are needed.
            Err(ErrorKind::Unresolved { .. }) => Ok(expression),
            Err(kind) => Err(Error::at(kind, offset)),
        }
    }

    fn type_id(&mut self, name: &'t str, offset: usize) -> usize {
        let fresh = self.types.len();
        let (id, _) = *self.declared.entry(name).or_insert((fresh, offset));
        if id == fresh {
            self.types.push(None);
        }
        id
    }

    pub(super) fn name(&mut self, expected: &'static str) -> Result<&'t str> {
        let Lexeme::Name(name) = self.next.kind else {
            return Err(self.unexpected(expected));
        };
        self.advance()?;
        Ok(name)
    }

    pub(super) fn expect(&mut self, sign: &'static str, expected: &'static str) -> Result<()> {
        match self.next.kind {
            Lexeme::Sign(found) if found == sign => self.advance(),
            _ => Err(self.unexpected(expected)),
        }
    }

    pub(super) fn advance(&mut self) -> Result<()> {
        self.next = self.tokens.next()?;
        Ok(())
    }

    /// One level deeper. Returns the depth before.
    pub(super) fn enter(&mut self) -> Result<Depth> {
        let depth = self.depth;
        let deeper = depth.enter();
        self.depth = deeper.ok_or_else(|| Error::at(ErrorKind::DEPTH, self.next.offset))?;
        Ok(depth)
    }

    #[cold]
    pub(super) fn unexpected(&self, expected: &'static str) -> Error {
        let found = match self.next.kind {
            Lexeme::End => Box::from("end of the text"),
            // A report needs the first characters of a long word only.
            _ => format!("`{}`", self.next.text.chars().take(40).collect::<String>()).into(),
        };
        Error::at(ErrorKind::Unexpected { expected, found }, self.next.offset)
    }
}

/// Fields with their names; `taken` are those that they have of their own. Others have the name of their type, if no
/// other field has it.
fn named(fields: Vec<Field>, labels: &[Label<'_>], taken: &BTreeSet<&str>) -> Sequence {
    let mut by_type: BTreeMap<&str, usize> = BTreeMap::new();
    for label in labels.iter().filter(|label| label.name.is_none()) {
        *by_type.entry(label.type_name.unwrap_or_default()).or_default() += 1;
    }
    let is_clear = |name: &&str| !taken.contains(name) && by_type.get(name) == Some(&1);
    let name = |(position, label): (usize, &Label<'_>)| match label
        .name
        .or(label.type_name.filter(is_clear))
    {
        Some(name) => Box::from(name),
        None => position.to_string().into(),
    };
    let names = NameList::new(labels.iter().enumerate().map(name).collect());
    Sequence { names, fields, alias: matches!(labels, [Label { name: None, .. }]) }
}
