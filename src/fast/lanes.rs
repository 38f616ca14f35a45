//! Parts of rows that are gathered until there are some of each. Knows no format.

use alloc::boxed::Box;

use crate::schema::{Interest, Lane, LaneKind, Refusal, Visit};

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
    /// Whether anybody is told of it.
    pub(crate) is_wanted: bool,
    words: Box<[u64; ROWS]>,
    present: u64,
}

impl Slots {
    /// Those of parts that are told so.
    pub(crate) fn new(kind: LaneKind, is_option: bool) -> Self {
        Slots { kind, is_option, is_wanted: false, words: Box::new([0; ROWS]), present: 0 }
    }

    /// The values of all rows.
    pub(crate) fn words(&mut self) -> &mut [u64; ROWS] {
        &mut self.words
    }

    /// In which rows there is a value, if it is an option.
    pub(crate) fn set_present(&mut self, present: u64) {
        self.present = present;
    }

    /// The value in a row.
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, word: u64) {
        if let Some(slot) = self.words.get_mut(row % ROWS) {
            *slot = word;
        }
    }

    /// There is none.
    #[inline(always)]
    pub(crate) fn set_none(&mut self, row: usize) {
        self.set(row, 0);
        self.present &= !(1 << (row % ROWS));
    }
}

impl Lanes {
    pub(crate) fn new(slots: Box<[Slots]>) -> Self {
        Lanes(slots)
    }

    /// Tells of rows side by side: how many these are, and how many bytes they take, as `gather` says of the rows of
    /// which it has filled the slots. No row, if `visitor` refuses one of them; none, if it does not want lanes.
    pub(crate) fn read<V: Visit>(
        &mut self,
        bytes: &[u8],
        visitor: &mut V,
        gather: impl FnOnce(&mut [Slots], &[u8]) -> (usize, usize),
    ) -> Option<(usize, usize)> {
        // Places have 32 bits.
        let most = usize::try_from(u32::MAX).unwrap_or(usize::MAX);
        let bytes = bytes.get(..most).unwrap_or(bytes);
        let (rows, size) = gather(self.begin(visitor)?, bytes);
        if self.tell(rows, bytes, visitor).is_err() {
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

    /// Tells of so many rows, whose bytes are in `bytes`, if there are any.
    ///
    /// # Errors
    ///
    /// What is not taken in one of the rows; then some of the parts have been told.
    fn tell<V: Visit>(&self, count: usize, bytes: &[u8], visitor: &mut V) -> Result<(), Refusal> {
        if count == 0 {
            return Ok(());
        }
        let all = u64::MAX.checked_shr(u64::BITS.saturating_sub(bits(count))).unwrap_or(0);
        for (index, slots) in self.0.iter().enumerate().filter(|(_, slots)| slots.is_wanted) {
            let words = slots.words.get(..count).unwrap_or_default();
            let present = slots.is_option.then_some(slots.present & all);
            visitor.part(index).lane(&Lane::new(slots.kind, words, present, bytes))?;
        }
        visitor.records(count);
        Ok(())
    }
}

fn bits(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
