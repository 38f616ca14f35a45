//! Molecule's headers, without serde: full sizes, offsets, item counts and union ids.
//!
//! For generated code, and for readers and writers that have a schema instead of Rust types. All numbers in headers have
//! 32 bits, unsigned, little-endian. `base` is the offset of the bytes in the input, which errors report.
//!
//! Reading: [`Table::parse`] checks a whole header, and [`Parts`] takes the fields or items. [`lazy_header`] checks only
//! the full size and the first offset, and each other offset is checked when its item is taken.
//!
//! ```
//! use fourfold::molecule::wire::{Parts, Table, byte_items, parse_number};
//!
//! // table Pair { id: Uint16, name: Bytes }
//! let bytes = [20, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 7, 0, 2, 0, 0, 0, b'h', b'i'];
//! let mut fields = Parts::from(Table::parse(&bytes, 0)?);
//! assert_eq!(fields.count(), 2);
//! assert_eq!(fields.take()?, Some(&[7, 0][..]));
//! assert_eq!(fields.take()?.and_then(byte_items), Some(&b"hi"[..]));
//! assert_eq!(fields.take()?, None);
//!
//! // A union: the id of its item, and the item.
//! assert_eq!(parse_number(&[1, 0, 0, 0, 9], 0)?, (1, &[9][..]));
//!
//! let error = Table::parse(&bytes[..19], 0).unwrap_err();
//! assert_eq!(error.to_string(), "input ends early: 20 bytes needed, 19 left at byte 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Writing: a header of [`header_size`] bytes, whose numbers are made by [`number_bytes`], then the items.
//!
//! ```
//! use fourfold::molecule::wire::{check_size, header_size, number_bytes};
//!
//! let items: [&[u8]; 2] = [&[7, 0], b"hi"];
//! let start = header_size(items.len());
//! let size = start + items.iter().map(|item| item.len()).sum::<usize>();
//! check_size(size)?;
//! let mut bytes = Vec::from(number_bytes(size));
//! let mut offset = start;
//! for item in items {
//!     bytes.extend(number_bytes(offset));
//!     offset += item.len();
//! }
//! bytes.extend(items.concat());
//! assert_eq!(bytes, [16, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 7, 0, b'h', b'i']);
//! # Ok::<(), fourfold::molecule::Error>(())
//! ```

mod list;
mod parts;
mod record;
#[cfg(test)]
mod tests;

#[cfg(feature = "rayon")]
pub(super) use self::list::ordered_end;
pub(super) use self::list::{
    ListParts, byte_range, check_list, dynvec_item, fixvec_item, fixvec_parts, item_range,
    lazy_part, list_parts, part_range, wrong_offset,
};
pub use self::parts::{Parts, WrongEnd};
pub use self::record::Framing;
use super::{Error, ErrorKind, Result};
use crate::error::CommonKind;
use crate::read::Reader;

/// Width of every header number: full size, offset, item count, union id.
pub const NUMBER_SIZE: usize = 4;

/// Fields of a map's entry: key and value.
pub(super) const ENTRY_FIELDS: usize = 2;

/// Upper bound on the offsets that are reserved because of a size hint.
pub(super) const MOST_RESERVED: usize = 1 << 20;

/// The size of the longest message, which header numbers can hold.
pub(super) const LONGEST_DOCUMENT: usize = match usize::BITS {
    ..=32 => usize::MAX,
    _ => (1 << (usize::BITS / 2)) - 1,
};

/// A table or dynvec without items is its full size and nothing else.
pub const EMPTY_TABLE: [u8; NUMBER_SIZE] = [4, 0, 0, 0];

/// A fixvec without items is its item count and nothing else.
pub const EMPTY_FIXVEC: [u8; NUMBER_SIZE] = [0; NUMBER_SIZE];

/// Length of the header of a table or dynvec of `count` items.
#[must_use]
#[inline]
pub const fn header_size(count: usize) -> usize {
    NUMBER_SIZE.saturating_mul(count.saturating_add(1))
}

/// Refuses a size, offset or count that a header number cannot hold.
///
/// # Errors
///
/// `TooLarge` from 4 GiB on.
#[inline]
pub fn check_size(size: usize) -> Result<()> {
    match size <= LONGEST_DOCUMENT {
        true => Ok(()),
        false => Err(Error::placeless(ErrorKind::TooLarge { size })),
    }
}

/// The header number of a size, offset or count. One that [`check_size`] refuses has none: its lowest bits are returned.
#[must_use]
#[inline]
pub fn number_bytes(size: usize) -> [u8; NUMBER_SIZE] {
    u32::try_from(size & LONGEST_DOCUMENT).unwrap_or(u32::MAX).to_le_bytes()
}

