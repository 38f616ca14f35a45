//! `fourfold.detect`, `explain` and `verify`.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use fourfold::Memory;
use fourfold::biniou::Options;
use fourfold_inspect::explain::page::{self, Window};
use fourfold_inspect::explain::{Subject, Tally};
use fourfold_inspect::failure::Failure;
use fourfold_inspect::formats::{
    self, Detected, FileKind, Format, Note, Parts, Reading, Selection,
};
use fourfold_inspect::input::Input;
use fourfold_inspect::package::{self, is_package};
use fourfold_inspect::tensors::Container;
use fourfold_inspect::write::hex;
use fourfold_inspect::write::markup::Escaped;
use fourfold_inspect::write::plain::plain;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PySlice, PyType};

use crate::biniou::names_of;
use crate::error::{decode, encode, failed, not_pickled};
use crate::given::AnySchema;
use crate::input;
use crate::schema;
use crate::signals::detached;

/// A format by its name.
fn format_named(name: &str) -> PyResult<Format> {
    let found = Format::ALL.into_iter().find(|format| format.name() == name);
    found.ok_or_else(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        PyValueError::new_err(format!("{name:?} is not a format; use one of {names}"))
    })
}

/// Detects the format of a path, an open file or bytes: `molecule`, `biniou`, `tsm` or `primitiv`; `safetensors`,
/// `npz`, `npy` or `onnx`, whose tensors can be read; `sta`, a package of SeetaFace.
///
/// The bytes determine the format; if they are ambiguous, the name of the file does. `ValueError` if neither
/// does. Molecule is rarely detected, since its bytes do not describe themselves.
#[pyfunction]
pub(crate) fn detect(source: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    let py = source.py();
    let input = input::opened(source)?;
    if is_package(&input.bytes) {
        return Ok(package::NAME);
    }
    let detected = py.detach(|| Detected::of(&input, &Options::new()));
    Ok(detected.map_err(|failure| failed(py, failure))?.name())
}

/// The arguments of `explain` and `verify` that determine how a file is read.
struct Arguments {
    format: Option<Format>,
    schema: Option<(AnySchema, Option<String>)>,
    options: Options,
}

impl Arguments {
    fn new(
        py: Python<'_>,
        format: Option<&str>,
        names: Option<&Bound<'_, PyAny>>,
        schema: Option<&Bound<'_, PyAny>>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let mut options = names_of(py, names)?.options;
        let schema = schema.map(schema::of).transpose()?;
        if let (Some(AnySchema::Biniou(schema)), None) = (&schema, names) {
            options = options.names(schema.dictionary().map_err(|error| encode(&error))?);
        }
        let schema = schema.map(|schema| (schema, name));
        let format = format.map(format_named).transpose()?;
        Ok(Arguments { format, schema, options })
    }

    /// The container that only has tensors, if the file is one and is not read otherwise.
    fn container(&self, input: &Input) -> Option<Container> {
        let container = Container::plain(&input.bytes)?;
        (self.format.is_none() && self.schema.is_none()).then_some(container)
    }

    /// Calls `work` with the kind of the file, and the note about its type in the schema.
    fn with<R>(
        &self,
        input: &Input,
        work: impl FnOnce(&dyn FileKind, Option<Note>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        if let Some(container) = self.container(input) {
            let (file, name) = (&input.name, container.name());
            let text = "cannot be explained byte by byte; read its tensors with fourfold.tensors(path), and check it with fourfold.verify(path)";
            return Err(Failure::Usage(format!("{file}: {name} {text}")));
        }
        match (&self.schema, self.format) {
            (Some((types, name)), _) => {
                let typed = types.typed(name.clone()).and_then(|it| it.in_format(self.format));
                let typed = typed.map_err(Failure::Usage)?;
                let Selection { format, of_type, note } = typed.select(input, &self.options);
                match &of_type {
                    Some(of_type) => work(of_type, note),
                    None => work(format?.kind(), note),
                }
            }
            (None, Some(format)) => work(format.kind(), None),
            (None, None) => work(formats::detect_or_layouts(input, &self.options)?.kind(), None),
        }
    }
}

/// One entry of an explanation: a range of bytes and its meaning.
#[pyclass(frozen, eq, hash, get_all, module = "fourfold")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    /// Offset of the first byte.
    start: usize,
    /// Offset after the last byte.
    end: usize,
    /// Path of the value that the bytes belong to.
    path: String,
    /// What the bytes are, in the format's terms.
    what: String,
    /// The value of the bytes; may be empty.
    value: String,
    /// The error in the bytes, if there is one.
    error: Option<String>,
}

