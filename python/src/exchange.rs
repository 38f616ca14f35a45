//! `convert` of graphs: modules of TenniS as models of ONNX, and back.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use fourfold_inspect::exchange::{InputShape, is_onnx, to_onnx, to_tsm};
use fourfold_inspect::input::Input;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyMapping;

use crate::error::failed;
use crate::input;
use crate::signals::{Raised, detached, writing};

/// Whether `convert` writes a model of ONNX: by `to`, or by the name of the file.
pub(crate) fn is_wanted(target: &Bound<'_, PyAny>, to: Option<&str>) -> PyResult<bool> {
    match (to, input::path_of(target)?) {
        (Some(to), _) => Ok(to == "onnx"),
        (None, Some(path)) => Ok(is_onnx(&path)),
        (None, None) => {
            Ok(input::name_of(target)?.is_some_and(|name| is_onnx(&PathBuf::from(name))))
        }
    }
}

/// The sizes of a shape, in which -1 is an unknown one, for the input of that name.
pub(crate) fn sizes_of(shape: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<i32>> {
    let shown = || shape.repr().map(|shape| format!("{name}: {shape}"));
    let Ok(sizes) = shape.extract::<Vec<i64>>() else {
        let text = format!("{} is no shape; use a tuple of int, such as (1, 3)", shown()?);
        return Err(PyTypeError::new_err(text));
    };
    let size = |size: i64| i32::try_from(size).ok().filter(|size| *size >= -1);
    sizes.into_iter().map(size).collect::<Option<_>>().map_or_else(
        || {
            let text =
                format!("{} has a size that is neither -1 nor from 0 to 2147483647", shown()?);
            Err(PyValueError::new_err(text))
        },
        Ok,
    )
}

/// The shapes of a mapping of names, in which -1 is an unknown size.
pub(crate) fn shapes_of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<InputShape>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let Ok(shapes) = given.cast::<PyMapping>() else {
        let found = given.get_type().name()?;
        let text =
            format!("inputs are a dict of shapes by name, such as {{'x': (1, 3)}}, not '{found}'");
        return Err(PyTypeError::new_err(text));
    };
    let input = |pair: Bound<'_, PyAny>| {
        let (name, shape): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        let Ok(name) = name.extract::<String>() else {
            let text = format!("names of inputs are str, not {}", name.repr()?);
            return Err(PyTypeError::new_err(text));
        };
        let size = |size: i32| (size >= 0).then_some(size);
        let sizes = sizes_of(&shape, &name)?.into_iter().map(size).collect();
        Ok(InputShape::new(sizes).named(name))
    };
    shapes.items()?.iter().map(input).collect()
}

/// Converts a module. `shapes` are those of its inputs.
pub(crate) fn write_onnx(
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    shapes: Vec<InputShape>,
) -> PyResult<()> {
    let py = source.py();
    let input = input::open(source)?;
    let path = input::path_of(target)?;
    let (source, model_path) = (input.path.clone(), path.clone());
    let made =
        detached(py, input.bytes.len(), move || to_onnx(&input, shapes, model_path.as_deref()))?;
    let model = made.map_err(|failure| failed(py, failure))?;
    let (Some(path), false) = (path, model.data.is_empty()) else {
        return input::put(py, target, &model.bytes);
    };
    let write = |raised: &Raised| {
        let saved = model.save(&path, source.as_deref(), |out, pieces| {
            let mut writer = raised.writer(out);
            pieces.iter().try_for_each(|piece| writer.write_all(piece))
        });
        saved.map(drop)
    };
    writing(py, write, |failure| failed(py, failure))
}

/// Converts a model.
pub(crate) fn write_tsm(
    input: &Arc<Input>,
    target: &Bound<'_, PyAny>,
    shapes: Vec<InputShape>,
) -> PyResult<()> {
    let py = target.py();
    let input = Arc::clone(input);
    // Elements may be in files beside the model, of any length.
    let made = detached(py, usize::MAX, move || to_tsm(&input, &shapes))?;
    let made = made.map_err(|failure| failed(py, failure))?;
    input::refuse_to_overwrite(target, &made.beside)?;
    input::put(py, target, &made.bytes)
}

/// The argument that gives these shapes, to paste.
pub(crate) fn argument(shapes: &[InputShape]) -> String {
    let shown = shapes.iter().map(|shape| {
        let sizes = shape.shape.iter().map(|size| size.unwrap_or(-1).to_string());
        let comma = if shape.shape.len() == 1 { "," } else { "" };
        let sizes = sizes.collect::<Vec<_>>().join(", ");
        format!("{}: ({sizes}{comma})", quoted(shape.name.as_deref().unwrap_or_default()))
    });
    format!("inputs={{{}}}", shown.collect::<Vec<_>>().join(", "))
}

/// A literal of Python.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|letter| match letter {
        '"' | '\\' => format!("\\{letter}"),
        letter if letter.is_control() => format!("\\U{:08x}", u32::from(letter)),
        letter => letter.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}
