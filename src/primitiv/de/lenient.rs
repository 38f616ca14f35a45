//! Values whose kind their markers show, in bytes of other writers.

use rmp::Marker;
use serde_core::de::{Deserializer as _, Visitor};

use super::document::Result;
use super::value::Value;
use crate::primitiv::wire::{self, Headed};

/// Reads a value of the type that its marker shows.
#[cold]
pub(super) fn read<'de, V: Visitor<'de>>(value: Value<'_, 'de>, visitor: V) -> Result<V::Value> {
    let document = value.document;
    if let Some(number) = document.take(|reader, _| wire::take_integer(reader))? {
        return match (u64::try_from(number), i64::try_from(number)) {
            (Ok(number), _) => visitor.visit_u64(number),
            (_, Ok(number)) => visitor.visit_i64(number),
            _ => visitor.visit_i128(number),
        };
    }
    match Marker::from_u8(document.rest.get().first().copied().unwrap_or_default()) {
        Marker::Null => value.deserialize_unit(visitor),
        Marker::True | Marker::False => value.deserialize_bool(visitor),
        Marker::F32 => value.deserialize_f32(visitor),
        Marker::F64 => value.deserialize_f64(visitor),
        Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
            let bytes = document.string(Headed::Str)?;
            match core::str::from_utf8(bytes) {
                Ok(text) => visitor.visit_borrowed_str(text),
                Err(_) => visitor.visit_borrowed_bytes(bytes),
            }
        }
        Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => {
            visitor.visit_borrowed_bytes(document.string(Headed::Bin)?)
        }
        Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => value.deserialize_seq(visitor),
        Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => value.deserialize_map(visitor),
        Marker::FixExt1 => {
            document.take(|reader, _| wire::take_some(reader))?;
            visitor.visit_some(value.wrapper()?)
        }
        other => {
            let error = wire::wrong_marker(other.to_u8(), "a value", document.offset());
            Err(document.keep(error))
        }
    }
}
