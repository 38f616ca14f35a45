//! How a lazy value is passed to a writer through serde.
//!
//! The value is a newtype struct of the reserved name, around a pair: a value that refuses to be serialized, and
//! the bytes. A writer of its format takes the bytes alone. Every other writer begins with the first and returns
//! its error.

use alloc::vec::Vec;
use core::marker::PhantomData;

use serde_core::ser::{self, Serialize, SerializeTuple as _, Serializer};

use super::sealed::RawFormat;
use crate::error::{Error, Kind};
use crate::glue::refusing::refusing;

/// Writes the bytes of a lazy value under this reserved name.
#[inline]
pub(crate) fn serialize<K: RawFormat, S: Serializer>(
    name: &'static str,
    bytes: &[u8],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(name, &Pair { bytes, format: K::FORMAT })
}

struct Pair<'a> {
    bytes: &'a [u8],
    format: &'static str,
}

impl Serialize for Pair<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple(2)?;
        pair.serialize_element(&Refused(self.format))?;
        pair.serialize_element(&Bytes(self.bytes))?;
        pair.end()
    }
}

/// For a writer that does not support lazy values.
struct Refused(&'static str);

impl Serialize for Refused {
    #[cold]
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(ser::Error::custom(format_args!(
            "raw bytes of {0} are written by `fourfold::{0}` only; elsewhere, write the value that \
             `get` reads from them",
            self.0
        )))
    }
}

struct Bytes<'a>(&'a [u8]);

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
    value.serialize(TakesPair { bytes: &mut bytes, is_second: false, kind: PhantomData })?;
    Ok(bytes)
}

#[cold]
fn no_raw<K: Kind>() -> Error<K> {
    ser::Error::custom("the names of raw bytes are reserved for `Raw`, `Lazy` and `List`")
}

/// Takes the second element of a tuple, and nothing else.
struct TakesPair<'a, K> {
    bytes: &'a mut Vec<u8>,
    is_second: bool,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Serializer for TakesPair<'_, K> {
    type SerializeTuple = Self;
    refusing!(but tuple, no_raw, Error<K>);

    fn serialize_tuple(self, _: usize) -> Result<Self, Error<K>> {
        Ok(self)
    }
}

impl<K: Kind> ser::SerializeTuple for TakesPair<'_, K> {
    type Ok = ();
    type Error = Error<K>;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
        match core::mem::replace(&mut self.is_second, true) {
            true => value.serialize(TakesBytes { bytes: &mut *self.bytes, kind: PhantomData }),
            false => Ok(()),
        }
    }

    fn end(self) -> Result<(), Error<K>> {
        Ok(())
    }
}

struct TakesBytes<'a, K> {
    bytes: &'a mut Vec<u8>,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Serializer for TakesBytes<'_, K> {
    refusing!(but bytes, no_raw, Error<K>);

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error<K>> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}
