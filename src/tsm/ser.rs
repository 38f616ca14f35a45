//! Writing: the serializer that users see. Knows where documents begin, not their insides.

mod compound;
mod encoder;
mod fixed;
mod items;
mod output;
mod raw;
mod slice;

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use self::encoder::{Encoder, Named};
use self::output::Stream;
use super::{Error, Options, Result};
use crate::fast::FAST_WRITE;
use crate::fast::buffer::{self, Buffer};
use crate::glue::document::{document_of_entries, document_of_fields, document_of_items};
use crate::io::Write;
use crate::limits::Depth;

/// Writes values to `W`, one behind the other.
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
    if FAST_WRITE && fixed::is_for(value) && fixed::fits(Depth::new(options.max_depth)) {
        let message = buffer::message(size_of_val(value), |slice| fixed::write(slice, value));
        if let Some(message) = message {
            return Ok(message);
        }
    }
    let mut encoder = Encoder::new(options, Buffer::new());
    let end = value.serialize(encoder.begin())?;
    Ok(encoder.out.finish(end))
}

/// From so many bytes on, memory is taken for just as many as there are.
const LARGE: usize = 1 << 16;

/// The bytes of a document, which are known to be so many.
pub(super) fn to_vec_of_size<T: Serialize>(size: usize, document: &T) -> Result<Vec<u8>> {
    if size < LARGE {
        return to_vec(&Options::new(), document);
    }
    let mut serializer = Serializer::new(Vec::with_capacity(size));
    document.serialize(&mut serializer)?;
    Ok(serializer.into_inner())
}

/// Writes one value to a stream.
#[cfg(feature = "std")]
#[inline]
pub(super) fn to_writer<W: Write, T: ?Sized + Serialize>(
    options: &Options,
    writer: W,
    value: &T,
) -> Result<()> {
    let gathered = std::io::BufWriter::new(writer);
    let mut encoder = Encoder::new(options, Stream::new(gathered));
    value.serialize(encoder.begin())?;
    match encoder.out.into_inner().into_inner() {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::placeless(crate::error::Fault::Io(error.into_error()))),
    }
}

/// Methods of the outermost value, by what they take: a plain value, one around another, parts.
macro_rules! outermost {
    ($(of $of:ident($($of_value:ident: $of_type:ty),*))*
     $(around $around:ident($($around_value:ident: $around_type:ty),*))*
     $(with $with:ident($($with_value:ident: $with_type:ty),*) $compound:ident)*) => {
        $(#[inline]
        fn $of(self, $($of_value: $of_type),*) -> Result<()> {
            self.encoder.begin().$of($($of_value),*).map(drop)
        })*
        $(#[inline]
        fn $around<T: ?Sized + Serialize>(
            self,
            $($around_value: $around_type,)*
            inner: &T,
        ) -> Result<()> {
            self.encoder.begin().$around($($around_value,)* inner).map(drop)
        })*
        $(#[inline]
        fn $with(self, $($with_value: $with_type),*) -> Result<Self::$compound> {
            let compound = self.encoder.begin().$with($($with_value),*)?;
            Ok(Document { compound: compound.into() })
        })*
    };
}

impl<'a, W: Write> ser::Serializer for &'a mut Serializer<W> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Document<'a, W>;
    type SerializeTuple = Document<'a, W>;
    type SerializeTupleStruct = Document<'a, W>;
    type SerializeTupleVariant = Document<'a, W>;
    type SerializeMap = Document<'a, W>;
    type SerializeStruct = Document<'a, W>;
    type SerializeStructVariant = Document<'a, W>;

    crate::glue::macros::for_each_serialize_method!(outermost);

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The outermost value, if it has parts.
#[derive(Debug)]
pub struct Document<'a, W> {
    compound: Named<'a, Stream<W>>,
}

impl<'a, W: Write> Document<'a, W> {
    fn hand_over(self, end: fn(Named<'a, Stream<W>>) -> Result<usize>) -> Result<()> {
        end(self.compound).map(drop)
    }
}

document_of_items! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

document_of_fields! { SerializeStruct SerializeStructVariant }

document_of_entries! {}
