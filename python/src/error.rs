//! Errors of the library as exceptions. Knows which class each is, and how it names the place.

use std::fmt::Debug;
use std::io;
use std::path::Path;

use fourfold::{Category, Error, Kind, Segment};
use fourfold_inspect::failure::{Failure, describe};
use pyo3::exceptions::{PyOSError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The class of that name in a module of the package, looked up once.
pub(crate) fn class<'py>(
    py: Python<'py>,
    cell: &PyOnceLock<Py<PyType>>,
    module: &str,
    name: &str,
) -> PyResult<Bound<'py, PyType>> {
    cell.import(py, module, name).cloned()
}

/// What is wrong with bytes.
pub(crate) fn decode<K: Kind + 'static>(py: Python<'_>, error: &Error<K>) -> PyErr {
    decode_by(py, error, |segment| segment)
}

/// The same with a hint that the called function alone has.
pub(crate) fn decode_with_hint<K: Kind + 'static>(
    py: Python<'_>,
    error: &Error<K>,
    hint: &str,
) -> PyErr {
    decode_named(py, error, |segment| segment, Some(hint))
}

/// The same where steps of the path have other names here.
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
    let kind = match error.kind().fault() {
        Some(fault) => variant(fault),
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

/// Why something could not be done with a file.
pub(crate) fn failed(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Io { name, source } => io_error(source, Path::new(&name)),
        Failure::Output(error) => error.into(),
        Failure::Data { .. } => {
            let text = failure.to_string();
            decode_error(py, (text, None, String::new(), "Data".to_owned(), "data"))
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

/// A value that a format cannot hold.
pub(crate) fn encode<K: Kind + 'static>(error: &Error<K>) -> PyErr {
    PyValueError::new_err(describe(error))
}

/// What a file does not let one do, with its name.
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

/// A value of Python that a format cannot hold, and the way to it.
#[derive(Debug)]
pub(crate) struct Refused {
    what: What,
    /// From the inside outwards.
    steps: Vec<Segment>,
    /// How to make it a value that has a place.
    hint: Option<&'static str>,
}

#[derive(Debug)]
enum What {
    /// Of no type that the format has a place for.
    Type(String),
    /// Of such a type, and wrong.
    Value(String),
    /// Raised by the value itself.
    Raised(PyErr),
}

impl Refused {
    pub(crate) fn value(text: impl Into<String>) -> Self {
        Refused { what: What::Value(text.into()), steps: Vec::new(), hint: None }
    }

    pub(crate) fn type_error(text: impl Into<String>) -> Self {
        Refused { what: What::Type(text.into()), steps: Vec::new(), hint: None }
    }

    /// Of that type; `expected` says which ones have a place.
    pub(crate) fn type_of(value: &Bound<'_, PyAny>, expected: &str) -> Self {
        let name = value.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        Refused::type_error(format!("{name} has no place here ({expected})"))
    }

    /// Adds what is printed last: how to make it a value that has a place.
    pub(crate) fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }

    /// Adds the step to the part in which it is.
    pub(crate) fn at(mut self, index: usize) -> Self {
        self.steps.push(Segment::Index(index));
        self
    }

    /// The same for a part that has a name.
    pub(crate) fn in_field(mut self, name: &str) -> Self {
        self.steps.push(Segment::Field(name.to_owned().into()));
        self
    }
}

/// What a class holds that does not look at it. Out of range, it is a value that the format has not.
pub(crate) fn in_range<T>(py: Python<'_>, found: PyResult<T>, what: &str) -> Result<T, Refused> {
    found.map_err(|error| match error.is_instance_of::<PyOverflowError>(py) {
        true => Refused::value(format!("{what} is out of range")),
        false => error.into(),
    })
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
