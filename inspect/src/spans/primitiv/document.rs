//! Explains the five documents.

use fourfold::primitiv::{ErrorKind, Shape};

use super::object::{float32, header, integer, name, uint32};
use crate::messagepack::Type;
use crate::spans::byte_count;
use crate::spans::walk::Walk;

/// The most dims that primitiv reads, counting 1s at the end.
const MOST_DIMS: usize = 8;

/// How many floats of a tensor are shown.
const FLOATS: usize = 8;

/// What is wrong with a batch.
type Batch = fn(u32) -> Option<ErrorKind>;

/// Any batch is fine but for 0.
pub(super) fn any_batch(batch: u32) -> Option<ErrorKind> {
    (batch == 0).then_some(ErrorKind::ZeroBatch)
}

/// A parameter's value is one tensor.
fn single(batch: u32) -> Option<ErrorKind> {
    match batch {
        1 => None,
        0 => Some(ErrorKind::ZeroBatch),
        found => Some(ErrorKind::ParameterBatch { found }),
    }
}

/// Describes a shape. `Some(None)` if it is invalid.
pub(super) fn shape(walk: &mut Walk<'_, '_>, of_batch: Batch) -> Option<Option<Shape>> {
    let shape = walk.field("dims", |walk| {
        let start = walk.offset();
        let dims = dims(walk)?;
        // An error of both is reported at the dims, before they are passed on.
        let batch = integer(walk.rest());
        let shape = dims.zip(batch).map(|(dims, batch)| Shape::new(&dims)?.with_batch(batch));
        if let Some(Err(ErrorKind::SizeOverflow)) =
            shape.as_ref().map(|shape| shape.as_ref().map_err(|error| error.kind()))
        {
            walk.note(start, ErrorKind::SizeOverflow.to_string());
        }
        Some(shape.and_then(Result::ok))
    })?;
    walk.field("batch", |walk| uint32(walk, "batch", of_batch))?;
    Some(shape)
}

fn dims(walk: &mut Walk<'_, '_>) -> Option<Option<Vec<u32>>> {
    let start = walk.offset();
    let Some(found) = header(walk, "count of dims", Type::Array)? else { return Some(None) };
    if found > MOST_DIMS {
        walk.note(start, ErrorKind::TooManyDims { found }.to_string());
    }
    let mut dims = Some(Vec::new());
    walk.items(found, |walk, _| {
        let zero = |dim| (dim == 0).then_some(ErrorKind::ZeroDim);
        match (uint32(walk, "dim", zero)?, &mut dims) {
            (Some(dim), Some(dims)) if dims.len() <= MOST_DIMS => dims.push(dim),
            _ => dims = None,
        }
        Some(())
    })?;
    Some(dims)
}

/// Explains a tensor.
pub(super) fn tensor(walk: &mut Walk<'_, '_>, of_batch: Batch) -> Option<()> {
    let shape = walk.field("shape", |walk| shape(walk, of_batch))?;
    walk.field("data", |walk| {
        let start = walk.offset();
        let Some(found) = header(walk, "length of the data", Type::Bin)? else {
            return Some(());
        };
        if let Some(shape) = shape {
            let expected = shape.bytes();
            if u64::try_from(found) != Ok(expected) {
                let kind = ErrorKind::DataLength { found, expected, shape };
                walk.note(start, kind.to_string());
            }
        }
        let bytes = walk.look(found, "data")?;
        if found > 0 {
            walk.emit(found, "data", || shown(shape.as_ref(), bytes));
        }
        Some(())
    })
}

/// A tensor on one line.
fn shown(shape: Option<&Shape>, bytes: &[u8]) -> String {
    let len = bytes.len();
    let summary = match shape {
        Some(shape) => format!("float32 {shape}, {}", byte_count(len)),
        None => byte_count(len),
    };
    let floats = bytes.chunks_exact(size_of::<f32>());
    if floats.len() > FLOATS || !floats.remainder().is_empty() {
        return summary;
    }
    let bits = floats.filter_map(|bits| bits.first_chunk());
    let floats: Vec<_> = bits.map(|bits| format!("{:?}", f32::from_le_bytes(*bits))).collect();
    format!("{summary}: {}", floats.join(", "))
}

pub(super) fn parameter(walk: &mut Walk<'_, '_>) -> Option<()> {
    walk.field("value", |walk| tensor(walk, single))?;
    walk.field("stats", |walk| {
        let count = count(walk, "count of statistics")?;
        walk.items(count, |walk, _| {
            walk.field("name", name)?;
            walk.field("value", |walk| tensor(walk, any_batch))
        })
    })
}

pub(super) fn model(walk: &mut Walk<'_, '_>) -> Option<()> {
    walk.field("parameters", |walk| {
        let count = count(walk, "count of parameters")?;
        walk.items(count, |walk, _| {
            walk.field("key", key)?;
            parameter(walk)
        })
    })
}

fn key(walk: &mut Walk<'_, '_>) -> Option<()> {
    let start = walk.offset();
    let Some(count) = header(walk, "count of segments", Type::Array)? else { return Some(()) };
    if count == 0 {
        walk.note(start, ErrorKind::EmptyKey.to_string());
    }
    walk.items(count, |walk, _| name(walk))
}

pub(super) fn optimizer(walk: &mut Walk<'_, '_>) -> Option<()> {
    let uint32 = |walk: &mut Walk<'_, '_>| uint32(walk, "config", |_| None).map(|_| ());
    walk.field("uint_configs", |walk| configs(walk, uint32))?;
    walk.field("float_configs", |walk| configs(walk, |walk| float32(walk, "config")))
}

fn configs<'de>(
    walk: &mut Walk<'de, '_>,
    mut value: impl FnMut(&mut Walk<'de, '_>) -> Option<()>,
) -> Option<()> {
    let Some(count) = header(walk, "count of configs", Type::Map)? else { return Some(()) };
    walk.items(count, |walk, _| {
        walk.field("key", name)?;
        walk.field("value", &mut value)
    })
}

/// Explains a count without a header.
fn count(walk: &mut Walk<'_, '_>, what: &'static str) -> Option<usize> {
    let count = uint32(walk, what, |_| None)??;
    Some(usize::try_from(count).unwrap_or(usize::MAX))
}
