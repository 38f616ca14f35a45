//! A cursor whose errors have no content, for readers that leave unusual input to others.

use fourfold::biniou::ErrorKind;
use fourfold::biniou::wire::vint::{outlined_uvint, size_of_uvint};
use fourfold::biniou::wire::{Source, VINT_MORE};

use crate::foresight::Failed;

type Result<T> = core::result::Result<T, Failed>;

/// A cursor without an offset.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'de>(pub(super) &'de [u8]);

impl Bytes<'_> {
    /// Skips a vint of 56 bits at most, which fits any integer.
    #[inline]
    pub(super) fn pass_uvint(&mut self) -> Result<()> {
        let size = size_of_uvint(self.0).ok_or(Failed)?;
        self.take(size).map(drop)
    }
}

impl<'de> Source<'de> for Bytes<'de> {
    type Error = Failed;
    type Place = ();

    #[inline]
    fn place(&self) {}

    #[inline]
    fn left(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn take(&mut self, len: usize) -> Result<&'de [u8]> {
        let (head, tail) = self.0.split_at_checked(len).ok_or(Failed)?;
        self.0 = tail;
        Ok(head)
    }

    #[inline]
    fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (head, tail) = self.0.split_first_chunk().ok_or(Failed)?;
        self.0 = tail;
        Ok(*head)
    }

    #[inline]
    fn fail(&mut self, (): (), _: impl FnOnce() -> ErrorKind) -> Failed {
        Failed
    }

    /// One that fits 64 bits.
    #[inline]
    fn take_uvint(&mut self) -> Result<u128> {
        // Most are lengths, which are short.
        if let Some((number, rest)) = self.0.split_first().filter(|(byte, _)| **byte < VINT_MORE) {
            self.0 = rest;
            return Ok((*number).into());
        }
        let (number, size) = outlined_uvint(self.0);
        match self.0.get(size..) {
            Some(rest) if size != 0 => {
                self.0 = rest;
                Ok(number.into())
            }
            _ => Err(Failed),
        }
    }
}
