//! Where the bytes go: into memory, or on to a writer.

use alloc::vec::Vec;

use crate::error::Fault;
use crate::io::Write;
use crate::tsm::{Error, Result};

/// Takes bytes and counts them.
pub trait Output {
    fn put(&mut self, bytes: &[u8]) -> Result<()>;

    /// Hands out the vector that the bytes are in, if they are in one, until
    /// [`give_back`](Output::give_back). What is put meanwhile goes behind it.
    fn lend(&mut self) -> Option<Vec<u8>>;

    fn give_back(&mut self, bytes: Vec<u8>);

    /// How many bytes there were.
    fn position(&self) -> u64;
}

impl Output for Vec<u8> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    #[inline]
    fn lend(&mut self) -> Option<Vec<u8>> {
        Some(core::mem::take(self))
    }

    #[inline]
    fn give_back(&mut self, bytes: Vec<u8>) {
        let behind = core::mem::replace(self, bytes);
        self.extend_from_slice(&behind);
    }

    #[inline]
    fn position(&self) -> u64 {
        // A vector's length always fits.
        u64::try_from(self.len()).unwrap_or(u64::MAX)
    }
}

/// A writer, and how many bytes it got.
#[derive(Debug)]
pub struct Stream<W> {
    writer: W,
    written: u64,
}

impl<W> Stream<W> {
    pub(super) fn new(writer: W) -> Self {
        Stream { writer, written: 0 }
    }

    pub(super) fn into_inner(self) -> W {
        self.writer
    }
}

impl<W: Write> Output for Stream<W> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes).map_err(|error| Error::placeless(Fault::Io(error)))?;
        self.written = self.written.wrapping_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        Ok(())
    }

    #[inline]
    fn lend(&mut self) -> Option<Vec<u8>> {
        None
    }

    fn give_back(&mut self, _: Vec<u8>) {}

    #[inline]
    fn position(&self) -> u64 {
        self.written
    }
}
