//! Whether a type of the schema is declared in Rust, or written inline.

use core::convert::Infallible;
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// Tuples whose text is about that long are in one line. Longer ones become types of their own.
const WIDEST_TUPLE: usize = 60;

/// How wide what has no name yet is taken to be, and what a mark takes around a type.
const UNNAMED_WIDTH: usize = 24;
const MARK_WIDTH: usize = 13;

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
        /// About how long its text is.
        width: usize,
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
        let (mut size, mut width) = (1usize, 0usize);
        for part in body.parts() {
            // It is around all of it.
            let inner = if mark.is_some() { None } else { self.mark(part) };
            let (part_size, part_width) = self.measure(part);
            width = width.saturating_add(inner.map_or(0, |_| MARK_WIDTH));
            size = size.saturating_add(part_size);
            width = width.saturating_add(part_width);
        }
        let around = match body {
            Body::Option(_) | Body::Nullable(_) => "Option<>".len(),
            Body::Tuple(cells) => cells.len().saturating_mul(2),
            _ => "String".len(),
        };
        let width = width.saturating_add(around);
        let is_wide = matches!(body, Body::Tuple(cells) if cells.len() > 1) && width > WIDEST_TUPLE;
        match size > LARGEST || is_wide {
            true => Role::Own,
            false => Role::Inline { mark, size, width },
        }
    }

    /// The size and width of a type where it is used.
    fn measure(&self, id: usize) -> (usize, usize) {
        let end = self.end(id);
        match self.usage(id) {
            Use::Chosen(text) | Use::Alias(text) => (1, text.len()),
            Use::Own(_) => {
                let name = self.node(end).and_then(|node| node.name.as_ref());
                (1, name.map_or(UNNAMED_WIDTH, |name| name.len()))
            }
            Use::Inline(end) => match self.role(end) {
                Role::Inline { size, width, .. } => (size, width),
                _ => (1, UNNAMED_WIDTH),
            },
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
    first: BTreeMap<Key<'s>, usize>,
    known: BTreeMap<usize, usize>,
}

/// What is the same in types that are.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'s> {
    Chosen(&'s str),
    Instance(Arc<str>, Vec<usize>),
    Inline(u8, Vec<usize>),
}

impl<'s> Same<'_, 's> {
    fn of(roles: &Roles<'s>) -> BTreeMap<usize, usize> {
        let mut same = Same { roles, first: BTreeMap::new(), known: BTreeMap::new() };
        for id in roles.schema.instances.keys() {
            same.one(*id, DEEPEST_GIVEN);
        }
        same.known
    }

    /// The first of the types that are the same as that one.
    fn one(&mut self, id: usize, deepest: usize) -> usize {
        if let Some(chosen) = self.roles.chosen(id) {
            return *self.first.entry(Key::Chosen(chosen)).or_insert(id);
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

    fn key(&mut self, id: usize, deepest: usize) -> Option<Key<'s>> {
        if let Some(instance) = self.roles.schema.instances.get(&id) {
            let given = instance.given.iter().map(|id| self.one(*id, deepest)).collect();
            return Some(Key::Instance(Arc::clone(&instance.name), given));
        }
        let body = self.roles.body(id)?;
        let kind = match body {
            Body::Unit => 0,
            Body::Bool => 1,
            Body::Int(Int::Char) => 99,
            Body::Int(int) => 2 + int.tag().byte(),
            Body::Float(float) => 2 + float.tag().byte(),
            Body::String => 100,
            Body::List(_) | Body::Object(_) => 101,
            Body::Table(_) => 102,
            Body::Option(_) | Body::Nullable(_) => 103,
            Body::Tuple(cells) if cells.iter().all(|cell| cell.default.is_none()) => 104,
            _ => return None,
        };
        let parts = body.parts().into_iter().map(|part| self.one(part, deepest)).collect();
        Some(Key::Inline(kind, parts))
    }
}
