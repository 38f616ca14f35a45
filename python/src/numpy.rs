//! Recognizes NumPy arrays and scalars by their attributes, without importing NumPy.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::error::Refused;

/// A NumPy array, or a scalar, whose shape is empty.
pub(crate) struct Array<'py> {
    object: Bound<'py, PyAny>,
    dtype: Bound<'py, PyAny>,
    /// NumPy's letter for the kind of its elements.
    kind: char,
    size: usize,
    shape: Vec<usize>,
}

/// The value of an element.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Bool(bool),
    Int(i128),
    Float32(f32),
    Float64(f64),
}

impl<'py> Array<'py> {
    /// The object as an array or scalar, if it is one.
    ///
    /// # Errors
    ///
    /// If it is a masked array.
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> Result<Option<Self>, Refused> {
        if is_plain(object) {
            return Ok(None);
        }
        let py = object.py();
        let Some(dtype) = object.getattr_opt(intern!(py, "dtype"))? else { return Ok(None) };
        let kind = dtype.getattr_opt(intern!(py, "kind"))?.and_then(|kind| kind.extract().ok());
        let size = dtype.getattr_opt(intern!(py, "itemsize"))?.and_then(|it| it.extract().ok());
        let shape = object.getattr_opt(intern!(py, "shape"))?.and_then(|it| it.extract().ok());
        let (Some(kind), Some(size), Some(shape)) = (kind, size, shape) else { return Ok(None) };
        if object.getattr_opt(intern!(py, "tobytes"))?.is_none() {
            return Ok(None);
        }
        let array = Array { object: object.clone(), dtype, kind, size, shape };
        if kind != 'V' && object.getattr_opt(intern!(py, "mask"))?.is_some() {
            let text = "a masked array is not supported here";
            return Err(Refused::type_error(text).hint("convert it by .filled(value)"));
        }
        Ok(Some(array))
    }

    pub(crate) fn kind(&self) -> char {
        self.kind
    }

    /// The size of an element in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub(crate) fn is_scalar(&self) -> bool {
        self.shape.is_empty()
    }

    /// Whether the concatenated elements are the bytes of one value.
    pub(crate) fn is_bytes(&self) -> PyResult<bool> {
        Ok(match self.kind {
            'u' => self.size == 1 && self.shape.len() == 1,
            'V' => self.is_scalar() && self.is_raw()?,
            _ => false,
        })
    }

    /// Whether elements are raw bytes (`V4`).
    fn is_raw(&self) -> PyResult<bool> {
        if self.kind != 'V' || self.has_fields()? {
            return Ok(false);
        }
        let name: String = self.dtype.getattr(intern!(self.object.py(), "name"))?.extract()?;
        Ok(name.starts_with("void"))
    }

    /// Whether elements are records.
    pub(crate) fn has_fields(&self) -> PyResult<bool> {
        let names = self.dtype.getattr_opt(intern!(self.object.py(), "names"))?;
        Ok(names.is_some_and(|names| !names.is_none()))
    }

    /// The bytes of all elements, row by row.
    pub(crate) fn bytes(&self) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.object.call_method0(intern!(self.object.py(), "tobytes"))?;
        Ok(bytes.cast_into::<PyBytes>()?)
    }

    /// The elements as plain Python objects: a list, or one object for a scalar.
    pub(crate) fn list(&self) -> PyResult<Bound<'py, PyAny>> {
        self.object.call_method0(intern!(self.object.py(), "tolist"))
    }

    /// Whether Molecule supports the items: integers, bytes, or any objects.
    pub(crate) fn has_items(&self) -> PyResult<bool> {
        let is_known = matches!(self.kind, 'b' | 'i' | 'u' | 'S' | 'O') || self.is_raw()?;
        Ok(is_known && !self.is_scalar())
    }

    /// The items of the first axis: arrays if there are more axes, else plain Python objects.
    pub(crate) fn items(&self) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let items = match self.shape.len() {
            1 => self.list()?,
            _ => self.object.clone(),
        };
        items.try_iter()?.collect()
    }

    /// The numbers in the [`bytes`](Self::bytes) of an array of bools, integers, or floats of 4 or 8 bytes.
    pub(crate) fn numbers<'b>(
        &self,
        bytes: &'b [u8],
    ) -> PyResult<impl Iterator<Item = Number> + use<'b>> {
        let order: String =
            self.dtype.getattr(intern!(self.object.py(), "byteorder"))?.extract()?;
        let is_big = order == ">" || (order == "=" && cfg!(target_endian = "big"));
        let count = self.shape.iter().try_fold(1_usize, |count, len| count.checked_mul(*len));
        if count.and_then(|count| count.checked_mul(self.size)) != Some(bytes.len()) {
            return Err(PyValueError::new_err(
                "tobytes of the array returns a wrong number of bytes",
            ));
        }
        let kind = self.kind;
        Ok(bytes.chunks_exact(self.size.max(1)).filter_map(move |element| {
            let mut buffer = [0; 8];
            let element_of_rust = buffer.get_mut(..element.len())?;
            element_of_rust.copy_from_slice(element);
            if is_big {
                element_of_rust.reverse();
            }
            number(kind, element_of_rust)
        }))
    }

    /// The error that a format does not support these elements.
    pub(crate) fn refused(&self) -> Refused {
        let text = format!("{} is not supported here", self.name());
        Refused::type_error(text).hint(self.hint())
    }

    /// A description for errors.
    pub(crate) fn name(&self) -> String {
        let dtype = self.dtype.str().map_or_else(|_| "?".into(), |name| name.to_string());
        match self.is_scalar() {
            true => format!("{dtype} of NumPy"),
            false => format!("an array of {dtype}"),
        }
    }

    /// How to convert the elements to a type that most formats have.
    pub(crate) fn hint(&self) -> &'static str {
        match self.kind {
            'M' | 'm' => "convert it by .astype('int64')",
            'f' => "convert it by .astype('float64')",
            'c' => "take its .real and .imag",
            'V' if self.is_raw().unwrap_or(false) => "convert it by .tobytes()",
            'V' if !self.has_fields().unwrap_or(true) => "convert it by .astype('float32')",
            _ => "convert it by .tolist()",
        }
    }
}

