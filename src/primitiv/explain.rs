//! What each byte of a file is. Knows the header, not what it holds.

mod document;
mod object;

use alloc::format;
use alloc::string::ToString as _;
use alloc::vec::Vec;

use self::document::any_batch;
use self::object::{objects, uint32};
use super::wire::VERSION;
use super::{DataType, ErrorKind, File};
use crate::explain::Span;
use crate::walk::Walk;

/// What each byte of a file is: every number, header, name and tensor a [`Span`] of its own.
///
/// Of any input, damaged or not. A span has a fault if and only if [`File::from_slice`] refuses the
/// input, and the first one that has begins at the byte that the error names. An object of a wrong
/// type is stepped over, as MessagePack tells where it ends. What follows an unknown data type, or
/// a count that is none, is told object by object; what has another version as well is `not read`.
///
/// # Examples
///
/// ```
/// use fourfold::primitiv::{File, Shape, explain};
///
/// let bytes = File::from(Shape::new(&[3])?).to_vec()?;
/// let lines = |bytes: &[u8]| -> Vec<String> {
///     let spans = explain(bytes).into_iter();
///     spans
///         .map(|s| format!("{:?} {} {}: {}", s.range, s.place, s.what, s.fault.unwrap_or(s.value)))
///         .collect()
/// };
/// assert_eq!(
///     lines(&bytes),
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
///     lines(&bytes[..25])[5..],
///     [
///         "21..22 batch batch: marker of uint32 (0xce)",
///         "22..25 batch batch: input ends early: 4 bytes needed, 3 left",
///     ],
/// );
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[must_use]
pub fn explain(bytes: &[u8]) -> Vec<Span> {
    let mut walk = Walk::new(bytes);
    file(&mut walk);
    walk.finish(File::from_slice(bytes).err().as_ref())
}

fn file(walk: &mut Walk<'_>) -> Option<()> {
    let is_known = walk.field("version", version)?;
    let told = match walk.field("data_type", data_type)? {
        Some(DataType::Shape) => document::shape(walk, any_batch).map(|_| ()),
        Some(DataType::Tensor) => document::tensor(walk, any_batch),
        Some(DataType::Parameter) => document::parameter(walk),
        Some(DataType::Model) => document::model(walk),
        Some(DataType::Optimizer) => document::optimizer(walk),
        None if is_known => None,
        // Nothing says that this is such a file at all.
        None => return None,
    };
    match told {
        Some(()) => walk.trailing(),
        None => objects(walk),
    }
    Some(())
}

/// Tells of the version, and whether it is the one that there is.
fn version(walk: &mut Walk<'_>) -> Option<bool> {
    let first = walk.offset();
    let major = uint32(walk, "major version", |_| None)?;
    let second = walk.offset();
    let minor = uint32(walk, "minor version", |_| None)?;
    let (Some(major), Some(minor)) = (major, minor) else { return Some(false) };
    let is_known = [major, minor] == VERSION;
    if !is_known {
        let offset = if VERSION.first() == Some(&major) { second } else { first };
        walk.remark(offset, ErrorKind::Version { major, minor }.to_string());
    }
    Some(is_known)
}

/// Tells of the data type. `Some(None)` if there is none of that number.
fn data_type(walk: &mut Walk<'_>) -> Option<Option<DataType>> {
    let what = "data type";
    let Some([_, number @ ..]) = object::fixed(walk, what, object::UINT32)? else {
        return Some(None);
    };
    let found = u32::from_be_bytes(number);
    let which = DataType::from_number(found);
    let (value, fault) = match which {
        Some(which) => (format!("uint32 {found:#x}, {which}"), None),
        None => {
            let fault = ErrorKind::DataType { found }.to_string();
            (format!("uint32 {found:#x}"), Some(fault))
        }
    };
    walk.tell_with(object::FIXED_SIZE, what, value, fault);
    Some(which)
}