/// The size, offset or count that a header number states. Saturates if `usize` has fewer than 32
/// bits, where no input is that long.
#[must_use]
#[inline]
pub fn stated(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Takes a header number that states a size, offset or count.
///
/// # Errors
///
/// `UnexpectedEnd`.
#[inline]
pub fn take_number(reader: &mut Reader<'_>) -> Result<usize> {
    Ok(stated(u32::from_le_bytes(reader.take_array()?)))
}

/// The header number at `at` of `bytes`. `None` if the bytes end before.
#[must_use]
#[inline]
pub fn number_at(bytes: &[u8], at: usize) -> Option<usize> {
    let number = bytes.get(at..)?.first_chunk()?;
    Some(stated(u32::from_le_bytes(*number)))
}

/// The number at the start of `bytes`, and what follows it: a union's id and its payload, or a
/// fixvec's count and its items.
#[must_use]
#[inline]
pub fn split_number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// The same, or the error that there is no number.
///
/// # Errors
///
/// `UnexpectedEnd`.
pub fn parse_number(bytes: &[u8], base: usize) -> Result<(u32, &[u8])> {
    split_number(bytes).ok_or_else(|| {
        let (needed, left) = (NUMBER_SIZE, bytes.len());
        Error::at(CommonKind::UnexpectedEnd { needed, left }, base)
    })
}

/// Whether `number`, the first one of `bytes`, is the full size of a table or dynvec that takes
/// all of them.
#[inline]
pub(super) fn is_full_size(number: u32, bytes: &[u8]) -> bool {
    stated(number) == bytes.len()
}

/// Whether a sequence without a mark is a dynvec. Its first number is the full size of a dynvec and the
/// item count of a fixvec. No vector with items is both, since no item takes zero bytes.
#[inline]
pub(super) fn is_dynvec(first: u32, bytes: &[u8]) -> bool {
    is_full_size(first, bytes)
}

/// A checked `table` or `dynvec`: full size, one offset for each item, then the items.
///
/// The schema fixes the item count of a table, the data that of a dynvec.
#[derive(Clone, Copy, Debug)]
pub struct Table<'de> {
    bytes: &'de [u8],
    base: usize,
    count: usize,
}

impl<'de> Table<'de> {
    /// Checks the whole header, so that taking the items cannot fail later. All of `bytes` is the value.
    ///
    /// # Errors
    ///
    /// `UnexpectedEnd`, `FullSize`, `OddOffset`, `FirstOffset`, `HeaderBeyond`, `OffsetOrder`, `OffsetBeyond`, `ShortItem`.
    pub fn parse(bytes: &'de [u8], base: usize) -> Result<Self> {
        Self::parse_open(bytes, base, false)
    }

    /// The same, with bytes after the value if `trailing` allows them.
    pub(super) fn parse_open(bytes: &'de [u8], base: usize, trailing: bool) -> Result<Self> {
        let bytes = Self::cut(bytes, base, trailing)?;
        let full_size = bytes.len();
        if full_size == NUMBER_SIZE {
            return Ok(Table { bytes, base, count: 0 });
        }

        let mut header = Reader::new(bytes, base);
        take_number(&mut header)?;
        let count = take_offsets(&mut header, full_size, |_| {})?;
        Ok(Table { bytes, base, count })
    }

    /// Checks the full size alone, which is the whole header of a table without fields.
    ///
    /// # Errors
    ///
    /// `UnexpectedEnd` and `FullSize`.
    pub fn parse_full_size(bytes: &'de [u8], base: usize) -> Result<Self> {
        Self::parse_open_full_size(bytes, base, false)
    }

    /// The same, with bytes after the value if `trailing` allows them.
    pub(super) fn parse_open_full_size(
        bytes: &'de [u8],
        base: usize,
        trailing: bool,
    ) -> Result<Self> {
        let bytes = Self::cut(bytes, base, trailing)?;
        Ok(Table { bytes, base, count: 0 })
    }

    /// Whether the first number can be the full size of a table. One comparison excludes nearly
    /// all other values.
    #[inline]
    pub(super) fn may_begin(bytes: &[u8], trailing: bool) -> bool {
        let Some((first, _)) = split_number(bytes) else { return false };
        is_full_size(first, bytes) || (trailing && stated(first) < bytes.len())
    }

