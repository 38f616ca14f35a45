//! MessagePack objects: those that must stand somewhere, and any others. Knows no documents.

use alloc::format;
use alloc::string::{String, ToString as _};

use rmp::Marker;

use crate::count::Bytes;
use crate::error::Fault;
use crate::primitiv::wire::{self, FLOAT32, FLOAT64, Fixed, Headed, UINT32};
use crate::primitiv::{Error, ErrorKind};
use crate::read::Reader;
use crate::spans::text;
use crate::spans::walk::Walk;

/// How many bytes an object with four bytes behind its marker takes.
pub(super) const FIXED_SIZE: usize = size_of::<u8>() + size_of::<u32>();

/// Looks at an object with four bytes behind its marker. `Some(None)` if it is another, which is
/// told of then.
pub(super) fn fixed(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    object: Fixed,
) -> Option<Option<[u8; FIXED_SIZE]>> {
    match wire::take_fixed::<4>(&mut walk.ahead(), object) {
        Ok(_) => walk.look_at(what).map(Some),
        Err(error) => refused(walk, what, object.name, &error).map(|()| None),
    }
}

/// Tells of a uint32 and what is wrong with it. Of another integer it is the value that counts,
/// if it fits.
pub(super) fn uint32(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    fault: impl FnOnce(u32) -> Option<ErrorKind>,
) -> Option<Option<u32>> {
    let instead = integer(walk.ahead());
    let Some([_, number @ ..]) = fixed(walk, what, UINT32)? else {
        return Some(instead);
    };
    let number = u32::from_be_bytes(number);
    let fault = fault(number).map(|kind| kind.to_string());
    walk.tell_with(FIXED_SIZE, what, || format!("uint32 {number}"), fault);
    Some(Some(number))
}

/// The integer that comes next, if it fits.
pub(super) fn integer(mut ahead: Reader<'_>) -> Option<u32> {
    u32::try_from(wire::take_integer(&mut ahead).ok()??).ok()
}

/// Tells of a float.
pub(super) fn float32(walk: &mut Walk<'_, '_>, what: &'static str) -> Option<()> {
    if let Some([_, bits @ ..]) = fixed(walk, what, FLOAT32)? {
        walk.tell(FIXED_SIZE, what, || format!("float32 {:?}", f32::from_be_bytes(bits)));
    }
    Some(())
}

/// Tells of the header of an object: gives its length or count.
pub(super) fn header(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    headed: Headed,
) -> Option<Option<usize>> {
    let mut ahead = walk.ahead();
    match wire::take_header(&mut ahead, headed) {
        Ok((len, _)) => {
            walk.tell(ahead.offset() - walk.offset(), what, || sized(headed, len));
            // What is beyond the address space is beyond the input as well.
            Some(Some(usize::try_from(len).unwrap_or(usize::MAX)))
        }
        Err(error) => refused(walk, what, headed.name(), &error).map(|()| None),
    }
}

/// Tells of a name.
pub(super) fn name(walk: &mut Walk<'_, '_>) -> Option<()> {
    if let Some(len) = header(walk, "length of the name", Headed::Str)? {
        content(walk, "name", len)?;
    }
    Some(())
}

/// Tells of the bytes of a str.
fn content(walk: &mut Walk<'_, '_>, what: &'static str, len: usize) -> Option<()> {
    let bytes = walk.look(len, what)?;
    if len > 0 {
        walk.tell(len, what, || text(bytes));
    }
    Some(())
}

fn sized(headed: Headed, len: u32) -> String {
    match headed {
        Headed::Str => format!("str of {}", Bytes(&len)),
        Headed::Bin => format!("bin of {}", Bytes(&len)),
        Headed::Array => format!("array of {len}"),
        Headed::Map => format!("map of {len}"),
    }
}

/// Tells of an object that is not the one that must stand here, or not whole.
fn refused(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    expected: &'static str,
    error: &Error,
) -> Option<()> {
    if let ErrorKind::Fault(Fault::UnexpectedEnd { needed, .. }) = error.kind() {
        // Its marker is there or not.
        if walk.left() > 0 {
            walk.tell(1, what, || format!("marker of {expected}"));
        }
        walk.cut(*needed, what);
        return None;
    }
    let mut ahead = walk.ahead();
    let whole = skip(&mut ahead);
    let start = walk.ahead();
    let value = || match whole {
        Some(()) => shown(start),
        None => String::from("cut off"),
    };
    let len = if whole.is_some() { ahead.offset() - walk.offset() } else { walk.left() };
    walk.tell_with(len, what, value, Some(error.kind().to_string()));
    whole
}

/// What follows a marker.
enum Behind {
    /// So many bytes.
    Bytes(usize),
    /// A length or count in so many bytes, and what it counts.
    Length(usize, Headed),
    /// The length of an ext in so many bytes; it has one byte more, its type.
    Ext(usize),
    /// What is counted by the marker itself.
    Here(u8, Headed),
}

