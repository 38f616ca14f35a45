//! Where the parts of a path are, by a type, for bytes that do not show it.

use alloc::vec;
use alloc::vec::Vec;
use core::num::NonZeroUsize;

/// [`Choice::next`] where the rest of the path leads nowhere.
pub const NOWHERE: usize = usize::MAX;

/// The steps from a value to a part. The first is at 0; after the last step of a way there is none.
#[derive(Clone, Debug, Default)]
pub struct Route {
    /// The steps.
    pub stops: Vec<Stop>,
    /// Where the ways from unions lead: runs of choices, each in the order of ids.
    pub choices: Vec<Choice>,
}

impl Route {
    /// The next stop after an id, of `count` choices from `first` on.
    #[must_use]
    pub fn chosen(&self, first: usize, count: usize, id: u32) -> Option<usize> {
        let choices = self.choices.get(first..first.saturating_add(count))?;
        let known = choices.binary_search_by_key(&id, |choice| choice.id).ok()?;
        choices.get(known).map(|choice| choice.next)
    }

    /// Whether every walk ends. Only a step into a union takes bytes in any case, so that all others may not form a circle.
    pub(super) fn ends(&self) -> bool {
        let mut ends = vec![false; self.stops.len()];
        for start in 0..self.stops.len() {
            let (mut at, mut walk) = (start, Vec::new());
            while let Some(stop) = self.stops.get(at) {
                if ends.get(at) == Some(&true) || matches!(stop.step, Step::Choose { .. }) {
                    break;
                }
                if walk.len() == self.stops.len() {
                    return false;
                }
                walk.push(at);
                at = stop.next;
            }
            for at in walk {
                if let Some(known) = ends.get_mut(at) {
                    *known = true;
                }
            }
        }
        true
    }
}

/// A step, and the next one.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// The step.
    pub step: Step,
    /// How many segments of the path lead here.
    pub segments: usize,
    /// The next stop in [`Route::stops`]; none if it is their number.
    pub next: usize,
}

/// A step to a nested value, by numbers and places.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// To a field of a table.
    Field {
        /// Its number.
        index: usize,
        /// How many fields the table has, if that is known.
        count: Option<NonZeroUsize>,
    },
    /// To an item of a dynvec.
    Item {
        /// Its number.
        index: usize,
    },
    /// To an item of a fixvec.
    Packed {
        /// Its number.
        index: usize,
        /// How many bytes each item takes.
        size: usize,
    },
    /// To a part of a struct or array.
    Bytes {
        /// Where it begins in the value.
        start: usize,
        /// How many bytes it takes.
        size: usize,
        /// How many bytes the whole value takes.
        whole: usize,
    },
    /// Into a union: the item id before the value decides which stop is next.
    Choose {
        /// The first of its choices in [`Route::choices`].
        first: usize,
        /// How many there are.
        count: usize,
    },
}

/// The next stop after an item id.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The id.
    pub id: u32,
    /// The next stop, or [`NOWHERE`].
    pub next: usize,
}
