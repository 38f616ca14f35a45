//! Fixvecs: items of one fixed size, and maps whose entries are such items.
//!
//! What is called for every value is always inlined, for the reasons in [`value`](super::value).

use core::marker::PhantomData;

use serde_core::de::{Deserialize, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::document::{Context, Document, Result};
use super::packed::{CHECKED, ITEM_WINDOW, Packed, PackedIn, may_have_window};
use super::value::{Rule, Value};
use crate::failed::Failed;
use crate::limits::Depth;
use crate::molecule::{ErrorKind, wire};

/// Reads a fixvec.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn fixvec<'de, C: Context<'de>, V: Visitor<'de>>(
    vector: Value<'de, C>,
    visitor: V,
) -> Result<V::Value> {
    let Value { context, bytes, mark, rule, .. } = vector;
    let Value { depth, .. } = vector.level()?;
    let (count, rest) = vector.fixvec_items()?;
    if count == 0 && mark.is_none() && context.is_strict() {
        return Err(context.explain()?.fail(bytes, ErrorKind::UNMARKED_SEQUENCE));
    }
    let within = if mark.is_some() { PackedIn::Marked } else { PackedIn::FixVec };
    let size = item_size(rest, count, rule);
    let mut items = Items { context, rest, depth, within, count, left: count, size };
    let value = visitor.visit_seq(&mut items);
    finish(vector, value, (count, items.left, items.rest))
}

/// The size of each item: 0 if the first one has to show it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn item_size(items: &[u8], count: usize, rule: Rule) -> usize {
    if rule == Rule::AllowTrailing { 0 } else { wire::item_size(items.len(), count) }
}

/// Checks that a visitor has taken all items.
#[cfg_attr(not(debug_assertions), inline(always))]
fn finish<'de, C: Context<'de>, T>(
    vector: Value<'de, C>,
    value: Result<T>,
    (count, left, rest): (usize, usize, &'de [u8]),
) -> Result<T> {
    let Value { context, bytes, mark, rule, .. } = vector;
    match value {
        Ok(value) if left == 0 && (rest.is_empty() || rule == Rule::AllowTrailing) => Ok(value),
        Ok(_) => Err(context.explain()?.after_items(bytes, rest, count, left)),
        Err(Failed) => Err(context.explain()?.in_fixvec(bytes, mark.is_some())),
    }
}

/// The items of a fixvec.
struct Items<'de, C> {
    context: C,
    rest: &'de [u8],
    depth: Depth,
    within: PackedIn,
    count: usize,
    left: usize,
    /// The size of each, known from the first one.
    size: usize,
}

impl<'de, C: Context<'de>> Items<'de, C> {
    /// The error of the item at `start`, after `taken` bytes of it were read. No more items are read then.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn in_item(&mut self, start: &'de [u8], taken: usize) -> Failed {
        let (index, rest) = (self.count - self.left - 1, start.len().saturating_sub(taken));
        self.left = 0;
        match self.context.explain() {
            Ok(document) => document.in_fixvec_item(start, rest, index),
            Err(Failed) => Failed,
        }
    }

    /// The error for an item of another size than the others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unlike(&mut self, start: &'de [u8], taken: usize) -> Failed {
        let (index, size) = (self.count - self.left - 1, self.size);
        self.left = 0;
        match self.context.explain() {
            Ok(document) => document.unlike(start, index, taken, size),
            Err(Failed) => Failed,
        }
    }
}

