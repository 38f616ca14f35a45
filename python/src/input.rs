//! Reads bytes from buffers, paths and objects with `read`, and writes them to paths and objects with `write`.

use std::io::{self, Write};
use std::path::PathBuf;

use fourfold::{Error, Kind, Memory, replace_file};
use fourfold_inspect::input::Input;
use fourfold_inspect::package::is_package;
use fourfold_inspect::target;
use pyo3::exceptions::{PyBlockingIOError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString};

use crate::error::{encode, failed, io_error};
use crate::signals::{Raised, writing};

/// The bytes of `bytes`, `bytearray`, `memoryview` or another buffer. All but `bytes` are copied, because they
/// may change during the read.
pub(crate) fn buffer<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let view = PyMemoryView::from(data).map_err(|_| {
        let name = data.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("a bytes-like object is required, not '{name}'"))
    })?;
    Ok(view.call_method0("tobytes")?.cast_into::<PyBytes>()?)
}

/// The same for other threads.
pub(crate) fn shared(data: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    buffer(data).map(PyBackedBytes::from)
}

/// Whether an object is written as bytes.
pub(crate) fn is_bytes(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyMemoryView>()
}

/// The bytes of a file that is no package of SeetaFace, with a name for messages.
///
/// # Errors
///
/// For a package, the function that reads it.
pub(crate) fn open(source: &Bound<'_, PyAny>) -> PyResult<Input> {
    let input = opened(source)?;
    if is_package(&input.bytes) {
        let name = &input.name;
        let text = "a package of SeetaFace; read its value, with the bytes of its modules, by fourfold.sta.load(path)";
        return Err(PyValueError::new_err(format!("{name}: {text}")));
    }
    Ok(input)
}

/// The bytes of a path, memory-mapped, of an object with `read`, or of a buffer, with a name for messages.
pub(crate) fn opened(source: &Bound<'_, PyAny>) -> PyResult<Input> {
    let py = source.py();
    if let Some(path) = path_of(source)? {
        let name = path.display().to_string();
        return Ok(Input { path: Some(path), ..Input::new(name, memory(py, source)?) });
    }
    let path = file_of(source)?;
    // A mapped file has both: all its bytes, and `read` from a position.
    let is_buffer = PyMemoryView::from(source).is_ok();
    let name = name_of(source)?.unwrap_or_else(|| "data".into());
    if is_buffer {
        return Ok(Input { path, ..Input::new(name, copied(source)?) });
    }
    if source.getattr_opt("read")?.is_none() {
        let found = source.get_type().name()?;
        let text = format!(
            "a path, a file that is open for reading, or its bytes are required, not '{found}'"
        );
        return Err(PyTypeError::new_err(text));
    }
    Ok(Input { path, ..Input::new(name, memory(py, source)?) })
}

/// The path of a file that is open for reading, if it has one: its name, which may be a descriptor or of another kind
/// of object.
fn file_of(file: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    let is_file = file.getattr_opt("fileno")?.is_some() && file.getattr_opt("read")?.is_some();
    let name = file.getattr_opt("name")?.filter(|_| is_file);
    let path = name.and_then(|name| path_of(&name).ok().flatten());
    Ok(path.filter(|path| path.is_file()))
}

/// The name of an open file, if it has one.
pub(crate) fn name_of(file: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    Ok(file.getattr_opt("name")?.and_then(|name| name.extract().ok()))
}

/// The bytes of a path, memory-mapped, or of an object with `read`.
pub(crate) fn memory(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Memory<'static>> {
    if let Some(path) = path_of(source)? {
        return py.detach(|| Memory::open(&path)).map_err(|error| io_error(error, &path));
    }
    match source.getattr_opt("read")? {
        Some(read) => {
            let data = read.call0()?;
            if data.is_instance_of::<PyString>() {
                let text = "the file is open for text; open it with mode 'rb'";
                return Err(PyTypeError::new_err(text));
            }
            copied(&data)
        }
        None => {
            let found = source.get_type().name()?;
            let hint = match PyMemoryView::from(source) {
                Ok(_) => "; use `loads` for bytes",
                Err(_) => "",
            };
            let text = "a path or a file that is open for reading is required";
            Err(PyTypeError::new_err(format!("{text}, not '{found}'{hint}")))
        }
    }
}

/// A copy of a buffer.
pub(crate) fn copied(data: &Bound<'_, PyAny>) -> PyResult<Memory<'static>> {
    let bytes = buffer(data)?;
    Ok(Memory::from(bytes.as_bytes().to_vec()))
}

/// The path, if the object is one.
pub(crate) fn path_of(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if object.is_instance_of::<PyString>() || object.getattr_opt("__fspath__")?.is_some() {
        return object.extract().map(Some);
    }
    Ok(None)
}

/// A snapshot of the items of a dict: the caller's work, or another thread, may change the dict. `OrderedDict`
/// keeps its own order.
pub(crate) fn items<'py>(
    dict: &Bound<'py, PyDict>,
) -> PyResult<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let items = match dict.is_exact_instance_of::<PyDict>() {
        true => dict.items(),
        false => dict.as_mapping().items()?,
    };
    items.iter().map(|pair| pair.extract()).collect()
}

