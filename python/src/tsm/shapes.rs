//! The class `fourfold.tsm.NodeShape`: what is known of a node's output.

use fourfold::tsm::{self, Module};
use fourfold_inspect::tensors::DType;
use fourfold_tennis::{Input, NodeShapes, Output, Shapes};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::value;
use crate::dtype::{Spelled, named};
use crate::exchange::sizes_of;

/// The shape and type of a node's output, and what the node costs.
#[pyclass(frozen, eq, hash, module = "fourfold.tsm")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct NodeShape {
    /// With -1 for an unknown size.
    shape: Option<Vec<i32>>,
    dtype: Option<tsm::DType>,
    multiply_adds: Option<u64>,
    parameters: u64,
    unknown: Option<String>,
}

impl NodeShape {
    fn of(found: &NodeShapes) -> Self {
        let shape = found.output().and_then(Output::shape);
        NodeShape {
            shape: shape.map(|sizes| sizes.iter().map(|size| size.unwrap_or(-1)).collect()),
            dtype: found.output().and_then(Output::dtype),
            multiply_adds: found.multiply_adds,
            parameters: found.parameters,
            unknown: found.unknown.clone(),
        }
    }
}

#[pymethods]
impl NodeShape {
    #[new]
    #[pyo3(signature = (shape, dtype, multiply_adds = None, parameters = 0, unknown = None))]
    fn new(
        shape: Option<&Bound<'_, PyAny>>,
        dtype: Option<&Bound<'_, PyAny>>,
        multiply_adds: Option<u64>,
        parameters: u64,
        unknown: Option<String>,
    ) -> PyResult<Self> {
        let shape = shape.map(|shape| sizes_of(shape, "shape")).transpose()?;
        let dtype = dtype.map(named).transpose()?;
        Ok(NodeShape { shape, dtype, multiply_adds, parameters, unknown })
    }

    /// The shape, with -1 for an unknown size; `None` if it is unknown. Of several outputs, that of the first.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.shape.as_ref().map(|shape| PyTuple::new(py, shape)).transpose()
    }

    /// The element type; `None` if it is unknown.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.dtype.map(|dtype| Spelled::of(DType::of_tsm(dtype)).object(py)).transpose()
    }

    /// The products that the node adds up: those of convolutions, products of matrices and LSTMs. `None` if unknown.
    #[getter]
    fn multiply_adds(&self) -> Option<u64> {
        self.multiply_adds
    }

    /// The count of elements of the tensors that are its inputs.
    #[getter]
    fn parameters(&self) -> u64 {
        self.parameters
    }

    /// Why the shape is unknown.
    #[getter]
    fn unknown(&self) -> Option<&str> {
        self.unknown.as_deref()
    }

    /// Pickles the fields.
    fn __reduce__<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let (py, own) = (this.py(), this.get());
        let dtype = own.dtype.map(tsm::DType::name);
        let unknown = own.unknown.as_deref();
        let fields = (own.shape(py)?, dtype, own.multiply_adds, own.parameters, unknown);
        Ok((this.get_type(), fields.into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        let output = match &self.shape {
            Some(shape) => {
                let size = |size: &i32| (*size >= 0).then_some(*size);
                Output::new(self.dtype, shape.iter().map(size).collect())
            }
            None => Output::shapeless(self.dtype),
        };
        format!("<fourfold.tsm.NodeShape: {output}>")
    }
}

/// The shapes of all nodes by their names, of which the first counts.
pub(super) fn shapes<'py>(
    py: Python<'py>,
    module: &Module<'_>,
    inputs: &[Input],
) -> PyResult<Bound<'py, PyDict>> {
    let shapes = py.detach(|| Shapes::infer(module, inputs));
    let shapes = shapes.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let dict = PyDict::new(py);
    for (node, found) in module.graph.nodes.iter().zip(shapes.nodes()) {
        let name = value::name(py, tsm::Node::name_bytes(node).unwrap_or_default());
        if !dict.contains(&name)? {
            dict.set_item(name, NodeShape::of(found))?;
        }
    }
    Ok(dict)
}
