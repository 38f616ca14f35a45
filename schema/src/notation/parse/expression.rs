//! Expressions: `+ - * /`, parentheses, functions, and the values of fields.

use super::Parser;
use crate::notation::note::{Note, NoteKind};
use crate::notation::syntax::{Expression, Fold, Operator, Reference, Step};
use crate::notation::token::Lexeme;
use crate::notation::{Error, ErrorKind, Result};

impl<'t> Parser<'t> {
    /// `term (+ term | - term)*`
    fn expression(&mut self) -> Result<Expression> {
        let first = self.term()?;
        let mut more = Vec::new();
        loop {
            let operator = match self.next.kind {
                Lexeme::Sign("+") => Operator::Plus,
                Lexeme::Sign("-") => Operator::Minus,
                _ => return Ok(chain(first, more)),
            };
            self.advance()?;
            more.push((operator, self.term()?));
        }
    }

    /// `operand (* operand | / operand)*`
    fn term(&mut self) -> Result<Expression> {
        let first = self.operand()?;
        let mut more = Vec::new();
        loop {
            let operator = match self.next.kind {
                Lexeme::Sign("*") => Operator::Times,
                Lexeme::Sign("/") => Operator::Over,
                _ => return Ok(chain(first, more)),
            };
            self.advance()?;
            more.push((operator, self.operand()?));
        }
    }

    /// `number`, `- operand`, `( expression )`, `$reference` or `function ( argument )`
    pub(super) fn operand(&mut self) -> Result<Expression> {
        let offset = self.next.offset;
        let depth = self.depth;
        self.depth = depth.enter().ok_or_else(|| Error::at(depth.reached(), offset))?;
        let operand = match self.next.kind {
            Lexeme::Number(number) => {
                self.advance()?;
                Expression::Number(number)
            }
            Lexeme::Sign("-") => {
                self.advance()?;
                Expression::Negative(Box::new(self.operand()?))
            }
            Lexeme::Sign("(") => self.parenthesised()?,
            Lexeme::Sign("$") => Expression::Value(self.reference()?),
            Lexeme::Name(name) => {
                // A function's name does not differ from a field's but by what is after it.
                let mut ahead = self.tokens.clone();
                match ahead.next()?.kind {
                    Lexeme::Sign("(") => self.call(name)?,
                    _ => Expression::Value(self.reference()?),
                }
            }
            _ => return Err(self.unexpected("number, `$`, function or `(`")),
        };
        self.depth = depth;
        Ok(operand)
    }

    fn parenthesised(&mut self) -> Result<Expression> {
        self.expect("(", "`(`")?;
        let inner = self.expression()?;
        self.expect(")", "operator or `)`")?;
        Ok(inner)
    }

    fn call(&mut self, name: &str) -> Result<Expression> {
        let offset = self.next.offset;
        self.advance()?;
        let fold = match name {
            "prod" => Fold::Prod,
            "sum" => Fold::Sum,
            "prob" => {
                self.notes.push(Note::new(NoteKind::Prob, offset));
                Fold::Prod
            }
            "type_bytes" => return Ok(Expression::TypeBytes(Box::new(self.parenthesised()?))),
            _ => return Err(Error::at(ErrorKind::UnknownFunction { name: name.into() }, offset)),
        };
        self.expect("(", "`(`")?;
        let array = self.reference()?;
        self.expect(")", "`.`, `[` or `)`")?;
        Ok(Expression::Fold(fold, array))
    }

    /// `$name (. name | [ expression ])*`; without the `$` it is noted.
    fn reference(&mut self) -> Result<Reference> {
        let dollar = self.next.kind == Lexeme::Sign("$");
        if dollar {
            self.advance()?;
        }
        let offset = self.next.offset;
        let name = self.requested(if dollar { "name of a field" } else { "`$`" })?;
        if !dollar {
            let kind = NoteKind::MissingDollar { name: name.into() };
            self.notes.push(Note::new(kind, offset));
        }
        let mut steps = Vec::new();
        loop {
            match self.next.kind {
                Lexeme::Sign(".") => {
                    self.advance()?;
                    steps.push(Step::Member(self.requested("name of a field")?.into()));
                }
                Lexeme::Sign("[") => {
                    self.advance()?;
                    steps.push(Step::Item(self.expression()?));
                    self.expect("]", "operator or `]`")?;
                }
                _ => return Ok(Reference { name: name.into(), steps }),
            }
        }
    }

    fn requested(&mut self, expected: &'static str) -> Result<&'t str> {
        let offset = self.next.offset;
        let name = self.name(expected)?;
        self.requested.push((name, offset));
        Ok(name)
    }
}

fn chain(first: Expression, more: Vec<(Operator, Expression)>) -> Expression {
    if more.is_empty() { first } else { Expression::Chain(Box::new(first), more) }
}
