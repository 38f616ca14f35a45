//! Files that are given by a path or as a text, and schemas that are read from these.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fourfold::biniou::Options;
use fourfold_inspect::failure::Failure;
use fourfold_inspect::formats::{Note, Selection, Typed};
use fourfold_inspect::input::Input;
pub(crate) use fourfold_schema::is_atd;
use fourfold_schema::{atd, mol, suggestion};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::{decode_with_hint, failed, io_error};
use crate::input::path_of;
use crate::signals::detached;

/// A path, or the text of a file.
pub(crate) enum Given {
    Path(PathBuf),
    Text(String),
}

impl Given {
    /// `None` for other objects. Text is what has a line break or a sign of a schema and is no file.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let Some(path) = path_of(object)? else { return Ok(None) };
        let text = object.cast::<PyString>().ok();
        // A path that is not UTF-8 has surrogates.
        if let Some(text) = text.and_then(|text| text.to_cow().ok()) {
            if text.contains(['\n', ';', '{', '=', '<']) && !path.exists() {
                return Ok(Some(Given::Text(text.into_owned())));
            }
        }
        Ok(Some(Given::Path(path)))
    }

    /// A schema. `kind` is that of its file: `a .mol`.
    ///
    /// # Errors
    ///
    /// `TypeError` for other objects.
    pub(crate) fn schema(object: &Bound<'_, PyAny>, kind: &str) -> PyResult<Self> {
        if let Some(given) = Given::of(object)? {
            return Ok(given);
        }
        let found = object.get_type().name()?;
        let text = format!("the path of {kind} file, or its text, is required, not '{found}'");
        Err(PyTypeError::new_err(text))
    }
}

/// A schema of either language.
#[derive(Clone)]
pub(crate) enum AnySchema {
    Molecule(Arc<mol::Schema>),
    Biniou(Arc<atd::Schema>),
}

impl AnySchema {
    /// The schema with the type of a file.
    pub(crate) fn typed(&self, name: Option<String>) -> Result<Typed, String> {
        match self {
            AnySchema::Molecule(schema) => Typed::new(mol::Schema::clone(schema), name),
            AnySchema::Biniou(schema) => Typed::new(atd::Schema::clone(schema), name),
        }
    }

    /// The type that a file has in the schema.
    ///
    /// # Errors
    ///
    /// If no type fits: the error of the one that fits best.
    pub(crate) fn select(&self, py: Python<'_>, input: Input) -> PyResult<String> {
        let input = Arc::new(input);
        let (schema, file) = (self.clone(), Arc::clone(&input));
        let selected = detached(py, input.bytes.len(), move || {
            let typed = schema.typed(None).map_err(Failure::Usage)?;
            let Selection { of_type, note, .. } = typed.select(&file, &Options::new());
            Ok((of_type.map(|of_type| of_type.ty().to_owned()), note))
        })?;
        match selected.map_err(|failure| failed(py, failure))? {
            (Some(name), _) => Ok(name),
            (None, note) => Err(self.mismatch(py, &note.unwrap_or(Note::Empty), &input)),
        }
    }

    /// The exception for a file that no type of the schema fits.
    pub(crate) fn mismatch(&self, py: Python<'_>, note: &Note, input: &Input) -> PyErr {
        let whole = || failed(py, Failure::data(&input.name, note.refusal()));
        let (Note::None { ty, .. }, AnySchema::Molecule(types)) = (note, self) else {
            return whole();
        };
        let error = py.detach(|| types.values_of(&input.bytes, ty).ok()?.find_map(Result::err));
        let hint = format!("no type of the schema fits, and {ty} fits best");
        error.map_or_else(whole, |error| decode_with_hint(py, &error, &hint))
    }
}

/// The types of the text of a `.mol` file.
pub(crate) fn molecule_text(text: &str) -> PyResult<Arc<mol::Schema>> {
    let refused = |error: mol::Error| match error.kind() {
        mol::ErrorKind::Import => format!("{error}; use molecule.Schema('schema.mol')"),
        _ => error.to_string(),
    };
    mol::Schema::parse(text).map(Arc::new).map_err(|error| PyValueError::new_err(refused(error)))
}

/// The types of a `.mol` file.
pub(crate) fn molecule_of(py: Python<'_>, path: &Path) -> PyResult<Arc<mol::Schema>> {
    readable(path)?;
    let schema = py.detach(|| mol::Schema::from_file(path));
    schema.map(Arc::new).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The types of an `.atd` file.
pub(crate) fn atd_of(py: Python<'_>, path: &Path) -> PyResult<Arc<atd::Schema>> {
    readable(path)?;
    let schema = py.detach(|| atd::Schema::from_file(path));
    schema.map(Arc::new).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The type of that name.
pub(crate) fn molecule_type<'s>(types: &'s mol::Schema, name: &str) -> PyResult<mol::Type<'s>> {
    types.get(name).ok_or_else(|| no_type(name, types.types().map(|ty| ty.name())))
}

/// The type of that name.
pub(crate) fn atd_type<'s>(types: &'s atd::Schema, name: &str) -> PyResult<atd::Type<'s>> {
    types.get(name).ok_or_else(|| no_type(name, types.types().filter_map(atd::Type::name)))
}

fn no_type<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> PyErr {
    let hint = suggestion(name, known);
    PyValueError::new_err(format!("the schema has no type {name:?}{hint}"))
}

/// Raises the `OSError` of a missing file, and that of a folder.
fn readable(path: &Path) -> PyResult<()> {
    let found = std::fs::metadata(path).and_then(|found| match found.is_dir() {
        true => std::fs::read(path).map(drop),
        false => Ok(()),
    });
    found.map_err(|error| io_error(error, path))
}

/// The text of a schema, which [`Given`] does not take for a path.
pub(crate) fn as_text(schema: &impl ToString) -> String {
    schema.to_string() + "\n"
}

/// The `repr` of a schema with these types.
pub(crate) fn shown<'n>(types: impl Iterator<Item = &'n str>) -> String {
    const MOST: usize = 4;
    let mut names: Vec<String> = types.map(|name| format!("'{name}'")).take(MOST + 1).collect();
    if names.len() > MOST {
        names.truncate(MOST);
        names.push("...".to_owned());
    }
    format!("Schema({})", names.join(", "))
}
