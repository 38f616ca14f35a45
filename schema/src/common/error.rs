//! What is wrong with a schema, and where.

use core::fmt;

use super::Location;

/// What is wrong with a schema, with the place and the line that show it.
///
/// `K` is the language's own `ErrorKind`. The text is one line: the kind, then `at` and the
/// [`Location`], if there is one.
pub struct Error<K> {
    inner: Box<Inner<K>>,
}

struct Inner<K> {
    kind: K,
    /// Unknown of a file that cannot be read.
    location: Option<Location>,
    line: String,
}

/// Errors that languages of schemas share.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommonKind {
    /// Something else is expected here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What is expected here.
        expected: &'static str,
        /// What is here.
        found: String,
    },
    /// A comment is open at the end of the text. Location: where it begins.
    #[error("comment without an end")]
    OpenComment,
    /// No type has this name.
    #[error("there is no type `{name}`")]
    Undeclared {
        /// The name.
        name: String,
    },
    /// Two types have this name.
    #[error("type `{name}` is declared twice, first at {first}")]
    Redeclared {
        /// The name.
        name: String,
        /// Where the first one is.
        first: Location,
    },
    /// A file is outside of the folder that schemas may be read from.
    #[error("{path} is outside of the folder that schemas are read from")]
    Outside {
        /// The file.
        path: String,
    },
    /// A file cannot be read, or is no text.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// The message of the operating system.
        reason: String,
    },
}

/// So many characters of a line are kept to show it.
const LONGEST_LINE: usize = 400;

impl<K> Error<K> {
    /// `line` is the one that `location` is in.
    #[cold]
    pub(crate) fn new(kind: impl Into<K>, location: Location, line: &str) -> Self {
        let line = line.chars().take(LONGEST_LINE).collect();
        Error { inner: Box::new(Inner { kind: kind.into(), location: Some(location), line }) }
    }

    /// One that is about a text as a whole.
    #[cold]
    pub(crate) fn placeless(kind: impl Into<K>) -> Self {
        let inner = Inner { kind: kind.into(), location: None, line: String::new() };
        Error { inner: Box::new(inner) }
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &K {
        &self.inner.kind
    }

    /// Where, unless it is about a text as a whole.
    #[must_use]
    pub fn location(&self) -> Option<&Location> {
        self.inner.location.as_ref()
    }

    /// The line that is wrong, to show it; the first 400 characters of a longer one.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.inner.line
    }
}

impl<K: fmt::Display> fmt::Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, location, .. } = &*self.inner;
        match location {
            Some(location) => write!(f, "{kind} at {location}"),
            None => write!(f, "{kind}"),
        }
    }
}

impl<K: fmt::Display> fmt::Debug for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K: fmt::Display> core::error::Error for Error<K> {}
