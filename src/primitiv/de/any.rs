//! Reads a value whose kind only the markers tell, in streams of other writers. Knows no type.

use rmp::Marker;
use serde_core::de::{Deserializer as _, Visitor};

use super::State;
use super::value::ValueReader;
use crate::primitiv::Result;
use crate::primitiv::wire::{self, Headed};
use crate::read::Reader;

/// Hands an integer to a visitor in the narrowest way that all of serde's take.
pub(super) fn visit_integer<'de, V: Visitor<'de>>(number: i128, visitor: V) -> Result<V::Value> {
    match (u64::try_from(number), i64::try_from(number)) {
        (Ok(number), _) => visitor.visit_u64(number),
        (_, Ok(number)) => visitor.visit_i64(number),
        _ => visitor.visit_i128(number),
    }
}

/// Takes the prefix of a `Some`, if it has one.
pub(super) fn take_some(reader: &mut Reader<'_>) -> Result<()> {
    if wire::take_some_prefix(reader) {
        return Ok(());
    }
    wire::check_some(*reader)?;
    let offset = reader.offset();
    let other = wire::take_marker(reader)?;
    Err(wire::wrong_marker(other.to_u8(), "a value", offset))
}

/// Reads a value as its marker says.
pub(super) fn read<'de, V: Visitor<'de>>(state: &mut State<'de>, visitor: V) -> Result<V::Value> {
    if let Some(number) = wire::take_integer(&mut state.reader)? {
        return visit_integer(number, visitor);
    }
    let offset = state.reader.offset();
    let mut ahead = state.reader;
    match wire::take_marker(&mut ahead)? {
        Marker::Null => ValueReader::new(state).deserialize_unit(visitor),
        Marker::True | Marker::False => ValueReader::new(state).deserialize_bool(visitor),
        Marker::F32 => ValueReader::new(state).deserialize_f32(visitor),
        Marker::F64 => ValueReader::new(state).deserialize_f64(visitor),
        Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
            let (bytes, ..) = wire::take_bytes(&mut state.reader, Headed::Str, false)?;
            match core::str::from_utf8(bytes) {
                Ok(text) => visitor.visit_borrowed_str(text),
                Err(_) => visitor.visit_borrowed_bytes(bytes),
            }
        }
        Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => {
            let (bytes, ..) = wire::take_bytes(&mut state.reader, Headed::Bin, false)?;
            visitor.visit_borrowed_bytes(bytes)
        }
        Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
            ValueReader::new(state).deserialize_seq(visitor)
        }
        Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
            ValueReader::new(state).deserialize_map(visitor)
        }
        Marker::FixExt1 => {
            take_some(&mut state.reader)?;
            state.in_wrapper(|state| visitor.visit_some(ValueReader::new(state)))
        }
        other => Err(wire::wrong_marker(other.to_u8(), "a value", offset)),
    }
}
