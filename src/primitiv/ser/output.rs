//! The bytes of a document in memory. Knows no format.

use alloc::vec::Vec;

use crate::io::{Error, Write};

/// The least that is added, so that small documents do not grow often.
const LEAST: usize = 64;

/// Bytes whose memory grows by half, where a `Vec` doubles: a document of a gibibyte is never beside a
/// gibibyte that nobody uses.
#[derive(Debug, Default)]
pub(super) struct Output {
    bytes: Vec<u8>,
}

impl Output {
    /// The bytes, by value.
    #[inline]
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let least = (self.bytes.capacity() / 2).max(LEAST);
        self.bytes.reserve_exact(count.max(least));
    }
}

impl Write for Output {
    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.bytes.capacity() - self.bytes.len() < bytes.len() {
            self.grow(bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    #[cfg(feature = "std")]
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[cfg(feature = "std")]
    fn flush(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
