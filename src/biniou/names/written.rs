//! The names that types write. Knows names, does not know bytes.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::{FEW, Place, collision, place};
use crate::biniou::Result;

/// How many types are found without a search.
const RECENT: usize = 16;

/// Behind a type's fields: no hash, since these have 31 bits.
const END: (u32, &str) = (u32::MAX, "");

/// The hashes of the fields that types write, learned from their first values.
///
/// A type's fields stand in the order in which they came first, and no hash twice. So a record
/// whose fields are met here one behind the other has no hash twice, which costs one comparison for
/// each field: that of the names' addresses.
#[derive(Debug)]
pub(in crate::biniou) struct Written {
    /// Where each type's fields begin.
    types: Vec<(Place, usize)>,
    fields: Vec<(u32, &'static str)>,
    /// Where lists have stood that have moved, in order. What they say is still true, but not all.
    left: Vec<Range<usize>>,
    /// Types by a part of their names' addresses.
    recent: [u16; RECENT],
    /// Types by their names' places, but for the first ones.
    by_place: BTreeMap<Place, usize>,
}

impl Default for Written {
    fn default() -> Self {
        Written {
            types: Vec::new(),
            fields: Vec::new(),
            left: Vec::new(),
            recent: [0; RECENT],
            by_place: BTreeMap::new(),
        }
    }
}

/// How far a record's fields have been met: those that it has stand before `next`.
#[derive(Clone, Copy, Debug)]
pub(in crate::biniou) struct Met {
    next: usize,
    /// The number of the type, and above that, which of its first fields stand before `next` and have not been
    /// met: a bit for each. One number, which is stored and loaded as it is.
    type_and_gaps: u64,
}

/// The bit of the field at a place; none if it is not among the first.
fn bit(place: usize) -> u32 {
    u32::try_from(place).ok().and_then(|place| 1_u32.checked_shl(place)).unwrap_or(0)
}

/// The bits of all fields in front of a place.
fn bits_before(place: usize) -> u32 {
    bit(place).wrapping_sub(1)
}

impl Met {
    /// For values without names.
    pub(in crate::biniou) const NONE: Met = Met { next: 0, type_and_gaps: 0 };

    /// None of the fields of a type, which begin at `next`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn first(type_number: u32, next: usize) -> Self {
        Met { next, type_and_gaps: type_number.into() }
    }

