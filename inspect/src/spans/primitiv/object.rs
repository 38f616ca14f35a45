//! Objects of MessagePack: those of an expected type, and any others.

use fourfold::primitiv::ErrorKind;
use rmp::Marker;

use crate::messagepack::{self, Head, Type};
use crate::spans::walk::Walk;
use crate::spans::{byte_count, text};

/// An object of a marker and four bytes, and what errors call it.
pub(super) struct Fixed(Marker, &'static str);

pub(super) const UINT32: Fixed = Fixed(Marker::U32, "uint32 (0xce)");
const FLOAT32: Fixed = Fixed(Marker::F32, "float32 (0xca)");

/// The size of such an object.
pub(super) const FIXED_SIZE: usize = size_of::<u8>() + size_of::<u32>();

/// Looks at the four bytes of an object. If it is another one, emits its spans and returns `Some(None)`.
pub(super) fn fixed(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    Fixed(marker, expected): Fixed,
) -> Option<Option<[u8; 4]>> {
    match walk.rest() {
        [found, ..] if *found != marker.to_u8() => wrong(walk, what, expected, *found),
        [_, rest @ ..] => match rest.first_chunk() {
            Some(content) => Some(Some(*content)),
            None => cut(walk, what, expected, 4),
        },
        [] => cut(walk, what, expected, 1),
    }
}

/// Explains a uint32 and its error. For another integer, the value is used if it fits.
pub(super) fn uint32(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    check: impl FnOnce(u32) -> Option<ErrorKind>,
) -> Option<Option<u32>> {
    let instead = integer(walk.rest());
    let Some(number) = fixed(walk, what, UINT32)? else {
        return Some(instead);
    };
    let number = u32::from_be_bytes(number);
    let error = check(number).map(|kind| kind.to_string());
    walk.emit_with(FIXED_SIZE, what, || format!("uint32 {number}"), error);
    Some(Some(number))
}

/// The integer that comes next, if it fits.
pub(super) fn integer(bytes: &[u8]) -> Option<u32> {
    u32::try_from(messagepack::integer(bytes)?).ok()
}

/// Explains a float.
pub(super) fn float32(walk: &mut Walk<'_, '_>, what: &'static str) -> Option<()> {
    if let Some(bits) = fixed(walk, what, FLOAT32)? {
        walk.emit(FIXED_SIZE, what, || format!("float32 {:?}", f32::from_be_bytes(bits)));
    }
    Some(())
}

/// Explains the header of an object, and returns its length or count.
pub(super) fn header(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    ty: Type,
) -> Option<Option<usize>> {
    let expected = match ty {
        Type::Str => "str",
        Type::Bin => "bin",
        Type::Array => "an array",
        _ => "a map",
    };
    match walk.rest().first() {
        Some(found) if Type::of(*found) != ty => return wrong(walk, what, expected, *found),
        _ => {}
    }
    match Head::of(walk.rest()) {
        Ok(head) => {
            walk.emit(head.size, what, || sized(&head).unwrap_or_default());
            // What is beyond the address space is beyond the input as well.
            Some(Some(usize::try_from(head.len).unwrap_or(usize::MAX)))
        }
        Err(needed) => cut(walk, what, expected, needed),
    }
}

/// Explains a name.
pub(super) fn name(walk: &mut Walk<'_, '_>) -> Option<()> {
    if let Some(len) = header(walk, "length of the name", Type::Str)? {
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

/// The type and length of an object that has a length.
fn sized(head: &Head) -> Option<String> {
    Some(match head.ty {
        Type::Str => format!("str of {}", byte_count(head.len)),
        Type::Bin => format!("bin of {}", byte_count(head.len)),
        Type::Array => format!("array of {}", head.len),
        Type::Map => format!("map of {}", head.len),
        Type::Ext | Type::Other => return None,
    })
}

/// Explains an object of the expected type that is cut off: after its marker, if that is there.
fn cut<T>(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    expected: &'static str,
    needed: usize,
) -> Option<T> {
    if walk.left() > 0 {
        walk.emit(1, what, || format!("marker of {expected}"));
    }
    walk.cut(needed, what);
    None
}

/// Explains an object that is not the expected one.
fn wrong<T>(
    walk: &mut Walk<'_, '_>,
    what: &'static str,
    expected: &'static str,
    found: u8,
) -> Option<Option<T>> {
    let bytes = walk.rest();
    let size = messagepack::size(bytes);
    let value = || match size {
        Some(_) => shown(bytes),
        None => String::from("cut off"),
    };
    let error = ErrorKind::Marker { found, expected }.to_string();
    walk.emit_with(size.unwrap_or(bytes.len()), what, value, Some(error));
    size.map(|_| None)
}

/// A whole object on one line.
fn shown(bytes: &[u8]) -> String {
    if let Some(number) = messagepack::integer(bytes) {
        return format!("integer {number}");
    }
    if let Some(text) = Head::of(bytes).ok().as_ref().and_then(sized) {
        return text;
    }
    let (marker, content) = bytes.split_first().unwrap_or((&0, &[]));
    match Marker::from_u8(*marker) {
        Marker::Null => "nil".into(),
        Marker::True => "true".into(),
        Marker::False => "false".into(),
        Marker::F32 => match content.first_chunk() {
            Some(bits) => format!("float32 {:?}", f32::from_be_bytes(*bits)),
            None => String::new(),
        },
        Marker::F64 => match content.first_chunk() {
            Some(bits) => format!("float64 {:?}", f64::from_be_bytes(*bits)),
            None => String::new(),
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

/// Explains one object; objects inside it are explained on their own.
fn object(walk: &mut Walk<'_, '_>) -> Option<()> {
    let bytes = walk.rest();
    let marker = *bytes.first()?;
    let head = match Head::of(bytes) {
        Ok(head) => head,
        Err(needed) => {
            walk.emit(1, "object", || format!("marker {marker:#04x}"));
            walk.cut(needed, "length of an object");
            return None;
        }
    };
    if matches!(head.ty, Type::Str | Type::Bin) {
        walk.emit(head.size, "object", || shown(bytes));
        return content(walk, "content", head.content);
    }
    let whole = head.size.saturating_add(head.content);
    walk.look(whole, "object")?;
    let is_none = Marker::from_u8(marker) == Marker::Reserved;
    let error = is_none.then(|| format!("marker {marker:#04x} begins no object"));
    walk.emit_with(whole, "object", || shown(bytes), error);
    Some(())
}
