//! The class `fourfold.tsm.Module`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fourfold::Memory;
use fourfold::tsm::{self, File, Options};
use fourfold_inspect::graph::colours::Theme;
use fourfold_inspect::graph::picture::Picture;
use fourfold_inspect::graph::{draw, stack};
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::{Container, Role, Source as _, put_back};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyString, PyTuple, PyType};

use super::node::Node;
use super::packed::{Owned, opened};
use crate::array::{Bytes, lend, within};
use crate::error::{closed, decode, failed};
use crate::signals::{Raised, detached, writing};
use crate::target::{Target, Task, finish, original_of};
use crate::tensors::{Entries, borrowed, weights_of};
use crate::{edit, exchange, input};

/// A TenniS module: a graph of operators and its tensors.
///
/// `Module.open` memory-maps a file: only used tensors are read, and arrays keep the map. Do not change or
/// truncate the file while arrays use it; replace it by a rename, as `save` does.
#[pyclass(frozen, module = "fourfold.tsm")]
pub(crate) struct Module {
    open: Mutex<Option<Open>>,
    path: Option<PathBuf>,
}

/// The state of an open module. Running calls keep their own reference to the file.
struct Open {
    file: Arc<File<'static>>,
    /// Made at the first use.
    tensors: Option<Py<PyAny>>,
}

impl Module {
    pub(crate) fn of(module: tsm::Module<'static>, path: Option<PathBuf>) -> Self {
        let open = Open { file: Arc::new(File::Module(module)), tensors: None };
        Module { open: Mutex::new(Some(open)), path }
    }

    fn of_bytes(py: Python<'_>, bytes: impl Owned) -> PyResult<Self> {
        let options = Options::new().max_input(u64::MAX);
        let len = bytes.len();
        let read = move || tsm::Module::from_reader_with(&*bytes, &options);
        let module = detached(py, len, read)?;
        Ok(Module::of(module.map_err(|error| decode(py, &error))?, None))
    }

    /// Locks the state. The caller must not call Python while it has the lock.
    fn open_file(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entries(&self) -> PyResult<Entries> {
        within(&self.file()?, |file, lender| {
            let mut weights = file.weights().map_err(PyValueError::new_err)?;
            weights.tensors.retain(|tensor| tensor.role != Role::Attribute);
            let bytes = weights.tensors.iter().map(|tensor| match borrowed(&tensor.bytes) {
                Some(bytes) => Bytes::Lent(lender.lend(bytes)),
                None => Bytes::Lent(lend(tensor.bytes.to_vec())),
            });
            let bytes = bytes.collect();
            Ok(Entries::new(weights, bytes))
        })
    }

    fn file(&self) -> PyResult<Arc<File<'static>>> {
        let file = self.open_file().as_ref().map(|open| Arc::clone(&open.file));
        file.ok_or_else(closed)
    }

    fn look<R>(&self, look: impl FnOnce(&tsm::Module<'static>) -> R) -> PyResult<R> {
        match &*self.file()? {
            File::Module(module) => Ok(look(module)),
            File::Tensor(_) => Err(PyValueError::new_err("a tensor file has no module")),
        }
    }

    /// The module itself, whose tensors share the file.
    pub(super) fn clone_module(&self) -> PyResult<tsm::Module<'static>> {
        self.look(tsm::Module::clone)
    }

    /// The index of the first node with a name. No node has a name with a surrogate.
    fn place_of(&self, name: &Bound<'_, PyString>) -> PyResult<Option<usize>> {
        let name = name.to_cow().ok();
        self.look(|module| {
            let name = name.as_deref().map(str::as_bytes);
            let named = |node: &tsm::Node<'_>| name.is_some() && node.name_bytes() == name;
            module.graph.nodes.iter().position(named)
        })
    }

    fn nodes_at(&self, indices: impl IntoIterator<Item = u32>) -> PyResult<Vec<Node>> {
        let file = self.file()?;
        Ok(indices.into_iter().map(|index| Node::new(&file, index)).collect())
    }

    fn title(&self) -> String {
        let name = self.path.as_deref().and_then(|path| path.file_name());
        name.map_or_else(|| "module".to_owned(), |name| name.to_string_lossy().into_owned())
    }
}

#[pymethods]
impl Module {
    /// Opens a `.tsm` file: a path, which is memory-mapped, or an open file, which is read to its end.
    #[staticmethod]
    pub(crate) fn open(path: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = path.py();
        match input::path_of(path)? {
            Some(path) => {
                let module = opened(py, &path, tsm::Module::open)?;
                Ok(Module::of(module, Some(path)))
            }
            None => Module::of_bytes(py, input::open(path)?.bytes),
        }
    }

