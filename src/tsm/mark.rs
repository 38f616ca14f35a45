//! Marks: how a type says what serde cannot. A mark is part of a serde container's name.
//! Knows names, does not know bytes.

use super::{Error, ErrorKind, Result};

/// The reserved name of the newtype structs that `with::raw` makes.
pub(super) const RAW: &str = "fourfold.tsm.raw";

/// The same where reading knows the length: that of `with::RawLen`.
pub(super) const RAW_LEN: &str = "fourfold.tsm.raw.len";

/// What the name of a user's own newtype struct begins with.
const KEYWORD: &str = "raw.";

/// Whether the name of a newtype struct marks it as raw.
#[inline]
pub(super) fn is_raw(name: &'static str) -> bool {
    name == RAW || name == RAW_LEN || name.starts_with(KEYWORD)
}

/// Refuses the mark in the name of something that is no newtype struct.
#[inline]
pub(super) fn refuse(name: &'static str, found: &'static str) -> Result<()> {
    match name.starts_with(KEYWORD) {
        true => Err(misfit(found)),
        false => Ok(()),
    }
}

/// The error for the mark on a value that it does not fit.
#[cold]
pub(super) fn misfit(found: &'static str) -> Error {
    Error::placeless(ErrorKind::Mark { mark: "raw", found })
}
