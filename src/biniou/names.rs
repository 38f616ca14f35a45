//! Hashes of a type's names: made once per type, kept for as long as one call lasts, and refused
//! where two names have the same. Knows names, does not know bytes.

mod read;
mod variants;
mod written;

use alloc::string::ToString;

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

#[cold]
pub(super) fn collision(first: &str, second: &str, hash: u32) -> Error {
    let (first, second) = (first.to_string(), second.to_string());
    Error::placeless(ErrorKind::Collision { first, second, hash })
}
