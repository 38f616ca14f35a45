//! Types as text of the schema language.

use core::fmt;
use std::borrow::Cow;

use super::{Schema, Shape, Type};
use crate::common::write_lines;

/// A declaration.
pub(super) struct Declaration<'a> {
    pub(super) docs: &'a str,
    pub(super) name: &'a str,
    pub(super) body: Body<'a>,
}

pub(super) enum Body<'a> {
    Array(&'a str, usize),
    Vector(&'a str),
    Option(&'a str),
    Struct(Vec<Member<'a>>),
    Table(Vec<Member<'a>>),
    Union(Vec<Member<'a>>),
}

/// A field with its type, or an item with its id.
pub(super) struct Member<'a> {
    pub(super) docs: &'a str,
    pub(super) name: Cow<'a, str>,
    pub(super) of: Cow<'a, str>,
}

/// Each line of a comment.
fn comment(f: &mut fmt::Formatter<'_>, docs: &str, margin: &str) -> fmt::Result {
    docs.lines().try_for_each(|line| match line.is_empty() {
        true => writeln!(f, "{margin}//"),
        false => writeln!(f, "{margin}// {line}"),
    })
}

impl fmt::Display for Declaration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Declaration { docs, name, body } = self;
        comment(f, docs, "")?;
        let (keyword, members) = match body {
            Body::Array(item, count) => return writeln!(f, "array {name} [{item}; {count}];"),
            Body::Vector(item) => return writeln!(f, "vector {name} <{item}>;"),
            Body::Option(item) => return writeln!(f, "option {name} ({item});"),
            Body::Struct(members) => ("struct", members),
            Body::Table(members) => ("table", members),
            Body::Union(members) => ("union", members),
        };
        if members.is_empty() {
            return writeln!(f, "{keyword} {name} {{}}");
        }
        writeln!(f, "{keyword} {name} {{")?;
        for Member { docs, name, of } in members {
            comment(f, docs, "    ")?;
            writeln!(f, "    {name}: {of},")?;
        }
        writeln!(f, "}}")
    }
}

impl<'s> Type<'s> {
    /// Its declaration. `byte` has none.
    fn declaration(self) -> Option<Declaration<'s>> {
        let body = match self.shape() {
            Shape::Byte => return None,
            Shape::Array(item, count) => Body::Array(item.name(), count),
            Shape::FixVec(item) | Shape::DynVec(item) => Body::Vector(item.name()),
            Shape::Option(item) => Body::Option(item.name()),
            Shape::Struct(fields) | Shape::Table(fields) => {
                let member = |field: super::Field<'s>| Member {
                    docs: field.docs(),
                    name: field.name().into(),
                    of: field.ty().name().into(),
                };
                let members = fields.iter().map(member).collect();
                match self.shape() {
                    Shape::Struct(_) => Body::Struct(members),
                    _ => Body::Table(members),
                }
            }
            Shape::Union(items) => {
                let member = |item: super::Item<'s>| Member {
                    docs: item.docs(),
                    name: item.ty().name().into(),
                    of: format!("{}", item.id()).into(),
                };
                Body::Union(items.iter().map(member).collect())
            }
        };
        Some(Declaration { docs: self.docs(), name: self.name(), body })
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
