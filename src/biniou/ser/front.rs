//! What stands in front of a value: its tag, or a field's key and the tag, or nothing. Written at
//! once with the value's first bytes, since every write makes sure of room anew.
//!
//! Types of their own, and not one with a choice, so that each write is compiled for what it is.
//! (With one, writing a mesh took 221M instructions instead of 142M; callgrind.)

use super::output::Output;
use super::vint;
use crate::biniou::wire::{self, Tag};

/// What stands in front of a value.
pub(in crate::biniou) trait Front: Copy {
    /// How many bytes it takes.
    const SIZE: usize;

    /// Whether the value is a field, where an optional one may be left out.
    const IS_KEY: bool;

    /// Its bytes, the first one lowest.
    fn bytes(self, tag: Tag) -> u64;

    /// Writes it, and a body of `size` bytes, 8 at most, of which the first is the lowest.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put(self, out: &mut Output, tag: Tag, body: u64, size: usize) {
        // All but the contents is known when this is compiled: a check, and a store or two.
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
    fn put_uvint(self, out: &mut Output, tag: Tag, number: u64) {
        if number < 1 << 56 {
            let (word, size) = vint::spread_uvint(number);
            self.put(out, tag, word, size);
        } else {
            self.put_long_uvint(out, tag, number);
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
        match u8::try_from(length) {
            Ok(byte @ 0..0x80) => self.put(out, tag, byte.into(), 1),
            // Lossless: no `usize` has more than 64 bits.
            _ => self.put_uvint(out, tag, u64::try_from(length).unwrap_or(u64::MAX)),
        }
    }
}

/// The tag stands elsewhere, once for many values.
#[derive(Clone, Copy)]
pub(super) struct Bare;

impl Front for Bare {
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

impl Front for Tagged {
    const SIZE: usize = 1;
    const IS_KEY: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(self, tag: Tag) -> u64 {
        tag.byte().into()
    }
}

/// A field's hashed name, the first byte lowest, and the tag.
#[derive(Clone, Copy)]
pub(super) struct Key(u32);

impl Key {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(hash: u32) -> Self {
        Key(u32::from_le_bytes(wire::field_key(hash)))
    }
}

impl Front for Key {
    const SIZE: usize = 5;
    const IS_KEY: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(self, tag: Tag) -> u64 {
        u64::from(self.0) | u64::from(tag.byte()) << 32
    }
}
