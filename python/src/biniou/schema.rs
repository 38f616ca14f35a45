//! `fourfold.biniou.Schema`: reads and writes values with the types of an `.atd` file.

use std::sync::Arc;

use fourfold_schema::atd::{Schema as Types, Type};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use super::stream::Decoder;
use super::{Values, join, typed, values_of_file};
use crate::given::{AnySchema, Given, as_text, atd_of, atd_type, shown};
use crate::input;
use crate::signals::Shared;

/// The types that an `.atd` file defines, and those that it takes from others: `Schema("log.atd")`.
///
/// >>> from fourfold.biniou import Schema
/// >>> schema = Schema.parse('''
/// ...     type color = [ Red | Gray of int ]
/// ...     type shape = { id : int; color : color; ?label : string option }
/// ... ''')
/// >>> data = schema.dumps({"id": 7, "color": ["Gray", 5]}, "shape")
/// >>> schema.loads(data, "shape")
/// {'id': 7, 'color': ['Gray', 5], 'label': None}
/// >>> schema
/// Schema('color', 'shape')
///
/// Values have the form of atdgen's JSON: records are dicts, and a variant is its name, or a list of its name and
/// argument. An option is `None` or its value, and an `int64` is an `int`. Fields that the type does not have are skipped.
#[pyclass(frozen, module = "fourfold.biniou")]
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
        atd_type(&self.types, name)
    }

    fn value<'py>(
        &self,
        py: Python<'py>,
        bytes: impl Shared,
        name: &str,
        hook: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        typed::value(py, bytes, &self.types, name, hook, |error| error)
    }

    fn decoder(&self, name: String, hook: Option<Py<PyAny>>) -> PyResult<Decoder> {
        self.need(&name)?;
        Ok(Decoder::Typed { schema: Arc::clone(&self.types), name, hook })
    }

    fn bytes_of<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        name: &str,
        default: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<u8>> {
        Ok(typed::bytes_of(object, self.need(name)?, default)?)
    }
}

#[pymethods]
impl Schema {
    /// Reads a schema from a file, with the files that it takes types from, or from its text.
    ///
    /// Raises `ValueError` with the line and column for anything `atdgen -b` refuses.
    #[new]
    fn new(path: &Bound<'_, PyAny>) -> PyResult<Self> {
        match Given::schema(path, "an .atd")? {
            Given::Path(file) => Ok(Schema { types: atd_of(path.py(), &file)? }),
            Given::Text(text) => Schema::parse(&text),
        }
    }

    /// Reads a schema from a text.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        let types = Types::parse(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Schema { types: Arc::new(types) })
    }

    /// Reads one value of the given type, which must take all bytes of `data`.
    ///
    /// `object_hook` is called with each dict, innermost first; what it returns takes the place of the dict.
    #[pyo3(signature = (data, r#type, *, object_hook = None))]
    fn loads<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        r#type: &str,
        object_hook: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.value(data.py(), input::shared(data)?, r#type, object_hook)
    }

    /// Reads the value of a file: a path, or an object whose `read` returns bytes.
    #[pyo3(signature = (fp, r#type, *, object_hook = None))]
    fn load<'py>(
        &self,
        fp: &Bound<'py, PyAny>,
        r#type: &str,
        object_hook: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.value(fp.py(), input::memory(fp.py(), fp)?, r#type, object_hook)
    }

    /// Iterates over the values of `data`, all of the given type. `chunks` is that of `biniou.loads_all`.
    #[pyo3(signature = (data, r#type, *, chunks = None, object_hook = None))]
    fn loads_all(
        &self,
        data: &Bound<'_, PyAny>,
        r#type: String,
        chunks: Option<bool>,
        object_hook: Option<Py<PyAny>>,
    ) -> PyResult<Values> {
        let decoder = self.decoder(r#type, object_hook)?;
        Ok(Values::new(data.py(), input::copied(data)?, decoder, chunks))
    }

    /// Iterates over the values of a file, all of the given type. `fp` and `chunks` are those of `biniou.load_all`.
    #[pyo3(signature = (fp, r#type, *, chunks = None, object_hook = None))]
    fn load_all(
        &self,
        fp: &Bound<'_, PyAny>,
        r#type: String,
        chunks: Option<bool>,
        object_hook: Option<Py<PyAny>>,
    ) -> PyResult<Values> {
        values_of_file(fp, self.decoder(r#type, object_hook)?, chunks)
    }

    /// The bytes of a value of the given type, as atdgen writes them.
    ///
    /// Options and fields with a default may be omitted. `default` is called with an object whose type does not fit; what
    /// it returns is written in its place.
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

    /// The bytes of several values of the given type, concatenated; with `chunks`, each in a chunk.
    #[pyo3(signature = (objects, r#type, *, chunks = false, default = None))]
    fn dumps_all<'py>(
        &self,
        objects: &Bound<'py, PyAny>,
        r#type: &str,
        chunks: bool,
        default: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = join(objects, chunks, |object| self.bytes_of(object, r#type, default))?;
        Ok(PyBytes::new(objects.py(), &bytes))
    }

    /// Writes several values of the given type to a path, or to an object with `write`.
    #[pyo3(signature = (objects, fp, r#type, *, chunks = false, default = None))]
    fn dump_all<'py>(
        &self,
        objects: &Bound<'py, PyAny>,
        fp: &Bound<'py, PyAny>,
        r#type: &str,
        chunks: bool,
        default: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let bytes = join(objects, chunks, |object| self.bytes_of(object, r#type, default))?;
        input::put(objects.py(), fp, &bytes)
    }

    /// Checks that `data` is a value of the given type, including nested values; raises `DecodeError` if not.
    fn verify(&self, data: &Bound<'_, PyAny>, r#type: &str) -> PyResult<()> {
        let bytes = Arc::new(input::shared(data)?);
        typed::check(data.py(), bytes, &self.types, r#type, |error| error).map(drop)
    }

    /// The type of a path, an open file or bytes: the first type of the schema that fits. Raises `DecodeError` with the error of the
    /// type that fits best if none does.
    fn select(&self, source: &Bound<'_, PyAny>) -> PyResult<String> {
        let schema = AnySchema::Biniou(Arc::clone(&self.types));
        schema.select(source.py(), input::open(source)?)
    }

    /// The names of all defined types that have no parameters.
    #[getter(types)]
    fn names(&self) -> Vec<&str> {
        self.types.types().filter_map(Type::name).collect()
    }

    fn __contains__(&self, r#type: &str) -> bool {
        self.types.get(r#type).is_some()
    }

    /// Pickles the text of the schema.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, (String,))> {
        let types = &this.get().types;
        let text = as_text(types);
        let own = Schema::parse(&text)?;
        match own.types.missing().len() == types.missing().len() {
            true => Ok((this.get_type(), (text,))),
            false => Err(PyTypeError::new_err(
                "a schema with types of other files cannot be pickled: pickle the path of its file",
            )),
        }
    }

    fn __repr__(&self) -> String {
        shown(self.types.types().filter_map(Type::name))
    }
}
