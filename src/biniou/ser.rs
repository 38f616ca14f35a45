//! Serializes values to biniou: the public serializer, and the writer of one message.
//!
//! Each value is serialized once, into one buffer (`encoder`). `value` writes it after its prefix, the
//! tag and perhaps a field's key (`prefix`); `compound` writes what is inside. Lengths, the tag of an
//! ARRAY and the distances of references are corrected where they were not known in time
//! (`length_slot`, `sharing`).
//!
//! `inline(always)` is on the methods of serde's traits and on what they call for every value: prefixes
//! and hashes of names are constants in the caller, and without it they are computed for every value.
//! Not with debug assertions, where the frames of inlined calls add up until deep values overflow the
//! stack.

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
use crate::error::CommonKind;
use crate::glue::document::document_serializer;
use crate::io::Write;

/// Writes concatenated values to `W`.
///
/// A value is built in memory and written at once, since the number of fields of a record may not be
/// known before its end. Use [`to_vec`](super::to_vec) or [`to_writer`](super::to_writer) unless code that is
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

    /// Returns the writer, to which all values are written.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.writer
    }
}

/// The bytes of one message.
#[inline]
pub(super) fn to_vec<T: ?Sized + Serialize>(options: &Options, value: &T) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new(options);
    encoder.put(value)?;
    encoder.take_document()
}

/// Completes a message and writes it to the writer.
fn write_document<W: Write>(writer: &mut W, encoder: &mut Encoder, _: Written) -> Result<()> {
    encoder.complete()?;
    writer.write_all(encoder.document()).map_err(|error| Error::placeless(CommonKind::Io(error)))
}

/// Begins a message.
fn root(encoder: &mut Encoder) -> Value<'_, false> {
    encoder.begin();
    Value::new(encoder, Prefix::TAGGED)
}

/// An outermost value whose items, fields or entries are being written.
type Compound<'a> = compound::Compound<'a, false>;

document_serializer!();
