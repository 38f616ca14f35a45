//! Builds modules node by node.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use fourfold::tsm::{self, PackedTensor};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use super::module::Module;
use super::value;
use crate::dtype::named;
use crate::error::{Refused, encode, not_pickled};
use crate::exchange::sizes_of;

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

    /// Refuses to be pickled.
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a node of a builder", "the module that is built"))
    }

    fn __repr__(&self) -> String {
        format!("NodeId({})", self.id.index())
    }
}

/// Builds a module node by node. A name that a node has already is a `ValueError`.
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
    /// The names of all nodes.
    names: HashSet<Vec<u8>>,
    /// The inputs and outputs of the module that it was made from.
    ends: Option<[Vec<u32>; 2]>,
}

impl ModuleBuilder {
    fn get(&mut self) -> PyResult<&mut tsm::ModuleBuilder<'static>> {
        self.builder.as_mut().ok_or_else(|| PyValueError::new_err("the module has been built"))
    }

    /// Records the name of a new node.
    ///
    /// # Errors
    ///
    /// If another node has it: `verify` warns of such names, and looking one up finds the first node only. A module of
    /// `from_module` may have some.
    fn take(&mut self, name: &str) -> PyResult<()> {
        self.get()?;
        if self.names.insert(name.as_bytes().to_vec()) {
            return Ok(());
        }
        let text = format!(
            "a node is called {name:?} already; use another name, or set params of that node by set(graph[{name:?}], ..)"
        );
        Err(PyValueError::new_err(text))
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

    /// The given nodes, or else those of the module that the builder was made from.
    fn ends_of(
        &mut self,
        given: Option<Vec<PyRef<'_, NodeId>>>,
        old: Option<Vec<u32>>,
        name: &str,
    ) -> PyResult<Vec<tsm::NodeId>> {
        let builder = self.get()?;
        match (given, old) {
            (Some(given), _) => self.ids(&given),
            (None, Some(old)) => {
                let nodes: Vec<tsm::NodeId> = builder.nodes().collect();
                let at = |index: u32| nodes.get(usize::try_from(index).ok()?).copied();
                Ok(old.into_iter().filter_map(at).collect())
            }
            (None, None) => Err(PyTypeError::new_err(format!("{name} are required"))),
        }
    }
}

/// The nodes of a list.
fn nodes_of<'py>(list: &Bound<'py, PyAny>) -> PyResult<Vec<PyRef<'py, NodeId>>> {
    let wrong = |found: &Bound<'py, PyAny>| match found.get_type().name() {
        Ok(found) => PyTypeError::new_err(format!(
            "a list of nodes is required, such as [graph['x']], not '{found}'"
        )),
        Err(error) => error,
    };
    let nodes = list.try_iter().map_err(|_| wrong(list))?;
    nodes
        .map(|node| {
            node.and_then(|node| Ok(node.cast::<NodeId>().map_err(|_| wrong(&node))?.borrow()))
        })
        .collect()
}

/// The params of keyword arguments.
fn packed(params: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, PackedTensor<'static>)>> {
    let mut packed = Vec::new();
    for (param, value) in params.into_iter().flatten() {
        let param: String = param.extract()?;
        if matches!(&*param, "#op" | "#name") {
            let text = "#op and #name are set by the first two arguments of op";
            return Err(Refused::value(text).in_field(&param).into());
        }
        let value = value::packed(&value).map_err(|refused| refused.in_field(&param))?;
        packed.push((param, value));
    }
    Ok(packed)
}

#[pymethods]
impl ModuleBuilder {
    #[new]
    fn new() -> Self {
        let builder = Some(tsm::ModuleBuilder::new());
        ModuleBuilder { builder, own: Arc::new(()), names: HashSet::new(), ends: None }
    }

    /// Begins with the nodes of a module, to change them or to add others. `build()` makes the same bytes again.
    ///
    /// >>> graph = ModuleBuilder()
    /// >>> x = graph.param("x")
    /// >>> module = graph.build([x], [graph.op("relu", "y", [x])])
    /// >>> graph = ModuleBuilder.from_module(module)
    /// >>> prob = graph.op("softmax", "prob", [graph["y"]], dim=1)
    /// >>> graph.build(outputs=[prob])
    /// <fourfold.tsm.Module: 3 nodes, 1 input, 1 output>
    #[staticmethod]
    fn from_module(module: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(module) = module.cast::<Module>() else {
            let found = module.get_type().name()?;
            let text =
                format!("a Module is required, not '{found}'; open a file by Module.open(path)");
            return Err(PyTypeError::new_err(text));
        };
        let module = module.get().clone_module()?;
        let names = module.graph.nodes.iter().filter_map(|node| node.name_bytes());
        let names = names.map(<[u8]>::to_vec).collect();
        let ends = Some([module.inputs.clone(), module.outputs.clone()]);
        let builder = Some(tsm::ModuleBuilder::from(module));
        Ok(ModuleBuilder { builder, own: Arc::new(()), names, ends })
    }

