//! What can be wrong with a schema.

use crate::common::{CommonKind, Location};

/// What is wrong with a schema of Molecule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An error that languages of schemas share.
    #[error(transparent)]
    Common(#[from] CommonKind),
    /// A type is called as the one that is always there.
    #[error("`{name}` is the name of a type that is always there")]
    Reserved {
        /// The name.
        name: String,
    },
    /// Two names differ in nothing but capital letters.
    #[error("type `{name}` differs only in capital letters from `{other}` at {first}")]
    Capitals {
        /// The name.
        name: String,
        /// The name that was there first.
        other: String,
        /// Where the first one is.
        first: Location,
    },
    /// A type has itself inside, at whatever depth and whatever is between.
    #[error("type contains itself: {way}")]
    Recursive {
        /// The types on the way, each inside of the one before it.
        way: String,
    },
    /// Items of arrays and fields of structs have a size that their type fixes.
    #[error("`{name}` has no fixed size, and {holder} takes only types that have one")]
    NotFixed {
        /// The type.
        name: String,
        /// What it is part of: an array or a struct.
        holder: &'static str,
    },
    /// A number of bytes, items or a version is beyond what memory can hold.
    #[error("{what} is too large")]
    TooLarge {
        /// What it is the number of.
        what: &'static str,
    },
    /// An id of a union's item is beyond its 32 bits.
    #[error("id {id} does not fit 32 bits")]
    LargeId {
        /// The id, as far as it is shown.
        id: String,
    },
    /// Two items of a union have one id.
    #[error("id {id} is that of two items")]
    RepeatedId {
        /// The id.
        id: u32,
    },
    /// A type is marked as a number, and cannot be one.
    #[error("`{name}` is not an array of 1 to 32 bytes, so it cannot be a number")]
    NoNumber {
        /// The type.
        name: String,
    },
    /// A comment that begins with `fourfold:` is not known, or is not above a declaration or in its line.
    #[error(
        "a comment `fourfold: ..` is `fourfold: number` or `fourfold: signed number`, once, at the declaration of an \
         array of bytes"
    )]
    UnknownNote,
    /// A text that is in no file imports another one.
    #[error(
        "an import is relative to the file of the schema, and this is a text: read the schema from its file"
    )]
    Import,
    /// A file imports the outermost one.
    #[error("import of the outermost file")]
    Cycle,
    /// Files give different versions of the language.
    #[error("syntax {found} differs from the {expected} of the other files")]
    Syntax {
        /// The version here.
        found: u64,
        /// The version of the files before.
        expected: u64,
    },
}
