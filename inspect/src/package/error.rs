//! Errors in the bytes of a package.

use fourfold::{Category, CommonKind, Kind, Sealed};

use crate::write::hex::cells;

/// An error in the bytes of a package, with its path and offset.
pub type Error = fourfold::Error<ErrorKind>;

/// What is wrong with the bytes of a package.
#[derive(Debug, thiserror::Error)]
pub enum ErrorKind {
    /// An error that every format shares.
    #[error(transparent)]
    Common(#[from] CommonKind),
    /// The file does not begin with the mark of packages.
    #[error("not a package: the first bytes are {}, not 29 09 91 19", cells(.found, usize::MAX))]
    Mark { found: [u8; 4] },
    /// A key that is not UTF-8.
    #[error("key is not UTF-8; write the package again, with keys in UTF-8")]
    Key,
    /// A tag that selects no type.
    #[error("unknown tag {found}")]
    Tag { found: u8 },
    /// A length or count below zero.
    #[error("length {found} is negative")]
    Negative { found: i32 },
    /// More items than the rest of the file can hold.
    #[error("{claimed} items need at least {needed} bytes, {left} left")]
    Count { claimed: usize, needed: usize, left: usize },
    /// The byte of nil, which has no meaning.
    #[error("nil is {found}, not 0")]
    Nil { found: u8 },
    /// A byte that is no bool.
    #[error("bool is {found}, neither 0 nor 1")]
    Bool { found: u8 },
    /// A key that was in the dict before.
    #[error("duplicate key")]
    DuplicateKey,
}

impl Sealed for ErrorKind {}

impl Kind for ErrorKind {
    fn category(&self) -> Category {
        match self {
            ErrorKind::Common(error) => error.category(),
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