impl<'de, C: Context<'de>> SeqAccess<'de> for &mut Items<'de, C> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let Items { context, depth, within, size, rest: start, .. } = **self;
        // Of a type with padding, an item is shorter than the window, which then reaches into the next one.
        let of_type = size_of::<T::Value>();
        let has_padding = size > 0 && size < of_type && !is_one_number::<T::Value>();
        let fits = (of_type > 0 && size == of_type) || has_padding;
        if fits && may_have_window::<T::Value>(depth) {
            if let Some(window) = window(context, start, of_type) {
                let mut rest = window;
                let packed = Packed::<C, ITEM_WINDOW> { rest: &mut rest, context, depth, within };
                let item = seed.deserialize(packed);
                let taken = window.len() - rest.len();
                return match (item, start.get(taken..)) {
                    (Ok(item), Some(after)) if taken == size => {
                        self.rest = after;
                        Ok(Some(item))
                    }
                    (Err(Failed), _) if taken <= size => Err(self.in_item(start, taken)),
                    _ => Err(self.unlike(start, taken)),
                };
            }
        }
        let mut rest = start;
        let item = checked(context, &mut rest, depth, within, seed);
        let taken = start.len() - rest.len();
        match item {
            // The first one shows the size of all.
            Ok(item) if taken > 0 && (taken == size || left + 1 == self.count) => {
                (self.rest, self.size) = (rest, taken);
                Ok(Some(item))
            }
            Ok(_) => Err(self.unlike(start, taken)),
            Err(Failed) => Err(self.in_item(start, taken)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        // No item takes zero bytes, so the input bounds what is reserved.
        Some(self.left.min(self.rest.len()))
    }
}

/// Whether a type may be a single number, which has no padding. A number of 8 bytes is aligned to 4 on 32-bit x86.
const fn is_one_number<T>() -> bool {
    let is_aligned_less = cfg!(target_arch = "x86") && size_of::<T>() == size_of::<u64>();
    size_of::<T>() <= align_of::<T>() || is_aligned_less
}

/// The first `size` bytes from the start of `items` on, also after its end.
#[cfg_attr(not(debug_assertions), inline(always))]
fn window<'de, C: Context<'de>>(context: C, items: &'de [u8], size: usize) -> Option<&'de [u8]> {
    match items.get(..size) {
        None => context.document()?.ahead(items).get(..size),
        window => window,
    }
}

/// Reads an item at the start of `rest`, and leaves what follows it.
#[inline(never)]
fn checked<'de, C: Context<'de>, T: DeserializeSeed<'de>>(
    context: C,
    rest: &mut &'de [u8],
    depth: Depth,
    within: PackedIn,
    seed: T,
) -> Result<T::Value> {
    seed.deserialize(Packed::<C, CHECKED> { rest, context, depth, within })
}

/// Reads a map that is a fixvec of structs of key and value.
#[cold]
pub(super) fn fixvec_map<'de, V: Visitor<'de>>(
    map: Value<'de, &Document<'_, 'de>>,
    visitor: V,
) -> Result<V::Value> {
    let Value { context, rule, .. } = map;
    let Value { depth, .. } = map.level()?;
    let (count, rest) = map.fixvec_items()?;
    let size = item_size(rest, count, rule);
    let mut entries = Entries { context, rest, depth, count, left: count, entry: rest, size };
    let value = visitor.visit_map(&mut entries);
    finish(map, value, (count, entries.left, entries.rest))
}

/// The entries of such a map.
struct Entries<'a, 'de> {
    context: &'a Document<'a, 'de>,
    rest: &'de [u8],
    depth: Depth,
    count: usize,
    left: usize,
    /// Where the entry begins whose key was read last.
    entry: &'de [u8],
    /// The size of each, known from the first one.
    size: usize,
}

impl<'de> Entries<'_, 'de> {
    fn part<T: DeserializeSeed<'de>>(&mut self, seed: T, half: &'static str) -> Result<T::Value> {
        let Entries { context, depth, rest: start, .. } = *self;
        checked(context, &mut self.rest, depth, PackedIn::Marked, seed).map_err(|Failed| {
            let index = self.count - self.left;
            self.left = 0;
            context.in_fixvec_entry(start, self.rest.len(), index, half)
        })
    }
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = Failed;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.entry = self.rest;
        self.part(seed, "key").map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let value = self.part(seed, "value")?;
        let (taken, index) = (self.entry.len() - self.rest.len(), self.count - self.left);
        self.left = self.left.saturating_sub(1);
        match taken == self.size || index == 0 {
            true => {
                self.size = taken;
                Ok(value)
            }
            false => Err(self.context.unlike(self.entry, index, taken, self.size)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.rest.len()))
    }
}
