//! Adjacently tagged enums: a struct of tag and content. serde reads the tag as an identifier, and the content of units
//! and struct variants as a value of any type, though it takes the fields of the latter by number.

use core::cell::Cell;

use serde_core::de::{DeserializeSeed, Deserializer as _, MapAccess, Visitor};

use super::document::Result;
use super::value::Value;
use crate::failed::Failed;
use crate::glue::adjacent::{Adjacent, FieldNumber};
use crate::glue::names::Names;
use crate::tsm::wire::MOST_EMPTY_ITEMS;

/// Reads an identifier: a tag, which serde writes as a unit variant. Others are text.
pub(super) fn identifier<'de, V: Visitor<'de>>(
    value: Value<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    let Value { document, rest, .. } = value;
    let start = rest.get();
    match document.adjacent.take() {
        Adjacent::Tag(offset) if offset == document.offset_of(start) => {}
        _ => return value.deserialize_str(visitor),
    }
    let index = value.variant()?;
    let tag = visitor.visit_u32(index).map_err(|Failed| document.unknown_variant(start, index))?;
    document.adjacent.set(Adjacent::Content(document.offset_of(rest.get())));
    Ok(tag)
}

/// Reads the content of a tag: that of a unit, which is no bytes, or the fields of a struct variant.
///
/// serde does not show which of the two, but that of a unit takes no memory. Nor does it show how many fields there are,
/// but skips the first number that is none of them.
#[cold]
pub(super) fn content<'de, V: Visitor<'de>>(value: Value<'_, 'de>, visitor: V) -> Result<V::Value> {
    let document = value.document;
    let start = value.rest.get();
    match document.adjacent.take() {
        Adjacent::Content(offset) if offset == document.offset_of(start) => {}
        _ => return Err(document.not_described(start)),
    }
    if size_of::<V::Value>() == 0 {
        return visitor.visit_unit().map_err(|Failed| {
            // The fields of an enum that takes no memory itself.
            drop(document.take_error());
            document.not_described(start)
        });
    }
    let value = value.level()?;
    let by_number = Cell::new(false);
    let fields = NumberedFields { value, next: 0, has_ended: false, by_number: &by_number };
    let content = visitor.visit_map(fields);
    if !by_number.get() {
        drop(document.take_error());
        return Err(document.not_described(start));
    }
    content.map_err(|Failed| document.place(start))
}

/// Notes that the next field of a struct variant was skipped, which means that there is none. Nothing else can be.
#[cold]
pub(super) fn skip(value: Value<'_, '_>) -> Result<()> {
    let Value { document, rest, depth } = value;
    let next = Adjacent::Field(document.offset_of(rest.get()), depth);
    if document.adjacent.get() != next {
        return Err(document.not_described(rest.get()));
    }
    document.adjacent.set(Adjacent::Skipped);
    Ok(())
}

/// The fields of a struct variant by number.
struct NumberedFields<'a, 'de> {
    /// The content, with the depth of its fields.
    value: Value<'a, 'de>,
    next: usize,
    has_ended: bool,
    /// Whether the visitor has asked for the number of a field.
    by_number: &'a Cell<bool>,
}

impl<'de> MapAccess<'de> for NumberedFields<'_, 'de> {
    type Error = Failed;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.has_ended {
            return Ok(None);
        }
        let document = self.value.document;
        let key = FieldNumber { number: self.next, is_asked: self.by_number };
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
        let Value { document, rest, depth } = self.value;
        let start = rest.get();
        document.adjacent.set(Adjacent::Field(document.offset_of(start), depth));
        let value = seed.deserialize(self.value);
        match document.adjacent.take() {
            Adjacent::Skipped => self.has_ended = true,
            _ if value.is_err() => {
                self.has_ended = true;
                return Err(document.inside(start, Names::SLOTS, self.next));
            }
            _ => {
                self.next += 1;
                // A type could ask for any number of fields without bytes.
                self.has_ended = self.next > MOST_EMPTY_ITEMS && rest.get().len() == start.len();
            }
        }
        value
    }
}
