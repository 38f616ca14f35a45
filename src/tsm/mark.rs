//! Marks: container names that select a layout which serde's data model does not show.
//!
//! Functions that compare names are always inlined: names are constants in the types of users, so that the comparisons
//! disappear.

use super::{Error, ErrorKind, Result};
use crate::glue::mark::{self, ANY, TWO_MARKS};

/// The reserved name of the newtype structs that `with::raw` makes.
pub(super) const RAW: &str = "fourfold.tsm.raw";

/// The same if the reader sets the length: that of `with::RawLen`.
pub(super) const RAW_LEN: &str = "fourfold.tsm.raw.len";

/// What the name of a user's own newtype struct begins with.
const KEYWORD: &str = "raw.";

/// The keyword without its dot.
const WORDS: &[&str] = &["raw"];

/// Whether the name of a newtype struct marks it as raw.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_raw(name: &'static str) -> Result<bool> {
    match name == RAW || name == RAW_LEN || name.starts_with(KEYWORD) {
        true => Ok(true),
        // A serializer that supports `any` here has handled it before.
        false if name == ANY => {
            Err(Error::placeless(ErrorKind::Mark { mark: "any", found: TWO_MARKS }))
        }
        false => mark::check_markable(name, WORDS).map(|()| false),
    }
}

/// Refuses the mark in the name of something that is no newtype struct.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn refuse(name: &'static str, found: &'static str) -> Result<()> {
    match name.starts_with(KEYWORD) {
        true => Err(misfit(found)),
        false => mark::check(name, WORDS),
    }
}

/// The error for the mark on a value that it does not fit.
#[cold]
pub(super) fn misfit(found: &'static str) -> Error {
    Error::placeless(ErrorKind::Mark { mark: "raw", found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shared_list_has_all_words() {
        assert!(WORDS.iter().all(|word| mark::WORDS.contains(word)));
    }
}
