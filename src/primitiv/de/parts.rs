//! Nested values, as they are passed to visitors: fields of structs, items of tuples and sequences, entries of maps.

use serde_core::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::document::Result;
use super::value::Value;
use crate::failed::Failed;
use crate::glue::names::Names;
use crate::primitiv::wire::Headed;

/// The length that a tuple announces if its type determines its own end.
const UNBOUNDED: usize = usize::MAX;

/// What is nested in a value.
struct Parts<'a, 'de> {
    /// The value, with the depth of its elements. A mark on it is one on the first of them.
    value: Value<'a, 'de>,
    next: usize,
    /// How many there are: of a struct or tuple, as many as the type requests.
    len: usize,
    /// For how many memory may be reserved.
    hint: usize,
    names: Names,
}

/// Reads the fields or items of a struct or tuple, whose count is not in the bytes. `value` has their depth.
#[inline]
pub(super) fn parts<'de, V: Visitor<'de>>(
    value: Value<'_, 'de>,
    len: usize,
    names: Names,
    visitor: V,
) -> Result<V::Value> {
    let document = value.document;
    let start = document.rest.get();
    let mut parts = Parts { value, next: 0, len, hint: len.min(start.len()), names };
    match visitor.visit_seq(&mut parts) {
        // serde's list of a struct's fields has the aliases in it too, so the type may take fewer.
        Ok(value) if names.is_list() || parts.next == len => Ok(value),
        // A type that determines its own end requests more items than there can be; then its items may determine
        // their own ends, too.
        Ok(value)
            if matches!(names, Names::Indices)
                && (len == UNBOUNDED
                    || document.knows_end.get() == Some(document.offset_of(start))) =>
        {
            Ok(value)
        }
        Ok(_) => Err(document.items_left(start, len, parts.next)),
        Err(Failed) => Err(document.place(start)),
    }
}

/// Reads the items of a sequence.
#[inline]
pub(super) fn sequence<'de, V: Visitor<'de>>(
    value: Value<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    let start = value.document.rest.get();
    let mut items = Parts::counted(value, Headed::Array, 1)?;
    let value = visitor.visit_seq(&mut items);
    items.end(start, value)
}

/// Reads the entries of a map.
#[inline]
pub(super) fn map<'de, V: Visitor<'de>>(value: Value<'_, 'de>, visitor: V) -> Result<V::Value> {
    let start = value.document.rest.get();
    let mut entries = Parts::counted(value, Headed::Map, 2)?;
    let value = visitor.visit_map(&mut entries);
    entries.end(start, value)
}

impl<'a, 'de> Parts<'a, 'de> {
    /// Takes the header of a value whose elements take at least `size` bytes each.
    #[inline]
    fn counted(value: Value<'a, 'de>, headed: Headed, size: u32) -> Result<Self> {
        let value = value.level()?;
        let (len, hint) = value.document.count(headed, size)?;
        Ok(Parts { value, next: 0, len, hint, names: Names::Indices })
    }

    /// The value that a visitor has made of counted elements, unless it left some.
    #[inline]
    fn end<T>(self, start: &[u8], value: Result<T>) -> Result<T> {
        let Parts { value: Value { document, .. }, next, len, .. } = self;
        match value {
            Ok(value) if next == len => Ok(value),
            Ok(_) => Err(document.items_left(start, len, next)),
            Err(Failed) => Err(document.place(start)),
        }
    }

    /// Reads the key or value of an entry.
    #[inline]
    fn half<T: DeserializeSeed<'de>>(&mut self, seed: T, half: &'static str) -> Result<T::Value> {
        let document = self.value.document;
        let start = document.rest.get();
        seed.deserialize(self.value).map_err(|Failed| {
            let index = self.next;
            self.next = self.len;
            document.in_entry(start, index, half)
        })
    }
}

impl<'de> SeqAccess<'de> for &mut Parts<'_, 'de> {
    type Error = Failed;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.len {
            return Ok(None);
        }
        let (value, document) = (self.value, self.value.document);
        let start = document.rest.get();
        self.value.mark = None;
        if self.len == UNBOUNDED {
            document.knows_end.set(Some(document.offset()));
        }
        match seed.deserialize(value) {
            Ok(part) => {
                self.next += 1;
                Ok(Some(part))
            }
            Err(Failed) => {
                let segment = self.names.segment(self.next);
                // Where the next one begins is unknown.
                self.next = self.len;
                Err(document.inside(start, segment))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

impl<'de> MapAccess<'de> for &mut Parts<'_, 'de> {
    type Error = Failed;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.next >= self.len {
            return Ok(None);
        }
        self.half(seed, "key").map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let value = self.half(seed, "value")?;
        self.next = self.len.min(self.next.saturating_add(1));
        Ok(value)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}
