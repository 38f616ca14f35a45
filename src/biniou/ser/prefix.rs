//! What stands in front of a value: nothing, its tag, or a field's key and the tag. It is written at once
//! with the value's first bytes, since each write checks for memory. Knows bytes, does not know values.
//!
//! There is a type for each, not one enum, so that each write is compiled for its own size.

use super::output::Output;
use super::vint::{self, Uvint};
use crate::biniou::wire::{self, Tag};

/// What stands in front of a value.
pub(in crate::biniou) trait Prefix: Copy {
    /// How many bytes it takes.
    const SIZE: usize;

    /// Whether the value is a field, where an optional one may be left out.
    const IS_KEY: bool;

    /// Its bytes, the first one lowest.
    fn bytes(self, tag: Tag) -> u64;

    /// Writes it, and a body of `size` bytes, 8 at most, of which the first is the lowest.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put(self, out: &mut Output, tag: Tag, body: u64, size: usize) {
        // All sizes are known at compile time: one check, and one or two stores.
        let all = u128::from(self.bytes(tag)) | u128::from(body) << (8 * Self::SIZE);
        out.put(all.to_le_bytes(), Self::SIZE + size);
    }

    /// Writes what stands in front of the tag.
    #[inline]
    fn put_key(self, out: &mut Output) {
        out.put(self.bytes(Tag::Bool).to_le_bytes(), Self::SIZE.saturating_sub(1));
    }

    /// Writes it, and an unsigned vint.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_uvint(self, out: &mut Output, tag: Tag, number: impl Uvint) {
        match number.into() {
            ..vint::LONG => {
                let (word, size) = number.spread();
                self.put(out, tag, word, size);
            }
            long => self.put_long_uvint(out, tag, long),
        }
    }

    /// One of more than eight bytes.
    #[cold]
    #[inline(never)]
    fn put_long_uvint(self, out: &mut Output, tag: Tag, number: u64) {
        let (bytes, size) = vint::spread_long_uvint(number);
        self.put(out, tag, 0, 0);
        out.put(bytes, size);
    }

    /// Writes it, and a length or count.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_length(self, out: &mut Output, tag: Tag, length: usize) {
        match wire::short_length(length) {
            Some(byte) => self.put(out, tag, byte.into(), 1),
            // Lossless: no `usize` has more than 64 bits.
            None => self.put_uvint(out, tag, u64::try_from(length).unwrap_or(u64::MAX)),
        }
    }
}

/// Nothing: the tag stands elsewhere, once for many values.
#[derive(Clone, Copy)]
pub(super) struct NoTag;

impl Prefix for NoTag {
    const SIZE: usize = 0;
    const IS_KEY: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(self, _: Tag) -> u64 {
        0
    }
}

/// The tag.
#[derive(Clone, Copy)]
pub(in crate::biniou) struct Tagged;

impl Prefix for Tagged {
    const SIZE: usize = 1;
    const IS_KEY: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(self, tag: Tag) -> u64 {
        tag.byte().into()
    }
}

/// A field's hashed name, the first byte lowest, and the tag.
#[derive(Clone, Copy)]
pub(super) struct Keyed(u32);

impl Keyed {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(hash: u32) -> Self {
        Keyed(u32::from_le_bytes(wire::field_key(hash)))
    }
}

impl Prefix for Keyed {
    const SIZE: usize = 5;
    const IS_KEY: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(self, tag: Tag) -> u64 {
        u64::from(self.0) | u64::from(tag.byte()) << 32
    }
}