/// The arguments of `Row`.
type RowParts = (usize, usize, String, String, String, Option<String>);

#[pymethods]
impl Row {
    #[new]
    #[pyo3(signature = (start, end, path, what, value, error = None))]
    fn new(
        start: usize,
        end: usize,
        path: String,
        what: String,
        value: String,
        error: Option<String>,
    ) -> Self {
        Row { start, end, path, what, value, error }
    }

    /// Pickles the row.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, RowParts) {
        let Row { start, end, path, what, value, error } = this.get().clone();
        (this.get_type(), (start, end, path, what, value, error))
    }

    fn __repr__(&self) -> String {
        let Row { start, end, path, what, value, error } = self;
        let value = if value.is_empty() { String::new() } else { format!(" {value}") };
        let error = error.as_ref().map_or_else(String::new, |error| format!(" ({error})"));
        format!("<{start}..{end} {path}: {what}{value}{error}>")
    }
}

/// How many rows Jupyter shows, and how many bytes of each.
const MOST_SHOWN: usize = 200;
const MOST_BYTES: usize = 8;

/// An explanation of the bytes of a file: a sequence of rows, which Jupyter shows as a table.
#[pyclass(frozen, module = "fourfold")]
pub(crate) struct Explanation {
    input: Arc<Input>,
    arguments: Arc<Arguments>,
    format: &'static str,
    note: Option<String>,
    rows: Vec<Row>,
    errors: usize,
    is_complete: bool,
}

