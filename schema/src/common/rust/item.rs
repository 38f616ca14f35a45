//! Rust items as text, formatted as by rustfmt.

use core::fmt::{self, Write};

use super::name::{quoted, unescaped};

/// rustfmt breaks lines that are longer.
pub(super) const LONGEST_LINE: usize = 100;

/// rustfmt breaks several arguments of an attribute that are longer.
const LONGEST_ARGUMENTS: usize = 70;

/// rustfmt breaks several values without names that are longer.
const LONGEST_CELLS: usize = 60;

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
    /// A struct of values without names.
    Tuple(Vec<Field>),
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) docs: String,
    pub(crate) serde: Vec<String>,
    /// Not used in tuples.
    pub(crate) name: String,
    pub(crate) ty: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) docs: String,
    pub(crate) serde: Vec<String>,
    pub(crate) name: String,
    /// What it holds; the names are not used.
    pub(crate) holds: Vec<Field>,
}

/// The argument that gives a field, a variant or a type the name that serde sees, if it has another one in Rust.
pub(crate) fn renamed(rust: &str, seen: &str) -> Option<String> {
    (unescaped(rust) != seen).then(|| argument("rename", seen))
}

/// `key = "value"`
pub(crate) fn argument(key: &str, value: &str) -> String {
    format!("{key} = {}", quoted(value))
}

/// A value of a tuple or a variant.
pub(crate) fn unnamed(serde: Vec<String>, ty: String) -> Field {
    Field { docs: String::new(), serde, name: String::new(), ty }
}

/// Imports, of which those that are used, and items one below the other.
pub(crate) fn text_of(imports: [(bool, &str); 3], items: &[Item]) -> String {
    let used = imports.iter().filter(|(is_used, _)| *is_used);
    let mut out: String = used.map(|(_, path)| format!("use {path};\n")).collect();
    if !items.is_empty() && !out.is_empty() {
        out.push('\n');
    }
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
    out
}

/// Documentation, without lines that begin or end a block of code: such code would be compiled by the tests of the
/// documentation.
fn docs(f: &mut fmt::Formatter<'_>, docs: &str, margin: &str) -> fmt::Result {
    let mut lines = docs.lines().map(plain).filter(|line| !has_fence(line));
    lines.try_for_each(|line| match line.trim() {
        "" => writeln!(f, "{margin}///"),
        line => writeln!(f, "{margin}/// {line}"),
    })
}

/// A line of documentation without what rustc refuses in comments: a carriage return, and characters that turn the
/// direction of text. Between words is one blank, since more of them make code of what is after a sign of a list.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for letter in line.chars() {
        match letter {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            _ if letter != ' ' && !letter.is_control() => plain.push(letter),
            _ if plain.ends_with(' ') => {}
            _ => plain.push(' '),
        }
    }
    plain
}

/// Whether a line begins or ends a block of code, which may be in a list, a quote or a footnote.
fn has_fence(line: &str) -> bool {
    let Some(at) = ["```", "~~~"].iter().filter_map(|fence| line.find(fence)).min() else {
        return false;
    };
    let (before, fence) = line.split_at_checked(at).unwrap_or_default();
    // Otherwise it is code in a line.
    let is_alone = fence.starts_with('~') || !fence.trim_start_matches('`').contains('`');
    is_alone && before.trim_end().chars().next_back().is_none_or(|sign| ">-*+.):]".contains(sign))
}

/// The line of an attribute, or nothing where it does not fit one.
fn attribute_line(name: &str, arguments: &[String], margin: &str) -> Option<String> {
    let line = arguments.join(", ");
    let around = margin.len() + name.len() + "#[()]".len();
    let limit = match arguments {
        [_, _, ..] if name != "derive" => LONGEST_ARGUMENTS,
        _ => LONGEST_LINE.saturating_sub(around),
    };
    (line.len() <= limit).then(|| format!("#[{name}({line})]"))
}

/// An attribute, and a line after it.
fn attribute(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    arguments: &[String],
    margin: &str,
) -> fmt::Result {
    if arguments.is_empty() {
        return Ok(());
    }
    match attribute_line(name, arguments, margin) {
        Some(line) => writeln!(f, "{margin}{line}"),
        None => {
            writeln!(f, "{margin}#[{name}(")?;
            for (at, argument) in arguments.iter().enumerate() {
                let comma = if at + 1 < arguments.len() { "," } else { "" };
                writeln!(f, "{margin}    {argument}{comma}")?;
            }
            writeln!(f, "{margin})]")
        }
    }
}

/// Values without names, of a struct or a variant.
struct Cells<'i> {
    cells: &'i [Field],
    /// How long the line is before them.
    before: usize,
    margin: &'static str,
    visibility: &'static str,
    end: &'static str,
}

impl Cells<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cells { cells, before, margin, visibility, end } = *self;
        let inner = format!("{margin}    ");
        let line = |cell: &Field| match cell.serde.as_slice() {
            [] => Some(format!("{visibility}{}", cell.ty)),
            arguments => attribute_line("serde", arguments, &inner)
                .map(|line| format!("{line} {visibility}{}", cell.ty)),
        };
        let lines: Option<Vec<String>> = cells.iter().map(line).collect();
        if let Some(line) = lines.map(|lines| lines.join(", ")) {
            let whole = before + "()".len() + line.len() + end.len();
            let limit = match cells {
                [cell] if cell.serde.is_empty() || !visibility.is_empty() => LONGEST_LINE,
                [_] => LONGEST_LINE - 1,
                _ if line.len() <= LONGEST_CELLS => LONGEST_LINE,
                _ => 0,
            };
            if whole <= limit {
                return writeln!(f, "({line}){end}");
            }
        }
        writeln!(f, "(")?;
        for cell in cells {
            let line = line(cell).filter(|line| inner.len() + line.len() < LONGEST_LINE);
            match line {
                Some(line) => writeln!(f, "{inner}{line},")?,
                None => {
                    attribute(f, "serde", &cell.serde, &inner)?;
                    writeln!(f, "{inner}{visibility}{},", cell.ty)?;
                }
            }
        }
        writeln!(f, "{margin}){end}")
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
            Body::Tuple(cells) => {
                write!(f, "pub struct {name}{generics}")?;
                let before = "pub struct ".len() + name.len() + generics.len();
                Cells { cells, before, margin: "", visibility: "pub ", end: ";" }.write(f)
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
                    write!(f, "    {name}")?;
                    let before = "    ".len() + name.len();
                    match holds.as_slice() {
                        [] => writeln!(f, ",")?,
                        cells => {
                            Cells { cells, before, margin: "    ", visibility: "", end: "," }
                                .write(f)?;
                        }
                    }
                }
                writeln!(f, "}}")
            }
        }
    }
}
