//! The grammar of biniou, without serde: tags, vints, hashed names, lengths and counts.
//!
//! For generated code, and for readers and writers that have a schema instead of Rust types. Numbers of fixed width are
//! big-endian; a vint has seven bits per byte, the lowest first.
//!
//! Reading: each `take_` function takes one element of the grammar from a [`Source`], which is a
//! [`Reader`] or a cursor of your own, and checks that element alone. If the bytes end first, the error is
//! `UnexpectedEnd`.
//!
//! ```
//! use fourfold::Reader;
//! use fourfold::biniou::wire::{Zigzag, hash, take_field, take_fields, take_string, take_tag, take_uvint};
//! use fourfold::biniou::{ErrorKind, Tag};
//!
//! // A record with the fields `id` (an svint) and `name` (a string).
//! let bytes = [21, 2, 0x80, 0, 0x5b, 0xdb, 17, 13, 0xc8, 0xff, 0x72, 0x4b, 18, 2, b'h', b'i'];
//! let mut reader = Reader::new(&bytes, 0);
//! assert_eq!(take_tag(&mut reader)?, Tag::Record);
//! assert_eq!(take_fields(&mut reader)?, 2);
//! assert_eq!(take_field(&mut reader)?, hash("id"));
//! assert_eq!(take_tag(&mut reader)?, Tag::Svint);
//! assert_eq!(i128::unzigzag(take_uvint(&mut reader)?), -7);
//! assert_eq!(take_field(&mut reader)?, hash("name"));
//! assert_eq!(take_tag(&mut reader)?, Tag::String);
//! assert_eq!(take_string(&mut reader)?.0, b"hi");
//! reader.finish::<ErrorKind>()?;
//! # Ok::<(), fourfold::biniou::Error>(())
//! ```
//!
//! Writing: tags and vints are appended to a vector.
//!
//! ```
//! use fourfold::biniou::wire::{Zigzag, field_key, hash, put_length, put_uvint};
//! use fourfold::biniou::{Tag, Value, from_slice};
//!
//! let mut bytes = vec![Tag::Record.byte()];
//! put_length(&mut bytes, 1);
//! bytes.extend(field_key(hash("id")));
//! bytes.push(Tag::Svint.byte());
//! put_uvint(&mut bytes, (-7_i128).zigzag());
//! let Value::Record(fields) = from_slice(&bytes)? else { panic!() };
//! assert_eq!(fields, [(hash("id"), Value::Svint(-7))]);
//! # Ok::<(), fourfold::biniou::Error>(())
//! ```

mod chunk;
mod source;
mod table;
#[cfg(test)]
mod tests;
pub mod vint;
mod zigzag;

use alloc::vec::Vec;

use super::{ErrorKind, Result};
use crate::read::Reader;
pub use crate::text::first as leading_text;

pub(super) use self::chunk::chunks;
pub use self::chunk::{CHUNK, CHUNK_HEADER, ChunkStart, END};
pub use self::source::Source;
pub(super) use self::table::take_column_tags;
pub use self::table::take_table_counts;
pub use self::zigzag::Zigzag;