    /// The bytes that the full size claims.
    fn cut(bytes: &'de [u8], base: usize, trailing: bool) -> Result<&'de [u8]> {
        let mut header = Reader::new(bytes, base);
        let stated = take_number(&mut header)?;
        let actual = bytes.len();
        match bytes.get(..stated) {
            Some(value) if stated >= NUMBER_SIZE && (trailing || stated == actual) => Ok(value),
            // The end of a nested value is known from around it: only the whole input, or a union
            // that is the whole input, can be cut off.
            None if base <= NUMBER_SIZE => {
                Err(Error::at(CommonKind::UnexpectedEnd { needed: stated, left: actual }, base))
            }
            _ => Err(Error::at(ErrorKind::FullSize { stated, actual }, base)),
        }
    }

    /// How many items there are.
    #[must_use]
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The offset in the input of the number that determines the count: the first offset, or the full size if there are no items.
    #[must_use]
    pub fn count_offset(&self) -> usize {
        match self.count {
            0 => self.base,
            _ => self.base.saturating_add(NUMBER_SIZE),
        }
    }

    /// The whole table, without trailing bytes.
    #[must_use]
    pub fn bytes(&self) -> &'de [u8] {
        self.bytes
    }

    /// Full size and offsets.
    #[must_use]
    pub fn header(&self) -> &'de [u8] {
        self.bytes.get(..header_size(self.count)).unwrap_or(self.bytes)
    }
}

/// Takes the offsets after the full size of a table or dynvec that has items, passes each to `keep`, and returns how
/// many there are.
///
/// # Errors
///
/// Those of [`Table::parse`] for offsets.
pub fn take_offsets(
    header: &mut Reader<'_>,
    full_size: usize,
    mut keep: impl FnMut(usize),
) -> Result<usize> {
    let at = header.offset();
    // The full size determines where the value ends, so that more input would not help.
    let first = take_number(header).map_err(|error| error.map_kind(ErrorKind::in_item))?;
    // The first offset is also the header's length, which determines the count.
    if first % NUMBER_SIZE != 0 {
        return Err(Error::at(ErrorKind::OddOffset { found: first }, at));
    }
    if first < header_size(1) {
        return Err(Error::at(ErrorKind::FirstOffset { found: first }, at));
    }
    if first > full_size {
        return Err(Error::at(ErrorKind::HeaderBeyond { found: first, full_size }, at));
    }
    let count = first / NUMBER_SIZE - 1;
    keep(first);
    let mut previous = first;
    for _ in 1..count {
        let at = header.offset();
        let found = take_number(header)?;
        if found < previous {
            return Err(Error::at(ErrorKind::OffsetOrder { found, previous }, at));
        }
        if found > full_size {
            return Err(Error::at(ErrorKind::OffsetBeyond { found, full_size }, at));
        }
        keep(found);
        previous = found;
    }
    Ok(count)
}

/// The header of a table or dynvec that takes all of `bytes`: full size and offsets. Checks the
/// full size and the first offset. [`Parts`] checks each other offset when its item is taken.
#[must_use]
#[inline]
pub fn lazy_header(bytes: &[u8]) -> Option<&[u8]> {
    let (full_size, rest) = split_number(bytes)?;
    if !is_full_size(full_size, bytes) {
        return None;
    }
    match offsets(rest) {
        Some(offsets) => bytes.get(..NUMBER_SIZE + offsets.len()),
        None if rest.is_empty() => Some(bytes),
        None => None,
    }
}

/// The offsets of a table or dynvec that has parts, at the beginning of the bytes after its full size. Checks only that the
/// first one is the end of a header.
#[must_use]
#[inline]
pub fn offsets(bytes: &[u8]) -> Option<&[u8]> {
    // The first offset is also the header's length.
    match u32::from_le_bytes(*bytes.first_chunk()?) {
        first @ 8.. if first % 4 == 0 => bytes.get(..stated(first) - NUMBER_SIZE),
        _ => None,
    }
}

/// How many offsets a header has whose first offset is `first`, if it fits a value of `size` bytes.
pub(super) fn offset_count(first: usize, size: usize) -> Option<usize> {
    let fits = first % NUMBER_SIZE == 0 && first >= header_size(1) && first <= size;
    fits.then(|| first / NUMBER_SIZE - 1)
}

/// Whether `bytes` could be a table of `count` fields or, to a compatible reader, of more.
#[inline]
pub(super) fn passes_for_table(bytes: &[u8], count: usize) -> bool {
    Table::may_begin(bytes, false) && is_table(bytes, count)
}

#[cold]
#[inline(never)]
fn is_table(bytes: &[u8], count: usize) -> bool {
    Table::parse(bytes, 0).is_ok_and(|table| table.count() >= count)
}

