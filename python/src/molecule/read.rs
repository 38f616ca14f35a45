//! Converts Molecule values to Python objects.

use fourfold_schema::mol::{Number, Parts, Record, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyInt, PyList, PyString, PyType};

use super::write::EXTRA;
use crate::error::class;

/// The object of a checked value.
pub(super) fn value<'py>(py: Python<'py>, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value.parts() {
        Parts::Byte(byte) => PyInt::new(py, byte).into_any(),
        Parts::Number(number) => self::number(py, number)?,
        Parts::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
        Parts::List(items) => {
            let list = PyList::empty(py);
            for item in items.iter() {
                list.append(self::value(py, item)?)?;
            }
            list.into_any()
        }
        Parts::Record(fields) => record(py, value, fields)?,
        Parts::Option(None) => py.None().into_bound(py),
        Parts::Option(Some(inner)) => self::value(py, inner)?,
        Parts::Union(item, inner) => {
            static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
            let name = PyString::intern(py, item.ty().name());
            class(py, &CLASS, "fourfold.molecule", "Union")?
                .call1((name, self::value(py, inner)?))?
        }
        _ => PyBytes::new(py, value.bytes()).into_any(),
    })
}

/// An integer of any width. Those above 53 bits are converted through decimal digits.
fn number<'py>(py: Python<'py>, number: Number<'_>) -> PyResult<Bound<'py, PyAny>> {
    match number.exact() {
        Some(number) => Ok(number.into_pyobject(py)?.into_any()),
        None => py.get_type::<PyInt>().call1((number.to_string(),)),
    }
}

fn record<'py>(
    py: Python<'py>,
    value: Value<'_>,
    record: Record<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    for (field, part) in record.iter() {
        dict.set_item(PyString::intern(py, field.name()), self::value(py, part)?)?;
    }
    let extra = PyList::empty(py);
    for bytes in record.extra() {
        extra.append(PyBytes::new(py, bytes))?;
    }
    if !extra.is_empty() {
        dict.set_item(EXTRA, extra)?;
    } else if record.fields().is_empty() && value.bytes().len() > size_of::<u32>() {
        let text = "a table without fields has bytes that are not fields of a later version";
        return Err(PyValueError::new_err(text));
    }
    Ok(dict.into_any())
}
