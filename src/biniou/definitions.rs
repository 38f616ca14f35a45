//! Positions of the shared values of an input, and the cost of reading one again.

use alloc::vec::Vec;

use super::budget::cost;

/// The shared values that were passed so far, in order.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    known: Vec<Definition>,
    /// How many bytes of strings were passed ..
    text: usize,
    /// .. up to here. What is passed again is not counted again.
    counted_to: usize,
    /// Of the skipped references: the one with the furthest target, and its position.
    furthest: Option<(usize, usize)>,
}

/// A shared value.
#[derive(Clone, Copy, Debug)]
struct Definition {
    /// The position of its own offset of 0.
    start: usize,
    /// How many bytes of strings were before it.
    text: usize,
    /// What it costs to read it again, once its end is known.
    cost: Option<usize>,
}

impl Definitions {
    /// Notes that a string was skipped, whose length is at `offset`.
    #[inline]
    pub(super) fn note_text(&mut self, offset: usize, bytes: usize) {
        if offset >= self.counted_to {
            self.counted_to = offset + 1;
            self.text = self.text.wrapping_add(bytes);
        }
    }

    /// Notes that a reference at `at` with that `target` was skipped.
    pub(super) fn note_reference(&mut self, target: usize, at: usize) {
        if self.furthest.is_none_or(|(furthest, _)| target < furthest) {
            self.furthest = Some((target, at));
        }
    }

    /// Forgets the skipped references.
    pub(super) fn forget_references(&mut self) {
        self.furthest = None;
    }

    /// The position of a reference, if one was skipped.
    pub(super) fn reference(&self) -> Option<usize> {
        self.furthest.map(|(_, at)| at)
    }

    /// The position of a reference to something before `start`, if one was skipped.
    pub(super) fn reference_before(&self, start: usize) -> Option<usize> {
        self.furthest.and_then(|(target, at)| (target < start).then_some(at))
    }

    /// How many bytes of strings were passed.
    pub(super) fn text(&self) -> usize {
        self.text
    }

    /// Notes that a shared value begins, met for the first time or through a reference.
    pub(super) fn begin(&mut self, start: usize) {
        let new = Definition { start, text: self.text, cost: None };
        match self.known.last() {
            Some(last) if last.start >= start => {
                if let Err(at) = self.index(start) {
                    self.known.insert(at, new);
                }
            }
            _ => self.known.push(new),
        }
    }

    /// Notes where the shared value that began at `start` ends.
    pub(super) fn end(&mut self, start: usize, end: usize) {
        let text = self.text;
        if let Some(definition) = self.definition(start) {
            // A value that is read again through a reference keeps its cost.
            let text = text.wrapping_sub(definition.text);
            definition.cost.get_or_insert(cost(end - start, text));
        }
    }

    /// Notes what it costs to read the shared value again that begins at `start`.
    pub(super) fn note_cost(&mut self, start: usize, cost: usize) {
        if let Some(definition) = self.definition(start) {
            definition.cost = Some(cost);
        }
    }

    /// The cost of reading the shared value at `start` again. `Some(None)` if its end has not been reached, `None` if there
    /// is no shared value at `start`.
    pub(super) fn find(&self, start: usize) -> Option<Option<usize>> {
        let index = self.index(start).ok()?;
        self.known.get(index).map(|definition| definition.cost)
    }

    fn definition(&mut self, start: usize) -> Option<&mut Definition> {
        let index = self.index(start).ok()?;
        self.known.get_mut(index)
    }

    fn index(&self, start: usize) -> Result<usize, usize> {
        self.known.binary_search_by_key(&start, |definition| definition.start)
    }
}
