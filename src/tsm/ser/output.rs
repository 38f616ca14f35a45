//! Where the bytes go: into memory, or on to a writer.

use crate::buffer::{Buffer, WINDOW};
use crate::error::Fault;
use crate::io::Write;
use crate::tsm::wire::COUNT_SIZE;
use crate::tsm::{Error, Result};

/// Takes bytes at a place, and tells the place behind them.
pub(super) trait Output {
    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) -> Result<usize>;

    fn put_bytes(&mut self, at: usize, bytes: &[u8]) -> Result<usize>;

    /// Takes the length of `bytes`, which is `count`, and `bytes`.
    fn put_counted(&mut self, at: usize, count: [u8; COUNT_SIZE], bytes: &[u8]) -> Result<usize>;

    /// Takes the bytes that `write` puts into a window, if it tells their number.
    fn put_window(
        &mut self,
        at: usize,
        write: impl FnOnce(&mut [u8; WINDOW]) -> Option<usize>,
    ) -> Result<Option<usize>>;

    /// All the room there is at `at`, of `count` bytes at least, where there is any.
    fn room(&mut self, at: usize, count: usize) -> Option<&mut [u8]>;

    /// The room that is at `at` without taking memory, and as much of it as `wanted` at least, where
    /// there can be any.
    fn present(&mut self, at: usize, wanted: usize) -> Option<&mut [u8]>;

    /// The buffer that this is, if it is one.
    fn memory(&mut self) -> Option<&mut Buffer>;
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
    fn put_window(
        &mut self,
        at: usize,
        write: impl FnOnce(&mut [u8; WINDOW]) -> Option<usize>,
    ) -> Result<Option<usize>> {
        Ok(self.window(at).and_then(write).map(|size| at + size))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn room(&mut self, at: usize, count: usize) -> Option<&mut [u8]> {
        Some(Buffer::room(self, at, count))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn present(&mut self, at: usize, wanted: usize) -> Option<&mut [u8]> {
        Some(Buffer::present(self, at, wanted))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn memory(&mut self) -> Option<&mut Buffer> {
        Some(self)
    }
}

/// A writer. Places are the number of bytes it got, as far as a `usize` counts.
#[derive(Debug)]
pub(super) struct Stream<W> {
    writer: W,
}

impl<W> Stream<W> {
    pub(super) fn new(writer: W) -> Self {
        Stream { writer }
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
        self.writer.write_all(bytes).map_err(|error| Error::placeless(Fault::Io(error)))?;
        Ok(at.wrapping_add(bytes.len()))
    }

    #[inline]
    fn put_counted(&mut self, at: usize, count: [u8; COUNT_SIZE], bytes: &[u8]) -> Result<usize> {
        let at = self.put(at, count)?;
        self.put_bytes(at, bytes)
    }

    #[inline]
    fn put_window(
        &mut self,
        at: usize,
        write: impl FnOnce(&mut [u8; WINDOW]) -> Option<usize>,
    ) -> Result<Option<usize>> {
        let mut window = [0; WINDOW];
        match write(&mut window).and_then(|size| window.get(..size)) {
            Some(bytes) => self.put_bytes(at, bytes).map(Some),
            None => Ok(None),
        }
    }

    #[inline]
    fn room(&mut self, _: usize, _: usize) -> Option<&mut [u8]> {
        None
    }

    #[inline]
    fn present(&mut self, _: usize, _: usize) -> Option<&mut [u8]> {
        None
    }

    #[inline]
    fn memory(&mut self) -> Option<&mut Buffer> {
        None
    }
}
