//! Builds modules node by node.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use fourfold::tsm;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::module::Module;
use super::value;
use crate::dtype::named;
use crate::error::{Refused, encode};

/// A node of a `ModuleBuilder`, for use as an input of other nodes.
#[pyclass(frozen, eq, hash, module = "fourfold.tsm")]
pub(crate) struct NodeId {
    id: tsm::NodeId,
    /// The builder of the node.
    owner: Arc<()>,
}

impl PartialEq for NodeId {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && Arc::ptr_eq(&self.owner, &other.owner)
    }
}

impl Eq for NodeId {}

impl Hash for NodeId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

#[pymethods]
impl NodeId {
    /// The index of the node in the module.
    #[getter]
    fn index(&self) -> u32 {
        self.id.index()
    }

    fn __repr__(&self) -> String {
        format!("NodeId({})", self.id.index())
    }
}

/// Builds a module node by node.
///
/// >>> import numpy
/// >>> from fourfold.tsm import ModuleBuilder
/// >>> graph = ModuleBuilder()
/// >>> x = graph.param("x", shape=[1, 3], dtype="float32")
/// >>> w = graph.const("w", numpy.ones((3, 2), numpy.float32))
/// >>> dense = graph.op("inner_prod", "dense", [x, w], transpose=False)
/// >>> module = graph.build([x], [dense])
/// >>> module
/// <fourfold.tsm.Module: 3 nodes, 1 input, 1 output>
/// >>> module.tensors["w"].shape
/// (3, 2)
#[pyclass(module = "fourfold.tsm")]
pub(crate) struct ModuleBuilder {
    builder: Option<tsm::ModuleBuilder<'static>>,
    /// Identifies the builder in its `NodeId`s.
    own: Arc<()>,
}

impl ModuleBuilder {
    fn get(&mut self) -> PyResult<&mut tsm::ModuleBuilder<'static>> {
        self.builder.as_mut().ok_or_else(|| PyValueError::new_err("the module has been built"))
    }

    fn made(&self, id: tsm::NodeId) -> NodeId {
        NodeId { id, owner: Arc::clone(&self.own) }
    }

    fn ids(&self, nodes: &[PyRef<'_, NodeId>]) -> PyResult<Vec<tsm::NodeId>> {
        let own = |node: &PyRef<'_, NodeId>| match Arc::ptr_eq(&node.owner, &self.own) {
            true => Ok(node.id),
            false => {
                let index = node.id.index();
                let text = format!("node {index} belongs to another ModuleBuilder");
                Err(PyValueError::new_err(text))
            }
        };
        nodes.iter().map(own).collect()
    }
}

#[pymethods]
impl ModuleBuilder {
    #[new]
    fn new() -> Self {
        ModuleBuilder { builder: Some(tsm::ModuleBuilder::new()), own: Arc::new(()) }
    }

    /// Adds an input. In its shape, -1 is an unknown size.
    #[pyo3(signature = (name, *, shape = None, dtype = None))]
    fn param(
        &mut self,
        name: &str,
        shape: Option<Vec<i32>>,
        dtype: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<NodeId> {
        let dtype = dtype.map(named).transpose()?;
        let builder = self.get()?;
        let id = builder.param(name);
        if let Some(shape) = shape {
            builder.at(id).shape(&shape);
        }
        if let Some(dtype) = dtype {
            builder.at(id).dtype(dtype);
        }
        Ok(self.made(id))
    }

    /// Adds a tensor: an array, a number, a list of numbers, text, or a list of arrays.
    ///
    /// A number becomes a tensor of one element: `int` an int32, `float` a float64. For other types, use NumPy
    /// scalars such as `numpy.float32(1)`.
    fn r#const(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        let packed = value::packed(value).map_err(|refused| refused.in_field(name))?;
        let id = self.get()?.constant(name, packed);
        Ok(self.made(id))
    }

    /// Adds an operator, with its name and inputs. `params` are its attributes; their values are those that `const`
    /// accepts.
    #[pyo3(signature = (op, name, inputs, **params))]
    fn op(
        &mut self,
        op: &str,
        name: &str,
        inputs: Vec<PyRef<'_, NodeId>>,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<NodeId> {
        let mut packed = Vec::new();
        for (param, value) in params.into_iter().flatten() {
            let param: String = param.extract()?;
            if matches!(&*param, "#op" | "#name") {
                let text = "#op and #name are set by the first two arguments";
                return Err(Refused::value(text).in_field(&param).into());
            }
            let value = value::packed(&value).map_err(|refused| refused.in_field(&param))?;
            packed.push((param, value));
        }
        let inputs = self.ids(&inputs)?;
        let mut node = self.get()?.op(op, name, inputs);
        for (param, value) in packed {
            node = node.set(&param, value);
        }
        let id = node.node();
        Ok(self.made(id))
    }

    /// Builds the module. Raises `ValueError` for an earlier error, or for a module that TenniS refuses.
    fn build(
        &mut self,
        inputs: Vec<PyRef<'_, NodeId>>,
        outputs: Vec<PyRef<'_, NodeId>>,
    ) -> PyResult<Module> {
        self.get()?;
        let (inputs, outputs) = (self.ids(&inputs)?, self.ids(&outputs)?);
        let built = self.builder.take().map(|builder| builder.build(inputs, outputs));
        match built {
            Some(Ok(module)) => Ok(Module::of(module, None)),
            Some(Err(error)) => Err(encode(&error)),
            None => Err(Refused::value("the module has been built").into()),
        }
    }
}
