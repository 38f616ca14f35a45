//! Types that a schema declares: their names, their shapes, and where in which text each came from.
//!
//! The shapes of types, and their syntax, are each language's own.

mod change;
mod compare;
mod error;
mod file;
mod graph;
mod key;
mod lane;
mod list;
mod mismatch;
mod near;
mod rows;
pub(crate) mod rust;
mod text;
mod verdict;
mod visit;

use core::fmt;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

pub use self::change::{Change, Changes, Outcome};
pub(crate) use self::compare::{Comparing, listed};
pub use self::error::{CommonKind, Error};
pub(crate) use self::file::{Within, text_of};
pub use self::file::{is_atd, is_mol};
pub(crate) use self::graph::{leading_to, parts_first};
pub(crate) use self::key::Key;
pub(crate) use self::lane::word_of;
pub use self::lane::{Lane, LaneKind};
pub(crate) use self::list::list;
pub use self::mismatch::{Mismatch, Mismatches};

#[doc(hidden)]
pub use self::near::suggestion;
pub use self::rows::{Most, Passed, Step};
pub use self::rust::{RustBytes, RustOptions};
pub(crate) use self::text::{Cursor, Mark, shortened, write_lines};
pub use self::verdict::Verdict;
pub(crate) use self::visit::{Ignore, refusal_at};
pub use self::visit::{Interest, Refusal, Visit};

/// A place in the text of a schema.
///
/// [`Display`](fmt::Display) writes `line 3, column 14`, and after it `of types.mol` where the text came
/// from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    file: Option<Arc<str>>,
    line: u32,
    column: u32,
}

impl Location {
    pub(crate) fn new(file: Option<&Arc<str>>, mark: Mark) -> Self {
        Location { file: file.cloned(), line: mark.line, column: mark.column }
    }

    /// The file's path, as it was given or as the importing file's path and the import make it.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The character in that line, from 1.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.column
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        match &self.file {
            Some(file) => write!(f, " of {file}"),
            None => Ok(()),
        }
    }
}

/// A type among the others of its schema: the one that is always there is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TypeId(pub(crate) usize);

/// A type that has a name.
#[derive(Clone, Debug)]
pub(crate) struct Named<S> {
    pub(crate) name: Arc<str>,
    pub(crate) shape: S,
    /// The comment above it.
    pub(crate) docs: String,
    pub(crate) location: Location,
}

/// Types by their names and by their numbers, in the order in which they were added.
#[derive(Clone, Debug)]
pub(crate) struct Types<S> {
    /// One that is always there, so that each number is that of a type.
    first: Named<S>,
    others: Vec<Named<S>>,
    ids: BTreeMap<Arc<str>, TypeId>,
}

impl<S> Types<S> {
    pub(crate) fn new(first: Named<S>) -> Self {
        let ids = BTreeMap::from([(Arc::clone(&first.name), TypeId(0))]);
        Types { first, others: Vec::new(), ids }
    }

    /// Types that are known only by their numbers.
    pub(crate) fn unnamed(first: Named<S>, others: Vec<Named<S>>) -> Self {
        Types { first, others, ids: BTreeMap::new() }
    }

    /// Adds a type, or gives the one that has its name.
    pub(crate) fn add(&mut self, named: Named<S>) -> Result<TypeId, TypeId> {
        let id = TypeId(self.others.len() + 1);
        match self.ids.entry(Arc::clone(&named.name)) {
            Entry::Occupied(known) => Err(*known.get()),
            Entry::Vacant(place) => {
                self.others.push(named);
                Ok(*place.insert(id))
            }
        }
    }

    pub(crate) fn id(&self, name: &str) -> Option<TypeId> {
        self.ids.get(name).copied()
    }

    pub(crate) fn get(&self, id: TypeId) -> &Named<S> {
        id.0.checked_sub(1).and_then(|at| self.others.get(at)).unwrap_or(&self.first)
    }

    pub(crate) fn get_mut(&mut self, id: TypeId) -> &mut Named<S> {
        id.0.checked_sub(1).and_then(|at| self.others.get_mut(at)).unwrap_or(&mut self.first)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.others.len() + 1
    }

    /// All but the one that is always there.
    pub(crate) fn declared(&self) -> impl ExactSizeIterator<Item = TypeId> + use<S> {
        (0..self.others.len()).map(|at| TypeId(at + 1))
    }
}
