//! The tensors of a file.

use std::borrow::Cow;
use std::collections::HashMap;

use fourfold_inspect::formats::container;
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::statistics::Summing;
use fourfold_inspect::tensors::{Container, Role, Source, Tensor, read_as};
use fourfold_inspect::write::plain::plain;
use fourfold_inspect::write::width::ends;
use serde::Serialize;

use crate::file::File;
use crate::summary::without_name;

/// Number of columns shown of a name.
const COLUMNS: usize = 200;

/// A tensor in a list.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    name: String,
    dtype: String,
    shape: Vec<usize>,
    bytes: usize,
    /// The offset of its elements, if the file contains them unchanged.
    offset: Option<usize>,
    is_weight: bool,
    has_numbers: bool,
}

/// Calls a function with the tensors of a file.
///
/// # Errors
///
/// If it has none, or cannot be read.
fn with_tensors<T>(
    file: &File,
    input: &Input,
    take: impl FnOnce(&[Tensor<'_>]) -> Result<T, String>,
) -> Result<T, String> {
    let source = source(file, input)?;
    take(&source.weights()?.tensors)
}

/// The same for one tensor.
///
/// # Errors
///
/// If there is no such tensor, or the file cannot be read.
pub(crate) fn with_tensor<T>(
    file: &File,
    input: &Input,
    index: usize,
    take: impl FnOnce(&Tensor<'_>) -> Result<T, String>,
) -> Result<T, String> {
    with_tensors(file, input, |tensors| take(tensors.get(index).ok_or("no tensor")?))
}

/// The file as a source of tensors.
pub(crate) fn source<'i>(file: &File, input: &'i Input) -> Result<Box<dyn Source + 'i>, String> {
    let found: Result<Container, _> = container(input, &file.options);
    let read = found.and_then(|container| read_as(container, input));
    read.map_err(|failure| without_name(&failure, input))
}

/// The list of all tensors.
///
/// # Errors
///
/// If the file has none, or cannot be read.
pub(crate) fn list(file: &File, input: &Input) -> Result<Vec<Listed>, String> {
    with_tensors(file, input, |tensors| {
        let listed = tensors.iter().map(|tensor| Listed {
            name: ends(&plain(&tensor.name), COLUMNS).into_owned(),
            dtype: tensor.dtype.to_string(),
            shape: tensor.shape.clone(),
            bytes: tensor.bytes.len(),
            offset: place(file, tensor),
            is_weight: tensor.role != Role::Attribute,
            has_numbers: Summing::new(tensor.dtype).is_some(),
        });
        Ok(listed.collect())
    })
}

/// The offsets of the elements of all tensors that the file contains unchanged, by their names.
pub(crate) fn places(file: &File, input: &Input) -> HashMap<String, usize> {
    let places = with_tensors(file, input, |tensors| {
        let named =
            |tensor: &Tensor<'_>| Some((plain(&tensor.name).into_owned(), place(file, tensor)?));
        Ok(tensors.iter().filter_map(named).collect())
    });
    places.unwrap_or_default()
}

/// The offset of a tensor's elements in the file.
pub(crate) fn place(file: &File, tensor: &Tensor<'_>) -> Option<usize> {
    match &tensor.bytes {
        Cow::Borrowed(bytes) => file.buffer.offset_of(bytes),
        Cow::Owned(_) => None,
    }
}
