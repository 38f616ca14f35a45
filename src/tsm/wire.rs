//! The bytes: counts, flags, numbers.

use super::{Error, ErrorKind, Result};
use crate::read::Reader;
use crate::text;

// The generic layer.

/// The byte before a present value, and of an absent one.
pub(super) const SOME: i8 = 1;
pub(super) const NONE: i8 = 0;

/// How many items of zero bytes one value may have. Only the count shows them.
pub(super) const MOST_EMPTY_ITEMS: usize = 4096;

/// How many more items of zero bytes a value may have.
#[derive(Clone, Copy, Debug)]
pub(super) struct EmptyItems(usize);

impl EmptyItems {
    /// Those of a value that has none yet.
    pub(super) const ALL: Self = EmptyItems(MOST_EMPTY_ITEMS);

    #[inline]
    pub(super) fn left(self) -> usize {
        self.0
    }

    /// Counts one.
    #[cold]
    pub(super) fn spend(&mut self) -> Result<()> {
        match self.0.checked_sub(1) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => Err(Error::placeless(ErrorKind::EmptyItems { limit: MOST_EMPTY_ITEMS })),
        }
    }
}

/// The bytes of a count, or of a variant's number.
#[inline]
pub(super) fn count_bytes(count: usize) -> Result<[u8; 4]> {
    match i32::try_from(count) {
        Ok(count) => Ok(count.to_le_bytes()),
        Err(_) => Err(Error::placeless(ErrorKind::TooLarge { size: count })),
    }
}

/// Takes a count of bytes. Taking the bytes then checks whether they are there.
#[inline]
pub(super) fn take_length(reader: &mut Reader<'_>) -> Result<usize> {
    let offset = reader.offset();
    let found = i32::from_le_bytes(reader.take_array()?);
    usize::try_from(found).map_err(|_| Error::at(ErrorKind::Count { found }, offset))
}

/// Takes a count of items. At most `empty` of them can take no bytes.
#[inline]
pub(super) fn take_count(reader: &mut Reader<'_>, empty: usize) -> Result<usize> {
    let offset = reader.offset();
    let claimed = take_length(reader)?;
    let left = reader.left();
    if claimed > left.saturating_add(empty) {
        return Err(Error::at(ErrorKind::CountBeyond { claimed, left }, offset));
    }
    Ok(claimed)
}

/// The text after its count, if that is what comes next, and what follows it.
#[inline]
pub(super) fn split_text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (count, rest) = bytes.split_first_chunk()?;
    let len = usize::try_from(i32::from_le_bytes(*count)).ok()?;
    Some((text::first(rest, len)?, rest.get(len..)?))
}

/// The value of a bool's byte.
#[inline]
pub(super) const fn to_bool(byte: u8) -> Option<bool> {
    match byte {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// Whether an optional value is present, by the byte before it.
#[inline]
pub(super) const fn is_some(flag: i8) -> Option<bool> {
    match flag {
        NONE => Some(false),
        SOME => Some(true),
        _ => None,
    }
}

/// The bytes of a variant's number.
#[inline]
pub(super) fn variant_bytes(index: u32) -> Result<[u8; 4]> {
    count_bytes(usize::try_from(index).unwrap_or(usize::MAX))
}

/// The error for a variant that the type does not have.
#[cold]
pub(super) fn unknown_variant(index: u32, offset: usize) -> Error {
    // It was read from an int32.
    let index = i32::try_from(index).unwrap_or(i32::MAX);
    Error::at(ErrorKind::Variant { index }, offset)
}

// The documents.

/// The code that identifies modules.
pub(super) const MAGIC: u32 = 0x1991_0929;

/// The bytes of a header, and the position of its code.
pub(super) const HEADER_SIZE: usize = 128;
pub(super) const HEADER_CODE_OFFSET: usize = 4;

/// The free bytes at the end of a header.
pub(super) const HEADER_DATA: usize = 120;

/// The bytes of a count, of an index or dim, and of the code of a dtype.
pub(super) const COUNT_SIZE: usize = 4;
pub(super) const INDEX_SIZE: usize = 4;
pub(super) const DTYPE_SIZE: usize = 1;

/// How many dims TenniS holds; it reads more and mixes up what follows.
pub(super) const MAX_DIMS: usize = 7;

/// How many elements TenniS can count, in an int32 that wraps.
pub(super) const MAX_ELEMENTS: usize = 0x7fff_ffff;

/// How long the name of a param must not be.
pub(super) const NAME_LIMIT: usize = 32;
