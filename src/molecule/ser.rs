//! Writing: the serializer that users see. Knows documents, does not know their insides.

mod compound;
mod encoder;
mod entries;
mod fields;
mod header;
mod marked;
mod probe;
mod room;
mod sequence;
mod tuple;
mod window;

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use self::compound::Compound;
use self::encoder::{Cursor, Encoder, Written};
use super::{Error, ErrorKind, Options, Result};
use crate::document::document_serializer;
use crate::error::{Fault, Segment};
use crate::io::Write;

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
        Serializer { writer, encoder: Encoder::new(&Options::new()) }
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
    if let Some(document) = window::document(options, value) {
        return Ok(document);
    }
    let mut encoder = Encoder::new(options);
    let written = value.serialize(encoder.start())?;
    encoder.finish(written)
}

/// Begins a document.
fn root(encoder: &mut Encoder) -> Cursor<'_> {
    encoder.restart();
    encoder.start()
}

/// Hands a finished document over.
fn write_document<W: Write>(writer: &mut W, encoder: &mut Encoder, written: Written) -> Result<()> {
    let document = encoder.document(written)?;
    writer.write_all(document).map_err(|error| Error::placeless(Fault::Io(error)))
}

document_serializer!();

#[inline(always)]
fn refuse_in_packed(encoder: &Encoder, found: &'static str) -> Result<()> {
    match encoder.packs {
        true => Err(dynamic(found, "a struct or marked fixvec")),
        false => Ok(()),
    }
}

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

/// Also where the type goes on without the item: what was written is no document any more.
#[cold]
#[inline(never)]
fn in_item(encoder: &mut Encoder, error: Error, index: usize) -> Error {
    encoder.failed = true;
    error.inside(Segment::Index(index))
}
