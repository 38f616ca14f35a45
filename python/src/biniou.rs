//! The functions of `fourfold.biniou`.

mod classes;
mod names;
mod read;
mod schema;
mod stream;
mod typed;
mod write;

use std::path::Path;

use fourfold::biniou::ChunkWriter;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(crate) use self::names::Dictionary;
use self::names::Known;
pub(crate) use self::names::of as names_of;
pub(crate) use self::schema::Schema;
use self::stream::Decoder;
pub(crate) use self::stream::Values;
use crate::error::encode;
use crate::feed::Feed;
use crate::input;

/// Reads one value, which must take all bytes of `data`.
///
/// `names` is a `Dictionary`, a list of words, or an `.atd` file or a list of words, one a line: its path or its text.
/// Fields and variants whose names are not in it have a `Hash` instead. `object_hook` is called with each dict, innermost
/// first; what it returns takes the place of the dict.
#[pyfunction]
#[pyo3(name = "loads")]
#[pyo3(signature = (data, *, names = None, object_hook = None))]
pub(crate) fn biniou_loads<'py>(
    data: &Bound<'py, PyAny>,
    names: Option<&Bound<'py, PyAny>>,
    object_hook: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = input::buffer(data)?;
    value(data.py(), bytes.as_bytes(), names, object_hook)
}

/// Reads the value of a file: a path, or an object whose `read` returns bytes.
#[pyfunction]
#[pyo3(name = "load")]
#[pyo3(signature = (fp, *, names = None, object_hook = None))]
pub(crate) fn biniou_load<'py>(
    fp: &Bound<'py, PyAny>,
    names: Option<&Bound<'py, PyAny>>,
    object_hook: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = input::memory(fp.py(), fp)?;
    value(fp.py(), &bytes, names, object_hook)
}

fn value<'py>(
    py: Python<'py>,
    bytes: &[u8],
    names: Option<&Bound<'py, PyAny>>,
    hook: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let names = names::of(py, names)?;
    read::value(py, bytes, &mut Known::new(&names), hook, |error| error)
}

/// Iterates over the values of `data`. Each is read when the iterator reaches it.
///
/// The values are concatenated, or each is in a chunk, as OCaml's `Bi_stream` writes them: `chunks` says which, or else
/// the bytes do.
#[pyfunction]
#[pyo3(name = "loads_all")]
#[pyo3(signature = (data, *, names = None, chunks = None, object_hook = None))]
pub(crate) fn biniou_loads_all(
    data: &Bound<'_, PyAny>,
    names: Option<&Bound<'_, PyAny>>,
    chunks: Option<bool>,
    object_hook: Option<Py<PyAny>>,
) -> PyResult<Values> {
    let decoder = Decoder::of_names(data.py(), names, object_hook)?;
    Ok(Values::new(data.py(), input::copied(data)?, decoder, chunks))
}

/// Iterates over the values of a file. The file of a path is memory-mapped and read lazily. An open file, such as a
/// pipe, is read as its bytes come: a value is returned as soon as its last byte is there.
///
/// The values are concatenated, or each is in a chunk: `chunks` says which. Without `chunks`, an open file whose first
/// byte is that of a chunk, or of an int8 or a bool, is read to its end first.
#[pyfunction]
#[pyo3(name = "load_all")]
#[pyo3(signature = (fp, *, names = None, chunks = None, object_hook = None))]
pub(crate) fn biniou_load_all(
    fp: &Bound<'_, PyAny>,
    names: Option<&Bound<'_, PyAny>>,
    chunks: Option<bool>,
    object_hook: Option<Py<PyAny>>,
) -> PyResult<Values> {
    values_of_file(fp, Decoder::of_names(fp.py(), names, object_hook)?, chunks)
}

fn values_of_file(
    fp: &Bound<'_, PyAny>,
    decoder: Decoder,
    chunks: Option<bool>,
) -> PyResult<Values> {
    let py = fp.py();
    let path = input::path_of(fp)?;
    let is_pipe =
        |path: &Path| std::fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir());
    let feed = match &path {
        Some(path) if py.detach(|| is_pipe(path)) => {
            Feed::of(&py.import("io")?.call_method1("open", (fp, "rb"))?)?
        }
        Some(_) => None,
        None => Feed::of(fp)?,
    };
    match feed {
        Some(feed) => Ok(Values::of_feed(feed, decoder, chunks)),
        None => Ok(Values::new(py, input::memory(py, fp)?, decoder, chunks)),
    }
}

/// The bytes of a value.
///
/// `default` is called with an object that is not supported; what it returns is written in its place.
#[pyfunction]
#[pyo3(name = "dumps")]
#[pyo3(signature = (obj, *, default = None))]
pub(crate) fn biniou_dumps<'py>(
    obj: &Bound<'py, PyAny>,
    default: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(obj.py(), &write::value(obj, default)?))
}

/// Writes a value to a path, or to an object with `write`. `default` is that of `dumps`.
#[pyfunction]
#[pyo3(name = "dump")]
#[pyo3(signature = (obj, fp, *, default = None))]
pub(crate) fn biniou_dump<'py>(
    obj: &Bound<'py, PyAny>,
    fp: &Bound<'py, PyAny>,
    default: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    input::put(obj.py(), fp, &write::value(obj, default)?)
}

/// The bytes of all objects, concatenated or each in a chunk.
fn join<'py>(
    objects: &Bound<'py, PyAny>,
    chunks: bool,
    bytes_of: impl Fn(&Bound<'py, PyAny>) -> PyResult<Vec<u8>>,
) -> PyResult<Vec<u8>> {
    let mut stream = ChunkWriter::new(Vec::new());
    let mut bytes = Vec::new();
    for object in objects.try_iter()? {
        let one = bytes_of(&object?)?;
        match chunks {
            true => stream.write_chunk(&one).map_err(|error| encode(&error))?,
            false => bytes.extend(one),
        }
    }
    match chunks {
        true => stream.finish().map_err(|error| encode(&error)),
        false => Ok(bytes),
    }
}

/// The bytes of several values, concatenated; with `chunks`, each in a chunk, as OCaml's `Bi_stream` writes
/// them. `default` is that of `dumps`.
#[pyfunction]
#[pyo3(name = "dumps_all")]
#[pyo3(signature = (objects, *, chunks = false, default = None))]
pub(crate) fn biniou_dumps_all<'py>(
    objects: &Bound<'py, PyAny>,
    chunks: bool,
    default: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = join(objects, chunks, |object| Ok(write::value(object, default)?))?;
    Ok(PyBytes::new(objects.py(), &bytes))
}

/// Writes several values to a path, or to an object with `write`. `default` is that of `dumps`.
#[pyfunction]
#[pyo3(name = "dump_all")]
#[pyo3(signature = (objects, fp, *, chunks = false, default = None))]
pub(crate) fn biniou_dump_all<'py>(
    objects: &Bound<'py, PyAny>,
    fp: &Bound<'py, PyAny>,
    chunks: bool,
    default: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let bytes = join(objects, chunks, |object| Ok(write::value(object, default)?))?;
    input::put(objects.py(), fp, &bytes)
}

/// The hash of a name, as a number.
#[pyfunction]
#[pyo3(name = "hash")]
pub(crate) fn biniou_hash(name: &str) -> u32 {
    fourfold::biniou::hash(name)
}

/// The name of the tag that a value is written with.
#[pyfunction]
#[pyo3(name = "tag")]
pub(crate) fn biniou_tag(value: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    Ok(write::tag(value)?.name())
}
