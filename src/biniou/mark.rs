//! Marks: how a type says what serde cannot. A mark is part of a serde container's name.
//! Knows names, does not know bytes.

use super::{Error, ErrorKind, Result};
use crate::glue::mark::{self, ANY, TWO_MARKS};

/// A rule for the one value it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Int8,
    Int16,
    Int32,
    Int64,
    Uvint,
    Svint,
    Float32,
    /// A character as int8.
    Char,
    /// A list of records as TABLE.
    Table,
    /// A field that is left out for `None` and bare for `Some`.
    Optional,
    /// A value that may be referred to again; `once` if nobody else holds it.
    Shared {
        once: bool,
    },
}

/// Reserved names: those of the newtype structs that `with` makes.
pub(super) const INT8: &str = "fourfold.biniou.int8";
pub(super) const INT16: &str = "fourfold.biniou.int16";
pub(super) const INT32: &str = "fourfold.biniou.int32";
pub(super) const INT64: &str = "fourfold.biniou.int64";
pub(super) const UVINT: &str = "fourfold.biniou.uvint";
pub(super) const SVINT: &str = "fourfold.biniou.svint";
pub(super) const FLOAT32: &str = "fourfold.biniou.float32";
pub(super) const CHAR: &str = "fourfold.biniou.char";
pub(super) const TABLE: &str = "fourfold.biniou.table";
pub(super) const OPTIONAL: &str = "fourfold.biniou.optional";
pub(super) const SHARED: &str = "fourfold.biniou.shared";
/// As [`SHARED`], of a value that has one holder: its address may serve another value next.
pub(super) const SHARED_ONCE: &str = "fourfold.biniou.shared_once";

/// What all reserved names begin with.
const RESERVED: &str = "fourfold.biniou.";

/// What the name of a user's own newtype struct may begin with, in front of a dot.
const WORDS: &[&str] = &[
    "int8", "int16", "int32", "int64", "uvint", "svint", "float32", "char", "table", "optional",
    "shared",
];

/// Whether a name begins as a mark does, by its first bytes alone: these are compared for every
/// struct, and where the name is known at compile time, not at all.
/// (Looking for the dot in every name took 18 % of writing a mesh; `bench --data mesh`.)
#[cfg_attr(not(debug_assertions), inline(always))]
const fn may_be_mark(name: &[u8]) -> bool {
    matches!(
        name,
        [b'i', b'n', b't', ..]
            | [b'u' | b's', b'v', b'i', ..]
            | [b'f', b'l' | b'o', b'o' | b'u', ..]
            | [b'c', b'h', b'a', ..]
            | [b't', b'a', b'b', ..]
            | [b'o', b'p', b't', ..]
            | [b's', b'h', b'a', ..]
    )
}

/// The error for `any` on a value that has another mark, or where none may be.
#[cold]
fn any_misfit(found: &'static str) -> Error {
    Error::placeless(ErrorKind::Mark { mark: "any", found })
}

impl Mark {
    /// The mark in the name of a newtype struct: a reserved name, or the user's own name if it
    /// begins with a keyword and a dot.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of_newtype(name: &'static str) -> Result<Option<Self>> {
        let own = match may_be_mark(name.as_bytes()) {
            false => None,
            true => Self::of_name(name),
        };
        match own {
            // Who knows what to do with it has done so.
            None if name == ANY => Err(any_misfit(TWO_MARKS)),
            None => mark::check(name, WORDS).map(|()| None),
            own => Ok(own),
        }
    }

    #[inline]
    fn of_name(name: &'static str) -> Option<Self> {
        let (keyword, is_own) = match name.strip_prefix(RESERVED) {
            Some(keyword) => (keyword, false),
            None => (name.split_once('.')?.0, true),
        };
        Some(match keyword {
            "int8" => Mark::Int8,
            "int16" => Mark::Int16,
            "int32" => Mark::Int32,
            "int64" => Mark::Int64,
            "uvint" => Mark::Uvint,
            "svint" => Mark::Svint,
            "float32" => Mark::Float32,
            "char" => Mark::Char,
            "table" => Mark::Table,
            "optional" => Mark::Optional,
            // A newtype struct holds its value itself, so that nobody else does.
            "shared" => Mark::Shared { once: is_own },
            "shared_once" => Mark::Shared { once: true },
            _ => return None,
        })
    }

    /// Refuses a mark in the name of a container that is no newtype struct.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn refuse(name: &'static str, found: &'static str) -> Result<()> {
        match may_be_mark(name.as_bytes()) {
            false if name == ANY => Err(any_misfit(found)),
            false => mark::check(name, WORDS),
            true => Self::refuse_keyword(name, found),
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse_keyword(name: &'static str, found: &'static str) -> Result<()> {
        match Mark::of_name(name) {
            None if name == ANY => Err(any_misfit(found)),
            None => mark::check(name, WORDS),
            Some(mark) => Err(mark.misfit(found)),
        }
    }

    /// Whether the name of a container that is no newtype struct has nothing to do with marks.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_none_in(name: &'static str) -> bool {
        Mark::refuse(name, "").is_ok()
    }

    /// The keyword, as errors name it.
    pub(super) const fn keyword(self) -> &'static str {
        match self {
            Mark::Int8 => "int8",
            Mark::Int16 => "int16",
            Mark::Int32 => "int32",
            Mark::Int64 => "int64",
            Mark::Uvint => "uvint",
            Mark::Svint => "svint",
            Mark::Float32 => "float32",
            Mark::Char => "char",
            Mark::Table => "table",
            Mark::Optional => "optional",
            Mark::Shared { .. } => "shared",
        }
    }

    /// The error for a mark on a value that it does not fit.
    #[cold]
    pub(super) fn misfit(self, found: &'static str) -> Error {
        Error::placeless(ErrorKind::Mark { mark: self.keyword(), found })
    }
}
