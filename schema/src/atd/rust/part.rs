//! What a declaration in Rust is made of: which types it uses, and how it contains them.

use super::role::{Roles, Use};
use crate::atd::node::{Body, Member, Presence};

/// What is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key<'s> {
    /// A struct or an enum.
    Own(usize),
    /// Another name for a type.
    Alias(&'s str),
}

impl<'s> Key<'s> {
    /// The declaration that is used.
    pub(super) fn of(usage: Use<'s>) -> Option<Self> {
        match usage {
            Use::Own(own) => Some(Key::Own(own)),
            Use::Alias(name) => Some(Key::Alias(name)),
            Use::Chosen(_) | Use::Inline(_) => None,
        }
    }
}

/// How a value is contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Containment {
    /// It is always there, in place.
    Directly,
    /// It may be there, in place.
    Optionally,
    /// It is elsewhere.
    Indirectly,
    /// It is a row of a table, which is elsewhere.
    Row,
}

/// A type that a declaration uses, or a plain type in it.
#[derive(Clone, Copy)]
pub(super) struct Part<'s> {
    /// The field or variant that it is in.
    pub(super) member: Option<&'s Member>,
    pub(super) usage: Use<'s>,
    pub(super) containment: Containment,
}

/// The type of what is in a record: of `?field` the one in the option.
pub(super) fn written(roles: &Roles<'_>, field: &Member) -> usize {
    let ty = field.ty.unwrap_or_default();
    match (&field.presence, roles.body(roles.end(ty))) {
        (Presence::Optional, Some(Body::Option(inner) | Body::Nullable(inner))) => *inner,
        _ => ty,
    }
}

/// All that a declaration is made of, in order.
pub(super) fn parts<'s>(roles: &Roles<'s>, key: Key<'s>) -> Vec<Part<'s>> {
    let mut walk = Walk { roles, member: None, parts: Vec::new() };
    let end = match key {
        Key::Own(end) => end,
        Key::Alias(name) => {
            let end = roles.end(root(roles, name));
            if roles.is_own(end) {
                walk.add(Use::Own(roles.first(end)), Containment::Directly);
                return walk.parts;
            }
            end
        }
    };
    match roles.body(end) {
        Some(Body::Record(fields)) => {
            for field in &fields.list {
                walk.member = Some(field);
                let containment = match field.presence {
                    Presence::Optional => Containment::Optionally,
                    _ => Containment::Directly,
                };
                walk.used(written(roles, field), containment);
            }
        }
        Some(Body::Sum(variants, _)) => {
            for variant in &variants.list {
                walk.member = Some(variant);
                let Some(argument) = variant.ty else { continue };
                match roles.spread(argument) {
                    Some(cells) => {
                        cells.iter().for_each(|cell| walk.used(cell.ty, Containment::Directly));
                    }
                    None => walk.used(argument, Containment::Directly),
                }
            }
        }
        _ => walk.inside(end, Containment::Directly),
    }
    walk.parts
}

/// The records of which a declaration has tables.
pub(super) fn rows<'s>(roles: &Roles<'s>, parts: &[Part<'s>]) -> impl Iterator<Item = usize> {
    let rows = parts.iter().filter(|part| part.containment == Containment::Row);
    rows.filter_map(|part| match part.usage {
        Use::Own(own) => Some(own),
        Use::Alias(name) => Some(roles.first(roles.end(root(roles, name)))),
        Use::Chosen(_) | Use::Inline(_) => None,
    })
}

/// The type that a name of the schema is given to.
pub(super) fn root(roles: &Roles<'_>, name: &str) -> usize {
    let types = &roles.schema.types;
    types.id(name).map_or(0, |id| types.get(id).shape.id)
}

struct Walk<'r, 's> {
    roles: &'r Roles<'s>,
    member: Option<&'s Member>,
    parts: Vec<Part<'s>>,
}

impl<'s> Walk<'_, 's> {
    fn add(&mut self, usage: Use<'s>, containment: Containment) {
        self.parts.push(Part { member: self.member, usage, containment });
    }

    fn used(&mut self, id: usize, containment: Containment) {
        match self.roles.usage(id) {
            Use::Inline(end) => self.inside(end, containment),
            usage => self.add(usage, containment),
        }
    }

    /// What a type is made of that is written there: it is not large.
    fn inside(&mut self, end: usize, containment: Containment) {
        match self.roles.body(end) {
            Some(Body::List(item) | Body::Object(item)) => {
                self.used(*item, Containment::Indirectly)
            }
            Some(Body::Table(row)) => self.used(*row, Containment::Row),
            Some(Body::Option(inner) | Body::Nullable(inner)) => {
                self.used(*inner, containment.max(Containment::Optionally));
            }
            Some(Body::Wrap(inner)) => self.used(*inner, containment),
            Some(Body::Tuple(cells)) => {
                cells.iter().for_each(|cell| self.used(cell.ty, containment))
            }
            _ => self.add(Use::Inline(end), containment),
        }
    }
}
