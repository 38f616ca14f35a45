//! Values as objects of Python. Knows which class stands for which tag.

use fourfold::biniou::{Table, Value};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use super::names::Known;
use crate::error::class;

/// Makes objects; keeps the names that it has met.
pub(super) struct Reader<'py, 'k> {
    py: Python<'py>,
    known: &'k mut Known,
}

/// The class of that name in `fourfold.biniou`.
macro_rules! of_class {
    ($py:expr, $name:literal) => {{
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        class($py, &CLASS, "fourfold.biniou", $name)
    }};
}

impl<'py, 'k> Reader<'py, 'k> {
    pub(super) fn new(py: Python<'py>, known: &'k mut Known) -> Self {
        Reader { py, known }
    }

    pub(super) fn value(&mut self, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        Ok(match value {
            Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
            Value::Int8(number) => of_class!(py, "Int8")?.call1((*number,))?,
            Value::Int16(number) => of_class!(py, "Int16")?.call1((*number,))?,
            Value::Int32(number) => of_class!(py, "Int32")?.call1((*number,))?,
            Value::Int64(number) => of_class!(py, "Int64")?.call1((*number,))?,
            Value::Uvint(number) => of_class!(py, "Uvint")?.call1((*number,))?,
            Value::Svint(number) => match i64::try_from(*number) {
                Ok(small) => PyInt::new(py, small).into_any(),
                Err(_) => number.into_pyobject(py)?.into_any(),
            },
            Value::Float32(number) => of_class!(py, "Float32")?.call1((*number,))?,
            Value::Float64(number) => PyFloat::new(py, *number).into_any(),
            Value::String(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => PyString::new(py, text).into_any(),
                Err(_) => PyBytes::new(py, bytes).into_any(),
            },
            Value::Array(items) => {
                let list = PyList::empty(py);
                for item in items {
                    list.append(self.value(item)?)?;
                }
                list.into_any()
            }
            Value::Tuple(items) => self.tuple(items)?.into_any(),
            Value::Record(fields) => self.record(fields)?,
            Value::NumVariant(number, argument) => {
                let class = of_class!(py, "NumVariant")?;
                match argument {
                    None => class.call1((*number,))?,
                    Some(argument) => class.call1((*number, self.value(argument)?))?,
                }
            }
            Value::Variant(hash, argument) => {
                let class = of_class!(py, "Variant")?;
                let name = self.known.key(py, *hash)?;
                match argument {
                    None => class.call1((name,))?,
                    Some(argument) => class.call1((name, self.value(argument)?))?,
                }
            }
            Value::Table(table) => self.table(table)?,
            Value::Shared(number, value) => {
                of_class!(py, "Shared")?.call1((*number, self.value(value)?))?
            }
            Value::Reference(number) => of_class!(py, "Reference")?.call1((*number,))?,
            Value::Overlong([first, second], value) => {
                of_class!(py, "Overlong")?.call1(((*first, *second), self.value(value)?))?
            }
            // A unit, and nothing else that the library has.
            _ => py.None().into_bound(py),
        })
    }

    fn tuple(&mut self, items: &[Value]) -> PyResult<Bound<'py, PyTuple>> {
        let items: PyResult<Vec<_>> = items.iter().map(|item| self.value(item)).collect();
        PyTuple::new(self.py, items?)
    }

    fn record(&mut self, fields: &[(u32, Value)]) -> PyResult<Bound<'py, PyAny>> {
        let dict = PyDict::new(self.py);
        for (hash, value) in fields {
            dict.set_item(self.known.key(self.py, *hash)?, self.value(value)?)?;
        }
        if dict.len() == fields.len() {
            return Ok(dict.into_any());
        }
        let pair = |(hash, value): &(u32, Value)| {
            PyTuple::new(self.py, [self.known.key(self.py, *hash)?, self.value(value)?])
        };
        let pairs: PyResult<Vec<_>> = fields.iter().map(pair).collect();
        of_class!(self.py, "Record")?.call1((PyTuple::new(self.py, pairs?)?,))
    }

    fn table(&mut self, table: &Table) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let column = |(hash, tag): &(u32, fourfold::biniou::Tag)| {
            let tag = PyString::intern(py, tag.name()).into_any();
            PyTuple::new(py, [self.known.key(py, *hash)?, tag])
        };
        let columns: PyResult<Vec<_>> = table.columns.iter().map(column).collect();
        let rows: PyResult<Vec<_>> = table.rows.iter().map(|row| self.tuple(row)).collect();
        let (columns, rows) = (PyTuple::new(py, columns?)?, PyTuple::new(py, rows?)?);
        of_class!(py, "Table")?.call1((columns, rows))
    }
}
