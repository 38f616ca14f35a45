//! The compatibility layer: marks for one use of a type, and for types that are not yours.
//!
//! One is `raw`, for bytes whose length is stored elsewhere: they are written without a count. The other is
//! [`mod@any`], or [`Any`], for types that need a self-describing format: they are written as MessagePack, in
//! bytes after their count.
//!
//! | | writes | reads |
//! |---|---|---|
//! | [`raw`], [`Raw`] | `[u8; N]`, and whatever writes itself as bytes | `[u8; N]` |
//! | [`RawBytes`] | the bytes | |
//! | [`RawLen`] | | so many bytes, borrowed from the input |
//!
//! A type that reads its bytes with [`RawLen`] has their length from what it read before. That
//! needs a `Deserialize` written by hand:
//!
//! ```
//! use std::{borrow::Cow, fmt};
//!
//! use fourfold::tsm::{from_slice, to_vec, with::{RawBytes, RawLen}};
//! use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
//! use serde::ser::{Serialize, SerializeTuple, Serializer};
//!
//! /// `<uint8:width><uint8:height><byte*width*height:pixels>`
//! #[derive(Debug, PartialEq)]
//! struct Image<'a> {
//!     width: u8,
//!     height: u8,
//!     pixels: Cow<'a, [u8]>,
//! }
//!
//! impl Serialize for Image<'_> {
//!     fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
//!         let mut tuple = serializer.serialize_tuple(3)?;
//!         tuple.serialize_element(&self.width)?;
//!         tuple.serialize_element(&self.height)?;
//!         tuple.serialize_element(&RawBytes(&self.pixels))?;
//!         tuple.end()
//!     }
//! }
//!
//! impl<'de> Deserialize<'de> for Image<'de> {
//!     fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
//!         struct Parts;
//!
//!         impl<'de> Visitor<'de> for Parts {
//!             type Value = Image<'de>;
//!
//!             fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
//!                 f.write_str("an image")
//!             }
//!
//!             fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Image<'de>, A::Error> {
//!                 let missing = |at| de::Error::invalid_length(at, &Parts);
//!                 let width: u8 = parts.next_element()?.ok_or_else(|| missing(0))?;
//!                 let height: u8 = parts.next_element()?.ok_or_else(|| missing(1))?;
//!                 let len = usize::from(width) * usize::from(height);
//!                 let pixels = parts.next_element_seed(RawLen(len))?.ok_or_else(|| missing(2))?;
//!                 Ok(Image { width, height, pixels })
//!             }
//!         }
//!
//!         deserializer.deserialize_tuple(3, Parts)
//!     }
//! }
//!
//! let image = Image { width: 2, height: 2, pixels: Cow::Borrowed(&[9, 8, 7, 6]) };
//! let bytes = to_vec(&image)?;
//! assert_eq!(bytes, [2, 2, 9, 8, 7, 6]);
//! let read: Image = from_slice(&bytes)?;
//! assert_eq!(read, image);
//! assert!(matches!(read.pixels, Cow::Borrowed(_)));
//!
//! // Other formats see bytes as they write them.
//! let text = serde_json::to_string(&image).unwrap();
//! assert_eq!(text, "[2,2,[9,8,7,6]]");
//! assert_eq!(serde_json::from_str::<Image>(&text).unwrap(), image);
//! # Ok::<(), fourfold::tsm::Error>(())
//! ```
//!
//! On a newtype struct of your own, the container name does the same as [`raw`]:
//! `#[serde(rename = "raw.Digest")]`.
//!
//! The mark applies through `Option` and newtype structs. On anything else it is refused when
//! written, and in reading if the type does not set the length (`Raw<ByteBuf>`), which the writer
//! cannot detect. A limit: `flatten` and untagged enums buffer what they read, and the buffered
//! values have no marks. (tsm refuses these shapes in any case.)

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{self, DeserializeSeed, Deserializer, VariantAccess, Visitor};
use serde_core::ser::{Serialize, Serializer};

