//! Access to entries of maps. Knows counts, does not know how values are read.

use super::input::Input;
use super::{Bail, Result};
use crate::biniou::de::reading::Reading;
use crate::biniou::wire::{self, ENTRY_CELLS};
use crate::glue::de::{DeserializeSeed, MapAccess, Visitor};

/// The entries of a map: an ARRAY of TUPLEs of a key and a value.
pub(super) struct Entries<'a, 's, 'n, 'de, O> {
    input: &'a mut Input<'s, 'n, 'de, O>,
    left: usize,
    hint: usize,
    /// Whether a key was given out and its value is to come.
    lacks_value: bool,
}

impl<'a, 's, 'n, 'de, O> Entries<'a, 's, 'n, 'de, O> {
    /// Takes the length and tag.
    #[inline]
    pub(super) fn take(input: &'a mut Input<'s, 'n, 'de, O>) -> Result<Self> {
        let left = wire::take_entries(input)?;
        let hint = input.claim(left);
        Ok(Entries { input, left, hint, lacks_value: false })
    }

    #[inline]
    pub(super) fn visit<V: Visitor<'de, Bail>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_map(&mut self)?;
        match (self.left, self.lacks_value) {
            (0, false) => Ok(value),
            _ => self.input.bail(),
        }
    }

    /// Reads a cell, a level inside of the entry.
    #[inline]
    fn cell<T: DeserializeSeed<'de, Bail>>(&mut self, seed: T) -> Result<T::Value> {
        self.input.level(|input| input.tagged(None, |node| seed.deserialize(node)))
    }
}

impl<'de, O> MapAccess<'de> for Entries<'_, '_, '_, 'de, O> {
    type Error = Bail;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de, Bail>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        if self.lacks_value {
            // Iteration ends after an error.
            (self.left, self.lacks_value) = (0, false);
            return self.input.bail();
        }
        self.left = left;
        if usize::from(self.input.take_byte()?) != ENTRY_CELLS {
            return self.input.bail();
        }
        self.lacks_value = true;
        self.cell(seed).map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de, Bail>>(&mut self, seed: V) -> Result<V::Value> {
        if !core::mem::take(&mut self.lacks_value) {
            return self.input.bail();
        }
        self.cell(seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.hint))
    }
}
