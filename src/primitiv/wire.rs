//! The grammar: MessagePack as primitiv writes and reads it.

mod object;

use rmp::Marker;

pub(super) use self::object::{take_object, take_some};
use super::{Error, ErrorKind, Result};
use crate::read::Reader;

/// The major and minor version of the only file format.
pub(super) const VERSION: [u32; 2] = [0, 1];

/// The prefix of a `Some` whose value begins with nil, or the substitute for `None` in
/// any other way: an ext object of one byte, a marker that no value begins with.
pub(super) const SOME: [u8; 3] = [Marker::FixExt1.to_u8(), 0, 1];

/// How many bytes a 128-bit integer takes, as a bin.
pub(super) const WIDE_SIZE: u8 = 16;

/// The most dims that primitiv reads, counting 1s at the end.
pub(super) const MOST_DIMS: usize = 8;

/// An object with one marker, and what errors call it.
#[derive(Clone, Copy)]
pub(super) struct Fixed {
    pub(super) marker: Marker,
    pub(super) name: &'static str,
}

macro_rules! fixed {
    ($($constant:ident = $marker:ident $name:literal;)*) => {$(
        pub(super) const $constant: Fixed = Fixed { marker: Marker::$marker, name: $name };
    )*};
}

fixed! {
    NIL = Null "nil";
    UINT32 = U32 "uint32 (0xce)";
    UINT64 = U64 "uint64 (0xcf)";
    INT32 = I32 "int32 (0xd2)";
    INT64 = I64 "int64 (0xd3)";
    FLOAT32 = F32 "float32 (0xca)";
    FLOAT64 = F64 "float64 (0xcb)";
    WIDE = Bin8 "bin of 16 bytes (0xc4 0x10)";
}

/// An object whose header holds a length or count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Headed {
    Str,
    Bin,
    Array,
    Map,
}

/// How wide the length in a header is: mostly as narrow as it can be, but readers take any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// As primitiv writes it.
    #[default]
    Shortest,
    /// 8 bits: `d9`, `c4`.
    Eight,
    /// 16 bits: `da`, `c5`, `dc`, `de`.
    Sixteen,
    /// 32 bits: `db`, `c6`, `dd`, `df`.
    ThirtyTwo,
}

impl Headed {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Headed::Str => "str",
            Headed::Bin => "bin",
            Headed::Array => "an array",
            Headed::Map => "a map",
        }
    }

    /// The shortest marker with the length inside of it.
    fn fixed(self, len: u32) -> Option<Marker> {
        let len = u8::try_from(len).ok()?;
        match self {
            Headed::Str if len < 32 => Some(Marker::FixStr(len)),
            Headed::Array if len < 16 => Some(Marker::FixArray(len)),
            Headed::Map if len < 16 => Some(Marker::FixMap(len)),
            _ => None,
        }
    }

    const fn eight(self) -> Option<Marker> {
        match self {
            Headed::Str => Some(Marker::Str8),
            Headed::Bin => Some(Marker::Bin8),
            Headed::Array | Headed::Map => None,
        }
    }

    const fn sixteen(self) -> Marker {
        match self {
            Headed::Str => Marker::Str16,
            Headed::Bin => Marker::Bin16,
            Headed::Array => Marker::Array16,
            Headed::Map => Marker::Map16,
        }
    }

    const fn thirty_two(self) -> Marker {
        match self {
            Headed::Str => Marker::Str32,
            Headed::Bin => Marker::Bin32,
            Headed::Array => Marker::Array32,
            Headed::Map => Marker::Map32,
        }
    }

    /// The length that a marker of such an object has, if it is one.
    #[inline]
    fn of(self, marker: Marker) -> Option<Stated> {
        Some(match (self, marker) {
            (Headed::Str, Marker::FixStr(len))
            | (Headed::Array, Marker::FixArray(len))
            | (Headed::Map, Marker::FixMap(len)) => Stated::Here(len),
            (Headed::Str, Marker::Str8) | (Headed::Bin, Marker::Bin8) => Stated::Eight,
            (Headed::Str, Marker::Str16)
            | (Headed::Bin, Marker::Bin16)
            | (Headed::Array, Marker::Array16)
            | (Headed::Map, Marker::Map16) => Stated::Sixteen,
            (Headed::Str, Marker::Str32)
            | (Headed::Bin, Marker::Bin32)
            | (Headed::Array, Marker::Array32)
            | (Headed::Map, Marker::Map32) => Stated::ThirtyTwo,
            _ => return None,
        })
    }
}

/// Where the length is.
enum Stated {
    Here(u8),
    Eight,
    Sixteen,
    ThirtyTwo,
}

/// A header, ready to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    bytes: [u8; 5],
    len: u8,
}

