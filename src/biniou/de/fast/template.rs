//! What the items of an ARRAY have in common if all have the size and form of the first: tags, counts
//! and keys. Knows bytes and names, does not know serde.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::Cell;

use super::types::{Key, Types};
use crate::biniou::wire::Tag;

/// How large an item may be.
pub(super) const SIZE: usize = 256;

/// The bytes of an item and some more, so that taking a number near its end needs no check.
pub(super) type ItemBytes = [u8; SIZE + size_of::<u64>()];

/// How deep an item may be nested.
pub(super) const MAX_DEPTH: u16 = 8;

/// Bytes that are compared at once.
const BLOCK: usize = 16;

/// The least distance of two records: a count, and the tag of the next one.
const MIN_SPACING: usize = 2;

const RECORD: u8 = Tag::Record.byte();
const TUPLE: u8 = Tag::Tuple.byte();

/// In front of a record's keys.
const RECORD_START: Key = [0; size_of::<Key>()];

pub(super) struct Template {
    /// The first item's bytes, and a mask of the bits that all items have in common.
    bytes: ItemBytes,
    common: [u8; SIZE],
    size: usize,
    /// The first item's tag, which is in front of all items.
    tag: u8,
    /// The keys with the offsets of their records. Those of a record stand behind a [`RECORD_START`].
    keys: Vec<(usize, Key)>,
    /// For each record, by its offset: the address of the list of its field names, once checked.
    lists: [Cell<*const &'static str>; SIZE / MIN_SPACING],
}

impl Template {
    /// The template of the item that begins at `bytes`, behind its tag. `None` if the size of items may
    /// differ.
    #[cold]
    #[inline(never)]
    pub(super) fn of(tag: u8, bytes: &ItemBytes) -> Option<Box<Self>> {
        if !matches!(tag, RECORD | TUPLE) {
            return None;
        }
        let mut template = Box::new(Template {
            bytes: *bytes,
            common: [0; SIZE],
            size: 0,
            tag,
            keys: Vec::new(),
            lists: [const { Cell::new(core::ptr::null()) }; SIZE / MIN_SPACING],
        });
        template.walk(tag, MAX_DEPTH)?;
        Some(template)
    }

    /// Steps over a value; `depth` is how deep it may be nested.
    fn walk(&mut self, tag: u8, depth: u16) -> Option<()> {
        match tag {
            RECORD | TUPLE => {}
            _ => return self.advance(Tag::from_byte(tag)?.fixed_size()?),
        }
        let depth = depth.checked_sub(1)?;
        let place = self.size;
        // A value with a larger count would be too large.
        let [count] = self.take_common()?;
        if tag == RECORD {
            self.keys.push((place, RECORD_START));
        }
        for _ in 0..count {
            if tag == RECORD {
                let key = self.take_common()?;
                self.keys.push((place, key));
            }
            let [tag] = self.take_common()?;
            self.walk(tag, depth)?;
        }
        Some(())
    }

    /// Steps over bytes that differ from item to item.
    fn advance(&mut self, len: usize) -> Option<()> {
        self.size += len;
        (self.size <= SIZE).then_some(())
    }

    /// Takes bytes that all items have in common.
    fn take_common<const N: usize>(&mut self) -> Option<[u8; N]> {
        let start = self.size;
        self.advance(N)?;
        self.common.get_mut(start..self.size)?.fill(u8::MAX);
        self.bytes.get(start..).and_then(<[u8]>::first_chunk).copied()
    }

    /// How many bytes an item takes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The tag of the items.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tag(&self) -> u8 {
        self.tag
    }

    /// Whether an item behind such a tag has the same tags, counts and keys as the first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fits(&self, item: &ItemBytes) -> bool {
        let ours = self.bytes.chunks_exact(BLOCK).zip(self.common.chunks_exact(BLOCK));
        let mut differences = [0; BLOCK];
        for (item, (bytes, common)) in
            item.chunks_exact(BLOCK).zip(ours).take(self.size.div_ceil(BLOCK))
        {
            for (difference, (item, (bytes, common))) in
                differences.iter_mut().zip(item.iter().zip(bytes.iter().zip(common)))
            {
                *difference |= (item ^ bytes) & common;
            }
        }
        differences == [0; BLOCK]
    }

    /// Whether a record begins at an offset whose fields are those in `list`, in that order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn has_record(
        &self,
        at: usize,
        list: &'static [&'static str],
        types: &Types,
    ) -> bool {
        let known = self.lists.get(at / MIN_SPACING % (SIZE / MIN_SPACING)).map(Cell::get);
        known == Some(list.as_ptr()) && self.has_count(at, list.len())
            || self.learn_record(at, list, types)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn has_count(&self, at: usize, count: usize) -> bool {
        self.bytes.get(at).is_some_and(|byte| usize::from(*byte) == count)
    }

    #[cold]
    #[inline(never)]
    fn learn_record(&self, at: usize, list: &'static [&'static str], types: &Types) -> bool {
        let (Some(names), Some(known)) = (types.of(list), self.lists.get(at / MIN_SPACING)) else {
            return false;
        };
        let own = self.keys.iter().filter(|(place, _)| *place == at).map(|(_, key)| key);
        let is_own = own.eq([RECORD_START].iter().chain(names.keys()));
        if is_own {
            known.set(list.as_ptr());
        }
        is_own
    }
}
