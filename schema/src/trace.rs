//! Finds the requests that a type makes to serde when it is read, without a value of it.
//!
//! The type reads values that are made up, and each of its requests is noted. One value shows one variant of
//! each enum, so there are several, and each prefers what none before has shown. Types are distinguished by the
//! function that reads them: two that share one make the same requests.

mod access;
mod defaults;
mod fields;
mod maker;
mod merge;
mod report;
mod walk;

use core::fmt;
use core::marker::PhantomData;
use core::mem::{Discriminant, discriminant};
use std::collections::BTreeMap;

use serde_core::de::{self, Deserialize};

use self::access::address_of;
use self::maker::{Maker, Mode};
pub(crate) use self::merge::Merged;
pub(crate) use self::report::{Refused, Report, enter};
pub(crate) use self::walk::{Lost, MOST_NEWTYPES, Walk, Way, named, numbered};
use crate::common::leading_to;

/// A type's own name, without its mark if it has one.
pub(crate) fn own_name(name: &'static str) -> &'static str {
    // The newtypes of `with`, in any format.
    let name = name.strip_prefix("fourfold.").map_or(name, |_| "");
    let name = name.split_once('.').map_or(name, |(_, name)| name);
    name.split_once('.').map_or(name, |(name, _)| name)
}

/// After so many values in a row that show nothing new, the search ends.
const MOST_STALE: usize = 64;

/// So many parts are made up in all, since types may refer to each other in very many ways.
const MOST_PARTS: usize = 1 << 22;

/// No value is made up beyond this depth.
const MAX_DEPTH: usize = 128;

/// A type is shown in full so many times in one value.
const MOST_FULL: usize = 16;

/// A type among the others of its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(usize);

/// What a type requests. A part without an id was never reached.
#[derive(Clone, Debug, Default)]
pub(crate) enum Shown {
    /// Nothing yet.
    #[default]
    Unseen,
    /// `deserialize_any`.
    Untyped,
    /// Not always the same.
    Varied,
    /// The name of a field, by a type that is a map to serde: one with `flatten` is.
    Identifier,
    /// A number, `bool` or `char`, by the name of its type.
    Scalar(&'static str),
    Text,
    Bytes,
    Unit,
    UnitStruct(&'static str),
    Newtype(&'static str, Option<Id>),
    Option(Option<Id>),
    Sequence(Option<Id>),
    Map(Option<Id>, Option<Id>),
    Tuple(Vec<Option<Id>>),
    TupleStruct(&'static str, Vec<Option<Id>>),
    Struct(&'static str, Fields),
    Enum(&'static str, Variants),
}

/// The fields of a struct or a variant, in the order of the list that the type gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    list: Vec<Field>,
    /// Names of fields mean nothing to the type: it wants them in order.
    in_order: bool,
    /// A field came twice, by other names. No value has been made since.
    is_doubtful: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) value: Option<Id>,
    /// The name has been requested.
    is_begun: bool,
    /// The name was requested and the value was not: another name of a field that is there.
    is_refused: bool,
    is_made: bool,
    /// It was read by a seed that is more than its type, as the content of an adjacently tagged enum is.
    pub(crate) is_seeded: bool,
    missing: Missing,
}

/// What a type does where a field is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Missing {
    /// It has not been tried.
    #[default]
    Untried,
    Taken,
    Refused,
    /// It refuses something else.
    Unknown,
}

/// The variants of an enum, in the order of the list that the type gives.
#[derive(Clone, Debug)]
pub(crate) struct Variants {
    list: Vec<Variant>,
    /// Whether the last of the list has the last number. `None` before that was tried.
    has_numbers: Option<bool>,
}

#[derive(Clone, Debug)]
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    /// Its content: a unit, a newtype without a name, a tuple, or a struct without a name.
    pub(crate) content: Option<Id>,
    is_begun: bool,
    /// How many parts its smallest value has, of those that were made.
    smallest: Option<usize>,
    /// Values of it that are being made.
    open: usize,
    tries: usize,
}

impl Fields {
    fn new(names: &'static [&'static str]) -> Self {
        let field = |name: &&'static str| Field {
            name,
            value: None,
            is_begun: false,
            is_refused: false,
            is_made: false,
            is_seeded: false,
            missing: Missing::default(),
        };
        Fields { list: names.iter().map(field).collect(), in_order: false, is_doubtful: false }
    }

    /// All names in the list: those of fields, and what else they are called.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.list.iter().map(|field| field.name)
    }

    /// Each field once.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Field> {
        self.list.iter().filter(|field| !field.is_refused)
    }

    fn parts(&self) -> impl Iterator<Item = Option<Id>> {
        self.iter().map(|field| field.value)
    }
}

