//! The key of a field or variant when bytes are made: its name or its index.

use core::fmt;
use std::borrow::Cow;

use serde_core::de::{Deserialize, Deserializer, Error, Visitor};

use super::{shortened, suggestion};

/// Which field or variant of a type comes next.
#[derive(Debug)]
pub(crate) enum Key<'de> {
    /// The one at that place of the schema's list.
    Place(usize),
    /// The one of that name.
    Name(Cow<'de, str>),
}

impl Key<'_> {
    /// Its index in a list of names, which nearly always come in order: `next` is the likely one. `what` is listed.
    pub(crate) fn find<'n, E: Error>(
        &self,
        what: &str,
        next: usize,
        name: impl Fn(usize) -> Option<&'n str>,
    ) -> Result<usize, E> {
        let found = match self {
            Key::Place(place) => Some(*place).filter(|place| name(*place).is_some()),
            Key::Name(own) => {
                let is_own = |at: &usize| name(*at).is_some_and(|name| name == own);
                let find = || (0..).take_while(|at| name(*at).is_some()).find(is_own);
                Some(next).filter(is_own).or_else(find)
            }
        };
        found.ok_or_else(|| {
            let hint = suggestion(self.name(), (0..).map_while(&name));
            E::custom(format!("unknown {what} `{self}`{hint}"))
        })
    }

    /// The name, if it is one.
    fn name(&self) -> &str {
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