impl Header {
    /// The header of an object with `len` bytes or items; at least as wide as `width`.
    #[inline]
    pub(super) fn new(headed: Headed, len: u32, width: Width) -> Self {
        let [_, _, high, low] = len.to_be_bytes();
        if let (Width::Shortest, Some(marker)) = (width, headed.fixed(len)) {
            return Header { bytes: [marker.to_u8(), 0, 0, 0, 0], len: 1 };
        }
        match (headed.eight(), width) {
            (Some(marker), Width::Shortest | Width::Eight) if len <= u32::from(u8::MAX) => {
                Header { bytes: [marker.to_u8(), low, 0, 0, 0], len: 2 }
            }
            (_, width) if width != Width::ThirtyTwo && len <= u32::from(u16::MAX) => {
                Header { bytes: [headed.sixteen().to_u8(), high, low, 0, 0], len: 3 }
            }
            _ => Header { bytes: prefixed(headed.thirty_two(), len.to_be_bytes()), len: 5 },
        }
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }
}

/// A marker and four bytes.
#[inline]
pub(super) const fn prefixed(marker: Marker, [a, b, c, d]: [u8; 4]) -> [u8; 5] {
    [marker.to_u8(), a, b, c, d]
}

/// A marker and eight bytes.
#[inline]
pub(super) const fn prefixed_8(marker: Marker, number: [u8; 8]) -> [u8; 9] {
    let [a, b, c, d, e, f, g, h] = number;
    [marker.to_u8(), a, b, c, d, e, f, g, h]
}

/// The bytes of a uint32.
#[inline]
pub(super) const fn uint32(number: u32) -> [u8; 5] {
    prefixed(Marker::U32, number.to_be_bytes())
}

/// The bytes of a float.
#[inline]
pub(super) const fn float(number: f32) -> [u8; 5] {
    prefixed(Marker::F32, number.to_bits().to_be_bytes())
}

/// A length or count as MessagePack has it.
#[inline]
pub(super) fn length(size: usize) -> Result<u32> {
    u32::try_from(size).map_err(|_| Error::placeless(ErrorKind::TooLarge { size }))
}

/// The error for an object of another type.
#[cold]
pub(super) fn wrong_marker(found: u8, expected: &'static str, offset: usize) -> Error {
    Error::at(ErrorKind::Marker { found, expected }, offset)
}

/// Takes the marker of the next object.
#[inline]
pub(super) fn take_marker(reader: &mut Reader<'_>) -> Result<Marker> {
    let [first] = reader.take_array()?;
    Ok(Marker::from_u8(first))
}

/// Takes a bool.
pub(super) fn take_bool(reader: &mut Reader<'_>) -> Result<bool> {
    let offset = reader.offset();
    match take_marker(reader)? {
        Marker::True => Ok(true),
        Marker::False => Ok(false),
        other => Err(wrong_marker(other.to_u8(), "a bool", offset)),
    }
}

/// Takes an object with one marker and `N` bytes of content.
#[inline]
pub(super) fn take_fixed<const N: usize>(
    reader: &mut Reader<'_>,
    Fixed { marker, name }: Fixed,
) -> Result<[u8; N]> {
    let offset = reader.offset();
    let [found] = reader.take_array()?;
    match found == marker.to_u8() {
        true => reader.take_array(),
        false => Err(wrong_marker(found, name, offset)),
    }
}

/// Takes an integer of any width, or `None` and nothing if the next object is none.
pub(super) fn take_integer(reader: &mut Reader<'_>) -> Result<Option<i128>> {
    let mut ahead = *reader;
    let number = match take_marker(&mut ahead)? {
        Marker::FixPos(number) => number.into(),
        Marker::FixNeg(number) => number.into(),
        Marker::U8 => u8::from_be_bytes(ahead.take_array()?).into(),
        Marker::U16 => u16::from_be_bytes(ahead.take_array()?).into(),
        Marker::U32 => u32::from_be_bytes(ahead.take_array()?).into(),
        Marker::U64 => u64::from_be_bytes(ahead.take_array()?).into(),
        Marker::I8 => i8::from_be_bytes(ahead.take_array()?).into(),
        Marker::I16 => i16::from_be_bytes(ahead.take_array()?).into(),
        Marker::I32 => i32::from_be_bytes(ahead.take_array()?).into(),
        Marker::I64 => i64::from_be_bytes(ahead.take_array()?).into(),
        _ => return Ok(None),
    };
    *reader = ahead;
    Ok(Some(number))
}

