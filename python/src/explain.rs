//! What a file is, and what each of its bytes is.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use fourfold::Memory;
use fourfold::biniou::Options;
use fourfold::molecule::schema::Schema as MoleculeTypes;
use fourfold_inspect::explain::page::{self, Window};
use fourfold_inspect::explain::{Subject, Tally};
use fourfold_inspect::failure::Failure;
use fourfold_inspect::formats::{self, FileKind, Format, Parts, Reading, Typed};
use fourfold_inspect::input::Input;
use fourfold_inspect::write::hex;
use fourfold_inspect::write::markup::Escaped;
use fourfold_inspect::write::plain::plain;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PySlice};

use crate::biniou::names_of;
use crate::error::{decode, failed};
use crate::input;
use crate::molecule::Schema;

/// A format by its name.
fn format_named(name: &str) -> PyResult<Format> {
    let found = Format::ALL.into_iter().find(|format| format.name() == name);
    found.ok_or_else(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        PyValueError::new_err(format!("{name:?} is none of {names}"))
    })
}

/// The bytes of a path, or of a buffer, with a name for messages.
fn input_of(source: &Bound<'_, PyAny>) -> PyResult<Input> {
    match input::path_of(source)? {
        Some(path) => crate::tensors::open(source.py(), &path),
        None => Ok(Input { name: "data".into(), bytes: input::copied(source)? }),
    }
}

/// The format of a file, a path or its bytes: `molecule`, `biniou`, `tsm` or `primitiv`.
///
/// Its bytes tell it, and where they leave that open, the name of the file. `ValueError` if neither does;
/// bytes of Molecule, which do not say what they are, are rarely told.
#[pyfunction]
pub(crate) fn detect(source: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    let py = source.py();
    let input = input_of(source)?;
    let format = py.detach(|| formats::detect(&input, &Options::new()));
    Ok(format.map_err(|failure| failed(py, failure))?.name())
}

/// Which way a file is read.
struct Way {
    format: Option<Format>,
    schema: Option<(Arc<MoleculeTypes>, Option<String>)>,
    options: Options,
}

impl Way {
    fn new(
        py: Python<'_>,
        format: Option<&str>,
        names: Option<&Bound<'_, PyAny>>,
        schema: Option<&Bound<'_, Schema>>,
        name: Option<String>,
    ) -> PyResult<Self> {
        let options = names_of(py, names)?.options;
        let schema = schema.map(|schema| (Arc::clone(schema.get().types()), name));
        let format = format.map(format_named).transpose()?;
        Ok(Way { format, schema, options })
    }

    /// Does `work` with the file as what it is.
    fn with<R>(
        &self,
        input: &Input,
        work: impl FnOnce(&dyn FileKind) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        match (&self.schema, self.format) {
            (Some((types, name)), _) => {
                let typed = Typed::new(MoleculeTypes::clone(types), name.clone());
                let typed = typed.map_err(Failure::Usage)?;
                work(&typed.of_input(input, &self.options)?)
            }
            (None, Some(format)) => work(format.kind()),
            (None, None) => work(formats::detect_or_layouts(input, &self.options)?.kind()),
        }
    }
}

/// One part of a file: which bytes, and what they are.
#[pyclass(frozen, eq, hash, get_all, module = "fourfold")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    /// The first byte.
    start: usize,
    /// The byte behind the last one.
    end: usize,
    /// The part of the file that they belong to.
    path: String,
    /// What they are, in the words of the format.
    what: String,
    /// What they say; empty if there is no more to say.
    value: String,
    /// What is wrong with them, if anything is.
    fault: Option<String>,
}

#[pymethods]
impl Row {
    fn __repr__(&self) -> String {
        let Row { start, end, path, what, value, fault } = self;
        let value = if value.is_empty() { String::new() } else { format!(" {value}") };
        let fault = fault.as_ref().map_or_else(String::new, |fault| format!(" ({fault})"));
        format!("<{start}..{end} {path}: {what}{value}{fault}>")
    }
}

/// How many rows Jupyter shows, and how many bytes of each.
const MOST_SHOWN: usize = 200;
const MOST_BYTES: usize = 8;

/// What each byte of a file is: a sequence of rows, which Jupyter shows as a table.
#[pyclass(frozen, module = "fourfold")]
pub(crate) struct Explanation {
    input: Input,
    way: Way,
    format: &'static str,
    rows: Vec<Row>,
    faults: usize,
    is_complete: bool,
}

/// Says what each byte of a file is, a path or its bytes. Bad bytes are told with what is wrong with them.
///
/// `names` are those of `fourfold.biniou.loads`. `schema` and `type` are for Molecule, whose bytes do not say what they
/// are. Of large files there are the first `limit` rows.
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
    schema: Option<&Bound<'_, Schema>>,
    r#type: Option<String>,
    limit: usize,
) -> PyResult<Explanation> {
    let py = source.py();
    let way = Way::new(py, format, names, schema, r#type)?;
    let input = input_of(source)?;
    let explained = py.detach(|| {
        way.with(&input, |kind| {
            let mut rows = Vec::new();
            let mut is_complete = true;
            Parts::new(kind, &input.bytes, &way.options).each("", |span| {
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
                    fault: span.fault,
                });
                ControlFlow::Continue(())
            });
            Ok((kind.name(), rows, is_complete))
        })
    });
    let (format, rows, is_complete) = explained.map_err(|failure| failed(py, failure))?;
    let faults = rows.iter().filter(|row| row.fault.is_some()).count();
    Ok(Explanation { input, way, format, rows, faults, is_complete })
}

