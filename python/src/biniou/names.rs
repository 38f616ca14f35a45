//! Converts the `names` argument to a dictionary of hashes.

use std::collections::HashMap;
use std::sync::Arc;

use fourfold::biniou::{Dictionary as Words, Error, Options, Segment};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use super::classes::Classes;
use crate::error::{decode_by, encode, io_error};
use crate::given::{Given, is_atd};

/// Names for the hashes in bytes.
///
/// >>> from fourfold.biniou import Dictionary
/// >>> names = Dictionary(["name", "size"])
/// >>> names, "size" in names, list(names)
/// (Dictionary(2 names), True, ['name', 'size'])
///
/// Two names with the same hash are refused.
#[pyclass(frozen, module = "fourfold.biniou")]
pub(crate) struct Dictionary {
    names: Names,
}

/// The same names as a list, and as the library's options.
#[derive(Clone)]
pub(crate) struct Names {
    words: Arc<Words>,
    pub(crate) options: Options,
}

impl Names {
    fn new(words: Words) -> Self {
        Names { options: Options::new().names(words.clone()), words: Arc::new(words) }
    }

    fn none() -> Self {
        Names { words: Arc::default(), options: Options::new() }
    }

    /// Converts a read error, with names instead of hashes in its path.
    pub(super) fn decode(&self, py: Python<'_>, error: &Error) -> PyErr {
        decode_by(py, error, |segment| match &segment {
            Segment::Field(field) => {
                let hash = field.strip_prefix('#').and_then(|it| u32::from_str_radix(it, 16).ok());
                match hash.and_then(|hash| self.words.name(hash)) {
                    Some(name) => Segment::Field(name.to_owned().into()),
                    None => segment,
                }
            }
            _ => segment,
        })
    }
}

impl Dictionary {
    fn of(words: fourfold::biniou::Result<Words>) -> PyResult<Self> {
        let words = words.map_err(|error| encode(&error))?;
        Ok(Dictionary { names: Names::new(words) })
    }
}

#[pymethods]
impl Dictionary {
    #[new]
    #[pyo3(signature = (words = None))]
    fn new(words: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match words {
            None => Ok(Dictionary { names: Names::none() }),
            Some(words) => Ok(Dictionary { names: of_words(words)? }),
        }
    }

    /// Reads names from a text, one a line.
    #[staticmethod]
    fn from_words(text: &str) -> PyResult<Self> {
        Dictionary::of(Words::from_words(text))
    }

    /// Reads the names of fields and variants from the text of an `.atd` file.
    #[staticmethod]
    fn from_atd(text: &str) -> PyResult<Self> {
        Dictionary::of(fourfold_schema::atd::names(text))
    }

    /// Pickles the names.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Vec<String>,)) {
        let words = this.get().names.words.names().map(str::to_owned).collect();
        (this.get_type(), (words,))
    }

    fn __len__(&self) -> usize {
        self.names.words.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.names.words.name(fourfold::biniou::hash(name)) == Some(name)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names = self.names.words.names().collect::<Vec<_>>().into_pyobject(py)?;
        Ok(names.try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        match self.names.words.len() {
            1 => "Dictionary(1 name)".to_owned(),
            count => format!("Dictionary({count} names)"),
        }
    }
}

fn of_words(words: &Bound<'_, PyAny>) -> PyResult<Names> {
    if words.is_instance_of::<PyString>() {
        let text = "names are a list of words; for a text, use Dictionary.from_words";
        return Err(PyTypeError::new_err(text));
    }
    let wrong = |found: &Bound<'_, PyAny>, of| match found.get_type().name() {
        Ok(found) => PyTypeError::new_err(format!("names are a list of words, not {of}'{found}'")),
        Err(error) => error,
    };
    let mut known = Words::new();
    for word in words.try_iter().map_err(|_| wrong(words, ""))? {
        let word = word?;
        let word = word.cast::<PyString>().map_err(|_| wrong(&word, "of "))?.to_cow()?.into_owned();
        known.insert(&word).map_err(|error| encode(&error))?;
    }
    Ok(Names::new(known))
}

/// Converts the `names` argument: `None`, a dictionary, words, or an `.atd` file or a list of words, one a line, by path
/// or as text.
pub(crate) fn of(py: Python<'_>, names: Option<&Bound<'_, PyAny>>) -> PyResult<Names> {
    let Some(names) = names else { return Ok(Names::none()) };
    if let Ok(dictionary) = names.cast::<Dictionary>() {
        return Ok(dictionary.get().names.clone());
    }
    let (text, is_atd) = match Given::of(names)? {
        None => return of_words(names),
        // Each declaration has this sign, and no word.
        Some(Given::Text(text)) => {
            let is_atd = text.contains('=');
            (text, is_atd)
        }
        Some(Given::Path(path)) => {
            let text = py.detach(|| std::fs::read_to_string(&path));
            (text.map_err(|error| io_error(error, &path))?, is_atd(&path))
        }
    };
    let words = match is_atd {
        true => fourfold_schema::atd::names(&text),
        false => Words::from_words(&text),
    };
    Dictionary::of(words).map(|dictionary| dictionary.names)
}

/// Caches names as Python objects.
pub(super) struct Known {
    names: Names,
    met: HashMap<u32, Py<PyAny>>,
}

impl Known {
    pub(super) fn new(names: &Names) -> Self {
        Known { names: names.clone(), met: HashMap::new() }
    }

    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    /// The name of a hash, or the hash.
    pub(super) fn key<'py>(&mut self, py: Python<'py>, hash: u32) -> PyResult<Bound<'py, PyAny>> {
        if let Some(key) = self.met.get(&hash) {
            return Ok(key.bind(py).clone());
        }
        let key = match self.names.words.name(hash) {
            Some(name) => PyString::new(py, name).into_any(),
            None => {
                let classes = Classes::get(py)?;
                classes.int(py, &classes.hash, hash)?
            }
        };
        self.met.insert(hash, key.clone().unbind());
        Ok(key)
    }
}
