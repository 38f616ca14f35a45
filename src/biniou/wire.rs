//! The grammar of biniou: tags, vints, hashes, lengths. Knows bytes, does not know serde.
//!
//! Numbers of fixed width are big-endian; a vint has seven bits per byte, the lowest first.

#[cfg(feature = "schema")]
pub(super) mod checked;
mod chunk;
mod quiet;
mod source;
mod table;
pub(super) mod vint;

use alloc::vec::Vec;

use super::{ErrorKind, Result};
use crate::read::Reader;

#[cfg(feature = "schema")]
pub(super) use self::chunk::CHUNK_HEADER;
pub use self::chunk::ChunkStart;
pub(super) use self::chunk::{CHUNK, END, chunks};
pub(super) use self::quiet::Bytes;
pub(super) use self::source::Source;
pub(super) use self::table::{take_column_tags, take_table_counts};

/// One tag a line: its byte, the format's name, how many bytes a value takes if all take the same, what
/// stands behind it.
macro_rules! tags {
    ($($tag:ident = $byte:literal, $name:literal, $size:expr, $doc:literal;)*) => {
        /// What kind of node a value is: the byte in front of it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Tag {
            $(#[doc = $doc] $tag = $byte,)*
        }

        impl Tag {
            /// All of them, in the order of their bytes.
            pub(super) const ALL: &'static [Tag] = &[$(Tag::$tag,)*];

            /// The byte on the wire.
            #[must_use]
            #[inline]
            pub const fn byte(self) -> u8 {
                self as u8
            }

            /// The tag of a byte on the wire.
            #[must_use]
            #[inline]
            pub const fn from_byte(byte: u8) -> Option<Tag> {
                match byte { $($byte => Some(Tag::$tag),)* _ => None }
            }

            /// The format's name for it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Tag::$tag => $name,)* }
            }

            /// How many bytes each value takes, if all take the same.
            #[inline]
            pub(super) const fn fixed_size(self) -> Option<usize> {
                match self { $(Tag::$tag => $size,)* }
            }
        }
    };
}

tags! {
    Bool = 0, "bool", Some(1), "One byte, 0 or 1.";
    Int8 = 1, "int8", Some(1), "One byte.";
    Int16 = 2, "int16", Some(2), "Two bytes.";
    Int32 = 3, "int32", Some(4), "Four bytes.";
    Int64 = 4, "int64", Some(8), "Eight bytes.";
    Float32 = 11, "float32", Some(4), "IEEE 754 binary32.";
    Float64 = 12, "float64", Some(8), "IEEE 754 binary64.";
    Uvint = 16, "uvint", None, "An unsigned vint.";
    Svint = 17, "svint", None, "A signed vint.";
    String = 18, "string", None, "Length, then bytes.";
    Array = 19, "array", None, "Length, then (unless it is 0) one tag and values without tags.";
    Tuple = 20, "tuple", None, "Length, then values.";
    Record = 21, "record", None, "Length, then for each field a hashed name and a value.";
    NumVariant = 22, "num_variant", None, "A number of seven bits, and perhaps a value.";
    Variant = 23, "variant", None, "A hashed name, and perhaps a value.";
    Unit = 24, "unit", Some(1), "One byte, 0.";
    Table = 25, "table", None, "Row count, then (unless it is 0) the columns' names and tags, then rows without either.";
    Shared = 26, "shared", None, "0 and a value, or the distance back to such a place.";
}

/// Marks a field of a record, and a variant or num_variant with an argument.
pub(super) const ARGUMENT: u32 = 1 << 31;

/// The same bit of a num_variant's byte.
pub(super) const NUM_ARGUMENT: u8 = 1 << 7;

/// `Some` and `None` are both num_variant 0, with and without an argument.
pub(super) const NONE: u8 = 0;
/// See [`NONE`].
pub(super) const SOME: u8 = NUM_ARGUMENT;

/// The byte of a unit.
pub(super) const UNIT: u8 = 0;

/// A field of a TABLE's header: the hashed name and the tag.
pub(super) const COLUMN_SIZE: usize = HASH_SIZE + 1;
/// A hash.
pub(super) const HASH_SIZE: usize = 4;

/// A vint of 128 bits takes 19 bytes; longer ones say nothing new.
const LONGEST_VINT: u32 = 19;

/// How many bits of a number a byte of a vint has, and the bit of each byte but the last.
pub(super) const VINT_BITS: u32 = 7;
pub(super) const VINT_MORE: u8 = 1 << VINT_BITS;

