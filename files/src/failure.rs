//! Why something could not be done.

use std::io;
use std::path::Path;

/// Why something could not be done: one line.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The arguments make no sense.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be read or written.
    #[error("{name}: {source}")]
    Io {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A file is not in its format.
    #[error("{name}: {text}")]
    Data {
        /// The file.
        name: String,
        /// What, where and at which byte.
        text: String,
    },
    /// A schema is not in its language.
    #[error("{name}: {text}")]
    Schema {
        /// The file.
        name: String,
        /// What and where.
        text: String,
        /// The line that shows it, and a mark below the place. Lines of their own, if there are any.
        picture: String,
    },
    /// Where the answer goes failed, which is standard output in a command.
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

    /// Whether nobody reads standard output any more.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
