//! How a field or variant is named to those who make bytes. Knows no format.

use core::fmt;
use std::borrow::Cow;

use serde_core::de::{Deserialize, Deserializer, Error, Visitor};

use super::shortened;

/// Which field or variant of a type comes next.
#[derive(Debug)]
pub(crate) enum Key<'de> {
    /// The one at that place of the schema's list.
    Place(usize),
    /// The one of that name.
    Name(Cow<'de, str>),
}

impl Key<'_> {
    /// The name, if it is one.
    pub(crate) fn name(&self) -> &str {
        match self {
            Key::Place(_) => "",
            Key::Name(name) => name,
        }
    }
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Place(place) => place.fmt(f),
            Key::Name(name) => f.write_str(&shortened(name)),
        }
    }
}

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Most formats have nothing but names here.
        deserializer.deserialize_string(KeyVisitor)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_u64<E: Error>(self, place: u64) -> Result<Key<'de>, E> {
        Ok(Key::Place(usize::try_from(place).unwrap_or(usize::MAX)))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Key<'de>, E> {
        self.visit_string(name.to_owned())
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Key<'de>, E> {
        Ok(Key::Name(Cow::Borrowed(name)))
    }

    fn visit_string<E: Error>(self, name: String) -> Result<Key<'de>, E> {
        Ok(Key::Name(Cow::Owned(name)))
    }
}
