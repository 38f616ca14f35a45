//! The text of Rust types.

use std::collections::BTreeMap;

use fourfold::biniou::mark::Mark;

use super::declare::Declaration;
use super::graph::Graph;
use super::part::Key;
use super::role::{Roles, Use};
use crate::atd::node::{Body, Member};
use crate::atd::number::{Float, Int};
use crate::common::RustBytes;
use crate::common::rust::{Names, type_name};

/// Names of the variants of a sum type.
struct Variants<'s> {
    /// Those that serde derives, in order.
    names: Vec<String>,
    /// The places of those without an argument, by their names in OCaml.
    constants: BTreeMap<&'s str, usize>,
}

impl<'s> Variants<'s> {
    fn of(variants: &'s [Member]) -> Self {
        let mut given = Names::default();
        let names = variants.iter().map(|it| given.one(type_name(&it.name))).collect();
        let mut constants = BTreeMap::new();
        for (at, variant) in variants.iter().enumerate().filter(|(_, it)| it.ty.is_none()) {
            let name: &str = variant.ocaml.as_ref().unwrap_or(&variant.name);
            constants.entry(name).or_insert(at);
        }
        Variants { names, constants }
    }
}

/// How types are written.
pub(super) struct Texts<'w, 's> {
    pub(super) roles: &'w Roles<'s>,
    pub(super) graph: &'w Graph<'s>,
    names: BTreeMap<Key<'s>, &'w str>,
    /// Of sum types, which may be as large as schemas are long: they are not looked through for each use.
    variants: BTreeMap<usize, Variants<'s>>,
}

impl<'w, 's> Texts<'w, 's> {
    pub(super) fn new(
        roles: &'w Roles<'s>,
        graph: &'w Graph<'s>,
        declared: &'w [Declaration<'s>],
    ) -> Self {
        let names = declared.iter().map(|it| (it.key, &*it.name)).collect();
        let variants = declared.iter().filter_map(|it| {
            let Key::Own(own) = it.key else { return None };
            match roles.body(own) {
                Some(Body::Sum(variants, _)) => Some((own, Variants::of(&variants.list))),
                _ => None,
            }
        });
        let variants = variants.collect();
        Texts { roles, graph, names, variants }
    }

    /// Whether strings are borrowed.
    fn borrows(&self) -> bool {
        self.roles.options.bytes != RustBytes::Owned
    }

    /// `<'a>`, or nothing.
    pub(super) fn generics(&self, place: usize) -> &'static str {
        let has_strings = self.graph.have_strings.get(place).copied().unwrap_or_default();
        if has_strings && self.borrows() { "<'a>" } else { "" }
    }

    pub(super) fn name(&self, key: Key<'s>) -> &'w str {
        self.names.get(&key).copied().unwrap_or_default()
    }

    /// The name of a variant of a sum type.
    pub(super) fn variant(&self, own: usize, at: usize) -> Option<&str> {
        self.variants.get(&own)?.names.get(at).map(String::as_str)
    }

    /// The name of the variant without an argument that has that name in OCaml.
    pub(super) fn constant(&self, own: usize, ocaml: &str) -> Option<&str> {
        self.variant(own, *self.variants.get(&own)?.constants.get(ocaml)?)
    }

    fn declared(&self, key: Key<'s>) -> String {
        let Some(place) = self.graph.place(key) else { return String::new() };
        format!("{}{}", self.name(key), self.generics(place))
    }

    /// Whether a declaration has a type in a box where it uses that.
    pub(super) fn is_boxed(&self, id: usize, inside: usize) -> bool {
        let key = Key::of(self.roles.usage(id));
        let place = key.and_then(|key| self.graph.place(key));
        place.is_some_and(|place| self.graph.is_boxed(inside, place))
    }

    /// A type without its mark.
    pub(super) fn unmarked(&self, id: usize, inside: usize) -> String {
        let text = self.unboxed(id, inside);
        if self.is_boxed(id, inside) { format!("Box<{text}>") } else { text }
    }

    /// A type without its mark, and without the box that it may be in.
    pub(super) fn unboxed(&self, id: usize, inside: usize) -> String {
        match self.roles.usage(id) {
            Use::Chosen(chosen) => chosen.to_owned(),
            Use::Own(own) => self.declared(Key::Own(own)),
            Use::Alias(name) => self.declared(Key::Alias(name)),
            Use::Inline(end) => self.inner(end, inside),
        }
    }

    /// A value of a type, in the box that it may be in.
    pub(super) fn boxed(&self, id: usize, inside: usize, value: String) -> String {
        if self.is_boxed(id, inside) { format!("Box::new({value})") } else { value }
    }

    /// A type with its mark around it, as its other name has it.
    pub(super) fn wrapped(&self, id: usize, inside: usize) -> String {
        let mark = self.roles.mark(id);
        let name = self.roles.node(id).and_then(|node| node.name.as_deref());
        match name.map(Key::Alias) {
            Some(key) if mark.is_some() && self.names.contains_key(&key) => self.declared(key),
            _ => self.around(mark, self.unmarked(id, inside)),
        }
    }

    pub(super) fn around(&self, mark: Option<Mark>, text: String) -> String {
        match mark {
            Some(mark) => format!("{}<{text}>", wrapper(mark)),
            None => text,
        }
    }

    /// A type that is written where it is used, without its mark.
    pub(super) fn inner(&self, end: usize, inside: usize) -> String {
        let is_marked = self.roles.inner_mark(end).is_some();
        let part = |id: usize| match is_marked {
            true => self.unmarked(id, inside),
            false => self.wrapped(id, inside),
        };
        match self.roles.body(end) {
            Some(Body::Unit) => "()".to_owned(),
            Some(Body::Bool) => "bool".to_owned(),
            Some(Body::Int(int)) => integer(*int).to_owned(),
            Some(Body::Float(Float::Float32)) => "f32".to_owned(),
            Some(Body::Float(Float::Float64)) => "f64".to_owned(),
            Some(Body::String) => match self.roles.options.bytes {
                RustBytes::Owned => "String".to_owned(),
                RustBytes::Borrowed => "&'a str".to_owned(),
                RustBytes::Cow => "Cow<'a, str>".to_owned(),
            },
            Some(Body::List(item) | Body::Object(item)) => format!("Vec<{}>", part(*item)),
            // A row has no mark.
            Some(Body::Table(row)) => format!("Vec<{}>", self.unmarked(*row, inside)),
            Some(Body::Option(inner) | Body::Nullable(inner)) => {
                format!("Option<{}>", part(*inner))
            }
            Some(Body::Wrap(inner)) => part(*inner),
            Some(Body::Tuple(cells)) => {
                let cells: Vec<String> = cells.iter().map(|cell| part(cell.ty)).collect();
                match cells.as_slice() {
                    // `()` is a unit in biniou.
                    [] => "[(); 0]".to_owned(),
                    [one] => format!("({one},)"),
                    cells => format!("({})", cells.join(", ")),
                }
            }
            _ => String::new(),
        }
    }
}

/// The type that marks what is in it: `with::Int8`.
pub(super) fn wrapper(mark: Mark) -> String {
    let (first, rest) = mark.keyword().split_at_checked(1).unwrap_or_default();
    format!("with::{}{rest}", first.to_uppercase())
}

const fn integer(int: Int) -> &'static str {
    match int {
        Int::Svint | Int::Int64 => "i64",
        Int::Uvint => "u64",
        Int::Int8 => "u8",
        Int::Int16 => "u16",
        Int::Char => "char",
        Int::Int32 => "i32",
    }
}
