//! Kinds of numbers with their tags and marks.

use fourfold::biniou::Tag;
use fourfold::biniou::mark::Mark;

/// How an integer is written. The readers of all but the last three take each other's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Int {
    /// A signed vint, from -2^62 to 2^62 - 1.
    Svint,
    /// An unsigned vint. OCaml writes negative numbers as those from 2^62 to 2^63 - 1.
    Uvint,
    /// One byte, from 0 to 255.
    Int8,
    /// Two bytes, from 0 to 65535.
    Int16,
    /// One byte that OCaml has as a `char`.
    Char,
    /// Four bytes, with a sign.
    Int32,
    /// Eight bytes, with a sign. In JSON a string of digits.
    Int64,
}

/// How a float is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Float {
    /// Four bytes.
    Float32,
    /// Eight bytes.
    Float64,
}

impl Int {
    /// The mark of a Rust type that is written so.
    pub(super) const fn mark(self) -> Mark {
        match self {
            Int::Svint => Mark::Svint,
            Int::Uvint => Mark::Uvint,
            Int::Int8 => Mark::Int8,
            Int::Int16 => Mark::Int16,
            Int::Char => Mark::Char,
            Int::Int32 => Mark::Int32,
            Int::Int64 => Mark::Int64,
        }
    }

    pub(super) const fn tag(self) -> Tag {
        match self {
            Int::Svint => Tag::Svint,
            Int::Uvint => Tag::Uvint,
            Int::Int8 | Int::Char => Tag::Int8,
            Int::Int16 => Tag::Int16,
            Int::Int32 => Tag::Int32,
            Int::Int64 => Tag::Int64,
        }
    }
}

impl Float {
    pub(super) const fn tag(self) -> Tag {
        match self {
            Float::Float32 => Tag::Float32,
            Float::Float64 => Tag::Float64,
        }
    }
}
