//! Rows that are read side by side: how many are there as a whole, and where.

use fourfold::molecule::wire::{self, Framing};

use super::{Items, Rows};
use crate::common::{Most, Visit};
use crate::lanes::ROWS;

impl Rows<'_> {
    /// Reads rows that are usual side by side, and returns their number.
    pub(super) fn usual<V: Visit>(&mut self, rest: &[u8], most: Most, visitor: &mut V) -> usize {
        if self.program.is_none() {
            return 0;
        }
        if self.one_by_one > 0 {
            self.one_by_one -= 1;
            return 0;
        }
        let mut starts = [0; ROWS + 1];
        let count = self.starts(rest, most, &mut starts);
        let starts = starts.get(..=count).unwrap_or_default();
        let Some(program) = self.program.as_mut().filter(|_| count > 0) else { return 0 };
        match program.read_some(rest, starts, visitor) {
            // No rows were found: do not try again at once.
            None | Some((0, _)) => {
                self.one_by_one = ROWS;
                0
            }
            Some((rows, size)) => {
                self.advance(rows, size);
                rows
            }
        }
    }

    /// Where the next rows begin that `rest` has as a whole, and where the last of them ends. Returns how many these are.
    fn starts(&self, rest: &[u8], most: Most, starts: &mut [u32; ROWS + 1]) -> usize {
        // The first row may be larger than is requested.
        let limit = most.bytes.min(self.part.end.saturating_sub(self.offset)).max(1);
        let [_, after @ ..] = starts;
        let after = after.iter_mut().take(most.rows);
        let (mut from, mut count) = (0, 0);
        let mut take = |after: &mut u32, to: usize| {
            let is_here = to <= rest.len() && from < limit;
            if is_here {
                *after = u32::try_from(to).unwrap_or(u32::MAX);
                from = to;
                count += 1;
            }
            is_here
        };
        match &self.items {
            Items::Framed(Framing::Fixed(size)) => {
                let mut end = 0;
                after.take(self.left).all(|after| {
                    end = size.get().saturating_add(end);
                    take(after, end)
                });
            }
            Items::Framed(framing) => {
                let mut end = 0_usize;
                after.take(self.left).all(|after| {
                    let row = rest.get(end..).unwrap_or_default();
                    let size = framing.size(row).ok().flatten();
                    end = end.saturating_add(size.unwrap_or(usize::MAX));
                    take(after, end)
                });
            }
            Items::Bounds(start, bounds) => {
                let front = self.offset.saturating_sub(*start);
                let Ok(front) = u32::try_from(front) else { return 0 };
                let ends = bounds.get(self.index.saturating_add(1)..).unwrap_or_default();
                let ends = ends.get(..most.rows.min(ROWS)).unwrap_or(ends);
                // They are in order.
                let to = |end: &u32| wire::stated(end.wrapping_sub(front));
                let whole = ends.partition_point(|end| to(end) <= rest.len());
                let begun = 1 + ends.partition_point(|end| to(end) < limit);
                count = whole.min(begun);
                after.zip(ends).take(count).for_each(|(to, end)| *to = end.wrapping_sub(front));
            }
            Items::Whole => {}
        }
        count
    }
}
