//! Reads and writes tensor files (`.t`): lists of arrays.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fourfold::tsm::{Error, File, Options, PackedTensor};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::value;
use crate::array::within;
use crate::error::{decode, io_error};
use crate::input;
use crate::signals::detached;

/// Reads the arrays of a tensor file: a path, which is memory-mapped, or an object whose `read` returns bytes.
#[pyfunction]
#[pyo3(name = "load")]
pub(crate) fn tsm_load<'py>(fp: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let py = fp.py();
    match input::path_of(fp)? {
        Some(path) => arrays(py, opened(py, &path, PackedTensor::open)?),
        None => of_bytes(py, input::memory(py, fp)?),
    }
}

/// Reads the arrays of a tensor file's bytes.
#[pyfunction]
#[pyo3(name = "loads")]
pub(crate) fn tsm_loads<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    of_bytes(data.py(), input::shared(data)?)
}

/// Bytes that another thread may own.
pub(super) trait Owned: Deref<Target = [u8]> + Send + 'static {}

impl<B: Deref<Target = [u8]> + Send + 'static> Owned for B {}

fn of_bytes<'py>(py: Python<'py>, bytes: impl Owned) -> PyResult<Bound<'py, PyList>> {
    let len = bytes.len();
    let read = detached(py, len, move || {
        Options::new().from_slice::<PackedTensor<'_>>(&bytes).map(PackedTensor::into_owned)
    })?;
    arrays(py, read.map_err(|error| decode(py, &error))?)
}

/// What is read from a path.
pub(super) fn opened<T: Send + 'static>(
    py: Python<'_>,
    path: &Path,
    open: fn(PathBuf) -> Result<T, Error>,
) -> PyResult<T> {
    let len = std::fs::metadata(path).map_or(0, |found| found.len());
    let file = path.to_owned();
    let read = detached(py, usize::try_from(len).unwrap_or(usize::MAX), move || open(file))?;
    read.map_err(|error| match error.category() {
        fourfold::Category::Io => io_error(error.into(), path),
        _ => decode(py, &error),
    })
}

pub(crate) fn arrays<'py>(
    py: Python<'py>,
    packed: PackedTensor<'static>,
) -> PyResult<Bound<'py, PyList>> {
    let file = Arc::new(File::Tensor(packed));
    within(&file, |file, lender| {
        let list = PyList::empty(py);
        if let File::Tensor(packed) = file {
            for tensor in &packed.fields {
                list.append(value::tensor(py, tensor, lender)?)?;
            }
        }
        Ok(list)
    })
}

/// The bytes of a tensor file with one array or several.
#[pyfunction]
#[pyo3(name = "dumps")]
pub(crate) fn tsm_dumps<'py>(arrays: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    input::in_memory(arrays.py(), |file| tsm_dump(arrays, file))
}

/// Writes a tensor file: to a path, through a temporary file that replaces it, or to an object with `write`.
#[pyfunction]
#[pyo3(name = "dump")]
pub(crate) fn tsm_dump(arrays: &Bound<'_, PyAny>, fp: &Bound<'_, PyAny>) -> PyResult<()> {
    let packed = value::fields(arrays)?;
    input::save(fp, |out| fourfold::tsm::to_writer(out, &packed))
}
