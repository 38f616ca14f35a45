//! What a header separates: fields of tables, items of dynvecs, entries of maps. Each has a slot of its own.
//!
//! `inline(always)` is on what each field passes through, as in [`value`](super::value).

use core::marker::PhantomData;

use serde_core::de::{Deserialize, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::document::{Context, Result};
use super::errors::Last;
use super::layout::FieldCount;
use super::value::{Rule, Value};
use crate::failed::Failed;
use crate::glue::names::Names;
use crate::molecule::wire::{ENTRY_FIELDS, Parts, WrongEnd, header_size};

/// The fields of a table.
pub(super) struct Fields<'de, C> {
    /// The table, with the depth of its fields.
    table: Value<'de, C>,
    parts: Parts<'de>,
    /// Length of the header of a table with all fields of the type. 0 after the error that there are fewer.
    full_header: usize,
    /// The rule for each field.
    rule: Rule,
    last: Last,
}

impl<'de, C: Context<'de>> Fields<'de, C> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(
        table: Value<'de, C>,
        parts: Parts<'de>,
        count: FieldCount,
        rule: Rule,
    ) -> Self {
        Fields { table, parts, full_header: header_size(count.most()), rule, last: Last::Read }
    }

    /// Lets `visitor` take the fields, all of them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read<V: Visitor<'de>>(mut self, names: Names, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self);
        let Fields { table: Value { context, .. }, parts, last, .. } = self;
        match value {
            // A visitor without a default for the item has taken its absence for the end.
            Ok(_) if matches!(names, Names::Indices) && last == Last::Absent => {
                Err(context.explain()?.in_parts(parts, last, names))
            }
            Ok(value) if parts.all_taken() => Ok(value),
            Ok(value) => {
                let (bytes, taken) = (parts.bytes(), parts.index());
                context.explain()?.left_fields(bytes, taken)?;
                Ok(value)
            }
            Err(Failed) => Err(context.explain()?.in_parts(parts, last, names)),
        }
    }

    /// What became of a field that could not be read. If its slot is empty it is absent: only an option has a value then,
    /// so the visitor takes a default, or fails.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fail(&mut self, slot: &'de [u8], errors: usize) -> Result<()> {
        match slot {
            [] => {
                self.table.context.forgive(slot, errors);
                self.last = Last::Absent;
                Ok(())
            }
            _ => {
                self.last = Last::Failed;
                Err(Failed)
            }
        }
    }
}

impl<'de, C: Context<'de>> SeqAccess<'de> for &mut Fields<'de, C> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let context = self.table.context;
        self.last = Last::Read;
        let slot = match self.parts.take() {
            Ok(Some(slot)) => slot,
            Ok(None) if self.parts.header_len() >= self.full_header => return Ok(None),
            // There are fewer fields than the type has.
            Ok(None) | Err(WrongEnd) => {
                self.full_header = 0;
                return Err(context.explain()?.no_part(self.parts.bytes()));
            }
        };
        let errors = context.errors();
        match seed.deserialize(self.table.part(slot, self.rule)) {
            Ok(value) => Ok(Some(value)),
            Err(Failed) => {
                self.fail(slot, errors)?;
                Ok(None)
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.parts.left())
    }
}

/// The items of a dynvec.
pub(super) struct Items<'de, C> {
    /// The dynvec, with the depth of its items.
    vector: Value<'de, C>,
    parts: Parts<'de>,
    last: Last,
}

impl<'de, C: Context<'de>> Items<'de, C> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(vector: Value<'de, C>, parts: Parts<'de>) -> Self {
        Items { vector, parts, last: Last::Read }
    }

    /// Lets `visitor` take the items, all of them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_seq(&mut self);
        self.finish(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish<T>(self, value: Result<T>) -> Result<T> {
        let Items { vector: Value { context, .. }, parts, last } = self;
        match value {
            Ok(value) if parts.all_taken() => Ok(value),
            Ok(_) => {
                let (bytes, count, taken) = (parts.bytes(), parts.count(), parts.index());
                Err(context.explain()?.left_items(bytes, count, taken))
            }
            Err(Failed) => Err(context.explain()?.in_parts(parts, last, Names::Indices)),
        }
    }

    /// The bytes of the next item.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self) -> Result<Option<&'de [u8]>> {
        self.last = Last::Read;
        match self.parts.take() {
            Ok(slot) => Ok(slot),
            Err(WrongEnd) => Err(self.vector.context.explain()?.no_part(self.parts.bytes())),
        }
    }
}

impl<'de, C: Context<'de>> SeqAccess<'de> for &mut Items<'de, C> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(slot) = self.take()? else { return Ok(None) };
        match seed.deserialize(self.vector.part(slot, Rule::Dynamic)) {
            Ok(item) => Ok(Some(item)),
            Err(Failed) => {
                self.last = Last::Failed;
                Err(Failed)
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.parts.left())
    }
}

/// The entries of a map that is a dynvec: tables of key and value.
pub(super) struct Entries<'de, C> {
    items: Items<'de, C>,
    /// The value that belongs to the last key.
    value: &'de [u8],
}

impl<'de, C: Context<'de>> Entries<'de, C> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(items: Items<'de, C>) -> Self {
        Entries { value: items.parts.bytes().get(..0).unwrap_or_default(), items }
    }

    /// Lets `visitor` take the entries, all of them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let value = visitor.visit_map(&mut self);
        self.items.finish(value)
    }

    /// Key and value of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(&self, bytes: &'de [u8]) -> Result<(&'de [u8], &'de [u8])> {
        let Items { vector, parts, .. } = &self.items;
        if let Ok(mut fields) =
            vector.part(bytes, Rule::None).fields(FieldCount::Exactly(ENTRY_FIELDS))
        {
            if let (Ok(Some(key)), Ok(Some(value))) = (fields.take(), fields.take()) {
                return Ok((key, value));
            }
        }
        Err(vector.context.explain()?.no_entry(bytes, parts.last()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<T: DeserializeSeed<'de>>(
        &self,
        slot: &'de [u8],
        seed: T,
        half: &'static str,
    ) -> Result<T::Value> {
        let Items { vector, parts, .. } = &self.items;
        match seed.deserialize(vector.part(slot, Rule::None)) {
            Ok(value) => Ok(value),
            Err(Failed) => Err(vector.context.explain()?.in_entry(slot, parts.last(), half)),
        }
    }
}

impl<'de, C: Context<'de>> MapAccess<'de> for &mut Entries<'de, C> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some(bytes) = self.items.take()? else { return Ok(None) };
        // Also if this is no entry, so that its value has a place.
        self.value = bytes.get(..0).unwrap_or(bytes);
        let (key, value) = self.entry(bytes)?;
        self.value = value;
        self.part(key, seed, "key").map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        self.part(self.value, seed, "value")
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.items.parts.left())
    }
}
