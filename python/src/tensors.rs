//! `fourfold.tensors` and `convert`: the tensors of files of all containers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use fourfold::Memory;
use fourfold::biniou::Options;
use fourfold_inspect::exchange::has_graphs;
use fourfold_inspect::failure::Failure;
use fourfold_inspect::formats::container;
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::{
    Container, DType, Order as Lie, Role, Small, Source, Tensor, Unread, Weights, read_as,
};
use fourfold_inspect::write::count::{counted, listed};
use pyo3::exceptions::{PyKeyError, PyUserWarning, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PySlice, PyType};

use crate::array::{Bytes, Order, Whole, array, lend, range_in};
use crate::dtype::{BYTE, Spelled};
use crate::error::{class, failed, not_pickled};
use crate::signals::{Raised, Signals, detached, writing};
use crate::target::{Target, Task, finish, original_of};
use crate::{edit, exchange, input};

/// Tensors by name. An array is made when it is looked up.
#[pyclass(frozen, module = "fourfold._fourfold")]
pub(crate) struct Entries {
    entries: Vec<Entry>,
    /// Indices of entries, sorted by name at the first lookup.
    by_name: OnceLock<Vec<usize>>,
    /// Tensors that cannot be read.
    unread: Vec<Unread>,
    notes: BTreeMap<String, String>,
    container: Container,
    /// The file; `None` for those of an open module.
    input: Option<Arc<Input>>,
}

struct Entry {
    name: String,
    dtype: DType,
    shape: Vec<usize>,
    order: Order,
    bytes: Bytes,
}

#[pymethods]
impl Entries {
    fn __len__(&self) -> usize {
        self.entries.len()
    }

    /// The names, in the order of the file.
    fn names(&self) -> Vec<&str> {
        self.entries.iter().map(|entry| entry.name.as_str()).collect()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The array with a name; `KeyError` if there is none, `ValueError` if it cannot be read.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let entry = self.find(name).ok_or_else(|| {
            edit::unreadable(&self.unread, name)
                .unwrap_or_else(|| PyKeyError::new_err(name.to_owned()))
        })?;
        let spelled = Spelled::of(entry.dtype);
        let bytes = entry.bytes.clone_ref(py);
        match entry.dtype {
            DType::Small(small) if small.bits() < 8 => {
                unpacked(py, bytes, small, &spelled, &entry.shape)
            }
            _ => array(py, bytes, &spelled, entry.shape.clone(), entry.order),
        }
    }

    /// The name, element type and shape of each.
    fn about(&self) -> Vec<(&str, String, Vec<usize>)> {
        let one = |entry| {
            let Entry { name, dtype, shape, .. }: &Entry = entry;
            (name.as_str(), dtype.to_string(), shape.clone())
        };
        self.entries.iter().map(one).collect()
    }

    /// The file's metadata, as safetensors has it.
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let notes = PyDict::new(py);
        for (key, text) in &self.notes {
            notes.set_item(key, text)?;
        }
        Ok(notes)
    }

    /// The names of tensors that cannot be read, with the reasons.
    fn unread(&self) -> BTreeMap<&str, &str> {
        self.unread.iter().map(|it| (it.name.as_str(), it.reason.as_str())).collect()
    }

    /// The name of the container.
    fn container(&self) -> &'static str {
        self.container.name()
    }

    /// Refuses to be pickled, which would read all arrays.
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("an open file", "its path, or the arrays, dict(tensors)"))
    }

    /// Writes the file with other arrays: to a path, or to an object with `write`.
    fn save(&self, target: &Bound<'_, PyAny>, tensors: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let input = self.input.as_ref();
        let input = input.ok_or_else(|| PyValueError::new_err("use the `save` of the module"))?;
        save_like(input, tensors, target, None)
    }
}

impl Entries {
    /// The tensors of a file, and the bytes of each.
    pub(crate) fn new(weights: Weights<'_>, bytes: Vec<Bytes>) -> Self {
        let entry = |(tensor, bytes): (Tensor<'_>, Bytes)| Entry {
            name: tensor.name,
            dtype: tensor.dtype,
            shape: tensor.shape,
            order: match tensor.order {
                Lie::RowMajor => Order::RowMajor,
                Lie::ColumnMajor => Order::ColumnMajor,
            },
            bytes,
        };
        let tensors = weights.tensors;
        let entries = tensors.into_iter().zip(bytes).map(entry).collect();
        let Weights { container, notes, unread, .. } = weights;
        Entries { entries, by_name: OnceLock::new(), unread, notes, container, input: None }
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        let name_at = |place: &usize| self.entries.get(*place).map(|entry| entry.name.as_str());
        let by_name = self.by_name.get_or_init(|| {
            let mut places: Vec<usize> = (0..self.entries.len()).collect();
            places.sort_by(|one, two| name_at(one).cmp(&name_at(two)));
            places
        });
        let found = by_name.binary_search_by(|place| name_at(place).cmp(&Some(name))).ok()?;
        self.entries.get(*by_name.get(found)?)
    }

