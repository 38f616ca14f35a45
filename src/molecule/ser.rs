//! Writing: the serializer that users see. Knows documents, does not know their insides.

mod compound;
mod encoder;
mod entry;
mod marked;
mod probe;

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use self::compound::Compound;
pub(super) use self::encoder::Encoder;
use super::{Error, Options, Result};
use crate::error::Fault;
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
    let mut encoder = Encoder::new(options);
    value.serialize(&mut encoder)?;
    encoder.finish()
}

/// Hands a finished document over.
fn write_document<W: Write>(writer: &mut W, encoder: &mut Encoder) -> Result<()> {
    let written = writer.write_all(encoder.document()?);
    encoder.reset();
    written.map_err(|error| Error::placeless(Fault::Io(error)))
}

/// Serializer methods that take one plain value.
macro_rules! document_of {
    ($($method:ident($($value:ident: $type:ty),*))*) => {$(
        fn $method(self, $($value: $type),*) -> Result<()> {
            self.encoder.reset();
            (&mut self.encoder).$method($($value),*)?;
            write_document(&mut self.writer, &mut self.encoder)
        }
    )*};
}

/// Serializer methods that take another value.
macro_rules! document_around {
    ($($method:ident($($value:ident: $type:ty),*))*) => {$(
        fn $method<T: ?Sized + Serialize>(self, $($value: $type,)* inner: &T) -> Result<()> {
            self.encoder.reset();
            (&mut self.encoder).$method($($value,)* inner)?;
            write_document(&mut self.writer, &mut self.encoder)
        }
    )*};
}

/// Serializer methods that start a compound value.
macro_rules! document_with {
    ($($method:ident($($value:ident: $type:ty),*))*) => {$(
        fn $method(self, $($value: $type),*) -> Result<Document<'a, W>> {
            self.encoder.reset();
            let compound = (&mut self.encoder).$method($($value),*)?;
            Ok(Document { writer: &mut self.writer, compound })
        }
    )*};
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

    document_of! {
        serialize_bool(v: bool)
        serialize_i8(v: i8) serialize_i16(v: i16) serialize_i32(v: i32)
        serialize_i64(v: i64) serialize_i128(v: i128)
        serialize_u8(v: u8) serialize_u16(v: u16) serialize_u32(v: u32)
        serialize_u64(v: u64) serialize_u128(v: u128)
        serialize_f32(v: f32) serialize_f64(v: f64) serialize_char(v: char)
        serialize_str(v: &str) serialize_bytes(v: &[u8])
        serialize_none() serialize_unit() serialize_unit_struct(name: &'static str)
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str)
    }

    document_around! {
        serialize_some()
        serialize_newtype_struct(name: &'static str)
        serialize_newtype_variant(name: &'static str, index: u32, variant: &'static str)
    }

    document_with! {
        serialize_seq(len: Option<usize>)
        serialize_tuple(len: usize)
        serialize_tuple_struct(name: &'static str, len: usize)
        serialize_tuple_variant(
            name: &'static str, index: u32, variant: &'static str, len: usize
        )
        serialize_map(len: Option<usize>)
        serialize_struct(name: &'static str, len: usize)
        serialize_struct_variant(
            name: &'static str, index: u32, variant: &'static str, len: usize
        )
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// A document whose outermost value has parts.
#[derive(Debug)]
pub struct Document<'a, W> {
    writer: &'a mut W,
    compound: Compound<'a>,
}

impl<W: Write> Document<'_, W> {
    fn hand_over(self) -> Result<()> {
        write_document(self.writer, self.compound.close()?)
    }
}

/// The traits whose items have no names.
macro_rules! document_of_items {
    ($($trait:ident $method:ident,)*) => {$(
        impl<W: Write> ser::$trait for Document<'_, W> {
            type Ok = ();
            type Error = Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                ser::$trait::$method(&mut self.compound, value)
            }

            fn end(self) -> Result<()> {
                self.hand_over()
            }
        }
    )*};
}

document_of_items! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

/// The traits whose items have names.
macro_rules! document_of_fields {
    ($($trait:ident)*) => {$(
        impl<W: Write> ser::$trait for Document<'_, W> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                ser::$trait::serialize_field(&mut self.compound, key, value)
            }

            fn skip_field(&mut self, key: &'static str) -> Result<()> {
                ser::$trait::skip_field(&mut self.compound, key)
            }

            fn end(self) -> Result<()> {
                self.hand_over()
            }
        }
    )*};
}

document_of_fields! { SerializeStruct SerializeStructVariant }

impl<W: Write> ser::SerializeMap for Document<'_, W> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<()> {
        ser::SerializeMap::serialize_key(&mut self.compound, key)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        ser::SerializeMap::serialize_value(&mut self.compound, value)
    }

    fn end(self) -> Result<()> {
        self.hand_over()
    }
}
