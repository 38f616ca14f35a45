//! Marks: layout attributes in the names of serde containers, as a type shows them to a `Deserializer`.
//!
//! For programs that find out the layout of a Rust type without a value of it, as `fourfold-schema` does. A mark is in
//! the name of a newtype struct, which is the one of a `with` module or begins with a keyword and a dot.
//!
//! ```
//! use fourfold::biniou::mark::{Mark, Target};
//!
//! assert_eq!(Mark::one_of(None, "int8.Level")?, Some(Mark::Int8));
//! assert_eq!(Mark::one_of(None, "Level")?, None);
//! assert!(Mark::Int8.check(Target::Integer).is_ok());
//!
//! let error = Mark::Int8.check(Target::Text).unwrap_err();
//! assert_eq!(error.without_hint().to_string(), "the mark `int8` fits integers and lists of them, not text");
//! # Ok::<(), fourfold::biniou::Error>(())
//! ```
// Functions that compare names are always inlined: names are constants in the types of users, so that the comparisons
// disappear.

use alloc::format;
use core::fmt;

pub use super::raw::is_reserved as is_lazy;
use super::{Error, ErrorKind, Result, raw};
use crate::glue::mark::{self, ANY, TWO_MARKS};

/// A layout rule for one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// An integer as int8.
    Int8,
    /// An integer as int16.
    Int16,
    /// An integer as int32.
    Int32,
    /// An integer as int64.
    Int64,
    /// An integer as uvint.
    Uvint,
    /// An integer as svint.
    Svint,
    /// A float as float32.
    Float32,
    /// A character as int8.
    Char,
    /// A list of records as TABLE.
    Table,
    /// A field that is left out for `None` and bare for `Some`.
    Optional,
    /// A value that references may lead to.
    Shared {
        /// Whether it has a single holder.
        once: bool,
    },
}

/// What a mark is on, as serde shows it. Options and newtype structs are what is in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A `bool`.
    Bool,
    /// An integer of any width.
    Integer,
    /// A float of either width.
    Float,
    /// A `char`.
    Char,
    /// A string.
    Text,
    /// Bytes.
    Bytes,
    /// `()`.
    Unit,
    /// A unit struct.
    UnitStruct,
    /// A sequence of any length.
    Sequence,
    /// A tuple or array.
    Tuple,
    /// A tuple struct.
    TupleStruct,
    /// A map.
    Map,
    /// A struct.
    Struct,
    /// An enum.
    Enum,
    /// A value under `with::any`.
    Any,
    /// A lazy value.
    Raw,
    /// A row of a table.
    Row,
    /// A list that is no table, by what errors call it.
    ListOf(&'static str),
}

impl Target {
    /// What errors call it.
    const fn name(self) -> &'static str {
        match self {
            Target::Bool => "a bool",
            Target::Integer => "an integer",
            Target::Float => "a float",
            Target::Char => "a char",
            Target::Text => "text",
            Target::Bytes => "bytes",
            Target::Unit => "a unit",
            Target::UnitStruct => "a unit struct",
            Target::Sequence => "a sequence",
            Target::Tuple => "a tuple or array",
            Target::TupleStruct => "a tuple struct",
            Target::Map => "a map",
            Target::Struct => "a struct",
            Target::Enum => "an enum",
            Target::Any => "a value that is marked `any`",
            Target::Raw => "a lazy value",
            Target::Row => "a row of a table",
            Target::ListOf(name) => name,
        }
    }

    /// What errors call a list of such values.
    pub(super) const fn list(self) -> &'static str {
        match self {
            Target::Bool => "a sequence of bools",
            Target::Integer => "a sequence of integers",
            Target::Float => "a sequence of floats",
            Target::Char => "a sequence of chars",
            Target::Text => "a sequence of texts",
            Target::Bytes => "a sequence of byte strings",
            Target::Unit | Target::UnitStruct => "a sequence of units",
            Target::Sequence => "a sequence of sequences",
            Target::Tuple => "a sequence of tuples",
            Target::TupleStruct => "a sequence of tuple structs",
            Target::Map => "a sequence of maps",
            Target::Enum => "a sequence of enums",
            other => other.name(),
        }
    }
}

