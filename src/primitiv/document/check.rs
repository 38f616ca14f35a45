//! Comparing a model with the parameters that a program expects.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use super::{Entry, Key, Shape};

/// One parameter in which a model is not as expected; see [`Model::check`](super::Model::check).
///
/// [`Display`](fmt::Display) is one line, such as `lstm.b is missing, [3]x1 was expected`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// There is no parameter of that key. primitiv loads the file, and keeps the value it has.
    Missing {
        /// The key.
        key: Key<'static>,
        /// The shape that was expected.
        expected: Shape,
    },
    /// There is a parameter of that key, and none was expected. primitiv does not load the file.
    Extra {
        /// The key.
        key: Key<'static>,
        /// The shape of its value.
        found: Shape,
    },
    /// A parameter's value has another shape. primitiv loads the file, and takes that shape.
    Shape {
        /// The key.
        key: Key<'static>,
        /// The shape of its value.
        found: Shape,
        /// The shape that was expected.
        expected: Shape,
    },
}

impl Mismatch {
    /// The key of the parameter.
    #[must_use]
    pub const fn key(&self) -> &Key<'static> {
        match self {
            Mismatch::Missing { key, .. }
            | Mismatch::Extra { key, .. }
            | Mismatch::Shape { key, .. } => key,
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Missing { key, expected } => {
                write!(f, "{key} is missing, {expected} was expected")
            }
            Mismatch::Extra { key, .. } => write!(f, "{key} is not expected"),
            Mismatch::Shape { key, found, expected } => {
                write!(f, "{key} is {found}, {expected} was expected")
            }
        }
    }
}

/// What differs between entries in the order of their keys and what is expected.
pub(super) fn mismatches<'k>(
    entries: &[&Entry<'_>],
    expected: impl Iterator<Item = (Key<'k>, Shape)>,
) -> Vec<Mismatch> {
    let mut all: BTreeMap<Key<'_>, (Option<Shape>, Option<Shape>)> = BTreeMap::new();
    for entry in entries {
        let found = *entry.parameter().value().shape();
        all.insert(entry.key().clone(), (Some(found), None));
    }
    for (key, shape) in expected {
        all.entry(key).or_default().1 = Some(shape);
    }
    let mismatch = |(key, both): (Key<'_>, _)| match both {
        (Some(found), Some(expected)) if found == expected => None,
        (Some(found), Some(expected)) => {
            Some(Mismatch::Shape { key: key.into_owned(), found, expected })
        }
        (Some(found), None) => Some(Mismatch::Extra { key: key.into_owned(), found }),
        (None, Some(expected)) => Some(Mismatch::Missing { key: key.into_owned(), expected }),
        (None, None) => None,
    };
    all.into_iter().filter_map(mismatch).collect()
}
