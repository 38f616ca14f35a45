//! The names of the types at hand, with their hashes: made when a type comes for the first time.
//! Knows names, does not know bytes.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;

use crate::biniou::wire::{field_key, hash};

/// A hash as it stands in front of a field.
pub(super) type Key = [u8; 4];

/// Types with so few names need no memory of their own, which small documents would feel.
const FEW: usize = 24;

/// Among so few names the one with a hash is looked for one by one.
const FEW_TO_SEARCH: usize = 6;

/// The types of a document, in a tree that only grows, so that each stays where it is. Its height
/// is that of a logarithm: at each type, a bit of where the list lies says where to look on.
#[derive(Default)]
pub(super) struct Types {
    first: OnceCell<Type>,
}

/// The names of a type.
pub(super) struct Type {
    list: &'static [&'static str],
    few: [Key; FEW],
    many: Vec<Key>,
    /// Whether no two names have one hash.
    is_clear: bool,
    slots: OnceCell<Slots>,
    next: [OnceCell<Box<Type>>; 2],
}

impl Types {
    /// The type with the names in `list`; `None` if two of them have one hash.
    #[cold]
    pub(super) fn of(&self, list: &'static [&'static str]) -> Option<&Type> {
        let mut known = self.first.get_or_init(|| Type::new(list));
        let mut place = spread(list);
        while !known.is_of(list) {
            let [even, odd] = &known.next;
            let next = if place % 2 == 0 { even } else { odd };
            place /= 2;
            known = next.get_or_init(|| Box::new(Type::new(list)));
        }
        known.is_clear.then_some(known)
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
        let (slots, next) = (OnceCell::new(), [const { OnceCell::new() }; 2]);
        let mut new = Type { list, few, many, is_clear: false, slots, next };
        new.is_clear = new.keys_differ();
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

    /// Of each name in the list.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn keys(&self) -> &[Key] {
        match self.few.get(..self.list.len()) {
            Some(few) => few,
            None => &self.many,
        }
    }

    /// Of the first `len` names, which a compiler that knows their number reaches at once.
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
        let keys = self.keys();
        if keys.get(likely) == Some(&key) {
            return Some(likely);
        }
        match keys.len() <= FEW_TO_SEARCH {
            true => keys.iter().position(|known| *known == key),
            false => self.slots.get_or_init(|| Slots::new(keys)).find(keys, key),
        }
    }

    /// The name at a place in the list.
    #[inline]
    pub(super) fn name(&self, index: usize) -> &'static str {
        self.list.get(index).copied().unwrap_or_default()
    }
}

/// Where a list lies, in bits of which the first ones differ from those of its neighbours.
fn spread(list: &'static [&'static str]) -> u64 {
    /// The golden ratio's, which spreads what is multiplied by it over the bits at the top.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let place = u64::try_from(list.as_ptr().addr() ^ list.len()).unwrap_or(0);
    place.wrapping_mul(SPREAD).reverse_bits()
}

/// A table of places by key: the first one is as the key says, the next ones follow.
struct Slots {
    places: Vec<u32>,
    mask: usize,
}

/// No place.
const FREE: u32 = u32::MAX;

impl Slots {
    #[cold]
    fn new(keys: &[Key]) -> Self {
        // At least half of it stays free, so that a search ends.
        let size = keys.len().saturating_mul(2).next_power_of_two();
        let mut slots = Slots { places: vec![FREE; size], mask: size - 1 };
        for (key, place) in keys.iter().zip(0..) {
            let mut at = slots.first(*key);
            while slots.places.get(at).is_some_and(|place| *place != FREE) {
                at = (at + 1) & slots.mask;
            }
            if let Some(free) = slots.places.get_mut(at) {
                *free = place;
            }
        }
        slots
    }

    #[inline]
    fn first(&self, key: Key) -> usize {
        /// Spreads its bits over the upper half: that of the golden ratio.
        const SPREAD: u32 = 0x9e37_79b1;
        let spread = u32::from_be_bytes(key).wrapping_mul(SPREAD) >> 16;
        usize::try_from(spread).unwrap_or(0) & self.mask
    }

    #[inline]
    fn find(&self, keys: &[Key], key: Key) -> Option<usize> {
        let mut at = self.first(key);
        loop {
            let place = usize::try_from(*self.places.get(at).filter(|place| **place != FREE)?);
            let place = place.ok()?;
            if keys.get(place) == Some(&key) {
                return Some(place);
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
