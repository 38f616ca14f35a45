//! Where an object of MessagePack ends, whatever it is.

use rmp::Marker;

use super::{Headed, SOME, take_marker, wrong_marker};
use crate::primitiv::{ErrorKind, Result};
use crate::read::Reader;

/// What follows a marker.
pub(in crate::primitiv) enum Content {
    /// So many bytes.
    Bytes(usize),
    /// A length or count in so many bytes, and what it counts.
    Length(usize, Headed),
    /// The length of an ext in so many bytes; it has one byte more, its type.
    Ext(usize),
    /// What is counted by the marker itself.
    Here(u8, Headed),
}

pub(in crate::primitiv) fn content(marker: Marker) -> Content {
    match marker {
        Marker::U8 | Marker::I8 => Content::Bytes(1),
        Marker::U16 | Marker::I16 | Marker::FixExt1 => Content::Bytes(2),
        Marker::FixExt2 => Content::Bytes(3),
        Marker::U32 | Marker::I32 | Marker::F32 => Content::Bytes(4),
        Marker::FixExt4 => Content::Bytes(5),
        Marker::U64 | Marker::I64 | Marker::F64 => Content::Bytes(8),
        Marker::FixExt8 => Content::Bytes(9),
        Marker::FixExt16 => Content::Bytes(17),
        Marker::FixStr(len) => Content::Here(len, Headed::Str),
        Marker::FixArray(count) => Content::Here(count, Headed::Array),
        Marker::FixMap(count) => Content::Here(count, Headed::Map),
        Marker::Str8 => Content::Length(1, Headed::Str),
        Marker::Str16 => Content::Length(2, Headed::Str),
        Marker::Str32 => Content::Length(4, Headed::Str),
        Marker::Bin8 => Content::Length(1, Headed::Bin),
        Marker::Bin16 => Content::Length(2, Headed::Bin),
        Marker::Bin32 => Content::Length(4, Headed::Bin),
        Marker::Array16 => Content::Length(2, Headed::Array),
        Marker::Array32 => Content::Length(4, Headed::Array),
        Marker::Map16 => Content::Length(2, Headed::Map),
        Marker::Map32 => Content::Length(4, Headed::Map),
        Marker::Ext8 => Content::Ext(1),
        Marker::Ext16 => Content::Ext(2),
        Marker::Ext32 => Content::Ext(4),
        Marker::FixPos(_)
        | Marker::FixNeg(_)
        | Marker::Null
        | Marker::True
        | Marker::False
        | Marker::Reserved => Content::Bytes(0),
    }
}

/// A big-endian number of up to four bytes.
fn take_length(reader: &mut Reader<'_>, size: usize) -> Result<u32> {
    let bytes = reader.take(size)?;
    Ok(bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// Takes the marker of an object and its length: returns how many bytes and how many objects follow.
pub(in crate::primitiv) fn take_head(reader: &mut Reader<'_>) -> Result<(usize, u64)> {
    let marker = take_marker(reader)?;
    let (headed, len) = match content(marker) {
        Content::Bytes(len) => return Ok((len, 0)),
        Content::Ext(size) => {
            let len = usize::try_from(take_length(reader, size)?).unwrap_or(usize::MAX);
            return Ok((len.saturating_add(1), 0));
        }
        Content::Length(size, headed) => (headed, take_length(reader, size)?),
        Content::Here(len, headed) => (headed, len.into()),
    };
    Ok(match headed {
        Headed::Str | Headed::Bin => (usize::try_from(len).unwrap_or(usize::MAX), 0),
        Headed::Array => (0, len.into()),
        Headed::Map => (0, u64::from(len) * 2),
    })
}

/// Skips an object and all that is in it.
pub(in crate::primitiv) fn step_over(reader: &mut Reader<'_>) -> Result<()> {
    step_over_by(reader, |_| Ok(()))
}

/// The same of an object that has to be one: no marker in it is the one that begins none.
pub(in crate::primitiv) fn take_object<'de>(reader: &mut Reader<'de>) -> Result<&'de [u8]> {
    let mut ahead = *reader;
    step_over_by(&mut ahead, |at| match at.peek().map(Marker::from_u8) {
        Some(Marker::Reserved) => {
            Err(wrong_marker(Marker::Reserved.to_u8(), "an object", at.offset()))
        }
        Some(Marker::FixExt1) => check_some(*at),
        _ => Ok(()),
    })?;
    reader.take(ahead.offset() - reader.offset())
}

/// Takes the prefix of a `Some` of nil, if one comes next. It belongs to the following object, and is allowed nowhere
/// else.
pub(in crate::primitiv) fn take_some_prefix(reader: &mut Reader<'_>) -> bool {
    let mut ahead = *reader;
    let is_prefix = ahead.take::<ErrorKind>(SOME.len()).is_ok_and(|found| found == SOME);
    let next = ahead.peek().map(Marker::from_u8);
    let is_some = is_prefix && matches!(next, Some(Marker::Null | Marker::FixExt1));
    if is_some {
        *reader = ahead;
    }
    is_some
}

/// Takes the prefix of a `Some` of nil.
pub(in crate::primitiv) fn take_some(reader: &mut Reader<'_>) -> Result<()> {
    if take_some_prefix(reader) {
        return Ok(());
    }
    check_some(*reader)?;
    let offset = reader.offset();
    let other = take_marker(reader)?;
    Err(wrong_marker(other.to_u8(), "a value", offset))
}

/// Refuses the prefix of a `Some` of nil before anything else, where it would be a second encoding of the same value.
pub(in crate::primitiv) fn check_some(mut at: Reader<'_>) -> Result<()> {
    if take_some_prefix(&mut at) || at.take::<ErrorKind>(SOME.len())? != SOME {
        return Ok(());
    }
    let offset = at.offset();
    let other = take_marker(&mut at)?;
    Err(wrong_marker(other.to_u8(), "nil after `Some`", offset))
}

/// Calls `check` with each marker.
fn step_over_by(reader: &mut Reader<'_>, check: impl Fn(&Reader<'_>) -> Result<()>) -> Result<()> {
    let mut left: u64 = 1;
    while left > 0 {
        check(reader)?;
        if take_some_prefix(reader) {
            continue;
        }
        let (bytes, items) = take_head(reader)?;
        reader.take(bytes)?;
        left = (left - 1).saturating_add(items);
    }
    Ok(())
}
