//! How much memory a document will take, told from the items that are written. Knows places, does not know
//! serde.

use crate::fast::buffer::Buffer;

/// So many items tell something of the others ..
const TELLING: usize = 16;

/// .. and so many, what they take on average: twice as much or half of it would be rare.
const TYPICAL: usize = 64;

/// So many times what there is may be asked for at once, when the items so far are telling ..
const SOME: usize = 3;

/// .. and when they are typical.
const MORE: usize = 31;

/// After so many items each, a look ahead is taken.
const FORESIGHT: usize = 32;

/// So much may the next item have, though what there is be less.
const LEAST: usize = 1024;

/// Where the items of a sequence begin, to tell from the first ones what the others will take.
#[derive(Clone, Copy)]
pub(crate) struct Forecast {
    pub(crate) at: usize,
    pub(crate) count: usize,
}

impl Forecast {
    /// Takes memory for all of `items`, which come behind `count` others and `at` bytes, once there is
    /// less than the next one would like to have.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn provide(
        self,
        out: &mut Buffer,
        at: usize,
        count: usize,
        items: &impl Iterator,
        wanted: usize,
    ) {
        let left = items.size_hint().0;
        if left > 0 && out.lacks(at, wanted) {
            out.expect(at, self.foresee(at, count, left, wanted));
        }
    }

    /// Takes memory for all of `items`, which come behind `count` others and `at` bytes, once there is less
    /// than the next ones are likely to take. Looks now and then, so that it costs nothing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn look_ahead(
        self,
        out: &mut Buffer,
        at: usize,
        count: usize,
        items: &impl Iterator,
    ) {
        if count % FORESIGHT == FORESIGHT / 2 {
            self.take_memory(out, at, count, items.size_hint().0);
        }
    }

    #[cold]
    #[inline(never)]
    fn take_memory(self, out: &mut Buffer, at: usize, count: usize, left: usize) {
        let (taken, count_here) = (at.saturating_sub(self.at), count.saturating_sub(self.count));
        // Only a sequence that is most of the document so far.
        if left == 0 || taken < at / 2 {
            return;
        }
        let average = taken.checked_div(count_here).unwrap_or(0);
        let wanted = average.saturating_mul(2 * TELLING).max(LEAST);
        if out.lacks(at, wanted) {
            out.expect(at, self.foresee(at, count, left, wanted));
        }
    }

    /// How much memory to take for `left` more items behind `count` items and `at` bytes, of which the
    /// next one would like to have `wanted`: as much as the items so far on average, and a little more.
    /// So what is written moves once or twice and not each time that it has grown by half. (10,000
    /// records of a log were moved by 1.06 times what they are, and now by a twentieth.) Memory that is
    /// not needed in the end is not touched, and what is much too large is given back.
    #[cold]
    #[inline(never)]
    fn foresee(self, at: usize, count: usize, left: usize, wanted: usize) -> usize {
        let count = count.saturating_sub(self.count);
        let average = at.saturating_sub(self.at).checked_div(count).unwrap_or(0);
        let likely = average.saturating_mul(left);
        let likely = likely.saturating_add(likely / 16);
        let guess = match count {
            ..TELLING => at / 2,
            TELLING..TYPICAL => likely.min(at.saturating_mul(SOME)),
            TYPICAL.. => likely.min(at.saturating_mul(MORE)),
        };
        guess.max(wanted.min((at / 2).max(LEAST)))
    }
}
