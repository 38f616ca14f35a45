//! Estimates the size of a message from the items written so far.
//!
//! Functions called for every scalar, text or item are always inlined: a call for each takes longer than its work.

use crate::buffer::Buffer;

/// The start of a sequence, from which the size of its other items is estimated.
#[derive(Clone, Copy)]
pub(crate) struct Forecast {
    pub(crate) at: usize,
    pub(crate) count: usize,
}

impl Forecast {
    /// Below this number of items, their average does not predict the others.
    const MIN_SAMPLE: usize = 16;

    /// From this number of items on, the average hardly changes.
    const STABLE_SAMPLE: usize = 64;

    /// The buffer grows at most by this factor at once while the average may still change.
    const MAX_GROWTH: usize = 3;

    /// The same once the average is stable.
    const MAX_STABLE_GROWTH: usize = 31;

    /// [`look_ahead`](Forecast::look_ahead) checks the memory once in this number of items.
    const CHECK_INTERVAL: usize = 32;

    /// Memory reserved for the next item even if the estimate is smaller.
    const MIN_STEP: usize = 1024;

    /// Reserves memory for all of `items`, which follow `count` items and `at` bytes, once less is left
    /// than the next items are likely to take. Checks only now and then, since a check takes time.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn look_ahead(
        self,
        out: &mut Buffer,
        at: usize,
        count: usize,
        items: &impl Iterator,
    ) {
        if count % Self::CHECK_INTERVAL == Self::CHECK_INTERVAL / 2 {
            self.take_memory(out, at, count, items.size_hint().0);
        }
    }

    /// How much memory is taken is the average of the items so far for each that is left, and a little
    /// more. So what is written moves once or twice, not each time the buffer has grown by half. Unused
    /// memory is never touched, and a buffer that is much too large is shrunk at the end.
    #[cold]
    #[inline(never)]
    fn take_memory(self, out: &mut Buffer, at: usize, count: usize, left: usize) {
        let (taken, count) = (at.saturating_sub(self.at), count.saturating_sub(self.count));
        // Only for a sequence that is most of the message so far.
        if left == 0 || taken < at / 2 {
            return;
        }
        let average = taken.checked_div(count).unwrap_or(0);
        let wanted = average.saturating_mul(2 * Self::MIN_SAMPLE).max(Self::MIN_STEP);
        if !out.lacks(at, wanted) {
            return;
        }
        let likely = average.saturating_mul(left);
        let likely = likely.saturating_add(likely / 16);
        let guess = match count {
            ..Self::MIN_SAMPLE => at / 2,
            Self::MIN_SAMPLE..Self::STABLE_SAMPLE => {
                likely.min(at.saturating_mul(Self::MAX_GROWTH))
            }
            Self::STABLE_SAMPLE.. => likely.min(at.saturating_mul(Self::MAX_STABLE_GROWTH)),
        };
        out.expect(at, guess.max(wanted.min((at / 2).max(Self::MIN_STEP))));
    }
}

/// The number of items, if it is known.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn exact_length(items: &impl Iterator) -> Option<usize> {
    match items.size_hint() {
        (least, Some(most)) if least == most => Some(least),
        _ => None,
    }
}
