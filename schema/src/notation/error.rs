//! What can be wrong with a text of the notation, with bytes it describes, or with a tree.

use fourfold::{Category, CommonKind, Kind, Sealed};

use super::{Builtin, Tree};

/// What is wrong, with the names and numbers that show it.
///
/// Of a text, the offset is that of the first wrong byte of the text, and there is no path. Of
/// bytes, both are those of the bytes. Of a tree there is a path alone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An error that every format shares.
    #[error(transparent)]
    Common(#[from] CommonKind),

    /// A character that the notation does not have.
    #[error("{found:?} is no character of the notation")]
    Character {
        /// The character.
        found: char,
    },
    /// A number is too large to be counted with.
    #[error("number is beyond 63 bits")]
    NumberTooLarge,
    /// Another token than the grammar expects.
    #[error("{expected} expected, {found} found")]
    Unexpected {
        /// What the grammar wants.
        expected: &'static str,
        /// What is there.
        found: Box<str>,
    },
    /// A type is neither built in nor declared.
    #[error("unknown type `{name}`")]
    UnknownType {
        /// The type.
        name: Box<str>,
    },
    /// A type is built in, or declared before.
    #[error("type `{name}` is declared already")]
    DuplicateType {
        /// The type.
        name: Box<str>,
    },
    /// A field of this name is before it in the same structure.
    #[error("field `{name}` is there already")]
    DuplicateField {
        /// The field.
        name: Box<str>,
    },
    /// A type contains itself, not in an array whose count can be 0: no input is long enough.
    #[error("type `{name}` never ends")]
    Endless {
        /// The type.
        name: Box<str>,
    },
    /// A function that the notation does not have.
    #[error("unknown function `{name}`")]
    UnknownFunction {
        /// The function.
        name: Box<str>,
    },
    /// No field of the whole text has this name.
    #[error("no field is named `{name}`")]
    UnknownName {
        /// The name.
        name: Box<str>,
    },

    /// No field of this name is before the expression's own, nor in a structure around it.
    #[error("no field `{name}` before this one")]
    Unresolved {
        /// The name.
        name: Box<str>,
    },
    /// A value has no member of this name.
    #[error("{found} has no field `{name}`")]
    NoMember {
        /// What the value is.
        found: &'static str,
        /// The name.
        name: Box<str>,
    },
    /// An array has no such item, or the value is no array.
    #[error("{found} of {len} items has no item {index}")]
    NoItem {
        /// What the value is.
        found: &'static str,
        /// How many items there are.
        len: usize,
        /// The index requested.
        index: i64,
    },
    /// An expression counts with something that is no integer.
    #[error("{found} is no integer")]
    NotInteger {
        /// What it is.
        found: &'static str,
    },
    /// `prod` and `sum` take an array of integers.
    #[error("{found} is no array of integers")]
    NotIntegers {
        /// What it is.
        found: &'static str,
    },
    /// A result of an expression is beyond 64 bits.
    #[error("result is beyond 64 bits")]
    Overflow,
    /// An expression divides by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// `type_bytes` of a number that is no dtype.
    #[error("unknown dtype {code}")]
    DType {
        /// The number.
        code: i64,
    },
    /// An array would have less than no items.
    #[error("count {found} is negative")]
    NegativeCount {
        /// The count.
        found: i64,
    },
    /// There are too many structures and items that take no bytes, or too many arrays without items.
    #[error("more than {limit} values of zero bytes")]
    ZeroBytes {
        /// How many are accepted.
        limit: usize,
    },

    /// A tree has something else than the notation at some place.
    #[error("{expected} expected, {found} found")]
    Mismatch {
        /// What the notation has.
        expected: &'static str,
        /// What the tree has.
        found: &'static str,
    },
    /// A structure of a tree has more or fewer fields than the notation.
    #[error("{expected} fields expected, {found} found")]
    FieldCount {
        /// Fields in the notation.
        expected: usize,
        /// Fields in the tree.
        found: usize,
    },
    /// A field of a tree has another name than in the notation.
    #[error("field `{expected}` expected, `{found}` found")]
    FieldName {
        /// The name in the notation.
        expected: Box<str>,
        /// The name in the tree.
        found: Box<str>,
    },
    /// An array of a tree has another length than its count in the notation.
    #[error("count is {expected}, but the array has {found} items")]
    ItemCount {
        /// The count.
        expected: i64,
        /// Items in the tree.
        found: usize,
    },
    /// An integer of a tree does not fit the type.
    #[error("{found} does not fit {builtin}")]
    Range {
        /// The integer.
        found: i64,
        /// The type.
        builtin: Builtin,
    },
}

impl ErrorKind {
    #[cold]
    pub(super) fn mismatch(expected: &'static str, found: &Tree<'_>) -> Self {
        ErrorKind::Mismatch { expected, found: found.kind() }
    }
}

impl Sealed for ErrorKind {}

impl Kind for ErrorKind {
    fn category(&self) -> Category {
        use ErrorKind as E;
        match self {
            E::Common(error) => error.category(),
            E::ZeroBytes { .. } => Category::Limit,
            E::Mismatch { .. }
            | E::FieldCount { .. }
            | E::FieldName { .. }
            | E::ItemCount { .. }
            | E::Range { .. } => Category::Data,
            _ => Category::Syntax,
        }
    }

    fn common(&self) -> Option<&CommonKind> {
        match self {
            ErrorKind::Common(error) => Some(error),
            _ => None,
        }
    }

    fn into_common(self) -> Option<CommonKind> {
        match self {
            ErrorKind::Common(error) => Some(error),
            _ => None,
        }
    }
}
