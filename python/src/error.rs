//! Converts errors of the library to Python exceptions.

use std::fmt::{self, Debug};
use std::io;
use std::path::Path;

use fourfold::{Category, Error, Kind, Segment};
use fourfold_inspect::failure::{Failure, describe};
use pyo3::exceptions::{PyOSError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use serde::de::{Expected, Unexpected};

/// A class of the package's Python modules, imported once.
pub(crate) fn class<'py>(
    py: Python<'py>,
    cell: &PyOnceLock<Py<PyType>>,
    module: &str,
    name: &str,
) -> PyResult<Bound<'py, PyType>> {
    cell.import(py, module, name).cloned()
}

/// A `DecodeError` of a read error.
pub(crate) fn decode<K: Kind + 'static>(py: Python<'_>, error: &Error<K>) -> PyErr {
    decode_by(py, error, |segment| segment)
}

/// A `DecodeError` with a hint of the Python function.
pub(crate) fn decode_with_hint<K: Kind + 'static>(
    py: Python<'_>,
    error: &Error<K>,
    hint: &str,
) -> PyErr {
    decode_named(py, error, |segment| segment, Some(hint))
}

/// A `DecodeError` whose path segments are renamed by `name`.
pub(crate) fn decode_by<K: Kind + 'static>(
    py: Python<'_>,
    error: &Error<K>,
    name: impl Fn(Segment) -> Segment,
) -> PyErr {
    decode_named(py, error, name, None)
}

fn decode_named<K: Kind + 'static>(
    py: Python<'_>,
    error: &Error<K>,
    name: impl Fn(Segment) -> Segment,
    hint: Option<&str>,
) -> PyErr {
    let kind = match error.kind().common() {
        Some(error) => variant(error),
        None => variant(error.kind()),
    };
    let category = match error.category() {
        Category::Io => "io",
        Category::Eof => "eof",
        Category::Syntax => "syntax",
        Category::Limit => "limit",
        _ => "data",
    };
    let old = error.path().to_string();
    let path: fourfold::Path = error.path().segments().cloned().map(name).collect();
    let path = path.to_string();
    let text = describe(error).replacen(&format!(" in {old}"), &format!(" in {path}"), 1);
    let text = match hint {
        Some(hint) => format!("{text}; {hint}"),
        None => text,
    };
    decode_error(py, (text, error.offset(), path, kind, category))
}

/// The exception for a failure of `fourfold-inspect`.
pub(crate) fn failed(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Io { name, source } => io_error(source, Path::new(&name)),
        Failure::Output(error) => error.into(),
        Failure::Data { .. } => {
            let text = failure.to_string();
            decode_error(py, (text, None, String::new(), "Data".to_owned(), "data"))
        }
        Failure::Refused { ref nodes, .. } => {
            PyValueError::new_err(format!("{failure}\n{}", nodes.join("\n")))
        }
        Failure::Usage(_) | Failure::Schema { .. } => PyValueError::new_err(failure.to_string()),
    }
}

fn decode_error(
    py: Python<'_>,
    arguments: (String, Option<usize>, String, String, &'static str),
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made = class(py, &CLASS, "fourfold.errors", "DecodeError")
        .and_then(|class| class.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A `ValueError` of a write error.
pub(crate) fn encode<K: Kind + 'static>(error: &Error<K>) -> PyErr {
    PyValueError::new_err(describe(error))
}

/// The `ValueError` of a file that was closed.
pub(crate) fn closed() -> PyErr {
    PyValueError::new_err("the file is closed; open it again")
}

/// The `TypeError` of `pickle` and `copy`: `instead` is what to do.
pub(crate) fn not_pickled(what: &str, instead: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} cannot be pickled: pickle {instead}"))
}

/// An `OSError` with the name of the file.
pub(crate) fn io_error(error: io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, path.as_os_str().to_owned()))
        }
        None => error.into(),
    }
}

/// The name of a variant.
fn variant(value: &dyn Debug) -> String {
    let text = format!("{value:?}");
    text.chars().take_while(char::is_ascii_alphanumeric).collect()
}

/// A Python value that a format cannot hold, and its path.
#[derive(Debug)]
pub(crate) struct Refused {
    what: What,
    /// Segments of the path, innermost first.
    steps: Vec<Segment>,
    /// How to convert it to a supported value.
    hint: Option<&'static str>,
}

#[derive(Debug)]
enum What {
    /// The type is not supported.
    Type(String),
    /// The type is supported, the value is not.
    Value(String),
    /// Raised by a method of the value.
    Raised(PyErr),
}

impl Refused {
    pub(crate) fn value(text: impl Into<String>) -> Self {
        Refused { what: What::Value(text.into()), steps: Vec::new(), hint: None }
    }

    pub(crate) fn type_error(text: impl Into<String>) -> Self {
        Refused { what: What::Type(text.into()), steps: Vec::new(), hint: None }
    }

    /// The type of `value` is not supported; `expected` lists those that are.
    pub(crate) fn type_of(value: &Bound<'_, PyAny>, expected: &str) -> Self {
        let name = value.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        Refused::type_error(format!("{name} is not supported here ({expected})"))
    }

    /// Adds a hint, which is printed last.
    pub(crate) fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// Whether the type of a value is not supported.
    pub(crate) fn is_type(&self) -> bool {
        matches!(self.what, What::Type(_))
    }

    /// Whether it is the type of the whole value, and not that of a nested one.
    pub(crate) fn is_type_of_whole(&self) -> bool {
        self.is_type() && self.steps.is_empty()
    }

    /// Prepends an index to the path.
    pub(crate) fn at(mut self, index: usize) -> Self {
        self.steps.push(Segment::Index(index));
        self
    }

    /// Prepends a field name to the path.
    pub(crate) fn in_field(mut self, name: &str) -> Self {
        self.steps.push(Segment::Field(name.to_owned().into()));
        self
    }
}

/// Converts an overflow of an unchecked class attribute to `Refused`: the format has no such value.
pub(crate) fn in_range<T>(py: Python<'_>, found: PyResult<T>, what: &str) -> Result<T, Refused> {
    found.map_err(|error| match error.is_instance_of::<PyOverflowError>(py) {
        true => Refused::value(format!("{what} is out of range")),
        false => error.into(),
    })
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Type(text) | What::Value(text) => f.write_str(text),
            What::Raised(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl std::error::Error for Refused {}

impl serde::de::Error for Refused {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Refused::value(text.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Refused::type_error(format!("{found} is not supported here (expected {expected})"))
    }
}

impl From<PyErr> for Refused {
    fn from(error: PyErr) -> Self {
        Refused { what: What::Raised(error), steps: Vec::new(), hint: None }
    }
}

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> Self {
        let path: fourfold::Path = refused.steps.into_iter().rev().collect();
        let placed = |mut text: String| {
            if !path.is_empty() {
                text = format!("{text} in {path}");
            }
            match refused.hint {
                Some(hint) => format!("{text}; {hint}"),
                None => text,
            }
        };
        match refused.what {
            What::Type(text) => PyTypeError::new_err(placed(text)),
            What::Value(text) => PyValueError::new_err(placed(text)),
            What::Raised(error) => error,
        }
    }
}
