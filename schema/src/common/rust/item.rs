//! Rust items as text.

use core::fmt;

use super::name::{quoted, unescaped};

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
    Tuple(Vec<Cell>),
    Struct(Vec<Member>),
    Enum(Vec<Member>),
}

/// A field or a variant.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) docs: String,
    pub(crate) serde: Vec<String>,
    /// `pub name: Type`, or `Name(Type)`.
    pub(crate) text: String,
}

/// A value without a name: arguments of `#[serde(..)]`, and the type.
pub(crate) type Cell = (Vec<String>, String);

/// The argument that gives a field, a variant or a type the name that serde sees, if it has another one in Rust.
pub(crate) fn renamed(rust: &str, seen: &str) -> Option<String> {
    (unescaped(rust) != seen).then(|| argument("rename", seen))
}

/// `key = "value"`
pub(crate) fn argument(key: &str, value: &str) -> String {
    format!("{key} = {}", quoted(value))
}

/// The attribute of serde with these arguments, and `end` after it.
fn attribute(arguments: &[String], end: &str) -> String {
    match arguments {
        [] => String::new(),
        arguments => format!("#[serde({})]{end}", arguments.join(", ")),
    }
}

/// More values of a tuple are each in a line.
const MOST_IN_LINE: usize = 12;

/// The values of a variant or a tuple struct, in parentheses.
pub(crate) fn cells(cells: &[Cell], visibility: &str) -> String {
    let cell = |(serde, ty): &Cell| format!("{}{visibility}{ty}", attribute(serde, " "));
    let cells: Vec<String> = cells.iter().map(cell).collect();
    let gap = if cells.len() > MOST_IN_LINE { ",\n        " } else { ", " };
    format!("({})", cells.join(gap))
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
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line = line.replace(turns, "");
    let words = line.split(|c: char| c == ' ' || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
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

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Item { derives, serde, name, generics, .. } = self;
        docs(f, &self.docs, "")?;
        if !derives.is_empty() {
            writeln!(f, "#[derive({})]", derives.join(", "))?;
        }
        f.write_str(&attribute(serde, "\n"))?;
        let (word, members) = match &self.body {
            Body::Alias(ty) => return writeln!(f, "pub type {name}{generics} = {ty};"),
            Body::Tuple(values) => {
                return writeln!(f, "pub struct {name}{generics}{};", cells(values, "pub "));
            }
            Body::Struct(fields) => ("struct", fields),
            Body::Enum(variants) => ("enum", variants),
        };
        if members.is_empty() {
            return writeln!(f, "pub {word} {name}{generics} {{}}");
        }
        writeln!(f, "pub {word} {name}{generics} {{")?;
        for Member { docs: text, serde, text: member } in members {
            docs(f, text, "    ")?;
            if !serde.is_empty() {
                writeln!(f, "    {}", attribute(serde, ""))?;
            }
            writeln!(f, "    {member},")?;
        }
        writeln!(f, "}}")
    }
}