    fn type_number(self) -> u32 {
        let [a, b, c, d, ..] = self.type_and_gaps.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    fn gaps(self) -> u32 {
        let [.., a, b, c, d] = self.type_and_gaps.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    fn with_gaps(self, gaps: u32) -> Self {
        let type_and_gaps = u64::from(self.type_number()) | u64::from(gaps) << 32;
        Met { type_and_gaps, ..self }
    }

    /// With one field more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::biniou) fn advanced(self) -> Self {
        Met { next: self.next + 1, ..self }
    }
}

impl Written {
    /// None of the fields of the type of that name.
    #[inline]
    pub(in crate::biniou) fn of(&mut self, container: &'static str) -> Met {
        let wanted = place(container);
        let slot = (wanted.0 / 8) % RECENT;
        let recent = self.recent.get(slot).copied().unwrap_or(0);
        match self.types.get(usize::from(recent)) {
            Some((place, next)) if *place == wanted => Met::first(recent.into(), *next),
            _ => self.find(wanted, slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn find(&mut self, wanted: Place, slot: usize) -> Met {
        let number = match self.number(wanted) {
            Some(known) => known,
            None => {
                let new = self.types.len();
                if new >= FEW {
                    self.by_place.insert(wanted, new);
                }
                // At once for a small document.
                self.fields.reserve(RECENT);
                self.types.push((wanted, self.fields.len()));
                self.fields.push(END);
                new
            }
        };
        if let (Some(recent), Ok(number)) = (self.recent.get_mut(slot), u16::try_from(number)) {
            *recent = number;
        }
        let type_number = u32::try_from(number).unwrap_or(u32::MAX);
        Met::first(type_number, self.start(type_number))
    }

    /// Which type has its name there.
    fn number(&self, wanted: Place) -> Option<usize> {
        let first = self.types.get(..FEW).unwrap_or(&self.types);
        match first.iter().position(|(place, _)| *place == wanted) {
            None if self.types.len() > FEW => self.by_place.get(&wanted).copied(),
            known => known,
        }
    }

    fn start(&self, type_number: u32) -> usize {
        let number = usize::try_from(type_number).unwrap_or(usize::MAX);
        self.types.get(number).map_or(0, |(_, start)| *start)
    }

    /// Whether a field of that name comes next in records of the type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::biniou) fn expects(&self, met: Met, name: &'static str) -> bool {
        // Some field may be named as what stands behind them is.
        matches!(
            self.fields.get(met.next),
            Some((hash, known)) if core::ptr::eq(*known, name) && *hash != END.0
        )
    }

    /// Meets a field that is new, or not where it was before since others were left out.
    ///
    /// Two types may have one name, so a collision is one only if a field with that hash is in the
    /// value at hand, which `is_here` tells: it is asked where the field seems to have been met, so
    /// that it may take as long as the value is large. The error names that field by the name that was
    /// met last with its hash.
    pub(in crate::biniou) fn learn(
        &mut self,
        met: Met,
        hash: u32,
        name: &'static str,
        is_here: impl FnOnce() -> bool,
    ) -> Result<Met> {
        let met = self.follow(met);
        let (own, known) = self.position(met.type_number(), hash);
        let (place, next) = (own.end - own.start, met.next.saturating_sub(own.start));
        let is_further = place >= next;
        let behind = match (known, self.fields.get_mut(own.end)) {
            (true, Some((_, first))) => {
                let is_met = !is_further && met.gaps() & bit(place) == 0;
                if is_met && is_here() {
                    return Err(collision(first, name, hash));
                }
                *first = name;
                own.end + 1
            }
            _ => self.append(met.type_number(), own, (hash, name)),
        };
        Ok(match is_further {
            true => {
                let gaps = met.gaps() | bits_before(place) & !bits_before(next);
                Met { next: behind, ..met }.with_gaps(gaps)
            }
            // Not back to where it stands: others of the record are behind that.
            false => met.with_gaps(met.gaps() & !bit(place)),
        })
    }

    /// Meets a field that is left out, so that it has its place when it comes.
    #[cold]
    #[inline(never)]
    pub(in crate::biniou) fn skip(&mut self, met: Met, hash: u32, name: &'static str) -> Met {
        let met = self.follow(met);
        let (own, known) = self.position(met.type_number(), hash);
        match (own.end == met.next, known) {
            (_, true) => met,
            (true, false) => Met { next: self.append(met.type_number(), own, (hash, name)), ..met },
            (false, false) => {
                self.append(met.type_number(), own, (hash, name));
                met
            }
        }
    }

    /// The same place where the list is now, if that has moved while the record was open.
    fn follow(&self, met: Met) -> Met {
        let from = self.left.partition_point(|left| left.start <= met.next).checked_sub(1);
        match from.and_then(|from| self.left.get(from)).filter(|left| left.contains(&met.next)) {
            Some(left) => {
                Met { next: self.start(met.type_number()) + (met.next - left.start), ..met }
            }
            None => met,
        }
    }

    /// The fields of a type up to the one with that hash, and whether there is one; else all.
    fn position(&self, type_number: u32, hash: u32) -> (Range<usize>, bool) {
        let start = self.start(type_number);
        let own = self.fields.get(start..).unwrap_or_default();
        let found = own.iter().position(|(known, _)| *known == hash || *known == END.0);
        let at = start + found.unwrap_or(0);
        (start..at, matches!(self.fields.get(at), Some((known, _)) if *known == hash))
    }

    /// Adds a field to those of a type, and says where the next one goes.
    fn append(&mut self, type_number: u32, own: Range<usize>, field: (u32, &'static str)) -> usize {
        // Only behind the last type is there room.
        if own.end + 1 != self.fields.len() {
            let start = self.fields.len();
            let at = self.left.partition_point(|left| left.start < own.start);
            self.left.insert(at, own.start..own.end + 1);
            self.fields.extend_from_within(own);
            let number = usize::try_from(type_number).unwrap_or(usize::MAX);
            if let Some((_, place)) = self.types.get_mut(number) {
                *place = start;
            }
        } else {
            self.fields.pop();
        }
        self.fields.push(field);
        self.fields.push(END);
        self.fields.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::biniou::wire::hash;

    /// Meets the fields of a record in that order, and counts in `asked` how often it would have to
    /// be looked through.
    fn meet(written: &mut Written, met: Met, names: &[&'static str], asked: &mut usize) -> Met {
        names.iter().fold(met, |met, name| {
            if written.expects(met, name) {
                return met.advanced();
            }
            let is_here = || {
                *asked += 1;
                false
            };
            written.learn(met, hash(name), name, is_here).unwrap()
        })
    }

    #[test]
    fn a_list_that_moves_while_records_are_open_costs_no_search() {
        let (mut written, mut asked) = (Written::default(), 0);
        let mut open = Vec::new();
        for _ in 0..100 {
            let met = written.of("Node");
            open.push(meet(&mut written, met, &["child"], &mut asked));
        }
        // The deepest record ends first, and each has others between its fields.
        for met in open.into_iter().rev() {
            let met = meet(&mut written, met, &["weight"], &mut asked);
            let other = written.of("Weight");
            meet(&mut written, other, &["unit", "sign"], &mut asked);
            let met = meet(&mut written, met, &["a", "b"], &mut asked);
            let other = written.of("Last");
            meet(&mut written, other, &["x"], &mut asked);
            meet(&mut written, met, &["c", "d"], &mut asked);
        }
        assert_eq!(asked, 0);
    }

    #[test]
    fn fields_in_another_order_cost_no_search() {
        let (mut written, mut asked) = (Written::default(), 0);
        for names in [&["a", "b", "c", "d"], &["d", "b", "a", "c"], &["c", "d", "a", "b"]] {
            let met = written.of("Point");
            meet(&mut written, met, names, &mut asked);
        }
        assert_eq!(asked, 0);
        // One that is there twice is looked for, wherever the list is by then.
        let met = written.of("Point");
        let met = meet(&mut written, met, &["d", "b"], &mut asked);
        let other = written.of("Other");
        meet(&mut written, other, &["x"], &mut asked);
        let met = meet(&mut written, met, &["new"], &mut asked);
        assert_eq!(asked, 0);
        for name in ["b", "d", "new"] {
            assert!(written.learn(met, hash(name), name, || true).is_err(), "{name}");
        }
    }

    #[test]
    fn the_names_of_many_types_are_found() {
        let names = (0..200).map(|number: u32| -> &'static str { number.to_string().leak() });
        let names: Vec<&'static str> = names.collect();
        let (mut written, mut asked) = (Written::default(), 0);
        for name in &names {
            let met = written.of(name);
            meet(&mut written, met, &[name], &mut asked);
        }
        assert_eq!((written.types.len(), asked), (200, 0));
        for name in &names {
            let met = written.of(name);
            assert!(written.expects(met, name), "{name}");
        }
        assert_eq!(written.types.len(), 200);
    }
}