/// Explains each byte of a path, an open file or bytes, including invalid bytes and their errors.
///
/// `names` is that of `fourfold.biniou.loads`. Molecule needs `schema`, since its bytes do not describe themselves: a
/// `molecule.Schema`, the path of a `.mol` or `.atd` file, or its text. Without `type`, the first type that fits is used,
/// and `note` describes how it was selected. A large file is explained up to `limit` rows.
///
/// >>> import fourfold
/// >>> rows = fourfold.explain(fourfold.biniou.dumps([1, 2]))
/// >>> rows[1].what, rows[1].start, rows[1].end, rows[1].value
/// ('count of items', 1, 2, '2')
#[pyfunction]
#[pyo3(signature = (source, *, format = None, names = None, schema = None, r#type = None, limit = 100_000))]
pub(crate) fn explain(
    source: &Bound<'_, PyAny>,
    format: Option<&str>,
    names: Option<&Bound<'_, PyAny>>,
    schema: Option<&Bound<'_, PyAny>>,
    r#type: Option<String>,
    limit: usize,
) -> PyResult<Explanation> {
    let py = source.py();
    let arguments = Arc::new(Arguments::new(py, format, names, schema, r#type)?);
    let input = Arc::new(input::open(source)?);
    let (read_by, file) = (Arc::clone(&arguments), Arc::clone(&input));
    let explained = detached(py, input.bytes.len(), move || {
        let (arguments, input) = (read_by, file);
        arguments.with(&input, |kind, note| {
            let mut rows = Vec::new();
            let mut is_complete = true;
            Parts::new(kind, &input.bytes, &arguments.options).each("", |span| {
                if rows.len() >= limit {
                    is_complete = false;
                    return ControlFlow::Break(());
                }
                rows.push(Row {
                    start: span.range.start,
                    end: span.range.end,
                    path: span.place.to_string(),
                    what: span.what.into_owned(),
                    value: span.value,
                    error: span.error,
                });
                ControlFlow::Continue(())
            });
            Ok((kind.name(), note.map(|note| note.to_string()), rows, is_complete))
        })
    })?;
    let (format, note, rows, is_complete) = explained.map_err(|failure| failed(py, failure))?;
    let errors = rows.iter().filter(|row| row.error.is_some()).count();
    Ok(Explanation { input, arguments, format, note, rows, errors, is_complete })
}

#[pymethods]
impl Explanation {
    /// The format of the file.
    #[getter]
    fn format(&self) -> &'static str {
        self.format
    }

    /// How the type of the file was selected if `type` was not given, or why the rows are without types.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// All rows with an error.
    #[getter]
    fn errors(&self) -> Vec<Row> {
        self.rows.iter().filter(|row| row.error.is_some()).cloned().collect()
    }

    /// Whether these are all rows: `limit` was not reached.
    #[getter]
    fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Refuses to be pickled.
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("an explanation", "its rows, list(explanation)"))
    }

    /// The bytes of a row.
    fn data<'py>(&self, row: &Bound<'py, Row>) -> Bound<'py, PyBytes> {
        let bytes = self.input.bytes.get(row.get().start..row.get().end).unwrap_or_default();
        PyBytes::new(row.py(), bytes)
    }

    /// A table for Jupyter: the first rows, with their bytes.
    fn _repr_html_(&self) -> String {
        let mut html = String::from(
            "<table><thead><tr><th>offset</th><th>bytes</th><th>path</th><th>what</th>\
             <th>value</th></tr></thead><tbody>",
        );
        for row in self.rows.iter().take(MOST_SHOWN) {
            let bytes = self.input.bytes.get(row.start..row.end).unwrap_or_default();
            html += &format!(
                "<tr><td>{}..{}</td><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}",
                row.start,
                row.end,
                hex::cells(bytes, MOST_BYTES),
                Escaped(&plain(&row.path)),
                Escaped(&plain(&row.what)),
                Escaped(&plain(&row.value)),
            );
            if let Some(error) = &row.error {
                html += &format!(" <strong>{}</strong>", Escaped(&plain(error)));
            }
            html += "</td></tr>";
        }
        let left = self.rows.len().saturating_sub(MOST_SHOWN);
        html += "</tbody></table>";
        if left > 0 || !self.is_complete {
            html += &format!(
                "<p>{left} more rows{}</p>",
                if self.is_complete { "" } else { " and others" }
            );
        }
        html
    }

    /// The report of `fourfold explain --html`: a single HTML file with the bytes and a tree of the values.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let (arguments, input) = (Arc::clone(&self.arguments), Arc::clone(&self.input));
        // The report is many times as long as the file.
        let written = detached(py, usize::MAX, move || {
            arguments.with(&input, |kind, _| {
                let name = input.name.as_str();
                let bytes: &[u8] = &input.bytes;
                let parts = Parts::new(kind, bytes, &arguments.options);
                let subject = Subject { name, kind, bytes, parts, path: "" };
                let mut out = Vec::new();
                let window = Window { offset: None, length: None };
                page::write(&mut out, &subject, window, &mut Tally::default())?;
                String::from_utf8(out)
                    .map_err(|error| Failure::io(Path::new(name), io::Error::other(error)))
            })
        })?;
        written.map_err(|failure| failed(py, failure))
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// The row at an index, or the rows of a slice.
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let chosen = slice.indices(isize::try_from(self.rows.len())?)?;
            let step = chosen.step;
            let place = |at: usize| {
                let at = isize::try_from(at).ok()?.checked_mul(step)?.checked_add(chosen.start)?;
                self.rows.get(usize::try_from(at).ok()?).cloned()
            };
            let rows: Vec<Row> = (0..chosen.slicelength).filter_map(place).collect();
            return rows.into_bound_py_any(py);
        }
        let index: isize = index.extract().map_err(|error: PyErr| {
            match error.is_instance_of::<PyOverflowError>(py) {
                true => PyIndexError::new_err("row index out of range"),
                false => error,
            }
        })?;
        let from_end = || self.rows.len().checked_sub(index.unsigned_abs());
        let place = usize::try_from(index).ok().or_else(from_end);
        let row = place.and_then(|place| self.rows.get(place)).cloned();
        row.ok_or_else(|| PyIndexError::new_err("row index out of range"))?.into_bound_py_any(py)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.rows.clone().into_bound_py_any(py)?.try_iter()
    }

    fn __repr__(&self) -> String {
        let more = if self.is_complete { "" } else { " and more" };
        let (name, rows, errors) = (&self.input.name, self.rows.len(), self.errors);
        format!(
            "<fourfold.Explanation of {name}: {}, {rows} rows{more}, {errors} errors>",
            self.format
        )
    }
}

