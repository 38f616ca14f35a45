//! What can be wrong with biniou bytes, or with a value that should become some.

mod hint;

use alloc::string::String;

pub(super) use self::hint::{ANY, FLATTEN, NAMES, PAIRS, VALUE, WITHOUT_TABLE};
use super::mark::fitting;
use super::names::HashName;
use crate::count::{Announced, Bytes, Things};
use crate::error::{Category, CommonKind, Hint, Kind};
use crate::glue::mark::MarkMismatch;

/// What is wrong, with the numbers that show it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An error that every format shares.
    #[error(transparent)]
    Common(#[from] CommonKind),

    /// A byte is none of the 18 tags.
    #[error("unknown tag {found}")]
    UnknownTag {
        /// The byte.
        found: u8,
    },
    /// A byte where a chunk or the end of chunks has to begin is neither 1 nor 0.
    #[error("chunk mark is {found}, neither 1 nor 0")]
    ChunkMark {
        /// The byte.
        found: u8,
    },
    /// A vint has more than 128 bits, or does not end.
    #[error("vint is longer than 128 bits")]
    VintRange,
    /// A length or count is beyond what the rest of the input can hold.
    #[error("length {claimed} needs {} or more, {left} left", Bytes(.needed))]
    Length {
        /// The length or count.
        claimed: u128,
        /// Bytes that so much of it takes at least.
        needed: u128,
        /// Bytes after it.
        left: usize,
    },
    /// A bool is a byte of 0 or 1.
    #[error("bool is {found}, neither 0 nor 1")]
    InvalidBool {
        /// The byte.
        found: u8,
    },
    /// A unit is a byte of 0.
    #[error("unit is {found}, not 0")]
    InvalidUnit {
        /// The byte.
        found: u8,
    },
    /// The first bit of a field's hashed name is 1.
    #[error("field tag {found:08x} does not begin with a 1 bit")]
    FieldTag {
        /// The four bytes.
        found: u32,
    },
    /// A reference leads to no shared value.
    #[error("reference {} back leads to no shared value", Bytes(.distance))]
    Reference {
        /// How far back it leads.
        distance: u128,
    },
    /// A reference leads to a shared value that contains it; only `Value` supports that.
    #[error("shared value is part of itself")]
    Cycle,
    /// Shared values, expanded, are far larger than the message.
    #[error("references to shared values expand to more than {limit} bytes")]
    Expansion {
        /// The limit, which grows with the message.
        limit: usize,
    },

    /// All bytes together are a stream of chunks, as `Bi_stream` writes them, where one value was expected.
    #[error("these bytes are a stream of {} and not one value", Things(.count, "chunk"))]
    Chunks {
        /// How many chunks there are.
        count: usize,
    },

    /// A node does not have the requested type.
    #[error("found {found}, expected {expected}")]
    WrongTag {
        /// What was found.
        found: &'static str,
        /// The requested type.
        expected: &'static str,
    },
    /// An option is num_variant 0, with an argument or without.
    #[error("num_variant {number} is no option")]
    NumVariant {
        /// The number.
        number: u8,
    },
    /// A variant's hash is none of the type's.
    #[error("unknown variant {}", HashName::new(*.hash))]
    UnknownVariant {
        /// The hash.
        hash: u32,
    },
    /// A variant lacks its argument or has one too many.
    #[error("variant {name} has {found}")]
    Argument {
        /// The variant's name.
        name: &'static str,
        /// `no argument` or `an argument`.
        found: &'static str,
    },
    /// A type needs the names of fields and variants, and this one is not known.
    #[error("unknown {of} name (hash {})", HashName::new(*.hash))]
    NoName {
        /// `field` or `variant`.
        of: &'static str,
        /// The hash.
        hash: u32,
    },
    /// Two names of one type have the same hash, so that they could not be distinguished.
    #[error("`{first}` and `{second}` have the same hash, {}", HashName::new(*.hash))]
    Collision {
        /// One name.
        first: String,
        /// The other.
        second: String,
        /// The hash of both.
        hash: u32,
    },
    /// A tuple has fewer cells than the type.
    #[error("tuple has {}, the type has more", Things(.found, "cell"))]
    MissingCells {
        /// Cells in the tuple.
        found: usize,
    },

    /// A mark does not fit its value.
    #[error("{}", MarkMismatch(.mark, .found, fitting(.mark)))]
    Mark {
        /// The mark's keyword.
        mark: &'static str,
        /// What the mark is on.
        found: &'static str,
    },
    /// A marked number cannot hold the value exactly.
    #[error("{mark} cannot hold {value} exactly")]
    Inexact {
        /// The mark's keyword.
        mark: &'static str,
        /// The value.
        value: String,
    },
    /// The rows of a TABLE do not all have the same columns in the same order.
    #[error("row {row} of a table differs from the first: {what}")]
    Rows {
        /// Which row.
        row: usize,
        /// What differs.
        what: &'static str,
    },
    /// A TABLE has more rows without columns than could be read back.
    #[error("{rows} rows without columns are more than a reader accepts")]
    EmptyRows {
        /// How many.
        rows: u128,
    },
    /// A map or struct announced another number of items than it contained.
    #[error("{}", Announced(.announced, .given))]
    LengthMismatch {
        /// The announced number.
        announced: usize,
        /// The number of items that came.
        given: usize,
    },
    /// A [`Value`](super::Value) that has no encoding, such as an array of unlike items.
    #[error("this value has no encoding: {0}")]
    InvalidValue(&'static str),
    /// A schema has no type of this name that has values.
    #[error("the schema has no type `{name}`{suggestion}")]
    NoType {
        /// The name.
        name: String,
        /// Similar names, or the names of the first types.
        suggestion: String,
    },
    /// Only OCaml code defines the values of an abstract type.
    #[error("the schema calls this type abstract, so its values are unknown")]
    AbstractType,
    /// An integer is beyond those of OCaml, which have 63 bits.
    #[error("integer is beyond the 63 bits of OCaml")]
    IntRange,
    /// A record lacks a field that the schema or a path requires.
    #[error("field `{name}` is missing")]
    MissingField {
        /// The field's name.
        name: String,
    },
    /// A variant lacks its argument or has one too many, according to a schema.
    #[error("variant {name} has {found}")]
    SchemaArgument {
        /// The variant's name.
        name: String,
        /// `no argument` or `an argument`.
        found: &'static str,
    },
    /// A path leads to an item that does not exist. Offset: of the count.
    #[error("item {index} does not exist: there are {found}, counted from 0")]
    NoItem {
        /// The number of the item.
        index: usize,
        /// How many there are.
        found: usize,
    },
    /// A path leads into an option that is none, or a variant without an argument.
    #[error("there is no value in this option or variant, and the path leads into it")]
    AbsentValue,
    /// A dictionary's text does not follow its grammar.
    #[error("{what}, line {line}")]
    Dictionary {
        /// What is wrong.
        what: String,
        /// Where, counted from 1.
        line: usize,
    },
}

impl ErrorKind {
    /// How a row differs whose field was skipped.
    pub(super) const SKIPPED: &'static str = "a field is skipped";
}

impl crate::error::sealed::Sealed for ErrorKind {
    const STRUCTS_IN_ORDER: bool = cfg!(feature = "any");
}

impl Kind for ErrorKind {
    fn category(&self) -> Category {
        use ErrorKind as E;
        match self {
            E::Common(error) => error.category(),
            // The rest of the input is too short for what it claims.
            E::Length { .. } => Category::Eof,
            E::Expansion { .. } | E::EmptyRows { .. } => Category::Limit,
            E::UnknownTag { .. }
            | E::ChunkMark { .. }
            | E::VintRange
            | E::InvalidBool { .. }
            | E::InvalidUnit { .. }
            | E::FieldTag { .. }
            | E::Reference { .. }
            | E::Cycle
            | E::Dictionary { .. } => Category::Syntax,
            _ => Category::Data,
        }
    }

    fn hint(&self) -> Hint {
        hint::of(self)
    }

    crate::glue::macros::common_methods!();
}