/// Refuses to write over files that are read.
pub(crate) fn refuse_to_overwrite<'p>(
    target: &Bound<'_, PyAny>,
    beside: impl IntoIterator<Item = &'p PathBuf>,
) -> PyResult<()> {
    let Some(path) = path_of(target)? else { return Ok(()) };
    let beside = beside.into_iter().map(PathBuf::as_path);
    let checked = target::refuse_to_overwrite(&path, beside);
    checked.map_err(|failure| failed(target.py(), failure))
}

/// The exception for an object that nothing can be written to.
pub(crate) fn not_writable(target: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    let found = target.get_type().name()?;
    let text = "a path or a file that is open for writing is required";
    Ok(PyTypeError::new_err(format!("{text}, not '{found}'")))
}

/// The most bytes that an object with `write` is called with at once.
const MOST: usize = 8 << 20;

/// Writes bytes to a path, through a temporary file that replaces it, or to an object with `write`.
pub(crate) fn put(py: Python<'_>, target: &Bound<'_, PyAny>, bytes: &[u8]) -> PyResult<()> {
    if let Some(path) = path_of(target)? {
        let write =
            |raised: &Raised| replace_file(&path, |writer| raised.writer(writer).write_all(bytes));
        return writing(py, write, |error: io::Error| io_error(error, &path));
    }
    match target.getattr_opt("write")? {
        Some(_) if is_text(target)? => {
            let text = "the file is open for text; open it with mode 'wb'";
            Err(PyTypeError::new_err(text))
        }
        Some(write) if is_raw(target)? => write_all(py, &write, bytes),
        Some(write) => {
            let mut rest = bytes;
            loop {
                let (piece, after) = rest.split_at_checked(MOST).unwrap_or((rest, &[]));
                write.call1((PyBytes::new(py, piece),))?;
                if after.is_empty() {
                    return Ok(());
                }
                rest = after;
                py.check_signals()?;
            }
        }
        None => Err(not_writable(target)?),
    }
}

/// Writes what `write` writes: to a path, through a temporary file that replaces it, or to an object with `write`.
pub(crate) fn save<K: Kind + Send + Sync + 'static>(
    target: &Bound<'_, PyAny>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error<K>> + Send,
) -> PyResult<()> {
    let py = target.py();
    let path = path_of(target)?;
    let work = |raised: &Raised| match &path {
        Some(path) => {
            replace_file(path, |writer| Ok(write(&mut raised.writer(writer))?)).map(|()| None)
        }
        None => {
            let mut bytes = Vec::new();
            write(&mut raised.writer(&mut bytes))?;
            Ok(Some(bytes))
        }
    };
    let refused = |error: io::Error| match (error.downcast::<Error<K>>(), &path) {
        (Ok(error), _) => encode(&error),
        (Err(error), Some(path)) => io_error(error, path),
        (Err(error), None) => error.into(),
    };
    match writing(py, work, refused)? {
        Some(bytes) => put(py, target, &bytes),
        None => Ok(()),
    }
}

/// The bytes that `save` writes to an object with `write`. Python makes no copy of all of them, which would delay Ctrl-C.
pub(crate) fn in_memory<'py>(
    py: Python<'py>,
    save: impl FnOnce(&Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<Bound<'py, PyBytes>> {
    let file = py.import(intern!(py, "io"))?.call_method0(intern!(py, "BytesIO"))?;
    save(&file)?;
    Ok(file.call_method0(intern!(py, "getvalue"))?.cast_into()?)
}

/// Whether a file is unbuffered: its `write` may take only some of the bytes.
pub(crate) fn is_raw(target: &Bound<'_, PyAny>) -> PyResult<bool> {
    static RAW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    target.is_instance(RAW.import(target.py(), "io", "RawIOBase")?)
}

/// Whether a file takes text: its `write` refuses bytes.
fn is_text(target: &Bound<'_, PyAny>) -> PyResult<bool> {
    static TEXT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    target.is_instance(TEXT.import(target.py(), "io", "TextIOBase")?)
}

fn write_all(py: Python<'_>, write: &Bound<'_, PyAny>, bytes: &[u8]) -> PyResult<()> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let taken: Option<usize> = write.call1((PyBytes::new(py, rest),))?.extract()?;
        rest = match taken.filter(|taken| *taken > 0).and_then(|taken| rest.get(taken..)) {
            Some(after) => after,
            None => return Err(PyBlockingIOError::new_err("write would block")),
        };
    }
    Ok(())
}