/// Bytes of a vint that are computed at once, and that bit of each.
pub(super) const VINT_WORD: usize = 8;
pub(super) const VINT_MORES: u64 = u64::from_ne_bytes([VINT_MORE; VINT_WORD]);

/// An item of an ARRAY takes at least so many bytes, behind the tag of all.
pub(super) const ITEM_SIZE: usize = 1;

/// A cell of a TUPLE: a tag and one more.
pub(super) const CELL_SIZE: usize = 2;

/// A field of a RECORD: a hashed name, a tag and one more.
pub(super) const FIELD_SIZE: usize = 6;

/// The cells of an entry of a map: key and value.
pub(super) const ENTRY_CELLS: usize = 2;

/// Rows of a TABLE may take no bytes at all: those of a record without fields. So many of them are
/// accepted.
pub(super) const MOST_EMPTY_ROWS: u128 = 4096;

/// The hash of a field's or variant's name: 31 bits.
#[must_use]
#[inline]
pub const fn hash(name: &str) -> u32 {
    let mut hash = 0u32;
    let mut rest = name.as_bytes();
    while let [byte, tail @ ..] = rest {
        hash = hash.wrapping_mul(223).wrapping_add(*byte as u32);
        rest = tail;
    }
    hash & !ARGUMENT
}

/// Appends an unsigned vint, as short as it can be.
#[inline]
pub(super) fn put_uvint(out: &mut Vec<u8>, mut number: u128) {
    loop {
        let [low, ..] = number.to_le_bytes();
        number >>= VINT_BITS;
        if number == 0 {
            out.push(low & !VINT_MORE);
            return;
        }
        out.push(low | VINT_MORE);
    }
}

/// Appends a length or count.
#[inline]
pub(super) fn put_length(out: &mut Vec<u8>, length: usize) {
    match short_length(length) {
        Some(byte) => out.push(byte),
        // Lossless: no `usize` has more than 128 bits.
        None => put_uvint(out, u128::try_from(length).unwrap_or(u128::MAX)),
    }
}

/// The byte of a length or count that takes no more.
#[inline]
pub(super) fn short_length(length: usize) -> Option<u8> {
    u8::try_from(length).ok().filter(|byte| *byte < VINT_MORE)
}

/// How many bytes [`put_uvint`] appends.
pub(super) fn uvint_size(number: u128) -> usize {
    let bits = (u128::BITS - number.leading_zeros()).max(1);
    usize::try_from(bits.div_ceil(VINT_BITS)).unwrap_or(usize::MAX)
}

/// A signed number. A signed vint maps negative numbers to odd ones, so that small ones stay short.
pub(super) trait Zigzag {
    type Unsigned;

    /// The number that is written for it.
    fn zigzag(self) -> Self::Unsigned;

    /// The number for which that one is written.
    fn unzigzag(number: Self::Unsigned) -> Self;
}

macro_rules! zigzag {
    ($($signed:ident $unsigned:ident,)*) => {$(
        impl Zigzag for $signed {
            type Unsigned = $unsigned;

            #[inline]
            fn zigzag(self) -> $unsigned {
                let folded = (self << 1) ^ (self >> ($signed::BITS - 1));
                $unsigned::from_ne_bytes(folded.to_ne_bytes())
            }

            #[inline]
            fn unzigzag(number: $unsigned) -> $signed {
                let signs = (number & 1).wrapping_neg();
                $signed::from_ne_bytes(((number >> 1) ^ signs).to_ne_bytes())
            }
        }
    )*};
}

zigzag! { i8 u8, i16 u16, i32 u32, i64 u64, i128 u128, }

/// Takes an unsigned vint. It may be longer than it need be, but not than 128 bits need.
#[inline]
pub(super) fn take_uvint<'de, S: Source<'de>>(source: &mut S) -> Result<u128, S::Error> {
    let start = source.place();
    let [first] = source.take_array()?;
    if first < VINT_MORE {
        return Ok(u128::from(first));
    }
    let mut number = u128::from(first & !VINT_MORE);
    for index in 1..LONGEST_VINT {
        let [byte] = source.take_array()?;
        let bits = u128::from(byte & !VINT_MORE);
        let shift = index * VINT_BITS;
        let shifted = bits << shift;
        if shifted >> shift != bits {
            break;
        }
        number |= shifted;
        if byte < VINT_MORE {
            return Ok(number);
        }
    }
    Err(source.fault(start, || ErrorKind::VintRange))
}

