//! `fourfold.tensors` and `convert`: the tensors of files of all containers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use fourfold::Memory;
use fourfold::biniou::Options;
use fourfold_inspect::formats::container;
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::{
    Container, DType, Order as Lie, Request, Role, Source, Tensor, Weights, read_as,
};
use fourfold_inspect::write::count::counted;
use pyo3::exceptions::{PyKeyError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyDict, PyTuple, PyType};

use crate::array::{Bytes, Order, Whole, array, lend, range_in};
use crate::dtype::{BYTE, Spelled};
use crate::error::{class, failed};

/// Tensors by name. An array is made when it is looked up.
#[pyclass(frozen, module = "fourfold._fourfold")]
pub(crate) struct Entries {
    entries: Vec<Entry>,
    /// Indices of entries, sorted by name at the first lookup.
    by_name: OnceLock<Vec<usize>>,
    notes: BTreeMap<String, String>,
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

    /// The array with a name; `KeyError` if there is none.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let entry = self.find(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let spelled = Spelled::of(entry.dtype);
        let bytes = entry.bytes.clone_ref(py);
        match entry.dtype.bits() {
            bits @ 1..8 => unpacked(py, bytes, bits, &spelled, &entry.shape),
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
        let entries = weights.tensors.into_iter().zip(bytes).map(entry).collect();
        Entries { entries, by_name: OnceLock::new(), notes: weights.notes }
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

/// The array of elements of less than a byte. NumPy has no packed elements, so they are copied, each to a byte.
fn unpacked<'py>(
    py: Python<'py>,
    bytes: Bytes,
    bits: usize,
    spelled: &Spelled,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    let dtype = spelled.object(py)?;
    let len = bytes.len();
    let packed = array(py, bytes, &BYTE, vec![len], Order::RowMajor)?;
    let little = [("bitorder", "little")].into_py_dict(py)?;
    let all = numpy.call_method("unpackbits", (packed,), Some(&little))?;
    let each = all.call_method1("reshape", (-1, bits))?;
    little.set_item("axis", 1)?;
    let elements = numpy.call_method("packbits", (each,), Some(&little))?;
    let made = elements.call_method1("view", (dtype,))?;
    let made = made.call_method1("reshape", (PyTuple::new(py, shape)?,))?;
    made.call_method1("setflags", (false,))?;
    Ok(made)
}

/// Leaves out the attributes of a module's operators.
fn without_attributes<'a>(mut weights: Weights<'a>, all: bool) -> Weights<'a> {
    if !all {
        weights.tensors.retain(|tensor| tensor.role != Role::Attribute);
    }
    weights
}

/// The tensors of a tsm, primitiv, safetensors, npz or npy file. Its bytes or else its name determine the format.
///
/// Returns a read-only mapping of names to arrays. The arrays are in the file's memory map, except for those of a
/// compressed npz. With `all`, it includes the attributes of a module's operators.
#[pyfunction]
#[pyo3(signature = (path, *, all = false))]
pub(crate) fn tensors<'py>(
    py: Python<'py>,
    path: PathBuf,
    all: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let Input { name, bytes } = open(py, &path)?;
    let owner = Arc::new(bytes);
    // A clone shares the map.
    let input = Input { name, bytes: Memory::clone(&owner) };
    let read = py.detach(|| {
        let source = read_as(container(&input, &Options::new())?, &input)?;
        let weights = source.weights().map_err(|text| data(&input.name, text))?;
        Ok(placed(without_attributes(weights, all), &owner))
    });
    let (weights, places) = read.map_err(|failure| failed(py, failure))?;
    let whole = Whole::new(py, &owner)?;
    let bytes = places.into_iter().map(|place| match place {
        Place::Inside(range) => whole.part(owner.get(range).unwrap_or_default()),
        Place::Own(bytes) => Bytes::Lent(lend(bytes)),
    });
    let bytes = bytes.collect();
    Entries::new(weights, bytes).into_mapping(py)
}

/// The location of a tensor's bytes.
enum Place {
    Inside(Range<usize>),
    /// Decompressed bytes.
    Own(Vec<u8>),
}

