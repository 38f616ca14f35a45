//! Nested values, as they are passed to visitors: fields of structs, items of tuples and sequences, entries of maps.
//!
//! What is nearly always inlined is so always: where a field is read by a call, the bytes that are left have to be in
//! memory.

use core::cell::Cell;
use core::marker::PhantomData;

use serde_core::de::{Deserialize, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::document::Result;
use super::value::Value;
use crate::failed::Failed;
use crate::glue::names::Names;

/// Reads the fields or items of a struct or tuple, whose count is not in the bytes.
#[inline(always)]
pub(super) fn parts<'de, V: Visitor<'de>, const AHEAD: usize>(
    value: Value<'_, 'de, AHEAD>,
    len: usize,
    names: Names,
    visitor: V,
) -> Result<V::Value> {
    let value = value.level()?;
    let document = value.document;
    let start = value.rest.get();
    let mut parts = Parts { value, next: 0, len, failed: None };
    let value = visitor.visit_seq(&mut parts);
    if let Some(at) = parts.failed {
        // Kept here, not for each element: that much more code would not be inlined.
        document.inside(at, names, parts.next);
        return value;
    }
    match value {
        // serde's list of a struct's fields has the aliases in it too, so the type may take fewer.
        Ok(value) if names.is_list() || parts.next == len => Ok(value),
        // An item of a type that determines its own end, which may do the same.
        Ok(value)
            if matches!(names, Names::Indices)
                && document.knows_end.get() == Some(document.offset_of(start)) =>
        {
            Ok(value)
        }
        Ok(_) => Err(document.items_left(start, len, parts.next)),
        Err(Failed) => Err(document.place(start)),
    }
}

/// The fields or items of a struct or tuple.
struct Parts<'a, 'de, const AHEAD: usize> {
    /// The value, with the depth of its elements.
    value: Value<'a, 'de, AHEAD>,
    next: usize,
    /// As many as the type requests.
    len: usize,
    /// What begins with the element that failed. Where the next one begins is unknown.
    failed: Option<&'de [u8]>,
}

impl<'de, const AHEAD: usize> SeqAccess<'de> for &mut Parts<'_, 'de, AHEAD> {
    type Error = Failed;

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.len || self.failed.is_some() {
            return Ok(None);
        }
        let start = self.value.rest.get();
        match seed.deserialize(self.value) {
            Ok(part) => {
                self.next += 1;
                Ok(Some(part))
            }
            Err(Failed) => {
                self.failed = Some(start);
                Err(Failed)
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.len.saturating_sub(self.next).min(self.value.rest.get().len()))
    }
}

/// The length that a tuple announces if its type determines its own end.
pub(super) const UNBOUNDED: usize = usize::MAX;

/// Reads a tuple whose type determines its own end.
#[cold]
pub(super) fn unbounded<'de, V: Visitor<'de>>(
    value: Value<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    let value = value.level()?;
    let start = value.rest.get();
    let (len, hint) = (UNBOUNDED, start.len());
    let items = Items { value, rest: Cell::new(start), next: 0, len, hint };
    let Value { document, rest, .. } = value;
    let mut items = Unbounded(items);
    let value = visitor.visit_seq(&mut items);
    rest.set(items.0.rest.get());
    value.map_err(|Failed| document.place(start))
}

/// The items of such a tuple, which may determine their own ends.
struct Unbounded<'a, 'de>(Items<'a, 'de>);

impl<'de> SeqAccess<'de> for &mut Unbounded<'_, 'de> {
    type Error = Failed;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Value { document, .. } = self.0.value;
        document.knows_end.set(Some(document.offset_of(self.0.rest.get())));
        (&mut self.0).next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.rest.get().len())
    }
}

/// Reads the items of a sequence.
#[inline]
pub(super) fn sequence<'de, V: Visitor<'de>>(
    value: Value<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    let start = value.rest.get();
    let mut items = Items::counted(value)?;
    let value = visitor.visit_seq(&mut items);
    items.end(start, value)
}

/// Reads the entries of a map.
#[inline]
pub(super) fn map<'de, V: Visitor<'de>>(value: Value<'_, 'de>, visitor: V) -> Result<V::Value> {
    let start = value.rest.get();
    let mut entries = Entries { items: Items::counted(value)?, entry: start };
    let value = visitor.visit_map(&mut entries);
    entries.items.end(start, value)
}

