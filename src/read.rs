//! A checked cursor over the input that knows its offset.
//! Knows nothing of tags, headers or serde.

use crate::error::{Error, Fault};

/// The unread bytes of a part of the input, and where they lie in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'de> {
    rest: &'de [u8],
    /// Where the bytes end in the input. It never changes; an offset would be stored again for each number.
    end: usize,
}

impl<'de> Reader<'de> {
    /// A reader over `bytes`, which begin at `offset` of the input.
    pub(crate) fn new(bytes: &'de [u8], offset: usize) -> Self {
        Reader { rest: bytes, end: offset + bytes.len() }
    }

    /// A reader over what is left of an input of which `taken` bytes were taken.
    pub(crate) fn behind(bytes: &'de [u8], taken: usize) -> Self {
        Reader::new(bytes.get(taken..).unwrap_or_default(), taken)
    }

    /// Where the next byte lies in the input.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    /// The bytes up to where `later`, which was this reader, has come.
    #[cfg(feature = "schema")]
    pub(crate) fn up_to(&self, later: &Self) -> &'de [u8] {
        let taken = self.left().saturating_sub(later.left());
        self.rest.get(..taken).unwrap_or_default()
    }

    /// The bytes that are left, without taking them.
    #[inline]
    pub(crate) fn rest(&self) -> &'de [u8] {
        self.rest
    }

    /// The next byte, without taking it.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    /// Takes the next `len` bytes.
    #[inline]
    pub(crate) fn take<K: From<Fault>>(&mut self, len: usize) -> Result<&'de [u8], Error<K>> {
        let Some((head, tail)) = self.rest.split_at_checked(len) else {
            return Err(self.ends_early(len));
        };
        self.rest = tail;
        Ok(head)
    }

    /// Takes the next `N` bytes as an array.
    #[inline]
    pub(crate) fn take_array<const N: usize, K: From<Fault>>(
        &mut self,
    ) -> Result<[u8; N], Error<K>> {
        let Some((head, tail)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.ends_early(N));
        };
        self.rest = tail;
        Ok(*head)
    }

    /// Takes `len` bytes that were looked at.
    #[inline]
    pub(crate) fn skip(&mut self, len: usize) {
        if let Some(rest) = self.rest.get(len..) {
            self.rest = rest;
        }
    }

    /// Refuses unread bytes.
    #[inline]
    pub(crate) fn finish<K: From<Fault>>(&self) -> Result<(), Error<K>> {
        match self.rest.len() {
            0 => Ok(()),
            count => Err(Error::at(Fault::TrailingBytes { count }, self.offset())),
        }
    }

    #[cold]
    fn ends_early<K: From<Fault>>(&self, needed: usize) -> Error<K> {
        Error::at(Fault::UnexpectedEnd { needed, left: self.rest.len() }, self.offset())
    }
}
