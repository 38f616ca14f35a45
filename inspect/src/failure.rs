//! Why something could not be done.

use std::any::Any;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use fourfold::{Error, Fault, Kind, biniou};

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

/// The hint for values of biniou that are nested too deep.
static DEEPER: OnceLock<&'static str> = OnceLock::new();

/// Sets the hint for values of biniou that are nested too deep, for a front end that has an option for them.
///
/// Without it, such errors have no hint.
pub fn set_depth_hint(hint: &'static str) {
    // The first one remains: a process has one front end.
    let _ = DEEPER.set(hint);
}

/// The hint that has been set.
pub(crate) fn deeper() -> Option<&'static str> {
    DEEPER.get().copied()
}

/// The text of an error of the library, as all front ends print it.
///
/// The library's own hint is left out: it names attributes and options of Rust, which the user of a front end does
/// not have. Where the front end has an option instead, the hint names that.
pub fn describe<K: Kind + 'static>(error: &Error<K>) -> String {
    describe_with(error, "")
}

/// The same, with text that belongs before the hint.
pub fn describe_with<K: Kind + 'static>(error: &Error<K>, after: &str) -> String {
    let fact = error.without_hint();
    match depth_hint(error.kind()) {
        Some(hint) => format!("{fact}{after}; {hint}"),
        None => format!("{fact}{after}"),
    }
}

/// What allows the front end to read such values.
pub fn depth_hint<K: Kind + 'static>(kind: &K) -> Option<&'static str> {
    let is_biniou = (kind as &dyn Any).is::<biniou::ErrorKind>();
    match kind.fault() {
        Some(Fault::DepthLimit { limit }) if is_biniou && *limit < u16::MAX => deeper(),
        _ => None,
    }
}
