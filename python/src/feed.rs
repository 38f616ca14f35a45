//! Reads an open file piece by piece.

use std::io::{self, Read};

use pyo3::exceptions::{PyBlockingIOError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::input::{buffer, is_raw};
use crate::signals::Raised;

/// The most bytes to request at once.
const MOST: usize = 64 << 10;

/// An open file whose bytes are read as they come.
pub(crate) struct Feed {
    /// Returns bytes that are there, at least one, or none at the end.
    read: Py<PyAny>,
    /// Bytes that were read and not given out.
    ready: Vec<u8>,
    raised: Raised,
}

impl Feed {
    /// `None` if the object cannot read some bytes: its `read` waits for all.
    pub(crate) fn of(file: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let read = match file.getattr_opt("read1")? {
            Some(read) => Some(read),
            None if is_raw(file)? => file.getattr_opt("read")?,
            None => None,
        };
        let feed = |read: Bound<'_, PyAny>| Feed {
            read: read.unbind(),
            ready: Vec::new(),
            raised: Raised::default(),
        };
        Ok(read.map(feed))
    }

    pub(crate) fn raised(&self) -> Raised {
        self.raised.clone()
    }

    /// The first byte, which remains to be read.
    pub(crate) fn first(&mut self) -> PyResult<Option<u8>> {
        if self.ready.is_empty() {
            self.ready = Python::attach(|py| self.piece(py, MOST))?;
        }
        Ok(self.ready.first().copied())
    }

    /// All bytes up to the end. After an exception, those that were read remain to be read.
    pub(crate) fn rest(&mut self) -> PyResult<Vec<u8>> {
        loop {
            let piece = Python::attach(|py| self.piece(py, MOST))?;
            if piece.is_empty() {
                return Ok(std::mem::take(&mut self.ready));
            }
            self.ready.extend(piece);
        }
    }

    fn piece(&self, py: Python<'_>, most: usize) -> PyResult<Vec<u8>> {
        let data = self.read.bind(py).call1((most,))?;
        if data.is_none() {
            return Err(PyBlockingIOError::new_err("read would block"));
        }
        if data.is_instance_of::<PyString>() {
            let text = "the file is open for text; open it with mode 'rb'";
            return Err(PyTypeError::new_err(text));
        }
        Ok(buffer(&data)?.as_bytes().to_vec())
    }
}

impl Read for Feed {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() {
            let piece = Python::attach(|py| self.piece(py, target.len().min(MOST)));
            self.ready = piece.map_err(|error| self.raised.keep(error))?;
        }
        let len = self.ready.len().min(target.len());
        for (to, from) in target.iter_mut().zip(self.ready.drain(..len)) {
            *to = from;
        }
        Ok(len)
    }
}
