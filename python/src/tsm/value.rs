//! Converts values of params to Python objects and back.

use fourfold::tsm::{DType, IntoPacked as _, PackedTensor, Prototype, Tensor};
use fourfold_inspect::failure::describe;
use fourfold_inspect::tensors::DType as Known;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple,
};

use crate::array::{
    Bytes, Lender, Order, array, bytes_of, is_array, is_scalar, of_object, shape_of,
};
use crate::dtype::{Spelled, to_tsm};
use crate::error::Refused;
use crate::numpy::Array;

/// `str` for text, an array for other tensors.
fn field<'py, 'a>(
    py: Python<'py>,
    tensor: &'a Tensor<'static>,
    lender: &Lender<'a>,
) -> PyResult<Bound<'py, PyAny>> {
    match text(tensor) {
        Some(text) => Ok(PyString::new(py, text).into_any()),
        None => self::tensor(py, tensor, lender),
    }
}

/// The array of a tensor, over its bytes.
pub(super) fn tensor<'py, 'a>(
    py: Python<'py>,
    tensor: &'a Tensor<'static>,
    lender: &Lender<'a>,
) -> PyResult<Bound<'py, PyAny>> {
    let spelled = Spelled::of(Known::of_tsm(tensor.dtype()));
    let shape = tensor.shape().iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX));
    array(py, Bytes::Lent(lender.lend(tensor.bytes())), &spelled, shape.collect(), Order::RowMajor)
}

/// The object of a single tensor, or a list of those of several.
pub(super) fn value<'py, 'a>(
    py: Python<'py>,
    packed: &'a PackedTensor<'static>,
    lender: &Lender<'a>,
) -> PyResult<Bound<'py, PyAny>> {
    match packed.fields.as_slice() {
        [only] => field(py, only, lender),
        fields => {
            let list = PyList::empty(py);
            for field in fields {
                list.append(self::field(py, field, lender)?)?;
            }
            Ok(list.into_any())
        }
    }
}

/// The text of a tensor that TenniS treats as text, if it is UTF-8.
fn text<'t>(tensor: &'t Tensor<'_>) -> Option<&'t str> {
    let is_text = tensor.dtype() == DType::Char8 && tensor.shape().len() == 1;
    std::str::from_utf8(tensor.bytes()).ok().filter(|_| is_text)
}

/// A name, or its bytes if it is not UTF-8.
pub(super) fn name<'py>(py: Python<'py>, name: &[u8]) -> Bound<'py, PyAny> {
    match std::str::from_utf8(name) {
        Ok(text) => PyString::new(py, text).into_any(),
        Err(_) => PyBytes::new(py, name).into_any(),
    }
}