/// Reads a path, an open file or bytes completely. Raises `DecodeError` for invalid bytes, and returns warnings about
/// valid but suspicious ones. The arguments are those of `explain`. Of safetensors, npz, npy and ONNX, everything but the
/// elements of tensors is read.
///
/// With `schema` and without `type`, the first type that fits is used, with a warning if there are several.
#[pyfunction]
#[pyo3(signature = (source, *, format = None, names = None, schema = None, r#type = None))]
pub(crate) fn verify(
    source: &Bound<'_, PyAny>,
    format: Option<&str>,
    names: Option<&Bound<'_, PyAny>>,
    schema: Option<&Bound<'_, PyAny>>,
    r#type: Option<String>,
) -> PyResult<Vec<String>> {
    let py = source.py();
    let arguments = Arc::new(Arguments::new(py, format, names, schema, r#type)?);
    let input = Arc::new(input::open(source)?);
    let (read_by, file) = (Arc::clone(&arguments), Arc::clone(&input));
    let read = detached(py, input.bytes.len(), move || match read_by.container(&file) {
        Some(container) => Ok((container.name(), None, formats::verify(container, &file)?)),
        None => read_by.with(&file, |kind, note| {
            Ok((kind.name(), note, kind.read(&file.bytes, &read_by.options)))
        }),
    })?;
    match read.map_err(|failure| failed(py, failure))? {
        (_, Some(note), _) if note.is_mismatch() => Err(match &arguments.schema {
            Some((schema, _)) => schema.mismatch(py, &note, &input),
            None => failed(py, Failure::data(&input.name, note)),
        }),
        (_, note, Reading::Good { mut suspicions, .. }) => {
            let several = note.filter(|note| matches!(note, Note::First { .. }));
            suspicions.extend(several.map(|note| note.to_string()));
            Ok(suspicions)
        }
        (_, _, Reading::Untyped) => {
            let text = "Molecule needs a schema: pass schema=";
            Err(PyValueError::new_err(text))
        }
        (name, _, Reading::Bad(text)) => {
            let (read_by, file) = (Arc::clone(&arguments), Arc::clone(&input));
            let len = input.bytes.len();
            let exact = detached(py, len, move || read_error(&read_by, name, &file.bytes))?;
            Err(exact.map_or_else(
                || failed(py, Failure::Data { name: input.name.clone(), text }),
                |error| error.raise(py),
            ))
        }
    }
}

/// A read error of one of the formats.
enum ReadError {
    Molecule(fourfold::molecule::Error),
    Biniou(fourfold::biniou::Error),
    Tsm(fourfold::tsm::Error),
    Primitiv(fourfold::primitiv::Error),
}

impl ReadError {
    fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            ReadError::Molecule(error) => decode(py, &error),
            ReadError::Biniou(error) => decode(py, &error),
            ReadError::Tsm(error) => decode(py, &error),
            ReadError::Primitiv(error) => decode(py, &error),
        }
    }
}

/// Reads invalid bytes again for the library's error, which has an offset and a path.
fn read_error(arguments: &Arguments, format: &str, bytes: &Memory<'_>) -> Option<ReadError> {
    if let Some((AnySchema::Molecule(types), Some(name))) = &arguments.schema {
        let mut values = types.values_of(bytes, name).ok()?;
        return values.find_map(Result::err).map(ReadError::Molecule);
    }
    match Format::ALL.into_iter().find(|known| known.name() == format)? {
        Format::Molecule => None,
        Format::Biniou => {
            let file = fourfold::biniou::File::from_slice(bytes);
            let mut values = file.values::<fourfold::biniou::Value>();
            values.find_map(Result::err).map(ReadError::Biniou)
        }
        Format::Tsm => fourfold::tsm::File::from_slice(bytes).err().map(ReadError::Tsm),
        Format::Primitiv => {
            fourfold::primitiv::File::from_slice(bytes).err().map(ReadError::Primitiv)
        }
    }
}