    /// Refuses to be pickled.
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a builder", "the module that it builds, for ModuleBuilder.from_module"))
    }

    fn __repr__(&self) -> String {
        let described = self.builder.as_ref().map(|builder| match builder.nodes().count() {
            1 => "1 node".to_owned(),
            count => format!("{count} nodes"),
        });
        let described = described.unwrap_or_else(|| "built".to_owned());
        format!("<fourfold.tsm.ModuleBuilder: {described}>")
    }

    /// All nodes, in the order of the module.
    #[getter]
    fn nodes(&mut self) -> PyResult<Vec<NodeId>> {
        let nodes: Vec<tsm::NodeId> = self.get()?.nodes().collect();
        Ok(nodes.into_iter().map(|id| self.made(id)).collect())
    }

    /// The first node with a name, which is `bytes` if it is not UTF-8; `KeyError` if there is none.
    fn __getitem__(&mut self, name: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        let bytes = match name.cast::<PyBytes>() {
            Ok(bytes) => Some(bytes.as_bytes().to_vec()),
            // No node has a name with a surrogate.
            Err(_) => name.cast::<PyString>()?.to_cow().ok().map(|name| name.as_bytes().to_vec()),
        };
        let builder = self.get()?;
        let found = bytes.and_then(|bytes| builder.find(bytes));
        found.map(|id| self.made(id)).ok_or_else(|| PyKeyError::new_err(name.clone().unbind()))
    }

    /// Sets params of a node; their values are those that `const` accepts. That of a `<const>` is `value`.
    #[pyo3(signature = (node, **params))]
    fn set(&mut self, node: PyRef<'_, NodeId>, params: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let packed = packed(params)?;
        let ids = self.ids(&[node])?;
        for id in ids {
            let mut node = self.get()?.at(id);
            for (param, value) in &packed {
                node = node.set(param, value.clone());
            }
        }
        Ok(())
    }

    /// Adds an input. In its shape, -1 is an unknown size.
    #[pyo3(signature = (name, *, shape = None, dtype = None))]
    fn param(
        &mut self,
        name: &str,
        shape: Option<&Bound<'_, PyAny>>,
        dtype: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<NodeId> {
        let shape = shape.map(|shape| sizes_of(shape, name)).transpose()?;
        let dtype = dtype.map(named).transpose()?;
        self.take(name)?;
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
        self.take(name)?;
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
        inputs: &Bound<'_, PyAny>,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<NodeId> {
        let packed = packed(params)?;
        let inputs = self.ids(&nodes_of(inputs)?)?;
        self.take(name)?;
        let mut node = self.get()?.op(op, name, inputs);
        for (param, value) in packed {
            node = node.set(&param, value);
        }
        let id = node.node();
        Ok(self.made(id))
    }

    /// Builds the module. `inputs` and `outputs` are by default those of the module of `from_module`.
    ///
    /// Raises `ValueError` for an earlier error, or for a module that TenniS refuses.
    #[pyo3(signature = (inputs = None, outputs = None))]
    fn build(
        &mut self,
        inputs: Option<&Bound<'_, PyAny>>,
        outputs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Module> {
        let inputs = inputs.map(nodes_of).transpose()?;
        let outputs = outputs.map(nodes_of).transpose()?;
        let [old_inputs, old_outputs] = match &self.ends {
            Some(ends) => ends.clone().map(Some),
            None => [None, None],
        };
        let inputs = self.ends_of(inputs, old_inputs, "inputs")?;
        let outputs = self.ends_of(outputs, old_outputs, "outputs")?;
        let built = self.builder.take().map(|builder| builder.build(inputs, outputs));
        match built {
            Some(Ok(module)) => Ok(Module::of(module, None)),
            Some(Err(error)) => Err(encode(&error)),
            None => Err(Refused::value("the module has been built").into()),
        }
    }
}
