//! The functions of `fourfold.primitiv`.

mod read;
mod write;

use std::sync::Arc;

use fourfold::Memory;
use fourfold::primitiv::{Algorithm, File, Optimizer, Settings, Version};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::array::Whole;
use crate::error::decode;
use crate::input;

/// Reads a file: a path, or an object whose `read` returns bytes.
///
/// A model is a dict of parameters by name; nested models are nested dicts. Arrays are column-major, read-only
/// and in the file's memory map.
#[pyfunction]
#[pyo3(name = "load")]
pub(crate) fn primitiv_load<'py>(fp: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    read(fp.py(), input::memory(fp.py(), fp)?)
}

/// Reads the bytes of a file.
#[pyfunction]
#[pyo3(name = "loads")]
pub(crate) fn primitiv_loads<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    read(data.py(), input::copied(data)?)
}

fn read<'py>(py: Python<'py>, memory: Memory<'static>) -> PyResult<Bound<'py, PyAny>> {
    let owner = Arc::new(memory);
    let file = py.detach(|| File::from_slice(&owner)).map_err(|error| decode(py, &error))?;
    read::file(&Whole::new(py, &owner)?, &file)
}

/// The bytes of a file with `obj`.
#[pyfunction]
#[pyo3(name = "dumps")]
pub(crate) fn primitiv_dumps<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    input::in_memory(obj.py(), |file| primitiv_save(obj, file))
}

/// Writes a file with `obj`: to a path, through a temporary file that replaces it, or to an object with `write`.
#[pyfunction]
#[pyo3(name = "save")]
pub(crate) fn primitiv_save(obj: &Bound<'_, PyAny>, fp: &Bound<'_, PyAny>) -> PyResult<()> {
    let file = File { version: Version::default(), data: write::data(obj)? };
    input::save(fp, |out| file.to_writer(out))
}

/// The default integer and float configs of one of primitiv's optimizers.
#[pyfunction]
#[pyo3(name = "configs")]
pub(crate) fn primitiv_configs<'py>(
    py: Python<'py>,
    algorithm: &str,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let all = [
        Algorithm::sgd(),
        Algorithm::momentum_sgd(),
        Algorithm::ada_grad(),
        Algorithm::rms_prop(),
        Algorithm::ada_delta(),
        Algorithm::adam(),
    ];
    let Some(found) = all.iter().find(|known| known.name() == algorithm) else {
        let names: Vec<&str> = all.iter().map(Algorithm::name).collect();
        let text =
            format!("primitiv has no optimizer {algorithm:?}; use one of {}", names.join(", "));
        return Err(PyValueError::new_err(text));
    };
    read::configs(py, &Optimizer::from(Settings::new(*found)))
}

/// The name of the algorithm with these configs, if it is one of primitiv's.
#[pyfunction]
#[pyo3(name = "algorithm")]
pub(crate) fn primitiv_algorithm(optimizer: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
    let optimizer = write::optimizer(optimizer)?;
    Ok(optimizer.settings().map(|settings| settings.algorithm.name()))
}
