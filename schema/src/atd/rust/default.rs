//! Defaults that a schema has as expressions of OCaml: those that are simple literals, in Rust.

use super::part::Key;
use super::role::Use;
use super::text::Texts;
use crate::atd::lexer::{Lexer, Token};
use crate::atd::node::Body;
use crate::atd::number::{Float, Int};
use crate::common::RustBytes;
use crate::common::rust::quoted;

/// The Rust expression for the OCaml one, if that is a literal of the type: a number, a string, a variant without an
/// argument, or an empty list or option. The box that it may be in is not part of it.
pub(super) fn literal(texts: &Texts<'_, '_>, id: usize, ocaml: &str) -> Option<String> {
    let mut ocaml = ocaml.trim();
    while let Some(inner) = ocaml.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        ocaml = inner.trim();
    }
    let roles = texts.roles;
    let end = roles.end(id);
    match roles.usage(id) {
        Use::Chosen(_) => None,
        Use::Own(own) => {
            let name = texts.name(Key::Own(own));
            match roles.body(own)? {
                Body::Sum(..) => {
                    let variant = ocaml.strip_prefix('`').unwrap_or(ocaml);
                    Some(format!("{name}::{}", texts.constant(own, variant)?))
                }
                Body::Int(int) => Some(format!("{name}({})", integer(*int, ocaml)?)),
                _ => None,
            }
        }
        Use::Alias(_) => {
            let value = plain(texts, end, ocaml)?;
            Some(match roles.inner_mark(end) {
                Some(mark) => format!("{}({value})", super::text::wrapper(mark)),
                None => value,
            })
        }
        Use::Inline(end) => plain(texts, end, ocaml),
    }
}

/// Whether the Rust expression is what Rust's own default is.
pub(super) fn is_zero(expression: &str) -> bool {
    let zeros = ["0", "0.0", "false", "None", "Vec::new()", "\"\""];
    zeros.contains(&expression) || ["String::new()", "Cow::Borrowed(\"\")"].contains(&expression)
}

/// A literal of a type that is written where it is used.
fn plain(texts: &Texts<'_, '_>, end: usize, ocaml: &str) -> Option<String> {
    match (texts.roles.body(end)?, ocaml) {
        (Body::Bool, "true" | "false") => Some(ocaml.to_owned()),
        (Body::Int(int), _) => integer(*int, ocaml),
        (Body::Float(float), _) => self::float(*float, ocaml),
        (Body::String, _) => string(texts, ocaml),
        (Body::List(_) | Body::Object(_), "[]" | "[||]") => Some("Vec::new()".to_owned()),
        (Body::Option(_) | Body::Nullable(_), "None") => Some("None".to_owned()),
        _ => None,
    }
}

fn integer(int: Int, ocaml: &str) -> Option<String> {
    let (sign, word) = match ocaml.strip_prefix('-') {
        Some(rest) => (-1, rest.trim_start()),
        None => (1, ocaml),
    };
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
        Int::Int8 => (0, 0xff),
        Int::Int16 => (0, 0xffff),
        Int::Int32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
        Int::Int64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
        Int::Char => return None,
    };
    (least..=most).contains(&number).then(|| number.to_string())
}

fn float(float: Float, ocaml: &str) -> Option<String> {
    let digits = ocaml.strip_prefix('-').unwrap_or(ocaml);
    // Others are integers.
    let is_float =
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.contains(['.', 'e', 'E']);
    let text = ocaml.replace('_', "");
    let value = match float {
        _ if !is_float => return None,
        Float::Float64 => format!("{:?}", text.parse::<f64>().ok()?),
        Float::Float32 => format!("{:?}", text.parse::<f32>().ok()?),
    };
    // Not if it is too large for its type.
    Some(value).filter(|value| !value.ends_with("inf"))
}

fn string(texts: &Texts<'_, '_>, ocaml: &str) -> Option<String> {
    let mut lexer = Lexer::new(ocaml.strip_prefix('"').map(|_| ocaml)?);
    let (Token::Text, _) = lexer.take().ok()? else { return None };
    if !lexer.rest().is_empty() {
        return None;
    }
    let text = String::from_utf8(lexer.string()).ok()?;
    Some(match texts.roles.options.bytes {
        RustBytes::Owned if text.is_empty() => "String::new()".to_owned(),
        RustBytes::Owned => format!("String::from({})", quoted(&text)),
        RustBytes::Borrowed => quoted(&text),
        RustBytes::Cow => format!("Cow::Borrowed({})", quoted(&text)),
    })
}