use super::mark::{RAW, RAW_LEN};
#[cfg(feature = "any")]
pub use crate::any::{Any, any};
use crate::count;
use crate::glue::macros::marks;

marks! {
    /// Bytes without a count: their length is stored elsewhere.
    ///
    /// ```
    /// use fourfold::tsm::{from_slice, to_vec, with::Raw};
    ///
    /// assert_eq!(to_vec(&Raw(serde_bytes::Bytes::new(b"hi")))?, *b"hi");
    /// assert_eq!(from_slice::<Raw<[u8; 2]>>(b"hi")?.0, *b"hi");
    /// # Ok::<(), fourfold::tsm::Error>(())
    /// ```
    raw Raw RAW;
}

/// Bytes, written under the mark [`raw`]; other formats write them as bytes.
///
/// ```
/// use fourfold::tsm::{to_vec, with::RawBytes};
///
/// assert_eq!(to_vec(&(7u8, RawBytes(b"hi")))?, [7, b'h', b'i']);
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawBytes<'a>(pub &'a [u8]);

impl Serialize for RawBytes<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(RAW, &Bytes(self.0))
    }
}

/// What writes itself as bytes.
struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Reads as many bytes under the mark [`raw`]; tsm lends them from the input.
///
/// Reads bytes written by [`RawBytes`], in other formats too, which store the length themselves;
/// another length than this is refused.
///
/// ```
/// use fourfold::tsm::{Deserializer, with::RawLen};
/// use serde::de::DeserializeSeed;
///
/// let mut deserializer = Deserializer::from_slice(b"hi!");
/// assert_eq!(RawLen(2).deserialize(&mut deserializer)?, b"hi".as_slice());
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawLen(pub usize);

impl<'de> DeserializeSeed<'de> for RawLen {
    type Value = Cow<'de, [u8]>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_newtype_struct(RAW_LEN, Outer(self.0))
    }
}

/// tsm calls it to get a length, other formats to pass a request for bytes.
struct Outer(usize);

impl<'de> Visitor<'de> for Outer {
    type Value = Cow<'de, [u8]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Exactly(self.0).expecting(f)
    }

    /// tsm's own call: a variant's length is the only length that serde lets a type set.
    #[inline]
    fn visit_enum<A: de::EnumAccess<'de>>(self, data: A) -> Result<Self::Value, A::Error> {
        let ((), bytes) = data.variant_seed(PhantomData::<()>)?;
        bytes.tuple_variant(self.0, Exactly(self.0))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(Exactly(self.0))
    }

    /// Some formats read a newtype struct as a sequence of one.
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        items
            .next_element_seed(RawLen(self.0))?
            .ok_or_else(|| de::Error::invalid_length(0, &"one item"))
    }
}

/// Accepts bytes of one length, in all forms that formats have for them.
struct Exactly(usize);

impl Exactly {
    fn check<T: AsRef<[u8]>, E: de::Error>(self, bytes: T) -> Result<T, E> {
        match bytes.as_ref().len() {
            len if len == self.0 => Ok(bytes),
            len => Err(E::invalid_length(len, &self)),
        }
    }
}

impl<'de> Visitor<'de> for Exactly {
    type Value = Cow<'de, [u8]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", count::Bytes(&self.0))
    }

    #[inline]
    fn visit_borrowed_bytes<E: de::Error>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        self.check(bytes).map(Cow::Borrowed)
    }

    fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        self.check(bytes).map(|bytes| Cow::Owned(bytes.into()))
    }

    fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
        self.check(bytes).map(Cow::Owned)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        // The allocation follows the bytes that come, not the requested length.
        let mut bytes = Vec::new();
        while let Some(byte) = items.next_element()? {
            bytes.push(byte);
        }
        self.check(bytes).map(Cow::Owned)
    }
}
