//! Where bytes are taken from. Knows no rule of the format.

use super::vint::uvint;
use crate::biniou::{Error, ErrorKind};
use crate::read::Reader;

/// A cursor over bytes: a [`Reader`], which says what is wrong and where, or one whose errors say nothing.
pub(in crate::biniou) trait Source<'de> {
    type Error;

    /// Where an error is, for one that says it.
    type Place: Copy;

    /// Where the next byte lies.
    fn place(&self) -> Self::Place;

    /// How many bytes are left.
    fn left(&self) -> usize;

    /// Takes the next `len` bytes.
    fn take(&mut self, len: usize) -> Result<&'de [u8], Self::Error>;

    /// Takes the next `N` bytes as an array.
    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Self::Error>;

    /// The error for what lies at `place`.
    fn fault(&mut self, place: Self::Place, kind: impl FnOnce() -> ErrorKind) -> Self::Error;

    /// Takes an unsigned vint.
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
    fn fault(&mut self, place: usize, kind: impl FnOnce() -> ErrorKind) -> Error {
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