/// Separates tensors from their bytes.
fn placed(weights: Weights<'_>, whole: &[u8]) -> (Weights<'static>, Vec<Place>) {
    let Weights { container, tensors, notes } = weights;
    let placed = tensors.into_iter().map(|tensor| {
        let Tensor { name, dtype, shape, order, bytes, role } = tensor;
        let place = match range_in(whole, &bytes) {
            Some(range) => Place::Inside(range),
            None => Place::Own(bytes.into_owned()),
        };
        (Tensor { name, dtype, shape, order, bytes: Cow::Borrowed(&[][..]), role }, place)
    });
    let (tensors, places) = placed.unzip();
    (Weights { container, tensors, notes }, places)
}

fn data(name: &str, text: String) -> fourfold_inspect::failure::Failure {
    fourfold_inspect::failure::Failure::data(name, text)
}

/// Memory-maps a file.
pub(crate) fn open(py: Python<'_>, path: &Path) -> PyResult<Input> {
    let bytes = py.detach(|| Memory::open(path));
    let bytes = bytes.map_err(|error| crate::error::io_error(error, path))?;
    Ok(Input { name: path.display().to_string(), bytes })
}

/// The target of a conversion.
pub(crate) struct Target {
    pub(crate) path: PathBuf,
    pub(crate) container: Container,
    pub(crate) original: Option<Input>,
}

impl Target {
    /// # Errors
    ///
    /// If neither `to` nor the name of the file determines the container.
    pub(crate) fn new(
        py: Python<'_>,
        path: PathBuf,
        to: Option<&str>,
        like: Option<PathBuf>,
    ) -> PyResult<Self> {
        const ALL: [Container; 5] = [
            Container::Tsm,
            Container::Primitiv,
            Container::Safetensors,
            Container::Npz,
            Container::Npy,
        ];
        let found = match to {
            Some(to) => ALL.into_iter().find(|container| container.name() == to),
            None => Container::of_name(&path),
        };
        let container = found.ok_or_else(|| {
            let names = ALL.map(Container::name).join(", ");
            let text = match to {
                Some(to) => format!("{to:?} is not a container; use one of {names}"),
                None => format!("{}: unknown container; pass `to`, one of {names}", path.display()),
            };
            PyValueError::new_err(text)
        })?;
        let original = like.map(|like| open(py, &like)).transpose()?;
        Ok(Target { path, container, original })
    }

    /// Writes the tensors of `source`, and returns a warning about metadata that the container cannot store.
    pub(crate) fn write(
        &self,
        source: &dyn Source,
        input: &Input,
        all: bool,
    ) -> Result<Option<String>, fourfold_inspect::failure::Failure> {
        let refused = |text| data(&input.name, text);
        let weights = without_attributes(source.weights().map_err(refused)?, all);
        weights.check(self.container, false).map_err(refused)?;
        let extension = self.path.extension().and_then(|extension| extension.to_str());
        let request = Request { input, original: self.original.as_ref(), extension };
        let made = self.container.kind().make(&weights, &request)?;
        fourfold::replace_file(&self.path, |writer| made.write(writer))
            .map_err(|error| fourfold_inspect::failure::Failure::io(&self.path, error))?;
        let notes = weights.own_notes().len();
        let is_kept = notes == 0 || self.container.kind().keeps_notes();
        Ok((!is_kept).then(|| {
            let (name, target) = (&input.name, self.container.name());
            let notes = counted(notes, "note");
            format!("{name}: {notes} of `__metadata__` left out: {target} has none")
        }))
    }
}

/// Converts the tensors of a file to another container: tsm, primitiv, safetensors, npz or npy. The name of `target`
/// or `to` determines it.
///
/// `like` is the original tsm or primitiv file, from which everything but the tensors is copied; it is required for
/// a tsm module. With `all`, attributes of a module's operators are written too. A `UserWarning` reports safetensors
/// metadata that the container cannot store.
#[pyfunction]
#[pyo3(signature = (source, target, *, to = None, like = None, all = false))]
pub(crate) fn convert(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    to: Option<&str>,
    like: Option<PathBuf>,
    all: bool,
) -> PyResult<()> {
    let target = Target::new(py, target, to, like)?;
    let input = open(py, &source)?;
    let written = py.detach(|| {
        let source = read_as(container(&input, &Options::new())?, &input)?;
        target.write(&*source, &input, all)
    });
    match written.map_err(|failure| failed(py, failure))? {
        Some(left_out) => PyErr::warn(py, &py.get_type::<PyUserWarning>(), &c_text(&left_out), 1),
        None => Ok(()),
    }
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
