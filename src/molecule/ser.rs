//! Writing: the public serializer. Knows documents, does not know what is in them.

mod compound;
mod encoder;
mod entries;
mod fields;
mod frame;
mod gathered;
mod header;
mod marking;
mod packed;
mod position;
mod sequence;
mod tuple;
mod value;

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use self::compound::Compound;
use self::encoder::Encoder;
use self::frame::Frame;
use self::position::Written;
use self::value::ValueWriter;
use super::{Error, ErrorKind, Options, Result};
use crate::error::{Fault, Segment};
use crate::glue::document::document_serializer;
use crate::io::Write;

/// Initial capacity, so that small messages never reallocate.
const LIKELY: usize = 128;

/// Writes values to `W`, each as one Molecule document, behind one another.
///
/// Headers precede what they describe, so a document is built in memory and handed over at once.
/// Use [`to_vec`](super::to_vec) or [`to_writer`](super::to_writer) unless code that is generic
/// over serializers needs one: it is implemented for `&mut Serializer`.
///
/// ```
/// use fourfold::molecule::Serializer;
/// use serde::Serialize;
///
/// let mut serializer = Serializer::new(Vec::new());
/// 7u16.serialize(&mut serializer)?;
/// assert_eq!(serializer.into_inner(), [7, 0]);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[derive(Debug)]
pub struct Serializer<W> {
    writer: W,
    encoder: Encoder,
}

impl<W> Serializer<W> {
    /// A serializer with default options.
    #[must_use]
    pub fn new(writer: W) -> Self {
        Serializer { writer, encoder: Encoder::new(&Options::new(), LIKELY) }
    }

    /// The writer, with everything that was serialized.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.writer
    }
}

/// The bytes of one document.
#[inline]
pub(super) fn to_vec<T: ?Sized + Serialize>(options: &Options, value: &T) -> Result<Vec<u8>> {
    // A type without anything to drop is most likely a number or a marked struct, which need no
    // buffer. The constant keeps the other way from being compiled.
    if const { !core::mem::needs_drop::<T>() } {
        let mut encoder = Encoder::new(options, 0);
        let written = value.serialize(root(&mut encoder))?;
        return match encoder.fixed_document(written) {
            Some(document) => Ok(document.to_vec()),
            None => encoder.finish(written),
        };
    }
    let mut encoder = Encoder::new(options, LIKELY);
    let written = value.serialize(root(&mut encoder))?;
    encoder.finish(written)
}

/// Begins a document.
#[inline]
fn root(encoder: &mut Encoder) -> ValueWriter<'_> {
    let place = encoder.start();
    ValueWriter::new(encoder, place)
}

/// Writes a finished document.
fn write_document<W: Write>(writer: &mut W, encoder: &mut Encoder, written: Written) -> Result<()> {
    let document = encoder.document(written)?;
    writer.write_all(document).map_err(|error| Error::placeless(Fault::Io(error)))
}

document_serializer!();

#[cold]
#[inline(never)]
fn dynamic(found: &'static str, place: &'static str) -> Error {
    Error::placeless(ErrorKind::DynamicItem { found, place })
}

#[cold]
#[inline(never)]
fn unlike(index: usize) -> Error {
    Error::placeless(ErrorKind::UnlikeItems { index })
}

#[cold]
#[inline(never)]
fn wrong_length(announced: usize, given: usize) -> Error {
    Error::placeless(ErrorKind::Length { announced, given })
}

/// Records the failure, since a type may ignore the error and the bytes are no document any more.
#[cold]
#[inline(never)]
fn in_item(frame: &mut Frame, error: Error, index: usize) -> Error {
    frame.failed = true;
    error.inside(Segment::Index(index))
}

/// The same for a field.
#[cold]
#[inline(never)]
fn in_field(frame: &mut Frame, error: Error, key: &'static str) -> Error {
    frame.failed = true;
    error.inside(Segment::Field(key.into()))
}

/// The same for a field without a name.
#[cold]
#[inline(never)]
fn in_slot(frame: &mut Frame, error: Error, slot: usize) -> Error {
    frame.failed = true;
    error.inside(Segment::Slot(slot))
}
