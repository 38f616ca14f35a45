//! Unsigned vints of at most 64 bits, found a word at a time: the fast path of
//! [`take_uvint`](super::take_uvint), which also reads longer ones and returns what is wrong.
//!
//! Each function returns the number and its size by value, in registers.
//!
//! ```
//! use fourfold::biniou::wire::vint::{NOTHING, uvint};
//!
//! assert_eq!(uvint(&[0xac, 0x02, 7]), (300, 2));
//! assert_eq!(uvint(&[0xac]), NOTHING);
//! ```

use super::{VINT_BITS, VINT_MORE, VINT_MORES, VINT_WORD};

/// An unsigned number, and how many bytes it takes.
pub type Number = (u64, usize);

/// The bytes are no vint, or one of more than 64 bits.
pub const NOTHING: Number = (0, 0);

/// An unsigned vint that fits.
#[must_use]
#[inline]
pub fn uvint(bytes: &[u8]) -> Number {
    match short_uvint(bytes) {
        NOTHING => outlined_uvint(bytes),
        number => number,
    }
}

/// [`long_uvint`], never inlined: for callers whose own code must stay small.
#[must_use]
#[inline(never)]
pub fn outlined_uvint(bytes: &[u8]) -> Number {
    long_uvint(bytes)
}

/// One of one byte or two, not the last of the input.
#[inline]
pub(in crate::biniou) fn short_uvint(bytes: &[u8]) -> Number {
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

/// One of more than two bytes: the groups of seven bits are found and joined eight at a time.
#[must_use]
#[inline]
pub fn long_uvint(bytes: &[u8]) -> Number {
    let Some((word, rest)) = bytes.split_first_chunk::<VINT_WORD>() else {
        return uvint_bytewise(bytes);
    };
    let (bits, last) = joined(u64::from_le_bytes(*word));
    if last != 0 {
        return (bits, usize::try_from(last.trailing_zeros() / u8::BITS).unwrap_or(0) + 1);
    }
    // 56 bits, and one or two bytes more.
    let (high, more) = match *rest {
        [byte, ..] if byte < VINT_MORE => (u64::from(byte), 1),
        [low, byte @ 0..=1, ..] => {
            (u64::from(low & !VINT_MORE) | (u64::from(byte) << VINT_BITS), 2)
        }
        _ => return NOTHING,
    };
    (bits | (high << (VINT_BITS * 8)), VINT_WORD + more)
}

/// The number that a little-endian word begins with, and [`VINT_MORE`] at the place of its last byte; of a number that
/// does not end in the word, the bits so far and 0.
#[must_use]
#[inline]
pub fn joined(word: u64) -> (u64, u64) {
    let last = !word & VINT_MORES;
    // The bits up to and with the byte that is the last; all if there is none.
    let own = (last ^ last.wrapping_sub(1)) & !VINT_MORES;
    let mut bits = word & own;
    bits = ((bits & 0x7f00_7f00_7f00_7f00) >> 1) | (bits & 0x007f_007f_007f_007f);
    bits = ((bits & 0x3fff_0000_3fff_0000) >> 2) | (bits & 0x0000_3fff_0000_3fff);
    bits = ((bits & 0x0fff_ffff_0000_0000) >> 4) | (bits & 0x0000_0000_0fff_ffff);
    (bits, last)
}

/// How many bytes one of 56 bits at most takes. `None` if it has more, or is at the end of the input.
#[must_use]
#[inline]
pub fn size_of_uvint(bytes: &[u8]) -> Option<usize> {
    let word = u64::from_le_bytes(*bytes.first_chunk::<VINT_WORD>()?);
    let last = !word & VINT_MORES;
    (last != 0).then(|| usize::try_from(last.trailing_zeros() / u8::BITS).unwrap_or(0) + 1)
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
