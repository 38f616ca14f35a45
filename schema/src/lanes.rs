//! Fields of many rows, gathered side by side for a visitor.
//!
//! What a loop over rows calls for each of them is always inlined.

use crate::common::{Interest, Lane, LaneKind, Refusal, Visit};

/// So many rows are gathered: a bit of a word for each.
pub(crate) const ROWS: usize = 64;

/// What each part of the same rows is.
#[derive(Debug)]
pub(crate) struct Lanes(Box<[Slots]>);

/// What one part is in each row.
#[derive(Debug)]
pub(crate) struct Slots {
    kind: LaneKind,
    is_option: bool,
    /// Whether the visitor wants it.
    pub(crate) is_wanted: bool,
    words: Box<[u64; ROWS]>,
    /// How many bytes each value has, if all have so many.
    width: Option<usize>,
    present: u64,
}

impl Slots {
    /// Those of parts with lanes.
    pub(crate) fn new(kind: LaneKind, is_option: bool) -> Self {
        let words = Box::new([0; ROWS]);
        Slots { kind, is_option, is_wanted: false, words, width: None, present: 0 }
    }

    /// The values of all rows.
    pub(crate) fn words(&mut self) -> &mut [u64; ROWS] {
        &mut self.words
    }

    /// Each value has so many bytes.
    pub(crate) fn set_width(&mut self, width: usize) {
        self.width = Some(width);
    }

    /// Keeps the values of the rows before the first that has none, and returns their number.
    #[inline(always)]
    pub(crate) fn gather<P>(
        &mut self,
        rows: impl Iterator<Item = P>,
        word: impl Fn(P) -> Option<u64>,
    ) -> usize {
        let mut count = 0;
        for (slot, row) in self.words.iter_mut().zip(rows) {
            let Some(word) = word(row) else { break };
            *slot = word;
            count += 1;
        }
        count
    }

    /// The same of options. Which rows have a value cannot be foreseen, so that there is no branch for it.
    #[inline(always)]
    pub(crate) fn gather_options<P>(
        &mut self,
        rows: impl ExactSizeIterator<Item = P> + Clone,
        look: impl Fn(P) -> Maybe,
    ) -> usize {
        let (mut present, mut odds, mut bit) = (0, 0, 1_u64);
        for (slot, row) in self.words.iter_mut().zip(rows.clone()) {
            let Maybe { there, odd, word } = look(row);
            *slot = word & there;
            present |= bit & there;
            odds |= odd & there;
            bit <<= 1;
        }
        self.present = present;
        match odds {
            0 => rows.len(),
            _ => usual(rows.map(look)),
        }
    }
}

/// How many options are before the first unusual one.
fn usual(options: impl Iterator<Item = Maybe>) -> usize {
    options.take_while(|option| option.odd & option.there == 0).count()
}

/// What may be the value of an option.
pub(crate) struct Maybe {
    /// All bits, if there is one, and no bit, if there is none: see [`if_highest`].
    pub(crate) there: u64,
    /// If there is one, what is unusual about it: 0, if nothing is.
    pub(crate) odd: u64,
    /// If there is one, and it is usual, what it is.
    pub(crate) word: u64,
}

impl Maybe {
    /// One of which nothing is known.
    pub(crate) const UNUSUAL: Maybe = Maybe { there: u64::MAX, odd: u64::MAX, word: 0 };
}

/// All bits, if a word has the highest one, and no bit, if it does not: in a form that does not become a branch.
#[inline]
pub(crate) fn if_highest(word: u64) -> u64 {
    (word >> (u64::BITS - 1)).wrapping_neg()
}

impl Lanes {
    pub(crate) fn new(slots: Box<[Slots]>) -> Self {
        Lanes(slots)
    }

    /// Visits rows side by side. Returns how many these are, and how many bytes they take, as `gather` does for the rows of
    /// which it has filled the slots. No row, if `visitor` refuses one of them; none, if it does not want lanes.
    pub(crate) fn read<V: Visit>(
        &mut self,
        bytes: &[u8],
        visitor: &mut V,
        gather: impl FnOnce(&mut [Slots], &[u8]) -> (usize, usize),
    ) -> Option<(usize, usize)> {
        // Places have 32 bits, and the highest is free.
        let most = usize::try_from(i32::MAX).unwrap_or(usize::MAX);
        let bytes = bytes.get(..most).unwrap_or(bytes);
        let (rows, size) = gather(self.begin(visitor)?, bytes);
        if self.send(rows, bytes, visitor).is_err() {
            visitor.again();
            return Some((0, 0));
        }
        Some((rows, size))
    }

    /// The slots, of which those are wanted that `visitor` wants; none, if it takes no lanes of them.
    fn begin<V: Visit>(&mut self, visitor: &mut V) -> Option<&mut [Slots]> {
        if !V::TAKES_LANES || visitor.interest() != Interest::Parts {
            return None;
        }
        let wants_all = visitor.wants_all();
        for (index, slots) in self.0.iter_mut().enumerate() {
            slots.is_wanted = wants_all || visitor.wants(index);
            slots.present = u64::MAX;
            if slots.is_wanted && !visitor.part(index).takes_lane(slots.kind) {
                return None;
            }
        }
        Some(&mut self.0)
    }

    /// Sends the visitor `count` rows, whose bytes are in `bytes`, if there are any.
    ///
    /// # Errors
    ///
    /// What is not taken in one of the rows; then some of the parts have been visited.
    fn send<V: Visit>(&self, count: usize, bytes: &[u8], visitor: &mut V) -> Result<(), Refusal> {
        if count == 0 {
            return Ok(());
        }
        let all = u64::MAX.checked_shr(u64::BITS.saturating_sub(bits(count))).unwrap_or(0);
        for (index, slots) in self.0.iter().enumerate().filter(|(_, slots)| slots.is_wanted) {
            let words = slots.words.get(..count).unwrap_or_default();
            let present = slots.is_option.then_some(slots.present & all);
            let lane = Lane::new(slots.kind, words, present, bytes, slots.width);
            visitor.part(index).lane(&lane)?;
        }
        visitor.records(count);
        Ok(())
    }
}

fn bits(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
