//! Objects: unique keys in order, and which of them were read.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde_json::value::RawValue;

use super::{Node, Shape, Step, Wrong};

impl<'n> Node<'n> {
    /// The fields of an object, whose keys must be unique.
    pub fn fields(&'n self) -> Result<Fields<'n>, Wrong> {
        let fields = self.entries()?;
        let mut keys: Vec<&str> = fields.entries.iter().map(|(key, ..)| &**key).collect();
        keys.sort_unstable();
        match keys.windows(2).find_map(|pair| pair.first().filter(|key| pair.get(1) == Some(key))) {
            Some(key) => Err(self.wrong(format!("duplicate key {key:?}"))),
            None => Ok(fields),
        }
    }

    /// The keys and values of an object.
    pub fn entries(&'n self) -> Result<Fields<'n>, Wrong> {
        if self.shape() != Shape::Object {
            return Err(self.expected("an object"));
        }
        let entries: Entries<'n> = match serde_json::from_str(self.source()) {
            Ok(entries) => entries,
            Err(error) => return Err(self.wrong(error.to_string())),
        };
        let entries = entries.0.into_iter();
        Ok(Fields {
            node: self,
            entries: entries.map(|(key, raw)| (key, raw, Cell::new(false))).collect(),
        })
    }
}

/// The fields of an object, and which of them were read.
#[derive(Debug)]
pub struct Fields<'n> {
    node: &'n Node<'n>,
    entries: Vec<(Cow<'n, str>, &'n RawValue, Cell<bool>)>,
}

impl Fields<'_> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn get(&self, name: &str) -> Option<Node<'_>> {
        let (key, raw, used) = self.entries.iter().find(|(key, ..)| key == name)?;
        used.set(true);
        Some(Node { raw, outer: Some(self.node), step: Step::Key(key) })
    }

    pub fn need(&self, name: &str) -> Result<Node<'_>, Wrong> {
        self.get(name).ok_or_else(|| self.node.wrong(format!("the key {name:?} is missing")))
    }

    /// All fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Node<'_>)> {
        self.entries.iter().map(|(key, raw, used)| {
            used.set(true);
            (&**key, Node { raw, outer: Some(self.node), step: Step::Key(key) })
        })
    }

    /// Returns an error if a field was not read.
    pub fn finish(&self) -> Result<(), Wrong> {
        match self.entries.iter().find(|(_, _, used)| !used.get()) {
            Some((key, raw, _)) => {
                let node = Node { raw, outer: Some(self.node), step: Step::Key(key) };
                Err(node.wrong(format!("unexpected key {key:?}")))
            }
            None => Ok(()),
        }
    }
}

/// Keys and values in order.
struct Entries<'n>(Vec<(Cow<'n, str>, &'n RawValue)>);

impl<'de> serde::Deserialize<'de> for Entries<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some((key, raw)) = map.next_entry::<String, &'de RawValue>()? {
                    entries.push((Cow::Owned(key), raw));
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Visitor)
    }
}
