//! Explains MessagePack objects: those of an expected type, and any others.

use alloc::format;
use alloc::string::{String, ToString as _};

use rmp::Marker;

use crate::count::Bytes;
use crate::error::CommonKind;
use crate::primitiv::wire::{self, Content, FLOAT32, FLOAT64, Fixed, Headed, UINT32};
use crate::primitiv::{Error, ErrorKind};
use crate::read::Reader;
use crate::spans::text;
use crate::spans::walk::Walk;

/// The size of an object with four bytes after its marker.
pub(super) const FIXED_SIZE: usize = size_of::<u8>() + size_of::<u32>();

/// Peeks at an object with four bytes after its marker. If it is another one, emits its spans and
/// returns `Some(None)`.
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

/// Explains a uint32 and its error. For another integer, the value is used if it fits.
pub(super) fn uint32(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    check: impl FnOnce(u32) -> Option<ErrorKind>,
) -> Option<Option<u32>> {
    let instead = integer(walk.ahead());
    let Some([_, number @ ..]) = fixed(walk, what, UINT32)? else {
        return Some(instead);
    };
    let number = u32::from_be_bytes(number);
    let error = check(number).map(|kind| kind.to_string());
    walk.emit_with(FIXED_SIZE, what, || format!("uint32 {number}"), error);
    Some(Some(number))
}

/// The integer that comes next, if it fits.
pub(super) fn integer(mut ahead: Reader<'_>) -> Option<u32> {
    u32::try_from(wire::take_integer(&mut ahead).ok()??).ok()
}

/// Explains a float.
pub(super) fn float32(walk: &mut Walk<'_, '_>, what: &'static str) -> Option<()> {
    if let Some([_, bits @ ..]) = fixed(walk, what, FLOAT32)? {
        walk.emit(FIXED_SIZE, what, || format!("float32 {:?}", f32::from_be_bytes(bits)));
    }
    Some(())
}

/// Explains the header of an object, and returns its length or count.
pub(super) fn header(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    headed: Headed,
) -> Option<Option<usize>> {
    let mut ahead = walk.ahead();
    match wire::take_header(&mut ahead, headed) {
        Ok((len, _)) => {
            walk.emit(ahead.offset() - walk.offset(), what, || sized(headed, len));
            // What is beyond the address space is beyond the input as well.
            Some(Some(usize::try_from(len).unwrap_or(usize::MAX)))
        }
        Err(error) => refused(walk, what, headed.name(), &error).map(|()| None),
    }
}

/// Explains a name.
pub(super) fn name(walk: &mut Walk<'_, '_>) -> Option<()> {
    if let Some(len) = header(walk, "length of the name", Headed::Str)? {
        content(walk, "name", len)?;
    }
    Some(())
}

/// Explains the bytes of a str.
fn content(walk: &mut Walk<'_, '_>, what: &'static str, len: usize) -> Option<()> {
    let bytes = walk.look(len, what)?;
    if len > 0 {
        walk.emit(len, what, || text(bytes));
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

/// Explains an object that is not the expected one, or incomplete.
fn refused(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    expected: &'static str,
    error: &Error,
) -> Option<()> {
    if let ErrorKind::Common(CommonKind::UnexpectedEnd { needed, .. }) = error.kind() {
        // Its marker is there or not.
        if walk.left() > 0 {
            walk.emit(1, what, || format!("marker of {expected}"));
        }
        walk.cut(*needed, what);
        return None;
    }
    let mut ahead = walk.ahead();
    let whole = wire::step_over(&mut ahead).ok();
    let start = walk.ahead();
    let value = || match whole {
        Some(()) => shown(start),
        None => String::from("cut off"),
    };
    let len = if whole.is_some() { ahead.offset() - walk.offset() } else { walk.left() };
    walk.emit_with(len, what, value, Some(error.kind().to_string()));
    whole
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

/// Explains the rest of the input, as any objects.
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
    let following = wire::content(marker);
    let mut ahead = value;
    let Ok((len, _)) = wire::take_head(&mut ahead) else {
        walk.emit(1, "object", || format!("marker {:#04x}", marker.to_u8()));
        let (Content::Length(size, _) | Content::Ext(size)) = following else { return None };
        walk.cut(size, "length of an object");
        return None;
    };
    let head = ahead.offset() - walk.offset();
    if let Content::Here(_, Headed::Str) | Content::Length(_, Headed::Str | Headed::Bin) = following
    {
        walk.emit(head, "object", || shown(value));
        return content(walk, "content", len);
    }
    let whole = head.saturating_add(len);
    walk.look(whole, "object")?;
    let error = (marker == Marker::Reserved)
        .then(|| format!("marker {:#04x} begins no object", marker.to_u8()));
    walk.emit_with(whole, "object", || shown(value), error);
    Some(())
}
