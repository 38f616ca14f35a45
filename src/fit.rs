//! Whether a format can hold all that a type shows. Knows how to go through a type, does not know which format.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::Error;
use crate::schema::Mismatches;
use crate::trace::{Content, Graph, Id, Lost, Shown, Walk, named, numbered};

/// What a format holds.
pub(crate) trait Rules {
    /// A mark on a value.
    type Mark: Copy + Ord;
    /// A kind of error.
    type Kind: core::fmt::Display;

    /// What messages call the format.
    const FORMAT: &'static str;

    /// What a type under a mark may be, by what it is itself.
    fn enter(
        mark: Option<Self::Mark>,
        shown: &Shown,
    ) -> Result<Inside<Self::Mark>, Error<Self::Kind>>;
}

/// What is in a type that a format holds.
#[derive(Clone, Copy)]
pub(crate) enum Inside<M> {
    /// Nothing that follows rules of its own.
    Nothing,
    /// Parts of their own.
    Parts,
    /// The same value, which has this mark.
    Same(Option<M>),
    /// Parts, of which the first has this mark.
    First(M),
}

/// All places of a type that a format cannot hold.
pub(crate) fn check<R: Rules>(graph: &Graph) -> Result<(), Mismatches> {
    let mut checking = Checking::<R> { walk: Walk::new(graph), met: BTreeSet::new() };
    checking.part("", Some(graph.root), None);
    Mismatches::none_of(checking.walk.faults)
}

struct Checking<'g, R: Rules> {
    walk: Walk<'g>,
    met: BTreeSet<(Id, Option<R::Mark>)>,
}

impl<R: Rules> Checking<'_, R> {
    fn part(&mut self, step: &str, part: Option<Id>, mark: Option<R::Mark>) {
        let length = self.walk.enter(step);
        // A fault is told at each place, and what is in a type once.
        if let Ok((id, shown, inside)) = self.inside(part, mark) {
            if self.met.insert((id, mark)) {
                self.parts(&shown, inside);
            }
        }
        self.walk.leave(length);
    }

    fn inside(
        &mut self,
        part: Option<Id>,
        mark: Option<R::Mark>,
    ) -> Result<(Id, Shown, Inside<R::Mark>), Lost> {
        let (id, shown) = self.walk.seen(part)?;
        let inside = R::enter(mark, &shown);
        let inside = self.walk.refuse(inside)?;
        match shown {
            Shown::Untyped => Err(self.walk.untyped(R::FORMAT)),
            shown => Ok((id, shown, inside)),
        }
    }

    fn parts(&mut self, shown: &Shown, inside: Inside<R::Mark>) {
        let (mut first, rest) = match inside {
            Inside::Nothing => return,
            Inside::Parts => (None, None),
            Inside::Same(mark) => (mark, mark),
            Inside::First(mark) => (Some(mark), None),
        };
        for (step, part) in self.steps(shown) {
            self.part(&step, part, first);
            first = rest;
        }
    }

    /// The parts of a type, and the way to each.
    fn steps(&self, shown: &Shown) -> Vec<(String, Option<Id>)> {
        match shown {
            Shown::Newtype(_, part) | Shown::Option(part) => [(String::new(), *part)].into(),
            Shown::Sequence(item) => [("[]".to_owned(), *item)].into(),
            Shown::Map(key, value) => {
                [("[key]".to_owned(), *key), ("[]".to_owned(), *value)].into()
            }
            Shown::Tuple(items) => match self.walk.array_item(items) {
                Some(item) => [("[]".to_owned(), item)].into(),
                None => numbered(items),
            },
            Shown::TupleStruct(_, items) => numbered(items),
            Shown::Struct(_, fields) if self.walk.is_adjacent(fields) => {
                named(fields).into_iter().take(1).collect()
            }
            Shown::Struct(_, fields) => named(fields),
            Shown::Enum(_, variants) => {
                let mut steps = Vec::new();
                for variant in variants.iter() {
                    let parts = match &variant.content {
                        Content::Unit => continue,
                        Content::Unseen => [(String::new(), None)].into(),
                        Content::Newtype(part) => [(String::new(), *part)].into(),
                        Content::Tuple(items) => numbered(items),
                        Content::Struct(fields) => named(fields),
                    };
                    for (step, part) in parts {
                        let mut way = variant.name.to_owned();
                        crate::trace::enter(&mut way, &step);
                        steps.push((way, part));
                    }
                }
                steps
            }
            _ => Vec::new(),
        }
    }
}
