//! `fourfold.molecule`: reads and writes values with a schema.

mod form;
mod read;
mod records;
mod write;

use std::sync::Arc;

use fourfold::molecule::{ErrorKind, Options};
use fourfold_schema::mol::{Schema as Types, Type, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

pub(crate) use self::records::Records;
use crate::error::{decode, decode_with_hint};
use crate::given::{AnySchema, Given, as_text, molecule_of, molecule_text, molecule_type, shown};
use crate::input;
use crate::signals::{Shared, detached};

/// The types that a `.mol` file declares, and those it imports: `Schema("blockchain.mol")`.
///
/// >>> from fourfold.molecule import Schema
/// >>> schema = Schema.parse("vector Bytes <byte>; table Entry { id: byte, name: Bytes, }")
/// >>> data = schema.dumps({"id": 7, "name": b"mol"}, "Entry")
/// >>> schema.loads(data, "Entry")
/// {'id': 7, 'name': b'mol'}
/// >>> schema
/// Schema('Bytes', 'Entry')
///
/// Molecule's bytes do not describe themselves, so each call needs the name of a type.
#[pyclass(frozen, module = "fourfold.molecule")]
pub(crate) struct Schema {
    types: Arc<Types>,
}

impl Schema {
    pub(crate) fn new_of(types: Arc<Types>) -> Self {
        Schema { types }
    }

    /// The library's schema.
    pub(crate) fn types(&self) -> &Arc<Types> {
        &self.types
    }

    fn need(&self, name: &str) -> PyResult<Type<'_>> {
        molecule_type(&self.types, name)
    }

    fn value<'py>(
        &self,
        py: Python<'py>,
        bytes: impl Shared,
        name: &str,
        compatible: bool,
        hook: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let bytes = Arc::new(bytes);
        let ty = self.check(py, Arc::clone(&bytes), name, compatible)?;
        read::value(py, Value::unchecked(ty, &bytes), hook)
    }

    /// The type of that name, of which the bytes are a value.
    fn check(
        &self,
        py: Python<'_>,
        bytes: Arc<impl Shared>,
        name: &str,
        compatible: bool,
    ) -> PyResult<Type<'_>> {
        let ty = self.need(name)?;
        let (types, name) = (Arc::clone(&self.types), name.to_owned());
        let options = Options::new().compatible(compatible);
        let checked = detached(py, bytes.len(), move || {
            types.to_value_with(&bytes, &name, &options).map(drop)
        })?;
        checked.map(|()| ty).map_err(|error| match error.kind() {
            ErrorKind::ExtraFields { .. } => {
                decode_with_hint(py, &error, "use `compatible=True` to accept more fields")
            }
            _ => decode(py, &error),
        })
    }

    fn bytes_of<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        name: &str,
        default: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<u8>> {
        let (form, len) = write::form(object, self.need(name)?, default)?;
        let (types, name) = (Arc::clone(&self.types), name.to_owned());
        let made = detached(object.py(), len, move || types.make(form, &name))?;
        made.map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

#[pymethods]
impl Schema {
    /// Reads a schema from a file, with the files that it imports, or from its text.
    ///
    /// Raises `ValueError` with the line and column for anything `moleculec` refuses.
    #[new]
    fn new(path: &Bound<'_, PyAny>) -> PyResult<Self> {
        match Given::schema(path, "a .mol")? {
            Given::Path(file) => Ok(Schema { types: molecule_of(path.py(), &file)? }),
            Given::Text(text) => Schema::parse(&text),
        }
    }

    /// Reads a schema from a text, without imports.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        Ok(Schema { types: molecule_text(text)? })
    }

    /// Reads one value of the given type, which must take all bytes of `data`.
    ///
    /// With `compatible`, tables may have more fields than the schema: `$extra` lists the bytes of each.
    ///
    /// `object_hook` is called with each dict, innermost first; what it returns takes the place of the dict.
    #[pyo3(signature = (data, r#type, *, compatible = false, object_hook = None))]
    fn loads<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        r#type: &str,
        compatible: bool,
        object_hook: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.value(data.py(), input::shared(data)?, r#type, compatible, object_hook)
    }

    /// Reads the value of a file: a path, or an object whose `read` returns bytes.
    #[pyo3(signature = (fp, r#type, *, compatible = false, object_hook = None))]
    fn load<'py>(
        &self,
        fp: &Bound<'py, PyAny>,
        r#type: &str,
        compatible: bool,
        object_hook: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.value(fp.py(), input::memory(fp.py(), fp)?, r#type, compatible, object_hook)
    }

    /// Iterates over the values of `data`: concatenated tables or dynvecs, or one value of another type.
    #[pyo3(signature = (data, r#type, *, object_hook = None))]
    fn loads_all(
        &self,
        data: &Bound<'_, PyAny>,
        r#type: String,
        object_hook: Option<Py<PyAny>>,
    ) -> PyResult<Records> {
        self.need(&r#type)?;
        Ok(Records::new(input::copied(data)?, Arc::clone(&self.types), r#type, object_hook))
    }

    /// Iterates over the values of a file. A path is memory-mapped and read lazily.
    #[pyo3(signature = (fp, r#type, *, object_hook = None))]
    fn load_all(
        &self,
        fp: &Bound<'_, PyAny>,
        r#type: String,
        object_hook: Option<Py<PyAny>>,
    ) -> PyResult<Records> {
        self.need(&r#type)?;
        let memory = input::memory(fp.py(), fp)?;
        Ok(Records::new(memory, Arc::clone(&self.types), r#type, object_hook))
    }

    /// The bytes of a value of the given type.
    ///
    /// Option fields may be omitted. `default` is called with an object whose type does not fit; what it returns is written in its
    /// place.
    #[pyo3(signature = (obj, r#type, *, default = None))]
    fn dumps<'py>(
        &self,
        obj: &Bound<'py, PyAny>,
        r#type: &str,
        default: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(obj.py(), &self.bytes_of(obj, r#type, default)?))
    }

    /// Writes a value to a path, or to an object with `write`. `default` is that of `dumps`.
    #[pyo3(signature = (obj, fp, r#type, *, default = None))]
    fn dump<'py>(
        &self,
        obj: &Bound<'py, PyAny>,
        fp: &Bound<'py, PyAny>,
        r#type: &str,
        default: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        input::put(obj.py(), fp, &self.bytes_of(obj, r#type, default)?)
    }

    /// Checks that `data` is a value of the given type, including nested values; raises `DecodeError` if not.
    #[pyo3(signature = (data, r#type, *, compatible = false))]
    fn verify(&self, data: &Bound<'_, PyAny>, r#type: &str, compatible: bool) -> PyResult<()> {
        self.check(data.py(), Arc::new(input::shared(data)?), r#type, compatible).map(drop)
    }

    /// The type of a path, an open file or bytes: the first type of the schema that fits. Raises `DecodeError` with the error of the
    /// type that fits best if none does.
    fn select(&self, source: &Bound<'_, PyAny>) -> PyResult<String> {
        let schema = AnySchema::Molecule(Arc::clone(&self.types));
        schema.select(source.py(), input::open(source)?)
    }

    /// The names of all declared types.
    #[getter(types)]
    fn names(&self) -> Vec<String> {
        self.types.types().map(|ty| ty.name().to_owned()).collect()
    }

    fn __contains__(&self, r#type: &str) -> bool {
        self.types.get(r#type).is_some()
    }

    /// Pickles the text of the schema and of the files that it imports.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (this.get_type(), (as_text(&this.get().types),))
    }

    fn __repr__(&self) -> String {
        shown(self.types.types().map(|ty| ty.name()))
    }
}
