//! Adjacently tagged enums: a struct of tag and content. serde reads the tag as an identifier, and the fields of a struct
//! variant as a value of any type, though it takes them by number.

use serde_core::de::{Deserializer as _, Visitor};

use super::document::Result;
use super::value::Value;
use crate::failed::Failed;
use crate::glue::adjacent::{Adjacent, NumberedFields};
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
        Adjacent::Tag(left) if left == start.len() => {}
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
    document.adjacent.set(Adjacent::Content(document.rest.get().len()));
    Ok(tag)
}

/// Reads the content of a tag, which is the fields of a struct variant.
#[cold]
pub(super) fn content<'de, V: Visitor<'de>>(value: Value<'_, 'de>, visitor: V) -> Result<V::Value> {
    let value = value.level()?;
    let document = value.document;
    let start = document.rest.get();
    let mut fields = NumberedFields::new(value, value.depth, &document.rest, &document.adjacent);
    let content = visitor.visit_map(&mut fields);
    match (&content, fields.failed) {
        _ if !fields.is_by_number => {
            drop(document.take_error());
            return Err(document.not_described());
        }
        // A value without fields.
        (Ok(_), None) if fields.has_ended && fields.next == 0 => value.nil()?,
        (Ok(_), None) => {}
        (_, Some(field)) => drop(document.inside(field, Names::SLOTS.segment(fields.next))),
        (Err(Failed), None) => drop(document.place(start)),
    }
    content
}
