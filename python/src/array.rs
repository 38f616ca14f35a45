//! NumPy arrays over the library's bytes, without a copy and without `unsafe`.
//!
//! NumPy makes an array from an object with the array interface, and the array keeps that object. The object
//! keeps the owner of the bytes: a file in memory, or its memory map. Many arrays of one file share one view
//! of its bytes instead.
//!
//! Arrays are read-only, and cannot be made writeable: the owner exports no writeable buffer.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use fourfold::{Memory, tsm};
use fourfold_inspect::input::Input;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyMemoryView, PySlice, PyTuple};

use crate::dtype::{BYTE, Spelled};
use crate::error::Refused;
use crate::numpy;

/// The owner of the bytes of arrays. A shared owner never changes or moves them: these types have no interior
/// mutability.
pub(crate) trait Owner: Send + Sync + 'static {}

impl Owner for Memory<'static> {}
impl Owner for Input {}
impl Owner for bytes::Bytes {}
impl Owner for tsm::File<'static> {}

/// Lends bytes of an owner. Its lifetime is invariant and that of one borrow of the owner, so bytes with this
/// lifetime belong to the owner or are `'static`.
pub(crate) struct Lender<'a> {
    owner: Arc<dyn Any + Send + Sync>,
    lifetime: PhantomData<fn(&'a ()) -> &'a ()>,
}

/// Bytes of an owner, which this value keeps alive.
#[derive(Clone)]
pub(crate) struct Lent {
    _owner: Arc<dyn Any + Send + Sync>,
    /// An address, not a pointer: only NumPy reads the bytes.
    address: usize,
    len: usize,
}

/// Calls `work` with an owner and a lender of its bytes.
pub(crate) fn within<T: Owner, R>(
    owner: &Arc<T>,
    work: impl for<'a> FnOnce(&'a T, &Lender<'a>) -> R,
) -> R {
    let kept: Arc<dyn Any + Send + Sync> = Arc::<T>::clone(owner);
    work(owner, &Lender { owner: kept, lifetime: PhantomData })
}

impl<'a> Lender<'a> {
    pub(crate) fn lend(&self, bytes: &'a [u8]) -> Lent {
        let address = bytes.as_ptr().addr();
        Lent { _owner: Arc::clone(&self.owner), address, len: bytes.len() }
    }
}

/// The bytes of an array.
pub(crate) enum Bytes {
    Lent(Lent),
    /// A range of a view of all bytes: NumPy makes such arrays faster.
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

    pub(crate) fn len(&self) -> usize {
        match self {
            Bytes::Lent(lent) => lent.len,
            Bytes::Part { len, .. } => *len,
        }
    }
}

/// A `memoryview` of all bytes of a file, for arrays over ranges of it.
pub(crate) struct Whole<'py> {
    view: Bound<'py, PyAny>,
    address: usize,
    len: usize,
}

impl<'py> Whole<'py> {
    pub(crate) fn new(py: Python<'py>, owner: &Arc<Memory<'static>>) -> PyResult<Self> {
        Whole::of(py, within(owner, |memory, lender| lender.lend(memory)))
    }

    pub(crate) fn of_input(py: Python<'py>, owner: &Arc<Input>) -> PyResult<Self> {
        Whole::of(py, within(owner, |input, lender| lender.lend(&input.bytes)))
    }

    pub(crate) fn of_bytes(py: Python<'py>, owner: bytes::Bytes) -> PyResult<Self> {
        Whole::of(py, within(&Arc::new(owner), |bytes, lender| lender.lend(bytes)))
    }

    fn of(py: Python<'py>, lent: Lent) -> PyResult<Self> {
        let (address, len) = (lent.address, lent.len);
        let bytes = array(py, Bytes::Lent(lent), &BYTE, vec![len], Order::RowMajor)?;
        Ok(Whole { view: PyMemoryView::from(&bytes)?.into_any(), address, len })
    }

    pub(crate) fn py(&self) -> Python<'py> {
        self.view.py()
    }

    /// These bytes as a range of the view, or a copy if they are not in it.
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

