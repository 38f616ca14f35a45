//! Writing: the serializer that users see.

mod compound;
mod encoder;
mod output;

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use self::compound::Compound;
use self::encoder::Encoder;
use self::output::{Output, Stream};
use super::{Error, Options, Result};
use crate::io::Write;

/// Writes concatenated values to `W`, forward and without a buffer of its own.
///
/// Use [`to_vec`](super::to_vec) or [`to_writer`](super::to_writer) unless code that is generic
/// over serializers needs one: it is implemented for `&mut Serializer`. After an error, the writer
/// holds a part of a value; the next value is written after it.
///
/// ```
/// use fourfold::primitiv::Serializer;
/// use serde::Serialize;
///
/// let mut serializer = Serializer::new(Vec::new());
/// 7u32.serialize(&mut serializer)?;
/// true.serialize(&mut serializer)?;
/// assert_eq!(serializer.into_inner(), [0xce, 0, 0, 0, 7, 0xc3]);
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[derive(Debug)]
pub struct Serializer<W> {
    encoder: Encoder<Stream<W>>,
}

impl<W> Serializer<W> {
    /// A serializer with default options.
    #[must_use]
    pub fn new(writer: W) -> Self {
        Serializer { encoder: Encoder::new(&Options::new(), Stream::new(writer)) }
    }

    /// The writer, with everything that was serialized.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.encoder.writer.writer
    }
}

/// The bytes of one value.
#[inline]
pub(super) fn to_vec<T: ?Sized + Serialize>(options: &Options, value: &T) -> Result<Vec<u8>> {
    let mut encoder = begin(options);
    match value.serialize(&mut encoder) {
        Ok(()) => Ok(encoder.writer.finish()),
        Err(error) => Err(error),
    }
}

#[inline(never)]
fn begin(options: &Options) -> Encoder<Output> {
    Encoder::new(options, Output::default())
}

/// Writes one value. Small pieces are gathered, large ones go straight through.
#[cfg(feature = "std")]
pub(super) fn to_writer<W: Write, T: ?Sized + Serialize>(
    options: &Options,
    writer: W,
    value: &T,
) -> Result<()> {
    crate::glue::document::gathered(writer, |writer| {
        value.serialize(&mut Encoder::new(options, Stream::new(writer)))
    })
}

crate::glue::document::stream_serializer!();
