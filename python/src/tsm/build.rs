//! Modules that are made node by node.

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

/// A node of a `ModuleBuilder`, to be the input of others.
#[pyclass(frozen, eq, hash, module = "fourfold.tsm")]
pub(crate) struct NodeId {
    id: tsm::NodeId,
    /// Which builder made it.
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
    /// The position that the node has among those of the module.
    #[getter]
    fn index(&self) -> u32 {
        self.id.index()
    }

    fn __repr__(&self) -> String {
        format!("NodeId({})", self.id.index())
    }
}

/// Makes a module node by node.
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
    /// What its nodes are known by.
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

    /// Adds an input. Its shape may have -1 for a size that is not known.
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
    /// A number becomes a tensor of one element: `int` an int32, `float` a float64. Other types are those of NumPy's
    /// scalars, such as `numpy.float32(1)`.
    fn r#const(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        let packed = value::packed(value).map_err(|refused| refused.in_field(name))?;
        let id = self.get()?.constant(name, packed);
        Ok(self.made(id))
    }

    /// Adds an operator: what it does, what it is called, and its inputs in the order of the arguments. It is told
    /// `params`, whose values are those of `const`.
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
                let text = "what a node is and is called are the first two arguments";
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

    /// Makes the module; `ValueError` for what went wrong on the way, or what TenniS refuses.
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
