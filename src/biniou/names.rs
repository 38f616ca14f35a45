//! Hashes of a type's names: made once per type, kept for as long as one call lasts, and refused
//! where two names have the same. Knows names, does not know bytes.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::wire::hash;
use super::{Error, ErrorKind, Result};

/// Where a `'static` string lies: what tells two types apart, without asking for their names.
type Place = (usize, usize);

fn place(name: &str) -> Place {
    (name.as_ptr().addr(), name.len())
}

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
pub(super) struct Written {
    /// Where each type's fields begin.
    types: Vec<(Place, usize)>,
    fields: Vec<(u32, &'static str)>,
    /// Types by a part of their names' addresses.
    recent: [u16; RECENT],
}

impl Default for Written {
    fn default() -> Self {
        Written { types: Vec::new(), fields: Vec::new(), recent: [0; RECENT] }
    }
}

/// How far a record's fields have been met: those that it has stand before `next`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    type_number: usize,
    next: usize,
}

impl Met {
    /// For values without names.
    pub(super) const NONE: Met = Met { type_number: 0, next: 0 };

    /// With one field more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn advanced(self) -> Self {
        Met { next: self.next + 1, ..self }
    }
}

impl Written {
    /// None of the fields of the type of that name.
    #[inline]
    pub(super) fn of(&mut self, container: &'static str) -> Met {
        let wanted = place(container);
        let slot = (wanted.0 / 8) % RECENT;
        let recent = self.recent.get(slot).map_or(0, |number| usize::from(*number));
        match self.types.get(recent) {
            Some((place, next)) if *place == wanted => Met { type_number: recent, next: *next },
            _ => self.find(wanted, slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn find(&mut self, wanted: Place, slot: usize) -> Met {
        let known = self.types.iter().position(|(place, _)| *place == wanted);
        let number = known.unwrap_or_else(|| {
            // At once for a small document.
            self.fields.reserve(RECENT);
            self.types.push((wanted, self.fields.len()));
            self.fields.push(END);
            self.types.len() - 1
        });
        if let (Some(recent), Ok(number)) = (self.recent.get_mut(slot), u16::try_from(number)) {
            *recent = number;
        }
        Met { type_number: number, next: self.start(number) }
    }

    fn start(&self, number: usize) -> usize {
        self.types.get(number).map_or(0, |(_, start)| *start)
    }

    /// Whether a field of that name comes next in records of the type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn expects(&self, met: Met, name: &'static str) -> bool {
        // Some field may be named as what stands behind them is.
        matches!(
            self.fields.get(met.next),
            Some((hash, known)) if core::ptr::eq(*known, name) && *hash != END.0
        )
    }

    /// Meets a field that is new, or not where it was before since others were left out.
    ///
    /// Two types may have one name, so a collision is one only if a field with that hash is in the
    /// value at hand, which `is_here` tells. The error names that field by the name that was met
    /// last with its hash.
    pub(super) fn learn(
        &mut self,
        met: Met,
        hash: u32,
        name: &'static str,
        is_here: impl FnOnce() -> bool,
    ) -> Result<Met> {
        let Met { type_number, next } = met;
        let (own, known) = self.position(type_number, hash);
        let next = match (known, self.fields.get_mut(own.end)) {
            (true, Some((_, first))) => {
                // The list may have moved meanwhile: then nothing of it is behind the others.
                let is_further = (own.start..=own.end).contains(&next);
                if !is_further && is_here() {
                    return Err(collision(first, name, hash));
                }
                *first = name;
                match is_further {
                    true => own.end + 1,
                    // Not back to where it stands: others of the record are behind that.
                    false if next > own.end => next,
                    false => self.position(type_number, END.0).0.end,
                }
            }
            _ => self.append(type_number, own, (hash, name)),
        };
        Ok(Met { type_number, next })
    }

    /// Meets a field that is left out, so that it has its place when it comes.
    #[cold]
    #[inline(never)]
    pub(super) fn skip(&mut self, met: Met, hash: u32, name: &'static str) -> Met {
        let (own, known) = self.position(met.type_number, hash);
        match (own.end == met.next, known) {
            (_, true) => met,
            (true, false) => Met { next: self.append(met.type_number, own, (hash, name)), ..met },
            (false, false) => {
                self.append(met.type_number, own, (hash, name));
                met
            }
        }
    }

    /// The fields of a type up to the one with that hash, and whether there is one; else all.
    fn position(&self, type_number: usize, hash: u32) -> (core::ops::Range<usize>, bool) {
        let start = self.start(type_number);
        let own = self.fields.get(start..).unwrap_or_default();
        let found = own.iter().position(|(known, _)| *known == hash || *known == END.0);
        let at = start + found.unwrap_or(0);
        (start..at, matches!(self.fields.get(at), Some((known, _)) if *known == hash))
    }

    /// Adds a field to those of a type, and says where the next one goes.
    fn append(
        &mut self,
        number: usize,
        own: core::ops::Range<usize>,
        field: (u32, &'static str),
    ) -> usize {
        // Only behind the last type is there room.
        if own.end + 1 != self.fields.len() {
            let start = self.fields.len();
            self.fields.extend_from_within(own);
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

#[cold]
pub(super) fn collision(first: &str, second: &str, hash: u32) -> Error {
    let (first, second) = (first.to_string(), second.to_string());
    Error::placeless(ErrorKind::Collision { first, second, hash })
}

/// The names that a type reads, by hash.
#[derive(Debug)]
pub(super) struct Names {
    list: &'static [&'static str],
    /// Of each name in the list.
    hashes: Vec<u32>,
    /// Hashes in order, each with its place in the list.
    sorted: Vec<(u32, usize)>,
}

impl Names {
    fn new(list: &'static [&'static str]) -> Result<Self> {
        let hashes: Vec<u32> = list.iter().map(|name| hash(name)).collect();
        let mut sorted: Vec<(u32, usize)> = hashes.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        for pair in sorted.windows(2) {
            if let [(hash, first), (other, second)] = *pair {
                let (first, second) = (list.get(first), list.get(second));
                if let (true, Some(first), Some(second)) = (hash == other, first, second) {
                    if first != second {
                        return Err(collision(first, second, hash));
                    }
                }
            }
        }
        Ok(Names { list, hashes, sorted })
    }

    /// Which name has the hash; `likely` is a guess at its place.
    #[inline]
    pub(super) fn find(&self, hash: u32, likely: usize) -> Option<usize> {
        if self.hashes.get(likely) == Some(&hash) {
            return Some(likely);
        }
        let at = self.sorted.binary_search_by_key(&hash, |(known, _)| *known).ok()?;
        self.sorted.get(at).map(|(_, index)| *index)
    }

    /// The name at a place in the list.
    #[inline]
    pub(super) fn name(&self, index: usize) -> &'static str {
        self.list.get(index).copied().unwrap_or_default()
    }

    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

/// The names of the types read so far.
#[derive(Debug, Default)]
pub(super) struct Read {
    types: Vec<Names>,
    last: usize,
}

impl Read {
    /// The number by which the names in `list` are known here.
    #[inline]
    pub(super) fn of(&mut self, list: &'static [&'static str]) -> Result<usize> {
        let same = |names: &Names| core::ptr::eq(names.list, list);
        if self.types.get(self.last).is_some_and(same) {
            return Ok(self.last);
        }
        self.last = match self.types.iter().position(same) {
            Some(known) => known,
            None => {
                self.types.push(Names::new(list)?);
                self.types.len() - 1
            }
        };
        Ok(self.last)
    }

    /// The names known by a number.
    #[inline]
    pub(super) fn get(&self, of: usize) -> Option<&Names> {
        self.types.get(of)
    }
}
