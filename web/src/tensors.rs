//! The tensors of a file: a list, and the statistics of each.

use std::borrow::Cow;

use fourfold_inspect::formats::container;
use fourfold_inspect::input::Input;
use fourfold_inspect::tensors::statistics::{Counting, Histogram, Statistics, Summing};
use fourfold_inspect::tensors::{Container, Role, Source, Tensor, read_as};
use fourfold_inspect::write::listing::brackets;
use fourfold_inspect::write::plain::plain;
use fourfold_inspect::write::width::ends;
use serde::Serialize;

use crate::file::File;
use crate::source::{PIECE, number, read_at};
use crate::summary::without_name;

/// Number of columns shown of a name.
const COLUMNS: usize = 200;

/// A tensor in a list.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    name: String,
    dtype: String,
    shape: String,
    bytes: usize,
    /// The offset of its elements, if the file contains them unchanged.
    offset: Option<usize>,
    is_weight: bool,
    has_numbers: bool,
}

/// A tensor's statistics, and its first elements.
#[derive(Debug, Serialize)]
pub(crate) struct Numbers {
    statistics: Statistics,
    histogram: Option<Histogram>,
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
        let listed = tensors.iter().map(|tensor| {
            let shape: Vec<i64> =
                tensor.shape.iter().map(|size| i64::try_from(*size).unwrap_or(-1)).collect();
            Listed {
                name: ends(&plain(&tensor.name), COLUMNS).into_owned(),
                dtype: tensor.dtype.to_string(),
                shape: brackets(&shape, usize::MAX),
                bytes: tensor.bytes.len(),
                offset: place(file, tensor),
                is_weight: tensor.role != Role::Attribute,
                has_numbers: Summing::new(tensor.dtype).is_some(),
            }
        });
        Ok(listed.collect())
    })
}

/// The statistics of a tensor. The elements are read from the file piece by piece.
///
/// # Errors
///
/// If there is no such tensor, its elements are not numbers, or they cannot be read.
pub(crate) fn numbers(file: &File, input: &Input, index: usize) -> Result<Numbers, String> {
    with_tensors(file, input, |tensors| {
        let tensor = tensors.get(index).ok_or("no tensor")?;
        let mut summing = Summing::new(tensor.dtype).ok_or("no numbers")?;
        pieces(file, tensor, 0, |piece| summing.add(piece))?;
        let statistics = summing.finish();
        let mut counting = Counting::new(tensor.dtype, &statistics);
        if let Some(counting) = &mut counting {
            pieces(file, tensor, tensor.bytes.len(), |piece| counting.add(piece))?;
        }
        Ok(Numbers { statistics, histogram: counting.map(Counting::finish) })
    })
}

/// The offset of a tensor's elements in the file.
fn place(file: &File, tensor: &Tensor<'_>) -> Option<usize> {
    match &tensor.bytes {
        Cow::Borrowed(bytes) => file.buffer.offset_of(bytes),
        Cow::Owned(_) => None,
    }
}

/// Calls `take` with the elements, piece by piece, read from the file, since they may not be in memory. `before` is
/// the number of bytes of an earlier pass, for the progress.
fn pieces(
    file: &File,
    tensor: &Tensor<'_>,
    before: usize,
    mut take: impl FnMut(&[u8]),
) -> Result<(), String> {
    let Some(start) = place(file, tensor) else {
        tensor.bytes.chunks(PIECE).for_each(take);
        return Ok(());
    };
    let all = tensor.bytes.len();
    let mut piece = vec![0; PIECE.min(all)];
    for done in (0..all).step_by(PIECE) {
        let Some(piece) = piece.get_mut(..PIECE.min(all - done)) else { break };
        let offset = u64::try_from(start + done).unwrap_or(u64::MAX);
        read_at(&file.reader, offset, piece).map_err(|error| error.to_string())?;
        take(piece);
        file.reader.reached(number(before + done + piece.len()), number(all) * 2.0);
    }
    Ok(())
}
