//! The mark `raw`, a layout attribute in the names of serde containers, as a type shows it to a `Deserializer`.
//!
//! For programs that find out the layout of a Rust type without a value of it, as `fourfold-schema` does.
//!
//! ```
//! use fourfold::tsm::mark;
//!
//! assert!(mark::is_raw("raw.Digest")? && mark::is_raw(mark::RAW_LEN)? && !mark::is_raw("Digest")?);
//! let error = mark::refuse("raw.Point", "a struct").unwrap_err();
//! assert_eq!(error.to_string(), mark::mismatch("a struct").to_string());
//! # Ok::<(), fourfold::tsm::Error>(())
//! ```
// Functions that compare names are always inlined: names are constants in the types of users, so that the comparisons
// disappear.

use super::document::DocumentKind;
use super::{Error, ErrorKind, Result};
use crate::glue::mark::{self, ANY, TWO_MARKS};

/// The reserved name of the newtype structs that `with::raw` makes.
pub(super) const RAW: &str = "fourfold.tsm.raw";

/// The reserved name of `with::RawLen`, whose reader knows the length.
pub const RAW_LEN: &str = "fourfold.tsm.raw.len";

/// What the name of a user's own newtype struct begins with.
const KEYWORD: &str = "raw.";

/// The keyword without its dot.
const WORDS: &[&str] = &["raw"];

/// Whether the name of a newtype struct marks it as raw.
///
/// # Errors
///
/// `Mark` for the name of `with::any`, which is a second mark here; those of names that are nearly marks.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn is_raw(name: &'static str) -> Result<bool> {
    match name == RAW || name == RAW_LEN || name.starts_with(KEYWORD) {
        true => Ok(true),
        // A serializer that supports `any` here has handled it before.
        false if name == ANY => {
            Err(Error::placeless(ErrorKind::Mark { mark: "any", found: TWO_MARKS }))
        }
        false => mark::check_markable(name, WORDS).map(|()| false),
    }
}

/// Whether a newtype struct of this name is one of the format's own types, such as a module: it takes no mark.
#[must_use]
pub fn is_document(name: &str) -> bool {
    DocumentKind::of(name).is_some()
}

/// Refuses the mark in the name of a container that is no newtype struct. `found` is what the error calls it.
///
/// # Errors
///
/// `Mark`; those of names that are nearly marks.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn refuse(name: &'static str, found: &'static str) -> Result<()> {
    match name.starts_with(KEYWORD) {
        true => Err(mismatch(found)),
        false => mark::check(name, WORDS),
    }
}

/// The error for the mark on a value that it does not fit.
#[must_use]
#[cold]
pub fn mismatch(found: &'static str) -> Error {
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