/// Takes a length or count of things, each of which takes at least `size` bytes. A count that the rest of
/// the input cannot hold is refused.
#[inline]
pub(super) fn take_length<'de, S: Source<'de>>(
    source: &mut S,
    size: usize,
) -> Result<usize, S::Error> {
    let start = source.place();
    let claimed = source.take_uvint()?;
    let left = source.left();
    match usize::try_from(claimed) {
        Ok(length) if holds(left, length, size) => Ok(length),
        _ => Err(source.fault(start, || {
            let needed = claimed.saturating_mul(u128::try_from(size).unwrap_or(u128::MAX));
            ErrorKind::Length { claimed, needed, left }
        })),
    }
}

/// Whether so many bytes hold `count` things of at least `size` bytes.
#[inline]
pub(super) fn holds(left: usize, count: usize, size: usize) -> bool {
    count.checked_mul(size).is_some_and(|bytes| bytes <= left)
}

/// Takes the tag in front of a value.
#[inline]
pub(super) fn take_tag<'de, S: Source<'de>>(source: &mut S) -> Result<Tag, S::Error> {
    let place = source.place();
    let [found] = source.take_array()?;
    Tag::from_byte(found).ok_or_else(|| source.fault(place, || ErrorKind::UnknownTag { found }))
}

/// Takes how many items an ARRAY has.
#[inline]
pub(super) fn take_items<'de, S: Source<'de>>(source: &mut S) -> Result<usize, S::Error> {
    take_length(source, ITEM_SIZE)
}

/// Takes how many entries a map has, and the tag of all: a map is an ARRAY of TUPLEs.
#[inline]
pub(super) fn take_entries<'de, S: Source<'de>>(source: &mut S) -> Result<usize, S::Error> {
    let count = take_items(source)?;
    let place = source.place();
    match count {
        0 => Ok(count),
        _ => match take_tag(source)? {
            Tag::Tuple => Ok(count),
            tag => Err(source.fault(place, || {
                let (found, expected) = (tag.name(), Tag::Tuple.name());
                ErrorKind::WrongTag { found, expected }
            })),
        },
    }
}

/// Takes how many cells a TUPLE has.
#[inline]
pub(super) fn take_cells<'de, S: Source<'de>>(source: &mut S) -> Result<usize, S::Error> {
    take_length(source, CELL_SIZE)
}

/// Takes how many fields a RECORD has.
#[inline]
pub(super) fn take_fields<'de, S: Source<'de>>(source: &mut S) -> Result<usize, S::Error> {
    take_length(source, FIELD_SIZE)
}

/// What stands in front of a field or in a column.
#[inline]
pub(super) const fn field_key(hash: u32) -> [u8; 4] {
    (hash | ARGUMENT).to_be_bytes()
}

/// The hash in such bytes, whether or not they have the first bit.
#[inline]
pub(super) const fn hash_in(key: [u8; 4]) -> u32 {
    u32::from_be_bytes(key) & !ARGUMENT
}

/// Takes the hashed name of a field or column.
#[inline]
pub(super) fn take_field<'de, S: Source<'de>>(source: &mut S) -> Result<u32, S::Error> {
    let place = source.place();
    let found = u32::from_be_bytes(source.take_array()?);
    match found & ARGUMENT {
        0 => Err(source.fault(place, || ErrorKind::FieldTag { found })),
        _ => Ok(found & !ARGUMENT),
    }
}

/// Takes the hashed name of a variant, and whether an argument follows.
#[inline]
pub(super) fn take_variant<'de, S: Source<'de>>(source: &mut S) -> Result<(u32, bool), S::Error> {
    let found = u32::from_be_bytes(source.take_array()?);
    Ok((found & !ARGUMENT, found & ARGUMENT != 0))
}

/// Takes the byte of a num_variant: its number, and whether an argument follows.
#[inline]
pub(super) fn take_num_variant<'de, S: Source<'de>>(
    source: &mut S,
) -> Result<(u8, bool), S::Error> {
    let [found] = source.take_array()?;
    Ok((found & !NUM_ARGUMENT, found & NUM_ARGUMENT != 0))
}

/// Takes the byte of an option: whether a value follows.
#[inline]
pub(super) fn take_option<'de, S: Source<'de>>(source: &mut S) -> Result<bool, S::Error> {
    let place = source.place();
    match source.take_array()? {
        [NONE] => Ok(false),
        [SOME] => Ok(true),
        [found] => {
            Err(source.fault(place, || ErrorKind::NumVariant { number: found & !NUM_ARGUMENT }))
        }
    }
}

