//! Reads and writes tensor files (`.t`): lists of arrays.

use std::sync::Arc;

use fourfold::tsm::{Error, File, Options, PackedTensor};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::value;
use crate::array::within;
use crate::error::{decode, encode, io_error};
use crate::input;

/// Reads the arrays of a tensor file: a path, which is memory-mapped, or an object whose `read` returns bytes.
#[pyfunction]
#[pyo3(name = "load")]
pub(crate) fn tsm_load<'py>(fp: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let py = fp.py();
    match input::path_of(fp)? {
        Some(path) => arrays(py, opened(py, &path, py.detach(|| PackedTensor::open(&path)))?),
        None => of_bytes(py, &input::memory(py, fp)?),
    }
}

/// Reads the arrays of a tensor file's bytes.
#[pyfunction]
#[pyo3(name = "loads")]
pub(crate) fn tsm_loads<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    of_bytes(data.py(), input::buffer(data)?.as_bytes())
}

fn of_bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyList>> {
    let read = py.detach(|| Options::new().from_slice::<PackedTensor<'_>>(bytes));
    arrays(py, read.map_err(|error| decode(py, &error))?.into_owned())
}

/// Converts the error of opening a path.
pub(super) fn opened<T>(
    py: Python<'_>,
    path: &std::path::Path,
    read: Result<T, Error>,
) -> PyResult<T> {
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
    let packed = value::fields(arrays)?;
    let bytes = arrays.py().detach(|| packed.to_vec()).map_err(|error| encode(&error))?;
    Ok(PyBytes::new(arrays.py(), &bytes))
}

/// Writes a tensor file: to a path, through a temporary file that replaces it, or to an object with `write`.
#[pyfunction]
#[pyo3(name = "dump")]
pub(crate) fn tsm_dump(arrays: &Bound<'_, PyAny>, fp: &Bound<'_, PyAny>) -> PyResult<()> {
    let packed = value::fields(arrays)?;
    let bytes = arrays.py().detach(|| packed.to_vec()).map_err(|error| encode(&error))?;
    input::put(arrays.py(), fp, &bytes)
}
