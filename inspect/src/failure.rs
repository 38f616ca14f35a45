//! Errors, and their text.

use std::any::Any;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use fourfold::{CommonKind, Error, Kind, biniou};

use crate::hints::{hints, with_hint};

/// An error, with a message of one line.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Invalid arguments.
    #[error("{0}")]
    Usage(String),
    /// A file could not be read or written.
    #[error("{name}: {source}")]
    Io {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A file is not valid in its format.
    #[error("{name}: {text}")]
    Data {
        /// The file.
        name: String,
        /// What is wrong, the path, and the byte offset.
        text: String,
    },
    /// A graph cannot be converted.
    #[error("{name}: {text}")]
    Refused {
        /// The file.
        name: String,
        /// A line for each node that is refused.
        nodes: Vec<String>,
        /// How many there are, and what may help.
        text: String,
    },
    /// A schema has a syntax error.
    #[error("{name}: {text}")]
    Schema {
        /// The file.
        name: String,
        /// What is wrong, and where.
        text: String,
        /// The line of the schema, with a marker below the error. Empty if there is none.
        picture: String,
    },
    /// Writing the output failed: standard output, for the command.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    pub fn io(path: &Path, source: io::Error) -> Self {
        Failure::Io { name: path.display().to_string(), source }
    }

    pub fn data(name: &str, error: impl std::fmt::Display) -> Self {
        Failure::Data { name: name.into(), text: error.to_string() }
    }

    /// Whether the reader of standard output has closed the pipe.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The hint for biniou values that are nested too deep.
static DEEPER: OnceLock<&'static str> = OnceLock::new();

/// The fact that files of a format without types are valid only by a schema, with a hint.
pub fn unchecked() -> String {
    with_hint(UNCHECKED, hints().schema)
}

/// What the reader of a format without types reports.
const UNCHECKED: &str = "cannot be checked without a schema that has its type";

/// Sets the hint for biniou values that are nested too deep, for a front end with an option to allow them.
///
/// Without it, such errors have no hint.
pub fn set_depth_hint(hint: &'static str) {
    // The first one remains: a process has one front end.
    let _ = DEEPER.set(hint);
}

/// The hint set by [`set_depth_hint`].
pub(crate) fn deeper() -> Option<&'static str> {
    DEEPER.get().copied()
}

/// The text of an error of the library, as all front ends print it.
///
/// Omits the library's own hint, which names Rust attributes and options. If the front end has an option instead, the
/// hint names that option.
pub fn describe<K: Kind + 'static>(error: &Error<K>) -> String {
    describe_with(error, "")
}

/// Like [`describe`], with `after` before the hint.
pub fn describe_with<K: Kind + 'static>(error: &Error<K>, after: &str) -> String {
    let fact = error.without_hint();
    match depth_hint(error.kind()) {
        Some(hint) => format!("{fact}{after}; {hint}"),
        None => format!("{fact}{after}"),
    }
}

/// The hint for an error of the depth limit, if the front end has set one.
pub fn depth_hint<K: Kind + 'static>(kind: &K) -> Option<&'static str> {
    let is_biniou = (kind as &dyn Any).is::<biniou::ErrorKind>();
    match kind.common() {
        Some(CommonKind::DepthLimit { limit }) if is_biniou && *limit < u16::MAX => deeper(),
        _ => None,
    }
}
