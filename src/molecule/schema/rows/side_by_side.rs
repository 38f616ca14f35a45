//! Rows that are read side by side: how many are there as a whole, and where.

use super::{Form, Rows, State};
use crate::fast::lanes::ROWS;
use crate::schema::{Most, Visit};

impl Rows<'_> {
    /// Reads rows that are usual side by side, and says how many these are.
    pub(super) fn usual<V: Visit>(&mut self, rest: &[u8], most: Most, visitor: &mut V) -> usize {
        if self.one_by_one > 0 {
            self.one_by_one -= 1;
            return 0;
        }
        let mut places = [(0, 0); ROWS];
        let count = self.places(rest, most, &mut places);
        let places = places.get(..count).unwrap_or_default();
        let Some(program) = self.program.as_mut().filter(|_| count > 0) else { return 0 };
        match program.read_some(rest, places, visitor) {
            // Gathering was in vain: not at once again.
            Some((0, _)) => {
                self.one_by_one = ROWS;
                0
            }
            Some((rows, size)) => {
                self.advance(rows, size);
                rows
            }
            None => 0,
        }
    }

    /// Where the next rows begin, and how long they are, as far as `rest` has them whole. Says how many.
    fn places(&self, rest: &[u8], most: Most, places: &mut [(usize, usize); ROWS]) -> usize {
        let limit = most.bytes.min(self.part.end.saturating_sub(self.offset));
        let mut from = 0_usize;
        let mut take = |place: &mut (usize, usize), len: Option<usize>| {
            let to = len.and_then(|len| from.checked_add(len)).filter(|to| *to <= rest.len());
            let is_here = from == 0 || from < limit;
            to.filter(|_| is_here).map(|to| {
                *place = (from, to - from);
                from = to;
            })
        };
        let places = places.iter_mut().take(most.rows);
        match (&self.state, self.form) {
            (State::Fixed(size, left, _), _) => {
                places.take(*left).map_while(|place| take(place, Some(size.get()))).count()
            }
            (State::Ends(ends, _), _) => {
                let mut start = self.offset;
                let rows = places.zip(ends.iter().rev());
                rows.map_while(|(place, end)| {
                    let len = end.checked_sub(start);
                    start = *end;
                    take(place, len)
                })
                .count()
            }
            (_, Form::Records(framing)) => {
                let mut at = rest;
                let next = |place| {
                    let len = framing.size(at).ok().flatten();
                    at = len.and_then(|len| at.get(len..)).unwrap_or_default();
                    take(place, len)
                };
                places.map_while(next).count()
            }
            _ => 0,
        }
    }
}
