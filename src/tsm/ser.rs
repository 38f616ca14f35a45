//! Writing: the serializer that users see.

mod compound;
mod encoder;
mod items;
mod output;
mod raw;

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use self::compound::Compound;
use self::encoder::Encoder;
use self::output::Stream;
use super::{Error, Options, Result};
use crate::buffer::Buffer;
use crate::io::Write;

/// Writes concatenated values to `W`.
///
/// Every number is written by itself, so that a file wants a `BufWriter` around it. What was written
/// before an error stays written. Use
/// [`to_vec`](super::to_vec) or [`to_writer`](super::to_writer) unless code that is generic over
/// serializers needs one: it is implemented for `&mut Serializer`.
///
/// ```
/// use fourfold::tsm::Serializer;
/// use serde::Serialize;
///
/// let mut serializer = Serializer::new(Vec::new());
/// 7u16.serialize(&mut serializer)?;
/// true.serialize(&mut serializer)?;
/// assert_eq!(serializer.into_inner(), [7, 0, 1]);
/// # Ok::<(), fourfold::tsm::Error>(())
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
        self.encoder.out.into_inner()
    }
}

/// The bytes of one value.
#[inline]
pub(super) fn to_vec<T: ?Sized + Serialize>(options: &Options, value: &T) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new(options, Buffer::new());
    let end = encoder.begin_value().put_value(value)?;
    Ok(encoder.out.finish(end))
}

/// Writes one value to a stream.
#[cfg(feature = "std")]
#[inline]
pub(super) fn to_writer<W: Write, T: ?Sized + Serialize>(
    options: &Options,
    writer: W,
    value: &T,
) -> Result<()> {
    crate::glue::document::gathered(writer, |writer| {
        let mut encoder = Encoder::new(options, Stream::new(writer));
        encoder.begin_value().put_value(value).map(drop)
    })
}

crate::glue::document::stream_serializer!();
