//! primitiv: the five files.

mod document;
mod object;

use fourfold::primitiv::{DataType, ErrorKind, File, Version};

use self::document::any_batch;
use self::object::{UINT32, objects, uint32};
use super::walk::Walk;
use super::{Each, Spans};

/// Explains a file: every number, header, name and tensor is a [`Span`](super::Span) of its own.
///
/// A span has an error if and only if [`File::from_slice`] refuses the input, and the first one begins at the byte that the
/// error names. An object of a wrong type is skipped, since MessagePack shows where it ends. What follows an unknown data
/// type or an invalid count is shown object by object; if the version is wrong as well, it is `not read`.
///
/// The reader's errors are used if there are at most 2<sup>20</sup> values, and if anything is wrong, at most
/// 2<sup>20</sup> bytes. Beyond that, errors are those that the walk finds itself, without conflicts of two keys of a model.
///
/// ```
/// use fourfold::primitiv::{File, Shape};
/// use fourfold_inspect::spans::{all, primitiv};
///
/// let bytes = File::from(Shape::new(&[3])?).to_vec()?;
/// let lines = |bytes: &[u8], path: &str| -> Vec<String> {
///     let spans = all(|each| primitiv::explain(bytes, path, each)).into_iter();
///     spans
///         .map(|s| format!("{:?} {} {}: {}", s.range, s.place, s.what, s.error.unwrap_or(s.value)))
///         .collect()
/// };
/// assert_eq!(
///     lines(&bytes, ""),
///     [
///         "0..5 version major version: uint32 0",
///         "5..10 version minor version: uint32 1",
///         "10..15 data_type data type: uint32 0x0, Shape",
///         "15..16 dims count of dims: array of 1",
///         "16..21 dims[0] dim: uint32 3",
///         "21..26 batch batch: uint32 1",
///     ],
/// );
/// assert_eq!(
///     lines(&bytes[..25], "batch"),
///     [
///         "21..22 batch batch: marker of uint32 (0xce)",
///         "22..25 batch batch: input ends early: 4 bytes needed, 3 left",
///     ],
/// );
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
pub fn explain(bytes: &[u8], path: &str, each: &mut Each<'_>) {
    let mut looking = Walk::looking(bytes);
    file(&mut looking);
    let mut walk = Walk::new(bytes, Spans::new(path, each));
    if looking.seen().is_for_readers() {
        walk.judge(File::from_slice(bytes).err().as_ref(), Vec::new());
    }
    file(&mut walk);
    walk.finish();
}

fn file(walk: &mut Walk<'_, '_>) -> Option<()> {
    let is_known = walk.field("version", version)?;
    let kind = match walk.field("data_type", data_type)? {
        Some(DataType::Shape) => document::shape(walk, any_batch).map(|_| ()),
        Some(DataType::Tensor) => document::tensor(walk, any_batch),
        Some(DataType::Parameter) => document::parameter(walk),
        Some(DataType::Model) => document::model(walk),
        Some(DataType::Optimizer) => document::optimizer(walk),
        None if is_known => None,
        // Nothing shows that this is such a file at all.
        None => return None,
    };
    match kind {
        Some(()) => walk.trailing(),
        None => objects(walk),
    }
    Some(())
}

/// Describes the version, and whether it is the known one.
fn version(walk: &mut Walk<'_, '_>) -> Option<bool> {
    let first = walk.offset();
    let major = uint32(walk, "major version", |_| None)?;
    let second = walk.offset();
    let minor = uint32(walk, "minor version", |_| None)?;
    let (Some(major), Some(minor)) = (major, minor) else { return Some(false) };
    let known = Version::default();
    let is_known = Version { major, minor } == known;
    if !is_known {
        let offset = if major == known.major { second } else { first };
        walk.note(offset, ErrorKind::Version { major, minor }.to_string());
    }
    Some(is_known)
}

/// Describes the data type. `Some(None)` if its number is unknown.
fn data_type(walk: &mut Walk<'_, '_>) -> Option<Option<DataType>> {
    let what = "data type";
    let Some(number) = object::fixed(walk, what, UINT32)? else {
        return Some(None);
    };
    let found = u32::from_be_bytes(number);
    let which = DataType::from_number(found);
    let value = || match which {
        Some(which) => format!("uint32 {found:#x}, {which}"),
        None => format!("uint32 {found:#x}"),
    };
    let error = match which {
        Some(_) => None,
        None => Some(ErrorKind::DataType { found }.to_string()),
    };
    walk.emit_with(object::FIXED_SIZE, what, value, error);
    Some(which)
}