impl Variants {
    fn new(names: &'static [&'static str]) -> Self {
        Variants { list: names.iter().map(|name| Variant::new(name)).collect(), has_numbers: None }
    }

    /// All of them, also other names of one.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Variant> {
        self.list.iter()
    }

    /// Whether the number of each is its place in the list. Not so where one has several names.
    pub(crate) fn has_numbers(&self) -> bool {
        self.has_numbers == Some(true)
    }
}

impl Shown {
    /// The name of the type, or else that of the newtype around it, if there is one.
    pub(crate) fn name_in(&self, newtype: &'static str) -> Option<&'static str> {
        let own = match self {
            Shown::Struct(name, _)
            | Shown::TupleStruct(name, _)
            | Shown::Enum(name, _)
            | Shown::UnitStruct(name) => own_name(name),
            _ => "",
        };
        [own, newtype].into_iter().find(|name| !name.is_empty())
    }

    /// What distinguishes it from other requests, but for its parts and their names.
    fn outline(&self) -> (Discriminant<Shown>, &'static str, usize) {
        let (name, count) = match self {
            Shown::Scalar(name) | Shown::UnitStruct(name) | Shown::Newtype(name, _) => (*name, 0),
            Shown::Tuple(items) => ("", items.len()),
            Shown::TupleStruct(name, items) => (*name, items.len()),
            Shown::Struct(name, fields) => (*name, fields.list.len()),
            Shown::Enum(name, variants) => (*name, variants.list.len()),
            _ => ("", 0),
        };
        (discriminant(self), name, count)
    }

    /// The types inside.
    pub(crate) fn parts(&self) -> Vec<Option<Id>> {
        match self {
            Shown::Newtype(_, part) | Shown::Option(part) | Shown::Sequence(part) => vec![*part],
            Shown::Map(key, value) => vec![*key, *value],
            Shown::Tuple(items) | Shown::TupleStruct(_, items) => items.clone(),
            Shown::Struct(_, fields) => fields.parts().collect(),
            Shown::Enum(_, variants) => variants.iter().map(|variant| variant.content).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it lacks something itself, apart from what its parts lack.
    fn is_pending(&self) -> bool {
        match self {
            Shown::Unseen => true,
            Shown::Struct(_, fields) if fields.is_doubtful => true,
            Shown::Enum(_, variants) => variants.iter().any(|variant| !variant.is_begun),
            shown => shown.parts().contains(&None),
        }
    }
}

/// A type.
#[derive(Clone, Debug, Default)]
struct Node {
    shown: Shown,
    /// Values of it that are being made.
    open: usize,
    /// Values of it that were made in full, in this pass.
    full: usize,
    /// It, or something inside, has more to show.
    is_live: bool,
    /// A sequence or map without items was refused.
    wants_items: bool,
    /// It called `deserialize_any` at least once, and keeps the value.
    has_asked: bool,
    /// The same, and keeps nothing: serde reads the content of adjacently tagged unit variants so.
    has_units: bool,
}

/// Types, and what each of them requests.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    ids: BTreeMap<usize, Id>,
    pub(crate) root: Id,
    /// The number that values are made of.
    sample: u8,
    depth: usize,
    /// How many parts have been made up.
    parts: usize,
    /// How much has been shown.
    shown: usize,
    quest: Quest,
}

/// What values are made up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quest {
    /// To see all parts.
    Parts,
    /// To see which fields need not be there.
    Defaults,
}

/// A value could not be made up. What was requested has been noted.
#[derive(Debug)]
enum Failure {
    Refused,
    /// The field of that name is there twice.
    Duplicate(&'static str),
    /// This field is not there.
    Missing(&'static str),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no value can be made up")
    }
}

impl core::error::Error for Failure {}

impl de::Error for Failure {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Failure::Refused
    }