/// Takes a uint32: `ce` and four bytes, or under `lenient` any integer that fits.
#[inline]
pub(super) fn take_uint32(reader: &mut Reader<'_>, lenient: bool) -> Result<u32> {
    if lenient {
        let offset = reader.offset();
        if let Some(found) = take_integer(reader)? {
            return u32::try_from(found)
                .map_err(|_| Error::at(ErrorKind::IntegerRange { found }, offset));
        }
    }
    Ok(u32::from_be_bytes(take_fixed(reader, UINT32)?))
}

/// Whether a uint32 is next, or under `lenient` any integer.
pub(super) fn uint32_follows(reader: &Reader<'_>, lenient: bool) -> bool {
    let mut ahead = *reader;
    match lenient {
        // One that is cut off is one, too.
        true => !matches!(take_integer(&mut ahead), Ok(None)),
        false => reader.peek() == Some(Marker::U32.to_u8()),
    }
}

/// Takes a uint32 that is a byte.
pub(super) fn take_byte(reader: &mut Reader<'_>, lenient: bool) -> Result<u8> {
    let offset = reader.offset();
    let found = take_uint32(reader, lenient)?;
    u8::try_from(found).map_err(|_| Error::at(ErrorKind::ByteRange { found }, offset))
}

/// Whether bytes begin with an array.
#[inline]
pub(super) fn array_follows(bytes: &[u8]) -> bool {
    let marker = bytes.first().map(|marker| Marker::from_u8(*marker));
    marker.is_some_and(|marker| Headed::Array.of(marker).is_some())
}

/// Takes a float: `ca` and four bytes, or under `lenient` a float64 that is one exactly.
#[inline]
pub(super) fn take_float(reader: &mut Reader<'_>, lenient: bool) -> Result<f32> {
    if lenient && reader.peek() == Some(Marker::F64.to_u8()) {
        let offset = reader.offset();
        let found = f64::from_be_bytes(take_fixed(reader, FLOAT64)?);
        return narrow(found).ok_or_else(|| Error::at(ErrorKind::InexactFloat { found }, offset));
    }
    Ok(f32::from_be_bytes(take_fixed(reader, FLOAT32)?))
}

/// Takes a float64, or under `lenient` a float32.
pub(super) fn take_double(reader: &mut Reader<'_>, lenient: bool) -> Result<f64> {
    if lenient && reader.peek() == Some(Marker::F32.to_u8()) {
        return take_float(reader, true).map(f64::from);
    }
    Ok(f64::from_be_bytes(take_fixed(reader, FLOAT64)?))
}

/// Takes a 128-bit integer: a bin of 16 bytes.
pub(super) fn take_wide(reader: &mut Reader<'_>) -> Result<[u8; 16]> {
    let offset = reader.offset();
    let [len] = take_fixed(reader, WIDE)?;
    match len == WIDE_SIZE {
        true => reader.take_array(),
        false => Err(wrong_marker(WIDE.marker.to_u8(), WIDE.name, offset)),
    }
}

/// The float32 that equals a float64, if there is one.
#[allow(clippy::cast_possible_truncation, reason = "it is compared with what it came from")]
fn narrow(number: f64) -> Option<f32> {
    if number.is_nan() {
        return narrow_nan(number.to_bits());
    }
    let narrow = number as f32;
    (f64::from(narrow).to_bits() == number.to_bits()).then_some(narrow)
}

/// The same of a quiet NaN, by its bits: Rust does not define which NaN a cast returns.
fn narrow_nan(bits: u64) -> Option<f32> {
    const DROPPED: u32 = f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS;
    const SIGN: u64 = 1 << 63;
    const QUIET: u64 = 1 << (f64::MANTISSA_DIGITS - 2);
    const MANTISSA: u64 = (1 << (f64::MANTISSA_DIGITS - 1)) - 1;
    let is_exact = bits.trailing_zeros() >= DROPPED && bits & QUIET != 0;
    let mantissa = u32::try_from((bits & MANTISSA) >> DROPPED).ok().filter(|_| is_exact)?;
    let sign = if bits & SIGN == 0 { f32::INFINITY } else { f32::NEG_INFINITY };
    Some(f32::from_bits(sign.to_bits() | mantissa))
}

/// Takes the header of an object: its length or count, and how wide that was.
#[inline]
pub(super) fn take_header(reader: &mut Reader<'_>, headed: Headed) -> Result<(u32, Width)> {
    let offset = reader.offset();
    let marker = take_marker(reader)?;
    let (len, width) = match headed.of(marker) {
        Some(Stated::Here(len)) => return Ok((len.into(), Width::Shortest)),
        Some(Stated::Eight) => (u8::from_be_bytes(reader.take_array()?).into(), Width::Eight),
        Some(Stated::Sixteen) => (u16::from_be_bytes(reader.take_array()?).into(), Width::Sixteen),
        Some(Stated::ThirtyTwo) => (u32::from_be_bytes(reader.take_array()?), Width::ThirtyTwo),
        None => return Err(wrong_marker(marker.to_u8(), headed.name(), offset)),
    };
    let shortest = Header::new(headed, len, Width::Shortest).as_slice().first().copied();
    match shortest == Some(marker.to_u8()) {
        true => Ok((len, Width::Shortest)),
        false => Ok((len, width)),
    }
}

