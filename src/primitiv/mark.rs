//! Marks: container names that select a layout which serde's data model does not show.
//!
//! Functions that compare names are always inlined: names are constants in the types of users, so that the comparisons
//! disappear.

use super::{Error, ErrorKind, Result};
use crate::glue::mark::{self, ANY, TWO_MARKS};

/// What a mark requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(name: &'static str) -> Result<Option<Self>> {
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

    /// Refuses a mark in the name of a container that is neither newtype nor enum.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn refuse(name: &'static str, found: &'static str) -> Result<()> {
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
    #[cold]
    pub(super) fn mismatch(self, found: &'static str) -> Error {
        Error::placeless(ErrorKind::Mark { mark: self.keyword(), found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shared_list_has_all_words() {
        assert!(WORDS.iter().all(|word| mark::WORDS.contains(word)));
    }
}
