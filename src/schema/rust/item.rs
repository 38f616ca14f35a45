//! Rust items as text, in the form that rustfmt gives them. Knows how items are written, does not know what
//! they are for.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::name::{quoted, unescaped};

/// rustfmt breaks lines that are longer.
const LONGEST_LINE: usize = 100;

/// rustfmt breaks several arguments of an attribute that are longer.
const LONGEST_ARGUMENTS: usize = 70;

/// A declaration of a type.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) docs: String,
    pub(crate) derives: Vec<String>,
    /// Arguments of `#[serde(..)]`.
    pub(crate) serde: Vec<String>,
    pub(crate) name: String,
    /// `<'a>`, or nothing.
    pub(crate) generics: &'static str,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Another name for a type.
    Alias(String),
    /// A struct around one value, whose name is not used.
    Newtype(Field),
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) docs: String,
    pub(crate) serde: Vec<String>,
    pub(crate) name: String,
    pub(crate) ty: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) docs: String,
    pub(crate) serde: Vec<String>,
    pub(crate) name: String,
    /// The types of what it holds.
    pub(crate) holds: Vec<String>,
}

/// The argument that gives a field, a variant or a type the name that serde sees, if it has another one in Rust.
pub(crate) fn renamed(rust: &str, seen: &str) -> Option<String> {
    (unescaped(rust) != seen).then(|| argument("rename", seen))
}

/// `key = "value"`
pub(crate) fn argument(key: &str, value: &str) -> String {
    format!("{key} = {}", quoted(value))
}

/// Items one below the other.
pub(crate) fn write_items(out: &mut String, items: &[Item]) {
    let mut before: Option<&Item> = None;
    for item in items {
        let is_line = |item: &Item| matches!(item.body, Body::Alias(_)) && item.docs.is_empty();
        if before.is_some_and(|before| !(is_line(before) && is_line(item))) {
            out.push('\n');
        }
        // Text takes all that is written to it.
        let _ = write!(out, "{item}");
        before = Some(item);
    }
}

fn docs(f: &mut fmt::Formatter<'_>, docs: &str, margin: &str) -> fmt::Result {
    // Code would be compiled by whoever tests the documentation.
    let is_shown = |line: &&str| !line.trim_start().starts_with("```");
    docs.lines().filter(is_shown).try_for_each(|line| match line.trim() {
        "" => writeln!(f, "{margin}///"),
        line => writeln!(f, "{margin}/// {line}"),
    })
}

/// An attribute, and a line behind it.
fn attribute(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    arguments: &[String],
    margin: &str,
) -> fmt::Result {
    if arguments.is_empty() {
        return Ok(());
    }
    let line = arguments.join(", ");
    let around = margin.len() + name.len() + "#[()]".len();
    let limit = match arguments {
        [_, _, ..] if name != "derive" => LONGEST_ARGUMENTS,
        _ => LONGEST_LINE.saturating_sub(around),
    };
    match line.len() <= limit {
        true => writeln!(f, "{margin}#[{name}({line})]"),
        false => {
            writeln!(f, "{margin}#[{name}(")?;
            for (at, argument) in arguments.iter().enumerate() {
                let comma = if at + 1 < arguments.len() { "," } else { "" };
                writeln!(f, "{margin}    {argument}{comma}")?;
            }
            writeln!(f, "{margin})]")
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Item { name, generics, .. } = self;
        docs(f, &self.docs, "")?;
        attribute(f, "derive", &self.derives, "")?;
        attribute(f, "serde", &self.serde, "")?;
        match &self.body {
            Body::Alias(ty) => {
                let line = format!("pub type {name}{generics} = {ty};");
                match line.len() <= LONGEST_LINE {
                    true => writeln!(f, "{line}"),
                    false => writeln!(f, "pub type {name}{generics} =\n    {ty};"),
                }
            }
            Body::Newtype(Field { serde, ty, .. }) => {
                let mark = match serde.is_empty() {
                    true => String::new(),
                    false => format!("#[serde({})] ", serde.join(", ")),
                };
                let line = format!("pub struct {name}{generics}({mark}pub {ty});");
                if line.len() <= LONGEST_LINE {
                    return writeln!(f, "{line}");
                }
                writeln!(f, "pub struct {name}{generics}(")?;
                attribute(f, "serde", serde, "    ")?;
                writeln!(f, "    pub {ty},\n);")
            }
            Body::Struct(fields) if fields.is_empty() => {
                writeln!(f, "pub struct {name}{generics} {{}}")
            }
            Body::Struct(fields) => {
                writeln!(f, "pub struct {name}{generics} {{")?;
                for Field { docs: text, serde, name, ty } in fields {
                    docs(f, text, "    ")?;
                    attribute(f, "serde", serde, "    ")?;
                    let line = format!("    pub {name}: {ty},");
                    match line.len() <= LONGEST_LINE {
                        true => writeln!(f, "{line}")?,
                        false => writeln!(f, "    pub {name}:\n        {ty},")?,
                    }
                }
                writeln!(f, "}}")
            }
            Body::Enum(variants) if variants.is_empty() => {
                writeln!(f, "pub enum {name}{generics} {{}}")
            }
            Body::Enum(variants) => {
                writeln!(f, "pub enum {name}{generics} {{")?;
                for Variant { docs: text, serde, name, holds } in variants {
                    docs(f, text, "    ")?;
                    attribute(f, "serde", serde, "    ")?;
                    let line = match holds.is_empty() {
                        true => format!("    {name},"),
                        false => format!("    {name}({}),", holds.join(", ")),
                    };
                    if line.len() <= LONGEST_LINE {
                        writeln!(f, "{line}")?;
                        continue;
                    }
                    writeln!(f, "    {name}(")?;
                    holds.iter().try_for_each(|ty| writeln!(f, "        {ty},"))?;
                    writeln!(f, "    ),")?;
                }
                writeln!(f, "}}")
            }
        }
    }
}
