//! Numbers and lengths at the start of a slice.
//!
//! Each function returns what it found and its size by value, in registers: none if it is not as usual.
//!
//! What is called for every value is always inlined, for the reasons in [`value`](super::value).

use alloc::format;

use serde_core::de::{self, Visitor};

use super::head::Head;
use crate::biniou::wire::vint::{NOTHING, Number as Vint, long_uvint, short_uvint, uvint};
use crate::biniou::wire::{self, Tag, VINT_MORE, Zigzag as _};
use crate::biniou::{ErrorKind, Result};
use crate::error::CommonKind;
use crate::read::Reader;

/// A number, wide enough for all.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Unsigned(u128),
    Signed(i128),
}

impl Number {
    /// The bits of a number of 64, and whether it is signed.
    pub(super) fn narrow(self) -> Option<(u64, bool)> {
        match self {
            Number::Unsigned(number) => Some((u64::try_from(number).ok()?, false)),
            Number::Signed(number) => match i64::try_from(number) {
                Ok(number) => Some((bits(number), true)),
                // A field that was a `u64` before it got its mark requests a `u64`.
                Err(_) => Some((u64::try_from(number).ok()?, false)),
            },
        }
    }

    /// The error for a number that has none of these.
    pub(super) fn too_large(self) -> ErrorKind {
        let text = match self {
            Number::Unsigned(number) => {
                format!("invalid type: integer `{number}` as u128, expected a narrower one")
            }
            Number::Signed(number) => {
                format!("invalid type: integer `{number}` as i128, expected a narrower one")
            }
        };
        CommonKind::Message(text.into_boxed_str()).into()
    }

    /// Passes it to a visitor by the narrowest method that all of serde's visitors have.
    pub(super) fn visit<'de, V: Visitor<'de>, E: de::Error>(
        self,
        visitor: V,
    ) -> Result<V::Value, E> {
        match (self.narrow(), self) {
            (Some((number, false)), _) => visitor.visit_u64(number),
            (Some((number, true)), _) => {
                visitor.visit_i64(i64::from_ne_bytes(number.to_ne_bytes()))
            }
            (None, Number::Unsigned(number)) => visitor.visit_u128(number),
            (None, Number::Signed(number)) => visitor.visit_i128(number),
        }
    }
}

/// Takes an integer after its tag, which is one of integers.
pub(super) fn take(reader: &mut Reader<'_>, tag: u8) -> Result<Number> {
    Ok(match Tag::from_byte(tag) {
        Some(Tag::Int32) => Number::Signed(i32::from_be_bytes(reader.take_array()?).into()),
        Some(Tag::Int64) => Number::Signed(i64::from_be_bytes(reader.take_array()?).into()),
        Some(Tag::Int8) => Number::Unsigned(u8::from_be_bytes(reader.take_array()?).into()),
        Some(Tag::Int16) => Number::Unsigned(u16::from_be_bytes(reader.take_array()?).into()),
        Some(Tag::Svint) => Number::Signed(i128::unzigzag(wire::take_uvint(reader)?)),
        _ => Number::Unsigned(wire::take_uvint(reader)?),
    })
}

/// The bits of a signed number.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn bits(number: i64) -> u64 {
    u64::from_ne_bytes(number.to_ne_bytes())
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn unzigzag(number: u64) -> i64 {
    i64::unzigzag(number)
}

/// An integer of fixed width, or a vint of 64 bits.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn plain(bytes: &[u8], head: Head) -> Vint {
    if head.is_plain(Tag::Svint) || head.is_plain(Tag::Uvint) {
        // The caller has looked for a short one.
        return long_uvint(bytes);
    }
    match (bytes, head.is_plain(Tag::Int8), head.is_plain(Tag::Int16)) {
        ([byte, ..], true, _) => (u64::from(*byte), 1),
        ([high, low, ..], _, true) => (u64::from(u16::from_be_bytes([*high, *low])), 2),
        _ => NOTHING,
    }
}

/// A vint with at most as many bytes as a number of `bits` bits needs, and at most five. Finds the
/// size without a branch, since processors could not predict one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn uvint_of_bits(bytes: &[u8], bits: u32) -> Vint {
    match bits {
        8 => short_uvint(bytes),
        16 => medium_uvint(bytes),
        _ => wide_uvint(bytes),
    }
}

/// One of three bytes at most, and not among the last three of the input.
#[cfg_attr(not(debug_assertions), inline(always))]
fn medium_uvint(bytes: &[u8]) -> Vint {
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
fn wide_uvint(bytes: &[u8]) -> Vint {
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

/// A string's length, and its bytes with all that follows.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
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
