//! Iterates over the values of a file.

use std::sync::Arc;

use fourfold::Memory;
use fourfold::molecule::{Error, Frames};
use fourfold_schema::mol::{Schema as Types, Value};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::read;
use crate::error::{closed, decode, not_pickled};

/// An iterator over the values of a file.
///
/// An invalid record raises `DecodeError`; the next call returns the record after it, if the start of that record
/// is known.
#[pyclass(module = "fourfold.molecule")]
pub(crate) struct Records {
    memory: Memory<'static>,
    types: Arc<Types>,
    name: String,
    hook: Option<Py<PyAny>>,
    are_records: bool,
    offset: usize,
    index: usize,
    is_done: bool,
    is_closed: bool,
}

impl Records {
    pub(super) fn new(
        memory: Memory<'static>,
        types: Arc<Types>,
        name: String,
        hook: Option<Py<PyAny>>,
    ) -> Self {
        let values = types.values_of(&memory, &name);
        let are_records = values.is_ok_and(|values| values.are_records());
        let (is_done, is_closed) = (false, false);
        Records { memory, types, name, hook, are_records, offset: 0, index: 0, is_done, is_closed }
    }

    /// The bytes of the next value.
    fn frame(&self) -> Option<Result<&[u8], Error>> {
        let rest = self.memory.get(self.offset..).unwrap_or_default();
        match self.are_records {
            true => Frames::from_slice(rest).next(),
            false => (self.index == 0).then_some(Ok(rest)),
        }
    }

    fn read(&self, frame: Result<&[u8], Error>) -> Result<Value<'_>, Error> {
        let checked = frame.and_then(|frame| {
            // The same bytes with the lifetime of `self.memory`.
            let end = self.offset.saturating_add(frame.len());
            let bytes = self.memory.get(self.offset..end).unwrap_or_default();
            self.types.to_value(bytes, &self.name)
        });
        checked.map_err(|error| error.moved(self.offset))
    }
}

#[pymethods]
impl Records {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.is_closed {
            return Err(closed());
        }
        if self.is_done {
            return Ok(None);
        }
        let this = &*self;
        let Some(frame) = this.frame() else {
            self.is_done = true;
            return Ok(None);
        };
        let len = frame.as_ref().map(|frame| frame.len()).ok();
        let checked = py.detach(|| this.read(frame));
        let object = match checked {
            Ok(value) => read::value(py, value, this.hook.as_ref().map(|hook| hook.bind(py))),
            Err(error) => Err(decode(py, &error)),
        };
        self.is_done = len.is_none();
        self.offset = self.offset.saturating_add(len.unwrap_or_default());
        self.index = self.index.saturating_add(1);
        object.map(Some)
    }

    /// The format of the values.
    #[getter]
    fn format(&self) -> &'static str {
        "molecule"
    }

    /// Refuses to be pickled.
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("an open file", "its path, or what it reads, as a list"))
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        match this.is_closed {
            true => Err(closed()),
            false => Ok(this),
        }
    }

    /// Closes the file: there is no next value.
    fn close(&mut self) {
        self.is_closed = true;
        self.memory = Memory::default();
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        if self.is_closed {
            return "<fourfold.molecule.Records: closed>".into();
        }
        let (name, offset, len) = (&self.name, self.offset, self.memory.len());
        format!("<fourfold.molecule.Records of {name} at byte {offset} of {len}>")
    }
}