    /// The `fourfold.Tensors` of these entries.
    pub(crate) fn into_mapping(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        class(py, &CLASS, "fourfold.arrays", "Tensors")?.call1((self,))
    }
}

/// Packed bytes to unpack at once: whole groups of eight elements.
const PIECE: usize = 3 << 16;

/// The array of elements of less than a byte. NumPy has no packed elements, so they are copied, each to a byte.
fn unpacked<'py>(
    py: Python<'py>,
    bytes: Bytes,
    small: Small,
    spelled: &Spelled,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let len = bytes.len();
    let packed = array(py, bytes, &BYTE, vec![len], Order::RowMajor)?;
    let count = shape.iter().product();
    let mut elements = Vec::with_capacity(count);
    let signals = Signals::new(py);
    for start in (0..len).step_by(PIECE) {
        let end = start.saturating_add(PIECE).min(len);
        let piece = packed.get_item(PySlice::new(py, start.try_into()?, end.try_into()?, 1))?;
        let piece = piece.call_method0(intern!(py, "tobytes"))?.cast_into::<PyBytes>()?;
        elements.extend(small.each(piece.as_bytes()));
        signals.work(PIECE)?;
    }
    elements.truncate(count);
    array(py, Bytes::Lent(lend(elements)), spelled, shape.to_vec(), Order::RowMajor)
}

/// Leaves out the attributes of a module's operators.
fn without_attributes<'a>(mut weights: Weights<'a>, all: bool) -> Weights<'a> {
    if !all {
        weights.tensors.retain(|tensor| tensor.role != Role::Attribute);
    }
    weights
}

/// The tensors of a tsm, primitiv, safetensors, npz, npy or ONNX file: a path, an open file or bytes. Its bytes or else its
/// name determine the format.
///
/// Returns a read-only mapping of names to arrays. The arrays are in the file's memory map, except for those of a
/// compressed npz. With `all`, it includes the attributes of a module's operators.
///
/// Tensors that have no array, such as those of text, are not in the mapping: a `UserWarning` names them, and `unread`
/// has the reasons.
#[pyfunction]
#[pyo3(signature = (path, *, all = false))]
pub(crate) fn tensors<'py>(path: &Bound<'py, PyAny>, all: bool) -> PyResult<Bound<'py, PyAny>> {
    opened(path, all, 1)?.into_mapping(path.py())
}

/// The entries of a file, for `fourfold.open`.
#[pyfunction]
pub(crate) fn entries_of(path: &Bound<'_, PyAny>) -> PyResult<Entries> {
    opened(path, false, 2)
}

/// Maximum number of tensors in a warning.
const WARNED: usize = 3;

/// The entries of a file. The warning about those that cannot be read is for the caller of the function in Python at
/// `level`.
fn opened(path: &Bound<'_, PyAny>, all: bool, level: i32) -> PyResult<Entries> {
    let py = path.py();
    let input = Arc::new(input::open(path)?);
    let (weights, places, files) = read(py, &input, all)?;
    let whole = Whole::of_input(py, &input)?;
    let beside: PyResult<Vec<Whole<'_>>> =
        files.iter().map(|(_, file)| Whole::of_bytes(py, file.clone())).collect();
    let beside = beside?;
    let bytes = places.into_iter().map(|place| match place {
        Place::Inside(range) => whole.part(input.bytes.get(range).unwrap_or_default()),
        Place::Beside(file, range) => match (beside.get(file), files.get(file)) {
            (Some(whole), Some((_, file))) => whole.part(file.get(range).unwrap_or_default()),
            _ => Bytes::Lent(lend(Vec::new())),
        },
        Place::Own(bytes) => Bytes::Lent(lend(bytes)),
    });
    let bytes = bytes.collect();
    if !weights.unread.is_empty() {
        let unread: Vec<String> = weights.unread.iter().map(ToString::to_string).collect();
        let (name, count) = (&input.name, counted(unread.len(), "tensor"));
        let text = format!("{name}: {count} cannot be read: {}", listed(&unread, WARNED));
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &c_text(&text), level)?;
    }
    Ok(Entries { input: Some(input), ..Entries::new(weights, bytes) })
}

/// Files beside one with tensors: where each is, and its bytes.
type Beside = Vec<(PathBuf, bytes::Bytes)>;

