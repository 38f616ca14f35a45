//! A lazy value with a type.

use alloc::borrow::Cow;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use super::{Found, Raw, RawFormat, handed, written};
use crate::error::Error;

/// A value that is read when it is needed.
///
/// Until then its bytes are kept as those of a [`Raw`], and written as they are. They are borrowed from the input,
/// and so may what [`get`](Lazy::get) reads: a type with a `Lazy` in it needs `#[serde(borrow)]` there.
///
/// Two are equal if their bytes are.
///
/// Each format has its own: see `Lazy` in its module.
#[repr(align(16))]
pub struct Lazy<'a, T, K> {
    part: Found<'a>,
    value: PhantomData<fn() -> (T, K)>,
}

impl<'a, T, K> Lazy<'a, T, K> {
    pub(super) fn found(part: Found<'a>) -> Self {
        Lazy { part, value: PhantomData }
    }

    /// The offset in the message.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.part.offset
    }
}

impl<'a, T, K: RawFormat> Lazy<'a, T, K> {
    /// The bytes of the value. They are borrowed, but for an item of a sequence where the format has one tag for
    /// all.
    #[must_use]
    pub fn bytes(&self) -> Cow<'a, [u8]> {
        K::whole(self.part.bytes, &mut { self.part.settings })
    }

    /// The same bytes, without the type.
    #[must_use]
    pub fn raw(&self) -> Raw<'a, K> {
        Raw::found(self.part)
    }
}

impl<'a, T: Deserialize<'a>, K: RawFormat> Lazy<'a, T, K> {
    /// Reads the value: each time from its bytes.
    ///
    /// # Errors
    ///
    /// The same errors as reading the whole message: with the offset in the message, and a path that begins at
    /// this value.
    #[inline]
    pub fn get(&self) -> Result<T, Error<K>> {
        K::read(self.part)
    }
}

impl<T, K> Clone for Lazy<'_, T, K> {
    fn clone(&self) -> Self {
        Lazy { part: self.part, value: PhantomData }
    }
}

impl<T, K> fmt::Debug for Lazy<'_, T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lazy").field(&self.part.bytes).finish()
    }
}

impl<T, K: RawFormat> PartialEq for Lazy<'_, T, K> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl<T, K: RawFormat> Eq for Lazy<'_, T, K> {}

impl<T, K: RawFormat> Hash for Lazy<'_, T, K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes().hash(state);
    }
}

impl<T, K: RawFormat> Serialize for Lazy<'_, T, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        written::serialize(K::FORMAT, K::NAME, &self.bytes(), serializer)
    }
}

impl<'de: 'a, 'a, T, K: RawFormat> Deserialize<'de> for Lazy<'a, T, K> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        handed::deserialize(K::FORMAT, K::NAME, deserializer).map(Lazy::found)
    }
}
