//! Readers and writers that are slow, interrupted, or fail.

use std::fmt::Debug;
use std::io::{self, Read, Write};

use fourfold::{Category, Error};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::alloc::measure_value;
use super::assert_reason;
use super::format::{Format, Options as _};

/// Reads or writes a few bytes at a time, with interruptions.
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

/// Fails or accepts no more bytes after some bytes.
pub(crate) struct Failing {
    /// The number of bytes before that.
    pub(crate) left: usize,
    /// Whether it then accepts no bytes, instead of failing.
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

/// Asserts that values and bytes are the same with slow streams.
///
/// Returns the error for a stream that lacks the last byte.
#[track_caller]
pub(crate) fn assert_slow_streams<F: Format, T>(values: &[T]) -> Error<F::Kind>
where
    T: Serialize + DeserializeOwned + Debug + PartialEq,
{
    let bytes = F::to_vec(values).unwrap();
    for step in [1, 2, 3, 7, 64, 4096, usize::MAX] {
        let read = F::from_reader::<Vec<T>>(Slow::new(bytes.as_slice(), step));
        assert_eq!(read.unwrap(), values, "{step} bytes at a time");
        let mut written = Slow::new(Vec::new(), step);
        F::to_writer(&mut written, values).unwrap();
        assert_eq!(written.stream, bytes, "{step} bytes at a time");
    }
    // A truncated stream is an error at any length.
    F::from_reader::<Vec<T>>(Slow::new(&bytes[..bytes.len() - 1], 5)).unwrap_err()
}

/// Asserts that the error of a stream that fails is returned, with its reason.
#[track_caller]
pub(crate) fn assert_failing_streams<F: Format>(lefts: &[usize]) {
    let value = vec![String::from("text"); 100];
    for &left in lefts {
        for full in [false, true] {
            let error = F::to_writer(Failing { left, full }, &value).unwrap_err();
            assert_eq!(error.category(), Category::Io, "{error}");
            assert!(!error.is_eof(), "{error}");
            assert_reason(&error, &left);
        }
        let error = F::from_reader::<Vec<String>>(Failing { left, full: false }).unwrap_err();
        assert_eq!(error.category(), Category::Io, "{error}");
        assert!(error.to_string().contains("the line is cut"), "{error}");
        let other: io::Error = error.into();
        assert!(other.to_string().contains("the line is cut"), "{other}");
    }
}

/// Repeats the same bytes, `step` at a time and up to a limit, and counts them.
pub(crate) struct Again<'a> {
    bytes: &'a [u8],
    pub(crate) given: u64,
    limit: u64,
    step: usize,
}

impl<'a> Again<'a> {
    pub(crate) fn endless(bytes: &'a [u8]) -> Self {
        Again::new(bytes, u64::MAX, usize::MAX)
    }

    pub(crate) fn new(bytes: &'a [u8], limit: u64, step: usize) -> Self {
        Again { bytes, given: 0, limit, step }
    }
}

impl Read for Again<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.limit - self.given).unwrap_or(usize::MAX);
        let count = buffer.len().min(self.step).min(left);
        let start = usize::try_from(self.given % self.bytes.len() as u64).unwrap();
        let endless = self.bytes[start..].iter().chain(self.bytes.iter().cycle());
        for (to, from) in buffer[..count].iter_mut().zip(endless) {
            *to = *from;
        }
        self.given += count as u64;
        Ok(count)
    }
}

/// Asserts that endless repetitions of these bytes are refused at the input limit, with little memory.
#[track_caller]
pub(crate) fn assert_endless_stops<F: Format, T: DeserializeOwned + Debug>(bytes: &[u8]) {
    const LIMIT: u64 = 1 << 20;
    for trailing in [false, true] {
        let mut endless = Again::endless(bytes);
        let options = F::options().max_input(LIMIT).allow_trailing(trailing);
        let (read, stats) = measure_value(|| options.from_reader::<T>(&mut endless));
        let error = read.unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{error}");
        assert!(endless.given <= 2 * LIMIT, "{} bytes read", endless.given);
        assert!(stats.peak <= 4 << 20, "{stats:?}");
    }
}

/// Asserts that a message as long as the input limit is read, and one with a byte more is refused.
pub(crate) fn assert_exact_limit<F: Format>() {
    let text = "x".repeat(100);
    let bytes = F::to_vec(&text).unwrap();
    let read = |limit| F::options().max_input(limit).from_reader::<String>(bytes.as_slice());
    let len = bytes.len() as u64;
    for limit in [len, len + 1, u64::MAX] {
        assert_eq!(read(limit).unwrap(), text, "{limit}");
    }
    for limit in [0, len - 1] {
        assert_eq!(read(limit).unwrap_err().category(), Category::Limit, "{limit}");
    }
}
