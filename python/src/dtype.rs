//! Maps element types to NumPy dtypes and back. Each has its own dtype, so that an array can be written with the type it was read with.

use fourfold::tsm;
use fourfold_inspect::tensors::{DType, Small};
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// The NumPy dtype of an element type.
#[derive(Clone, Copy)]
pub(crate) struct Spelled {
    /// A built-in dtype of the same size.
    pub(crate) base: &'static str,
    pub(crate) size: usize,
    how: How,
}

#[derive(Clone, Copy)]
enum How {
    /// `base` itself.
    Plain,
    /// NumPy has no such type: a record with these fields.
    Record(&'static [(&'static str, &'static str)]),
    /// A type of `ml_dtypes`.
    Extension(&'static str),
}

/// The element type of primitiv.
pub(crate) const FLOAT32: Spelled = plain("<f4", 4);

/// One byte.
pub(crate) const BYTE: Spelled = plain("|u1", 1);

const fn plain(base: &'static str, size: usize) -> Spelled {
    Spelled { base, size, how: How::Plain }
}

const fn record(
    base: &'static str,
    size: usize,
    fields: &'static [(&'static str, &'static str)],
) -> Spelled {
    Spelled { base, size, how: How::Record(fields) }
}

const fn extension(base: &'static str, size: usize, name: &'static str) -> Spelled {
    Spelled { base, size, how: How::Extension(name) }
}

impl Spelled {
    /// The dtype of an element type.
    pub(crate) fn of(dtype: DType) -> Self {
        match dtype {
            DType::Bool => plain("|b1", 1),
            DType::I8 => plain("|i1", 1),
            DType::U8 => plain("|u1", 1),
            DType::I16 => plain("<i2", 2),
            DType::U16 => plain("<u2", 2),
            DType::I32 => plain("<i4", 4),
            DType::U32 => plain("<u4", 4),
            DType::I64 => plain("<i8", 8),
            DType::U64 => plain("<u8", 8),
            DType::F16 => plain("<f2", 2),
            DType::Bf16 => extension("<u2", 2, "bfloat16"),
            DType::F32 => FLOAT32,
            DType::F64 => plain("<f8", 8),
            DType::C64 => plain("<c8", 8),
            DType::C128 => plain("<c16", 16),
            DType::Small(small) => extension("|u1", 1, small.name()),
            DType::Tsm(dtype) => Spelled::of_tsm(dtype),
        }
    }

    /// The types that only TenniS has.
    fn of_tsm(dtype: tsm::DType) -> Self {
        use tsm::DType as T;
        match dtype {
            T::Void => plain("|V0", 0),
            T::Char8 => plain("|S1", 1),
            T::Char16 => record("|V2", 2, &[("char16", "<u2")]),
            T::Char32 => plain("<U1", 4),
            T::Ptr => record("|V8", 8, &[("ptr", "<u8")]),
            T::Unknown8 => plain("|V1", 1),
            T::Unknown16 => plain("|V2", 2),
            T::Unknown32 => plain("|V4", 4),
            T::Unknown64 => plain("|V8", 8),
            T::Unknown128 => plain("|V16", 16),
            T::Complex32 => record("|V4", 4, &[("real", "<f2"), ("imag", "<f2")]),
            T::Sink8Q0 => record("|V1", 1, &[("sink8q0", "|i1")]),
            T::Sink8Q1 => record("|V1", 1, &[("sink8q1", "|i1")]),
            T::Sink8Q2 => record("|V1", 1, &[("sink8q2", "|i1")]),
            T::Sink8Q3 => record("|V1", 1, &[("sink8q3", "|i1")]),
            T::Sink8Q4 => record("|V1", 1, &[("sink8q4", "|i1")]),
            T::Sink8Q5 => record("|V1", 1, &[("sink8q5", "|i1")]),
            T::Sink8Q6 => record("|V1", 1, &[("sink8q6", "|i1")]),
            T::Sink8Q7 => record("|V1", 1, &[("sink8q7", "|i1")]),
            other => match DType::of_tsm(other) {
                // An unknown type: bytes without a meaning.
                DType::Tsm(_) => Spelled { base: "|V1", size: other.size(), how: How::Plain },
                known => Spelled::of(known),
            },
        }
    }

    pub(crate) const fn is_plain(&self) -> bool {
        matches!(self.how, How::Plain)
    }

    /// The `numpy.dtype` object.
    ///
    /// # Errors
    ///
    /// If it needs `ml_dtypes`, which is not installed.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static DTYPE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let dtype = DTYPE.import(py, "numpy", "dtype")?;
        match self.how {
            How::Plain if self.base == FLOAT32.base => {
                static FLOAT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                let made = || dtype.call1((self.base,)).map(Bound::unbind);
                Ok(FLOAT.get_or_try_init(py, made)?.bind(py).clone())
            }
            How::Plain => dtype.call1((self.base,)),
            How::Record(fields) => dtype.call1((fields.to_vec(),)),
            How::Extension(name) => {
                // Versions before 0.5 do not have all.
                let class = py.import("ml_dtypes").and_then(|module| module.getattr(name));
                let class = class.map_err(|_| {
                    let text =
                        format!("NumPy has no {name}; install it by: pip install 'ml_dtypes>=0.5'");
                    PyImportError::new_err(text)
                })?;
                dtype.call1((class,))
            }
        }
    }
}

/// The NumPy dtypes of TenniS's element types, by TenniS's names.
#[pyfunction]
pub(crate) fn dtypes(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for dtype in tsm::DType::ALL {
        all.set_item(dtype.name(), Spelled::of_tsm(*dtype).object(py)?)?;
    }
    Ok(all)
}

/// The TenniS type of a NumPy dtype, if there is one.
pub(crate) fn to_tsm(dtype: &Bound<'_, PyAny>) -> PyResult<Option<tsm::DType>> {
    static KNOWN: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let py = dtype.py();
    let known = KNOWN.get_or_try_init(py, || {
        let codes = PyDict::new(py);
        for dtype in tsm::DType::ALL {
            codes.set_item(Spelled::of_tsm(*dtype).object(py)?, dtype.code())?;
        }
        Ok::<_, PyErr>(codes.unbind())
    })?;
    let code = known.bind(py).get_item(dtype)?.map(|code| code.extract::<u8>()).transpose()?;
    Ok(code.and_then(tsm::DType::from_code))
}

/// The element type of a NumPy dtype, if there is one.
pub(crate) fn known(dtype: &Bound<'_, PyAny>) -> PyResult<Option<DType>> {
    if let Some(dtype) = to_tsm(dtype)? {
        return Ok(Some(DType::of_tsm(dtype)));
    }
    // The types of `ml_dtypes`.
    let name: String = dtype.getattr(intern!(dtype.py(), "name"))?.extract()?;
    let small = Small::ALL.map(DType::Small);
    Ok(small.into_iter().chain([DType::Bf16]).find(|known| known.name() == name))
}

/// The TenniS type of a name, or of anything `numpy.dtype` accepts.
pub(crate) fn named<'py>(dtype: &Bound<'py, PyAny>) -> PyResult<tsm::DType> {
    if let Ok(name) = dtype.extract::<String>() {
        if let Some(known) = tsm::DType::ALL.iter().find(|known| known.name() == name) {
            return Ok(*known);
        }
    }
    let py = dtype.py();
    let object = py.import(intern!(py, "numpy"))?.call_method1("dtype", (dtype,))?;
    to_tsm(&object)?.ok_or_else(|| {
        PyTypeError::new_err(format!(
            "TenniS has no elements of {object}; see fourfold.tsm.dtypes()"
        ))
    })
}
