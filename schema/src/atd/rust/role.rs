//! Whether a type of the schema is declared in Rust, or written inline.

use core::convert::Infallible;
use std::collections::BTreeMap;

use fourfold::biniou::mark::Mark;

use crate::atd::Schema;
use crate::atd::node::{Body, Node, Part};
use crate::atd::number::{Float, Int};
use crate::common::{RustOptions, parts_first};

/// Types that are made of more others than that become types of their own where they have no name.
const LARGEST: usize = 48;

/// What has a name and a mark is written out where it is made of no more others than that.
const LARGEST_MARKED: usize = 6;

/// Rust implements its traits for tuples of so many cells.
const LONGEST_TUPLE: usize = 12;

/// So deep is looked into what types with parameters are given, to find whether two are the same.
const DEEPEST_GIVEN: usize = 32;

/// How a type is written where it is used.
#[derive(Clone, Copy, Debug)]
pub(super) enum Use<'s> {
    /// What the user has chosen.
    Chosen(&'s str),
    /// A type of its own.
    Own(usize),
    /// The other name of a type.
    Alias(&'s str),
    /// A type that is written there.
    Inline(usize),
}

#[derive(Clone, Copy, Debug)]
enum Role {
    Unseen,
    Own,
    Inline {
        mark: Option<Mark>,
        /// How many types it is made of that are written there.
        size: usize,
    },
}

/// The roles of the nodes of a schema.
pub(super) struct Roles<'s> {
    pub(super) schema: &'s Schema,
    pub(super) options: &'s RustOptions,
    roles: Vec<Role>,
    /// Types that are the same as another one.
    same: BTreeMap<usize, usize>,
}

impl<'s> Roles<'s> {
    pub(super) fn new(schema: &'s Schema, options: &'s RustOptions) -> Self {
        let roles = vec![Role::Unseen; schema.nodes.len()];
        let mut made = Roles { schema, options, roles, same: BTreeMap::new() };
        made.find();
        made.same = Same::of(&made);
        made
    }

    pub(super) fn node(&self, id: usize) -> Option<&'s Node> {
        self.schema.nodes.get(id)
    }

    /// The type with aliases resolved.
    pub(super) fn end(&self, mut id: usize) -> usize {
        while let Some(Node { body: Body::Alias(next), .. }) = self.node(id) {
            id = *next;
        }
        id
    }

    pub(super) fn body(&self, id: usize) -> Option<&'s Body> {
        Some(&self.node(id)?.body)
    }

    fn role(&self, id: usize) -> Role {
        self.roles.get(id).copied().unwrap_or(Role::Unseen)
    }

    fn set(&mut self, id: usize, role: Role) {
        if let Some(known) = self.roles.get_mut(id) {
            *known = role;
        }
    }

    /// The Rust type that the user has chosen for what is there.
    fn chosen(&self, id: usize) -> Option<&'s str> {
        let end = self.node(self.end(id))?;
        let plain = match end.body {
            Body::Unit => Some("unit"),
            Body::Bool => Some("bool"),
            Body::Int(Int::Svint) => Some("int"),
            Body::Float(Float::Float64) => Some("float"),
            Body::String => Some("string"),
            Body::Abstract => Some("abstract"),
            _ => None,
        };
        let names = [self.node(id)?.name.as_deref(), end.name.as_deref(), plain];
        names.into_iter().flatten().find_map(|name| self.options.chosen(name))
    }

    /// How that type is written where it is used.
    pub(super) fn usage(&self, id: usize) -> Use<'s> {
        if let Some(chosen) = self.chosen(id) {
            return Use::Chosen(chosen);
        }
        let end = self.end(id);
        let name = self.node(id).and_then(|node| node.name.as_deref());
        match (self.role(end), name) {
            (Role::Own, _) => Use::Own(self.first(end)),
            (Role::Inline { mark: Some(_), size, .. }, Some(_)) if size <= LARGEST_MARKED => {
                Use::Inline(end)
            }
            (_, Some(name)) => Use::Alias(name),
            (_, None) => Use::Inline(end),
        }
    }

    /// The first of the types that are the same.
    pub(super) fn first(&self, end: usize) -> usize {
        self.same.get(&end).copied().unwrap_or(end)
    }

    pub(super) fn is_own(&self, end: usize) -> bool {
        matches!(self.role(end), Role::Own)
    }

    /// The mark that a type has where it is used.
    pub(super) fn mark(&self, id: usize) -> Option<Mark> {
        match self.usage(id) {
            Use::Inline(end) => self.inner_mark(end),
            _ => None,
        }
    }

    /// The mark of a type that is written there.
    pub(super) fn inner_mark(&self, end: usize) -> Option<Mark> {
        match self.role(end) {
            Role::Inline { mark, .. } => mark,
            _ => self.reaching(end),
        }
    }

    /// The cells of a tuple that a variant has for its own.
    pub(super) fn spread(&self, argument: usize) -> Option<&'s [Part]> {
        match &self.node(argument)?.body {
            Body::Tuple(cells) if cells.len() > 1 => {
                self.node(argument)?.name.is_none().then_some(cells)
            }
            _ => None,
        }
    }

    /// Finds the roles of all types.
    fn find(&mut self) {
        let count = self.schema.nodes.len();
        let parts = |id: usize| {
            let parts = self.body(id).filter(|_| !self.is_always_own(id)).map(Body::parts);
            let parts = parts.unwrap_or_default().into_iter();
            let parts = parts.filter(|part| self.chosen(*part).is_none());
            parts.map(|part| self.end(part)).rev().collect()
        };
        // Without types of their own, they would have no end.
        let mut endless = Vec::new();
        let circle = |_: &[usize], id: usize| {
            endless.push(id);
            Ok::<(), Infallible>(())
        };
        let starts = (0..count).map(|id| self.end(id));
        let Ok(order) = parts_first(count, starts, parts, circle);
        endless.into_iter().for_each(|id| self.set(id, Role::Own));
        for id in order {
            if let Role::Unseen = self.role(id) {
                let role = if self.is_always_own(id) { Role::Own } else { self.inline(id) };
                self.set(id, role);
            }
        }
    }

    fn is_always_own(&self, id: usize) -> bool {
        match self.body(id) {
            Some(Body::Record(_) | Body::Sum(..)) => true,
            Some(Body::Tuple(cells)) => {
                // A struct of one cell would be what is in it.
                let ends_with_default = cells.last().is_some_and(|cell| cell.default.is_some());
                cells.len() > LONGEST_TUPLE || cells.len() > 1 && ends_with_default
            }
            _ => false,
        }
    }

    /// The role of a type whose parts have theirs.
    fn inline(&self, id: usize) -> Role {
        let Some(body) = self.body(id) else { return Role::Unseen };
        let mark = self.reaching(id);
        if mark.is_some() && self.options.newtypes {
            return Role::Own;
        }
        let size = |id: usize| match (self.usage(id), self.role(self.end(id))) {
            (Use::Inline(_), Role::Inline { size, .. }) => size,
            _ => 1,
        };
        let sizes = body.parts().into_iter().map(size);
        match sizes.fold(1, usize::saturating_add) {
            size if size > LARGEST => Role::Own,
            size => Role::Inline { mark, size },
        }
    }

    /// The mark that a type has by itself or by all of its parts.
    fn reaching(&self, id: usize) -> Option<Mark> {
        let of_number = |part: &usize| self.mark(*part).filter(|mark| *mark != Mark::Table);
        match self.body(id)? {
            Body::Int(int) => of_int(*int),
            Body::Table(_) => Some(Mark::Table),
            Body::List(item) | Body::Object(item) => of_number(item),
            Body::Option(inner) | Body::Nullable(inner) | Body::Wrap(inner) => self.mark(*inner),
            Body::Tuple(cells) => {
                let first = of_number(&cells.first()?.ty)?;
                let mut marks = cells.iter().map(|cell| of_number(&cell.ty));
                marks.all(|mark| mark == Some(first)).then_some(first)
            }
            _ => None,
        }
    }
}

