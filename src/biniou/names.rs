//! Hashes of the names that types have, computed once per type and call. Refuses two names with one
//! hash.

mod variants;

use alloc::string::{String, ToString};
use core::fmt;

pub(super) use self::variants::VariantsWritten;
use super::{Error, ErrorKind};
use crate::{hexadecimal, text};

/// The address and length of a `'static` string or list. It distinguishes two types without comparing
/// their names.
type Address = (usize, usize);

#[cfg_attr(not(debug_assertions), inline(always))]
fn address(name: &str) -> Address {
    (name.as_ptr().addr(), name.len())
}

/// The name of a field or variant that is known by its hash only: `#` and eight digits.
#[derive(Clone, Copy)]
pub(super) struct HashName([u8; 9]);

impl HashName {
    #[inline]
    pub(super) fn new(hash: u32) -> Self {
        // All digits at once: four bits in each byte, then '0' to each, and the distance from '9' to 'a'.
        let mut digits = u64::from(hash);
        digits = (digits | (digits << 16)) & 0x0000_ffff_0000_ffff;
        digits = (digits | (digits << 8)) & 0x00ff_00ff_00ff_00ff;
        digits = (digits | (digits << 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        let are_letters = ((digits + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101;
        digits += 0x3030_3030_3030_3030 + are_letters * u64::from(b'a' - b'9' - 1);
        let mut name = [b'#'; 9];
        if let Some(end) = name.last_chunk_mut() {
            *end = digits.to_be_bytes();
        }
        HashName(name)
    }

    /// The hash that such a name spells.
    pub(super) fn parse(name: &str) -> Option<u32> {
        let digits = name.strip_prefix('#').filter(|digits| digits.len() == 8)?;
        u32::from_str_radix(hexadecimal::digits(digits)?, 16).ok()
    }

    #[inline]
    pub(super) fn as_str(&self) -> &str {
        text::checked(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for HashName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<HashName> for String {
    fn from(name: HashName) -> String {
        name.as_str().into()
    }
}

#[cold]
pub(super) fn collision(first: &str, second: &str, hash: u32) -> Error {
    let (first, second) = (first.to_string(), second.to_string());
    Error::placeless(ErrorKind::Collision { first, second, hash })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_hashes_are_their_digits() {
        let nibbles =
            (0..u32::BITS).step_by(4).flat_map(|shift| (0..16).map(move |digit| digit << shift));
        for hash in nibbles.chain([0x7fff_ffff, 0x0123_4567, 0x89ab_cdef, u32::MAX]) {
            assert_eq!(HashName::new(hash).as_str(), alloc::format!("#{hash:08x}"));
            assert_eq!(HashName::parse(HashName::new(hash).as_str()), Some(hash));
        }
        assert_eq!(HashName::parse("#+0000078"), None);
    }
}
