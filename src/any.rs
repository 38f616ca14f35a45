//! Parts that are written as MessagePack inside a format's own bytes, so that their types may ask the
//! data what it is. Knows serde and MessagePack, does not know the formats around it.

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{self, DeserializeSeed, EnumAccess, VariantAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};
use serde_core::{Deserialize, Deserializer};

use crate::error::{Error, Kind};
use crate::glue::de as glue;
use crate::glue::macros::Inner;
use crate::glue::mark::ANY;
use crate::glue::value::Always;
use crate::limits::Depth;

pub(crate) use pack::{pack, pack_and_measure};

pub(crate) mod named;
pub(crate) mod pack;
pub(crate) mod unpack;

/// A part whose type asks the data what it is: written as MessagePack, with the names of fields and
/// variants, inside the format's own bytes. All formats here know this mark, and others, such as
/// `serde_json`, see the plain value.
///
/// Untagged and internally tagged enums, `flatten`, `serde_json::Value` and decimals come back
/// from it.
///
/// A whole type is marked by its container's name, `#[serde(rename = "any.Event")]`, if serde shows that on
/// both sides: of structs and of enums, but for `untagged`, `flatten`, and `tag` without `content`.
///
/// The bytes are those that `rmp-serde` writes with names. So
///
/// - a unit struct, as `PhantomData` is one, is an array of nothing. In an untagged enum or a flattened
///   map serde takes nothing but nil for it: there it is refused when it is read. Put `()` in its
///   place, or leave it out by `#[serde(skip)]`;
/// - a `u128` or `i128` is sixteen bytes, in which nothing tells the two apart: what is written as the
///   one and read as the other is another number above `i128::MAX` or below zero. Shorter integers are
///   read as either, but a negative one is refused as `u128`.
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

/// A part whose type asks the data what it is, where [`mod@any`] does not depth: the top level,
/// `Option<..>`, a map's values, an argument of a generic type.
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

/// A marked value: once more a newtype struct of the same name, around the plain value.
///
/// A serializer that does not know the mark goes through both. One that knows it has the outer one
/// serialized by a serializer that takes the inner one alone, and packs what is in that: so nothing is
/// compiled twice for other types than the marked ones and newtype structs in newtype structs.
struct Packed<'a, T: ?Sized>(&'a T);

impl<T: ?Sized + Serialize> Serialize for Packed<'_, T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(ANY, self.0)
    }
}

/// Reads a marked value: what a format that knows the mark hands over is the one variant of an enum,
/// which ordinary newtype structs do not take, so that nothing is compiled for these.
struct Unpacked<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Unpacked<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of any type")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, part: A) -> Result<T, A::Error> {
        let ((), part) = part.variant_seed(PhantomData::<()>)?;
        part.newtype_variant_seed(self.0)
    }

    /// Of a format that does not know the mark: the inner one follows.
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

/// How deep the parts of a marked value may be, and what the limit of all is called in errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) depth: Depth,
    pub(crate) max_depth: u16,
}

/// The bytes of a marked value, which a format hands to the visitor of a newtype struct by
/// `visit_enum`.
pub(crate) struct Part<'de, K> {
    pub(crate) bytes: &'de [u8],
    /// Where they begin in the input.
    pub(crate) offset: usize,
    pub(crate) limits: Limits,
    kind: PhantomData<fn() -> K>,
}

impl<'de, K> Part<'de, K> {
    pub(crate) fn new(bytes: &'de [u8], offset: usize, limits: Limits) -> Self {
        Part { bytes, offset, limits, kind: PhantomData }
    }
}

impl<'de, K: Kind> glue::EnumAccess<'de> for Part<'de, K> {
    type Error = Error<K>;
    type Variant = Self;

    fn variant_seed<V: glue::DeserializeSeed<'de, Error<K>>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), Error<K>> {
        Ok((seed.deserialize(Always::new(()))?, self))
    }
}

/// What an ordinary enum may make of a part.
#[cold]
fn no_variant<T, K: Kind>() -> Result<T, Error<K>> {
    Err(de::Error::custom("a value that is marked `any` is read as a newtype struct"))
}

impl<'de, K: Kind> glue::VariantAccess<'de> for Part<'de, K> {
    type Error = Error<K>;

    fn newtype_variant_seed<T: glue::DeserializeSeed<'de, Error<K>>>(
        self,
        seed: T,
    ) -> Result<T::Value, Error<K>> {
        unpack::part(self, seed)
    }

    fn unit_variant(self) -> Result<(), Error<K>> {
        no_variant()
    }

    fn tuple_variant<V: glue::Visitor<'de, Error<K>>>(
        self,
        _: usize,
        _: V,
    ) -> Result<V::Value, Error<K>> {
        no_variant()
    }

    fn struct_variant<V: glue::Visitor<'de, Error<K>>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error<K>> {
        no_variant()
    }
}
