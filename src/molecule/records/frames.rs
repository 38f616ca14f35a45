//! The bytes of records, which are not read.

use core::fmt;
use core::num::NonZeroUsize;

use super::WithPlaces;
use crate::limits::DEFAULT_MAX_INPUT;
use crate::molecule::Result;
use crate::molecule::wire::Framing;
#[cfg(feature = "std")]
use crate::{buffered::Buffered, error::CommonKind, io, molecule::Error};

/// The bytes of each of the concatenated records, without reading their content.
///
/// Over a slice it is an iterator; over a reader, [`next_frame`](Frames::next_frame) lends one record at a time.
/// It ends as [`Records`](super::Records) does. To count records:
///
/// ```
/// use fourfold::molecule::Frames;
///
/// let bytes = [9, 0, 0, 0, 8, 0, 0, 0, 1, 4, 0, 0, 0];
/// assert_eq!(Frames::from_slice(&bytes).filter(Result::is_ok).count(), 2);
/// for (place, frame) in Frames::from_slice(&bytes).with_places() {
///     assert_eq!(frame?, &bytes[place]);
/// }
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[derive(Clone)]
pub struct Frames<S> {
    source: S,
    framing: Framing,
    max_input: u64,
    /// Where the next record begins, counted from the start of the stream.
    offset: usize,
    ended: bool,
}

impl<S> fmt::Debug for Frames<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Frames { framing, offset, ended, .. } = self;
        f.debug_struct("Frames")
            .field("framing", framing)
            .field("offset", offset)
            .field("ended", ended)
            .finish_non_exhaustive()
    }
}

impl<S> Frames<S> {
    const fn new(source: S) -> Self {
        let (framing, max_input) = (Framing::FullSize, DEFAULT_MAX_INPUT);
        Frames { source, framing, max_input, offset: 0, ended: false }
    }

    /// All records have this size, and need not begin with it.
    #[must_use]
    pub fn of_size(self, size: NonZeroUsize) -> Self {
        Frames { framing: Framing::Fixed(size), ..self }
    }

    /// Maximum number of bytes of one record of a reader; 1 GiB by default.
    #[must_use]
    pub fn max_input(self, bytes: u64) -> Self {
        Frames { max_input: bytes, ..self }
    }

    /// Where the next record begins, counted from the start of the stream.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl<'de> Frames<&'de [u8]> {
    /// The records in `bytes`.
    #[must_use]
    pub const fn from_slice(bytes: &'de [u8]) -> Self {
        Self::new(bytes)
    }

    /// The bytes of the records that are left.
    #[cfg(feature = "rayon")]
    pub(super) fn rest(&self) -> &'de [u8] {
        if self.ended { &[] } else { self.source }
    }

    /// The size of each record, if all have one.
    #[cfg(feature = "rayon")]
    pub(super) fn of_one_size(&self) -> Option<NonZeroUsize> {
        match self.framing {
            Framing::Fixed(size) => Some(size),
            Framing::FullSize => None,
        }
    }

    /// The record that is all of `bytes`, which begin at `start`.
    #[cfg(feature = "rayon")]
    pub(super) fn whole(&self, bytes: &'de [u8], start: usize) -> Result<&'de [u8]> {
        match self.framing.split(bytes) {
            Ok((frame, _)) => Ok(frame),
            Err(error) => Err(error.moved(start)),
        }
    }

    /// Also returns the place of each record.
    ///
    /// The range is empty where an error ends the iterator.
    #[must_use]
    pub fn with_places(self) -> WithPlaces<Self> {
        WithPlaces { inner: self }
    }
}

impl<'de> Iterator for Frames<&'de [u8]> {
    type Item = Result<&'de [u8]>;

    fn next(&mut self) -> Option<Result<&'de [u8]>> {
        if self.ended || self.source.is_empty() {
            return None;
        }
        match self.framing.split(self.source) {
            Ok((frame, rest)) => {
                self.source = rest;
                self.offset = self.offset.saturating_add(frame.len());
                Some(Ok(frame))
            }
            Err(error) => {
                self.ended = true;
                Some(Err(error.moved(self.offset)))
            }
        }
    }
}

impl core::iter::FusedIterator for Frames<&[u8]> {}

#[cfg(feature = "std")]
impl<R: io::Read> Frames<Buffered<R>> {
    /// The records of `reader`.
    #[must_use]
    pub const fn from_reader(reader: R) -> Self {
        Self::new(Buffered::new(reader))
    }

    /// The bytes of the next record; `None` after the last one and after an error.
    ///
    /// # Errors
    ///
    /// `UnexpectedEnd` if the stream ends within the record, `ShortFullSize` if that states less than 4 bytes,
    /// `InputLimit` if it states more than are [allowed](Frames::max_input), `Io` if the reader fails.
    ///
    /// ```
    /// use fourfold::molecule::Frames;
    ///
    /// let file: &[u8] = &[4, 0, 0, 0, 5, 0, 0, 0, 7];
    /// let mut frames = Frames::from_reader(file);
    /// let mut sizes = Vec::new();
    /// while let Some(frame) = frames.next_frame() {
    ///     sizes.push(frame?.len());
    /// }
    /// assert_eq!(sizes, [4, 5]);
    /// # Ok::<(), fourfold::molecule::Error>(())
    /// ```
    pub fn next_frame(&mut self) -> Option<Result<&[u8]>> {
        if self.ended {
            return None;
        }
        match self.find() {
            Ok(Some(size)) => {
                self.offset = self.offset.saturating_add(size);
                Some(Ok(self.source.consume(size)))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = true;
                Some(Err(error.moved(self.offset)))
            }
        }
    }

    /// Reads until the next record is complete, and returns its length. `None` if there is none.
    fn find(&mut self) -> Result<Option<usize>> {
        let limit = self.max_input;
        loop {
            let ready = self.source.ready();
            match self.framing.size(ready)? {
                // Lossless: no `usize` has more than 64 bits.
                Some(size)
                    if u64::try_from(size).unwrap_or(u64::MAX) > limit && !ready.is_empty() =>
                {
                    return Err(Error::at(CommonKind::InputLimit { limit }, 0));
                }
                Some(size) if size <= ready.len() => return Ok(Some(size)),
                _ => {}
            }
            if !self.source.read_on()? {
                return match self.source.ready() {
                    [] => Ok(None),
                    cut => Err(self.framing.cut(cut)),
                };
            }
        }
    }
}
