//! Values that are written and read through `erased-serde`, which hides the serde method that reads a tag.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that is written and read through `erased-serde`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Erased<T>(pub(crate) T);

impl<T: Serialize> Serialize for Erased<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&self.0, to)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Erased<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value =
            erased_serde::deserialize(&mut <dyn erased_serde::Deserializer<'_>>::erase(from));
        value.map(Erased).map_err(D::Error::custom)
    }
}
