//! A checked cursor over the input with its offset.

use crate::error::{CommonKind, Error};

/// A cursor over bytes with their offset in the input. The functions of each format's `wire` read from it.
///
/// `K` of its errors is the format's `ErrorKind`.
///
/// ```
/// use fourfold::Reader;
/// use fourfold::molecule::Error;
///
/// let mut reader = Reader::new(&[7, 0, 1, 2], 100);
/// let number: Result<[u8; 2], Error> = reader.take_array();
/// assert_eq!(number?, [7, 0]);
/// assert_eq!((reader.offset(), reader.rest()), (102, &[1, 2][..]));
/// let error: Error = reader.take(3).unwrap_err();
/// assert_eq!(error.to_string(), "input ends early: 3 bytes needed, 2 left at byte 102");
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reader<'de> {
    rest: &'de [u8],
    /// Where the bytes end in the input. It never changes; an offset would be stored again for each number.
    end: usize,
}

impl<'de> Reader<'de> {
    /// A reader over `bytes`, which begin at `offset` of the input.
    #[must_use]
    #[inline]
    pub fn new(bytes: &'de [u8], offset: usize) -> Self {
        Reader { rest: bytes, end: offset.saturating_add(bytes.len()) }
    }

    /// A reader over an input without its first `taken` bytes.
    #[must_use]
    pub fn after(bytes: &'de [u8], taken: usize) -> Self {
        Reader::new(bytes.get(taken..).unwrap_or_default(), taken)
    }

    /// The offset of the next byte in the input.
    #[must_use]
    #[inline]
    pub fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    /// How many bytes are left.
    #[must_use]
    #[inline]
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// The bytes that `later`, a copy of this reader, has taken since.
    #[must_use]
    pub fn up_to(&self, later: &Self) -> &'de [u8] {
        let taken = self.left().saturating_sub(later.left());
        self.rest.get(..taken).unwrap_or_default()
    }

    /// The bytes that are left, without taking them.
    #[must_use]
    #[inline]
    pub fn rest(&self) -> &'de [u8] {
        self.rest
    }

    /// The next byte, without taking it.
    #[must_use]
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    /// Takes the next `len` bytes.
    ///
    /// # Errors
    ///
    /// `UnexpectedEnd` if there are fewer.
    #[inline]
    pub fn take<K: From<CommonKind>>(&mut self, len: usize) -> Result<&'de [u8], Error<K>> {
        let Some((head, tail)) = self.rest.split_at_checked(len) else {
            return Err(self.ends_early(len));
        };
        self.rest = tail;
        Ok(head)
    }

    /// Takes the next `N` bytes as an array.
    ///
    /// # Errors
    ///
    /// `UnexpectedEnd` if there are fewer.
    #[inline]
    pub fn take_array<const N: usize, K: From<CommonKind>>(&mut self) -> Result<[u8; N], Error<K>> {
        let Some((head, tail)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.ends_early(N));
        };
        self.rest = tail;
        Ok(*head)
    }

    /// Takes `len` bytes that were looked at. It does nothing if there are fewer.
    #[inline]
    pub fn skip(&mut self, len: usize) {
        if let Some(rest) = self.rest.get(len..) {
            self.rest = rest;
        }
    }

    /// Refuses unread bytes.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if there are any.
    #[inline]
    pub fn finish<K: From<CommonKind>>(&self) -> Result<(), Error<K>> {
        match self.rest.len() {
            0 => Ok(()),
            count => Err(Error::at(CommonKind::TrailingBytes { count }, self.offset())),
        }
    }

    #[cold]
    fn ends_early<K: From<CommonKind>>(&self, needed: usize) -> Error<K> {
        Error::at(CommonKind::UnexpectedEnd { needed, left: self.rest.len() }, self.offset())
    }
}