    fn duplicate_field(field: &'static str) -> Self {
        Failure::Duplicate(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Failure::Missing(field)
    }
}

impl Graph {
    /// What a type shows.
    pub(crate) fn of<'de, T: Deserialize<'de>>() -> Self {
        let mut graph = Graph {
            nodes: Vec::new(),
            ids: BTreeMap::new(),
            root: Id(0),
            sample: 1,
            depth: 0,
            parts: 0,
            shown: 0,
            quest: Quest::Parts,
        };
        graph.root = graph.id(address_of::<PhantomData<T>>());
        graph.search::<T>();
        graph
    }

    /// Makes values for as long as they show something new.
    fn search<'de, T: Deserialize<'de>>(&mut self) {
        let mut stale = 0;
        while stale < MOST_STALE && self.parts < MOST_PARTS && self.find_live() {
            let before = self.shown;
            let root = self.root;
            let mut is_made = false;
            if let Ok(maker) = self.begin(root, Mode::Full) {
                is_made = T::deserialize(maker).is_ok();
                self.end(root);
            }
            if !is_made {
                // Other values may be accepted.
                self.sample = self.sample.wrapping_add(1);
            }
            stale = if self.shown == before { stale + 1 } else { 0 };
        }
    }

    /// What is known of a type.
    pub(crate) fn shown(&self, id: Id) -> &Shown {
        self.nodes.get(id.0).map_or(&Shown::Unseen, |node| &node.shown)
    }

    fn id(&mut self, address: usize) -> Id {
        let next = Id(self.nodes.len());
        match *self.ids.entry(address).or_insert(next) {
            id if id == next => self.node(),
            id => id,
        }
    }

    fn node(&mut self) -> Id {
        self.nodes.push(Node { is_live: true, ..Node::default() });
        Id(self.nodes.len() - 1)
    }

    /// Begins a value. [`end`](Graph::end) ends it.
    fn begin(&mut self, id: Id, mode: Mode) -> Result<Maker<'_>, Failure> {
        self.parts += 1;
        if self.depth >= MAX_DEPTH || self.parts > MOST_PARTS {
            return Err(Failure::Refused);
        }
        let node = self.nodes.get_mut(id.0).ok_or(Failure::Refused)?;
        let is_full = mode == Mode::Full && node.is_live && node.open == 0 && node.full < MOST_FULL;
        let mode = if is_full { Mode::Full } else { Mode::Minimal };
        node.open += 1;
        node.full += usize::from(is_full);
        self.depth += 1;
        Ok(Maker { graph: self, at: id, mode })
    }

    fn end(&mut self, id: Id) {
        self.depth -= 1;
        if let Some(node) = self.nodes.get_mut(id.0) {
            node.open -= 1;
        }
    }

    /// Notes what a type requests. What it requested before is kept, if it is the same.
    fn note(&mut self, id: Id, shown: Shown) {
        let Some(node) = self.nodes.get_mut(id.0) else {
            return;
        };
        match &node.shown {
            Shown::Unseen => self.shown += 1,
            Shown::Varied => return,
            known if known.outline() == shown.outline() => return,
            _ => return node.shown = Shown::Varied,
        }
        node.shown = shown;
    }

    /// The fields of a struct.
    fn fields(&mut self, id: Id) -> Option<&mut Fields> {
        match &mut self.nodes.get_mut(id.0)?.shown {
            Shown::Struct(_, fields) => Some(fields),
            _ => None,
        }
    }

    /// Looks for types that have more to show, and returns whether the outermost is one.
    fn find_live(&mut self) -> bool {
        let mut holders: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut live = Vec::new();
        for (at, node) in self.nodes.iter_mut().enumerate() {
            (node.full, node.open) = (0, 0);
            let is_live = match self.quest {
                Quest::Parts => node.shown.is_pending(),
                Quest::Defaults => node.shown.has_untried(),
            };
            live.extend(is_live.then_some(at));
            for part in node.shown.parts().into_iter().flatten() {
                if let Some(holders) = holders.get_mut(part.0) {
                    holders.push(at);
                }
            }
        }
        for (node, is_live) in self.nodes.iter_mut().zip(leading_to(&holders, live)) {
            node.is_live = is_live;
        }
        self.is_live(Some(self.root))
    }

    fn is_live(&self, part: Option<Id>) -> bool {
        part.and_then(|id| self.nodes.get(id.0)).is_none_or(|node| node.is_live)
    }
}

#[cfg(test)]
mod tests;
