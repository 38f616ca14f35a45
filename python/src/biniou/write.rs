//! Converts Python objects to biniou values.

use fourfold::biniou::{Table, Tag, Value, hash};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType,
};

use super::classes::{Classes, argument};
use crate::error::{Refused, in_range};
use crate::float::narrowed;
use crate::input::items;
use crate::numpy::{self, Number};

/// The depth limit, that of the library's writer.
const MOST_DEPTH: u16 = 128;

const EXPECTED: &str = "supported: bool, int, float, str, bytes, list, tuple, dict, None, numbers and arrays \
    of NumPy, and the classes of fourfold.biniou";

/// The value of an object.
pub(super) fn value(object: &Bound<'_, PyAny>) -> Result<Value, Refused> {
    of_object(object, MOST_DEPTH)
}

fn of_object(object: &Bound<'_, PyAny>, depth: u16) -> Result<Value, Refused> {
    if object.is_none() {
        return Ok(Value::Unit);
    }
    if let Ok(value) = object.cast::<PyBool>() {
        return Ok(Value::Bool(value.is_true()));
    }
    if let Ok(number) = object.cast_exact::<PyInt>() {
        return svint(number);
    }
    if let Ok(number) = object.cast_exact::<PyFloat>() {
        return Ok(Value::Float64(number.value()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::String(text_of(text)?.into_bytes()));
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Value::String(bytes.as_bytes().to_vec()));
    }
    if let Ok(bytes) = object.cast::<PyByteArray>() {
        return Ok(Value::String(bytes.to_vec()));
    }
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Refused::value(format!("nested deeper than {MOST_DEPTH} levels")));
    };
    if let Ok(fields) = object.cast::<PyDict>() {
        return record(fields, depth);
    }
    if let Ok(list) = object.cast::<PyList>() {
        let items = list.iter().enumerate().map(|(index, item)| part(&item, index, depth));
        return array(items.collect::<Result<_, _>>()?);
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Ok(Value::Tuple(cells(tuple, depth)?));
    }
    of_class(object, depth)
}

/// An array, whose items must all have one tag.
fn array(items: Vec<Value>) -> Result<Value, Refused> {
    let tag = items.first().map(Value::tag);
    match items.iter().position(|item| Some(item.tag()) != tag) {
        None => Ok(Value::Array(items)),
        Some(at) => {
            let (tag, first) = (items.get(at).map(Value::tag), tag);
            let name = |tag: Option<Tag>| tag.map_or("nothing", Tag::name);
            let text = format!(
                "a list of {} has an item of {}; use a tuple for items of different tags",
                name(first),
                name(tag)
            );
            Err(Refused::value(text).at(at))
        }
    }
}

fn part(object: &Bound<'_, PyAny>, index: usize, depth: u16) -> Result<Value, Refused> {
    of_object(object, depth).map_err(|refused| refused.at(index))
}

fn cells(tuple: &Bound<'_, PyTuple>, depth: u16) -> Result<Vec<Value>, Refused> {
    tuple.iter().enumerate().map(|(index, item)| part(&item, index, depth)).collect()
}

fn text_of(text: &Bound<'_, PyString>) -> Result<String, Refused> {
    match text.to_cow() {
        Ok(text) => Ok(text.into_owned()),
        Err(_) => Err(Refused::value("text with a surrogate, which UTF-8 cannot encode")),
    }
}

fn svint(number: &Bound<'_, PyInt>) -> Result<Value, Refused> {
    if let Ok(small) = number.extract::<i64>() {
        return Ok(Value::Svint(i128::from(small)));
    }
    number
        .extract::<i128>()
        .map(Value::Svint)
        .map_err(|_| Refused::value("integer does not fit in 128 bits"))
}

/// The hash of a name, given as `str` or `Hash`, and its text for error paths.
fn key(object: &Bound<'_, PyAny>) -> Result<(u32, String), Refused> {
    if let Ok(name) = object.cast::<PyString>() {
        let name = text_of(name)?;
        return Ok((hash(&name), name));
    }
    if object.get_type().is(&Classes::get(object.py())?.hash) {
        let hash: u32 = object.extract()?;
        return Ok((hash, format!("#{hash:08x}")));
    }
    Err(Refused::type_of(object, "names are str, or Hash"))
}

fn field(
    name: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
    depth: u16,
) -> Result<(u32, Value), Refused> {
    let (hash, name) = key(name)?;
    Ok((hash, of_object(value, depth).map_err(|refused| refused.in_field(&name))?))
}

fn record(fields: &Bound<'_, PyDict>, depth: u16) -> Result<Value, Refused> {
    let mut found = Vec::new();
    for (name, value) in items(fields)? {
        found.push(field(&name, &value, depth)?);
    }
    let fields = found;
    let mut hashes: Vec<u32> = fields.iter().map(|(hash, _)| *hash).collect();
    hashes.sort_unstable();
    let mut pairs = hashes.iter().zip(hashes.iter().skip(1));
    match pairs.find(|(one, next)| one == next) {
        None => Ok(Value::Record(fields)),
        Some((hash, _)) => {
            Err(Refused::value(format!("two names of a record have the hash #{hash:08x}")))
        }
    }
}

