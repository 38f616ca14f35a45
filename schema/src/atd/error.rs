//! What can be wrong with a schema.

use crate::common::CommonKind;

/// What is wrong with a schema in ATD.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An error that languages of schemas share.
    #[error(transparent)]
    Common(#[from] CommonKind),
    /// A character that no word or sign begins with.
    #[error("no token begins with {found:?}")]
    Character {
        /// The character.
        found: char,
    },
    /// A string is open at the end of the text. Location: where it begins.
    #[error("string without an end")]
    OpenString,
    /// What follows a `\` in a string is none of `\ " ' n r t b`, `xHH`, three digits up to 255 or a line break.
    #[error("no escape of a string")]
    Escape,
    /// An annotation is open at the end of the text. Location: where it begins.
    #[error("annotation without an end")]
    OpenAnnotation,
    /// Types have more types inside each other than people write.
    #[error("types nest deeper than {limit} levels")]
    Depth {
        /// The limit.
        limit: usize,
    },
    /// Imports and names of modules are words of later versions of ATD.
    #[error("atdgen 2.10 has no imports")]
    Import,
    /// A type has the name of one that is always there.
    #[error("`{name}` is the name of a type that is always there")]
    Reserved {
        /// The name.
        name: String,
    },
    /// A type or field has a name that OCaml keeps for itself.
    #[error("`{name}` is a keyword of OCaml")]
    Keyword {
        /// The name.
        name: String,
    },
    /// A type is given more or fewer types than it has parameters.
    #[error("`{name}` takes {} and is given {given}", crate::count::Things(.takes, "type"))]
    Arguments {
        /// The type.
        name: String,
        /// How many it takes.
        takes: usize,
        /// How many it is given.
        given: usize,
    },
    /// A type parameter is none of the definition's.
    #[error("there is no type parameter `'{name}`")]
    Parameter {
        /// Its name.
        name: String,
    },
    /// A record or sum type has two parts of one name.
    #[error("`{name}` is there twice")]
    Repeated {
        /// The name.
        name: String,
    },
    /// What is after `inherit` is no type of the same kind.
    #[error("only a {expected} can be inherited here")]
    Inherit {
        /// `record` or `sum type`.
        expected: &'static str,
    },
    /// A type inherits from itself, or is another name for itself.
    #[error("type is defined by itself")]
    Cyclic,
    /// Types with parameters make ever more types.
    #[error("types with parameters come to no end, or to more than {limit} types")]
    Endless {
        /// How many are made.
        limit: usize,
    },
    /// An annotation is where it means nothing, is there twice, or has no such value.
    #[error("annotation {annotation} {what}")]
    Annotation {
        /// The annotation.
        annotation: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A type is not what the type around it needs.
    #[error("{0}")]
    Unfit(&'static str),
    /// A type has no Rust type, since only OCaml defines what is in it.
    #[error("the content of `abstract` is defined in OCaml: name a Rust type for it")]
    Abstract,
    /// A type has no Rust type, since the file that it is in was not found.
    #[error("types of other modules were not found: {names}")]
    Missing {
        /// All types that are in such files, each with the module.
        names: String,
    },
    /// Two names of one type have one hash, so that the bytes do not distinguish them.
    #[error("`{first}` and `{second}` have the same hash, #{hash:08x}; rename one of them")]
    Collision {
        /// One name.
        first: String,
        /// The other.
        second: String,
        /// The hash of both.
        hash: u32,
    },
}
