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

/// The hashes of the fields that a type writes, learned from its first values.
#[derive(Debug, Default)]
pub(super) struct Written {
    types: Vec<(Place, Vec<(&'static str, u32)>)>,
    /// The type asked for last.
    last: usize,
}

impl Written {
    /// The number by which a type's fields are known here.
    #[inline]
    pub(super) fn of(&mut self, container: &'static str) -> usize {
        let wanted = place(container);
        if self.types.get(self.last).is_some_and(|(place, _)| *place == wanted) {
            return self.last;
        }
        let known = self.types.iter().position(|(place, _)| *place == wanted);
        self.last = known.unwrap_or_else(|| {
            self.types.push((wanted, Vec::new()));
            self.types.len() - 1
        });
        self.last
    }

    /// The hash of the field that comes as number `index` of a value of the type.
    ///
    /// Two types may have one name, so a collision is one only if a field with that hash is in the
    /// value at hand, which `is_here` tells.
    #[inline]
    pub(super) fn hash(
        &mut self,
        of: usize,
        index: usize,
        name: &'static str,
        is_here: impl FnOnce(u32) -> bool,
    ) -> Result<u32> {
        let Some((_, fields)) = self.types.get_mut(of) else { return Ok(hash(name)) };
        match fields.get(index) {
            Some((known, hash)) if place(known) == place(name) => Ok(*hash),
            _ => learn(fields, name, is_here),
        }
    }
}

/// A field that is new, or not where it was before since others were left out.
#[cold]
fn learn(
    fields: &mut Vec<(&'static str, u32)>,
    name: &'static str,
    is_here: impl FnOnce(u32) -> bool,
) -> Result<u32> {
    if let Some((_, hash)) = fields.iter().find(|(known, _)| *known == name) {
        return Ok(*hash);
    }
    let hash = hash(name);
    if let Some((first, _)) = fields.iter().find(|(_, known)| *known == hash) {
        if is_here(hash) {
            return Err(collision(first, name, hash));
        }
    }
    fields.push((name, hash));
    Ok(hash)
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
