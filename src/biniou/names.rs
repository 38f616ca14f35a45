//! Hashes of the names that types have, computed once per type and call. Refuses two names with one
//! hash. Knows names, does not know bytes.

mod read;
mod variants;
mod written;

use alloc::string::{String, ToString};
use core::{fmt, str};

pub(super) use self::read::TypesRead;
pub(super) use self::variants::VariantsWritten;
pub(super) use self::written::{FieldCursor, TypesWritten};
use super::{Error, ErrorKind};

/// The address and length of a `'static` string or list. It tells two types apart without a comparison
/// of their names.
type Address = (usize, usize);

#[cfg_attr(not(debug_assertions), inline(always))]
fn address(name: &str) -> Address {
    (name.as_ptr().addr(), name.len())
}

/// Up to so many types are searched one by one. Most documents have no more.
const FEW: usize = 16;

/// The name of a field or variant that is known by its hash only: `#` and eight digits.
#[derive(Clone, Copy)]
pub(super) struct HashName([u8; 9]);

impl HashName {
    #[cold]
    pub(super) fn new(hash: u32) -> Self {
        let mut name = *b"#00000000";
        let digits = name.iter_mut().rev().zip((0..u32::BITS).step_by(4));
        for (digit, shift) in digits {
            let [value, ..] = (hash >> shift).to_le_bytes();
            *digit = match value & 0xf {
                value @ 0..=9 => b'0' + value,
                value => b'a' + value - 10,
            };
        }
        HashName(name)
    }

    /// The hash that such a name spells.
    pub(super) fn parse(name: &str) -> Option<u32> {
        let digits = name.strip_prefix('#').filter(|digits| digits.len() == 8)?;
        u32::from_str_radix(digits, 16).ok()
    }

    pub(super) fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
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
