//! The grammar of the notation: from tokens to types.

mod expression;

use std::collections::{BTreeMap, BTreeSet};

use super::evaluate::{Folds, evaluate};
use super::note::{Note, NoteKind};
use super::resolve::{Draft, resolve};
use super::syntax::{Count, Field, Names, Schema, Sequence, Shape};
use super::token::{Lexeme, Token, Tokens};
use super::{Builtin, Error, ErrorKind, Result};
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
        drafts: Vec::new(),
        declared: BTreeMap::new(),
        fields: BTreeSet::new(),
        requested: Vec::new(),
        notes: Vec::new(),
    };
    let root = parser.text()?;
    for (name, offset) in &parser.requested {
        if !parser.fields.contains(name) {
            return Err(Error::at(ErrorKind::UnknownName { name: (*name).into() }, *offset));
        }
    }
    Ok((resolve(parser.drafts, root)?, parser.notes))
}

struct Parser<'t> {
    tokens: Tokens<'t>,
    next: Token<'t>,
    /// Where the last token ends.
    after: usize,
    depth: Depth,
    /// A type gets its number when it is first named, be that by its declaration or in a field.
    drafts: Vec<Draft<'t>>,
    declared: BTreeMap<&'t str, usize>,
    /// Names that fields have, anywhere.
    fields: BTreeSet<&'t str>,
    /// Names that expressions use, and where.
    requested: Vec<(&'t str, usize)>,
    notes: Vec<Note>,
}

