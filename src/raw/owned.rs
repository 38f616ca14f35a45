//! A lazy value that owns its bytes: for types that borrow nothing.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::Deref;

use serde_core::de::{Deserialize, Deserializer};
use serde_core::ser::{Serialize, Serializer};

use super::{Raw, RawFormat};

/// A [`Raw`] that owns its bytes, for types that own what they hold: those that `from_reader` reads.
pub struct OwnedRaw<K>(Raw<'static, K>);

impl<K> Clone for OwnedRaw<K> {
    fn clone(&self) -> Self {
        OwnedRaw(self.0.clone())
    }
}

impl<K> fmt::Debug for OwnedRaw<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<K> PartialEq for OwnedRaw<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K> Eq for OwnedRaw<K> {}

impl<K> Hash for OwnedRaw<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<K> From<Raw<'static, K>> for OwnedRaw<K> {
    fn from(raw: Raw<'static, K>) -> Self {
        OwnedRaw(raw)
    }
}

impl<K> From<OwnedRaw<K>> for Raw<'static, K> {
    fn from(owned: OwnedRaw<K>) -> Self {
        owned.0
    }
}

impl<K> Deref for OwnedRaw<K> {
    type Target = Raw<'static, K>;

    fn deref(&self) -> &Raw<'static, K> {
        &self.0
    }
}

impl<K: RawFormat> Serialize for OwnedRaw<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, K: RawFormat> Deserialize<'de> for OwnedRaw<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Raw::deserialize(deserializer).map(|raw| OwnedRaw(raw.into_owned()))
    }
}
