//! Bytes of the input as text.
//!
//! Functions called for every scalar, text or item are always inlined: a call for each takes longer than its work.

use core::str::Utf8Error;

use crate::error::{CommonKind, Error};

/// Checks that `bytes`, which begin at `offset` of the input, are UTF-8.
#[inline(always)]
pub(crate) fn utf8<K: From<CommonKind>>(bytes: &[u8], offset: usize) -> Result<&str, Error<K>> {
    checked(bytes).map_err(|error| Error::at(CommonKind::InvalidUtf8, offset + error.valid_up_to()))
}

/// The same as [`core::str::from_utf8`].
///
/// Most text in files is ASCII, and the check for ASCII is much faster than the one for UTF-8.
#[inline(always)]
#[allow(unsafe_code, reason = "what is ASCII need not be looked at a second time")]
pub(crate) fn checked(bytes: &[u8]) -> Result<&str, Utf8Error> {
    if is_ascii(bytes) {
        // SAFETY: ASCII is UTF-8.
        return Ok(unsafe { core::str::from_utf8_unchecked(bytes) });
    }
    beyond_ascii(bytes)
}

/// The first `len` bytes of `input` as text, if there are so many and they are UTF-8.
///
/// Faster than [`core::str::from_utf8`] for short text that is followed by other bytes: always the same number of bytes
/// is checked, so no branch depends on the length, which processors predict badly.
// Not inlined, so that the rest of a deserializer is small enough to stay in registers.
#[must_use]
#[inline(never)]
#[allow(unsafe_code, reason = "what is ASCII need not be looked at a second time")]
pub fn first(input: &[u8], len: usize) -> Option<&str> {
    match input.first_chunk() {
        Some(ahead) if len <= AHEAD && is_ascii_up_to(len, ahead) => {
            // SAFETY: ASCII is UTF-8.
            input.get(..len).map(|bytes| unsafe { core::str::from_utf8_unchecked(bytes) })
        }
        _ => first_of_any(input, len),
    }
}

/// A call at the end of another, which then needs no memory of its own.
#[inline(never)]
fn first_of_any(input: &[u8], len: usize) -> Option<&str> {
    checked(input.get(..len)?).ok()
}

/// How many bytes are checked together.
const AHEAD: usize = 64;

/// From `AHEAD - len` on, masks that select the first `len` of [`AHEAD`] bytes. A table is faster than a comparison for
/// each byte.
#[repr(align(64))]
struct Masks([u8; 2 * AHEAD]);

static MASKS: Masks = Masks(masks());

#[allow(clippy::indexing_slicing, reason = "this is over before anything runs")]
const fn masks() -> [u8; 2 * AHEAD] {
    let mut masks = [0; 2 * AHEAD];
    let mut next = 0;
    while next < AHEAD {
        masks[next] = u8::MAX;
        next += 1;
    }
    masks
}

/// Whether the first `len` of `bytes` are ASCII.
#[inline(always)]
fn is_ascii_up_to(len: usize, bytes: &[u8; AHEAD]) -> bool {
    match MASKS.0.get(AHEAD.saturating_sub(len)..).and_then(<[u8]>::first_chunk::<AHEAD>) {
        Some(mask) => {
            bytes.iter().zip(mask).fold(0, |all, (byte, mask)| all | (byte & mask)) < 0x80
        }
        None => false,
    }
}

/// Whether all bytes are ASCII. Checks the first ones together with the last ones, which may overlap: most
/// texts are too short for anything wider, and processors predict the end of a loop badly.
#[inline(always)]
fn is_ascii(bytes: &[u8]) -> bool {
    match bytes.len() {
        0..8 => is_short_ascii(bytes),
        8..16 => is_word_ascii(bytes),
        16..32 => is_ascii_by::<16>(bytes),
        32..=64 => is_ascii_by::<32>(bytes),
        _ => bytes.is_ascii(),
    }
}

/// The same where `N` bytes from either end are all there are.
#[inline(always)]
fn is_ascii_by<const N: usize>(bytes: &[u8]) -> bool {
    match (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) {
        (Some(first), Some(last)) => {
            first.iter().zip(last).fold(0, |all, (first, last)| all | first | last) < 0x80
        }
        _ => false,
    }
}

/// The same for a word from either end.
#[inline(always)]
fn is_word_ascii(bytes: &[u8]) -> bool {
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & 0x8080_8080_8080_8080 == 0
        }
        _ => false,
    }
}

/// The same for fewer than eight.
#[inline(always)]
fn is_short_ascii(bytes: &[u8]) -> bool {
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            (u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & 0x8080_8080 == 0
        }
        _ => bytes.iter().fold(0, |all, byte| all | byte) < 0x80,
    }
}

#[inline(never)]
fn beyond_ascii(bytes: &[u8]) -> Result<&str, Utf8Error> {
    core::str::from_utf8(bytes)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn any_byte_beyond_ascii_is_seen() {
        let mut text = [b'a'; 100];
        for len in 0..text.len() {
            assert!(is_ascii(&text[..len]));
            for place in 0..len {
                text[place] = 0x80;
                assert!(!is_ascii(&text[..len]), "byte {place} of {len}");
                text[place] = b'a';
            }
        }
    }

    /// With enough bytes after the text, too few, and none.
    #[test]
    fn the_first_bytes_of_more() {
        let is_text = |input: &[u8], len| match first(input, len) {
            Some(text) => {
                assert_eq!(text.as_bytes(), &input[..len]);
                true
            }
            None => false,
        };
        // Miri takes minutes for the longer ones.
        let sizes: &[usize] = if cfg!(miri) { &[0, 1, 9, 17] } else { &[0, 1, 63, 64, 65, 200] };
        for &size in sizes {
            let mut input = vec![b'a'; size];
            assert!(!is_text(&input, size + 1) && !is_text(&input, usize::MAX));
            for len in 0..=size {
                assert!(is_text(&input, len), "{len} of {size}");
                for place in 0..size {
                    input[place] = 0x80;
                    assert_eq!(is_text(&input, len), place >= len, "byte {place}: {len} of {size}");
                    input[place] = b'a';
                }
            }
        }
        assert_eq!(first("é, and more".as_bytes(), 2), Some("é"));
        assert_eq!(first("é, and more".as_bytes(), 1), None);
    }
}