/// The mark of an integer that is not what the Rust type for it would be without one.
fn of_int(int: Int) -> Option<Mark> {
    match int {
        Int::Svint | Int::Uvint => None,
        int => Some(int.mark()),
    }
}

/// Finds types that are the same: those that are made of one definition and the same types.
struct Same<'r, 's> {
    roles: &'r Roles<'s>,
    /// The first type by what it is made of.
    first: BTreeMap<String, usize>,
    known: BTreeMap<usize, usize>,
}

impl Same<'_, '_> {
    fn of(roles: &Roles<'_>) -> BTreeMap<usize, usize> {
        let mut same = Same { roles, first: BTreeMap::new(), known: BTreeMap::new() };
        for id in roles.schema.instances.keys() {
            same.one(*id, DEEPEST_GIVEN);
        }
        same.known
    }

    /// The first of the types that are the same as that one.
    fn one(&mut self, id: usize, deepest: usize) -> usize {
        if let Some(chosen) = self.roles.chosen(id) {
            return *self.first.entry(format!("chosen {chosen}")).or_insert(id);
        }
        let id = self.roles.end(id);
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let Some(deepest) = deepest.checked_sub(1) else { return id };
        let first = match self.key(id, deepest) {
            Some(key) => *self.first.entry(key).or_insert(id),
            None => id,
        };
        self.known.insert(id, first);
        first
    }

    fn key(&mut self, id: usize, deepest: usize) -> Option<String> {
        let (kind, parts) = match self.roles.schema.instances.get(&id) {
            Some(instance) => (format!("instance {}", instance.name), instance.given.to_vec()),
            None => {
                let body = self.roles.body(id)?;
                let kind = match body {
                    Body::Unit | Body::Bool | Body::Int(_) | Body::Float(_) | Body::String => {
                        format!("{body:?}")
                    }
                    Body::List(_) | Body::Object(_) => "list".to_owned(),
                    Body::Table(_) => "table".to_owned(),
                    Body::Option(_) | Body::Nullable(_) => "option".to_owned(),
                    Body::Tuple(cells) if cells.iter().all(|cell| cell.default.is_none()) => {
                        "tuple".to_owned()
                    }
                    _ => return None,
                };
                (kind, body.parts())
            }
        };
        let parts: Vec<usize> = parts.into_iter().map(|part| self.one(part, deepest)).collect();
        Some(format!("{kind} {parts:?}"))
    }
}
