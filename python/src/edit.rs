//! Arrays that replace the tensors of a file, or make a new one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fourfold_inspect::tensors::{Container, DType, Order as Lie, Role, Tensor, Unread, Weights};
use fourfold_schema::suggestion;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};

use crate::array::{Order, bytes_of, of_object, shape_of};
use crate::dtype::{Spelled, known};

/// Replaces tensors by the arrays of a mapping.
///
/// # Errors
///
/// If there is no tensor of a name, or its type or shape is another.
pub(crate) fn replace(weights: &mut Weights<'_>, arrays: &Bound<'_, PyAny>) -> PyResult<()> {
    let items = items(arrays)?;
    let names = weights.tensors.iter().map(|tensor| tensor.name.clone());
    let places: BTreeMap<String, usize> = names.zip(0..).collect();
    for (name, array) in items {
        let place = places.get(&name).and_then(|place| weights.tensors.get_mut(*place));
        let Some(tensor) = place else {
            if let Some(error) = unreadable(&weights.unread, &name) {
                return Err(error);
            }
            let hint = suggestion(&name, places.keys().map(String::as_str));
            return Err(PyValueError::new_err(format!("{name}: no such tensor in the file{hint}")));
        };
        let array = of_object(&array).map_err(|refused| refused.in_field(&name))?;
        let dtype = array.getattr(intern!(array.py(), "dtype"))?;
        let wanted = Spelled::of(tensor.dtype).object(array.py())?;
        if !dtype.eq(&wanted)? {
            let text = format!(
                "{name}: elements of {dtype}, where the file has {wanted}; convert it by numpy.asarray(it, '{wanted}')"
            );
            return Err(PyTypeError::new_err(text));
        }
        let shape: Vec<usize> = shape_of(&array)?;
        if shape != tensor.shape {
            let text = format!("{name}: shape {shape:?}, where the file has {:?}", tensor.shape);
            return Err(PyValueError::new_err(text));
        }
        let order = match tensor.order {
            Lie::RowMajor => Order::RowMajor,
            Lie::ColumnMajor => Order::ColumnMajor,
        };
        tensor.bytes = Cow::Owned(packed(bytes_of(&array, order)?, tensor.dtype));
    }
    Ok(())
}

/// The exception for a tensor that cannot be read; `None` for other names.
pub(crate) fn unreadable(unread: &[Unread], name: &str) -> Option<PyErr> {
    let found = unread.iter().find(|unread| unread.name == name)?;
    Some(PyValueError::new_err(format!("a tensor that cannot be read: {found}")))
}

/// Refuses arrays of types that the container lacks, and those that only TenniS has, such as characters, for npz and npy,
/// which would have other numbers.
///
/// # Errors
///
/// The array, its type, and what to do.
pub(crate) fn check_types(tensors: &[Tensor<'_>], container: Container) -> PyResult<()> {
    let kind = container.kind();
    if let Some(Tensor { name, dtype, .. }) =
        tensors.iter().find(|tensor| tensor.stored_in(kind).is_none())
    {
        let (container, hint) = match container {
            Container::Primitiv => ("primitiv", "; convert it by numpy.asarray(it, 'float32')"),
            _ => (kind.name(), ""),
        };
        return Err(PyTypeError::new_err(format!("{name}: {container} has no {dtype}{hint}")));
    }
    let own = tensors.iter().find(|tensor| matches!(tensor.dtype, DType::Tsm(_)));
    match own {
        Some(Tensor { name, dtype, .. })
            if matches!(container, Container::Npz | Container::Npy) =>
        {
            let container = container.name();
            let text = format!(
                "{name}: {container} has no {dtype}; pass raw=True to write the numbers of its bits"
            );
            Err(PyValueError::new_err(text))
        }
        _ => Ok(()),
    }
}

/// The tensors of the arrays of a mapping.
pub(crate) fn tensors(arrays: &Bound<'_, PyAny>) -> PyResult<Vec<Tensor<'static>>> {
    let mut tensors = Vec::new();
    for (name, array) in items(arrays)? {
        let array = of_object(&array).map_err(|refused| refused.in_field(&name))?;
        let dtype = array.getattr(intern!(array.py(), "dtype"))?;
        let Some(found) = known(&dtype)? else {
            let text = format!("{name}: elements of {dtype} cannot be stored");
            return Err(PyTypeError::new_err(text));
        };
        let bytes = bytes_of(&array, Order::RowMajor)?;
        let (count, bits) = (bytes.len(), found.bits());
        if bits < 8 && count.saturating_mul(bits) % 8 > 0 {
            let text =
                format!("{name}: {count} elements of {bits} bits do not fill their last byte");
            return Err(PyValueError::new_err(text));
        }
        tensors.push(Tensor {
            shape: shape_of(&array)?,
            bytes: Cow::Owned(packed(bytes, found)),
            order: Lie::RowMajor,
            dtype: found,
            role: Role::Weight,
            name,
        });
    }
    Ok(tensors)
}

/// The bytes of elements. NumPy has those of less than a byte in a byte each; they are packed.
fn packed(bytes: Vec<u8>, dtype: DType) -> Vec<u8> {
    let bits = match u32::try_from(dtype.bits()) {
        Ok(bits @ 1..8) => bits,
        _ => return bytes,
    };
    let mut packed = Vec::new();
    let (mut word, mut filled) = (0u32, 0);
    for byte in bytes {
        word |= (u32::from(byte) & ((1 << bits) - 1)) << filled;
        filled += bits;
        if filled >= 8 {
            let [low, ..] = word.to_le_bytes();
            packed.push(low);
            word >>= 8;
            filled -= 8;
        }
    }
    packed
}

/// The items of a mapping of names to arrays.
fn items<'py>(arrays: &Bound<'py, PyAny>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    let Ok(mapping) = arrays.cast::<PyMapping>() else {
        let found = arrays.get_type().name()?;
        let text = format!("tensors are a dict of arrays by name, not '{found}'");
        return Err(PyTypeError::new_err(text));
    };
    let mut items = Vec::new();
    for pair in mapping.items()? {
        let (name, array): (Bound<'py, PyAny>, Bound<'py, PyAny>) = pair.extract()?;
        let Ok(text) = name.cast::<PyString>() else {
            let found = name.get_type().name()?;
            return Err(PyTypeError::new_err(format!("names of tensors are str, not '{found}'")));
        };
        // No tensor has a name with a surrogate.
        let text = text.to_cow().map_err(|_| {
            PyValueError::new_err("a name with a surrogate, which UTF-8 cannot encode")
        })?;
        items.push((text.into_owned(), array));
    }
    Ok(items)
}