/// The tensors of a file, without their bytes; where these are; and the files beside it.
type Placed = (Weights<'static>, Vec<Place>, Beside);

fn read(py: Python<'_>, input: &Arc<Input>, all: bool) -> PyResult<Placed> {
    let file = Arc::clone(input);
    let len = match Container::plain(&input.bytes) {
        // Only the header is read.
        Some(Container::Safetensors | Container::Npy) => 0,
        // May be compressed, or have elements in files beside it, of any length.
        Some(Container::Npz | Container::Onnx) => usize::MAX,
        _ => input.bytes.len(),
    };
    let read = detached(py, len, move || {
        let source = read_as(container(&file, &Options::new())?, &file)?;
        Ok(placed(weights_of(&*source, &file.name, all)?, &file.bytes, source.beside()))
    })?;
    read.map_err(|failure| failed(py, failure))
}

/// The location of a tensor's bytes.
enum Place {
    Inside(Range<usize>),
    /// In a file beside it.
    Beside(usize, Range<usize>),
    /// Decompressed bytes.
    Own(Vec<u8>),
}

/// Separates tensors from their bytes.
fn placed(weights: Weights<'_>, whole: &[u8], beside: Beside) -> Placed {
    let in_files = |bytes: &[u8]| {
        let mut files = beside.iter().enumerate();
        files.find_map(|(at, (_, file))| Some(Place::Beside(at, range_in(file, bytes)?)))
    };
    let Weights { container, tensors, notes, unread } = weights;
    let placed = tensors.into_iter().map(|tensor| {
        let Tensor { name, dtype, shape, order, bytes, role } = tensor;
        let place = match range_in(whole, &bytes) {
            Some(range) => Place::Inside(range),
            None => in_files(&bytes).unwrap_or_else(|| Place::Own(bytes.into_owned())),
        };
        (Tensor { name, dtype, shape, order, bytes: Cow::Borrowed(&[][..]), role }, place)
    });
    let (tensors, places) = placed.unzip();
    (Weights { container, tensors, notes, unread }, places, beside)
}

/// The tensors of a file with their bytes. `beside` gets the files beside it, which tensors borrow.
fn loaded<'a>(
    py: Python<'_>,
    input: &'a Arc<Input>,
    all: bool,
    beside: &'a mut Beside,
) -> PyResult<(Weights<'a>, &'a Beside)> {
    let (mut weights, places, files) = read(py, input, all)?;
    *beside = files;
    let beside = &*beside;
    for (tensor, place) in weights.tensors.iter_mut().zip(places) {
        tensor.bytes = match place {
            Place::Inside(range) => input.bytes.get(range).unwrap_or_default().into(),
            Place::Beside(file, range) => {
                beside.get(file).and_then(|(_, file)| file.get(range)).unwrap_or_default().into()
            }
            Place::Own(bytes) => bytes.into(),
        };
    }
    Ok((weights, beside))
}

/// The tensors of a source to convert.
pub(crate) fn weights_of<'a>(
    source: &'a dyn Source,
    name: &str,
    all: bool,
) -> Result<Weights<'a>, Failure> {
    // The bytes are good.
    let weights = source.weights().map_err(|text| Failure::Usage(format!("{name}: {text}")))?;
    Ok(without_attributes(weights, all))
}

/// The error for arguments that graphs do not have.
const FOR_TENSORS: &str =
    "`like`, `all` and `raw` are for tensors; leave them out where a graph is converted";

