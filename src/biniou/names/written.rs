//! The names that types write. Knows names, does not know bytes.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use super::{Address, FEW, address, collision};
use crate::biniou::Result;

/// How many types are found without a search.
const RECENT: usize = 16;

/// Behind a type's fields: no hash, since these have 31 bits.
const END: (u32, &str) = (u32::MAX, "");

/// The hashes of the fields that types write, learned from their first values.
///
/// A type's fields stand in the order in which they came first, and no hash stands twice. So if the
/// fields of a record come in this order, no hash comes twice, and one comparison of addresses per
/// field shows it.
#[derive(Debug)]
pub(in crate::biniou) struct TypesWritten {
    /// Where each type's fields begin.
    types: Vec<(Address, usize)>,
    fields: Vec<(u32, &'static str)>,
    /// The former ranges of lists that have moved, in order. Their fields are still true, but not complete.
    left: Vec<Range<usize>>,
    /// Recent types by a part of the addresses of their names.
    recent: [u16; RECENT],
    /// Types by the addresses of their names, without the first ones.
    by_address: BTreeMap<Address, usize>,
}

impl Default for TypesWritten {
    fn default() -> Self {
        TypesWritten {
            types: Vec::new(),
            fields: Vec::new(),
            left: Vec::new(),
            recent: [0; RECENT],
            by_address: BTreeMap::new(),
        }
    }
}

/// How far the fields of a record have come: all of them stand before `next`.
#[derive(Clone, Copy, Debug)]
pub(in crate::biniou) struct FieldCursor {
    next: usize,
    /// The number of the type; above it a bit for each of the first fields that stand before `next` and
    /// have not come. One number, so that it is loaded and stored at once.
    type_and_gaps: u64,
}

/// The bit of the field at an index; none if it is not among the first.
fn bit(place: usize) -> u32 {
    u32::try_from(place).ok().and_then(|place| 1_u32.checked_shl(place)).unwrap_or(0)
}

/// The bits of all fields in front of an index.
fn bits_before(place: usize) -> u32 {
    bit(place).wrapping_sub(1)
}

impl FieldCursor {
    /// The start of the fields of a type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn first(type_number: u32, next: usize) -> Self {
        FieldCursor { next, type_and_gaps: type_number.into() }
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
        FieldCursor { type_and_gaps, ..self }
    }

    /// One field further.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::biniou) fn advanced(self) -> Self {
        FieldCursor { next: self.next + 1, ..self }
    }
}

