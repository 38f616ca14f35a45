//! Where the bytes go: into memory, or on to a writer.
//!
//! What is called for every value is always inlined, for the reason in [`encoder`](super::encoder).

use crate::buffer::Buffer;
use crate::error::CommonKind;
use crate::io::Write;
use crate::tsm::wire::COUNT_SIZE;
use crate::tsm::{Error, Result};

/// Writes bytes at an offset, and returns the offset after them.
pub(super) trait Output {
    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> Result<usize>;

    fn put_bytes(&mut self, at: usize, bytes: &[u8]) -> Result<usize>;

    /// Takes the length of `bytes`, which is `count`, and `bytes`.
    fn put_counted(&mut self, at: usize, count: [u8; COUNT_SIZE], bytes: &[u8]) -> Result<usize>;

    /// The buffer that this is, if it is one.
    fn memory(&mut self) -> Option<&mut Buffer>;

    /// Buffers the output from `at` on, so that its count can be inserted before it.
    fn hold(&mut self, at: usize);

    /// Overwrites the buffered bytes at `at` with a count.
    fn patch(&mut self, at: usize, count: [u8; COUNT_SIZE]);

    /// Writes on what was kept last, which ends at `end`.
    fn release(&mut self, end: usize) -> Result<()>;

    /// Forgets what is kept of a value that was refused.
    fn forget(&mut self);
}

impl Output for Buffer {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> Result<usize> {
        Ok(Buffer::put(self, at, bytes))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_bytes(&mut self, at: usize, bytes: &[u8]) -> Result<usize> {
        Ok(Buffer::put_bytes(self, at, bytes))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_counted(&mut self, at: usize, count: [u8; COUNT_SIZE], bytes: &[u8]) -> Result<usize> {
        Ok(Buffer::put_counted(self, at, count, bytes))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn memory(&mut self) -> Option<&mut Buffer> {
        Some(self)
    }

    /// A buffer keeps everything.
    fn hold(&mut self, _: usize) {}

    fn patch(&mut self, at: usize, count: [u8; COUNT_SIZE]) {
        Buffer::patch(self, at, count);
    }

    fn release(&mut self, _: usize) -> Result<()> {
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn forget(&mut self) {}
}

/// A writer. Offsets are the number of bytes that it got, modulo the range of `usize`.
#[derive(Debug)]
pub(super) struct Stream<W> {
    writer: W,
    buffered: Option<Buffered>,
}

/// Sequences whose counts are not known yet: the outermost and all inside.
#[derive(Debug)]
struct Buffered {
    buffer: Buffer,
    /// Where it begins.
    start: usize,
    /// How many sequences are open.
    open: usize,
}

impl<W> Stream<W> {
    pub(super) fn new(writer: W) -> Self {
        Stream { writer, buffered: None }
    }

    /// Writes bytes into the buffer. Positions outside of it are after an element that was refused while it
    /// was buffered, so the value is refused as well.
    #[cold]
    fn put_buffered(buffered: &mut Buffered, at: usize, bytes: &[u8]) {
        let at = at.wrapping_sub(buffered.start);
        if !buffered.buffer.lacks_ready(at, 0) {
            buffered.buffer.put_bytes(at, bytes);
        }
    }

    pub(super) fn into_inner(self) -> W {
        self.writer
    }
}

impl<W: Write> Output for Stream<W> {
    #[inline]
    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> Result<usize> {
        self.put_bytes(at, &bytes)
    }

    #[inline]
    fn put_bytes(&mut self, at: usize, bytes: &[u8]) -> Result<usize> {
        match &mut self.buffered {
            None => self
                .writer
                .write_all(bytes)
                .map_err(|error| Error::placeless(CommonKind::Io(error)))?,
            Some(buffered) => Self::put_buffered(buffered, at, bytes),
        }
        Ok(at.wrapping_add(bytes.len()))
    }

    #[inline]
    fn put_counted(&mut self, at: usize, count: [u8; COUNT_SIZE], bytes: &[u8]) -> Result<usize> {
        let at = self.put(at, count)?;
        self.put_bytes(at, bytes)
    }

    #[inline]
    fn memory(&mut self) -> Option<&mut Buffer> {
        None
    }

    fn hold(&mut self, at: usize) {
        let new = || Buffered { buffer: Buffer::new(), start: at, open: 0 };
        self.buffered.get_or_insert_with(new).open += 1;
    }

    fn patch(&mut self, at: usize, count: [u8; COUNT_SIZE]) {
        if let Some(buffered) = &mut self.buffered {
            buffered.buffer.patch(at.wrapping_sub(buffered.start), count);
        }
    }

    fn release(&mut self, end: usize) -> Result<()> {
        if let Some(buffered) = &mut self.buffered {
            buffered.open -= 1;
        }
        match self.buffered.take_if(|buffered| buffered.open == 0) {
            None => Ok(()),
            Some(Buffered { buffer, start, .. }) => {
                self.put_bytes(start, buffer.written(end.wrapping_sub(start))).map(drop)
            }
        }
    }

    #[inline]
    fn forget(&mut self) {
        self.buffered = None;
    }
}
