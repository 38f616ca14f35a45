//! `with::any`: values in MessagePack inside a format's own bytes, for types that need a self-describing format.

use alloc::string::ToString;
use core::fmt;
use core::marker::PhantomData;

use rmp_serde::decode;
use serde_core::de::value::{BorrowedBytesDeserializer, U64Deserializer};
use serde_core::de::{self, DeserializeSeed, EnumAccess, IgnoredAny, VariantAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};
use serde_core::{Deserialize, Deserializer};

use crate::error::{CommonKind, Error, Kind};
use crate::glue::macros::Inner;
use crate::glue::mark::ANY;

pub(crate) use self::pack::{pack, pack_and_measure};
pub(crate) use crate::limits::Limits;

mod pack;

/// A value in MessagePack, inside the format's own bytes: for types that need a self-describing format, such as
/// untagged and internally tagged enums, structs with `flatten`, `serde_json::Value` and decimals.
///
/// All formats of this crate support this mark. Others, such as `serde_json`, see the plain value.
///
/// The bytes are those that `rmp-serde` writes with the names of fields and variants, with these differences:
///
/// - `u128` and `i128` are MessagePack integers. Beyond 64 bits they are refused when they are written: MessagePack has
///   no such integers, and the sixteen bytes that `rmp-serde` writes would be read as bytes or text by a type that
///   buffers its input.
/// - `Some` of a value that is written as nil, as `Some(None)` or `Some(())`, is refused, since it would be read as
///   `None`.
///
/// A unit struct, as `PhantomData` is one, is an empty array. In an untagged enum or a flattened map serde accepts only
/// nil for it: there it is refused when it is read. Use `()` in its place, or `#[serde(skip)]`.
///
/// An error in the value has the offset of its first byte.
///
/// ```
/// use fourfold::{biniou, molecule, primitiv, tsm};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, Debug, PartialEq)]
/// #[serde(tag = "kind")]
/// enum Shape {
///     Dot,
///     Circle { radius: u8 },
/// }
///
/// #[derive(Serialize, Deserialize, Debug, PartialEq)]
/// struct Drawing {
///     id: u8,
///     #[serde(with = "fourfold::molecule::with::any")]
///     shape: Shape,
/// }
///
/// let drawing = Drawing { id: 7, shape: Shape::Dot };
/// // A map of 1, "kind", "Dot": ten bytes.
/// let part = b"\x81\xa4kind\xa3Dot";
///
/// let bytes = tsm::to_vec(&drawing)?;
/// assert_eq!(bytes, [&[7, 10, 0, 0, 0], &part[..]].concat());
/// assert_eq!(tsm::from_slice::<Drawing>(&bytes)?, drawing);
///
/// let bytes = molecule::to_vec(&drawing)?;
/// assert_eq!(bytes, [&[27, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 7, 10, 0, 0, 0], &part[..]].concat());
/// assert_eq!(molecule::from_slice::<Drawing>(&bytes)?, drawing);
///
/// let bytes = biniou::to_vec(&drawing)?;
/// assert!(bytes.ends_with(&[&[18, 10], &part[..]].concat()));
/// assert_eq!(biniou::from_slice::<Drawing>(&bytes)?, drawing);
///
/// let bytes = primitiv::to_vec(&drawing)?;
/// assert_eq!(bytes, [&[0xce, 0, 0, 0, 7, 0xc4, 10], &part[..]].concat());
/// assert_eq!(primitiv::from_slice::<Drawing>(&bytes)?, drawing);
///
/// let json = serde_json::to_string(&drawing)?;
/// assert_eq!(json, r#"{"id":7,"shape":{"kind":"Dot"}}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(clippy::module_inception, reason = "formats hand it on under this name")]
pub mod any {
    use super::*;

    /// Writes `value` as MessagePack.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    #[inline]
    pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: ?Sized + Serialize,
        S: Serializer,
    {
        serializer.serialize_newtype_struct(ANY, &Packed(value))
    }

    /// Reads a value from MessagePack.
    ///
    /// # Errors
    ///
    /// Those of the deserializer.
    #[inline]
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        deserializer.deserialize_newtype_struct(ANY, Unpacked(PhantomData))
    }
}

/// A value in MessagePack where no attribute can mark it with [`mod@any`]: at the top level, in `Option<..>`, as a
/// map's value, as an argument of a generic type.
///
/// ```
/// use fourfold::molecule::{from_slice, to_vec, with::Any};
/// use serde_json::{Value, json};
///
/// let values: Vec<Any<Value>> = vec![Any(json!({ "a": [1, null] })), Any(json!("b"))];
/// assert_eq!(from_slice::<Vec<Any<Value>>>(&to_vec(&values)?)?, values);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Any<T>(pub T);

impl<T: Serialize> Serialize for Any<T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        any::serialize(&self.0, serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Any<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any::deserialize(deserializer).map(Any)
    }
}

