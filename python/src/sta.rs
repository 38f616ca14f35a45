//! `fourfold.sta`: packages of SeetaFace.

use std::borrow::Cow;

use fourfold_inspect::package::{self, DEEPEST, Value};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::error::{Refused, decode};
use crate::float::{narrowed, widened};
use crate::input;
use crate::signals::Signals;

/// How bytes that are not UTF-8 are in a `str`.
const TEXT: (&str, &str) = ("utf-8", "surrogateescape");

/// Reads the bytes of a package.
#[pyfunction]
#[pyo3(name = "loads")]
pub(crate) fn sta_loads<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    read(data.py(), input::buffer(data)?.as_bytes())
}

/// Reads a package: a path, or an object whose `read` returns bytes.
#[pyfunction]
#[pyo3(name = "load")]
pub(crate) fn sta_load<'py>(fp: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    read(fp.py(), &input::memory(fp.py(), fp)?)
}

/// The bytes of a package, with the keys of dicts in the order in which OpenRoleZoo writes them.
#[pyfunction]
#[pyo3(name = "dumps")]
pub(crate) fn sta_dumps<'py>(obj: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    input::in_memory(obj.py(), |file| sta_dump(obj, file))
}

/// Writes a package: to a path, through a temporary file that replaces it, or to an object with `write`.
#[pyfunction]
#[pyo3(name = "dump")]
pub(crate) fn sta_dump(obj: &Bound<'_, PyAny>, fp: &Bound<'_, PyAny>) -> PyResult<()> {
    input::put(obj.py(), fp, &written(obj)?)
}

fn read<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let value = py.detach(|| package::read(bytes)).map_err(|error| decode(py, &error))?;
    object(&Signals::new(py), py, &value)
}

fn object<'py>(
    signals: &Signals<'py>,
    py: Python<'py>,
    value: &Value<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    signals.work(1)?;
    Ok(match value {
        Value::Nil => py.None().into_bound(py),
        Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Value::Int(number) => PyInt::new(py, *number).into_any(),
        Value::Float(number) => PyFloat::new(py, widened(*number)).into_any(),
        Value::String(bytes) => PyBytes::new(py, bytes).call_method1("decode", TEXT)?,
        Value::Binary(bytes) => PyBytes::new(py, bytes).into_any(),
        Value::List(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(object(signals, py, item)?))?;
            list.into_any()
        }
        Value::Dict(entries) => {
            let dict = PyDict::new(py);
            entries
                .iter()
                .try_for_each(|(key, value)| dict.set_item(&**key, object(signals, py, value)?))?;
            dict.into_bound_py_any(py)?
        }
    })
}

fn written(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let py = object.py();
    let value = value(&Signals::new(py), object, 0)?;
    let mut bytes = Vec::new();
    py.detach(|| package::write(&value, &mut bytes))
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(bytes)
}

/// The value of an object. `depth` is the number of lists and dicts that it is in.
fn value(
    signals: &Signals<'_>,
    object: &Bound<'_, PyAny>,
    depth: u16,
) -> Result<Value<'static>, Refused> {
    signals.work(1)?;
    if object.is_none() {
        return Ok(Value::Nil);
    }
    if let Ok(value) = object.cast::<PyBool>() {
        return Ok(Value::Bool(value.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        let hint = "a package has integers of 32 bits; write it as a float";
        let number = object.extract().map_err(|_| Refused::value(format!("{object}: {hint}")))?;
        return Ok(Value::Int(number));
    }
    if object.is_instance_of::<PyFloat>() {
        let (wide, number): (f64, f32) = (object.extract()?, narrowed(object)?);
        let is_lost = wide.is_finite() && (number.is_infinite() || number == 0.0 && wide != 0.0);
        return match is_lost {
            true => Err(Refused::value(format!("{object} has no float of 32 bits"))),
            false => Ok(Value::Float(number)),
        };
    }
    if object.is_instance_of::<PyString>() {
        let bytes = object.call_method1("encode", TEXT)?;
        return Ok(Value::String(Cow::Owned(bytes.extract()?)));
    }
    if input::is_bytes(object) {
        return Ok(Value::Binary(Cow::Owned(input::buffer(object)?.as_bytes().to_vec())));
    }
    let is_list = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
    let Some(dict) = object.cast::<PyDict>().ok().filter(|_| !is_list) else {
        if !is_list {
            let known = "None, bool, int, float, str, bytes, list, dict";
            return Err(Refused::type_of(object, known));
        }
        let depth = deeper(depth)?;
        let items = object.try_iter()?.enumerate();
        let items =
            items.map(|(at, item)| value(signals, &item?, depth).map_err(|error| error.at(at)));
        return Ok(Value::List(items.collect::<Result<_, _>>()?));
    };
    let depth = deeper(depth)?;
    let mut entries: Vec<(Cow<'static, str>, Value<'static>)> = Vec::new();
    for (key, item) in input::items(dict)? {
        let Ok(key) = key.extract::<String>() else {
            return Err(Refused::type_error(format!("a key is {}, not a str", key.repr()?)));
        };
        let item = value(signals, &item, depth).map_err(|error| error.in_field(&key))?;
        entries.push((Cow::Owned(key), item));
    }
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(Value::Dict(entries))
}

fn deeper(depth: u16) -> Result<u16, Refused> {
    match depth < DEEPEST {
        true => Ok(depth + 1),
        false => Err(Refused::value(format!("nested deeper than {DEEPEST} levels"))),
    }
}