/// The range of `bytes` in `whole`, if they are a slice of it.
pub(crate) fn range_in(whole: &[u8], bytes: &[u8]) -> Option<Range<usize>> {
    range(whole.as_ptr().addr(), whole.len(), bytes)
}

fn range(address: usize, len: usize, bytes: &[u8]) -> Option<Range<usize>> {
    let start = bytes.as_ptr().addr().checked_sub(address)?;
    let end = start.checked_add(bytes.len())?;
    (end <= len).then_some(start..end)
}

/// Moves bytes into an owner of their own.
pub(crate) fn lend(bytes: Vec<u8>) -> Lent {
    let owner = Arc::new(Memory::from(bytes));
    within(&owner, |memory, lender| lender.lend(memory))
}

/// An object with NumPy's array interface.
#[pyclass(frozen, module = "fourfold._fourfold")]
pub(crate) struct Elements {
    bytes: Lent,
    /// NumPy's spelling.
    dtype: &'static str,
    shape: Vec<usize>,
    /// Bytes from one element to the next in each axis; `None` for row-major.
    strides: Option<Vec<usize>>,
}

#[pymethods]
impl Elements {
    /// NumPy's array interface, version 3.
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
        format!("<{} bytes of an array>", self.bytes.len)
    }
}

/// The order of elements in memory.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Order {
    RowMajor,
    ColumnMajor,
}

/// An array of the given type and shape over `bytes`.
///
/// # Errors
///
/// If the number of bytes does not match.
pub(crate) fn array<'py>(
    py: Python<'py>,
    bytes: Bytes,
    dtype: &Spelled,
    shape: Vec<usize>,
    order: Order,
) -> PyResult<Bound<'py, PyAny>> {
    // NumPy does not check the address: a wrong length would be a read out of bounds.
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

/// Converts an object to a little-endian array.
///
/// # Errors
///
/// If NumPy cannot convert the object, or it is a masked array: the mask would be lost.
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

/// Whether an object is a NumPy array or scalar.
pub(crate) fn is_array(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let array = ARRAY.import(object.py(), "numpy", "ndarray")?;
    Ok(object.is_instance(array)? || is_scalar(object)?)
}

/// Whether an object is a NumPy scalar.
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

/// The most bytes of an array that are copied at once: some milliseconds.
const PIECE: usize = 4 << 20;

/// A copy of the bytes of an array, in the given order.
pub(crate) fn bytes_of(array: &Bound<'_, PyAny>, order: Order) -> PyResult<Vec<u8>> {
    let py = array.py();
    let rows = match order {
        Order::RowMajor => array.clone(),
        Order::ColumnMajor => array.getattr(intern!(py, "T"))?,
    };
    let mut bytes = Vec::with_capacity(nbytes(&rows)?);
    copy(&rows, &mut bytes)?;
    Ok(bytes)
}

fn nbytes(array: &Bound<'_, PyAny>) -> PyResult<usize> {
    array.getattr(intern!(array.py(), "nbytes"))?.extract()
}

/// Appends the bytes of an array in row-major order, in pieces along its first axes. NumPy would copy all of an array that
/// is not contiguous at once.
fn copy(array: &Bound<'_, PyAny>, bytes: &mut Vec<u8>) -> PyResult<()> {
    let (py, len) = (array.py(), nbytes(array)?);
    if len <= PIECE {
        let piece = array.call_method0(intern!(py, "tobytes"))?.cast_into::<PyBytes>()?;
        bytes.extend(piece.as_bytes());
        return py.check_signals();
    }
    let rows = array.len()?;
    let at_once = PIECE / (len / rows.max(1)).max(1);
    for start in (0..rows).step_by(at_once.max(1)) {
        match at_once {
            0 => copy(&array.get_item(start)?, bytes)?,
            _ => {
                let end = start.saturating_add(at_once);
                let piece = PySlice::new(py, start.try_into()?, end.try_into()?, 1);
                copy(&array.get_item(piece)?, bytes)?;
            }
        }
    }
    Ok(())
}