fn behind(marker: Marker) -> Behind {
    match marker {
        Marker::U8 | Marker::I8 => Behind::Bytes(1),
        Marker::U16 | Marker::I16 | Marker::FixExt1 => Behind::Bytes(2),
        Marker::FixExt2 => Behind::Bytes(3),
        Marker::U32 | Marker::I32 | Marker::F32 => Behind::Bytes(4),
        Marker::FixExt4 => Behind::Bytes(5),
        Marker::U64 | Marker::I64 | Marker::F64 => Behind::Bytes(8),
        Marker::FixExt8 => Behind::Bytes(9),
        Marker::FixExt16 => Behind::Bytes(17),
        Marker::FixStr(len) => Behind::Here(len, Headed::Str),
        Marker::FixArray(count) => Behind::Here(count, Headed::Array),
        Marker::FixMap(count) => Behind::Here(count, Headed::Map),
        Marker::Str8 => Behind::Length(1, Headed::Str),
        Marker::Str16 => Behind::Length(2, Headed::Str),
        Marker::Str32 => Behind::Length(4, Headed::Str),
        Marker::Bin8 => Behind::Length(1, Headed::Bin),
        Marker::Bin16 => Behind::Length(2, Headed::Bin),
        Marker::Bin32 => Behind::Length(4, Headed::Bin),
        Marker::Array16 => Behind::Length(2, Headed::Array),
        Marker::Array32 => Behind::Length(4, Headed::Array),
        Marker::Map16 => Behind::Length(2, Headed::Map),
        Marker::Map32 => Behind::Length(4, Headed::Map),
        Marker::Ext8 => Behind::Ext(1),
        Marker::Ext16 => Behind::Ext(2),
        Marker::Ext32 => Behind::Ext(4),
        Marker::FixPos(_)
        | Marker::FixNeg(_)
        | Marker::Null
        | Marker::True
        | Marker::False
        | Marker::Reserved => Behind::Bytes(0),
    }
}

/// A big-endian number of up to four bytes.
fn take_length(reader: &mut Reader<'_>, size: usize) -> Option<u32> {
    let bytes = reader.take::<Fault>(size).ok()?;
    Some(bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

/// Takes the marker of an object and its length: gives how many bytes and how many objects follow.
fn take_head(reader: &mut Reader<'_>) -> Option<(usize, u64)> {
    let marker = wire::take_marker(reader).ok()?;
    let (headed, len) = match behind(marker) {
        Behind::Bytes(len) => return Some((len, 0)),
        Behind::Ext(size) => {
            let len = usize::try_from(take_length(reader, size)?).unwrap_or(usize::MAX);
            return Some((len.saturating_add(1), 0));
        }
        Behind::Length(size, headed) => (headed, take_length(reader, size)?),
        Behind::Here(len, headed) => (headed, len.into()),
    };
    Some(match headed {
        Headed::Str | Headed::Bin => (usize::try_from(len).unwrap_or(usize::MAX), 0),
        Headed::Array => (0, len.into()),
        Headed::Map => (0, u64::from(len) * 2),
    })
}

/// Steps over an object and all that is in it. `None` if the input ends in it.
fn skip(reader: &mut Reader<'_>) -> Option<()> {
    let mut left: u64 = 1;
    while left > 0 {
        let (bytes, items) = take_head(reader)?;
        reader.take::<Fault>(bytes).ok()?;
        left = (left - 1).saturating_add(items);
    }
    Some(())
}

/// An object that is whole, on one line.
fn shown(mut reader: Reader<'_>) -> String {
    if let Ok(Some(number)) = wire::take_integer(&mut reader) {
        return format!("integer {number}");
    }
    let marker = reader.peek().map_or(Marker::Reserved, Marker::from_u8);
    for headed in [Headed::Str, Headed::Bin, Headed::Array, Headed::Map] {
        if let Ok((len, _)) = wire::take_header(&mut { reader }, headed) {
            return sized(headed, len);
        }
    }
    match marker {
        Marker::Null => "nil".into(),
        Marker::True => "true".into(),
        Marker::False => "false".into(),
        Marker::F32 => match wire::take_fixed(&mut reader, FLOAT32) {
            Ok(bits) => format!("float32 {:?}", f32::from_be_bytes(bits)),
            Err(_) => String::new(),
        },
        Marker::F64 => match wire::take_fixed(&mut reader, FLOAT64) {
            Ok(bits) => format!("float64 {:?}", f64::from_be_bytes(bits)),
            Err(_) => String::new(),
        },
        Marker::Reserved => "no object".into(),
        _ => "ext".into(),
    }
}

/// Tells of the rest of the input, whatever objects it is.
pub(super) fn objects(walk: &mut Walk<'_, '_>) {
    while walk.left() > 0 {
        if walk.is_stopped() || object(walk).is_none() {
            return;
        }
    }
}

/// Describes one object; objects inside it are described on their own.
fn object(walk: &mut Walk<'_, '_>) -> Option<()> {
    let value = walk.ahead();
    let marker = Marker::from_u8(value.peek()?);
    let behind = behind(marker);
    let mut ahead = value;
    let Some((len, _)) = take_head(&mut ahead) else {
        walk.tell(1, "object", || format!("marker {:#04x}", marker.to_u8()));
        let (Behind::Length(size, _) | Behind::Ext(size)) = behind else { return None };
        walk.cut(size, "length of an object");
        return None;
    };
    let head = ahead.offset() - walk.offset();
    if let Behind::Here(_, Headed::Str) | Behind::Length(_, Headed::Str | Headed::Bin) = behind {
        walk.tell(head, "object", || shown(value));
        return content(walk, "content", len);
    }
    let whole = head.saturating_add(len);
    walk.look(whole, "object")?;
    let fault = (marker == Marker::Reserved)
        .then(|| format!("marker {:#04x} begins no object", marker.to_u8()));
    walk.tell_with(whole, "object", || shown(value), fault);
    Some(())
}