#[pymethods]
impl Explanation {
    /// The format of the file.
    #[getter]
    fn format(&self) -> &'static str {
        self.format
    }

    /// All rows with something that is wrong.
    #[getter]
    fn faults(&self) -> Vec<Row> {
        self.rows.iter().filter(|row| row.fault.is_some()).cloned().collect()
    }

    /// Whether there are no more rows than these.
    #[getter]
    fn is_complete(&self) -> bool {
        self.is_complete
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
            if let Some(fault) = &row.fault {
                html += &format!(" <strong>{}</strong>", Escaped(&plain(fault)));
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

    /// One page for a browser that needs no other file: bytes, and the tree of parts beside them.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        let written = py.detach(|| {
            self.way.with(&self.input, |kind| {
                let name = self.input.name.as_str();
                let bytes: &[u8] = &self.input.bytes;
                let parts = Parts::new(kind, bytes, &self.way.options);
                let subject = Subject { name, kind, bytes, parts, path: "" };
                let mut out = Vec::new();
                let window = Window { offset: None, length: None };
                page::write(&mut out, &subject, window, &mut Tally::default())?;
                String::from_utf8(out)
                    .map_err(|error| Failure::io(Path::new(name), io::Error::other(error)))
            })
        });
        written.map_err(|failure| failed(py, failure))
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// The row of that number, or those of a slice.
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
                true => PyIndexError::new_err("there is no such row"),
                false => error,
            }
        })?;
        let from_end = || self.rows.len().checked_sub(index.unsigned_abs());
        let place = usize::try_from(index).ok().or_else(from_end);
        let row = place.and_then(|place| self.rows.get(place)).cloned();
        row.ok_or_else(|| PyIndexError::new_err("there is no such row"))?.into_bound_py_any(py)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.rows.clone().into_bound_py_any(py)?.try_iter()
    }

    fn __repr__(&self) -> String {
        let more = if self.is_complete { "" } else { " and more" };
        let (name, rows, faults) = (&self.input.name, self.rows.len(), self.faults);
        format!(
            "<fourfold.Explanation of {name}: {}, {rows} rows{more}, {faults} faults>",
            self.format
        )
    }
}

/// Reads all of a file, a path or its bytes, and keeps nothing. Raises `DecodeError` for what is wrong; gives what
/// is good and yet suspicious, a text for each.
#[pyfunction]
#[pyo3(signature = (source, *, format = None, schema = None, r#type = None))]
pub(crate) fn verify(
    source: &Bound<'_, PyAny>,
    format: Option<&str>,
    schema: Option<&Bound<'_, Schema>>,
    r#type: Option<String>,
) -> PyResult<Vec<String>> {
    let py = source.py();
    let way = Way::new(py, format, None, schema, r#type)?;
    let input = input_of(source)?;
    let read = py.detach(|| {
        way.with(&input, |kind| Ok((kind.name(), kind.read(&input.bytes, &way.options))))
    });
    match read.map_err(|failure| failed(py, failure))? {
        (_, Reading::Good { suspicions, .. }) => Ok(suspicions),
        (_, Reading::Untyped) => {
            let text = "bytes of Molecule do not say what they are: give a schema and a type";
            Err(PyValueError::new_err(text))
        }
        (name, Reading::Bad(text)) => {
            let exact = py.detach(|| wrong(&way, name, &input.bytes));
            Err(exact.map_or_else(
                || failed(py, Failure::Data { name: input.name.clone(), text }),
                |error| error.raise(py),
            ))
        }
    }
}

/// An error of a format's reader.
enum Wrong {
    Molecule(fourfold::molecule::Error),
    Biniou(fourfold::biniou::Error),
    Tsm(fourfold::tsm::Error),
    Primitiv(fourfold::primitiv::Error),
}

impl Wrong {
    fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Wrong::Molecule(error) => decode(py, &error),
            Wrong::Biniou(error) => decode(py, &error),
            Wrong::Tsm(error) => decode(py, &error),
            Wrong::Primitiv(error) => decode(py, &error),
        }
    }
}

/// What the library says of bytes that are bad, with its place.
fn wrong(way: &Way, format: &str, bytes: &Memory<'_>) -> Option<Wrong> {
    if let Some((types, Some(name))) = &way.schema {
        let mut values = types.values_of(bytes, name).ok()?;
        return values.find_map(Result::err).map(Wrong::Molecule);
    }
    match Format::ALL.into_iter().find(|known| known.name() == format)? {
        Format::Molecule => None,
        Format::Biniou => {
            let file = fourfold::biniou::File::from_slice(bytes);
            let mut values = file.values::<fourfold::biniou::Value>();
            values.find_map(Result::err).map(Wrong::Biniou)
        }
        Format::Tsm => fourfold::tsm::File::from_slice(bytes).err().map(Wrong::Tsm),
        Format::Primitiv => fourfold::primitiv::File::from_slice(bytes).err().map(Wrong::Primitiv),
    }
}
