//! The names that types read. Knows names, does not know bytes.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{Address, FEW, collision};
use crate::biniou::Result;
use crate::biniou::wire::hash;

/// The names that a type reads, by hash.
#[derive(Debug)]
pub(in crate::biniou) struct Names {
    list: &'static [&'static str],
    /// The hash of each name in the list.
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
    pub(in crate::biniou) fn find(&self, hash: u32, likely: usize) -> Option<usize> {
        if self.hashes.get(likely) == Some(&hash) {
            return Some(likely);
        }
        let at = self.sorted.binary_search_by_key(&hash, |(known, _)| *known).ok()?;
        self.sorted.get(at).map(|(_, index)| *index)
    }

    /// The name at a place in the list.
    #[inline]
    pub(in crate::biniou) fn name(&self, index: usize) -> &'static str {
        self.list.get(index).copied().unwrap_or_default()
    }

    /// How many names there are.
    pub(in crate::biniou) fn len(&self) -> usize {
        self.list.len()
    }
}

/// The names of the types read so far.
#[derive(Debug, Default)]
pub(in crate::biniou) struct TypesRead {
    types: Vec<Names>,
    last: usize,
    /// Types by the addresses of their lists, without the first ones.
    by_address: BTreeMap<Address, usize>,
}

impl TypesRead {
    /// The number by which the names in `list` are known here.
    #[inline]
    pub(in crate::biniou) fn of(&mut self, list: &'static [&'static str]) -> Result<usize> {
        let same = |names: &Names| core::ptr::eq(names.list, list);
        if self.types.get(self.last).is_some_and(same) {
            return Ok(self.last);
        }
        let address = (list.as_ptr().addr(), list.len());
        let first = self.types.get(..FEW).unwrap_or(&self.types).iter().position(same);
        self.last = match first.or_else(|| self.by_address.get(&address).copied()) {
            Some(known) => known,
            None => {
                let new = self.types.len();
                self.types.push(Names::new(list)?);
                if new >= FEW {
                    self.by_address.insert(address, new);
                }
                new
            }
        };
        Ok(self.last)
    }

    /// The names known by a number.
    #[inline]
    pub(in crate::biniou) fn get(&self, of: usize) -> Option<&Names> {
        self.types.get(of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_many_types_are_found() {
        let lists: Vec<&'static [&'static str]> =
            (0..200).map(|_| &*Vec::leak(alloc::vec!["a", "b"])).collect();
        let mut read = TypesRead::default();
        for _ in 0..2 {
            for (number, list) in lists.iter().enumerate() {
                assert_eq!(read.of(list).unwrap(), number);
            }
        }
    }
}
