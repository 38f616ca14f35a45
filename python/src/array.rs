//! Arrays of NumPy over the library's bytes, without a copy and without `unsafe`.
//!
//! An array is asked for by NumPy's array interface: an object that says where elements lie, which the array
//! then keeps. That object keeps what has the bytes, a file in memory or its map; so elements are there as
//! long as an array looks at them. Of many arrays in one memory, NumPy is given that memory as a whole.
//!
//! The interface says that elements are read-only, and no array can be made writeable over an owner that gives
//! no writeable buffer.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use fourfold::{Memory, tsm};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PyTuple};

use crate::dtype::{BYTE, Spelled};
use crate::error::Refused;
use crate::numpy;

/// What has bytes that arrays look at. Nothing that is shared changes or moves them: none of these types has
/// a cell inside.
pub(crate) trait Owner: Send + Sync + 'static {}

impl Owner for Memory<'static> {}
impl Owner for tsm::File<'static> {}

/// Lends bytes of an owner that it keeps. Its lifetime is that of one look at the owner, and no other: so
/// bytes that live as long are the owner's, or live for ever.
pub(crate) struct Lender<'a> {
    owner: Arc<dyn Any + Send + Sync>,
    look: PhantomData<fn(&'a ()) -> &'a ()>,
}

/// Bytes of an owner, which they keep.
#[derive(Clone)]
pub(crate) struct Lent {
    _owner: Arc<dyn Any + Send + Sync>,
    /// An address, not a pointer: whoever reads there is NumPy.
    address: usize,
    len: usize,
}

/// Looks at what an owner has, and lends of it.
pub(crate) fn within<T: Owner, R>(
    owner: &Arc<T>,
    look: impl for<'a> FnOnce(&'a T, &Lender<'a>) -> R,
) -> R {
    let kept: Arc<dyn Any + Send + Sync> = Arc::<T>::clone(owner);
    look(owner, &Lender { owner: kept, look: PhantomData })
}

impl<'a> Lender<'a> {
    pub(crate) fn lend(&self, bytes: &'a [u8]) -> Lent {
        let address = bytes.as_ptr().addr();
        Lent { _owner: Arc::clone(&self.owner), address, len: bytes.len() }
    }
}

/// The bytes that an array is made over.
pub(crate) enum Bytes {
    Lent(Lent),
    /// A part of a view of all bytes, which NumPy takes them from faster.
    Part {
        view: Py<PyAny>,
        offset: usize,
        len: usize,
    },
}

impl Bytes {
    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Bytes::Lent(lent) => Bytes::Lent(lent.clone()),
            Bytes::Part { view, offset, len } => {
                Bytes::Part { view: view.clone_ref(py), offset: *offset, len: *len }
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Bytes::Lent(lent) => lent.len,
            Bytes::Part { len, .. } => *len,
        }
    }
}

/// All bytes of a memory as a view of Python, for arrays over its parts.
pub(crate) struct Whole<'py> {
    view: Bound<'py, PyAny>,
    address: usize,
    len: usize,
}

impl<'py> Whole<'py> {
    pub(crate) fn new(py: Python<'py>, owner: &Arc<Memory<'static>>) -> PyResult<Self> {
        let lent = within(owner, |memory, lender| lender.lend(memory));
        let (address, len) = (lent.address, lent.len);
        let bytes = array(py, Bytes::Lent(lent), &BYTE, vec![len], Order::RowMajor)?;
        Ok(Whole { view: PyMemoryView::from(&bytes)?.into_any(), address, len })
    }

    pub(crate) fn py(&self) -> Python<'py> {
        self.view.py()
    }

    /// The bytes that lie where these do, or a copy if that is elsewhere.
    pub(crate) fn part(&self, bytes: &[u8]) -> Bytes {
        match range(self.address, self.len, bytes) {
            Some(Range { start, end }) => {
                let view = self.view.clone().unbind();
                Bytes::Part { view, offset: start, len: end.saturating_sub(start) }
            }
            None => Bytes::Lent(lend(bytes.to_vec())),
        }
    }
}

/// Where in `whole` bytes lie, if they do.
pub(crate) fn range_in(whole: &[u8], bytes: &[u8]) -> Option<Range<usize>> {
    range(whole.as_ptr().addr(), whole.len(), bytes)
}

fn range(address: usize, len: usize, bytes: &[u8]) -> Option<Range<usize>> {
    let start = bytes.as_ptr().addr().checked_sub(address)?;
    let end = start.checked_add(bytes.len())?;
    (end <= len).then_some(start..end)
}

/// Bytes that only an array has.
pub(crate) fn lend(bytes: Vec<u8>) -> Lent {
    let owner = Arc::new(Memory::from(bytes));
    within(&owner, |memory, lender| lender.lend(memory))
}

/// The bytes of an array, and what they are.
#[pyclass(frozen, module = "fourfold._fourfold")]
pub(crate) struct Elements {
    bytes: Lent,
    /// As NumPy spells it.
    dtype: &'static str,
    shape: Vec<usize>,
    /// The distance from one element to the next in each axis; row-major where there is none.
    strides: Option<Vec<usize>>,
}

