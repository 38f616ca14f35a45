//! Converts the argument `schema`: an object, a path, or a text.

use std::sync::Arc;

use fourfold_schema::atd;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::given::{AnySchema, Given, atd_of, is_atd, molecule_of, molecule_text};
use crate::{biniou, molecule};

/// The schema of an object, a path or a text.
pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<AnySchema> {
    if let Ok(schema) = object.cast::<molecule::Schema>() {
        return Ok(AnySchema::Molecule(Arc::clone(schema.get().types())));
    }
    if let Ok(schema) = object.cast::<biniou::Schema>() {
        return Ok(AnySchema::Biniou(Arc::clone(schema.get().types())));
    }
    let py = object.py();
    match Given::of(object)? {
        Some(Given::Path(path)) if is_atd(&path) => atd_of(py, &path).map(AnySchema::Biniou),
        Some(Given::Path(path)) => molecule_of(py, &path).map(AnySchema::Molecule),
        Some(Given::Text(text)) => match molecule_text(&text) {
            Ok(schema) => Ok(AnySchema::Molecule(schema)),
            // Each declaration of an `.atd` file has this word.
            Err(_) if text.lines().any(|line| line.trim_start().starts_with("type ")) => {
                let schema = atd::Schema::parse(&text);
                let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
                Ok(AnySchema::Biniou(Arc::new(schema)))
            }
            Err(error) => Err(error),
        },
        None => {
            let found = object.get_type().name()?;
            let text = format!(
                "schema is a molecule.Schema or biniou.Schema, the path of a .mol or .atd file, or its text, not '{found}'"
            );
            Err(PyTypeError::new_err(text))
        }
    }
}

/// The object of a schema that is given as an object, a path or a text.
#[pyfunction]
pub(crate) fn schema_of<'py>(schema: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = schema.py();
    match of(schema)? {
        AnySchema::Molecule(types) => {
            Ok(Bound::new(py, molecule::Schema::new_of(types))?.into_any())
        }
        AnySchema::Biniou(types) => Ok(Bound::new(py, biniou::Schema::new_of(types))?.into_any()),
    }
}
