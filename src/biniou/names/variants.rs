//! The names of variants that were written. Knows names, does not know bytes.

use alloc::vec::Vec;

use super::{Place, collision, place};
use crate::biniou::Result;
use crate::biniou::wire::hash;

/// How many variants are found without a search.
const RECENT: usize = 16;

/// No variant's.
const NOWHERE: Place = (0, 0);

/// The variants that were written, by their enums' names: of each hash the first one's name.
#[derive(Debug, Default)]
pub(in crate::biniou) struct VariantsWritten {
    /// Where the names of some of them lie, that of the enum first. Without memory until there is one.
    recent: Vec<(Place, Place)>,
    /// In the order of their enums and hashes.
    names: Vec<(Place, u32, &'static str)>,
}

impl VariantsWritten {
    /// Whether a variant has been [met](VariantsWritten::meet), as far as that is known at once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::biniou) fn knows(&self, name: &'static str, variant: &'static str) -> bool {
        let (name, variant) = (place(name), place(variant));
        self.recent.get(slot(variant)) == Some(&(name, variant))
    }

    /// Meets a variant, and refuses it if its enum has another one with the same hash.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::biniou) fn meet(
        &mut self,
        name: &'static str,
        variant: &'static str,
    ) -> Result<()> {
        match self.knows(name, variant) {
            true => Ok(()),
            false => self.learn(name, variant),
        }
    }

    #[cold]
    #[inline(never)]
    fn learn(&mut self, name: &'static str, variant: &'static str) -> Result<()> {
        let hash = hash(variant);
        let key = (place(name), hash);
        let at = self.names.binary_search_by_key(&key, |(name, hash, _)| (*name, *hash));
        match at.map(|at| self.names.get(at)) {
            Ok(Some((.., first))) if *first != variant => {
                return Err(collision(first, variant, hash));
            }
            Ok(_) => {}
            Err(at) => self.names.insert(at, (key.0, hash, variant)),
        }
        let (name, variant) = (place(name), place(variant));
        self.recent.resize(RECENT, (NOWHERE, NOWHERE));
        if let Some(recent) = self.recent.get_mut(slot(variant)) {
            *recent = (name, variant);
        }
        Ok(())
    }
}

/// Where a variant is noted whose name lies there: names lie close together.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn slot(variant: Place) -> usize {
    (variant.0 ^ variant.0 >> 5) % RECENT
}