/// A marked value: a second newtype struct of the same name, around the plain value.
///
/// A serializer that does not support the mark sees two nested newtype structs and writes their content. One that
/// does serializes the outer one with a serializer that accepts the inner one alone, so that MessagePack is compiled
/// for marked types only.
struct Packed<'a, T: ?Sized>(&'a T);

impl<T: ?Sized + Serialize> Serialize for Packed<'_, T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(ANY, self.0)
    }
}

/// Reads a marked value. A format that supports the mark returns it as the one variant of an enum, which ordinary
/// newtype structs refuse, so that MessagePack is compiled for marked types only: as variant how deep the value may
/// nest, as content its bytes.
struct Unpacked<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Unpacked<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of any type")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, part: A) -> Result<T, A::Error> {
        let (levels, part) = part.variant::<u64>()?;
        part.newtype_variant_seed(Content { levels, value: self.0 })
    }

    /// The format does not support the mark: the inner newtype struct follows.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        PlainInner(PhantomData).deserialize(deserializer)
    }

    /// Some formats read a newtype struct as a sequence of one.
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<T, A::Error> {
        match items.next_element_seed(PlainInner(PhantomData))? {
            Some(value) => Ok(value),
            None => Err(de::Error::invalid_length(0, &self)),
        }
    }
}

/// The inner one of the two newtype structs.
struct PlainInner<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for PlainInner<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_newtype_struct(ANY, Inner::new())
    }
}

/// The bytes of a marked value, with this maximum depth.
struct Content<T> {
    levels: u64,
    value: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Content<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_bytes(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Content<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a value in messagepack")
    }

    fn visit_borrowed_bytes<E: de::Error>(self, bytes: &'de [u8]) -> Result<T, E> {
        let mut reader = reader(bytes, self.levels);
        let value = T::deserialize(&mut reader).map_err(E::custom)?;
        match is_at_end(&mut reader) {
            true => Ok(value),
            false => Err(E::custom("bytes after the value in messagepack")),
        }
    }
}

type Reader<'de> = decode::Deserializer<decode::ReadRefReader<'de, [u8]>>;

fn reader(bytes: &[u8], levels: u64) -> Reader<'_> {
    let mut reader = Reader::from_read_ref(bytes);
    // It refuses the level with which its count becomes zero.
    let levels = usize::try_from(levels).unwrap_or(usize::MAX);
    reader.set_max_depth(levels.saturating_add(1));
    reader
}

/// Whether all bytes were read: the reader does not report its position, so one more value is requested.
fn is_at_end(reader: &mut Reader<'_>) -> bool {
    matches!(IgnoredAny::deserialize(reader), Err(decode::Error::InvalidMarkerRead(_)))
}

/// The bytes of a marked value, which a format passes to the visitor of a newtype struct by `visit_enum`.
pub(crate) struct Part<'de, K> {
    bytes: &'de [u8],
    /// Where they begin in the input.
    offset: usize,
    limits: Limits,
    kind: PhantomData<fn() -> K>,
}

impl<'de, K: Kind> Part<'de, K> {
    pub(crate) fn new(bytes: &'de [u8], offset: usize, limits: Limits) -> Self {
        Part { bytes, offset, limits, kind: PhantomData }
    }

    /// What is wrong, of an error whose kind serde has reduced to a text: the bytes, or the type that refused them.
    #[cold]
    fn explain(&self, error: Error<K>) -> Error<K> {
        let mut reader = reader(self.bytes, self.limits.depth.levels.into());
        let error = match IgnoredAny::deserialize(&mut reader) {
            Err(decode::Error::DepthLimitExceeded) => {
                CommonKind::DepthLimit { limit: self.limits.max_depth }
            }
            Err(decode::Error::InvalidMarkerRead(_) | decode::Error::InvalidDataRead(_)) => {
                CommonKind::PartEnd { len: self.bytes.len() }
            }
            Err(error) => CommonKind::Part { reason: error.to_string().into() },
            Ok(IgnoredAny) if is_at_end(&mut reader) => return error.or_offset(self.offset),
            Ok(IgnoredAny) => CommonKind::Part { reason: "bytes after the value".into() },
        };
        Error::at(error, self.offset)
    }
}

impl<'de, K: Kind> EnumAccess<'de> for Part<'de, K> {
    type Error = Error<K>;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error<K>> {
        let levels: u64 = self.limits.depth.levels.into();
        Ok((seed.deserialize(U64Deserializer::<Error<K>>::new(levels))?, self))
    }
}

/// Ordinary enums cannot be read from an embedded value.
#[cold]
fn no_variant<T, K: Kind>() -> Result<T, Error<K>> {
    Err(de::Error::custom("a value that is marked `any` is read as a newtype struct"))
}

impl<'de, K: Kind> VariantAccess<'de> for Part<'de, K> {
    type Error = Error<K>;

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error<K>> {
        let bytes = BorrowedBytesDeserializer::<Error<K>>::new(self.bytes);
        seed.deserialize(bytes).map_err(|error| self.explain(error))
    }

    fn unit_variant(self) -> Result<(), Error<K>> {
        no_variant()
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error<K>> {
        no_variant()
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error<K>> {
        no_variant()
    }
}
