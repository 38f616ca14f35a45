//! Marks: what a Rust type says of its bytes through the name of a serde container.

use super::{Error, ErrorKind};

/// What a mark asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// What all reserved names begin with.
const RESERVED: &str = "fourfold.primitiv.";

impl Mark {
    /// The mark in the name of a container: a reserved name, or the user's own name if it begins
    /// with a keyword and a dot.
    #[inline]
    pub(super) fn of(name: &'static str) -> Option<Self> {
        // Nearly no name has a dot, and where it is known at compile time, so is the answer.
        let keyword = match name.strip_prefix(RESERVED) {
            Some(keyword) => keyword,
            None => name.split_once('.')?.0,
        };
        match keyword {
            "text" => Some(Mark::Text),
            "named" => Some(Mark::Named),
            _ => None,
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
    pub(super) fn misfit(self, found: &'static str) -> Error {
        Error::placeless(ErrorKind::Mark { mark: self.keyword(), found })
    }
}
