//! Errors of the documents with their exact kind and offset. Knows the documents, not who reads them.
//!
//! Code that is generic over formats can refuse a value only with a text. So documents that have rules of
//! their own stand in newtype structs with reserved names: if one fails with such a text, its bytes are
//! looked at once more for the exact error. Where a module is known to be one, this is not needed:
//! [`Module::from_slice`](super::Module::from_slice) checks what it has read.

use super::wire::{COUNT_SIZE, DTYPE_SIZE, INDEX_SIZE, MAX_DIMS};
use super::{DType, Error, ErrorKind, Prototype, module};
use crate::error::{Fault, Segment};
use crate::read::Reader;

/// The name around a [`Prototype`].
pub(super) const PROTOTYPE: &str = "fourfold.tsm.prototype";

/// The name around a [`Tensor`](super::Tensor), which begins as its prototype does.
pub(super) const TENSOR: &str = "fourfold.tsm.tensor";

/// The name around a [`Module`](super::Module).
pub(super) const MODULE: &str = "fourfold.tsm.module";

/// Says otherwise why the newtype struct of that name, which begins at `start`, was refused.
#[cold]
pub(super) fn reason(name: &'static str, start: Reader<'_>, error: Error) -> Error {
    if !matches!(error.kind(), ErrorKind::Fault(Fault::Message(_))) {
        return error;
    }
    let mut rest = start;
    let found = match (name, rest.take::<ErrorKind>(start.left())) {
        (PROTOTYPE | TENSOR, Ok(bytes)) => prototype(bytes),
        (MODULE, Ok(bytes)) => module::reason(bytes),
        _ => None,
    };
    match found {
        Some(found) => found.moved(start.offset()),
        None => error,
    }
}

/// Why the prototype at the start of `bytes` was refused.
fn prototype(bytes: &[u8]) -> Option<Error> {
    let mut reader = Reader::new(bytes, 0);
    let [code] = reader.take_array::<DTYPE_SIZE, ErrorKind>().ok()?;
    let Some(dtype) = DType::from_code(code) else {
        let error = Error::at(ErrorKind::DType { code }, 0);
        return Some(error.inside(Segment::Field("dtype".into())));
    };
    let in_shape = |error: Error| Some(error.inside(Segment::Field("shape".into())));
    let count = u32::from_le_bytes(reader.take_array::<COUNT_SIZE, ErrorKind>().ok()?);
    let found = usize::try_from(count).ok()?;
    if found > MAX_DIMS {
        return in_shape(Error::at(ErrorKind::DimCount { found }, DTYPE_SIZE));
    }
    let mut shape = alloc::vec::Vec::new();
    for position in 0..found {
        let offset = reader.offset();
        let found = i32::from_le_bytes(reader.take_array::<INDEX_SIZE, ErrorKind>().ok()?);
        if found < 0 {
            let error = Error::at(ErrorKind::NegativeDim { found }, offset);
            return in_shape(error.inside(Segment::Index(position)));
        }
        shape.push(found);
    }
    let kind = Prototype { dtype, shape }.measure().err()?;
    in_shape(Error::at(kind, DTYPE_SIZE))
}
