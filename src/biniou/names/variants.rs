//! The names of variants that were written.
//!
//! Functions called for every scalar, text or item are always inlined: a call for each takes longer than its work.

use alloc::vec::Vec;

use super::{Address, address, collision};
use crate::biniou::Result;
use crate::biniou::wire::hash;

/// How many variants are found without a search, in a small message ..
const RECENT: usize = 16;

/// .. and in one that has written more than [`RECENT`].
const MANY_RECENT: usize = 256;

/// The address of no variant.
const NOWHERE: Address = (0, 0);

/// The variants that were written, by the names of their enums. For each hash, the first name.
#[derive(Debug, Default)]
pub(in crate::biniou) struct VariantsWritten {
    /// The addresses of the names of enums and their variants, for a few recent ones. No memory is taken
    /// before the first.
    recent: Vec<(Address, Address)>,
    /// In the order of their enums and hashes.
    names: Vec<(Address, u32, &'static str)>,
}

impl VariantsWritten {
    /// Whether a variant has been [checked](VariantsWritten::check) recently.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::biniou) fn has(&self, name: &'static str, variant: &'static str) -> bool {
        let (name, variant) = (address(name), address(variant));
        self.recent.get(self.slot(variant)) == Some(&(name, variant))
    }

    /// Refuses a variant if its enum has another one with the same hash.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::biniou) fn check(
        &mut self,
        name: &'static str,
        variant: &'static str,
    ) -> Result<()> {
        match self.has(name, variant) {
            true => Ok(()),
            false => self.learn(name, variant),
        }
    }

    #[cold]
    #[inline(never)]
    fn learn(&mut self, name: &'static str, variant: &'static str) -> Result<()> {
        let hash = hash(variant);
        let key = (address(name), hash);
        let at = self.names.binary_search_by_key(&key, |(name, hash, _)| (*name, *hash));
        match at.map(|at| self.names.get(at)) {
            Ok(Some((.., first))) if *first != variant => {
                return Err(collision(first, variant, hash));
            }
            Ok(_) => {}
            Err(at) => self.names.insert(at, (key.0, hash, variant)),
        }
        let (name, variant) = (address(name), address(variant));
        let recent = if self.names.len() > RECENT { MANY_RECENT } else { RECENT };
        if self.recent.len() != recent {
            self.recent.clear();
            self.recent.resize(recent, (NOWHERE, NOWHERE));
        }
        let slot = self.slot(variant);
        if let Some(recent) = self.recent.get_mut(slot) {
            *recent = (name, variant);
        }
        Ok(())
    }

    /// The index in `recent` for an address. Addresses of names are close to each other, so low and high bits are
    /// mixed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn slot(&self, variant: Address) -> usize {
        // The length is a power of two, or zero.
        (variant.0 ^ variant.0 >> 5) & self.recent.len().wrapping_sub(1)
    }
}
