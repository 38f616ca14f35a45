//! Numbers and texts at the start of a slice. Knows bytes, does not know the document.
//!
//! Each function returns what it found and its size by value, in registers. So the code that calls it
//! is short enough to be inlined, and its cursor stays in registers, too.

use crate::biniou::de::node::integer::{self, Integer};
use crate::biniou::de::reading::TagAndMark;
use crate::biniou::wire::vint::{NOTHING, Number, long_uvint, short_uvint, uvint};
use crate::biniou::wire::{Bytes, Source, Tag, VINT_MORE, Zigzag as _};
use crate::read::Reader;
use crate::text as utf8;

/// How many bytes an integer takes, and whether it is a signed one.
#[derive(Clone, Copy)]
pub(super) struct Size(usize);

impl Size {
    const SIGNED: usize = 1 << 8;

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bytes(self) -> usize {
        self.0 & !Self::SIGNED
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_signed(self) -> bool {
        self.0 & Self::SIGNED != 0
    }
}

/// An integer of any kind that may stand for `tag_and_mark`.
#[inline(never)]
pub(super) fn integer(bytes: &[u8], tag_and_mark: TagAndMark) -> (u64, Size) {
    let is_signed = tag_and_mark.is_plain(Tag::Svint);
    if !is_signed && !tag_and_mark.is_plain(Tag::Uvint) {
        return fixed_or_marked_integer(bytes, tag_and_mark);
    }
    // The caller has looked for a short one.
    let (number, size) = long_uvint(bytes);
    match is_signed {
        true => (bits(i64::unzigzag(number)), Size(size | Size::SIGNED)),
        false => (number, Size(size)),
    }
}

/// An integer that may be of more than 64 bits, and how many bytes it takes: none if there is none.
#[inline(never)]
pub(super) fn wide_integer(bytes: &[u8], tag_and_mark: TagAndMark) -> (Integer, usize) {
    take_integer(Reader::new(bytes, 0), tag_and_mark).unwrap_or((Integer::Unsigned(0), 0))
}

/// The same from any source.
#[cfg_attr(not(debug_assertions), inline(always))]
fn take_integer<'de, S: Source<'de>>(
    mut source: S,
    tag_and_mark: TagAndMark,
) -> Option<(Integer, usize)> {
    let ahead = source.left();
    let tag = Tag::from_byte(tag_and_mark.tag())?;
    let number = integer::take(&mut source, tag, tag_and_mark.mark()).ok()??;
    Some((number, ahead - source.left()))
}

/// An integer of fixed size, or under a mark.
#[inline(never)]
fn fixed_or_marked_integer(bytes: &[u8], tag_and_mark: TagAndMark) -> (u64, Size) {
    match take_integer(Bytes(bytes), tag_and_mark) {
        Some((Integer::Unsigned(number), size)) => match u64::try_from(number) {
            Ok(number) => (number, Size(size)),
            Err(_) => (0, Size(0)),
        },
        Some((Integer::Signed(number), size)) => match i64::try_from(number) {
            Ok(number) => (bits(number), Size(size | Size::SIGNED)),
            Err(_) => (0, Size(0)),
        },
        None => (0, Size(0)),
    }
}

/// The bits of a signed number.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn bits(number: i64) -> u64 {
    u64::from_ne_bytes(number.to_ne_bytes())
}

/// A vint with at most as many bytes as a number of `bits` bits needs, and at most five. Finds the
/// size without a branch, since processors could not predict one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn uvint_of_bits(bytes: &[u8], bits: u32) -> Number {
    match bits {
        8 => short_uvint(bytes),
        16 => medium_uvint(bytes),
        _ => wide_uvint(bytes),
    }
}

/// One of three bytes at most, and not among the last three of the input.
#[cfg_attr(not(debug_assertions), inline(always))]
fn medium_uvint(bytes: &[u8]) -> Number {
    let Some(word) = bytes.first_chunk() else { return NOTHING };
    let word = u32::from_le_bytes(*word);
    let last = !word & 0x0080_8080;
    if last == 0 {
        return NOTHING;
    }
    let own = word & (last ^ last.wrapping_sub(1));
    let number = (own & 0x7f) | (own >> 1 & 0x3f80) | (own >> 2 & 0x001f_c000);
    (number.into(), usize::try_from(last.trailing_zeros() / u8::BITS).unwrap_or(0) + 1)
}

/// One of five bytes at most, and not among the last seven of the input.
#[cfg_attr(not(debug_assertions), inline(always))]
fn wide_uvint(bytes: &[u8]) -> Number {
    let Some(word) = bytes.first_chunk() else { return NOTHING };
    let word = u64::from_le_bytes(*word);
    let last = !word & 0x0080_8080_8080;
    if last == 0 {
        return NOTHING;
    }
    let own = word & (last ^ last.wrapping_sub(1));
    let low = (own & 0x7f) | (own >> 1 & 0x3f80);
    let high = (own >> 2 & 0x001f_c000) | (own >> 3 & 0x0fe0_0000) | (own >> 4 & 0x0007_f000_0000);
    (low | high, usize::try_from(last.trailing_zeros() / u8::BITS).unwrap_or(0) + 1)
}

/// Text, and what follows.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (length, rest) = length(bytes)?;
    Some((utf8::first(rest, length)?, rest.get(length..)?))
}

/// A string's length, and its bytes with all that follows.
#[cfg_attr(not(debug_assertions), inline(always))]
fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    match bytes.split_first() {
        Some((length, rest)) if *length < VINT_MORE => Some((usize::from(*length), rest)),
        _ => long_length(bytes),
    }
}

/// One that takes more than a byte.
#[inline(never)]
fn long_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (length, size) = uvint(bytes);
    let rest = bytes.get(size..).filter(|_| size > 0)?;
    Some((usize::try_from(length).ok()?, rest))
}
