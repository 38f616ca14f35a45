//! Iterates over the values of a file.

use fourfold::Memory;
use fourfold::biniou::{ChunkStart, Error, Framing, Options, Value};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::names::{Known, Names};
use super::read::Reader;

/// An iterator over the values of a file.
///
/// The first invalid value raises `DecodeError` and ends the iterator. As with generators, only one thread
/// may call `next` at a time.
#[pyclass(module = "fourfold.biniou")]
pub(crate) struct Values {
    memory: Memory<'static>,
    framing: Framing,
    known: Known,
    /// Offset and index of the next value.
    offset: usize,
    index: usize,
    is_done: bool,
}

impl Values {
    pub(super) fn new(py: Python<'_>, memory: Memory<'static>, names: &Names) -> Self {
        let framing = py.detach(|| names.options.file(&memory).framing());
        Values { memory, framing, known: Known::new(names), offset: 0, index: 0, is_done: false }
    }

    fn options(&self) -> &Options {
        &self.known.names().options
    }

    /// The next value, and its length in bytes.
    fn read(&self, offset: usize) -> Option<Result<(Value, usize), Error>> {
        let rest = self.memory.get(offset..).unwrap_or_default();
        match self.framing {
            // An empty file is an error: it has no value.
            Framing::Values if rest.is_empty() && offset > 0 => None,
            Framing::Values => {
                let taken = self.options().take_from_slice::<Value>(rest);
                Some(taken.map(|(value, after)| (value, rest.len().saturating_sub(after.len()))))
            }
            Framing::Chunks => {
                let ChunkStart::Whole { chunk, rest: after } = ChunkStart::of(rest) else {
                    return None;
                };
                let value = self.options().from_slice(chunk);
                Some(value.map(|value| (value, rest.len().saturating_sub(after.len()))))
            }
        }
    }

    /// The error of the value at `index`, with its offset and path in the whole file.
    fn placed(&self, index: usize, error: Error) -> Error {
        let found = self.options().file(&self.memory).values::<Value>().nth(index);
        found.and_then(Result::err).unwrap_or(error)
    }
}

#[pymethods]
impl Values {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.is_done {
            return Ok(None);
        }
        self.is_done = true;
        let this = &*self;
        let read = py.detach(|| {
            let read = this.read(this.offset)?;
            Some(read.map_err(|error| this.placed(this.index, error)))
        });
        let Some(read) = read else { return Ok(None) };
        let (value, len) = read.map_err(|error| self.known.names().decode(py, &error))?;
        let object = Reader::new(py, &mut self.known)?.value(&value)?;
        self.offset = self.offset.saturating_add(len);
        self.index = self.index.saturating_add(1);
        self.is_done = false;
        Ok(Some(object))
    }

    /// `values` if the values are concatenated, or `chunks`.
    #[getter]
    fn framing(&self) -> &'static str {
        match self.framing {
            Framing::Values => "values",
            Framing::Chunks => "chunks",
        }
    }

    /// The format of the values.
    #[getter]
    fn format(&self) -> &'static str {
        "biniou"
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    /// Ends the iterator.
    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, _exception: &Bound<'_, PyTuple>) {
        self.is_done = true;
        self.memory = Memory::default();
    }

    fn __repr__(&self) -> String {
        format!("<fourfold.biniou.Values at byte {} of {}>", self.offset, self.memory.len())
    }
}