impl TypesWritten {
    /// The start of the fields of the type of that name.
    #[inline]
    pub(in crate::biniou) fn of(&mut self, container: &'static str) -> FieldCursor {
        let wanted = address(container);
        let slot = (wanted.0 / 8) % RECENT;
        let recent = self.recent.get(slot).copied().unwrap_or(0);
        match self.types.get(usize::from(recent)) {
            Some((place, next)) if *place == wanted => FieldCursor::first(recent.into(), *next),
            _ => self.find(wanted, slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn find(&mut self, wanted: Address, slot: usize) -> FieldCursor {
        let number = match self.number(wanted) {
            Some(known) => known,
            None => {
                let new = self.types.len();
                if new >= FEW {
                    self.by_address.insert(wanted, new);
                }
                // At once, so that a small document takes memory only once.
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
        FieldCursor::first(type_number, self.start(type_number))
    }

    /// The number of the type whose name has that address.
    fn number(&self, wanted: Address) -> Option<usize> {
        let first = self.types.get(..FEW).unwrap_or(&self.types);
        match first.iter().position(|(place, _)| *place == wanted) {
            None if self.types.len() > FEW => self.by_address.get(&wanted).copied(),
            known => known,
        }
    }

    fn start(&self, type_number: u32) -> usize {
        let number = usize::try_from(type_number).unwrap_or(usize::MAX);
        self.types.get(number).map_or(0, |(_, start)| *start)
    }

    /// Whether a field of that name, which has that hash, comes next in records of the type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::biniou) fn expects(
        &self,
        cursor: FieldCursor,
        hash: u32,
        name: &'static str,
    ) -> bool {
        // The hash stands for the length, which a name and its beginning differ in.
        matches!(
            self.fields.get(cursor.next),
            Some((known, first)) if *known == hash && core::ptr::eq(first.as_ptr(), name.as_ptr())
        )
    }

    /// Notes a field that is new or comes in another order.
    ///
    /// Two types may have one name. So a hash collides only if a field with that hash is in this value.
    /// `is_here` searches the value for it, and is called only if the field seems to have come. The error
    /// has the name that came last with that hash.
    pub(in crate::biniou) fn learn(
        &mut self,
        cursor: FieldCursor,
        hash: u32,
        name: &'static str,
        is_here: impl FnOnce() -> bool,
    ) -> Result<FieldCursor> {
        let cursor = self.follow(cursor);
        let (own, known) = self.position(cursor.type_number(), hash);
        let (place, next) = (own.end - own.start, cursor.next.saturating_sub(own.start));
        let is_further = place >= next;
        let behind = match (known, self.fields.get_mut(own.end)) {
            (true, Some((_, first))) => {
                let is_met = !is_further && cursor.gaps() & bit(place) == 0;
                if is_met && is_here() {
                    return Err(collision(first, name, hash));
                }
                *first = name;
                own.end + 1
            }
            _ => self.append(cursor.type_number(), own, (hash, name)),
        };
        Ok(match is_further {
            true => {
                let gaps = cursor.gaps() | bits_before(place) & !bits_before(next);
                FieldCursor { next: behind, ..cursor }.with_gaps(gaps)
            }
            // The cursor does not go back, since other fields of the record stand further on.
            false => cursor.with_gaps(cursor.gaps() & !bit(place)),
        })
    }

    /// Notes a field that is left out, so that it is known when it comes.
    #[cold]
    #[inline(never)]
    pub(in crate::biniou) fn skip(
        &mut self,
        cursor: FieldCursor,
        hash: u32,
        name: &'static str,
    ) -> FieldCursor {
        let cursor = self.follow(cursor);
        let (own, known) = self.position(cursor.type_number(), hash);
        match (own.end == cursor.next, known) {
            (_, true) => cursor,
            (true, false) => {
                FieldCursor { next: self.append(cursor.type_number(), own, (hash, name)), ..cursor }
            }
            (false, false) => {
                self.append(cursor.type_number(), own, (hash, name));
                cursor
            }
        }
    }

    /// The cursor in the list of today, if that has moved while the record was open.
    fn follow(&self, cursor: FieldCursor) -> FieldCursor {
        let from = self.left.partition_point(|left| left.start <= cursor.next).checked_sub(1);
        match from.and_then(|from| self.left.get(from)).filter(|left| left.contains(&cursor.next)) {
            Some(left) => FieldCursor {
                next: self.start(cursor.type_number()) + (cursor.next - left.start),
                ..cursor
            },
            None => cursor,
        }
    }

    /// The range of the fields of a type up to the one with that hash, and whether there is one.
    fn position(&self, type_number: u32, hash: u32) -> (Range<usize>, bool) {
        let start = self.start(type_number);
        let own = self.fields.get(start..).unwrap_or_default();
        let found = own.iter().position(|(known, _)| *known == hash || *known == END.0);
        let at = start + found.unwrap_or(0);
        (start..at, matches!(self.fields.get(at), Some((known, _)) if *known == hash))
    }

    /// Adds a field to those of a type. Returns the index behind it.
    fn append(&mut self, type_number: u32, own: Range<usize>, field: (u32, &'static str)) -> usize {
        // Only the last list can grow. Others move to the end.
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

    /// Writes the fields of a record in that order, and counts in `asked` how often it would have to
    /// be looked through.
    fn meet(
        written: &mut TypesWritten,
        cursor: FieldCursor,
        names: &[&'static str],
        asked: &mut usize,
    ) -> FieldCursor {
        names.iter().fold(cursor, |cursor, name| {
            if written.expects(cursor, hash(name), name) {
                return cursor.advanced();
            }
            let is_here = || {
                *asked += 1;
                false
            };
            written.learn(cursor, hash(name), name, is_here).unwrap()
        })
    }

    #[test]
    fn a_list_that_moves_while_records_are_open_costs_no_search() {
        let (mut written, mut asked) = (TypesWritten::default(), 0);
        let mut open = Vec::new();
        for _ in 0..100 {
            let cursor = written.of("Node");
            open.push(meet(&mut written, cursor, &["child"], &mut asked));
        }
        // The deepest record ends first, and each has others between its fields.
        for cursor in open.into_iter().rev() {
            let cursor = meet(&mut written, cursor, &["weight"], &mut asked);
            let other = written.of("Weight");
            meet(&mut written, other, &["unit", "sign"], &mut asked);
            let cursor = meet(&mut written, cursor, &["a", "b"], &mut asked);
            let other = written.of("Last");
            meet(&mut written, other, &["x"], &mut asked);
            meet(&mut written, cursor, &["c", "d"], &mut asked);
        }
        assert_eq!(asked, 0);
    }

    #[test]
    fn fields_in_another_order_cost_no_search() {
        let (mut written, mut asked) = (TypesWritten::default(), 0);
        for names in [&["a", "b", "c", "d"], &["d", "b", "a", "c"], &["c", "d", "a", "b"]] {
            let cursor = written.of("Point");
            meet(&mut written, cursor, names, &mut asked);
        }
        assert_eq!(asked, 0);
        // One that is there twice is looked for, wherever the list is by then.
        let cursor = written.of("Point");
        let cursor = meet(&mut written, cursor, &["d", "b"], &mut asked);
        let other = written.of("Other");
        meet(&mut written, other, &["x"], &mut asked);
        let cursor = meet(&mut written, cursor, &["new"], &mut asked);
        assert_eq!(asked, 0);
        for name in ["b", "d", "new"] {
            assert!(written.learn(cursor, hash(name), name, || true).is_err(), "{name}");
        }
    }

    #[test]
    fn the_names_of_many_types_are_found() {
        let names = (0..200).map(|number: u32| -> &'static str { number.to_string().leak() });
        let names: Vec<&'static str> = names.collect();
        let (mut written, mut asked) = (TypesWritten::default(), 0);
        for name in &names {
            let cursor = written.of(name);
            meet(&mut written, cursor, &[name], &mut asked);
        }
        assert_eq!((written.types.len(), asked), (200, 0));
        for name in &names {
            let cursor = written.of(name);
            assert!(written.expects(cursor, hash(name), name), "{name}");
        }
        assert_eq!(written.types.len(), 200);
    }
}
