//! The input bytes: files in order, or a reader.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Number of bytes that are read at once. It doubles each time that it was too few for a row.
const PIECE: usize = 1 << 20;

/// The part of a file that has been read and is still needed.
pub(crate) enum Window<'r> {
    /// The whole input is in memory.
    Slice(&'r [u8]),
    Stream(Stream<'r>),
}

impl<'r> Window<'r> {
    pub(crate) fn of_reader(reader: impl Read + Send + 'r) -> Self {
        Window::of_input(Forward(reader))
    }

    /// The window of a reader that seeks, from its start on, and the length at this moment. Bytes that are appended
    /// later are not read, since their last row may be incomplete.
    pub(crate) fn of_file(mut file: impl Read + Seek + Send + 'r) -> io::Result<(Self, u64)> {
        let length = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        Ok((Window::of_input(Sought { file, left: length }), length))
    }

    fn of_input(input: impl Input + 'r) -> Self {
        let input = Box::new(input);
        Window::Stream(Stream { input, buffer: Vec::new(), start: 0, is_end: false })
    }

    /// The available bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Window::Slice(bytes) => bytes,
            Window::Stream(stream) => stream.bytes(),
        }
    }

    /// Whether the end of the input was reached.
    pub(crate) fn is_end(&self) -> bool {
        match self {
            Window::Slice(_) => true,
            Window::Stream(stream) => stream.is_end,
        }
    }

    /// Drops `count` bytes, which may not have been read yet.
    pub(crate) fn drop(&mut self, count: usize) -> io::Result<()> {
        match self {
            Window::Slice(bytes) => *bytes = bytes.get(count..).unwrap_or_default(),
            Window::Stream(stream) => return stream.drop(count),
        }
        Ok(())
    }

    /// Reads more bytes.
    pub(crate) fn read_on(&mut self) -> io::Result<()> {
        match self {
            Window::Slice(_) => Ok(()),
            Window::Stream(stream) => stream.read_on(),
        }
    }
}

/// Input whose bytes can be skipped.
trait Input: Read + Send {
    /// Skips `count` bytes, or up to the end, and returns the number of skipped bytes.
    fn pass(&mut self, count: u64) -> io::Result<u64>;
}

/// Skips by reading.
struct Forward<R>(R);

impl<R: Read> Read for Forward<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl<R: Read + Send> Input for Forward<R> {
    fn pass(&mut self, count: u64) -> io::Result<u64> {
        io::copy(&mut (&mut self.0).take(count), &mut io::sink())
    }
}

/// Skips by seeking.
struct Sought<R> {
    file: R,
    left: u64,
}

impl<R: Read> Read for Sought<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = (&mut self.file).take(self.left).read(bytes)?;
        self.left = self.left.saturating_sub(u64::try_from(read).unwrap_or(u64::MAX));
        Ok(read)
    }
}

impl<R: Read + Seek + Send> Input for Sought<R> {
    fn pass(&mut self, count: u64) -> io::Result<u64> {
        let passed = count.min(self.left);
        self.left -= passed;
        // No file has more bytes than `i64::MAX`.
        self.file.seek_relative(i64::try_from(passed).unwrap_or(i64::MAX))?;
        Ok(passed)
    }
}

pub(crate) struct Stream<'r> {
    input: Box<dyn Input + 'r>,
    buffer: Vec<u8>,
    /// Where the needed bytes begin in the buffer.
    start: usize,
    is_end: bool,
}

impl Stream<'_> {
    fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    fn drop(&mut self, count: usize) -> io::Result<()> {
        let there = self.bytes().len();
        if count <= there {
            self.start += count;
            return Ok(());
        }
        self.start = self.buffer.len();
        let missing = u64::try_from(count - there).unwrap_or(u64::MAX);
        let passed = self.input.pass(missing)?;
        self.is_end = passed < missing;
        Ok(())
    }

    fn read_on(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let piece = PIECE.max(self.buffer.len());
        self.buffer.reserve(piece);
        let limit = u64::try_from(piece).unwrap_or(u64::MAX);
        let read = (&mut self.input).take(limit).read_to_end(&mut self.buffer)?;
        self.is_end = read < piece;
        Ok(())
    }
}

/// Files whose rows are read in order.
#[derive(Debug)]
pub(crate) struct Files(VecDeque<PathBuf>);

impl Files {
    pub(crate) const fn none() -> Self {
        Files(VecDeque::new())
    }

    /// The files of those paths and patterns, the files of each sorted by name.
    pub(crate) fn new<P: AsRef<str>>(patterns: impl IntoIterator<Item = P>) -> Result<Self> {
        let mut files = VecDeque::new();
        for pattern in patterns {
            let pattern = pattern.as_ref();
            let path = Path::new(pattern);
            if path.is_file() {
                files.push_back(path.into());
                continue;
            }
            let before = files.len();
            let found = match path.is_dir() {
                true => format!("{}/*", glob::Pattern::escape(pattern.trim_end_matches('/'))),
                false => pattern.to_owned(),
            };
            let found = glob::glob(&found)
                .map_err(|error| Error::Pattern { pattern: pattern.into(), reason: error.msg })?;
            for path in found {
                let path = path.map_err(|error| Error::Io {
                    file: error.path().display().to_string(),
                    source: error.into(),
                })?;
                if path.is_file() {
                    files.push_back(path);
                }
            }
            if files.len() == before {
                return Err(Error::NoFiles { pattern: pattern.into() });
            }
        }
        Ok(Files(files))
    }

    /// Opens the next file: its path, its window, and its current length.
    pub(crate) fn open(&mut self) -> Option<Result<(PathBuf, Window<'static>, u64)>> {
        let path = self.0.pop_front()?;
        Some(match File::open(&path).and_then(Window::of_file) {
            Ok((window, length)) => Ok((path, window, length)),
            Err(source) => Err(Error::Io { file: path.display().to_string(), source }),
        })
    }
}