/// Whether a list of tuples, whose first one is here behind its tag, may be a map: that one has two
/// cells.
pub(super) fn is_pair(first: &[u8]) -> bool {
    take_cells(&mut Reader::new(first, 0)).is_ok_and(|cells| cells == ENTRY_CELLS)
}

/// The bool of a byte, which is 0 or 1.
#[inline]
pub(super) const fn to_bool(byte: u8) -> Option<bool> {
    match byte {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// Takes a bool.
#[inline]
pub(super) fn take_bool<'de, S: Source<'de>>(source: &mut S) -> Result<bool, S::Error> {
    let place = source.place();
    let [found] = source.take_array()?;
    to_bool(found).ok_or_else(|| source.fault(place, || ErrorKind::InvalidBool { found }))
}

/// Takes a unit.
#[inline]
pub(super) fn take_unit<'de, S: Source<'de>>(source: &mut S) -> Result<(), S::Error> {
    let place = source.place();
    match source.take_array()? {
        [UNIT] => Ok(()),
        [found] => Err(source.fault(place, || ErrorKind::InvalidUnit { found })),
    }
}

/// Takes a string's length and bytes; also gives where the bytes begin.
#[inline]
pub(super) fn take_string<'de, S: Source<'de>>(
    source: &mut S,
) -> Result<(&'de [u8], S::Place), S::Error> {
    let length = take_length(source, 1)?;
    let place = source.place();
    Ok((source.take(length)?, place))
}

/// The distance of a SHARED that is no reference: its value follows.
pub(super) const HERE: u8 = 0;

/// The distance of a reference, of what stands behind the tag of a SHARED.
#[inline]
pub(super) fn reference(distance: u128) -> Option<u128> {
    Some(distance).filter(|distance| *distance != u128::from(HERE))
}

/// Takes the distance of a SHARED, if it is a reference.
#[inline]
pub(super) fn take_shared<'de, S: Source<'de>>(source: &mut S) -> Result<Option<u128>, S::Error> {
    source.take_uvint().map(reference)
}

/// Where the value lies to which the reference at `start` leads.
pub(super) fn target(start: usize, distance: u128) -> Option<usize> {
    usize::try_from(distance).ok().and_then(|distance| start.checked_sub(distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_format() {
        assert_eq!(hash("Hello"), 0x37ee_a2f2);
        assert_eq!(hash(""), 0);
        assert_eq!(hash("azdwbie"), hash("c7diagq"));
        assert_eq!(hash("azdwbie"), 0x6c31_2372);
    }

    #[test]
    fn every_tag_has_its_byte() {
        for &tag in Tag::ALL {
            assert_eq!(Tag::from_byte(tag.byte()), Some(tag));
        }
        let known = (0..=u8::MAX).filter(|byte| Tag::from_byte(*byte).is_some()).count();
        assert_eq!(known, Tag::ALL.len());
    }

    #[test]
    fn vints_come_back() {
        for number in [0, 1, 127, 128, 300, 16383, 16384, u128::from(u64::MAX), u128::MAX] {
            let mut out = Vec::new();
            put_uvint(&mut out, number);
            assert_eq!(out.len(), uvint_size(number));
            assert_eq!(take_uvint(&mut Reader::new(&out, 0)).unwrap(), number);
        }
        for number in [0, -1, 1, 63, 64, i128::MIN, i128::MAX] {
            assert_eq!(i128::unzigzag(number.zigzag()), number);
        }
        assert_eq!([0i128, -1, 1, -2, 2].map(Zigzag::zigzag), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn vints_end() {
        let text = |bytes: &[u8]| {
            take_uvint(&mut Reader::new(bytes, 7)).map_err(|error| alloc::format!("{error}"))
        };
        assert_eq!(text(&[0x80, 0x80, 0]), Ok(0));
        let mut endless = [0x80; 40];
        assert_eq!(text(&endless).unwrap_err(), "vint is longer than 128 bits at byte 7");
        endless[17] = 0;
        assert_eq!(text(&endless), Ok(0));
        let mut large = [0xff; 19];
        large[18] = 3;
        assert_eq!(text(&large), Ok(u128::MAX));
        large[18] = 4;
        assert_eq!(text(&large).unwrap_err(), "vint is longer than 128 bits at byte 7");
        assert_eq!(text(&[0x80]).unwrap_err(), "input ends early: 1 byte needed, 0 left at byte 8");
    }
}
