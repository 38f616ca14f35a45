//! Numbers and texts at the start of a slice. Knows bytes, does not know the document.
//!
//! Each function returns what it found and its size by value, in registers. So the code that calls it
//! is short enough to be inlined, and its cursor stays in registers, too.

use super::{Bail, Result};
use crate::biniou::ErrorKind;
use crate::biniou::de::node::integer::{self, Integer};
use crate::biniou::de::reading::TagAndMark;
use crate::biniou::wire::{Source, Tag, VINT_BITS, VINT_MORE, VINT_MORES, VINT_WORD, Zigzag as _};
use crate::read::Reader;
use crate::text as utf8;

/// An unsigned number, and how many bytes it takes; none if there is no such number.
pub(super) type Number = (u64, usize);

const NOTHING: Number = (0, 0);

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

/// A cursor that knows no more than its bytes.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'de>(pub(super) &'de [u8]);

impl<'de> Source<'de> for Bytes<'de> {
    type Error = Bail;
    type Place = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn place(&self) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left(&self) -> usize {
        self.0.len()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, len: usize) -> Result<&'de [u8]> {
        let (head, tail) = self.0.split_at_checked(len).ok_or(Bail)?;
        self.0 = tail;
        Ok(head)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (head, tail) = self.0.split_first_chunk().ok_or(Bail)?;
        self.0 = tail;
        Ok(*head)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fault(&mut self, (): (), _: impl FnOnce() -> ErrorKind) -> Bail {
        Bail
    }

    /// One that fits 64 bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_uvint(&mut self) -> Result<u128> {
        // Most are lengths, which are short.
        if let Some((number, rest)) = self.0.split_first().filter(|(byte, _)| **byte < VINT_MORE) {
            self.0 = rest;
            return Ok((*number).into());
        }
        let (number, size) = outlined_uvint(self.0);
        match self.0.get(size..) {
            Some(rest) if size != 0 => {
                self.0 = rest;
                Ok(number.into())
            }
            _ => Err(Bail),
        }
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

/// An unsigned vint that fits.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn uvint(bytes: &[u8]) -> Number {
    match short_uvint(bytes) {
        NOTHING => outlined_uvint(bytes),
        number => number,
    }
}

#[inline(never)]
fn outlined_uvint(bytes: &[u8]) -> Number {
    long_uvint(bytes)
}

/// One of one byte or two, not the last of the input.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn short_uvint(bytes: &[u8]) -> Number {
    match bytes.first_chunk() {
        Some(word @ [first, _]) => {
            let word = u32::from(u16::from_le_bytes(*word));
            let last = !word & 0x8080;
            if last == 0 {
                return NOTHING;
            }
            let own = word & (last ^ last.wrapping_sub(1));
            let number = (own & 0x7f) | (own >> 1 & 0x3f80);
            // The next number waits for this one's size.
            (number.into(), 1 + usize::from(first >> (u8::BITS - 1)))
        }
        None => NOTHING,
    }
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

/// One of more than two bytes: the groups of seven bits are found and joined eight at a time.
#[cfg_attr(not(debug_assertions), inline(always))]
fn long_uvint(bytes: &[u8]) -> Number {
    let Some((word, behind)) = bytes.split_first_chunk::<VINT_WORD>() else {
        return uvint_bytewise(bytes);
    };
    let word = u64::from_le_bytes(*word);
    let last = !word & VINT_MORES;
    // The bits up to and with the byte that is the last; all if there is none.
    let own = (last ^ last.wrapping_sub(1)) & !VINT_MORES;
    let mut bits = word & own;
    bits = ((bits & 0x7f00_7f00_7f00_7f00) >> 1) | (bits & 0x007f_007f_007f_007f);
    bits = ((bits & 0x3fff_0000_3fff_0000) >> 2) | (bits & 0x0000_3fff_0000_3fff);
    bits = ((bits & 0x0fff_ffff_0000_0000) >> 4) | (bits & 0x0000_0000_0fff_ffff);
    if last != 0 {
        return (bits, usize::try_from(last.trailing_zeros() / u8::BITS).unwrap_or(0) + 1);
    }
    // 56 bits, and one or two bytes more.
    let (high, more) = match *behind {
        [byte, ..] if byte < VINT_MORE => (u64::from(byte), 1),
        [low, byte @ 0..=1, ..] => {
            (u64::from(low & !VINT_MORE) | (u64::from(byte) << VINT_BITS), 2)
        }
        _ => return NOTHING,
    };
    (bits | (high << (VINT_BITS * 8)), VINT_WORD + more)
}

/// One at the end of the input.
#[cold]
fn uvint_bytewise(bytes: &[u8]) -> Number {
    let mut number = 0u64;
    for ((byte, size), group) in bytes.iter().zip(1..).zip(0..).take(VINT_WORD) {
        number |= u64::from(byte & !VINT_MORE) << (group * VINT_BITS);
        if *byte < VINT_MORE {
            return (number, size);
        }
    }
    NOTHING
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
