//! Converts primitiv files to Python objects.

use fourfold::primitiv::{
    Config, Configs, Data, Entry, File, Model, Name, Optimizer, Parameter, Shape, Tensor,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};

use crate::array::{Order, Whole, array};
use crate::dtype::FLOAT32;
use crate::error::class;
use crate::float::widened;
use crate::signals::Signals;

/// A class of `fourfold.primitiv`.
macro_rules! of_class {
    ($py:expr, $name:literal) => {{
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        class($py, &CLASS, "fourfold.primitiv", $name)
    }};
}

/// The object of a file whose bytes are in `whole`.
pub(super) fn file<'py>(whole: &Whole<'py>, file: &File<'_>) -> PyResult<Bound<'py, PyAny>> {
    let py = whole.py();
    let arrays = Arrays { py, whole, signals: Signals::new(py) };
    match &file.data {
        Data::Shape(shape) => {
            let dims = PyTuple::new(py, shape.dims())?;
            of_class!(py, "Shape")?.call1((dims, shape.batch()))
        }
        Data::Tensor(tensor) => arrays.tensor(tensor),
        Data::Parameter(parameter) => arrays.parameter(parameter),
        Data::Model(model) => arrays.model(model).map(Bound::into_any),
        Data::Optimizer(optimizer) => {
            of_class!(py, "Optimizer")?.call1(self::configs(py, optimizer)?)
        }
    }
}

/// A name as `str`, or as bytes if it is not UTF-8.
fn name<'py>(py: Python<'py>, name: &Name<'_>) -> Bound<'py, PyAny> {
    match name.as_str() {
        Some(text) => PyString::new(py, text).into_any(),
        None => PyBytes::new(py, name.as_bytes()).into_any(),
    }
}

fn dims(shape: &Shape) -> Vec<usize> {
    let batch = Some(shape.batch()).filter(|batch| *batch > 1);
    let axes = shape.dims().iter().copied().chain(batch);
    axes.map(|dim| usize::try_from(dim).unwrap_or(usize::MAX)).collect()
}

/// Makes arrays over the bytes of a file.
struct Arrays<'py, 'w> {
    py: Python<'py>,
    whole: &'w Whole<'py>,
    signals: Signals<'py>,
}

/// Units of work of an array.
const ARRAY: usize = 16;

impl<'py> Arrays<'py, '_> {
    /// An array; the last axis of a batch is the batch.
    fn tensor(&self, tensor: &Tensor<'_>) -> PyResult<Bound<'py, PyAny>> {
        self.signals.work(ARRAY)?;
        let bytes = self.whole.part(tensor.data());
        let shape = dims(tensor.shape());
        let array = array(self.py, bytes, &FLOAT32, shape, Order::ColumnMajor)?;
        match tensor.shape().batch() {
            1 => Ok(array),
            _ => of_class!(self.py, "Batch")?.call1((array,)),
        }
    }

    fn parameter(&self, parameter: &Parameter<'_>) -> PyResult<Bound<'py, PyAny>> {
        let stats = PyDict::new(self.py);
        for stat in parameter.stats() {
            // Of equal names, primitiv takes the first one.
            let name = name(self.py, &stat.name);
            if !stats.contains(&name)? {
                stats.set_item(name, self.tensor(&stat.value)?)?;
            }
        }
        of_class!(self.py, "Parameter")?.call1((self.tensor(parameter.value())?, stats))
    }

    /// Parameters by name, in the order of their names. Of equal names, primitiv's choice counts. A parameter
    /// without statistics is its value.
    fn model(&self, model: &Model<'_>) -> PyResult<Bound<'py, PyDict>> {
        let root = PyDict::new(self.py);
        for entry in model.sorted() {
            self.put(&root, entry)?;
        }
        Ok(root)
    }

    fn put(&self, root: &Bound<'py, PyDict>, entry: &Entry<'_>) -> PyResult<()> {
        let Some((last, prefix)) = entry.key().parts().split_last() else { return Ok(()) };
        let mut place = root.clone();
        for part in prefix {
            let part = name(self.py, part);
            let next = match place.get_item(&part)? {
                Some(next) => next.cast_into::<PyDict>()?,
                None => {
                    let next = PyDict::new(self.py);
                    place.set_item(part, &next)?;
                    next
                }
            };
            place = next;
        }
        let parameter = entry.parameter();
        let object = match parameter.stats().is_empty() {
            true => self.tensor(parameter.value()),
            false => self.parameter(parameter),
        };
        place.set_item(name(self.py, last), object?)
    }
}

/// The integer and float configs of an optimizer.
pub(super) fn configs<'py>(
    py: Python<'py>,
    optimizer: &Optimizer<'_>,
) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let uints = dict(py, &optimizer.uint_configs, |number| number)?;
    Ok((uints, dict(py, &optimizer.float_configs, widened)?))
}

fn dict<'py, T: Config, N: IntoPyObject<'py>>(
    py: Python<'py>,
    configs: &Configs<'_, T>,
    number: impl Fn(T) -> N,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (own, value) in configs.entries() {
        // Of equal names, primitiv takes the first one.
        let name = name(py, own);
        if !dict.contains(&name)? {
            dict.set_item(name, number(*value))?;
        }
    }
    Ok(dict)
}
