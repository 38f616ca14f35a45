//! Writing: the serializer that users see. Knows documents, does not know their insides.

mod adjacent;
mod compound;
mod encoder;
mod fields;
mod length_slot;
mod marked;
mod output;
mod prefix;
mod raw;
mod sharing;
mod table;
mod value;
mod vint;
mod written;

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use self::encoder::Encoder;
use self::prefix::Prefix;
use self::value::Value;
use self::written::Written;
use super::{Error, Options, Result};
use crate::error::Fault;
use crate::glue::document::document_serializer;
use crate::io::Write;

/// Writes values to `W`, one behind the other.
///
/// A value is built in memory and handed over at once, since how many fields a record has may
/// show late. Use [`to_vec`](super::to_vec) or [`to_writer`](super::to_writer) unless code that is
/// generic over serializers needs one: it is implemented for `&mut Serializer`.
///
/// ```
/// use fourfold::biniou::Serializer;
/// use serde::Serialize;
///
/// let mut serializer = Serializer::new(Vec::new());
/// 7u16.serialize(&mut serializer)?;
/// true.serialize(&mut serializer)?;
/// assert_eq!(serializer.into_inner(), [16, 7, 0, 1]);
/// # Ok::<(), fourfold::biniou::Error>(())
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

/// The bytes of one value.
#[inline]
pub(super) fn to_vec<T: ?Sized + Serialize>(options: &Options, value: &T) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new(options);
    encoder.put(value)?;
    encoder.take_document()
}

/// Completes a document and hands it over.
fn write_document<W: Write>(writer: &mut W, encoder: &mut Encoder, _: Written) -> Result<()> {
    encoder.complete()?;
    writer.write_all(encoder.document()).map_err(|error| Error::placeless(Fault::Io(error)))
}

/// Begins a document.
fn root(encoder: &mut Encoder) -> Value<'_, false> {
    encoder.begin();
    Value::new(encoder, Prefix::TAGGED)
}

/// An outermost value whose items, fields or entries are being written.
type Compound<'a> = compound::Compound<'a, false>;

document_serializer!();