/// The reserved names of the newtype structs of `with`.
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

/// What the name of a user's own newtype struct may begin with, before a dot. In the order of the codes.
/// [`may_be_mark`] has the first bytes of each.
const WORDS: &[&str] = &[
    "int8", "int16", "int32", "int64", "uvint", "svint", "float32", "char", "table", "optional",
    "shared",
];

/// Whether a name begins like a mark, by its first bytes alone. They are compared for every
/// struct, and if the name is known at compile time, nothing is left of it.
#[cfg_attr(not(debug_assertions), inline(always))]
const fn may_be_mark(name: &[u8]) -> bool {
    matches!(
        name,
        [b'i', b'n', b't', ..]
            | [b'u' | b's', b'v', b'i', ..]
            | [b'f', b'l', b'o', ..]
            // The reserved names of this format, not those of others.
            | [b'f', b'o', b'u', b'r', _, _, _, _, _, b'b', ..]
            | [b'c', b'h', b'a', ..]
            | [b't', b'a', b'b', ..]
            | [b'o', b'p', b't', ..]
            | [b's', b'h', b'a', ..]
    )
}

/// The error for `any` on a value that has another mark, or where none may be.
#[cold]
fn any_mismatch(found: &'static str) -> Error {
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
            // A serializer that supports `any` here has handled it before.
            None if name == ANY => Err(any_mismatch(TWO_MARKS)),
            None if raw::is_reserved(name) => {
                Err(Error::placeless(ErrorKind::Mark { mark: "raw", found: TWO_MARKS }))
            }
            None => mark::check_markable(name, WORDS).map(|()| None),
            own => Ok(own),
        }
    }

    /// The mark of a newtype struct, whose surroundings may have one for it already.
    ///
    /// # Errors
    ///
    /// `Mark` for two different marks; those of names that are nearly marks.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn one_of(outer: Option<Self>, name: &'static str) -> Result<Option<Self>> {
        let own = Self::of_newtype(name)?;
        match (own, outer) {
            (Some(mark), Some(other)) if mark != other => Err(mark.misplaced(TWO_MARKS)),
            _ => Ok(own.or(outer)),
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
            // A newtype struct owns its value, so no other value shares it.
            "shared" => Mark::Shared { once: is_own },
            "shared_once" => Mark::Shared { once: true },
            _ => return None,
        })
    }

    /// Refuses a mark in the name of a container that is no newtype struct.
    ///
    /// # Errors
    ///
    /// `Mark`; those of names that are nearly marks.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn refuse(name: &'static str, target: Target) -> Result<()> {
        match may_be_mark(name.as_bytes()) {
            false if name == ANY => Err(any_mismatch(target.name())),
            false => mark::check(name, WORDS),
            true => Self::refuse_keyword(name, target.name()),
        }
    }

    #[cold]
    #[inline(never)]
    fn refuse_keyword(name: &'static str, found: &'static str) -> Result<()> {
        match Mark::of_name(name) {
            None if name == ANY => Err(any_mismatch(found)),
            None => mark::check(name, WORDS),
            Some(mark) => Err(mark.misplaced(found)),
        }
    }

    /// The keyword, which is also the name of the `with` module.
    #[must_use]
    pub const fn keyword(self) -> &'static str {
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

    /// Whether the mark fits such a value. Lists pass the mark of a number or char on to each item.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn fits(self, target: Target) -> bool {
        let is_list = matches!(target, Target::Sequence | Target::Tuple | Target::TupleStruct);
        match self {
            Mark::Int8 | Mark::Int16 | Mark::Int32 | Mark::Int64 | Mark::Uvint | Mark::Svint => {
                is_list || matches!(target, Target::Integer)
            }
            Mark::Float32 => is_list || matches!(target, Target::Float),
            Mark::Char => is_list || matches!(target, Target::Char),
            Mark::Table => matches!(target, Target::Sequence | Target::Tuple),
            // Options and newtype structs look at these themselves.
            Mark::Optional | Mark::Shared { .. } => false,
        }
    }

    /// Whether there is no mark, or it fits such a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn allows(mark: Option<Self>, target: Target) -> bool {
        match mark {
            None => true,
            Some(mark) => mark.fits(target),
        }
    }

    /// Refuses the mark on a value that it does not fit.
    ///
    /// # Errors
    ///
    /// `Mark`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn check(self, target: Target) -> Result<()> {
        match self.fits(target) {
            true => Ok(()),
            false => Err(self.mismatch(target)),
        }
    }

    /// The mark of the value in an option, by that of the option.
    #[must_use]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn in_option(mark: Option<Self>) -> Option<Self> {
        mark.filter(|mark| *mark != Mark::Optional)
    }

    /// A number for a mark or none, which fits a byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn to_code(mark: Option<Self>) -> u8 {
        match mark {
            None => 0,
            Some(Mark::Int8) => 1,
            Some(Mark::Int16) => 2,
            Some(Mark::Int32) => 3,
            Some(Mark::Int64) => 4,
            Some(Mark::Uvint) => 5,
            Some(Mark::Svint) => 6,
            Some(Mark::Float32) => 7,
            Some(Mark::Char) => 8,
            Some(Mark::Table) => 9,
            Some(Mark::Optional) => 10,
            Some(Mark::Shared { once: false }) => 11,
            Some(Mark::Shared { once: true }) => 12,
        }
    }

    /// The mark of such a number.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => Mark::Int8,
            2 => Mark::Int16,
            3 => Mark::Int32,
            4 => Mark::Int64,
            5 => Mark::Uvint,
            6 => Mark::Svint,
            7 => Mark::Float32,
            8 => Mark::Char,
            9 => Mark::Table,
            10 => Mark::Optional,
            11 => Mark::Shared { once: false },
            12 => Mark::Shared { once: true },
            _ => return None,
        })
    }

    /// The error for a mark on a value that it does not fit.
    #[must_use]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn mismatch(self, target: Target) -> Error {
        self.misplaced(target.name())
    }

    /// The error for a number that the mark cannot hold.
    #[cold]
    pub(super) fn inexact(self, value: &dyn fmt::Debug) -> Error {
        let (mark, value) = (self.keyword(), format!("{value:?}"));
        Error::placeless(ErrorKind::Inexact { mark, value })
    }

    #[cold]
    fn misplaced(self, found: &'static str) -> Error {
        Error::placeless(ErrorKind::Mark { mark: self.keyword(), found })
    }
}

/// What a mark fits, in the words of errors.
pub(super) fn fitting(keyword: &str) -> &'static str {
    match keyword {
        "float32" => "floats and lists of them",
        "char" => "chars and lists of them",
        "table" => "lists of records",
        "optional" => "options in records",
        "shared" | "any" => "newtype structs",
        _ => "integers and lists of them",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_has_a_code_and_a_keyword_of_its_own() {
        let mut keywords = alloc::vec::Vec::new();
        for code in 0..=u8::MAX {
            let mark = Mark::from_code(code);
            assert_eq!(Mark::to_code(mark), if mark.is_some() { code } else { 0 });
            keywords.extend(mark.map(Mark::keyword));
        }
        keywords.dedup();
        assert_eq!(keywords, WORDS);
    }

    #[test]
    fn each_keyword_before_a_dot_is_its_mark() {
        for word in WORDS {
            let name = alloc::format!("{word}.Name").leak();
            let mark = Mark::of_newtype(name).unwrap().unwrap();
            assert_eq!(mark.keyword(), *word);
        }
    }

    #[test]
    fn the_shared_list_has_all_words() {
        assert!(WORDS.iter().all(|word| mark::WORDS.contains(word)));
    }
}
