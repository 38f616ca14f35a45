//! Hashes of a type's names: made once per type, kept for as long as one call lasts, and refused
//! where two names have the same. Knows names, does not know bytes.

mod read;
mod variants;
mod written;

use alloc::string::{String, ToString};
use core::str;

pub(super) use self::read::Read;
pub(super) use self::variants::VariantsWritten;
pub(super) use self::written::{Met, Written};
use super::{Error, ErrorKind};

/// Where a `'static` string or list lies: what tells two types apart, without asking for their names.
type Place = (usize, usize);

#[cfg_attr(not(debug_assertions), inline(always))]
fn place(name: &str) -> Place {
    (name.as_ptr().addr(), name.len())
}

/// So many types are looked through one by one, which is all that most documents have.
const FEW: usize = 16;

/// What a field or variant is called whose name nobody has told: `#`, and its hash in eight digits.
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

    pub(super) fn as_str(&self) -> &str {
        str::from_utf8(&self.0).unwrap_or_default()
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