#[pymethods]
impl Elements {
    /// What NumPy asks of an object that it makes an array of.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item(intern!(py, "version"), 3)?;
        interface.set_item(intern!(py, "data"), (self.bytes.address, true))?;
        interface.set_item(intern!(py, "typestr"), self.dtype)?;
        interface.set_item(intern!(py, "shape"), PyTuple::new(py, &self.shape)?)?;
        if let Some(strides) = &self.strides {
            interface.set_item(intern!(py, "strides"), PyTuple::new(py, strides)?)?;
        }
        Ok(interface)
    }

    fn __repr__(&self) -> String {
        format!("<{} bytes that an array looks at>", self.bytes.len)
    }
}

/// In which order elements lie.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Order {
    RowMajor,
    ColumnMajor,
}

/// An array over `bytes`, which are as many elements of that type as the shape says.
///
/// # Errors
///
/// If there are other bytes than that.
pub(crate) fn array<'py>(
    py: Python<'py>,
    bytes: Bytes,
    dtype: &Spelled,
    shape: Vec<usize>,
    order: Order,
) -> PyResult<Bound<'py, PyAny>> {
    // What NumPy looks at must be there, whoever counted before.
    let needed = shape.iter().try_fold(dtype.size, |bytes, dim| bytes.checked_mul(*dim));
    if needed != Some(bytes.len()) {
        let (len, base) = (bytes.len(), dtype.base);
        let text = format!("{len} bytes are not elements of {base} in shape {shape:?}");
        return Err(PyValueError::new_err(text));
    }
    let strides = (order == Order::ColumnMajor).then(|| {
        let mut next = dtype.size;
        let stride = |dim: &usize| {
            let stride = next;
            next = next.saturating_mul(*dim);
            stride
        };
        shape.iter().map(stride).collect::<Vec<_>>()
    });
    static ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    match bytes {
        Bytes::Part { view, offset, .. } => {
            let (shape, strides) = (PyTuple::new(py, shape)?, strides_of(py, strides)?);
            let class = ARRAY.import(py, "numpy", "ndarray")?;
            class.call1((shape, dtype.object(py)?, view, offset, strides))
        }
        Bytes::Lent(bytes) => {
            let elements = Elements { bytes, dtype: dtype.base, shape, strides };
            let array = AS_ARRAY.import(py, "numpy", "asarray")?.call1((elements,))?;
            match dtype.is_plain() {
                true => Ok(array),
                false => array.call_method1(intern!(py, "view"), (dtype.object(py)?,)),
            }
        }
    }
}

fn strides_of<'py>(
    py: Python<'py>,
    strides: Option<Vec<usize>>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    strides.map(|strides| PyTuple::new(py, strides)).transpose()
}

/// An array of what may be one, little-endian.
///
/// # Errors
///
/// If it is one with a mask, which would be lost, or is none.
pub(crate) fn of_object<'py>(object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Refused> {
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    numpy::Array::of(object)?;
    let array = AS_ARRAY.import(py, "numpy", "asarray")?.call1((object,));
    let array = array.map_err(|error| {
        let text = error.value(py).to_string();
        if error.is_instance_of::<PyTypeError>(py) {
            Refused::type_error(text)
        } else if error.is_instance_of::<PyValueError>(py) {
            Refused::value(text)
        } else {
            error.into()
        }
    })?;
    let dtype = array.getattr(intern!(py, "dtype"))?;
    let little = dtype.call_method1(intern!(py, "newbyteorder"), ("<",))?;
    match little.eq(&dtype)? {
        true => Ok(array),
        false => Ok(array.call_method1(intern!(py, "astype"), (little,))?),
    }
}

/// Whether an object is an array of NumPy, or one of its scalars.
pub(crate) fn is_array(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let array = ARRAY.import(object.py(), "numpy", "ndarray")?;
    Ok(object.is_instance(array)? || is_scalar(object)?)
}

/// Whether an object is a scalar of NumPy.
pub(crate) fn is_scalar(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static SCALAR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    object.is_instance(SCALAR.import(object.py(), "numpy", "generic")?)
}

/// The shape of an array.
pub(crate) fn shape_of<T>(array: &Bound<'_, PyAny>) -> PyResult<Vec<T>>
where
    T: TryFrom<usize>,
{
    let shape: Vec<usize> = array.getattr(intern!(array.py(), "shape"))?.extract()?;
    let too_long = |_| PyValueError::new_err(format!("an axis of {shape:?} is too long"));
    shape.iter().map(|dim| T::try_from(*dim).map_err(|_| too_long(()))).collect()
}

/// A copy of the bytes of an array, in that order.
pub(crate) fn bytes_of(array: &Bound<'_, PyAny>, order: Order) -> PyResult<Vec<u8>> {
    let order = match order {
        Order::RowMajor => "C",
        Order::ColumnMajor => "F",
    };
    let bytes = array.call_method1(intern!(array.py(), "tobytes"), (order,))?;
    match bytes.cast::<PyBytes>() {
        Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
        Err(_) => Err(PyTypeError::new_err("an array whose tobytes gives no bytes")),
    }
}
