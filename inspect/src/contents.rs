//! Finds the elements of tensors in a file that is not in memory, by reading little of it.

pub(crate) mod primitiv;
pub(crate) mod tsm;

use std::io;
use std::ops::Range;

use crate::input::ReadAt;

/// The shortest content that is left where it is. Shorter ones are read with what is around them.
const LEAST: u64 = 256 << 10;

/// How much is read at once.
const PIECE: usize = 64 << 10;

/// Why a walk ends early.
enum WindowError {
    /// The file cannot be read.
    Io(io::Error),
    /// The bytes do not have the expected layout.
    Layout,
}

impl From<io::Error> for WindowError {
    fn from(error: io::Error) -> Self {
        WindowError::Io(error)
    }
}

/// A position in a file that is not in memory, and the bytes after it that have been read.
struct Window<'s> {
    read: &'s mut ReadAt<'s>,
    len: u64,
    at: u64,
    /// Where the piece begins.
    start: u64,
    piece: Vec<u8>,
    /// What the walk has found so far.
    found: Vec<Range<u64>>,
}

impl<'s> Window<'s> {
    /// At the beginning of a file of so many bytes.
    fn new(len: u64, read: &'s mut ReadAt<'s>) -> Self {
        Window { read, len, at: 0, start: 0, piece: Vec::new(), found: Vec::new() }
    }

    /// How many bytes are left.
    const fn left(&self) -> u64 {
        self.len.saturating_sub(self.at)
    }

    /// The next bytes, up to `most` of them.
    fn ahead(&mut self, most: usize) -> Result<&[u8], WindowError> {
        let most = usize::try_from(self.left()).map_or(most, |left| most.min(left));
        let end = self.start.saturating_add(size(self.piece.len()));
        if self.at < self.start || self.at.saturating_add(size(most)) > end {
            let wanted = usize::try_from(self.left()).map_or(PIECE, |left| PIECE.min(left));
            self.piece.clear();
            self.piece.resize(wanted.max(most), 0);
            self.start = self.at;
            (self.read)(self.at, &mut self.piece)?;
        }
        let from = usize::try_from(self.at - self.start).map_err(|_| WindowError::Layout)?;
        self.piece.get(from..from.saturating_add(most)).ok_or(WindowError::Layout)
    }

    /// Skips bytes, which have to be there.
    fn skip(&mut self, len: u64) -> Result<(), WindowError> {
        if len > self.left() {
            return Err(WindowError::Layout);
        }
        self.at += len;
        Ok(())
    }

    /// Skips bytes that no rule looks at if all of them are there.
    fn content(&mut self, len: u64) -> Result<(), WindowError> {
        let start = self.at;
        self.skip(len)?;
        if len >= LEAST {
            self.found.push(start..self.at);
        }
        Ok(())
    }

    /// The ranges that a finished walk has found, and whether it reached the end of the file.
    fn finish(self, result: Result<(), WindowError>) -> Result<(Vec<Range<u64>>, bool), io::Error> {
        match result {
            Err(WindowError::Io(error)) => Err(error),
            result => {
                let is_whole = result.is_ok() && self.left() == 0;
                Ok((self.found, is_whole))
            }
        }
    }
}

/// A length as one of a file.
fn size(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}
