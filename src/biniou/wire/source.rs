//! Where bytes are taken from.

use super::vint::uvint;
use crate::biniou::{Error, ErrorKind};
use crate::read::Reader;

/// A cursor over bytes: a [`Reader`], whose errors have the kind and the offset, or one of your own, for example
/// one that only counts errors.
pub trait Source<'de> {
    /// What a function of [`wire`](super) fails with.
    type Error;

    /// The place of an error: an offset, or `()` for a cursor whose errors have none.
    type Place: Copy;

    /// The place of the next byte.
    fn place(&self) -> Self::Place;

    /// How many bytes are left.
    fn left(&self) -> usize;

    /// Takes the next `len` bytes.
    ///
    /// # Errors
    ///
    /// If there are fewer.
    fn take(&mut self, len: usize) -> Result<&'de [u8], Self::Error>;

    /// Takes the next `N` bytes as an array.
    ///
    /// # Errors
    ///
    /// If there are fewer.
    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Self::Error>;

    /// The error for the bytes at `place`.
    fn fail(&mut self, place: Self::Place, kind: impl FnOnce() -> ErrorKind) -> Self::Error;

    /// Takes an unsigned vint, as [`take_uvint`](super::take_uvint) does.
    ///
    /// # Errors
    ///
    /// Those of [`take_uvint`](super::take_uvint).
    #[inline]
    fn take_uvint(&mut self) -> Result<u128, Self::Error>
    where
        Self: Sized,
    {
        super::take_uvint(self)
    }
}

impl<'de> Source<'de> for Reader<'de> {
    type Error = Error;
    type Place = usize;

    #[inline]
    fn place(&self) -> usize {
        self.offset()
    }

    #[inline]
    fn left(&self) -> usize {
        Reader::left(self)
    }

    #[inline]
    fn take(&mut self, len: usize) -> Result<&'de [u8], Error> {
        Reader::take(self, len)
    }

    #[inline]
    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        Reader::take_array(self)
    }

    #[cold]
    fn fail(&mut self, place: usize, kind: impl FnOnce() -> ErrorKind) -> Error {
        Error::at(kind(), place)
    }

    #[inline]
    fn take_uvint(&mut self) -> Result<u128, Error> {
        match uvint(self.rest()) {
            (number, size @ 1..) => {
                self.skip(size);
                Ok(number.into())
            }
            // It has more than 64 bits, or is none.
            _ => super::take_uvint(self),
        }
    }
}
