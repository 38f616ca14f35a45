//! Defaults that a schema has as expressions of OCaml: those that are literals, in Rust.

use core::{fmt, mem};

use super::part::Key;
use super::role::Use;
use super::text::Texts;
use crate::atd::lexer::{Lexer, Token};
use crate::atd::node::{Body, Part};
use crate::atd::number::{Float, Int};
use crate::common::RustBytes;
use crate::common::rust::quoted;

/// A longer value is left to the user, but for a string.
const LONGEST: usize = 60;

/// So many values may be inside of each other.
const DEEPEST: usize = 16;

/// The Rust expression for the OCaml one, if that is a literal of the type: without the box that it may be in.
pub(super) fn literal(
    texts: &Texts<'_, '_>,
    id: usize,
    inside: usize,
    ocaml: &str,
) -> Option<String> {
    let mut reading = Reading { texts, inside, rest: ocaml };
    let value = reading.unboxed(id, DEEPEST)?;
    reading.skip_blanks();
    let is_string = matches!(texts.roles.body(texts.roles.end(id)), Some(Body::String));
    (reading.rest.is_empty() && (is_string || value.len() <= LONGEST)).then_some(value)
}

/// Whether the Rust expression is what Rust's own default is.
pub(super) fn is_zero(expression: &str) -> bool {
    matches!(
        expression,
        "()" | "0"
            | "0.0"
            | "false"
            | "'\\0'"
            | "None"
            | "Vec::new()"
            | "\"\""
            | "String::new()"
            | "Cow::Borrowed(\"\")"
    )
}

struct Reading<'w, 's, 't> {
    texts: &'w Texts<'w, 's>,
    inside: usize,
    rest: &'t str,
}

