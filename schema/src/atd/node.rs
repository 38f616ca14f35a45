//! Types as a schema stores them, by number.

use std::sync::Arc;

use super::MAX_DEPTH;
use super::number::{Float, Int};
use crate::common::Mark;

/// What a schema keeps of a type: one that is defined, or one that is written where it is used.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) body: Body,
    /// Where it is defined.
    pub(super) name: Option<Arc<str>>,
}

#[derive(Clone, Debug)]
pub(super) enum Body {
    Unit,
    Bool,
    Int(Int),
    Float(Float),
    String,
    Abstract,
    /// A parameter of the definition that it is in.
    Parameter,
    Record(Members),
    /// Whether other names than those of the variants are in the one that has an argument, in JSON.
    Sum(Members, bool),
    Tuple(Vec<Part>),
    List(usize),
    Table(usize),
    /// A list of pairs that JSON has as an object.
    Object(usize),
    Option(usize),
    Nullable(usize),
    Wrap(usize),
    /// Another name for a type.
    Alias(usize),
}

impl Body {
    /// The types that it is made of.
    pub(super) fn parts(&self) -> Vec<usize> {
        match self {
            Body::Record(members) | Body::Sum(members, _) => {
                members.list.iter().filter_map(|member| member.ty).collect()
            }
            Body::Tuple(cells) => cells.iter().map(|cell| cell.ty).collect(),
            Body::List(part)
            | Body::Table(part)
            | Body::Object(part)
            | Body::Option(part)
            | Body::Nullable(part)
            | Body::Wrap(part)
            | Body::Alias(part) => Vec::from([*part]),
            _ => Vec::new(),
        }
    }
}

/// A type, and the types that its aliases and wraps refer to, in order: the last is neither. Types that wrap
/// themselves come to an end, too.
pub(super) fn resolve(nodes: &[Node], id: usize) -> impl Iterator<Item = (usize, &Node)> {
    let at = |id: usize| Some((id, nodes.get(id)?));
    let next = move |(_, node): &(usize, &Node)| match node.body {
        Body::Alias(next) | Body::Wrap(next) => at(next),
        _ => None,
    };
    core::iter::successors(at(id), next).take(MAX_DEPTH + 1)
}

/// Fields or variants, and where each is by its hash.
#[derive(Clone, Debug)]
pub(super) struct Members {
    pub(super) list: Vec<Member>,
    by_hash: Vec<(u32, usize)>,
}

impl Members {
    pub(super) fn new(list: Vec<Member>) -> Self {
        let hashes = list.iter().enumerate().map(|(at, member)| (member.hash, at));
        let mut by_hash: Vec<_> = hashes.collect();
        by_hash.sort_unstable();
        Members { list, by_hash }
    }

    /// The place of the one with that hash.
    pub(super) fn with_hash(&self, hash: u32) -> Option<usize> {
        let found = self.by_hash.binary_search_by_key(&hash, |(known, _)| *known).ok()?;
        self.by_hash.get(found).map(|(_, at)| *at)
    }
}

/// A field or a variant.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: Arc<str>,
    pub(super) json: Option<Arc<str>>,
    /// The name of `<ocaml name="..">`.
    pub(super) ocaml: Option<Arc<str>>,
    pub(super) hash: u32,
    /// A field has one.
    pub(super) ty: Option<usize>,
    pub(super) presence: Presence,
    pub(super) docs: String,
    pub(super) mark: Mark,
}

/// A cell of a tuple.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) ty: usize,
    pub(super) default: Option<Arc<str>>,
}

/// A definition with parameters that a type is made of, and what they are.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) name: Arc<str>,
    pub(super) given: Arc<[usize]>,
}

/// Whether a field may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Presence {
    /// It is always there.
    Required,
    /// `?field`: not there for `None`. Its type is an option or nullable, whose value is written without that.
    Optional,
    /// `~field`: may be left out if it is the default: the OCaml expression of `<ocaml default="..">`, or else
    /// what is empty, zero or false.
    Default(Option<Arc<str>>),
}
