//! Adjacently tagged enums: a struct of tag and content. serde reads the tag as an identifier, and the fields of a struct
//! variant as a value of any type, though it takes them by number.

use core::cell::Cell;

use serde_core::de::{DeserializeSeed, Deserializer as _, MapAccess, Visitor};

use super::document::Result;
use super::value::Value;
use crate::failed::Failed;
use crate::glue::adjacent::{Adjacent, FieldNumber};
use crate::glue::names::Names;
use crate::primitiv::wire;

/// Reads an identifier: a tag, which serde writes as a unit variant. Others are text.
pub(super) fn identifier<'de, V: Visitor<'de>>(
    value: Value<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    let Value { document, mark, .. } = value;
    let start = document.rest.get();
    match document.adjacent.take() {
        Adjacent::Tag(offset) if offset == document.offset() => {}
        _ => return value.deserialize_str(visitor),
    }
    let lenient = document.options.lenient;
    let tag = match mark.is_none() && wire::uint32_follows(&document.reader(), lenient) {
        true => {
            let index = document.take(wire::take_uint32)?;
            visitor.visit_u32(index).map_err(|Failed| document.unknown_variant(start, index))?
        }
        false => Value { mark: None, ..value }
            .deserialize_str(visitor)
            .map_err(|Failed| document.place(start))?,
    };
    document.adjacent.set(Adjacent::Content(document.offset()));
    Ok(tag)
}

/// Reads the content of a tag, which is the fields of a struct variant.
///
/// serde does not show how many these are, but skips the first number that is none of them.
#[cold]
pub(super) fn content<'de, V: Visitor<'de>>(value: Value<'_, 'de>, visitor: V) -> Result<V::Value> {
    let value = value.level()?;
    let document = value.document;
    let start = document.rest.get();
    let mut fields =
        NumberedFields { value, next: 0, has_ended: false, by_number: Cell::new(false) };
    let content = visitor.visit_map(&mut fields);
    if !fields.by_number.get() {
        drop(document.take_error());
        return Err(document.not_described());
    }
    let content = content.map_err(|Failed| document.place(start))?;
    if fields.has_ended && fields.next == 0 {
        // A value without parts.
        value.nil()?;
    }
    Ok(content)
}

/// The fields of a struct variant by number.
struct NumberedFields<'a, 'de> {
    /// The content, with the depth of its fields.
    value: Value<'a, 'de>,
    next: usize,
    has_ended: bool,
    /// Whether the visitor has asked for the number of a field.
    by_number: Cell<bool>,
}

impl<'de> MapAccess<'de> for &mut NumberedFields<'_, 'de> {
    type Error = Failed;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.has_ended {
            return Ok(None);
        }
        let document = self.value.document;
        let key = FieldNumber { number: self.next, is_asked: &self.by_number };
        match seed.deserialize(key) {
            Ok(key) => Ok(Some(key)),
            Err(Failed) => {
                self.has_ended = true;
                match self.by_number.get() {
                    // A type that denies unknown fields has seen all of its own.
                    true => {
                        drop(document.take_error());
                        Ok(None)
                    }
                    false => Err(Failed),
                }
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let document = self.value.document;
        let start = document.rest.get();
        document.adjacent.set(Adjacent::Field(document.offset(), self.value.depth));
        let value = seed.deserialize(self.value);
        match document.adjacent.take() {
            Adjacent::Skipped => self.has_ended = true,
            _ if value.is_err() => {
                self.has_ended = true;
                return Err(document.inside(start, Names::SLOTS.segment(self.next)));
            }
            _ => self.next += 1,
        }
        value
    }
}
