//! Where a record ends that is followed by another one.

use core::num::NonZeroUsize;

use super::{NUMBER_SIZE, number_at};
use crate::error::CommonKind;
use crate::molecule::{Error, ErrorKind, Result};

/// What shows where each of concatenated records ends.
///
/// ```
/// use fourfold::molecule::wire::Framing;
///
/// let file = [4, 0, 0, 0, 5, 0, 0, 0, 9];
/// assert_eq!(Framing::FullSize.split(&file)?, (&file[..4], &file[4..]));
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// The full size, with which tables and dynvecs begin.
    FullSize,
    /// They all have this size.
    Fixed(NonZeroUsize),
}

impl Framing {
    /// The size of the record at the start of `bytes`; `None` if they are too few to show it.
    ///
    /// # Errors
    ///
    /// `ShortFullSize`.
    pub fn size(self, bytes: &[u8]) -> Result<Option<usize>> {
        match self {
            Framing::Fixed(size) => Ok(Some(size.get())),
            Framing::FullSize => match number_at(bytes, 0) {
                Some(stated) if stated < NUMBER_SIZE => {
                    Err(Error::at(ErrorKind::ShortFullSize { stated }, 0))
                }
                size => Ok(size),
            },
        }
    }

    /// The record at the start of `bytes`, and the bytes after it.
    ///
    /// # Errors
    ///
    /// Those of [`size`](Framing::size), and `UnexpectedEnd`.
    pub fn split(self, bytes: &[u8]) -> Result<(&[u8], &[u8])> {
        let size = self.size(bytes)?;
        let whole = size.and_then(|size| bytes.split_at_checked(size));
        whole.ok_or_else(|| self.cut(bytes))
    }

    /// The error for a record that ends after `bytes`.
    #[cold]
    #[must_use]
    pub fn cut(self, bytes: &[u8]) -> Error {
        match self.size(bytes) {
            Ok(size) => {
                let (needed, left) = (size.unwrap_or(NUMBER_SIZE), bytes.len());
                Error::at(CommonKind::UnexpectedEnd { needed, left }, 0)
            }
            Err(error) => error,
        }
    }

    /// Refuses the bytes of a value that are not one record.
    #[cfg(feature = "std")]
    pub(in crate::molecule) fn check(self, bytes: &[u8]) -> Result<()> {
        let size = bytes.len();
        match self {
            Framing::FullSize if number_at(bytes, 0) == Some(size) => Ok(()),
            Framing::FullSize => Err(Error::placeless(ErrorKind::NoFullSize { size })),
            Framing::Fixed(expected) if expected.get() == size => Ok(()),
            Framing::Fixed(expected) => {
                let expected = expected.get();
                Err(Error::placeless(ErrorKind::RecordSize { size, expected }))
            }
        }
    }
}
