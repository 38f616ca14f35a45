//! Types as text of the schema language.

use core::fmt;

use super::{Schema, Shape, Type};
use crate::common::write_lines;

/// A keyword, and what is after the name of its type.
pub(super) type Body = (&'static str, String);

/// The text of a declaration.
pub(super) fn declaration(name: &str, (keyword, rest): &Body) -> String {
    format!("{keyword} {name} {rest}\n")
}

/// Fields with their types, or items with their ids, each after its comment.
pub(super) fn members<'a>(members: impl Iterator<Item = (&'a str, String)>) -> String {
    let member = |(docs, member)| format!("{}    {member},\n", comment(docs, "    "));
    let text: String = members.map(member).collect();
    if text.is_empty() { "{}".into() } else { format!("{{\n{text}}}") }
}

/// The lines of a comment.
fn comment(docs: &str, margin: &str) -> String {
    docs.lines().map(|line| format!("{}\n", format!("{margin}// {line}").trim_end())).collect()
}

impl Type<'_> {
    fn declaration(self) -> Option<String> {
        let body = match self.shape() {
            Shape::Byte => return None,
            Shape::Array(item, count) => ("array", format!("[{}; {count}];", item.name())),
            Shape::FixVec(item) | Shape::DynVec(item) => ("vector", format!("<{}>;", item.name())),
            Shape::Option(item) => ("option", format!("({});", item.name())),
            Shape::Struct(fields) | Shape::Table(fields) => {
                let field = |it: super::Field<'_>| format!("{}: {}", it.name(), it.ty().name());
                let text = members(fields.iter().map(|it| (it.docs(), field(it))));
                (if self.size().is_some() { "struct" } else { "table" }, text)
            }
            Shape::Union(items) => {
                let item = |it: super::Item<'_>| format!("{}: {}", it.ty().name(), it.id());
                ("union", members(items.iter().map(|it| (it.docs(), item(it)))))
            }
        };
        Some(comment(self.docs(), "") + &declaration(self.name(), &body))
    }
}

/// All declarations as one text that `moleculec` compiles, also those that were imported. Comments before a
/// declaration, a field or an item are kept. What [`with_number`](Schema::with_number) has set is not: a comment
/// `fourfold: number` is.
impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_lines(f, self.types().filter_map(Type::declaration))
    }
}
