//! Where the bytes go: into memory, or on to a writer.

use alloc::vec::Vec;

use crate::io::{Error, Write};

/// The minimum that is added, so that small messages do not grow often.
const LEAST: usize = 64;

/// Bytes whose memory grows by half, where a `Vec` doubles: so a message of a gibibyte never has
/// another unused gibibyte.
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

/// Takes bytes in order, and headers that are inserted before them later.
pub trait Sink {
    /// Appends bytes.
    fn put(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// Keeps the bytes that follow, and returns where they begin.
    fn hold(&mut self) -> usize;

    /// Releases what was buffered last, after `head`.
    fn release(&mut self, start: usize, head: &[u8]) -> Result<(), Error>;

    /// Forgets what is kept of a value that was refused.
    fn forget(&mut self);
}

impl Sink for Output {
    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.bytes.capacity() - self.bytes.len() < bytes.len() {
            self.grow(bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Memory keeps everything.
    fn hold(&mut self) -> usize {
        self.bytes.len()
    }

    fn release(&mut self, start: usize, head: &[u8]) -> Result<(), Error> {
        self.bytes.splice(start..start, head.iter().copied());
        Ok(())
    }

    fn forget(&mut self) {}
}

/// A writer.
#[derive(Debug)]
pub(super) struct Stream<W> {
    pub(super) writer: W,
    /// Sequences whose counts are not known yet: the outermost and all inside ..
    buffered: Vec<u8>,
    /// .. and how many are open.
    open: usize,
}

impl<W> Stream<W> {
    pub(super) fn new(writer: W) -> Self {
        Stream { writer, buffered: Vec::new(), open: 0 }
    }
}

impl<W: Write> Sink for Stream<W> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        match self.open {
            0 => self.writer.write_all(bytes),
            _ => {
                self.buffered.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn hold(&mut self) -> usize {
        self.open += 1;
        self.buffered.len()
    }

    fn release(&mut self, start: usize, head: &[u8]) -> Result<(), Error> {
        self.buffered.splice(start..start, head.iter().copied());
        self.open -= 1;
        match self.open {
            0 => self.writer.write_all(&core::mem::take(&mut self.buffered)),
            _ => Ok(()),
        }
    }

    fn forget(&mut self) {
        self.buffered.clear();
        self.open = 0;
    }
}
