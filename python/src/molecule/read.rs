//! Converts Molecule values to Python objects.

use fourfold_schema::mol::{Number, Parts, Record, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyInt, PyList, PyString, PyType};

use super::write::EXTRA;
use crate::error::class;
use crate::levels;
use crate::signals::Signals;

/// The object of a checked value. `hook` converts each dict.
pub(super) fn value<'py>(
    py: Python<'py>,
    value: Value<'_>,
    hook: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    Reader { py, hook, signals: Signals::new(py), depth: 0 }.value(value)
}

/// Converts values.
struct Reader<'py, 'h> {
    py: Python<'py>,
    hook: Option<&'h Bound<'py, PyAny>>,
    signals: Signals<'py>,
    /// How many values the next one is in.
    depth: u16,
}

impl<'py> Reader<'py, '_> {
    fn value(&mut self, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        self.signals.work(1)?;
        self.depth = self.depth.saturating_add(1);
        let object = self.parts(value)?;
        self.depth = self.depth.saturating_sub(1);
        Ok(object)
    }

    fn parts(&mut self, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        Ok(match value.parts() {
            Parts::Byte(byte) => PyInt::new(py, byte).into_any(),
            Parts::Number(number) => number_of(py, number)?,
            Parts::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
            Parts::List(items) => {
                let list = PyList::empty(py);
                for item in items.iter() {
                    list.append(self.value(item)?)?;
                }
                list.into_any()
            }
            Parts::Record(fields) => self.record(value, fields)?,
            Parts::Option(None) => py.None().into_bound(py),
            Parts::Option(Some(inner)) => self.value(inner)?,
            Parts::Union(item, inner) => {
                static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
                let name = PyString::intern(py, item.ty().name());
                class(py, &CLASS, "fourfold.molecule", "Union")?
                    .call1((name, self.value(inner)?))?
            }
            _ => PyBytes::new(py, value.bytes()).into_any(),
        })
    }

    fn record(&mut self, value: Value<'_>, record: Record<'_>) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let dict = PyDict::new(py);
        for (field, part) in record.iter() {
            dict.set_item(PyString::intern(py, field.name()), self.value(part)?)?;
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
        match self.hook {
            Some(hook) => levels::call(hook, &dict, levels::left().saturating_sub(self.depth)),
            None => Ok(dict.into_any()),
        }
    }
}

/// An integer of any width. Those above 53 bits are converted through decimal digits.
fn number_of<'py>(py: Python<'py>, number: Number<'_>) -> PyResult<Bound<'py, PyAny>> {
    match number.exact() {
        Some(number) => Ok(number.into_pyobject(py)?.into_any()),
        None => py.get_type::<PyInt>().call1((number.to_string(),)),
    }
}
