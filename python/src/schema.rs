//! Converts the argument `schema`: an object, a path, or a text.

use std::sync::Arc;

use fourfold_schema::{atd, mol};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::given::{AnySchema, Given, is_atd, molecule_of, readable};
use crate::molecule::Schema;

/// The schema of an object, a path or a text.
pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<AnySchema> {
    if let Ok(schema) = object.cast::<Schema>() {
        return Ok(AnySchema::Molecule(Arc::clone(schema.get().types())));
    }
    let py = object.py();
    match Given::of(object)? {
        Some(Given::Path(path)) if is_atd(&path) => {
            readable(&path)?;
            biniou(py.detach(|| atd::Schema::from_file(&path)))
        }
        Some(Given::Path(path)) => molecule_of(py, &path).map(AnySchema::Molecule),
        Some(Given::Text(text)) => match mol::Schema::parse(&text) {
            Ok(schema) => Ok(AnySchema::Molecule(Arc::new(schema))),
            // Each declaration of an `.atd` file has this word.
            Err(_) if text.lines().any(|line| line.trim_start().starts_with("type ")) => {
                biniou(atd::Schema::parse(&text))
            }
            Err(error) => Err(PyValueError::new_err(error.to_string())),
        },
        None => {
            let found = object.get_type().name()?;
            let text = format!(
                "schema is a molecule.Schema, the path of a .mol or .atd file, or its text, not '{found}'"
            );
            Err(PyTypeError::new_err(text))
        }
    }
}

fn biniou(schema: atd::Result<atd::Schema>) -> PyResult<AnySchema> {
    let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(AnySchema::Biniou(Arc::new(schema)))
}
