//! Where the values on a path are, for a type whose bytes do not show it.

use alloc::vec::Vec;
use core::num::NonZeroUsize;

/// The next step where a path leads nowhere.
pub(crate) const NOWHERE: usize = usize::MAX;

/// Steps to nested values. The first is at 0; after the last of a path there is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    pub(crate) stops: Vec<Stop>,
    pub(crate) choices: Vec<Choice>,
}

impl Route {
    /// The next step for an id, of `count` choices from the one at `first` on.
    pub(crate) fn chosen(&self, first: usize, count: usize, id: u32) -> Option<usize> {
        let choices = self.choices.get(first..first.saturating_add(count))?;
        let known = choices.binary_search_by_key(&id, |choice| choice.id).ok()?;
        choices.get(known).map(|choice| choice.next)
    }
}

/// A step, and the next one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) step: Step,
    /// How many segments of the path lead here.
    pub(crate) segments: usize,
    /// Which stop is next: none if it is their number.
    pub(crate) next: usize,
}

/// A step to a nested value, by numbers and places.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// To a field that is found by a header, among so many, if that is known.
    Field { index: usize, count: Option<NonZeroUsize> },
    /// To an item that is found by a header.
    Item { index: usize },
    /// To one of the items of `size` bytes each, after their count.
    Packed { index: usize, size: usize },
    /// To bytes of a value that takes so many in all.
    Bytes { start: usize, size: usize, whole: usize },
    /// The next step depends on a number before the value.
    Choose { first: usize, count: usize },
}

/// The next step for such a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) id: u32,
    /// [`NOWHERE`] where the rest of the path leads nowhere.
    pub(crate) next: usize,
}