/// A number of little-endian bytes.
fn number(kind: char, bytes: &[u8]) -> Option<Number> {
    Some(match (kind, bytes.len()) {
        ('b', _) => Number::Bool(bytes != [0]),
        ('f', 4) => Number::Float32(f32::from_le_bytes(bytes.try_into().ok()?)),
        ('f', _) => Number::Float64(f64::from_le_bytes(bytes.try_into().ok()?)),
        _ => {
            let is_negative = kind == 'i' && bytes.last().is_some_and(|last| *last > 127);
            let mut wide = [if is_negative { 0xff } else { 0 }; 16];
            wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
            Number::Int(i128::from_le_bytes(wide))
        }
    })
}

/// Whether the object is one of Python's own, which has no attributes of NumPy: most are.
fn is_plain(object: &Bound<'_, PyAny>) -> bool {
    object.is_exact_instance_of::<PyFloat>()
        || object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyString>()
        || object.is_exact_instance_of::<PyDict>()
        || object.is_exact_instance_of::<PyList>()
        || object.is_exact_instance_of::<PyTuple>()
        || object.is_exact_instance_of::<PyBytes>()
        || object.is_none()
}

/// Converts a NumPy scalar or zero-dimensional array to a plain Python number; returns other objects unchanged.
pub(crate) fn plain<'py>(object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Refused> {
    Ok(match Array::of(object)? {
        Some(array) if array.is_scalar() && matches!(array.kind, 'b' | 'i' | 'u' | 'f') => {
            array.list()?
        }
        _ => object.clone(),
    })
}

/// An integer of Python or NumPy, or an object with `__index__`.
pub(crate) fn integer<'py>(
    object: &Bound<'py, PyAny>,
) -> Result<Option<Bound<'py, PyInt>>, Refused> {
    if let Ok(number) = object.cast::<PyInt>() {
        return Ok(Some(number.clone()));
    }
    if is_plain(object) {
        return Ok(None);
    }
    let own = plain(object)?;
    if let Ok(number) = own.cast_into::<PyInt>() {
        return Ok(Some(number));
    }
    if Array::of(object)?.is_some() {
        return Ok(None);
    }
    // As Python does: an attribute of the object itself does not count.
    let Some(index) = object.get_type().getattr_opt("__index__")? else { return Ok(None) };
    match index.call1((object,)) {
        Ok(index) => Ok(index.cast_into::<PyInt>().ok()),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