/// The tensor of an array.
fn of_array(object: &Bound<'_, PyAny>) -> Result<Tensor<'static>, Refused> {
    let array = of_object(object)?;
    let Some(dtype) = to_tsm(&array.getattr(intern!(object.py(), "dtype"))?)? else {
        return Err(no_elements(&array)?);
    };
    let shape: Vec<i32> = shape_of(&array)?;
    let bytes = bytes_of(&array, Order::RowMajor)?;
    let made = Tensor::new(Prototype::new(dtype, shape), bytes);
    made.map_err(|error| Refused::value(describe(&error)))
}

/// The error that TenniS has no such elements, with a hint.
fn no_elements(array: &Bound<'_, PyAny>) -> Result<Refused, Refused> {
    let dtype = array.getattr(intern!(array.py(), "dtype"))?.str()?;
    let refused = Refused::type_error(format!("TenniS has no elements of {dtype}"));
    Ok(match Array::of(array)? {
        Some(array) if matches!(array.kind(), 'U' | 'S' | 'T') => {
            refused.hint("text is an array of S1: numpy.frombuffer(text.encode(), 'S1')")
        }
        Some(array) if array.kind() == 'O' => refused.hint("name their type: .astype('float32')"),
        Some(array) if array.kind() == 'c' => refused.hint("convert it by .astype('complex128')"),
        Some(array) if !array.has_fields()? => refused.hint(array.hint()),
        _ => refused,
    })
}

const EXPECTED: &str = "supported: bool, int, float, str, numpy.ndarray and lists of these";

/// The tensors of a param.
pub(super) fn packed(object: &Bound<'_, PyAny>) -> Result<PackedTensor<'static>, Refused> {
    let made = if let Ok(value) = object.cast::<PyBool>() {
        value.is_true().into_packed()
    } else if let Ok(text) = object.cast::<PyString>() {
        return text_tensor(text).map(Into::into);
    } else if let Ok(bytes) = object.cast::<PyBytes>() {
        let bytes = bytes.as_bytes().to_vec();
        let len = i32::try_from(bytes.len()).map_err(|_| Refused::value("text is too long"))?;
        Tensor::new(Prototype::new(DType::Char8, [len]), bytes).map(PackedTensor::from)
    } else if is_array(object)? {
        let tensor = of_array(object)?;
        // As in TenniS, a number has the shape [1].
        return match is_scalar(object)? {
            true => list_of_one(tensor),
            false => Ok(tensor.into()),
        };
    } else if let Ok(number) = object.cast::<PyInt>() {
        int32(number)?.into_packed()
    } else if let Ok(number) = object.cast::<PyFloat>() {
        number.value().into_packed()
    } else if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        return list(object);
    } else {
        return Err(Refused::type_of(object, EXPECTED));
    };
    made.map_err(|error| Refused::value(describe(&error)))
}

fn list_of_one(tensor: Tensor<'static>) -> Result<PackedTensor<'static>, Refused> {
    let (prototype, memory) = tensor.into_parts();
    let tensor = Tensor::new(Prototype::new(prototype.dtype, [1]), memory);
    tensor.map(Into::into).map_err(|error| Refused::value(describe(&error)))
}

fn int32(number: &Bound<'_, PyInt>) -> Result<i32, Refused> {
    number
        .extract()
        .map_err(|_| Refused::value("integer does not fit in 32 bits; use numpy.int64 for 64"))
}

const IN_LIST: &str = "a list may have only bool, only int or only float, or numpy.ndarray and str";

fn text_tensor(text: &Bound<'_, PyString>) -> Result<Tensor<'static>, Refused> {
    Tensor::text(&text.to_cow()?).map_err(|error| Refused::value(describe(&error)))
}

/// One tensor for numbers of one kind; one for each item of arrays and texts.
fn list(object: &Bound<'_, PyAny>) -> Result<PackedTensor<'static>, Refused> {
    let items: Vec<Bound<'_, PyAny>> = object.try_iter()?.collect::<PyResult<_>>()?;
    if is_of_one_scalar(&items)? {
        return of_array(object).map(Into::into);
    }
    let is_every = |is_it: fn(&Bound<'_, PyAny>) -> bool| items.iter().all(is_it);
    let made = if is_every(|item| item.is_instance_of::<PyBool>()) && !items.is_empty() {
        let flags: PyResult<Vec<bool>> = items.iter().map(PyAnyMethods::extract).collect();
        flags?.into_packed()
    } else if is_every(|item| item.is_exact_instance_of::<PyInt>()) {
        let number = |(at, item): (usize, &Bound<'_, PyAny>)| {
            int32(item.cast::<PyInt>().map_err(PyErr::from)?).map_err(|refused| refused.at(at))
        };
        let numbers: Result<Vec<i32>, Refused> = items.iter().enumerate().map(number).collect();
        numbers?.into_packed()
    } else if is_every(|item| item.is_exact_instance_of::<PyFloat>()) {
        let numbers: PyResult<Vec<f64>> = items.iter().map(PyAnyMethods::extract).collect();
        numbers?.into_packed()
    } else {
        let tensor = |(at, item): (usize, &Bound<'_, PyAny>)| {
            let tensor = match item.cast::<PyString>() {
                Ok(text) => text_tensor(text),
                Err(_) if is_array(item)? => of_array(item),
                Err(_) => Err(Refused::type_of(item, IN_LIST)),
            };
            tensor.map_err(|refused| refused.at(at))
        };
        let tensors: Result<Vec<_>, Refused> = items.iter().enumerate().map(tensor).collect();
        tensors?.into_packed()
    };
    made.map_err(|error| Refused::value(describe(&error)))
}

/// Whether all items are NumPy scalars of one type: they make one tensor.
fn is_of_one_scalar(items: &[Bound<'_, PyAny>]) -> PyResult<bool> {
    let Some(first) = items.first() else { return Ok(false) };
    let is_text = first.is_instance_of::<PyString>() || first.is_instance_of::<PyBytes>();
    let class = first.get_type();
    Ok(!is_text && is_scalar(first)? && items.iter().all(|item| item.get_type().is(&class)))
}

/// The tensors of a tensor file.
pub(super) fn fields(arrays: &Bound<'_, PyAny>) -> Result<PackedTensor<'static>, Refused> {
    // Iterating these would make arrays of letters, numbers, or the names of a dict.
    if arrays.is_instance_of::<PyString>()
        || arrays.is_instance_of::<PyBytes>()
        || arrays.is_instance_of::<PyByteArray>()
        || arrays.is_instance_of::<PyDict>()
    {
        return Err(Refused::type_error("an array, or a list of arrays, is required"));
    }
    if is_array(arrays)? {
        return of_array(arrays).map(Into::into);
    }
    let mut fields = Vec::new();
    for (at, array) in arrays.try_iter()?.enumerate() {
        fields.push(of_array(&array?).map_err(|refused| refused.at(at))?);
    }
    Ok(fields.into())
}
