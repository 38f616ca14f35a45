//! The field and variant names of types, with their hashes, which are computed once per type. Knows
//! names, does not know bytes.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;

use crate::biniou::wire::{field_key, hash};

/// A hash as it stands in front of a field.
pub(super) type Key = [u8; 4];

/// Types with so few names need no memory of their own, so that small documents stay fast.
const FEW: usize = 24;

/// Among so few names a key is searched one by one.
const FEW_TO_SEARCH: usize = 6;

/// The types of a document, in a binary tree that only grows, so that no type moves. At each node, one
/// bit of the hashed address of the list decides for a branch, so the height is logarithmic.
#[derive(Default)]
pub(in crate::biniou) struct Types {
    first: OnceCell<Type>,
}

/// The names of a type.
pub(super) struct Type {
    list: &'static [&'static str],
    few: [Key; FEW],
    many: Vec<Key>,
    /// Whether no two names have one hash.
    is_unambiguous: bool,
    table: OnceCell<KeyTable>,
    next: [OnceCell<Box<Type>>; 2],
}

impl Types {
    /// The type with the names in `list`; `None` if two of them have one hash.
    #[cold]
    pub(super) fn of(&self, list: &'static [&'static str]) -> Option<&Type> {
        let mut known = self.first.get_or_init(|| Type::new(list));
        let mut address = spread(list);
        while !known.is_of(list) {
            let [even, odd] = &known.next;
            let next = if address % 2 == 0 { even } else { odd };
            address /= 2;
            known = next.get_or_init(|| Box::new(Type::new(list)));
        }
        known.is_unambiguous.then_some(known)
    }
}

impl Type {
    fn new(list: &'static [&'static str]) -> Self {
        let keys = list.iter().map(|name| field_key(hash(name)));
        let mut few = [Key::default(); FEW];
        let mut many = Vec::new();
        match list.len() <= FEW {
            true => few.iter_mut().zip(keys).for_each(|(few, key)| *few = key),
            false => many.extend(keys),
        }
        let (table, next) = (OnceCell::new(), [const { OnceCell::new() }; 2]);
        let mut new = Type { list, few, many, is_unambiguous: false, table, next };
        new.is_unambiguous = new.keys_differ();
        new
    }

    fn keys_differ(&self) -> bool {
        let mut keys = self.keys();
        if keys.len() > FEW {
            let mut sorted = self.many.clone();
            sorted.sort_unstable();
            return sorted.windows(2).all(|pair| !matches!(pair, [a, b] if a == b));
        }
        while let [key, others @ ..] = keys {
            if others.contains(key) {
                return false;
            }
            keys = others;
        }
        true
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_of(&self, list: &'static [&'static str]) -> bool {
        core::ptr::eq(self.list, list)
    }

    /// The key of each name in the list.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn keys(&self) -> &[Key] {
        match self.few.get(..self.list.len()) {
            Some(few) => few,
            None => &self.many,
        }
    }

    /// The keys of the first `len` names. Compilers that know `len` need no search here.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn first_keys(&self, len: usize) -> &[Key] {
        let keys = match len <= FEW {
            true => self.few.get(..len),
            false => self.many.get(..len),
        };
        keys.unwrap_or_default()
    }

    /// Which name has the key; `likely` is a guess at its place.
    #[inline]
    pub(super) fn find(&self, key: Key, likely: usize) -> Option<usize> {
        match self.keys().get(likely) == Some(&key) {
            true => Some(likely),
            false => self.search(key),
        }
    }

    /// The same without a guess. Not inlined, since each type has a call of it.
    #[inline(never)]
    pub(super) fn search(&self, key: Key) -> Option<usize> {
        let keys = self.keys();
        match keys.len() <= FEW_TO_SEARCH {
            true => keys.iter().position(|known| *known == key),
            false => self.table.get_or_init(|| KeyTable::new(keys)).find(keys, key),
        }
    }

    /// The name at a place in the list.
    #[inline]
    pub(super) fn name(&self, index: usize) -> &'static str {
        self.list.get(index).copied().unwrap_or_default()
    }
}

/// A hash of the address of a list. Neighbours differ in the lowest bits.
fn spread(list: &'static [&'static str]) -> u64 {
    /// A multiplicative hash: 2^64 by the golden ratio.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let address = u64::try_from(list.as_ptr().addr() ^ list.len()).unwrap_or(0);
    address.wrapping_mul(SPREAD).reverse_bits()
}

/// A hash table of indices by key, with linear probing.
struct KeyTable {
    slots: Vec<u32>,
    mask: usize,
}

/// An empty slot.
const EMPTY: u32 = u32::MAX;

impl KeyTable {
    #[cold]
    fn new(keys: &[Key]) -> Self {
        // At least half of it stays empty, so that a search ends.
        let size = keys.len().saturating_mul(2).next_power_of_two();
        let mut table = KeyTable { slots: vec![EMPTY; size], mask: size - 1 };
        for (key, index) in keys.iter().zip(0..) {
            let mut at = table.first(*key);
            while table.slots.get(at).is_some_and(|slot| *slot != EMPTY) {
                at = (at + 1) & table.mask;
            }
            if let Some(free) = table.slots.get_mut(at) {
                *free = index;
            }
        }
        table
    }

    #[inline]
    fn first(&self, key: Key) -> usize {
        /// A multiplicative hash: 2^32 by the golden ratio.
        const SPREAD: u32 = 0x9e37_79b1;
        let spread = u32::from_be_bytes(key).wrapping_mul(SPREAD) >> 16;
        usize::try_from(spread).unwrap_or(0) & self.mask
    }

    #[inline]
    fn find(&self, keys: &[Key], key: Key) -> Option<usize> {
        let mut at = self.first(key);
        loop {
            let index = usize::try_from(*self.slots.get(at).filter(|slot| **slot != EMPTY)?);
            let index = index.ok()?;
            if keys.get(index) == Some(&key) {
                return Some(index);
            }
            at = (at + 1) & self.mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_in_few_steps() {
        fn height(of: Option<&Type>) -> usize {
            let next = |known: &Type| {
                known.next.iter().map(|next| height(next.get().map(|next| &**next))).max()
            };
            of.map_or(0, |known| 1 + next(known).unwrap_or(0))
        }

        const COUNT: usize = 4096;
        let lists: Vec<&'static [&'static str]> =
            (0..COUNT).map(|_| &*Vec::leak(vec!["a", "b"])).collect();
        let types = Types::default();
        for list in lists.iter().chain(&lists) {
            assert!(types.of(list).is_some_and(|found| found.is_of(list)));
        }
        let height = height(types.first.get());
        assert!(height <= 48, "{height} steps among {COUNT} types");
    }
}
