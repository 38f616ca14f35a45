//! Lists: parsed item by item, so that long ones take no memory.

use std::fmt;

use serde_json::value::RawValue;

use super::{Node, Step, Wrong};

/// Calls `look` with each item of a list, until it returns an error.
pub(super) struct Items<'a, 'n> {
    pub(super) node: &'a Node<'n>,
    pub(super) look: &'a mut dyn FnMut(&Node<'_>) -> Result<(), Wrong>,
    pub(super) found: &'a mut Option<Wrong>,
}

impl<'de> serde::de::DeserializeSeed<'de> for Items<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> serde::de::Visitor<'de> for Items<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0;
        while let Some(raw) = items.next_element::<&'de RawValue>()? {
            let item = Node { raw, outer: Some(self.node), step: Step::Index(index) };
            if let Err(wrong) = (self.look)(&item) {
                *self.found = Some(wrong);
                return Err(serde::de::Error::custom("refused"));
            }
            index += 1;
        }
        Ok(())
    }
}
