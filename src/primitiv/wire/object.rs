//! Where an object of MessagePack ends, whatever it is.

use rmp::Marker;

use super::{SOME, take_marker, wrong_marker};
use crate::primitiv::{ErrorKind, Result};
use crate::read::Reader;

/// A big-endian number of up to four bytes.
fn take_length(reader: &mut Reader<'_>, size: usize) -> Result<u32> {
    let bytes = reader.take(size)?;
    Ok(bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// The same as a count of bytes.
fn take_size(reader: &mut Reader<'_>, size: usize) -> Result<usize> {
    Ok(usize::try_from(take_length(reader, size)?).unwrap_or(usize::MAX))
}

/// Takes the marker of an object and its length: returns how many bytes and how many objects follow.
fn take_head(reader: &mut Reader<'_>) -> Result<(usize, u64)> {
    let bytes = match take_marker(reader)? {
        Marker::FixArray(count) => return Ok((0, count.into())),
        Marker::Array16 => return Ok((0, take_length(reader, 2)?.into())),
        Marker::Array32 => return Ok((0, take_length(reader, 4)?.into())),
        Marker::FixMap(count) => return Ok((0, u64::from(count) * 2)),
        Marker::Map16 => return Ok((0, u64::from(take_length(reader, 2)?) * 2)),
        Marker::Map32 => return Ok((0, u64::from(take_length(reader, 4)?) * 2)),
        Marker::FixStr(len) => len.into(),
        Marker::Str8 | Marker::Bin8 => take_size(reader, 1)?,
        Marker::Str16 | Marker::Bin16 => take_size(reader, 2)?,
        Marker::Str32 | Marker::Bin32 => take_size(reader, 4)?,
        // The type of an ext is a byte.
        Marker::Ext8 => take_size(reader, 1)?.saturating_add(1),
        Marker::Ext16 => take_size(reader, 2)?.saturating_add(1),
        Marker::Ext32 => take_size(reader, 4)?.saturating_add(1),
        Marker::U8 | Marker::I8 => 1,
        Marker::U16 | Marker::I16 | Marker::FixExt1 => 2,
        Marker::FixExt2 => 3,
        Marker::U32 | Marker::I32 | Marker::F32 => 4,
        Marker::FixExt4 => 5,
        Marker::U64 | Marker::I64 | Marker::F64 => 8,
        Marker::FixExt8 => 9,
        Marker::FixExt16 => 17,
        Marker::FixPos(_)
        | Marker::FixNeg(_)
        | Marker::Null
        | Marker::True
        | Marker::False
        | Marker::Reserved => 0,
    };
    Ok((bytes, 0))
}

/// Takes an object and all that is in it. No marker in it may be the one that begins no object.
pub(in crate::primitiv) fn take_object<'de>(reader: &mut Reader<'de>) -> Result<&'de [u8]> {
    let (mut ahead, mut left) = (*reader, 1u64);
    while left > 0 {
        match ahead.peek().map(Marker::from_u8) {
            Some(Marker::Reserved) => {
                return Err(wrong_marker(Marker::Reserved.to_u8(), "an object", ahead.offset()));
            }
            Some(Marker::FixExt1) => check_some(ahead)?,
            _ => {}
        }
        if take_some_prefix(&mut ahead) {
            continue;
        }
        let (bytes, items) = take_head(&mut ahead)?;
        ahead.take(bytes)?;
        left = (left - 1).saturating_add(items);
    }
    reader.take(ahead.offset() - reader.offset())
}

/// Takes the prefix of a `Some` of nil, if one comes next. It belongs to the following object, and is allowed nowhere
/// else.
fn take_some_prefix(reader: &mut Reader<'_>) -> bool {
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
fn check_some(mut at: Reader<'_>) -> Result<()> {
    if take_some_prefix(&mut at) || at.take::<ErrorKind>(SOME.len())? != SOME {
        return Ok(());
    }
    let offset = at.offset();
    let other = take_marker(&mut at)?;
    Err(wrong_marker(other.to_u8(), "nil after `Some`", offset))
}
