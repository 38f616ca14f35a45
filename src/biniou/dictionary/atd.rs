//! The ATD language, as far as it names fields and variants. Knows the grammar, does not know whether the
//! types that are named exist.

mod lexer;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use self::lexer::{Lexer, Token};
use crate::biniou::{Error, ErrorKind, Result};

/// How deep types may nest: none that people write come near.
const MAX_DEPTH: usize = 256;

/// The names of all fields and variants, in the order of the text.
pub(super) fn names(text: &str) -> Result<Vec<&str>> {
    let mut lexer = Lexer::new(text);
    let (token, line) = lexer.take()?;
    let mut parser = Parser { lexer, token, line, depth: 0, names: Vec::new() };
    parser.module()?;
    Ok(parser.names)
}

#[cold]
fn fault(what: impl Into<String>, line: usize) -> Error {
    Error::placeless(ErrorKind::Dictionary { what: what.into(), line })
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    /// The next token, and the line it is in.
    token: Token<'t>,
    line: usize,
    depth: usize,
    names: Vec<&'t str>,
}

impl<'t> Parser<'t> {
    /// `annotations imports definitions`
    fn module(&mut self) -> Result<()> {
        self.annotations()?;
        while self.token == Token::Lower("from") {
            self.import()?;
        }
        while self.token != Token::End {
            self.definition()?;
        }
        Ok(())
    }

    /// `from a.b <..> as c import d, 'a e`
    fn import(&mut self) -> Result<()> {
        self.step()?;
        self.path("the name of a module")?;
        self.annotations()?;
        if self.accept(Token::Lower("as"))? {
            self.lower("the name of a module")?;
        }
        self.expect(Token::Lower("import"), "`import`")?;
        loop {
            self.parameters()?;
            self.lower("the name of a type")?;
            self.annotations()?;
            if !self.accept(Token::Sign(','))? {
                return Ok(());
            }
        }
    }

    /// `type ('a, 'b) name <..> = type`
    fn definition(&mut self) -> Result<()> {
        self.expect(Token::Type, "`type`")?;
        self.parameters()?;
        self.lower("the name of a type")?;
        self.annotations()?;
        self.expect(Token::Sign('='), "`=` behind the name of a type")?;
        self.type_expression()
    }

    /// `'a` or `('a, 'b)` or nothing
    fn parameters(&mut self) -> Result<()> {
        if let Token::Parameter = self.token {
            return self.step();
        }
        if self.accept(Token::Sign('('))? {
            loop {
                self.expect(Token::Parameter, "a type parameter")?;
                if !self.accept(Token::Sign(','))? {
                    break;
                }
            }
            self.expect(Token::Sign(')'), "`)` behind type parameters")?;
        }
        Ok(())
    }

    /// A type with its annotations, then names of types that it is an argument of: `int list`
    fn type_expression(&mut self) -> Result<()> {
        if self.depth == MAX_DEPTH {
            return Err(fault(format!("types nest deeper than {MAX_DEPTH} levels"), self.line));
        }
        self.depth += 1;
        match self.token {
            Token::Sign('[') => self.variants()?,
            Token::Sign('{') => self.fields()?,
            Token::Sign('(') => self.cells()?,
            Token::Parameter => self.step()?,
            _ => self.path("a type")?,
        }
        self.annotations()?;
        while let Token::Lower(_) = self.token {
            self.path("a type")?;
            self.annotations()?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// `[ | A <..> of type | B | inherit type ]`
    fn variants(&mut self) -> Result<()> {
        self.step()?;
        let has_bar = self.accept(Token::Sign('|'))?;
        if !has_bar && self.accept(Token::Sign(']'))? {
            return Ok(());
        }
        loop {
            match self.token {
                Token::Upper(name) => {
                    self.names.push(name);
                    self.step()?;
                    self.annotations()?;
                    if self.accept(Token::Of)? {
                        self.type_expression()?;
                    }
                }
                Token::Inherit => {
                    self.step()?;
                    self.type_expression()?;
                }
                _ => return Err(self.expected("the name of a variant")),
            }
            if !self.accept(Token::Sign('|'))? {
                break;
            }
        }
        self.expect(Token::Sign(']'), "`|` or `]` behind a variant")
    }

    /// `{ x <..> : type; ?y : type; ~z : type; inherit type }`
    fn fields(&mut self) -> Result<()> {
        self.step()?;
        while self.token != Token::Sign('}') {
            if self.accept(Token::Inherit)? {
                self.type_expression()?;
            } else {
                let _ = self.accept(Token::Sign('?'))? || self.accept(Token::Sign('~'))?;
                let name = self.lower("the name of a field")?;
                self.names.push(name);
                self.annotations()?;
                self.expect(Token::Sign(':'), "`:` behind the name of a field")?;
                self.type_expression()?;
            }
            if !self.accept(Token::Sign(';'))? {
                break;
            }
        }
        self.expect(Token::Sign('}'), "`;` or `}` behind a field")
    }

    /// A tuple `(<..> : type * type)`, or the arguments of a type `(type, type)`
    fn cells(&mut self) -> Result<()> {
        self.step()?;
        if self.accept(Token::Sign(')'))? {
            return Ok(());
        }
        loop {
            if self.annotations()? {
                self.expect(Token::Sign(':'), "`:` behind the annotation of a cell")?;
            }
            // A cell without annotations may have the colon too.
            let _ = self.accept(Token::Sign(':'))?;
            self.type_expression()?;
            if !self.accept(Token::Sign('*'))? && !self.accept(Token::Sign(','))? {
                break;
            }
        }
        self.expect(Token::Sign(')'), "`*`, `,` or `)` behind a cell")
    }

    /// Steps over `<section key="value" key>`, any number of them; gives whether there were any.
    fn annotations(&mut self) -> Result<bool> {
        let start = self.line;
        let mut found = false;
        while self.accept(Token::Sign('<'))? {
            found = true;
            while !self.accept(Token::Sign('>'))? {
                match self.token {
                    Token::End => return Err(fault("annotation without an end", start)),
                    _ => self.step()?,
                }
            }
        }
        Ok(found)
    }

    /// `a.b.c`
    fn path(&mut self, what: &str) -> Result<()> {
        self.lower(what)?;
        while self.accept(Token::Sign('.'))? {
            self.lower(what)?;
        }
        Ok(())
    }

    fn lower(&mut self, what: &str) -> Result<&'t str> {
        match self.token {
            Token::Lower(name) => {
                self.step()?;
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn expect(&mut self, token: Token<'t>, what: &str) -> Result<()> {
        match self.accept(token)? {
            true => Ok(()),
            false => Err(self.expected(what)),
        }
    }

    fn accept(&mut self, token: Token<'t>) -> Result<bool> {
        let is_next = self.token == token;
        if is_next {
            self.step()?;
        }
        Ok(is_next)
    }

    fn step(&mut self) -> Result<()> {
        (self.token, self.line) = self.lexer.take()?;
        Ok(())
    }

    #[cold]
    fn expected(&self, what: &str) -> Error {
        fault(format!("expected {what}, found {}", self.token), self.line)
    }
}
