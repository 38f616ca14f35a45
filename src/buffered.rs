//! A buffered reader whose bytes are consumed in pieces.

use alloc::vec::Vec;

use crate::error::{CommonKind, Error};
use crate::io::{self, Read};

/// How many bytes are requested from a reader at once.
const READ_SIZE: usize = 8 << 10;

/// A larger buffer is freed after the large piece that needed it.
const KEPT: usize = 8 * READ_SIZE;

/// The unconsumed bytes of a stream: the source of an iterator over a reader.
#[derive(Debug)]
pub struct Buffered<R> {
    reader: R,
    buffer: Vec<u8>,
    /// How much of the buffer has been consumed.
    done: usize,
}

impl<R> Buffered<R> {
    pub(crate) const fn new(reader: R) -> Self {
        Buffered { reader, buffer: Vec::new(), done: 0 }
    }

    /// The buffered input that is not consumed yet.
    pub(crate) fn ready(&self) -> &[u8] {
        self.buffer.get(self.done..).unwrap_or_default()
    }

    /// Consumes the next `len` bytes of the buffered input.
    pub(crate) fn consume(&mut self, len: usize) -> &[u8] {
        let start = self.done;
        self.done = start.saturating_add(len).min(self.buffer.len());
        self.buffer.get(start..self.done).unwrap_or_default()
    }
}

impl<R: Read> Buffered<R> {
    /// Reads on, once; `false` at the end of the stream. Memory is reserved for bytes that have come.
    ///
    /// The offset of an error counts from the first unconsumed byte.
    pub(crate) fn read_on<K: From<CommonKind>>(&mut self) -> Result<bool, Error<K>> {
        self.buffer.drain(..self.done);
        self.done = 0;
        if self.buffer.capacity() > KEPT && self.buffer.len() < READ_SIZE {
            self.buffer.shrink_to(KEPT);
        }
        let mut bytes = [0; READ_SIZE];
        loop {
            match self.reader.read(&mut bytes) {
                Ok(count) => {
                    self.buffer.extend_from_slice(bytes.get(..count).unwrap_or(&bytes));
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::at(CommonKind::Io(error), self.buffer.len())),
            }
        }
    }
}
