//! Packed tensors: counts, prototypes, data.

use fourfold::tsm::{DType, ErrorKind, Prototype, Tensor};

use crate::spans::walk::Walk;
use crate::spans::{byte_count, text};

/// The bytes of a count or dim.
const NUMBER: usize = size_of::<i32>();

/// How many items of zero bytes a value may have.
const MOST_EMPTY_ITEMS: usize = 4096;

/// How many dims TenniS supports.
const MAX_DIMS: usize = 7;

/// What a packed tensor begins with.
pub(super) const COUNT: &str = "count of tensors";

/// Maximum number of dims, though TenniS supports 7. With more, the count is the error.
const BELIEVED_DIMS: usize = 64;

/// How many elements of a tensor are shown.
const ELEMENTS: usize = 8;

/// Explains a count of items. If it is beyond the input, that is an error; the items that are there
/// follow it all the same.
pub(super) fn count(walk: &mut Walk<'_, '_>, what: &'static str) -> Option<usize> {
    let found = i32::from_le_bytes(walk.look_at(what)?);
    let error = count_error(found, walk.left().saturating_sub(NUMBER));
    let error = error.map(|error| error.to_string());
    walk.emit_with(NUMBER, what, || found.to_string(), error);
    usize::try_from(found).ok()
}

/// Whether the count of items that comes next is one that the input can hold.
pub(super) fn is_count(walk: &Walk<'_, '_>) -> bool {
    let split = walk.rest().split_first_chunk();
    let error =
        |(count, rest): (&[u8; 4], &[u8])| count_error(i32::from_le_bytes(*count), rest.len());
    split.is_some_and(|split| error(split).is_none())
}

fn count_error(found: i32, left: usize) -> Option<ErrorKind> {
    match usize::try_from(found) {
        Err(_) => Some(ErrorKind::Count { found }),
        Ok(claimed) if claimed > left.saturating_add(MOST_EMPTY_ITEMS) => {
            Some(ErrorKind::CountBeyond { claimed, left })
        }
        Ok(_) => None,
    }
}

/// Explains bytes and their count.
pub(super) fn counted<'de>(
    walk: &mut Walk<'de, '_>,
    length: &'static str,
    what: &'static str,
) -> Option<&'de [u8]> {
    let found = i32::from_le_bytes(walk.look_at(length)?);
    let len = usize::try_from(found).ok();
    let error = len.is_none().then(|| ErrorKind::Count { found }.to_string());
    walk.emit_with(NUMBER, length, || found.to_string(), error);
    let bytes = walk.look(len?, what)?;
    if !bytes.is_empty() {
        walk.emit(bytes.len(), what, || text(bytes));
    }
    Some(bytes)
}

/// Explains a packed tensor. If the first of its tensors is text, returns it.
pub(super) fn packed<'de>(walk: &mut Walk<'de, '_>) -> Option<Option<&'de [u8]>> {
    let count = count(walk, COUNT)?;
    let mut first = None;
    walk.items(count, |walk, index| {
        let text = tensor(walk)?;
        if index == 0 {
            first = text;
        }
        Some(())
    })?;
    Some(first)
}

/// Explains a tensor. If it is text, returns it.
fn tensor<'de>(walk: &mut Walk<'de, '_>) -> Option<Option<&'de [u8]>> {
    let dtype = walk.field("dtype", |walk| {
        let [code] = walk.look_at("dtype")?;
        let dtype = DType::from_code(code);
        let error = match dtype {
            Some(_) => None,
            None => Some(ErrorKind::DType { code }.to_string()),
        };
        let value = || dtype.map_or_else(|| code.to_string(), |dtype| dtype.to_string());
        walk.emit_with(size_of::<u8>(), "dtype", value, error);
        Some(dtype)
    })?;
    let at = walk.offset();
    let shape = walk.field("shape", dims)?;
    let prototype = Prototype::new(dtype?, shape);
    let len = match prototype.bytes() {
        Ok(bytes) => bytes,
        Err(error) => match error.kind() {
            // The error is already reported. More dims than TenniS supports still determine the number of bytes.
            ErrorKind::NegativeDim { .. } => return None,
            ErrorKind::DimCount { .. } => size(&prototype).filter(|size| *size <= walk.left())?,
            kind => {
                walk.note(at, kind.to_string());
                return None;
            }
        },
    };
    walk.field("memory", |walk| {
        let bytes = walk.look(len, "data")?;
        let tensor = Tensor::new(prototype.clone(), bytes).ok();
        if len > 0 {
            walk.emit(len, "data", || shown(&prototype, bytes, tensor.as_ref()));
        }
        Some(tensor.is_some_and(|tensor| is_text(&tensor)).then_some(bytes))
    })
}

fn dims(walk: &mut Walk<'_, '_>) -> Option<Vec<i32>> {
    let start = walk.offset();
    let count = count(walk, "count of dims")?;
    if count > MAX_DIMS {
        walk.note(start, ErrorKind::DimCount { found: count }.to_string());
    }
    // The reader looks at one more than there may be.
    let dims = if count > BELIEVED_DIMS { MAX_DIMS + 1 } else { count };
    let mut shape = Vec::new();
    walk.items(dims, |walk, _| {
        let found = i32::from_le_bytes(walk.look_at("dim")?);
        let error = (found < 0).then(|| ErrorKind::NegativeDim { found }.to_string());
        walk.emit_with(NUMBER, "dim", || found.to_string(), error);
        shape.push(found);
        Some(())
    })?;
    (dims == count).then_some(shape)
}

/// How many bytes the elements take, however many dims there are.
fn size(prototype: &Prototype) -> Option<usize> {
    let Prototype { dtype, shape } = prototype;
    shape.iter().try_fold(dtype.size(), |size, dim| size.checked_mul(usize::try_from(*dim).ok()?))
}

/// Whether TenniS takes this for text.
fn is_text(tensor: &Tensor<'_>) -> bool {
    tensor.dtype() == DType::Char8 && tensor.shape().len() == 1
}

/// The bytes of a tensor on one line.
fn shown(prototype: &Prototype, bytes: &[u8], tensor: Option<&Tensor<'_>>) -> String {
    let Prototype { dtype, shape } = prototype;
    let summary = match shape.len() {
        0..=MAX_DIMS => format!("{dtype} {shape:?}, {}", byte_count(bytes.len())),
        dims => format!("{dtype} of {dims} dims, {}", byte_count(bytes.len())),
    };
    match tensor {
        Some(tensor) if is_text(tensor) => format!("{summary}: {}", text(bytes)),
        Some(tensor) if tensor.count() <= ELEMENTS => match elements(tensor) {
            Some(elements) => format!("{summary}: {}", elements.join(", ")),
            None => summary,
        },
        _ => summary,
    }
}

/// The elements of a small tensor, if they are numbers that Rust has.
fn elements(tensor: &Tensor<'_>) -> Option<Vec<String>> {
    macro_rules! listed {
        ($type:ty) => {
            tensor.values::<$type>().ok()?.iter().map(|value| format!("{value:?}")).collect()
        };
    }
    Some(match tensor.dtype() {
        DType::Float32 => listed!(f32),
        DType::Float64 => listed!(f64),
        _ => tensor.integers().ok()?.iter().map(i64::to_string).collect(),
    })
}
