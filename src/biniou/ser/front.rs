//! What stands in front of a value: its tag, or a field's key and the tag, or nothing. Written at
//! once with the value's first bytes, since every write makes sure of room anew.
//!
//! Types of their own, and not one with a choice, so that each write is compiled for what it is.
//! (With one, writing a mesh took 221M instructions instead of 142M; callgrind.)

use alloc::vec::Vec;

use crate::biniou::wire::{self, Tag};

/// What stands in front of a value.
pub(super) trait Front: Copy {
    /// How many bytes it takes.
    const SIZE: usize;

    /// Whether the value is a field, where an optional one may be left out.
    const IS_KEY: bool;

    /// Its bytes, the first one lowest.
    fn bytes(self, tag: Tag) -> u64;

    /// Writes it, and a body of `size` bytes, 8 at most, of which the first is the lowest.
    #[inline(always)]
    fn put(self, out: &mut Vec<u8>, tag: Tag, body: u64, size: usize) {
        // All but the contents is known when this is compiled: a check, and a store or two.
        let all = u128::from(self.bytes(tag)) | u128::from(body) << (8 * Self::SIZE);
        out.extend_from_slice(all.to_le_bytes().get(..Self::SIZE + size).unwrap_or_default());
    }

    /// Writes what stands in front of the tag.
    #[inline]
    fn put_key(self, out: &mut Vec<u8>) {
        self.put(out, Tag::Bool, 0, 0);
        if Self::SIZE > 0 {
            out.pop();
        }
    }

    /// Writes it, and an unsigned vint.
    #[inline(always)]
    fn put_uvint(self, out: &mut Vec<u8>, tag: Tag, number: u64) {
        match number {
            0..0x80 => self.put(out, tag, number, 1),
            0x80..0x20_0000 => {
                // Three bytes, of which the last goes again if it is none of the number's.
                let has_three = number >= 0x4000;
                let middle = number >> 7 & 0x7f | u64::from(has_three) << 7;
                let word = number & 0x7f | 0x80 | middle << 8 | number >> 14 << 16;
                self.put(out, tag, word, 3);
                out.truncate(out.len() - usize::from(!has_three));
            }
            _ => self.put_long_uvint(out, tag, number),
        }
    }

    /// One of more than three bytes.
    #[inline]
    fn put_long_uvint(self, out: &mut Vec<u8>, tag: Tag, number: u64) {
        match number {
            0..0x0100_0000_0000_0000 => {
                // Eight bytes, of which those that are none of the number's go again.
                let (word, size) = wire::spread_uvint(number);
                self.put(out, tag, word, 8);
                out.truncate(out.len() + size - 8);
            }
            _ => {
                self.put(out, tag, 0, 0);
                wire::put_uvint(out, number.into());
            }
        }
    }

    /// Writes it, and a length or count.
    #[inline(always)]
    fn put_length(self, out: &mut Vec<u8>, tag: Tag, length: usize) {
        match u8::try_from(length) {
            Ok(byte @ 0..0x80) => self.put(out, tag, byte.into(), 1),
            _ => {
                self.put(out, tag, 0, 0);
                wire::put_length(out, length);
            }
        }
    }
}

/// The tag stands elsewhere, once for many values.
#[derive(Clone, Copy)]
pub(super) struct Bare;

impl Front for Bare {
    const SIZE: usize = 0;
    const IS_KEY: bool = false;

    #[inline(always)]
    fn bytes(self, _: Tag) -> u64 {
        0
    }
}

/// The tag.
#[derive(Clone, Copy)]
pub(super) struct Tagged;

impl Front for Tagged {
    const SIZE: usize = 1;
    const IS_KEY: bool = false;

    #[inline(always)]
    fn bytes(self, tag: Tag) -> u64 {
        tag.byte().into()
    }
}

/// A field's hashed name, the first byte lowest, and the tag.
#[derive(Clone, Copy)]
pub(super) struct Key(u32);

impl Key {
    #[inline(always)]
    pub(super) fn new(hash: u32) -> Self {
        Key((hash | wire::ARGUMENT).swap_bytes())
    }
}

impl Front for Key {
    const SIZE: usize = 5;
    const IS_KEY: bool = true;

    #[inline(always)]
    fn bytes(self, tag: Tag) -> u64 {
        u64::from(self.0) | u64::from(tag.byte()) << 32
    }
}