    /// Whether a file is a module and not a tensor file.
    #[staticmethod]
    fn is_module(path: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(File::is_module(&input::open(path)?.bytes))
    }

    /// Reads the bytes of a `.tsm` file.
    #[staticmethod]
    fn loads(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        Module::of_bytes(data.py(), PyBackedBytes::from(input::buffer(data)?))
    }

    /// The format of the file.
    #[getter]
    fn format(&self) -> &'static str {
        "tsm"
    }

    /// All nodes, in the order of the file.
    #[getter]
    fn nodes(&self) -> PyResult<Vec<Node>> {
        let count = self.look(|module| module.graph.nodes.len())?;
        self.nodes_at((0..).take(count))
    }

    /// The nodes that are inputs, in the order of the arguments.
    #[getter]
    fn inputs(&self) -> PyResult<Vec<Node>> {
        self.nodes_at(self.look(|module| module.inputs.clone())?)
    }

    /// The nodes whose outputs are the module's, in their order.
    #[getter]
    fn outputs(&self) -> PyResult<Vec<Node>> {
        self.nodes_at(self.look(|module| module.outputs.clone())?)
    }

    /// The count of each operator, the most frequent first.
    #[getter]
    fn operators<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut counts: Vec<(String, usize)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        self.look(|module| {
            let operators =
                module.graph.nodes.iter().filter(|node| !node.is_param() && !node.is_const());
            for node in operators {
                let op = String::from_utf8_lossy(node.op_bytes().unwrap_or_default()).into_owned();
                let place = *places.entry(op.clone()).or_insert(counts.len());
                match counts.get_mut(place) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((op, 1)),
                }
            }
        })?;
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let dict = PyDict::new(py);
        for (op, count) in counts {
            dict.set_item(op, count)?;
        }
        Ok(dict)
    }

    /// The tensors of `<const>` nodes: a read-only mapping of names to arrays, without a copy.
    #[getter]
    fn tensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.file()?;
        let known =
            self.open_file().as_ref().and_then(|open| Some(open.tensors.as_ref()?.clone_ref(py)));
        if let Some(tensors) = known {
            return Ok(tensors.into_bound(py));
        }
        let made = self.entries()?.into_mapping(py)?;
        if let Some(open) = &mut *self.open_file() {
            open.tensors = Some(made.clone().unbind());
        }
        Ok(made)
    }

    /// The first node with a name; `KeyError` if there is none.
    fn __getitem__(&self, name: &Bound<'_, PyString>) -> PyResult<Node> {
        let index = self.place_of(name)?.and_then(|index| u32::try_from(index).ok());
        let index = index.ok_or_else(|| PyKeyError::new_err(name.clone().unbind()))?;
        Ok(Node::new(&self.file()?, index))
    }

    /// Whether a node has that name.
    fn __contains__(&self, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(name) = name.cast::<PyString>() else { return Ok(false) };
        Ok(self.place_of(name)?.is_some())
    }

    /// All nodes, in the order of the file.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.nodes()?.into_pyobject(py)?.try_iter()
    }

    fn __len__(&self) -> PyResult<usize> {
        self.look(|module| module.graph.nodes.len())
    }

    /// Errors for which TenniS refuses the module, and warnings, each as a text.
    fn check(&self) -> PyResult<Vec<String>> {
        self.look(|module| module.check().iter().map(ToString::to_string).collect())
    }

    /// The shape and type of every node's output by the node's name, and what the node costs, as TenniS computes them.
    ///
    /// `inputs` are shapes of inputs by name, with -1 for an unknown size; other inputs have those that the module
    /// stores. `ValueError` if TenniS would refuse them.
    ///
    /// >>> from fourfold.tsm import ModuleBuilder
    /// >>> graph = ModuleBuilder()
    /// >>> x = graph.param("x", shape=[-1, 3, 4], dtype="float32")
    /// >>> module = graph.build([x], [graph.op("flatten", "flat", [x])])
    /// >>> module.shapes()["flat"]
    /// <fourfold.tsm.NodeShape: float32 [?, 12]>
    /// >>> module.shapes({"x": (2, 3, 5)})["flat"].shape
    /// (2, 15)
    #[pyo3(signature = (inputs = None))]
    fn shapes<'py>(
        &self,
        py: Python<'py>,
        inputs: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let inputs = exchange::shapes_of(inputs)?;
        self.look(|module| super::shapes::shapes(py, module, &inputs))?
    }

    /// The bytes of the `.tsm` file.
    fn dumps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        input::in_memory(py, |file| self.save(file, None))
    }

    /// Writes the `.tsm` file: to a path, tensor by tensor, through a temporary file that replaces it, or to an object
    /// with `write`. The path may be that of the open module.
    ///
    /// `tensors` are arrays that replace those of the same names in `module.tensors`, with the same types and shapes.
    /// The module itself remains unchanged.
    ///
    /// >>> import io, numpy
    /// >>> from fourfold.tsm import Module, ModuleBuilder
    /// >>> graph = ModuleBuilder()
    /// >>> module = graph.build([], [graph.const("w", numpy.ones(2, numpy.float32))])
    /// >>> file = io.BytesIO()
    /// >>> module.save(file, tensors={"w": 2 * module.tensors["w"]})
    /// >>> Module.loads(file.getvalue()).tensors["w"]
    /// array([2., 2.], dtype=float32)
    #[pyo3(signature = (path, *, tensors = None))]
    fn save(&self, path: &Bound<'_, PyAny>, tensors: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let file = self.file()?;
        let place = input::path_of(path)?;
        let other = place.as_deref().and_then(Container::of_name);
        if let (Some(other), Some(place)) = (other.filter(|it| *it != Container::Tsm), &place) {
            let (place, other) = (place.display(), other.name());
            let text = format!(
                "{place}: the name is that of a {other} file, and `save` writes tsm; use `convert` for {other}"
            );
            return Err(PyValueError::new_err(text));
        }
        let mut weights;
        let mut changed: File<'_> = File::clone(&file);
        if let Some(tensors) = tensors {
            weights = file.weights().map_err(PyValueError::new_err)?;
            edit::replace(&mut weights, tensors)?;
            put_back(&mut changed, &weights).map_err(PyValueError::new_err)?;
        }
        input::save(path, |out| match &changed {
            File::Module(module) => module.to_writer(out),
            File::Tensor(packed) => tsm::to_writer(out, packed),
        })
    }

    /// Converts the tensors to safetensors, npz, npy, tsm or primitiv. See `fourfold.convert`.
    #[pyo3(signature = (path, *, to = None, like = None, all = false, raw = false))]
    fn convert(
        &self,
        path: &Bound<'_, PyAny>,
        to: Option<&str>,
        like: Option<&Bound<'_, PyAny>>,
        all: bool,
        raw: bool,
    ) -> PyResult<()> {
        let py = path.py();
        let target = Target::new(path, to, Task::Save(None), raw)?;
        let original = original_of(like, &target)?;
        let file = self.file()?;
        let input = Input::new(self.title(), Memory::default());
        // A module has no metadata to warn about.
        let write = |raised: &Raised| {
            let weights = weights_of(&*file, &input.name, all)?;
            target.write(&weights, &input, original.as_ref(), raised)
        };
        finish(path, writing(py, write, |failure| failed(py, failure))?)
    }

    /// A picture of the graph, as SVG.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let mut picture = self.look(|module| Picture::of(module, &self.title()))?;
        stack::stack(&mut picture);
        let drawn = py.detach(|| draw(&picture, Theme::Auto, &self.title()));
        drawn.map(|svg| svg.text).map_err(|failure| failed(py, failure))
    }

    /// The picture for Jupyter; `None` if the graph is too large.
    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        self.svg(py).ok()
    }

    /// Closes the module. Existing arrays and nodes keep the file open.
    fn close(&self) {
        // Dropped after the lock is released.
        let open = self.open_file().take();
        drop(open);
    }

    fn __enter__(this: Py<Self>) -> PyResult<Py<Self>> {
        this.get().file()?;
        Ok(this)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    /// Pickles the bytes of the `.tsm` file.
    fn __reduce__<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyType>,))> {
        let py = this.py();
        // A static method has no name for `pickle`.
        let caller = py.import("operator")?.getattr("methodcaller")?;
        Ok((caller.call1(("loads", this.get().dumps(py)?))?, (this.get_type(),)))
    }

    fn __repr__(&self) -> String {
        let counted = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let described = self.look(|module| {
            let nodes = counted(module.graph.nodes.len(), "node");
            let inputs = counted(module.inputs.len(), "input");
            format!("{nodes}, {inputs}, {}", counted(module.outputs.len(), "output"))
        });
        let described = described.unwrap_or_else(|_| "closed".into());
        format!("<fourfold.tsm.Module: {described}>")
    }
}
