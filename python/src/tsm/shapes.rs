//! The class `fourfold.tsm.NodeShape`: what is known of a node's output.

use fourfold::tsm::{self, Module};
use fourfold_inspect::tensors::DType;
use fourfold_tennis::{Input, NodeShapes, Output, Shapes};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::value;
use crate::dtype::Spelled;

/// The shape and type of a node's output, and what the node costs.
#[pyclass(frozen, module = "fourfold.tsm")]
pub(crate) struct NodeShape {
    found: NodeShapes,
}

impl NodeShape {
    fn output(&self) -> Option<&Output> {
        self.found.output()
    }
}

#[pymethods]
impl NodeShape {
    /// The shape, with -1 for an unknown size; `None` if it is unknown. Of several outputs, that of the first.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let shape = self.output().and_then(Output::shape);
        let sizes =
            |shape: &[Option<i32>]| shape.iter().map(|size| size.unwrap_or(-1)).collect::<Vec<_>>();
        shape.map(|shape| PyTuple::new(py, sizes(shape))).transpose()
    }

    /// The element type; `None` if it is unknown.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let dtype = self.output().and_then(Output::dtype).map(DType::of_tsm);
        dtype.map(|dtype| Spelled::of(dtype).object(py)).transpose()
    }

    /// The products that the node adds up: those of convolutions, products of matrices and LSTMs. `None` if unknown.
    #[getter]
    fn multiply_adds(&self) -> Option<u64> {
        self.found.multiply_adds
    }

    /// The count of elements of the tensors that are its inputs.
    #[getter]
    fn parameters(&self) -> u64 {
        self.found.parameters
    }

    /// Why the shape is unknown.
    #[getter]
    fn unknown(&self) -> Option<&str> {
        self.found.unknown.as_deref()
    }

    fn __repr__(&self) -> String {
        let output = self.output().map(Output::to_string).unwrap_or_default();
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
            dict.set_item(name, NodeShape { found: found.clone() })?;
        }
    }
    Ok(dict)
}

/// The shapes of a mapping of names, in which a negative size is unknown.
pub(super) fn inputs(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Input>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let items = given.call_method0("items")?;
    let input = |item: PyResult<Bound<'_, PyAny>>| {
        let (name, shape): (String, Vec<i32>) = item?.extract()?;
        let sizes = shape.into_iter().map(|size| (size >= 0).then_some(size));
        Ok(Input::new(sizes.collect()).named(name))
    };
    items.try_iter()?.map(input).collect()
}
