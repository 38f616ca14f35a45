//! Readers and writers as they are in the wild: slow, interrupted, cut.

use std::io::{self, Read, Write};

/// Hands out or takes a few bytes at a time, and is interrupted in between.
pub(crate) struct Slow<S> {
    pub(crate) stream: S,
    step: usize,
    calls: usize,
}

impl<S> Slow<S> {
    pub(crate) fn new(stream: S, step: usize) -> Self {
        let calls = 0;
        Slow { stream, step, calls }
    }

    fn turn(&mut self, len: usize) -> io::Result<usize> {
        self.calls += 1;
        match self.calls % 3 {
            1 => Err(io::ErrorKind::Interrupted.into()),
            _ => Ok(len.min(self.step)),
        }
    }
}

impl<R: Read> Read for Slow<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.turn(buffer.len())?;
        self.stream.read(&mut buffer[..len])
    }
}

impl<W: Write> Write for Slow<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.turn(bytes.len())?;
        self.stream.write(&bytes[..len])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Fails after some bytes, or takes no more.
pub(crate) struct Failing {
    /// How many bytes come or go before that.
    pub(crate) left: usize,
    /// Whether it then takes no more, instead of failing.
    pub(crate) full: bool,
}

impl Failing {
    fn turn(&mut self, len: usize) -> io::Result<usize> {
        let len = len.min(self.left);
        self.left -= len;
        match len {
            0 if !self.full => Err(io::Error::other("the line is cut")),
            len => Ok(len),
        }
    }
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.turn(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.turn(buffer.len())?;
        buffer[..len].fill(0);
        Ok(len)
    }
}
