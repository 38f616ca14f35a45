//! What the items of an ARRAY have in common if each has the size and form of the first: the tags,
//! counts and keys of its bytes. Knows bytes and names, does not know serde.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::Cell;

use super::types::{Key, Types};
use crate::biniou::wire::Tag;

/// How large an item may be.
pub(super) const SIZE: usize = 256;

/// The bytes from an item on, and some more, so that a number behind its end can be taken.
pub(super) type Ahead = [u8; SIZE + size_of::<u64>()];

/// How deep it may be nested.
pub(super) const HEIGHT: u16 = 8;

/// Bytes that are compared at once.
const BLOCK: usize = 16;

/// No two records begin closer to each other than this: a count, then the next one's tag.
const APART: usize = 2;

const BOOL: u8 = Tag::Bool.byte();
const UNIT: u8 = Tag::Unit.byte();
const INT8: u8 = Tag::Int8.byte();
const INT16: u8 = Tag::Int16.byte();
const INT32: u8 = Tag::Int32.byte();
const INT64: u8 = Tag::Int64.byte();
const FLOAT32: u8 = Tag::Float32.byte();
const FLOAT64: u8 = Tag::Float64.byte();
const RECORD: u8 = Tag::Record.byte();
const TUPLE: u8 = Tag::Tuple.byte();

/// In front of a record's keys.
const BEGIN: Key = [0; size_of::<Key>()];

pub(super) struct Template {
    /// The first item's bytes, and which bits of them every other item has, too.
    bytes: Ahead,
    common: [u8; SIZE],
    size: usize,
    /// The first item's tag, which is in front of all items.
    tag: u8,
    /// Each key, behind the place of its record, and in front of them [`BEGIN`].
    keys: Vec<(usize, Key)>,
    /// Where the names of the record at a place lie, once they are known to be its own.
    lists: [Cell<*const &'static str>; SIZE / APART],
}

impl Template {
    /// What the item that begins at `bytes`, behind its tag, says of others; `None` if their sizes
    /// may differ.
    #[cold]
    #[inline(never)]
    pub(super) fn of(tag: u8, bytes: &Ahead) -> Option<Box<Self>> {
        if !matches!(tag, RECORD | TUPLE) {
            return None;
        }
        let mut template = Box::new(Template {
            bytes: *bytes,
            common: [0; SIZE],
            size: 0,
            tag,
            keys: Vec::new(),
            lists: [const { Cell::new(core::ptr::null()) }; SIZE / APART],
        });
        template.walk(tag, HEIGHT)?;
        Some(template)
    }

    /// Steps over a value; `height` is how deep it may be nested.
    fn walk(&mut self, tag: u8, height: u16) -> Option<()> {
        match tag {
            BOOL | UNIT | INT8 => return self.step(1),
            INT16 => return self.step(2),
            INT32 | FLOAT32 => return self.step(4),
            INT64 | FLOAT64 => return self.step(8),
            RECORD | TUPLE => {}
            _ => return None,
        }
        let height = height.checked_sub(1)?;
        let place = self.size;
        // What has a count of two bytes or more does not find room here.
        let [count] = self.fix()?;
        if tag == RECORD {
            self.keys.push((place, BEGIN));
        }
        for _ in 0..count {
            if tag == RECORD {
                let key = self.fix()?;
                self.keys.push((place, key));
            }
            let [tag] = self.fix()?;
            self.walk(tag, height)?;
        }
        Some(())
    }

    /// Steps over what differs from item to item.
    fn step(&mut self, len: usize) -> Option<()> {
        self.size += len;
        (self.size <= SIZE).then_some(())
    }

    /// Takes what does not.
    fn fix<const N: usize>(&mut self) -> Option<[u8; N]> {
        let start = self.size;
        self.step(N)?;
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

    /// Whether an item behind such a tag has all that it has in common with the first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fits(&self, item: &Ahead) -> bool {
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

    /// Whether a record begins at a place, with its count, that holds the fields in `list`, in that order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn has_record(
        &self,
        at: usize,
        list: &'static [&'static str],
        types: &Types,
    ) -> bool {
        let known = self.lists.get(at / APART % (SIZE / APART)).map(Cell::get);
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
        let (Some(names), Some(known)) = (types.of(list), self.lists.get(at / APART)) else {
            return false;
        };
        let own = self.keys.iter().filter(|(place, _)| *place == at).map(|(_, key)| key);
        let is_own = own.eq([BEGIN].iter().chain(names.keys()));
        if is_own {
            known.set(list.as_ptr());
        }
        is_own
    }
}
