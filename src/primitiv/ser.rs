//! Writing: the serializer that users see.

mod compound;
mod encoder;
mod output;

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use self::encoder::{Encoder, Named};
use self::output::{Output, Stream};
use super::{Error, Options, Result};
#[cfg(feature = "std")]
use crate::error::Fault;
use crate::glue::document::{document_of_entries, document_of_fields, document_of_items};
use crate::io::Write;
use crate::limits::DepthMeter;

/// Writes values to `W`, one after another, forward and without a buffer of its own.
///
/// Use [`to_vec`](super::to_vec) or [`to_writer`](super::to_writer) unless code that is generic
/// over serializers needs one: it is implemented for `&mut Serializer`. After an error, the writer
/// holds a part of a value; the next value is written behind it.
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
    /// What every value begins with.
    depth: DepthMeter,
}

impl<W> Serializer<W> {
    /// A serializer with default options.
    #[must_use]
    pub fn new(writer: W) -> Self {
        let encoder = Encoder::new(&Options::new(), Stream::new(writer));
        Serializer { depth: encoder.depth, encoder }
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
    let mut encoder = Encoder::new(options, Output::default());
    value.serialize(&mut encoder)?;
    Ok(encoder.writer.finish())
}

/// Writes one value. Small pieces are gathered, large ones go straight through.
#[cfg(feature = "std")]
pub(super) fn to_writer<W: Write, T: ?Sized + Serialize>(
    options: &Options,
    writer: W,
    value: &T,
) -> Result<()> {
    let writer = std::io::BufWriter::new(writer);
    let mut encoder = Encoder::new(options, Stream::new(writer));
    match value.serialize(&mut encoder) {
        Ok(()) => encoder.writer.writer.flush().map_err(|error| Error::placeless(Fault::Io(error))),
        Err(error) => {
            // What is still gathered makes no value.
            drop(encoder.writer.writer.into_parts());
            Err(error)
        }
    }
}

/// Serializer methods, by what they take: a plain value, one around another, parts.
macro_rules! outermost {
    ($(of $of:ident($($of_value:ident: $of_type:ty),*))*
     $(around $around:ident($($around_value:ident: $around_type:ty),*))*
     $(with $with:ident($($with_value:ident: $with_type:ty),*) $compound:ident)*) => {
        $(
            #[inline]
            fn $of(self, $($of_value: $of_type),*) -> Result<()> {
                self.encoder.restart(self.depth);
                (&mut self.encoder).$of($($of_value),*)
            }
        )*
        $(
            #[inline]
            fn $around<T: ?Sized + Serialize>(
                self,
                $($around_value: $around_type,)*
                inner: &T,
            ) -> Result<()> {
                self.encoder.restart(self.depth);
                (&mut self.encoder).$around($($around_value,)* inner)
            }
        )*
        $(
            #[inline]
            fn $with(self, $($with_value: $with_type),*) -> Result<Self::$compound> {
                self.encoder.restart(self.depth);
                let compound = (&mut self.encoder).$with($($with_value),*)?;
                Ok(Document { compound: compound.into() })
            }
        )*
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

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// A value that has parts.
#[derive(Debug)]
pub struct Document<'a, W> {
    compound: Named<'a, Stream<W>>,
}

impl<'a, W: Write> Document<'a, W> {
    fn hand_over(self, end: fn(Named<'a, Stream<W>>) -> Result<()>) -> Result<()> {
        end(self.compound)
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
