//! The content of adjacently tagged enums: that of a unit, or named fields. Knows no tags.

use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::access::inside;
use super::decoder::Decoder;
use super::value::Value;
use crate::glue::adjacent::Content;
use crate::glue::names::Names;
use crate::tsm::wire::EmptyItems;
use crate::tsm::{Error, ErrorKind, Result};

impl<'de> Decoder<'de> {
    /// Reads the content of a variant: a unit's or named fields.
    pub(super) fn content<V: Visitor<'de>>(
        &mut self,
        content: Content,
        visitor: V,
    ) -> Result<V::Value> {
        let offset = self.reader.offset();
        if self.adjacent.is_unit::<V::Value>(content) {
            return visitor.visit_unit().map_err(|error| {
                self.adjacent.learn::<V::Value>(content);
                self.refused(error)
            });
        }
        let outer = self.depth;
        let empty = EmptyItems::ALL;
        let mut fields = Fields { decoder: self, next: 0, empty, asked: false, ended: false };
        let value = visitor.visit_map(&mut fields);
        if !fields.asked {
            self.adjacent.learn::<V::Value>(content);
            return Err(self.refused(Error::at(ErrorKind::SelfDescribing, offset)));
        }
        self.depth = outer;
        let value = value.map_err(|error| error.or_offset(offset));
        self.note_failure(value)
    }
}

/// Hands fields out by number, until the visitor does not know the number.
struct Fields<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    next: u32,
    /// Fields of zero bytes, which could be handed out endlessly.
    empty: EmptyItems,
    asked: bool,
    ended: bool,
}

impl<'de> de::MapAccess<'de> for &mut Fields<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !self.asked {
            // Now it shows that there are fields, which are a level inside.
            self.asked = true;
            self.decoder.enter()?;
        }
        if self.ended {
            return Ok(None);
        }
        match seed.deserialize(u64::from(self.next).into_deserializer()) {
            Ok(field) => Ok(Some(field)),
            // Under `deny_unknown_fields`, that there is no such number is an error ..
            Err::<_, Error>(_) if self.next > 0 => {
                self.ended = true;
                Ok(None)
            }
            Err(_) => {
                self.ended = true;
                Err(self.decoder.refuse_types())
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let offset = self.decoder.reader.offset();
        self.decoder.adjacent.expect_last(offset);
        let value = seed.deserialize(Value(&mut *self.decoder));
        // .. and otherwise its value is ignored.
        self.ended = self.decoder.adjacent.take_stepped_over();
        let index = usize::try_from(self.next).unwrap_or(usize::MAX);
        self.next = self.next.saturating_add(1);
        if self.decoder.reader.offset() == offset && self.empty.spend().is_err() {
            return Err(self.decoder.refuse_types());
        }
        value.map_err(|error| inside(error, offset, Names::SLOTS, index))
    }
}
