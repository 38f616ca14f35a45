//! Caches the classes of `fourfold.biniou`.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt, PyType};

use crate::float::widened;

/// Declares a field for each class.
macro_rules! classes {
    ($($field:ident $name:literal)*) => {
        pub(super) struct Classes {
            $(pub(super) $field: Py<PyType>,)*
            /// `int.__new__` and `float.__new__`: numbers from bytes need no check of their range.
            new_int: Py<PyAny>,
            new_float: Py<PyAny>,
            /// `Int8(0)` to `Int8(255)`.
            bytes: Vec<Py<PyAny>>,
        }

        impl Classes {
            fn import(py: Python<'_>) -> PyResult<Self> {
                let module = py.import("fourfold.biniou")?;
                $(let $field = module.getattr($name)?.cast_into::<PyType>()?;)*
                let new_int = py.get_type::<PyInt>().getattr("__new__")?;
                let new_float = py.get_type::<PyFloat>().getattr("__new__")?;
                Ok(Classes {
                    $($field: $field.unbind(),)*
                    new_int: new_int.unbind(),
                    new_float: new_float.unbind(),
                    bytes: Vec::new(),
                })
            }
        }
    };
}

classes! {
    int8 "Int8"
    int16 "Int16"
    int32 "Int32"
    int64 "Int64"
    uvint "Uvint"
    float32 "Float32"
    hash "Hash"
    variant "Variant"
    num_variant "NumVariant"
    record "Record"
    table "Table"
    shared "Shared"
    reference "Reference"
    overlong "Overlong"
}

impl Classes {
    /// The classes, imported on first use.
    pub(super) fn get(py: Python<'_>) -> PyResult<&Classes> {
        static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();
        CLASSES.get_or_try_init(py, || {
            let classes = Classes::import(py)?;
            let byte = |byte: u8| classes.int(py, &classes.int8, byte).map(Bound::unbind);
            let bytes = (0..=u8::MAX).map(byte).collect::<PyResult<_>>()?;
            Ok(Classes { bytes, ..classes })
        })
    }

    /// Whether an object is an instance of a class with an integer width, or of a subclass.
    pub(super) fn has_width(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = object.py();
        let [a, b, c, d] = [&self.int8, &self.int16, &self.int32, &self.int64];
        for class in [a, b, c, d, &self.uvint, &self.float32, &self.hash] {
            if object.is_instance(class.bind(py))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// An integer of the given class. The caller checks the range.
    pub(super) fn int<'py, N: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        class: &Py<PyType>,
        number: N,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.new_int.bind(py).call1((class, number))
    }

    pub(super) fn byte<'py>(&self, py: Python<'py>, byte: u8) -> PyResult<Bound<'py, PyAny>> {
        match self.bytes.get(usize::from(byte)) {
            Some(known) => Ok(known.bind(py).clone()),
            None => self.int(py, &self.int8, byte),
        }
    }

    pub(super) fn float<'py>(&self, py: Python<'py>, number: f32) -> PyResult<Bound<'py, PyAny>> {
        self.new_float.bind(py).call1((&self.float32, widened(number)))
    }
}

/// The argument of a `Variant` or `NumVariant`, if it has one.
pub(super) fn argument<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let arguments = object.getattr(intern!(object.py(), "arguments"))?;
    arguments.try_iter()?.next().transpose()
}
