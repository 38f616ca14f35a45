//! Marks: layout attributes in the names of serde containers, as a type shows them to a `Deserializer`.
//!
//! For programs that find out the layout of a Rust type without a value of it, as `fourfold-schema` does.
//!
//! ```
//! use fourfold::primitiv::mark::Mark;
//!
//! assert_eq!(Mark::of("text.Name")?, Some(Mark::Text));
//! assert_eq!(Mark::of("Name")?, None);
//! assert!(Mark::refuse("text.Name", "a tuple struct").is_err());
//! # Ok::<(), fourfold::primitiv::Error>(())
//! ```
// Functions that compare names are always inlined: names are constants in the types of users, so that the comparisons
// disappear.

use super::document::DocumentKind;
use super::{Error, ErrorKind, Result};
use crate::glue::mark::{self, ANY, TWO_MARKS};

/// A layout rule for one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Bytes are written as str, though they need not be UTF-8.
    Text,
    /// An enum's variant is written by its name.
    Named,
}

/// The reserved name of the mark `text`.
pub(super) const TEXT: &str = "fourfold.primitiv.text";
/// The reserved name of the mark `named`.
pub(super) const NAMED: &str = "fourfold.primitiv.named";

/// Keywords: what the name of a user's own container begins with.
const TEXT_KEYWORD: &str = "text.";
const NAMED_KEYWORD: &str = "named.";

/// The keywords without their dots.
const WORDS: &[&str] = &["text", "named"];

impl Mark {
    /// The mark in the name of a container: a reserved name, or the user's own name if it begins
    /// with a keyword and a dot.
    ///
    /// # Errors
    ///
    /// `Mark` for the name of `with::any`, which is a second mark here; those of names that are nearly marks.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn of(name: &'static str) -> Result<Option<Self>> {
        match name {
            TEXT => Ok(Some(Mark::Text)),
            NAMED => Ok(Some(Mark::Named)),
            // Callers that support it have handled it before.
            ANY => Err(Error::placeless(ErrorKind::Mark { mark: "any", found: TWO_MARKS })),
            _ if name.starts_with(TEXT_KEYWORD) => Ok(Some(Mark::Text)),
            _ if name.starts_with(NAMED_KEYWORD) => Ok(Some(Mark::Named)),
            _ => mark::check_markable(name, WORDS).map(|()| None),
        }
    }

    /// The mark of a newtype struct, whose surroundings may have one for it already.
    ///
    /// # Errors
    ///
    /// `Mark` for two different marks, and the errors of [`of`](Mark::of).
    pub fn one_of(outer: Option<Self>, name: &'static str) -> Result<Option<Self>> {
        match (Mark::of(name)?, outer) {
            (Some(own), Some(outer)) if own != outer => Err(own.mismatch(TWO_MARKS)),
            (own, outer) => Ok(own.or(outer)),
        }
    }

    /// Refuses a mark in the name of a container that is neither newtype nor enum. `found` is what the error calls it.
    ///
    /// # Errors
    ///
    /// `Mark`, and the errors of [`of`](Mark::of).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn refuse(name: &'static str, found: &'static str) -> Result<()> {
        if WORDS.contains(&name) {
            return Ok(());
        }
        match Mark::of(name)? {
            None => Ok(()),
            Some(mark) => Err(mark.mismatch(found)),
        }
    }

    /// The keyword, as errors name it.
    const fn keyword(self) -> &'static str {
        match self {
            Mark::Text => "text",
            Mark::Named => "named",
        }
    }

    /// The error for a mark on a value that it does not fit.
    #[must_use]
    #[cold]
    pub fn mismatch(self, found: &'static str) -> Error {
        Error::placeless(ErrorKind::Mark { mark: self.keyword(), found })
    }
}

/// Whether a newtype struct of this name is one of the formats' own types, such as a model: it takes no mark.
#[must_use]
pub fn is_document(name: &str) -> bool {
    DocumentKind::of(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shared_list_has_all_words() {
        assert!(WORDS.iter().all(|word| mark::WORDS.contains(word)));
    }
}
