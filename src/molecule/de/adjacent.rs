//! Adjacently tagged enums: a table of tag and content. serde reads the tag as an identifier, and the fields of a struct
//! variant as a value of any type, though it takes them by number.

use serde_core::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use super::document::{Adjacent, Document, Result};
use super::errors::Last;
use super::value::{Rule, Value};
use crate::failed::Failed;
use crate::glue::names::Names;
use crate::molecule::wire::Parts;

/// Reads an identifier: a tag, which serde writes as a unit variant, so as a union without payload. Others are text.
#[cold]
pub(super) fn identifier<'de, V: Visitor<'de>>(
    value: Value<'de, &Document<'_, 'de>>,
    visitor: V,
) -> Result<V::Value> {
    let Value { context, bytes, .. } = value;
    let ids = match context.adjacent.take() {
        Adjacent::Tag(tag, ids) if tag == bytes.as_ptr().addr() => ids,
        _ => return value.deserialize_str(visitor),
    };
    let (id, payload) = value.number()?;
    if !payload.is_empty() {
        return Err(context.trailing(payload));
    }
    context.adjacent.set(Adjacent::Content(payload.as_ptr().addr()));
    let variant = match ids {
        None => visitor.visit_u32(id),
        Some(ids) => match ids.variant(id).map_err(|error| context.fail(bytes, error))? {
            Some(name) => visitor.visit_borrowed_str(name),
            // No variant has the highest number: only `#[serde(other)]` takes it.
            None => visitor.visit_u64(u64::MAX),
        },
    };
    variant.map_err(|Failed| context.unknown_id(bytes, id, "", &[], true))
}

/// Reads a value of a type that needs a self-describing format: an error, but for the content of a tag, which has the
/// fields of a struct variant.
#[cold]
pub(super) fn struct_content<'de, V: Visitor<'de>>(
    value: Value<'de, &Document<'_, 'de>>,
    visitor: V,
) -> Result<V::Value> {
    let Value { context, bytes, .. } = value;
    match context.adjacent.take() {
        Adjacent::Content(content) if content == bytes.as_ptr().addr() => {}
        _ => return Err(context.no_types(bytes, false)),
    }
    let value = value.level()?;
    let parts = context.header(bytes, false).map_err(|error| context.keep(error))?;
    let mut fields = NumberedFields { value, parts, last: Last::Read };
    match visitor.visit_map(&mut fields) {
        Ok(content) if context.is_sound() => Ok(content),
        _ => Err(context.in_parts(fields.parts, fields.last, Names::SLOTS)),
    }
}

/// The fields of a table by number.
struct NumberedFields<'a, 'de> {
    /// The table, with the depth of its fields.
    value: Value<'de, &'a Document<'a, 'de>>,
    parts: Parts<'de>,
    last: Last,
}

impl<'de> MapAccess<'de> for &mut NumberedFields<'_, 'de> {
    type Error = Failed;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let (document, bytes) = (self.value.context, self.parts.bytes());
        self.last = Last::Read;
        let mut ahead = self.parts;
        while let Ok(Some(slot)) = ahead.take() {
            if !slot.is_empty() {
                let number = u64::try_from(self.parts.index()).ok();
                let key = seed.deserialize(Key { document, bytes, number });
                return key.map(Some).inspect_err(|Failed| self.parts.end());
            }
            // What takes no bytes is absent.
            self.parts = ahead;
        }
        // No field is there. A key all the same, so that a visitor that requests anything but an identifier is refused.
        let _ = seed.deserialize(Key { document, bytes, number: None });
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (document, index) = (self.value.context, self.parts.index());
        let Ok(Some(slot)) = self.parts.take() else {
            return Err(document.no_part(self.parts.bytes()));
        };
        let value = seed.deserialize(self.value.part(slot, Rule::None));
        match (value, document.adjacent.get()) {
            (Ok(_), Adjacent::Skipped(field))
                if field == slot.as_ptr().addr() && !document.options.compatible =>
            {
                Err(document.keep(document.wrong_count(self.parts, index)))
            }
            (Ok(value), _) => Ok(value),
            (Err(Failed), _) => {
                self.last = Last::Failed;
                Err(Failed)
            }
        }
    }
}

/// The number of a field, for the visitor of a variant's fields: all others request something else than an identifier.
struct Key<'a, 'de> {
    document: &'a Document<'a, 'de>,
    /// The table.
    bytes: &'de [u8],
    /// `None` after the last field.
    number: Option<u64>,
}

impl<'de> Deserializer<'de> for Key<'_, 'de> {
    type Error = Failed;

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.number {
            Some(number) => visitor.visit_u64(number),
            None => Err(Failed),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(self.document.no_types(self.bytes, false))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}
