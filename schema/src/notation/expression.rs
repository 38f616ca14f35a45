//! Expressions: `+ - * /`, parentheses, functions, and the values of fields.

use super::parse::Parser;
use super::syntax::{Expression, Fold, Reference, Step};
use super::token::Lexeme;
use super::{Error, ErrorKind, NoteKind, Result};

impl<'t> Parser<'t> {
    /// `term (+ term | - term)*`
    fn expression(&mut self) -> Result<Expression> {
        self.chain(["+", "-"], |parser| parser.chain(["*", "/"], Parser::operand))
    }

    /// Operands with one of these signs between them.
    fn chain(
        &mut self,
        signs: [&'static str; 2],
        operand: fn(&mut Self) -> Result<Expression>,
    ) -> Result<Expression> {
        let first = operand(self)?;
        let mut more = Vec::new();
        while let Some(sign) = signs.into_iter().find(|sign| self.next.kind == Lexeme::Sign(sign)) {
            self.advance()?;
            more.push((sign, operand(self)?));
        }
        Ok(if more.is_empty() { first } else { Expression::Chain(Box::new(first), more) })
    }

    /// `number`, `- operand`, `( expression )`, `$reference` or `function ( argument )`
    pub(super) fn operand(&mut self) -> Result<Expression> {
        let depth = self.enter()?;
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
                // A function's name differs from a field's only in what is after it.
                match self.tokens.clone().next()?.kind {
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
            "prob" => {
                self.note(NoteKind::Prob, offset);
                Fold::Prod
            }
            "sum" => Fold::Sum,
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
        let name = match self.next.kind {
            Lexeme::Sign("$") => {
                self.advance()?;
                self.requested("name of a field")?
            }
            _ => {
                let offset = self.next.offset;
                let name = self.requested("`$`")?;
                self.note(NoteKind::MissingDollar { name: name.into() }, offset);
                name
            }
        };
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

    /// The name of a field, which some field of the text must have.
    fn requested(&mut self, expected: &'static str) -> Result<&'t str> {
        let offset = self.next.offset;
        let name = self.name(expected)?;
        self.requested.push((name, offset));
        Ok(name)
    }
}
