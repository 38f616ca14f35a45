//! Where the parts of a path lie, as a type tells it whose bytes do not show it. Knows how steps follow one
//! another, does not know what lies there.

use alloc::vec::Vec;
use core::num::NonZeroUsize;

/// What is next where a way leads nowhere.
pub(crate) const NOWHERE: usize = usize::MAX;

/// Steps into parts. The first is at 0; behind the last of a way there is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    pub(crate) stops: Vec<Stop>,
    pub(crate) choices: Vec<Choice>,
}

impl Route {
    /// What is next behind an id, of so many choices from the one at `first` on.
    pub(crate) fn chosen(&self, first: usize, count: usize, id: u32) -> Option<usize> {
        let choices = self.choices.get(first..first.saturating_add(count))?;
        let known = choices.binary_search_by_key(&id, |choice| choice.id).ok()?;
        choices.get(known).map(|choice| choice.next)
    }
}

/// A step, and the one behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) step: Step,
    /// How many segments of the path lead here.
    pub(crate) segments: usize,
    /// Which stop is next: none if it is their number.
    pub(crate) next: usize,
}

/// A step into a part, by numbers and places.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// To a field that is found by a header, among so many, if that is known.
    Field { index: usize, count: Option<NonZeroUsize> },
    /// To an item that is found by a header.
    Item { index: usize },
    /// To one of items that take so many bytes each, behind their count.
    Packed { index: usize, size: usize },
    /// To bytes of a value that takes so many in all.
    Bytes { start: usize, size: usize, whole: usize },
    /// Which step is next depends on a number in front of the value.
    Choose { first: usize, count: usize },
}

/// What is next behind such a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) id: u32,
    /// [`NOWHERE`] where the rest of the path leads nowhere.
    pub(crate) next: usize,
}
