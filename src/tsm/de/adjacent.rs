//! Adjacently tagged enums: a struct of tag and content. serde reads the tag as an identifier, and the content of units
//! and struct variants as a value of any type, though it takes the fields of the latter by number.

use serde_core::de::{Deserializer as _, Visitor};

use super::document::Result;
use super::value::Value;
use crate::failed::Failed;
use crate::glue::adjacent::{Adjacent, NumberedFields};
use crate::glue::names::Names;

/// Reads an identifier: a tag, which serde writes as a unit variant. Others are text.
pub(super) fn identifier<'de, V: Visitor<'de>>(
    value: Value<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    let Value { document, rest, .. } = value;
    let start = rest.get();
    match document.adjacent.take() {
        Adjacent::Tag(left) if left == start.len() => {}
        _ => return value.deserialize_str(visitor),
    }
    let index = value.variant()?;
    let tag = visitor.visit_u32(index).map_err(|Failed| document.unknown_variant(start, index))?;
    document.adjacent.set(Adjacent::Content(rest.get().len()));
    Ok(tag)
}

/// Reads the content of a tag: that of a unit, which is no bytes, or the fields of a struct variant.
///
/// serde does not show which of the two, but that of a unit takes no memory. Nor does it show how many fields there are,
/// but skips the first number that is none of them.
#[cold]
pub(super) fn content<'de, V: Visitor<'de>>(value: Value<'_, 'de>, visitor: V) -> Result<V::Value> {
    let Value { document, rest, .. } = value;
    let start = rest.get();
    match document.adjacent.take() {
        Adjacent::Content(left) if left == start.len() => {}
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
    let mut fields = NumberedFields::new(value, value.depth, rest, &document.adjacent);
    let content = visitor.visit_map(&mut fields);
    match (&content, fields.failed) {
        _ if !fields.is_by_number => {
            drop(document.take_error());
            return Err(document.not_described(start));
        }
        (Ok(_), None) => {}
        (_, Some(field)) => drop(document.inside(field, Names::SLOTS, fields.next)),
        (Err(Failed), None) => drop(document.place(start)),
    }
    content
}

/// Notes that the next field of a struct variant was skipped, which means that there is none. Nothing else can be.
#[cold]
pub(super) fn skip(value: Value<'_, '_>) -> Result<()> {
    let Value { document, rest, depth } = value;
    let next = Adjacent::Field(rest.get().len(), depth);
    if document.adjacent.get() != next {
        return Err(document.not_described(rest.get()));
    }
    document.adjacent.set(Adjacent::Skipped);
    Ok(())
}
