//! Access to the fields of a RECORD. Knows keys, does not know how values are read.

use super::input::{Input, Mixed};
use super::types::{Key, Type};
use super::{Bail, Result};
use crate::biniou::de::node::Node;
use crate::biniou::de::reading::{Reading, TagAndMark};
use crate::biniou::names::HashName;
use crate::biniou::wire::{self, FIELD_SIZE};
use crate::glue::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use crate::glue::value::Always;

/// Takes a RECORD: as a sequence if it has as many fields as the type, else by name.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn take<'n, 'de, O, V: Visitor<'de, Bail>>(
    input: &mut Input<'_, 'n, 'de, O>,
    fields: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    let names = input.names_of(fields)?;
    if input.takes_count(fields.len(), FIELD_SIZE) {
        return input.part(Some(input.depth), |input| {
            let mut parts = InOrder { input, keys: names.first_keys(fields.len()) };
            let value = visitor.visit_seq(&mut parts)?;
            match parts.keys {
                [] => Ok(value),
                _ => parts.input.bail(),
            }
        });
    }
    input.mixed(|input| take_by_name(input, names, visitor))
}

/// Takes a RECORD by name. Not inlined, so that the code for records in order is small.
#[inline(never)]
fn take_by_name<'n, 'de, V: Visitor<'de, Bail>>(
    input: &mut Input<'_, 'n, 'de, Mixed>,
    names: &'n Type,
    visitor: V,
) -> Result<V::Value> {
    let left = wire::take_fields(input)?;
    ByName { input, names, left, likely: 0, seen: [0; 2], lacks_value: false }.visit(visitor)
}

/// All fields of a type, in its order.
struct InOrder<'a, 's, 'n, 'de, O> {
    input: &'a mut Input<'s, 'n, 'de, O>,
    /// Of the fields to come.
    keys: &'n [Key],
}

impl<'de, O> SeqAccess<'de> for InOrder<'_, '_, '_, 'de, O> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de, Bail>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        let [key, others @ ..] = self.keys else { return Ok(None) };
        self.keys = others;
        let Some((found, tag)) = self.input.take_key_and_tag() else { return self.input.bail() };
        if found != key {
            return self.input.bail();
        }
        let tag_and_mark = TagAndMark::of_field(tag);
        self.input.value(|input| seed.deserialize(Node { input, tag_and_mark, at: () })).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.keys.len())
    }
}

/// The name of a field: one of the type's, or what stands for its hash.
enum Name {
    Known(&'static str),
    Unknown(HashName),
}

impl Name {
    #[inline]
    fn as_str(&self) -> &str {
        match self {
            Name::Known(name) => name,
            Name::Unknown(hash) => hash.as_str(),
        }
    }
}

/// Some of a type's fields, in any order, and perhaps others.
struct ByName<'a, 's, 'n, 'de> {
    input: &'a mut Input<'s, 'n, 'de, Mixed>,
    names: &'n Type,
    left: usize,
    /// Where in the type's list the next name is likely to be.
    likely: usize,
    /// Which fields have come: a bit for each.
    seen: [u64; 2],
    /// Whether a key was given out and its value is to come.
    lacks_value: bool,
}

impl<'de> ByName<'_, '_, '_, 'de> {
    #[inline]
    fn visit<V: Visitor<'de, Bail>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_map(&mut self)?;
        match (self.left, self.lacks_value) {
            (0, false) => Ok(value),
            _ => self.input.bail(),
        }
    }

    /// Takes the name of the next field. Not inlined, since it knows nothing of the type.
    #[inline(never)]
    fn take_name(&mut self) -> Result<Option<Name>> {
        if self.lacks_value {
            // Iteration ends after an error.
            (self.left, self.lacks_value) = (0, false);
            return self.input.bail();
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.lacks_value = true;
        let hash = wire::take_field(self.input)?;
        let key = wire::field_key(hash);
        let likely = self.likely;
        let is_likely = self.names.keys().get(likely) == Some(&key) && self.mark_seen(likely);
        let found = if is_likely { Some(likely) } else { self.names.search(key) };
        match found {
            Some(index) if is_likely || self.mark_seen(index) => {
                Ok(Some(Name::Known(self.names.name(index))))
            }
            // The field comes twice, or the type has too many fields to tell.
            Some(_) => self.input.bail(),
            // The exact way knows names that the user has told.
            None if self.input.state.has_names => self.input.bail(),
            None => Ok(Some(Name::Unknown(HashName::new(hash)))),
        }
    }

    /// Notes that a field has come. Returns false if that is not the first time, or cannot be told.
    #[inline]
    fn mark_seen(&mut self, index: usize) -> bool {
        let (word, bit) = (index / 64, 1u64 << (index % 64));
        self.likely = index + 1;
        match self.seen.get_mut(word) {
            Some(seen) if *seen & bit == 0 => {
                *seen |= bit;
                true
            }
            _ => false,
        }
    }
}

impl<'de> MapAccess<'de> for ByName<'_, '_, '_, 'de> {
    type Error = Bail;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de, Bail>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        let Some(name) = self.take_name()? else { return Ok(None) };
        let key = seed.deserialize(Always::new(name.as_str()));
        self.input.bail_on_error(key).map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de, Bail>>(&mut self, seed: V) -> Result<V::Value> {
        if !core::mem::take(&mut self.lacks_value) {
            return self.input.bail();
        }
        let tag = self.input.take_byte()?;
        let tag_and_mark = TagAndMark::of_field(tag);
        self.input.value(|input| seed.deserialize(Node { input, tag_and_mark, at: () }))
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}
