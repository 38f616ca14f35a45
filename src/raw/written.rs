//! How a lazy value is passed to a writer through serde.
//!
//! The value is a newtype struct of the reserved name, around a pair: a value that refuses to be serialized, and
//! the bytes. A writer of its format takes the bytes alone. Every other writer begins with the first and returns
//! its error.

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize, SerializeTuple as _, Serializer};

use crate::error::{Error, Kind};
use crate::glue::refusing::refusing;

/// Writes the bytes of a lazy value under this reserved name.
#[inline]
pub(crate) fn serialize<S: Serializer>(
    format: &'static str,
    name: &'static str,
    bytes: &[u8],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serialize_part(format, name, &Bytes(bytes), serializer)
}

/// Passes a value of this format alone under this reserved name.
#[inline]
pub(crate) fn serialize_part<T: Serialize, S: Serializer>(
    format: &'static str,
    name: &'static str,
    part: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(name, &Pair { part, format })
}

struct Pair<'a, T> {
    part: &'a T,
    format: &'static str,
}

impl<T: Serialize> Serialize for Pair<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple(2)?;
        pair.serialize_element(&Refused(self.format))?;
        pair.serialize_element(self.part)?;
        pair.end()
    }
}

/// For a writer that does not support lazy values.
struct Refused(&'static str);

impl Serialize for Refused {
    #[cold]
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(ser::Error::custom(format_args!(
            "raw bytes of {0} are written by `fourfold::{0}` only; for other formats, use the type of the value",
            self.0
        )))
    }
}

/// Bytes as serde's bytes.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// The bytes of a lazy value, which a writer got as a newtype struct of the reserved name.
#[cold]
#[inline(never)]
pub(crate) fn bytes_of<T: ?Sized + Serialize, K: Kind>(value: &T) -> Result<Vec<u8>, Error<K>> {
    let mut bytes = Vec::new();
    let mut emit = |piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok(())
    };
    take_part(value, TakesBytes(&mut emit))?;
    Ok(bytes)
}

/// A function that takes bytes.
pub(crate) type Emit<'a, K> = &'a mut dyn FnMut(&[u8]) -> Result<(), Error<K>>;

/// Passes on the bytes of a document, which a writer got in pieces under the reserved name.
#[cold]
#[inline(never)]
pub(crate) fn pieces_of<T, K>(value: &T, emit: Emit<'_, K>) -> Result<(), Error<K>>
where
    T: ?Sized + Serialize,
    K: Kind,
{
    take_part(value, TakesPieces(emit))
}

/// Passes what [`serialize_part`] got to a serializer.
pub(crate) fn take_part<T, S, K>(value: &T, part: S) -> Result<(), Error<K>>
where
    T: ?Sized + Serialize,
    S: Serializer<Ok = (), Error = Error<K>>,
    K: Kind,
{
    value.serialize(TakesPair { part: Some(part), is_second: false })
}

#[cold]
pub(crate) fn no_raw<K: Kind>() -> Error<K> {
    ser::Error::custom("the names of raw bytes are reserved for `Raw`, `Lazy` and `List`")
}

/// Takes the second element of a tuple, and nothing else.
struct TakesPair<S> {
    part: Option<S>,
    is_second: bool,
}

impl<S: Serializer<Ok = (), Error = Error<K>>, K: Kind> Serializer for TakesPair<S> {
    type SerializeTuple = Self;
    refusing!(but tuple, no_raw, Error<K>);

    fn serialize_tuple(self, _: usize) -> Result<Self, Error<K>> {
        Ok(self)
    }
}

impl<S: Serializer<Ok = (), Error = Error<K>>, K: Kind> ser::SerializeTuple for TakesPair<S> {
    type Ok = ();
    type Error = Error<K>;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
        match core::mem::replace(&mut self.is_second, true) {
            true => self.part.take().map_or_else(|| Err(no_raw()), |part| value.serialize(part)),
            false => Ok(()),
        }
    }

    fn end(self) -> Result<(), Error<K>> {
        Ok(())
    }
}

/// Takes a tuple of bytes.
struct TakesPieces<'a, K>(Emit<'a, K>);

impl<K: Kind> Serializer for TakesPieces<'_, K> {
    type SerializeTuple = Self;
    refusing!(but tuple, no_raw, Error<K>);

    fn serialize_tuple(self, _: usize) -> Result<Self, Error<K>> {
        Ok(self)
    }
}

impl<K: Kind> ser::SerializeTuple for TakesPieces<'_, K> {
    type Ok = ();
    type Error = Error<K>;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
        value.serialize(TakesBytes(&mut *self.0))
    }

    fn end(self) -> Result<(), Error<K>> {
        Ok(())
    }
}

struct TakesBytes<'a, K>(Emit<'a, K>);

impl<K: Kind> Serializer for TakesBytes<'_, K> {
    refusing!(but bytes, no_raw, Error<K>);

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error<K>> {
        (self.0)(bytes)
    }
}