impl<'s, 't> Reading<'_, 's, 't> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn accept(&mut self, sign: &str) -> Option<()> {
        self.skip_blanks();
        self.rest = self.rest.strip_prefix(sign)?;
        Some(())
    }

    /// What is made of such characters.
    fn take(&mut self, is_so: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !is_so(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn word(&mut self) -> &'t str {
        self.skip_blanks();
        self.take(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\''))
    }

    /// A value with its mark around it.
    fn wrapped(&mut self, id: usize, deepest: usize) -> Option<String> {
        let value = self.beside(id, deepest)?;
        Some(match self.texts.roles.mark(id) {
            Some(mark) => format!("{}({value})", self.texts.wrapper(mark)),
            None => value,
        })
    }

    /// A value of a type beside its mark.
    fn beside(&mut self, id: usize, deepest: usize) -> Option<String> {
        let value = self.unboxed(id, deepest)?;
        Some(self.texts.boxed(id, self.inside, value))
    }

    fn unboxed(&mut self, id: usize, deepest: usize) -> Option<String> {
        let roles = self.texts.roles;
        match roles.usage(id) {
            Use::Chosen(_) => None,
            Use::Own(own) => self.within(Key::Own(own), |reading| reading.own(own, deepest)),
            Use::Alias(name) => {
                let end = roles.end(id);
                let value = self.within(Key::Alias(name), |reading| reading.inner(end, deepest))?;
                Some(match roles.inner_mark(end) {
                    Some(mark) => format!("{}({value})", self.texts.wrapper(mark)),
                    None => value,
                })
            }
            Use::Inline(end) => self.inner(end, deepest),
        }
    }

    /// Reads a value of a declaration, whose parts are in boxes where it has them so.
    fn within(
        &mut self,
        key: Key<'s>,
        read: impl FnOnce(&mut Self) -> Option<String>,
    ) -> Option<String> {
        let place = self.texts.graph.place(key)?;
        let outside = mem::replace(&mut self.inside, place);
        let value = read(self);
        self.inside = outside;
        value
    }

    /// A value of a type of its own.
    fn own(&mut self, own: usize, deepest: usize) -> Option<String> {
        let name = self.texts.name(Key::Own(own));
        match self.texts.roles.body(own)? {
            Body::Sum(..) => {
                let _ = self.accept("`");
                let word = self.word();
                Some(format!("{name}::{}", self.texts.constant(own, word)?))
            }
            Body::Tuple(cells) => {
                Some(format!("{name}{}", self.tuple(cells, Reading::beside, deepest)?))
            }
            Body::Int(_) => Some(format!("{name}({})", self.inner(own, deepest)?)),
            _ => None,
        }
    }

    /// A value of a type that is written where it is used.
    fn inner(&mut self, end: usize, deepest: usize) -> Option<String> {
        let deepest = deepest.checked_sub(1)?;
        let roles = self.texts.roles;
        let part = match roles.inner_mark(end) {
            Some(_) => Reading::beside,
            None => Reading::wrapped,
        };
        match roles.body(end)? {
            Body::Tuple(cells) if cells.len() > 1 => self.tuple(cells, part, deepest),
            Body::Unit => {
                self.accept("(")?;
                self.accept(")")?;
                Some("()".to_owned())
            }
            _ if self.accept("(").is_some() => {
                let value = self.inner(end, deepest)?;
                self.accept(")")?;
                Some(value)
            }
            Body::Bool => {
                Some(self.word()).filter(|word| matches!(*word, "true" | "false")).map(String::from)
            }
            Body::Int(Int::Char) => self.character(),
            Body::Int(int) => self.integer(*int),
            Body::Float(float) => self.float(*float),
            Body::String => self.string(),
            Body::List(item) | Body::Object(item) => self.list(*item, part, deepest),
            Body::Option(inner) | Body::Nullable(inner) => match self.word() {
                "None" => Some("None".to_owned()),
                "Some" => {
                    let value = part(self, *inner, deepest)?;
                    Some(format!("Some({value})"))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn tuple(
        &mut self,
        cells: &[Part],
        part: fn(&mut Self, usize, usize) -> Option<String>,
        deepest: usize,
    ) -> Option<String> {
        let deepest = deepest.checked_sub(1)?;
        self.accept("(")?;
        let mut values = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                self.accept(",")?;
            }
            values.push(part(self, cell.ty, deepest)?);
        }
        self.accept(")")?;
        Some(format!("({})", values.join(", ")))
    }

    fn list(
        &mut self,
        item: usize,
        part: fn(&mut Self, usize, usize) -> Option<String>,
        deepest: usize,
    ) -> Option<String> {
        self.accept("[")?;
        let end = if self.accept("|").is_some() { "|]" } else { "]" };
        let mut values = Vec::new();
        while self.accept(end).is_none() {
            if !values.is_empty() {
                self.accept(";")?;
                // The last one may have a sign after it.
                if self.accept(end).is_some() {
                    break;
                }
            }
            values.push(part(self, item, deepest)?);
        }
        Some(match values.is_empty() {
            true => "Vec::new()".to_owned(),
            false => format!("vec![{}]", values.join(", ")),
        })
    }

    fn integer(&mut self, int: Int) -> Option<String> {
        let sign = if self.accept("-").is_some() { -1 } else { 1 };
        let word = self.word();
        let digits = match int {
            Int::Int32 => word.strip_suffix('l')?,
            Int::Int64 => word.strip_suffix('L')?,
            _ => word,
        };
        let lower = digits.to_ascii_lowercase().replace('_', "");
        let (digits, base) = match lower.split_at_checked(2) {
            Some(("0x", digits)) => (digits, 16),
            Some(("0o", digits)) => (digits, 8),
            Some(("0b", digits)) => (digits, 2),
            _ => (&*lower, 10),
        };
        let is_number = digits.starts_with(|c: char| c.is_digit(base));
        let number = i128::from_str_radix(digits, base).ok().filter(|_| is_number)? * sign;
        let (least, most) = match int {
            Int::Svint => (-(1 << 62), (1 << 62) - 1),
            Int::Uvint => (0, (1 << 62) - 1),
            Int::Int8 | Int::Char => (0, 0xff),
            Int::Int16 => (0, 0xffff),
            Int::Int32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
            Int::Int64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
        };
        (least..=most).contains(&number).then(|| number.to_string())
    }

    fn character(&mut self) -> Option<String> {
        self.skip_blanks();
        let mut lexer = Lexer::new(self.rest);
        match self.rest.strip_prefix('\'')?.split_once('\'') {
            // `'a'`, which other texts have for a parameter.
            Some((one, rest)) if one.len() == 1 && one != "\\" => {
                self.rest = rest;
                Some(format!("{:?}", one.chars().next()?))
            }
            _ => {
                let (Token::Text, _) = lexer.take().ok()? else { return None };
                self.rest = lexer.rest();
                match *lexer.string() {
                    [byte] => Some(format!("{:?}", char::from(byte))),
                    _ => None,
                }
            }
        }
    }

    fn float(&mut self, float: Float) -> Option<String> {
        let sign = if self.accept("-").is_some() { "-" } else { "" };
        self.skip_blanks();
        let digits = self.take(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '+' | '-'));
        // Others are integers.
        digits
            .find(['.', 'e', 'E'])
            .filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))?;
        let text = format!("{sign}{}", digits.replace('_', ""));
        match float {
            Float::Float64 => finite(text.parse::<f64>().ok()?),
            Float::Float32 => finite(text.parse::<f32>().ok()?),
        }
    }

    fn string(&mut self) -> Option<String> {
        self.skip_blanks();
        let mut lexer = Lexer::new(self.rest.strip_prefix('"').map(|_| self.rest)?);
        let (Token::Text, _) = lexer.take().ok()? else { return None };
        self.rest = lexer.rest();
        let text = String::from_utf8(lexer.string()).ok()?;
        Some(match self.texts.roles.options.bytes {
            RustBytes::Owned if text.is_empty() => "String::new()".to_owned(),
            RustBytes::Owned => format!("String::from({})", quoted(&text)),
            RustBytes::Borrowed => quoted(&text),
            RustBytes::Cow => format!("Cow::Borrowed({})", quoted(&text)),
        })
    }
}

/// A float in Rust, unless it is too large for its type.
fn finite(float: impl fmt::Debug) -> Option<String> {
    Some(format!("{float:?}")).filter(|text| !text.ends_with("inf"))
}
