//! What can be wrong with a text of the notation, with bytes it describes, or with a tree.

use std::borrow::Cow;
use std::{fmt, io};

use fourfold::{Category, CommonKind, Path, Segment};

use super::Builtin;

/// What is wrong, with the names and numbers that show it.
///
/// Of a text, the offset is that of the first wrong byte of the text, and there is no path. Of
/// bytes, both say where in the bytes. Of a tree there is a path alone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A error that every format shares.
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
    /// Something else stands where the grammar wants one thing.
    #[error("{expected} expected, {found} found")]
    Unexpected {
        /// What the grammar wants.
        expected: &'static str,
        /// What stands there.
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
    /// A field of this name stands in front of it in the same structure.
    #[error("field `{name}` is there already")]
    DuplicateField {
        /// The field.
        name: Box<str>,
    },
    /// A type holds itself, not in an array whose count could be 0: no bytes are long enough.
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

    /// No field of this name stands in front of the one that asks, nor in a structure around it.
    #[error("no field `{name}` in front of this one")]
    Unresolved {
        /// The name.
        name: Box<str>,
    },
    /// A member is asked of something that has none of this name.
    #[error("{found} has no field `{name}`")]
    NoMember {
        /// What it is asked of.
        found: &'static str,
        /// The name.
        name: Box<str>,
    },
    /// An array has no such item, or what is no array was asked for one.
    #[error("{found} of {len} items has no item {index}")]
    NoItem {
        /// What it is asked of.
        found: &'static str,
        /// How many items there are.
        len: usize,
        /// The index asked for.
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
    /// What a caller branches on.
    #[must_use]
    pub fn category(&self) -> Category {
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
}

/// What went wrong: at which byte of the text, or at which byte and in which field of the data.
///
/// One pointer wide. Its text is one line: the kind, then `in` and the path, then `at byte` and the offset, as far as
/// they are known, and the fix after a semicolon if there is one.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    offset: Option<usize>,
    path: Path,
}

impl Error {
    #[cold]
    pub(super) fn at(kind: impl Into<ErrorKind>, offset: usize) -> Self {
        let error = Error::placeless(kind);
        Error(Box::new(Inner { offset: Some(offset), ..*error.0 }))
    }

    /// An error of encoding: it concerns no byte.
    #[cold]
    pub(super) fn placeless(kind: impl Into<ErrorKind>) -> Self {
        Error(Box::new(Inner { kind: kind.into(), offset: None, path: Path::default() }))
    }

    /// Adds the step into the field where the error happened. Called on the way outwards.
    #[cold]
    pub(super) fn inside(mut self, segment: Segment) -> Self {
        self.0.path.push_outer(segment);
        self
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Which byte is wrong, counted from the start of the text or of the data. `None` for errors of encoding.
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// In which field it is. Empty for errors of a text.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// What a caller branches on.
    #[must_use]
    pub fn category(&self) -> Category {
        self.0.kind.category()
    }

    /// The fix, which the error's text ends with, if there is one.
    #[must_use]
    pub fn hint(&self) -> Option<Cow<'static, str>> {
        match &self.0.kind {
            ErrorKind::Common(error) => error.hint(),
            _ => None,
        }
    }

    /// Whether the data ends too early: more bytes might make it good.
    #[must_use]
    pub fn is_eof(&self) -> bool {
        self.category() == Category::Eof
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, offset, path } = &*self.0;
        write!(f, "{kind}")?;
        if !path.is_empty() {
            write!(f, " in {path}")?;
        }
        if let Some(offset) = offset {
            write!(f, " at byte {offset}")?;
        }
        match self.hint() {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

impl From<CommonKind> for Error {
    fn from(error: CommonKind) -> Self {
        Error::placeless(error)
    }
}

/// Data that ends early becomes `UnexpectedEof`, everything else `InvalidData`.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match error.is_eof() {
            true => io::ErrorKind::UnexpectedEof,
            false => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, error)
    }
}
