//! Iterates over the values of a file.

use std::sync::Arc;

use fourfold::Memory;
use fourfold::molecule::{Error, Frames};
use fourfold_schema::mol::{Schema as Types, Value};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::read;
use crate::error::{closed, decode, not_pickled};
use crate::given::molecule_type;
use crate::signals::detached;

/// An iterator over the values of a file.
///
/// An invalid record raises `DecodeError`; the next call returns the record after it, if the start of that record
/// is known.
#[pyclass(module = "fourfold.molecule")]
pub(crate) struct Records {
    memory: Arc<Memory<'static>>,
    types: Arc<Types>,
    name: Arc<str>,
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
        let (memory, name) = (Arc::new(memory), name.into());
        let (is_done, is_closed) = (false, false);
        Records { memory, types, name, hook, are_records, offset: 0, index: 0, is_done, is_closed }
    }

    /// How many bytes the next value has.
    fn len(&self) -> Option<Result<usize, Error>> {
        let rest = self.memory.get(self.offset..).unwrap_or_default();
        match self.are_records {
            true => Some(Frames::from_slice(rest).next()?.map(<[u8]>::len)),
            false => (self.index == 0).then_some(Ok(rest.len())),
        }
    }

    /// The object of the next value.
    fn object<'py>(
        &self,
        py: Python<'py>,
        len: Result<usize, Error>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let failed = |error: Error| decode(py, &error.moved(self.offset));
        let range = self.offset..self.offset.saturating_add(len.map_err(failed)?);
        let (types, name, memory) = (&self.types, &self.name, &self.memory);
        let (of_thread, len) = ((types.clone(), name.clone(), memory.clone()), range.len());
        let place = range.clone();
        let checked = detached(py, len, move || {
            let (types, name, memory) = of_thread;
            types.to_value(memory.get(place).unwrap_or_default(), &name).map(drop)
        })?;
        checked.map_err(failed)?;
        let value =
            Value::unchecked(molecule_type(types, name)?, memory.get(range).unwrap_or_default());
        read::value(py, value, self.hook.as_ref().map(|hook| hook.bind(py)))
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
        let Some(len) = self.len() else {
            self.is_done = true;
            return Ok(None);
        };
        let found = len.as_ref().ok().copied();
        let object = self.object(py, len);
        self.is_done = found.is_none();
        self.offset = self.offset.saturating_add(found.unwrap_or_default());
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
        self.memory = Arc::default();
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