/// What was read of one field, besides its type and count.
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
        let twice = self.drafts.get(id).is_some_and(|draft| draft.sequence.is_some());
        if twice || Builtin::of(name).is_some() {
            return Err(Error::at(ErrorKind::DuplicateType { name: name.into() }, offset));
        }
        let sequence = match self.next.kind {
            Lexeme::Name(_) => self.alias()?,
            _ => self.sequence("`<`, `[` or a type")?,
        };
        if let Some(draft) = self.drafts.get_mut(id) {
            draft.offset = offset;
            draft.sequence = Some(sequence);
        }
        match self.next.kind {
            Lexeme::Sign(";") => self.advance(),
            Lexeme::Name(_) => {
                let kind = NoteKind::MissingSemicolon { name: name.into() };
                self.notes.push(Note::new(kind, self.after));
                Ok(())
            }
            _ => Err(self.unexpected("`;`")),
        }
    }

    /// Another name of a type.
    fn alias(&mut self) -> Result<Sequence> {
        let (shape, type_name) = self.shape()?;
        let fields = std::vec![Field { shape, count: None }];
        Ok(self.named(fields, &[Label { name: None, type_name }], &BTreeSet::new()))
    }

    /// Fields and groups in brackets, one after another. A group alone is what is in it.
    fn sequence(&mut self, expected: &'static str) -> Result<Sequence> {
        let offset = self.next.offset;
        let depth = self.depth;
        self.depth = depth.enter().ok_or_else(|| Error::at(depth.reached(), offset))?;
        let sequence = match self.next.kind {
            Lexeme::Sign("[") => {
                let group = self.group()?;
                match self.next.kind {
                    Lexeme::Sign("[" | "<") => self.fields(Some((group, offset)))?,
                    _ => group,
                }
            }
            Lexeme::Sign("<") => self.fields(None)?,
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

    /// The fields from here on; `first` is a group before them, and where it is.
    fn fields(&mut self, first: Option<(Sequence, usize)>) -> Result<Sequence> {
        let mut fields = Vec::new();
        let mut labels: Vec<Label<'t>> = Vec::new();
        let mut taken = BTreeSet::new();
        if let Some((group, offset)) = first {
            fields.push(self.unnamed(group, offset));
            labels.push(Label { name: None, type_name: None });
        }
        loop {
            let (field, label, offset) = match self.next.kind {
                Lexeme::Sign("<") => self.field()?,
                Lexeme::Sign("[") => {
                    let offset = self.next.offset;
                    let group = self.group()?;
                    let label = Label { name: None, type_name: None };
                    (self.unnamed(group, offset), label, offset)
                }
                _ => break,
            };
            if let Some(name) = label.name {
                if !taken.insert(name) {
                    return Err(Error::at(ErrorKind::DuplicateField { name: name.into() }, offset));
                }
            }
            fields.push(field);
            labels.push(label);
        }
        Ok(self.named(fields, &labels, &taken))
    }

    /// A field whose type is written in its place.
    fn unnamed(&mut self, sequence: Sequence, offset: usize) -> Field {
        let id = self.drafts.len();
        self.drafts.push(Draft { name: None, offset, sequence: Some(sequence) });
        Field { shape: Shape::Type(id), count: None }
    }

    /// Fields with the names that they go by; `taken` are those that they have of their own.
    fn named(
        &mut self,
        fields: Vec<Field>,
        labels: &[Label<'t>],
        taken: &BTreeSet<&'t str>,
    ) -> Sequence {
        let alias = matches!(labels, [Label { name: None, .. }]);

        // Without a name of its own, a field goes by that of its type, if that is clear.
        let mut by_type: BTreeMap<&str, usize> = BTreeMap::new();
        for label in labels.iter().filter(|label| label.name.is_none()) {
            *by_type.entry(label.type_name.unwrap_or_default()).or_default() += 1;
        }
        let names = labels.iter().enumerate().map(|(position, label)| {
            let own = label.type_name.filter(|name| {
                !taken.contains(name) && by_type.get(name).is_some_and(|count| *count == 1)
            });
            match label.name.or(own) {
                Some(name) => {
                    self.fields.insert(name);
                    Box::from(name)
                }
                None => position.to_string().into_boxed_str(),
            }
        });
        let names: Vec<Box<str>> = names.collect();
        Sequence { names: Names::new(names.into()), fields, alias, at_least: 0 }
    }

    /// `< type [* count] [: name] >`, and where the name is.
    fn field(&mut self) -> Result<(Field, Label<'t>, usize)> {
        self.expect("<", "`<`")?;
        let (shape, type_name) = self.shape()?;
        let mut count = None;
        if self.next.kind == Lexeme::Sign("*") {
            self.advance()?;
            count = Some(self.count()?);
        }
        let mut name = None;
        let mut offset = self.next.offset;
        if self.next.kind == Lexeme::Sign(":") {
            self.advance()?;
            offset = self.next.offset;
            name = Some(self.name("name of the field")?);
        }
        let rest = match (&count, name) {
            (None, None) => "`*`, `:` or `>`",
            (Some(_), None) => "`:` or `>`",
            (_, Some(_)) => "`>`",
        };
        self.expect(">", rest)?;
        Ok((Field { shape, count }, Label { name, type_name }, offset))
    }

    /// The name of a type, or fields in its place; and the name if it is one of a declared type.
    fn shape(&mut self) -> Result<(Shape, Option<&'t str>)> {
        let offset = self.next.offset;
        let Lexeme::Name(name) = self.next.kind else {
            let sequence = self.sequence("type")?;
            return Ok((self.unnamed(sequence, offset).shape, None));
        };
        self.advance()?;
        Ok(match Builtin::of(name) {
            Some(builtin) => (Shape::Builtin(builtin), None),
            None => (Shape::Type(self.type_id(name, offset)), Some(name)),
        })
    }

    /// `number`, `$reference` or `( expression )`; a reference without its `$` is noted.
    fn count(&mut self) -> Result<Count> {
        let offset = self.next.offset;
        let expression = match self.next.kind {
            Lexeme::Number(_) | Lexeme::Name(_) | Lexeme::Sign("$" | "(") => self.operand()?,
            _ => return Err(self.unexpected("count")),
        };
        if !expression.is_constant() {
            return Ok(Count::Computed(expression));
        }
        match evaluate(&expression, None, &mut Folds::default()) {
            Ok(count) if count < 0 => {
                Err(Error::at(ErrorKind::NegativeCount { found: count }, offset))
            }
            Ok(count) => Ok(Count::Fixed(count)),
            Err(kind) => Err(Error::at(kind, offset)),
        }
    }

    fn type_id(&mut self, name: &'t str, offset: usize) -> usize {
        let fresh = self.drafts.len();
        let id = *self.declared.entry(name).or_insert(fresh);
        if id == fresh {
            self.drafts.push(Draft { name: Some(name), offset, sequence: None });
        }
        id
    }

    fn name(&mut self, expected: &'static str) -> Result<&'t str> {
        let Lexeme::Name(name) = self.next.kind else {
            return Err(self.unexpected(expected));
        };
        self.advance()?;
        Ok(name)
    }

    fn expect(&mut self, sign: &'static str, expected: &'static str) -> Result<()> {
        match self.next.kind {
            Lexeme::Sign(found) if found == sign => self.advance(),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn advance(&mut self) -> Result<()> {
        self.after = self.next.end;
        self.next = self.tokens.next()?;
        Ok(())
    }

    #[cold]
    fn unexpected(&self, expected: &'static str) -> Error {
        let found = match self.next.kind {
            Lexeme::End => Box::from("end of the text"),
            // A report needs the first characters of a long word only.
            _ => format!("`{}`", self.next.text.chars().take(40).collect::<String>()).into(),
        };
        Error::at(ErrorKind::Unexpected { expected, found }, self.next.offset)
    }
}