/// The value of an instance of one of the package's classes.
fn of_class(object: &Bound<'_, PyAny>, depth: u16) -> Result<Value, Refused> {
    let py = object.py();
    let classes = Classes::get(py)?;
    let class = object.get_type();
    let part = |name: &str| object.getattr(name);
    let is = |one: &Py<PyType>| class.is(one);
    Ok(if is(&classes.int8) {
        Value::Int8(object.extract()?)
    } else if is(&classes.int16) {
        Value::Int16(object.extract()?)
    } else if is(&classes.int32) {
        Value::Int32(object.extract()?)
    } else if is(&classes.int64) {
        Value::Int64(object.extract()?)
    } else if is(&classes.uvint) {
        uvint(object)?
    } else if is(&classes.float32) {
        Value::Float32(narrowed(object)?)
    } else if is(&classes.num_variant) {
        let number = in_range(py, part("number")?.extract(), "the number of a NumVariant")?;
        Value::NumVariant(number, argument_of(object, depth)?)
    } else if is(&classes.variant) {
        Value::Variant(key(&part("name")?)?.0, argument_of(object, depth)?)
    } else if is(&classes.record) {
        let mut fields = Vec::new();
        for pair in part("fields")?.try_iter()? {
            let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
            fields.push(field(&name, &value, depth)?);
        }
        Value::Record(fields)
    } else if is(&classes.table) {
        table(object, depth)?
    } else if is(&classes.shared) {
        let value = of_object(&part("value")?, depth)?;
        let number = in_range(py, part("number")?.extract(), "the number of a Shared")?;
        Value::Shared(number, Box::new(value))
    } else if is(&classes.reference) {
        Value::Reference(in_range(py, part("number")?.extract(), "the number of a Reference")?)
    } else if is(&classes.overlong) {
        let (first, second) = in_range(py, part("extra")?.extract(), "the extra of an Overlong")?;
        Value::Overlong([first, second], Box::new(of_object(&part("value")?, depth)?))
    } else if Classes::get(py)?.has_width(object)? {
        return Err(Refused::type_of(
            object,
            "supported: Int8, Int16, Int32 and Int64 themselves, not their subclasses",
        ));
    } else if let Ok(number) = object.cast::<PyFloat>() {
        Value::Float64(number.value())
    } else if let Some(array) = numpy::Array::of(object)? {
        of_numpy(&array, depth)?
    } else if let Some(index) = object.getattr_opt("__index__")? {
        // Any other integer type.
        let index =
            index.call0().map_err(|error| match error.is_instance_of::<PyTypeError>(py) {
                true => Refused::type_of(object, EXPECTED),
                false => error.into(),
            })?;
        svint(index.cast::<PyInt>().map_err(PyErr::from)?)?
    } else {
        return Err(Refused::type_of(object, EXPECTED));
    })
}

/// An array is written like a list of lists; a scalar like a number.
fn of_numpy(array: &numpy::Array<'_>, depth: u16) -> Result<Value, Refused> {
    if let Some(numbers) = array.numbers()? {
        if array.shape().len() > usize::from(depth) {
            return Err(Refused::value(format!("nested deeper than {MOST_DEPTH} levels")));
        }
        return Ok(nested(array.shape(), &mut numbers.into_iter()));
    }
    match (array.kind(), array.size()) {
        // biniou has no 16-bit floats.
        ('f', 2) | ('S' | 'U' | 'T' | 'O', _) => of_object(&array.list()?, depth),
        _ => Err(array.refused()),
    }
}

/// Nests numbers into lists of the given shape.
fn nested(shape: &[usize], numbers: &mut impl Iterator<Item = Number>) -> Value {
    match shape.split_first() {
        Some((len, rest)) => Value::Array((0..*len).map(|_| nested(rest, numbers)).collect()),
        None => match numbers.next() {
            Some(Number::Bool(flag)) => Value::Bool(flag),
            Some(Number::Int(number)) => Value::Svint(number),
            Some(Number::Float32(number)) => Value::Float32(number),
            Some(Number::Float64(number)) => Value::Float64(number),
            None => Value::Unit,
        },
    }
}

fn uvint(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    Ok(Value::Uvint(match object.extract::<u64>() {
        Ok(small) => u128::from(small),
        Err(_) => object.extract()?,
    }))
}

fn argument_of(object: &Bound<'_, PyAny>, depth: u16) -> Result<Option<Box<Value>>, Refused> {
    let argument = argument(object)?;
    argument.map(|argument| of_object(&argument, depth).map(Box::new)).transpose()
}

fn table(object: &Bound<'_, PyAny>, depth: u16) -> Result<Value, Refused> {
    let mut columns = Vec::new();
    for column in object.getattr("columns")?.try_iter()? {
        let (name, tag): (Bound<'_, PyAny>, String) = column?.extract()?;
        let tags = (0..=u8::MAX).filter_map(Tag::from_byte);
        let Some(tag) = tags.into_iter().find(|known| known.name() == tag) else {
            return Err(Refused::value(format!("there is no tag {tag:?}")));
        };
        columns.push((key(&name)?.0, tag));
    }
    let mut rows = Vec::new();
    for (at, row) in object.getattr("rows")?.try_iter()?.enumerate() {
        let row = row?;
        let row = row.cast::<PyTuple>().map_err(PyErr::from)?;
        rows.push(cells(row, depth).map_err(|refused| refused.at(at))?);
    }
    Ok(Value::Table(Box::new(Table { columns, rows })))
}
