//! The grammar of the notation: from tokens to types.

use std::collections::{BTreeMap, BTreeSet};

use super::evaluate::{Folds, evaluate};
use super::resolve::resolve;
use super::syntax::{Expression, Field, NameList, Schema, Sequence, Shape};
use super::token::{Lexeme, Token, Tokens};
use super::{Builtin, Error, ErrorKind, Note, NoteKind, Result};
use crate::depth::{DEFAULT_MAX_DEPTH, Depth};

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Result<(Schema, Vec<Note>)> {
    let mut tokens = Tokens::new(text);
    let next = tokens.next()?;
    let mut parser = Parser {
        tokens,
        next,
        after: 0,
        depth: Depth::new(DEFAULT_MAX_DEPTH),
        types: Vec::new(),
        declared: BTreeMap::new(),
        requested: Vec::new(),
        notes: Vec::new(),
    };
    let root = parser.text()?;
    parser.check_names(&root)?;
    let names = parser.declared.iter();
    let unknown = names.filter(|(_, (id, _))| parser.types.get(*id).is_some_and(Option::is_none));
    if let Some((name, (_, offset))) = unknown.min_by_key(|(_, (_, offset))| *offset) {
        return Err(Error::at(ErrorKind::UnknownType { name: (*name).into() }, *offset));
    }
    let mut schema = Schema { types: parser.types.into_iter().flatten().collect(), root };
    let endless: BTreeSet<usize> = resolve(&mut schema).into_iter().collect();
    let endless = parser.declared.iter().filter(|(_, (id, _))| endless.contains(id));
    match endless.min_by_key(|(_, (id, _))| *id) {
        Some((name, (_, offset))) => {
            Err(Error::at(ErrorKind::Endless { name: (*name).into() }, *offset))
        }
        None => Ok((schema, parser.notes)),
    }
}

pub(super) struct Parser<'t> {
    pub(super) tokens: Tokens<'t>,
    pub(super) next: Token<'t>,
    /// Where the last token ends.
    after: usize,
    pub(super) depth: Depth,
    /// A type gets its number when it is first named, be that by its declaration or in a field.
    types: Vec<Option<Sequence>>,
    /// The number of each name, and where it is declared or, before that, first used.
    declared: BTreeMap<&'t str, (usize, usize)>,
    /// Names of fields in expressions, and where.
    pub(super) requested: Vec<(&'t str, usize)>,
    notes: Vec<Note>,
}

/// What a field is named: by itself, and as its type is declared.
#[derive(Default)]
struct Label<'t> {
    name: Option<&'t str>,
    type_name: Option<&'t str>,
}

impl<'t> Parser<'t> {
    /// Names in expressions are those of fields.
    fn check_names(&self, root: &Sequence) -> Result<()> {
        let sequences = self.types.iter().flatten().chain([root]);
        let fields: BTreeSet<&str> =
            sequences.flat_map(|sequence| &sequence.names.list).map(|name| &**name).collect();
        match self.requested.iter().find(|(name, _)| !fields.contains(name)) {
            Some((name, offset)) => {
                Err(Error::at(ErrorKind::UnknownName { name: (*name).into() }, *offset))
            }
            None => Ok(()),
        }
    }

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
            self.declared.insert(name, (id, offset));
        }
        match self.next.kind {
            Lexeme::Sign(";") => self.advance(),
            Lexeme::Name(_) => {
                self.note(NoteKind::MissingSemicolon { name: name.into() }, self.after);
                Ok(())
            }
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
        if !expression.is_constant() {
            return Ok(expression);
        }
        match evaluate(&expression, None, &mut Folds::default()) {
            Ok(found) if found < 0 => Err(Error::at(ErrorKind::NegativeCount { found }, offset)),
            Ok(count) => Ok(Expression::Number(count)),
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
        self.after = self.next.offset + self.next.text.len();
        self.next = self.tokens.next()?;
        Ok(())
    }

    pub(super) fn note(&mut self, kind: NoteKind, offset: usize) {
        self.notes.push(Note { offset, kind });
    }

    /// One level deeper. Returns the depth before.
    pub(super) fn enter(&mut self) -> Result<Depth> {
        let depth = self.depth;
        let deeper = depth.enter();
        self.depth = deeper.ok_or_else(|| Error::at(depth.reached(), self.next.offset))?;
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
    let alias = matches!(labels, [Label { name: None, .. }]);
    Sequence { names, fields, alias, min_size: 0 }
}