/// Converts the tensors of a file to another container: tsm, primitiv, safetensors, npz or npy; or a graph to
/// ONNX or tsm. The name of `target` determines it, or `to`, with these names in lower case: `to="onnx"`. Both files are
/// paths or open files.
///
/// `like` is the original tsm or primitiv file, from which everything but the tensors is copied; it is required for
/// a tsm module. With `all`, attributes of a module's operators are written too. With `raw`, elements that npz and npy
/// lack, such as bfloat16, are written as the numbers of their bits, although these are other values. A `UserWarning`
/// reports safetensors metadata that the container cannot store.
///
/// With a name that ends with `.onnx`, or `to="onnx"`, a TenniS module is converted to a model of ONNX that computes the
/// same, and a model becomes a module with a name that ends with `.tsm`, without `like`. `inputs` are shapes in place of
/// those that the source stores, as in `Module.shapes`: `{"x": (1, 3, 224, 224)}`, with -1 for an unknown size. A
/// `ValueError` lists all nodes that have no exact counterpart.
#[pyfunction]
#[pyo3(signature = (source, target, *, to = None, like = None, all = false, raw = false, inputs = None))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn convert(
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    to: Option<&str>,
    like: Option<&Bound<'_, PyAny>>,
    all: bool,
    raw: bool,
    inputs: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let py = source.py();
    input::refuse_to_overwrite(target, &input::path_of(source)?)?;
    if exchange::is_wanted(target, to)? {
        return match like.is_some() || all || raw {
            true => Err(PyValueError::new_err(FOR_TENSORS)),
            false => exchange::write_onnx(source, target, exchange::shapes_of(inputs)?),
        };
    }
    let file = Target::new(target, to, Task::Convert, raw)?;
    let original = original_of(like, &file)?;
    let input = Arc::new(input::open(source)?);
    let found = container(&input, &Options::new()).ok();
    if original.is_none() && found.is_some_and(|found| has_graphs(found, file.container)) {
        return match all || raw {
            true => Err(PyValueError::new_err(FOR_TENSORS)),
            false => exchange::write_tsm(&input, target, exchange::shapes_of(inputs)?),
        };
    }
    if inputs.is_some() {
        let text = "`inputs` are shapes for graphs: a module as a model of ONNX (a name like model.onnx), or a model as a \
                    module (model.tsm, without `like`); leave it out";
        return Err(PyValueError::new_err(text));
    }
    let mut beside = Vec::new();
    let (weights, beside) = loaded(py, &input, all, &mut beside)?;
    input::refuse_to_overwrite(target, beside.iter().map(|(path, _)| path))?;
    let write = |raised: &Raised| file.write(&weights, &input, original.as_ref(), raised);
    finish(target, writing(py, write, |failure| failed(py, failure))?)?;
    match file.left_out(&weights, &input) {
        Some(text) => PyErr::warn(py, &py.get_type::<PyUserWarning>(), &c_text(&text), 1),
        None => Ok(()),
    }
}

/// Writes arrays by name to a tsm, primitiv, safetensors, npz or npy file: a path, or an object with `write`.
///
/// `like` is a file of the same container, whose tensors are replaced by the arrays of the same names, types and
/// shapes. Its other tensors, and everything else in it, are kept. It may be the file that is written. It is required for
/// a tsm module.
///
/// Without `like`, the file has these tensors only. The name of `path` or `to` determines the container. `raw` is that
/// of `convert`.
///
/// >>> import io, numpy, fourfold
/// >>> file = io.BytesIO()
/// >>> fourfold.save({"w": numpy.ones(2, "float32")}, file, to="npz")
/// >>> other = io.BytesIO()
/// >>> fourfold.save({"w": numpy.zeros(2, "float32")}, other, like=file.getvalue())
/// >>> fourfold.tensors(other.getvalue())["w"]
/// array([0., 0.], dtype=float32)
#[pyfunction]
#[pyo3(signature = (tensors, path, *, like = None, to = None, raw = false))]
pub(crate) fn save(
    tensors: &Bound<'_, PyAny>,
    path: &Bound<'_, PyAny>,
    like: Option<&Bound<'_, PyAny>>,
    to: Option<&str>,
    raw: bool,
) -> PyResult<()> {
    let py = tensors.py();
    if let Some(like) = like {
        return save_like(&Arc::new(input::open(like)?), Some(tensors), path, to);
    }
    let file = Target::new(path, to, Task::Save(None), raw)?;
    let (container, tensors) = (file.container, edit::tensors(tensors)?);
    if !raw {
        edit::check_types(&tensors, container)?;
    }
    let weights = Weights { container, tensors, notes: BTreeMap::new(), unread: Vec::new() };
    let input = Input::new("tensors", Memory::default());
    let write = |raised: &Raised| file.write(&weights, &input, None, raised);
    finish(path, writing(py, write, |failure| failed(py, failure))?)
}

/// Writes a file with other arrays.
fn save_like(
    input: &Arc<Input>,
    tensors: Option<&Bound<'_, PyAny>>,
    path: &Bound<'_, PyAny>,
    to: Option<&str>,
) -> PyResult<()> {
    let py = path.py();
    let mut beside = Vec::new();
    let (mut weights, _) = loaded(py, input, true, &mut beside)?;
    if let Some(tensors) = tensors {
        edit::replace(&mut weights, tensors)?;
    }
    // Elements stay what they are in that file.
    let file = Target::new(path, to, Task::Save(Some(weights.container)), true)?;
    let original = Some(&**input).filter(|_| file.container.kind().takes_original());
    let write = |raised: &Raised| file.write(&weights, input, original, raised);
    finish(path, writing(py, write, |failure| failed(py, failure))?)
}

/// The text without NUL.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// The bytes of a tensor, if it borrows them.
pub(crate) fn borrowed<'a>(bytes: &Cow<'a, [u8]>) -> Option<&'a [u8]> {
    match bytes {
        Cow::Borrowed(bytes) => Some(bytes),
        Cow::Owned(_) => None,
    }
}