/// One tag a line: its byte, the format's name, how many bytes a value takes if all take the same, what
/// follows it.
macro_rules! tags {
    ($($tag:ident = $byte:literal, $name:literal, $size:expr, $doc:literal;)*) => {
        /// What kind of node a value is: the byte before it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Tag {
            $(#[doc = $doc] $tag = $byte,)*
        }

        impl Tag {
            /// All of them, in the order of their bytes.
            pub const ALL: &'static [Tag] = &[$(Tag::$tag,)*];

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
            pub const fn fixed_size(self) -> Option<usize> {
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

/// The bit of a hashed name that marks a field of a record, and a variant with an argument.
pub const ARGUMENT: u32 = 1 << 31;

/// The bit of a num_variant's byte that marks one with an argument.
pub const NUM_ARGUMENT: u8 = 1 << 7;

/// `Some` and `None` are both num_variant 0, with and without an argument.
pub const NONE: u8 = 0;
/// The byte of `Some`, see [`NONE`].
pub const SOME: u8 = NUM_ARGUMENT;

/// The byte of a unit.
pub const UNIT: u8 = 0;

/// A field of a TABLE's header: the hashed name and the tag.
pub const COLUMN_SIZE: usize = HASH_SIZE + 1;
/// A hash.
pub const HASH_SIZE: usize = 4;

/// A vint of 128 bits takes 19 bytes; longer ones add nothing.
const LONGEST_VINT: u32 = 19;

/// How many bits of a number a byte of a vint has.
pub(super) const VINT_BITS: u32 = 7;
/// The bit of each byte of a vint but the last.
pub const VINT_MORE: u8 = 1 << VINT_BITS;

/// Bytes of a vint that are computed at once, and that bit of each.
pub(super) const VINT_WORD: usize = 8;
pub(super) const VINT_MORES: u64 = u64::from_ne_bytes([VINT_MORE; VINT_WORD]);

/// Minimum number of bytes of an item of an ARRAY, after the tag of all.
pub(super) const ITEM_SIZE: usize = 1;

/// A cell of a TUPLE: a tag and one more.
pub(super) const CELL_SIZE: usize = 2;

/// A field of a RECORD: a hashed name, a tag and one more.
pub(super) const FIELD_SIZE: usize = 6;

/// The cells of an entry of a map: key and value.
pub(super) const ENTRY_CELLS: usize = 2;

/// Rows of a TABLE without columns take no bytes: so many of them are accepted.
pub const MOST_EMPTY_ROWS: u128 = 4096;

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
pub fn put_uvint(out: &mut Vec<u8>, mut number: u128) {
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
pub fn put_length(out: &mut Vec<u8>, length: usize) {
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

/// Takes an unsigned vint. It may be longer than it need be, but not than 128 bits need.
///
/// # Errors
///
/// `VintRange` if it has more than 128 bits.
#[inline]
pub fn take_uvint<'de, S: Source<'de>>(source: &mut S) -> Result<u128, S::Error> {
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
    Err(source.fail(start, || ErrorKind::VintRange))
}

/// Takes a length, or a count of things of at least `size` bytes each. A count that the rest of
/// the input cannot hold is refused.
///
/// # Errors
///
/// `Length`.
#[inline]
pub fn take_length<'de, S: Source<'de>>(source: &mut S, size: usize) -> Result<usize, S::Error> {
    let start = source.place();
    let claimed = source.take_uvint()?;
    let left = source.left();
    match usize::try_from(claimed) {
        Ok(length) if holds(left, length, size) => Ok(length),
        _ => Err(source.fail(start, || {
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

/// Takes the tag of a value.
///
/// # Errors
///
/// `UnknownTag`.
#[inline]
pub fn take_tag<'de, S: Source<'de>>(source: &mut S) -> Result<Tag, S::Error> {
    let place = source.place();
    let [found] = source.take_array()?;
    Tag::from_byte(found).ok_or_else(|| source.fail(place, || ErrorKind::UnknownTag { found }))
}

/// Takes how many items an ARRAY has.
///
/// # Errors
///
/// That of [`take_length`].
#[inline]
pub fn take_items<'de, S: Source<'de>>(source: &mut S) -> Result<usize, S::Error> {
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
            tag => Err(source.fail(place, || {
                let (found, expected) = (tag.name(), Tag::Tuple.name());
                ErrorKind::WrongTag { found, expected }
            })),
        },
    }
}

/// Takes how many cells a TUPLE has.
///
/// # Errors
///
/// That of [`take_length`].
#[inline]
pub fn take_cells<'de, S: Source<'de>>(source: &mut S) -> Result<usize, S::Error> {
    take_length(source, CELL_SIZE)
}

/// Takes how many fields a RECORD has.
///
/// # Errors
///
/// That of [`take_length`].
#[inline]
pub fn take_fields<'de, S: Source<'de>>(source: &mut S) -> Result<usize, S::Error> {
    take_length(source, FIELD_SIZE)
}

/// The four bytes before a field of a record, and in a column of a TABLE.
#[must_use]
#[inline]
pub const fn field_key(hash: u32) -> [u8; 4] {
    (hash | ARGUMENT).to_be_bytes()
}

/// The hash in the bytes of [`field_key`], with or without the first bit.
#[must_use]
#[inline]
pub const fn hash_in(key: [u8; 4]) -> u32 {
    u32::from_be_bytes(key) & !ARGUMENT
}

/// Takes the hashed name of a field or column.
///
/// # Errors
///
/// `FieldTag` if the first bit is not set.
#[inline]
pub fn take_field<'de, S: Source<'de>>(source: &mut S) -> Result<u32, S::Error> {
    let place = source.place();
    let found = u32::from_be_bytes(source.take_array()?);
    match found & ARGUMENT {
        0 => Err(source.fail(place, || ErrorKind::FieldTag { found })),
        _ => Ok(found & !ARGUMENT),
    }
}

/// Takes the hashed name of a variant, and whether an argument follows.
///
/// # Errors
///
/// `UnexpectedEnd`.
#[inline]
pub fn take_variant<'de, S: Source<'de>>(source: &mut S) -> Result<(u32, bool), S::Error> {
    let found = u32::from_be_bytes(source.take_array()?);
    Ok((found & !ARGUMENT, found & ARGUMENT != 0))
}

/// Takes the byte of a num_variant: its number, and whether an argument follows.
///
/// # Errors
///
/// `UnexpectedEnd`.
#[inline]
pub fn take_num_variant<'de, S: Source<'de>>(source: &mut S) -> Result<(u8, bool), S::Error> {
    let [found] = source.take_array()?;
    Ok((found & !NUM_ARGUMENT, found & NUM_ARGUMENT != 0))
}

/// Takes the byte of an option: whether a value follows.
///
/// # Errors
///
/// `NumVariant` if it is neither.
#[inline]
pub fn take_option<'de, S: Source<'de>>(source: &mut S) -> Result<bool, S::Error> {
    let place = source.place();
    match source.take_array()? {
        [NONE] => Ok(false),
        [SOME] => Ok(true),
        [found] => {
            Err(source.fail(place, || ErrorKind::NumVariant { number: found & !NUM_ARGUMENT }))
        }
    }
}

/// Whether a list of tuples may be a map: the first one, which begins here after its tag, has two
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
///
/// # Errors
///
/// `InvalidBool`.
#[inline]
pub fn take_bool<'de, S: Source<'de>>(source: &mut S) -> Result<bool, S::Error> {
    let place = source.place();
    let [found] = source.take_array()?;
    to_bool(found).ok_or_else(|| source.fail(place, || ErrorKind::InvalidBool { found }))
}

/// Takes a unit.
///
/// # Errors
///
/// `InvalidUnit`.
#[inline]
pub fn take_unit<'de, S: Source<'de>>(source: &mut S) -> Result<(), S::Error> {
    let place = source.place();
    match source.take_array()? {
        [UNIT] => Ok(()),
        [found] => Err(source.fail(place, || ErrorKind::InvalidUnit { found })),
    }
}

/// Takes a string's length and bytes; also returns where the bytes begin.
///
/// # Errors
///
/// That of [`take_length`].
#[inline]
pub fn take_string<'de, S: Source<'de>>(source: &mut S) -> Result<(&'de [u8], S::Place), S::Error> {
    let length = take_length(source, 1)?;
    let place = source.place();
    Ok((source.take(length)?, place))
}

/// The distance of a SHARED that is no reference: its value follows.
pub const HERE: u8 = 0;

/// The distance of a reference, from what follows the tag of a SHARED.
#[inline]
pub(super) fn reference(distance: u128) -> Option<u128> {
    Some(distance).filter(|distance| *distance != u128::from(HERE))
}

/// Takes the distance of a SHARED, if it is a reference.
///
/// # Errors
///
/// That of [`take_uvint`].
#[inline]
pub fn take_shared<'de, S: Source<'de>>(source: &mut S) -> Result<Option<u128>, S::Error> {
    source.take_uvint().map(reference)
}

/// The offset of the value to which the reference at `start` leads.
#[must_use]
pub fn target(start: usize, distance: u128) -> Option<usize> {
    usize::try_from(distance).ok().and_then(|distance| start.checked_sub(distance))
}
