//! Converts biniou values to Python objects.

use fourfold::biniou::{Table, Value};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::classes::Classes;
use super::names::Known;

/// Converts values, with a cache of names.
pub(super) struct Reader<'py, 'k> {
    py: Python<'py>,
    classes: &'py Classes,
    known: &'k mut Known,
}

impl<'py, 'k> Reader<'py, 'k> {
    pub(super) fn new(py: Python<'py>, known: &'k mut Known) -> PyResult<Self> {
        Ok(Reader { py, classes: Classes::get(py)?, known })
    }

    pub(super) fn value(&mut self, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        let Reader { py, classes, .. } = *self;
        Ok(match value {
            Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
            Value::Int8(number) => classes.byte(py, *number)?,
            Value::Int16(number) => classes.int(py, &classes.int16, *number)?,
            Value::Int32(number) => classes.int(py, &classes.int32, *number)?,
            Value::Int64(number) => classes.int(py, &classes.int64, *number)?,
            Value::Uvint(number) => classes.int(py, &classes.uvint, *number)?,
            Value::Svint(number) => match i64::try_from(*number) {
                Ok(small) => PyInt::new(py, small).into_any(),
                Err(_) => number.into_pyobject(py)?.into_any(),
            },
            Value::Float32(number) => classes.float(py, *number)?,
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
                let class = classes.num_variant.bind(py);
                match argument {
                    None => class.call1((*number,))?,
                    Some(argument) => class.call1((*number, self.value(argument)?))?,
                }
            }
            Value::Variant(hash, argument) => {
                let class = classes.variant.bind(py);
                let name = self.known.key(py, *hash)?;
                match argument {
                    None => class.call1((name,))?,
                    Some(argument) => class.call1((name, self.value(argument)?))?,
                }
            }
            Value::Table(table) => self.table(table)?,
            Value::Shared(number, value) => {
                classes.shared.bind(py).call1((*number, self.value(value)?))?
            }
            Value::Reference(number) => classes.reference.bind(py).call1((*number,))?,
            Value::Overlong([first, second], value) => {
                classes.overlong.bind(py).call1(((*first, *second), self.value(value)?))?
            }
            // A unit. `Value` is `#[non_exhaustive]`.
            _ => py.None().into_bound(py),
        })
    }

    fn tuple(&mut self, items: &[Value]) -> PyResult<Bound<'py, PyTuple>> {
        let items: PyResult<Vec<_>> = items.iter().map(|item| self.value(item)).collect();
        PyTuple::new(self.py, items?)
    }

    fn record(&mut self, fields: &[(u32, Value)]) -> PyResult<Bound<'py, PyAny>> {
        // Each value is converted once: converting it again for a repeated name would double the work at each level.
        let dict = PyDict::new(self.py);
        let mut pairs = Vec::with_capacity(fields.len());
        for (hash, value) in fields {
            let (key, value) = (self.known.key(self.py, *hash)?, self.value(value)?);
            dict.set_item(&key, &value)?;
            pairs.push((key, value));
        }
        if dict.len() == fields.len() {
            return Ok(dict.into_any());
        }
        self.classes.record.bind(self.py).call1((PyTuple::new(self.py, pairs)?,))
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
        self.classes.table.bind(py).call1((columns, rows))
    }
}
