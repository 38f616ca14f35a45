//! Adjacently tagged enums: a table of tag and content. serde reads the tag as an identifier, and the fields of a struct
//! variant as a value of any type, though it takes them by number.

use serde_core::de::value::U64Deserializer;
use serde_core::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::document::{Document, Result};
use super::explain::Last;
use super::value::{Rule, Value};
use crate::failed::Failed;
use crate::glue::de::for_each_request;
use crate::glue::names::Names;
use crate::molecule::wire::{Parts, WrongEnd};

/// Reads an identifier: a tag, which serde writes as a unit variant, so as a union without payload. Others are text.
#[cold]
pub(super) fn identifier<'de, V: Visitor<'de>>(
    value: Value<'de, &Document<'_, 'de>>,
    visitor: V,
) -> Result<V::Value> {
    let Value { context, bytes, .. } = value;
    let (tag, ids) = context.tag.take();
    if tag != bytes.as_ptr().addr() {
        return value.deserialize_str(visitor);
    }
    let (id, payload) = value.number()?;
    if !payload.is_empty() {
        return Err(context.trailing(payload));
    }
    context.content.set(payload.as_ptr().addr());
    let variant = match ids {
        None => visitor.visit_u32(id),
        Some(ids) => match ids.variant(id).map_err(|fault| context.fault(bytes, fault))? {
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
pub(super) fn content<'de, V: Visitor<'de>>(
    value: Value<'de, &Document<'_, 'de>>,
    visitor: V,
) -> Result<V::Value> {
    let Value { context, bytes, .. } = value;
    if context.content.take() != bytes.as_ptr().addr() {
        return Err(context.no_types(bytes, false));
    }
    let value = value.level()?;
    let parts = context.header(bytes, false).map_err(|fault| context.keep(fault))?;
    let mut fields = NumberedFields { value, parts, last: Last::Read };
    let read = visitor.visit_map(&mut fields);
    let NumberedFields { parts, last, .. } = fields;
    read.map_err(|Failed| context.in_parts(parts, last, Names::Slots))
}

/// The fields of a table by number.
struct NumberedFields<'a, 'de> {
    /// The table, with the depth of its fields.
    value: Value<'de, &'a Document<'a, 'de>>,
    parts: Parts<'de>,
    last: Last,
}

impl NumberedFields<'_, '_> {
    /// The end of a table without fields, for the visitor of a variant's fields. Others take any empty map.
    fn no_key<'de, K: DeserializeSeed<'de>>(&self, seed: K) -> Result<Option<K::Value>> {
        let mut is_identifier = false;
        let _ = seed.deserialize(Nothing(&mut is_identifier));
        match is_identifier {
            true => Ok(None),
            false => Err(self.value.context.no_types(self.parts.bytes(), false)),
        }
    }
}

impl<'de> MapAccess<'de> for &mut NumberedFields<'_, 'de> {
    type Error = Failed;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.last = Last::Read;
        loop {
            let mut ahead = self.parts;
            match ahead.take() {
                _ if self.parts.count() == 0 => return self.no_key(seed),
                // What takes no bytes is absent.
                Ok(Some([])) => self.parts = ahead,
                Ok(Some(_)) => {
                    let number = u64::try_from(self.parts.index()).unwrap_or(u64::MAX);
                    let key = seed.deserialize(U64Deserializer::<Failed>::new(number));
                    return key.map(Some).inspect_err(|Failed| self.parts.end());
                }
                Ok(None) => return Ok(None),
                Err(WrongEnd) => return Err(self.value.context.no_part(self.parts.bytes())),
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (context, index) = (self.value.context, self.parts.index());
        let Ok(Some(slot)) = self.parts.take() else {
            return Err(context.no_part(self.parts.bytes()));
        };
        context.skipped.set(false);
        match seed.deserialize(self.value.part(slot, Rule::None)) {
            Ok(_) if context.skipped.get() && !context.options.compatible => {
                Err(context.keep(context.wrong_count(self.parts, index)))
            }
            Ok(value) => Ok(value),
            Err(Failed) => {
                self.last = Last::Failed;
                Err(Failed)
            }
        }
    }
}

/// Reads the variant of a tag without content, after the last field of a table: a unit variant.
#[cold]
pub(super) fn without_content<'de, T: DeserializeSeed<'de>>(
    document: &Document<'_, 'de>,
    parts: Parts<'de>,
    seed: T,
) -> Result<Option<T::Value>> {
    let end = parts.bytes().as_ptr_range().end.addr();
    match parts.index() == 1 && document.content.take() == end {
        true => match seed.deserialize(Nothing(&mut false)) {
            Ok(variant) => Ok(Some(variant)),
            Err(Failed) => Err(document.no_part(parts.bytes())),
        },
        false => Err(document.no_part(parts.bytes())),
    }
}

/// Deserializes nothing, but for a unit variant, which asks for a value of any type and keeps none. Notes whether an
/// identifier was asked for.
struct Nothing<'a>(&'a mut bool);

macro_rules! nothing {
    ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            $(let _ = $arg;)*
            let request = stringify!($request);
            *self.0 = request == "Identifier";
            match request == "Any" && size_of::<V::Value>() == 0 {
                true => visitor.visit_unit(),
                false => Err(Failed),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Nothing<'_> {
    type Error = Failed;

    for_each_request!(nothing);
}
