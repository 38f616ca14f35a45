//! The class `fourfold.tsm.Node`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use fourfold::tsm::{self, File};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::value;
use crate::array::{Lender, within};
use crate::dtype::Spelled;
use crate::error::not_pickled;

/// A node: an operator, an input (`<param>`) or a tensor (`<const>`).
#[pyclass(frozen, module = "fourfold.tsm")]
pub(crate) struct Node {
    file: Arc<File<'static>>,
    index: u32,
}

impl Node {
    pub(super) fn new(file: &Arc<File<'static>>, index: u32) -> Self {
        Node { file: Arc::clone(file), index }
    }

    fn look<R>(
        &self,
        look: impl for<'a> FnOnce(&'a tsm::Node<'static>, &Lender<'a>) -> R,
    ) -> Option<R> {
        within(&self.file, |file, lender| match file {
            File::Module(module) => module.graph.get(self.index).map(|node| look(node, lender)),
            File::Tensor(_) => None,
        })
    }

    fn text<'py>(
        &self,
        py: Python<'py>,
        of: for<'a> fn(&'a tsm::Node<'static>) -> Option<&'a [u8]>,
    ) -> Option<Bound<'py, PyAny>> {
        self.look(|node, _| of(node).map(|text| value::name(py, text))).flatten()
    }
}

#[pymethods]
impl Node {
    /// The index of the node in the module.
    #[getter]
    fn index(&self) -> u32 {
        self.index
    }

    /// The operator: `conv2d`, `<param>`, `<const>`. `bytes` if it is not UTF-8.
    #[getter]
    fn op<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.text(py, tsm::Node::op_bytes)
    }

    /// The name. `bytes` if it is not UTF-8.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.text(py, tsm::Node::name_bytes)
    }

    /// The nodes of its arguments, in order.
    #[getter]
    fn inputs(&self) -> Vec<Node> {
        let inputs = self.look(|node, _| node.inputs.clone()).unwrap_or_default();
        inputs.into_iter().map(|index| Node::new(&self.file, index)).collect()
    }

    /// The shape of its output, with -1 for an unknown size; `None` if not stored.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let shape = self.look(|node, _| node.shape()).flatten();
        shape.map(|shape| PyTuple::new(py, shape)).transpose()
    }

    /// The element type of its output; `None` if not stored.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let dtype = self.look(|node, _| node.dtype()).flatten();
        let known = dtype.map(fourfold_inspect::tensors::DType::of_tsm);
        known.map(|dtype| Spelled::of(dtype).object(py)).transpose()
    }

    /// Its params by name: an array, `str` for text, or a list of arrays if there are several. Of equal names, the
    /// first counts.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let params = PyDict::new(py);
        for pair in self.param_list(py)?.iter() {
            let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            if !params.contains(&name)? {
                params.set_item(name, value)?;
            }
        }
        Ok(params)
    }

    /// Its params as pairs, in the order of the file; names may repeat.
    #[getter]
    fn param_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        self.look(|node, lender| {
            for param in &node.bubble.params {
                let value = value::value(py, &param.value, lender)?;
                list.append((value::name(py, param.name()), value))?;
            }
            Ok::<_, PyErr>(())
        })
        .transpose()?;
        Ok(list)
    }

    /// The tensor of a `<const>` node; `None` for other nodes.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.look(|node, lender| {
            let packed = node.value().filter(|_| node.is_const())?;
            Some(value::value(py, packed, lender))
        });
        found.flatten().transpose()
    }

    /// Refuses to be pickled.
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("a node", "its module, and look the node up by its name"))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Node>().is_ok_and(|other| {
            let other = other.get();
            Arc::ptr_eq(&self.file, &other.file) && self.index == other.index
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        Arc::as_ptr(&self.file).hash(&mut hasher);
        self.index.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let shown = |text: Option<Bound<'_, PyAny>>| {
            text.and_then(|text| text.repr().ok())
                .map_or_else(|| "?".into(), |text| text.to_string())
        };
        format!("<Node {}: {} {}>", self.index, shown(self.op(py)), shown(self.name(py)))
    }
}