/// The item count of a fixvec that takes all of `bytes`, and the bytes of its items, which have all the same size.
///
/// # Errors
///
/// `UnexpectedEnd`, and `ItemCount` if so many items cannot fill the bytes evenly.
pub fn parse_fixvec(bytes: &[u8], base: usize) -> Result<(usize, &[u8])> {
    parse_open_fixvec(bytes, base, false)
}

/// The same. With `trailing`, the items show where it ends.
pub(super) fn parse_open_fixvec(
    bytes: &[u8],
    base: usize,
    trailing: bool,
) -> Result<(usize, &[u8])> {
    let (count, items) = parse_number(bytes, base)?;
    let (count, body) = (stated(count), items.len());
    match is_even(count, body) || (trailing && body >= count) {
        true => Ok((count, items)),
        // No item takes less than a byte.
        false if count > body && base <= NUMBER_SIZE => {
            let (needed, left) = (count, body);
            Err(Error::at(
                CommonKind::UnexpectedEnd { needed, left },
                base.saturating_add(NUMBER_SIZE),
            ))
        }
        false => Err(Error::at(ErrorKind::ItemCount { count, body }, base)),
    }
}

/// The same of a sequence without a mark that is no dynvec ([`is_dynvec`]).
pub(super) fn parse_unmarked_fixvec(bytes: &[u8], base: usize) -> Result<(usize, &[u8])> {
    let (first, body) = parse_number(bytes, base)?;
    let (stated, actual) = (stated(first), bytes.len());
    match stated < actual && stated > body.len() {
        // Rather a dynvec with trailing bytes than a fixvec that ends early.
        true => Err(Error::at(ErrorKind::FullSize { stated, actual }, base)),
        false => parse_fixvec(bytes, base),
    }
}

/// The item count of a fixvec that takes all of `bytes`, and its items, if they can fill the bytes evenly. Values of 4 GiB,
/// which would need a slower division, are left to [`parse_fixvec`].
#[inline]
pub(super) fn even_fixvec(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (count, items) = split_number(bytes)?;
    let body = u32::try_from(items.len()).ok()?;
    let is_even = match body.checked_rem(count) {
        Some(rest) => rest == 0 && body >= count,
        None => body == 0,
    };
    is_even.then_some((stated(count), items))
}

/// The size of each of `count` items that fill `body` bytes: 0 if a slower division is needed.
#[inline]
pub(super) fn item_size(body: usize, count: usize) -> usize {
    match (u32::try_from(body), u32::try_from(count)) {
        (Ok(body), Ok(count)) => stated(body.checked_div(count).unwrap_or_default()),
        _ => 0,
    }
}

/// Checks that a value of that size takes all of `bytes`.
///
/// # Errors
///
/// `UnexpectedEnd` (`ShortItem` in a larger value) and `TrailingBytes`.
pub fn exactly(bytes: &[u8], size: usize, base: usize) -> Result<()> {
    let mut reader = Reader::new(bytes, base);
    let whole = reader.take(size).and_then(|_| reader.finish());
    match base {
        0 => whole,
        // The end is known from around it.
        _ => whole.map_err(|error: Error| error.map_kind(ErrorKind::in_item)),
    }
}

/// The bytes of a `fixvec <byte>` that takes all of `bytes`.
///
/// # Errors
///
/// `UnexpectedEnd` and `TrailingBytes`.
pub fn parse_bytes(bytes: &[u8], base: usize) -> Result<&[u8]> {
    parse_open_bytes(bytes, base, false)
}

/// The same, with bytes after it if `trailing` allows them.
#[cold]
#[inline(never)]
pub(super) fn parse_open_bytes(bytes: &[u8], base: usize, trailing: bool) -> Result<&[u8]> {
    let mut reader = Reader::new(bytes, base);
    let count = take_number(&mut reader)?;
    let body = reader.take(count)?;
    if !trailing {
        reader.finish()?;
    }
    Ok(body)
}

/// The same for one that takes all of `bytes`. [`parse_bytes`] returns what is wrong.
#[must_use]
#[inline]
pub fn byte_items(bytes: &[u8]) -> Option<&[u8]> {
    match split_number(bytes) {
        Some((count, body)) if stated(count) == body.len() => Some(body),
        _ => None,
    }
}

/// Whether `count` items of one size can fill `body` bytes. No item takes zero bytes.
#[inline]
fn is_even(count: usize, body: usize) -> bool {
    match body.checked_rem(count) {
        Some(rest) => rest == 0 && body >= count,
        None => body == 0,
    }
}
