//! Limits of what an input can cost beyond its own bytes: rows without bytes, and shared values that are
//! read again. Writers refuse what readers would refuse.
//!
//! Both are counted for the whole input: each value adds what its own bytes earn, and all values share
//! what is left of the first allowance.

use super::wire::MOST_EMPTY_ROWS;

/// How many rows, or bytes that are read again, each byte of an input earns ..
const PER_BYTE: usize = 64;

/// .. and how many bytes of the input may be read again in addition. A value can use as many of them as its bytes
/// add, so that a short input does not cause much work.
const FIRST_EXPANSION: usize = 1 << 15;

/// So many bytes of a string count as one, since they are copied together or not at all.
const TEXT_PER_BYTE: usize = 16;

/// The cost of reading a value again that has so many bytes, `text` of them in strings.
pub(super) fn cost(bytes: usize, text: usize) -> usize {
    bytes.saturating_sub(text) + text / TEXT_PER_BYTE
}

/// What the next values of an input may still use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// How many rows without columns are accepted.
    pub(super) empty_rows: usize,
    /// How many bytes references may expand to, in addition to those that the current value adds.
    expansion: usize,
}

impl Budget {
    /// The budget of an input.
    pub(super) fn new() -> Self {
        Budget { empty_rows: most_empty_rows(), expansion: FIRST_EXPANSION }
    }

    /// The budget of a lazy value. It is small, since a message can have many.
    pub(super) fn of_part() -> Self {
        Budget { expansion: 0, ..Budget::new() }
    }

    /// How many bytes the references of a value of `len` bytes may expand to.
    pub(super) fn expansion_limit(&self, bytes: usize) -> usize {
        let earned = bytes.saturating_mul(PER_BYTE);
        earned.saturating_add(self.expansion.min(earned))
    }

    /// Continues with the value after one of so many bytes. `expansion` is what that one left of
    /// its [limit](Budget::expansion_limit) if it had references.
    pub(super) fn next_value(&mut self, bytes: usize, expansion: Option<usize>) {
        let earned = bytes.saturating_mul(PER_BYTE);
        self.empty_rows = self.empty_rows.saturating_add(earned).min(most_empty_rows());
        let (limit, unused) = (self.expansion_limit(bytes), self.expansion.saturating_sub(earned));
        self.expansion = unused.saturating_add(expansion.unwrap_or(limit)).min(FIRST_EXPANSION);
    }
}

fn most_empty_rows() -> usize {
    usize::try_from(MOST_EMPTY_ROWS).unwrap_or(usize::MAX)
}