/// How many bytes are checked at once for a small item. That it takes no more is likely, and not needed.
const AHEAD: usize = 256;

/// Whether an item is numbers in all likelihood, whose checks one for all of them can replace.
const fn is_small<T>() -> bool {
    size_of::<T>() <= AHEAD && !core::mem::needs_drop::<T>()
}

/// The items of a sequence, or the entries of a map.
struct Items<'a, 'de> {
    /// The value, with the depth of its items.
    value: Value<'a, 'de>,
    /// The bytes that are left, which the value gets back at the end: here, they need not be in memory.
    rest: Cell<&'de [u8]>,
    next: usize,
    len: usize,
    /// For how many memory may be reserved.
    hint: usize,
}

impl<'a, 'de> Items<'a, 'de> {
    /// Takes the count of items.
    #[inline]
    fn counted(value: Value<'a, 'de>) -> Result<Self> {
        let value = value.level()?;
        let (len, hint) = value.document.count(value.rest.get())?;
        let [_, _, _, _] = value.take()?;
        Ok(Items { value, rest: Cell::new(value.rest.get()), next: 0, len, hint })
    }

    /// The item that comes next.
    #[inline(always)]
    fn item<const AHEAD: usize>(&self) -> Value<'_, 'de, AHEAD> {
        let Value { document, depth, .. } = self.value;
        Value { document, rest: &self.rest, depth }
    }

    /// The value that a visitor has made of the items, unless it left some.
    #[inline]
    fn end<T>(self, start: &[u8], value: Result<T>) -> Result<T> {
        let Items { value: Value { document, rest, .. }, next, len, .. } = self;
        rest.set(self.rest.get());
        match value {
            Ok(value) if next == len => Ok(value),
            Ok(_) => Err(document.items_left(start, len, next)),
            Err(Failed) => Err(document.place(start)),
        }
    }

    /// Counts the item that was read from the start of `start`, if it took no bytes.
    #[inline]
    fn check_empty(&mut self, start: &[u8]) -> Result<()> {
        if self.rest.get().len() != start.len() {
            return Ok(());
        }
        let Value { document, .. } = self.value;
        document.spend_empty_item(start).map_err(|Failed| {
            let index = core::mem::replace(&mut self.next, self.len);
            document.inside(start, Names::Indices, index)
        })
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'_, 'de> {
    type Error = Failed;

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next >= self.len {
            return Ok(None);
        }
        let start = self.rest.get();
        let item = match const { is_small::<T::Value>() } && start.len() >= AHEAD {
            true => seed.deserialize(self.item::<AHEAD>()),
            false => seed.deserialize(self.item::<0>()),
        };
        match item {
            Ok(item) => {
                self.check_empty(start)?;
                self.next += 1;
                Ok(Some(item))
            }
            Err(Failed) => {
                let index = self.next;
                // Where the next one begins is unknown.
                self.next = self.len;
                Err(self.value.document.inside(start, Names::Indices, index))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

/// The entries of a map.
struct Entries<'a, 'de> {
    items: Items<'a, 'de>,
    /// What begins with the entry whose value comes next.
    entry: &'de [u8],
}

impl<'de> Entries<'_, 'de> {
    /// Reads the key or value of an entry.
    #[inline]
    fn half<T: DeserializeSeed<'de>>(&mut self, seed: T, half: &'static str) -> Result<T::Value> {
        let start = self.items.rest.get();
        let read = seed.deserialize(self.items.item::<0>());
        let Items { value: Value { document, .. }, next, len, .. } = &mut self.items;
        read.map_err(|Failed| {
            let index = core::mem::replace(next, *len);
            document.in_entry(start, index, half)
        })
    }
}

impl<'de> MapAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Failed;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.items.next >= self.items.len {
            return Ok(None);
        }
        self.entry = self.items.rest.get();
        self.half(seed, "key").map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let value = self.half(seed, "value")?;
        self.items.check_empty(self.entry)?;
        self.items.next = self.items.len.min(self.items.next.saturating_add(1));
        Ok(value)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.items.hint.saturating_sub(self.items.next))
    }
}
