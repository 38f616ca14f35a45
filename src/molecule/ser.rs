//! Serializes values to Molecule: the public serializer, and the writer of one message.
//!
//! Each value is serialized once, into one buffer (`encoder`). `value` selects a layout for it; `parts`,
//! `entries` and `tuple` write what is inside. A header precedes what it describes, so it is reserved
//! and patched later (`header`).
//!
//! `inline(always)` is on the methods of serde's traits and on what they call for every value: the
//! layout of a type follows from names and lengths that are constants in the caller, and without it the
//! code for every other layout is compiled and run too. Not with debug assertions, where the frames of
//! inlined calls add up until deep values overflow the stack.

mod encoder;
mod entries;
mod header;
mod parts;
mod position;
mod tuple;
mod value;

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use self::encoder::Encoder;
use self::parts::Parts;
use self::position::Written;
use self::tuple::Tuple;
use self::value::Value;
use super::wire::LONGEST_DOCUMENT;
use super::{Error, ErrorKind, Options, Result};
use crate::error::CommonKind;
use crate::glue::document::document_serializer;
use crate::io::Write;

/// Initial capacity, so that small messages never reallocate.
const LIKELY: usize = 128;

/// Writes values to `W`, one Molecule message after another.
///
/// Headers precede what they describe, so a message is built in memory and written at once.
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

    /// Returns the writer, to which all messages are written.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.writer
    }
}

/// The bytes of one message.
#[inline]
pub(super) fn to_vec<T: ?Sized + Serialize>(options: &Options, value: &T) -> Result<Vec<u8>> {
    let mut encoder = Encoder::new(options, LIKELY);
    let written = value.serialize(root(&mut encoder));
    let written = written.map_err(|error| encoder.too_large_or(error))?;
    let end = finish(&mut encoder, written)?;
    Ok(encoder.out.finish(end))
}

/// Begins a message.
#[inline]
fn root(encoder: &mut Encoder) -> Value<'_, false, false> {
    let place = encoder.start();
    Value::new(encoder, place)
}

/// Completes the message, and returns its length.
#[inline]
fn finish(encoder: &mut Encoder, written: Written) -> Result<usize> {
    let end = encoder.finish_in_slot(written)?;
    if encoder.failed {
        return Err(Error::placeless(CommonKind::Abandoned));
    }
    match encoder.is_too_long {
        true => Err(too_large()),
        false => Ok(end),
    }
}

#[cold]
fn too_large() -> Error {
    Error::placeless(ErrorKind::TooLarge { size: LONGEST_DOCUMENT })
}

/// Writes a complete message to the writer.
fn write_document<W: Write>(writer: &mut W, encoder: &mut Encoder, written: Written) -> Result<()> {
    let end = finish(encoder, written)?;
    let document = encoder.out.written(end);
    writer.write_all(document).map_err(|error| Error::placeless(CommonKind::Io(error)))
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

macro_rules! compound {
    ($($kind:ident $type:ty;)*) => {
        /// An outermost value whose fields or items are being written.
        #[derive(Debug)]
        enum Compound<'a> {
            $($kind($type),)*
        }

        $(impl<'a> From<$type> for Compound<'a> {
            fn from(parts: $type) -> Self {
                Compound::$kind(parts)
            }
        })*

        impl<'a> Compound<'a> {
            /// Completes the value and returns the encoder.
            fn close(self) -> Result<(&'a mut Encoder, Written)> {
                match self {
                    $(Compound::$kind(parts) => parts.close(),)*
                }
            }
        }
    };
}

compound! {
    Fields Parts<'a, false, true>;
    Items Parts<'a, false, false>;
    Tuple Tuple<'a, false, false>;
}

/// Each of serde's traits for fields and items has one kind of compound.
macro_rules! parts {
    ($($trait:ident $kind:ident {
        $($method:ident $(<$type:ident>)? ($($arg:ident: $arg_type:ty),*);)*
    })*) => {$(
        impl ser::$trait for Compound<'_> {
            type Ok = Written;
            type Error = Error;

            $(fn $method $(<$type: ?Sized + Serialize>)? (
                &mut self,
                $($arg: $arg_type),*
            ) -> Result<()> {
                match self {
                    Compound::$kind(parts) => ser::$trait::$method(parts, $($arg),*),
                    _ => Ok(()),
                }
            })*

            fn end(self) -> Result<Written> {
                self.close().map(|(_, written)| written)
            }
        }
    )*};
}

parts! {
    SerializeSeq Items { serialize_element<T>(value: &T); }
    SerializeTuple Tuple { serialize_element<T>(value: &T); }
    SerializeTupleStruct Fields { serialize_field<T>(value: &T); }
    SerializeTupleVariant Items { serialize_field<T>(value: &T); }
    SerializeStruct Fields {
        serialize_field<T>(key: &'static str, value: &T);
        skip_field(key: &'static str);
    }
    SerializeStructVariant Items {
        serialize_field<T>(key: &'static str, value: &T);
        skip_field(key: &'static str);
    }
    SerializeMap Items { serialize_key<T>(key: &T); serialize_value<T>(value: &T); }
}