/// Takes the header of a str or bin; under `lenient` either serves for the other.
#[inline]
pub(super) fn take_size(
    reader: &mut Reader<'_>,
    headed: Headed,
    lenient: bool,
) -> Result<(u32, Width)> {
    if lenient {
        let other = if headed == Headed::Str { Headed::Bin } else { Headed::Str };
        let marker = reader.peek().map(Marker::from_u8);
        if marker.is_some_and(|marker| other.of(marker).is_some()) {
            return take_header(reader, other).map(|(len, _)| (len, Width::Shortest));
        }
    }
    take_header(reader, headed)
}

/// Takes a str or bin: its bytes, where they begin, and how wide its length was.
#[inline]
pub(super) fn take_bytes<'de>(
    reader: &mut Reader<'de>,
    headed: Headed,
    lenient: bool,
) -> Result<(&'de [u8], usize, Width)> {
    let (len, width) = take_size(reader, headed, lenient)?;
    let offset = reader.offset();
    // A length beyond the address space is beyond the input as well.
    Ok((reader.take(usize::try_from(len).unwrap_or(usize::MAX))?, offset, width))
}

/// Takes the count of an array or map whose items take at least `size` bytes. A count that the rest of the input cannot
/// hold is refused.
#[inline]
pub(super) fn take_count(
    reader: &mut Reader<'_>,
    headed: Headed,
    size: u32,
) -> Result<(usize, Width)> {
    let offset = reader.offset();
    let (claimed, width) = take_header(reader, headed)?;
    Ok((believe(claimed, size, reader.left(), offset)?, width))
}

/// Refuses a count of more items than can follow.
#[inline]
pub(super) fn believe(claimed: u32, size: u32, left: usize, offset: usize) -> Result<usize> {
    let needed = u64::from(claimed) * u64::from(size);
    match usize::try_from(claimed) {
        Ok(count) if usize::try_from(needed).is_ok_and(|needed| needed <= left) => Ok(count),
        _ => Err(Error::at(ErrorKind::Count { claimed, needed, left }, offset)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_back() {
        for headed in [Headed::Str, Headed::Bin, Headed::Array, Headed::Map] {
            for len in [0, 15, 16, 31, 32, 255, 256, 65535, 65536, u32::MAX] {
                for width in [Width::Shortest, Width::Eight, Width::Sixteen, Width::ThirtyTwo] {
                    let header = Header::new(headed, len, width);
                    let mut reader = Reader::new(header.as_slice(), 0);
                    let (found, width) = take_header(&mut reader, headed).unwrap();
                    assert_eq!((found, reader.left()), (len, 0), "{headed:?}");
                    let again = Header::new(headed, len, width);
                    assert_eq!(again.as_slice(), header.as_slice(), "{headed:?} {len}");
                }
            }
        }
    }

    #[test]
    fn headers_are_as_short_as_they_can_be() {
        let size = |headed, len| Header::new(headed, len, Width::Shortest).as_slice().len();
        assert_eq!(
            [31, 32, 255, 256, 65535, 65536].map(|len| size(Headed::Str, len)),
            [1, 2, 2, 3, 3, 5]
        );
        assert_eq!([0, 255, 256, 65535, 65536].map(|len| size(Headed::Bin, len)), [2, 2, 3, 3, 5]);
        for headed in [Headed::Array, Headed::Map] {
            assert_eq!([0, 15, 16, 65535, 65536].map(|len| size(headed, len)), [1, 1, 3, 3, 5]);
        }
    }

    #[test]
    fn floats_narrow_where_nothing_is_lost() {
        assert_eq!(narrow(0.5), Some(0.5));
        assert_eq!(narrow(-0.0).map(f32::to_bits), Some((-0.0f32).to_bits()));
        assert_eq!(narrow(f64::INFINITY), Some(f32::INFINITY));
        assert_eq!(narrow(f64::from_bits(0x7ff8 << 48)).map(f32::to_bits), Some(0x7fc0_0000));
        assert_eq!(narrow(f64::from_bits(0xfffa << 48)).map(f32::to_bits), Some(0xffd0_0000));
        assert_eq!(narrow(f64::from_bits(0x7ff8 << 48 | 1)), None);
        // A NaN that signals.
        assert_eq!(narrow(f64::from_bits(0x7ff4 << 48)), None);
        assert_eq!(narrow(0.1), None);
        assert_eq!(narrow(1e300), None);
    }
}
