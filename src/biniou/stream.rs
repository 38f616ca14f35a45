//! Streams of chunks, as OCaml's `Bi_stream` reads them: a byte 01, a length of eight bytes, so many
//! bytes, and again, and a byte 00 at the end.

use alloc::vec::Vec;

use super::wire::{CHUNK, END};
use super::{Error, ErrorKind, Result};
use crate::error::CommonKind;
use crate::io::{self, Read, Write};
use crate::limits::DEFAULT_MAX_INPUT;

/// Reads a stream chunk by chunk: an iterator of their bytes.
///
/// A chunk may hold any bytes; `Bi_stream` puts an array of items into each, as one biniou value.
/// The iterator ends with the stream's end mark or with the first error; nothing is read beyond
/// either, and what follows an end mark is not looked at. Errors count bytes from the start of the
/// stream.
///
/// ```
/// use fourfold::biniou::{from_slice, ChunkReader};
///
/// // one chunk of 5 bytes: ARRAY of 2 int8; the end
/// let stream = [1, 0, 0, 0, 0, 0, 0, 0, 5, 19, 2, 1, 7, 8, 0];
/// for chunk in ChunkReader::new(&stream[..]) {
///     assert_eq!(from_slice::<Vec<u8>>(&chunk?)?, [7, 8]);
/// }
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
///
/// # Errors
///
/// `UnexpectedEnd` if the stream ends within a chunk or without an end mark, `ChunkMark` if a
/// chunk begins with another byte than 00 or 01, `InputLimit` if a chunk is longer than
/// [allowed](ChunkReader::max_input), `Io` if the reader fails.
#[derive(Debug)]
pub struct ChunkReader<R> {
    reader: R,
    offset: usize,
    max_input: u64,
    is_done: bool,
}

impl<R: Read> ChunkReader<R> {
    /// Reads chunks from `reader`, with many small reads: wrap a file into a `BufReader`.
    #[must_use]
    pub const fn new(reader: R) -> Self {
        ChunkReader { reader, offset: 0, max_input: DEFAULT_MAX_INPUT, is_done: false }
    }

    /// How many bytes one chunk may have; 1 GiB by default. Memory is used for bytes that come, not
    /// for those that are claimed.
    #[must_use]
    pub const fn max_input(mut self, bytes: u64) -> Self {
        self.max_input = bytes;
        self
    }

    /// Returns the reader, positioned after the last chunk that was read.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.reader
    }

    fn next_chunk(&mut self) -> Result<Option<Vec<u8>>> {
        let start = self.offset;
        let [mark] = self.take_array()?;
        match mark {
            END => return Ok(None),
            CHUNK => {}
            found => return Err(Error::at(ErrorKind::ChunkMark { found }, start)),
        }

        let length = u64::from_be_bytes(self.take_array()?);
        self.take_chunk(length).map(Some)
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        let mut rest = &mut bytes[..];
        let start = self.offset;
        while !rest.is_empty() {
            match self.reader.read(rest) {
                Ok(0) => return Err(ends_early(N, N - rest.len(), start)),
                Ok(count) => {
                    let count = count.min(rest.len());
                    self.offset += count;
                    rest = rest.get_mut(count..).unwrap_or_default();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::at(CommonKind::Io(error), self.offset)),
            }
        }
        Ok(bytes)
    }

    /// Reads so many bytes. Memory is reserved for bytes that come, not for those that are claimed.
    fn take_chunk(&mut self, length: u64) -> Result<Vec<u8>> {
        let start = self.offset;
        let mut chunk = Vec::new();
        // One byte more than allowed distinguishes a chunk of just that length from a longer one.
        let most = length.min(self.max_input.saturating_add(1));
        let read = self.reader.by_ref().take(most).read_to_end(&mut chunk);
        self.offset += chunk.len();
        read.map_err(|error| Error::at(CommonKind::Io(error), self.offset))?;

        // Lossless: no `usize` has more than 64 bits.
        let received = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        if received > self.max_input {
            return Err(Error::at(CommonKind::InputLimit { limit: self.max_input }, start));
        }
        if received < length {
            let needed = usize::try_from(length).unwrap_or(usize::MAX);
            return Err(ends_early(needed, chunk.len(), start));
        }
        Ok(chunk)
    }
}

#[cold]
fn ends_early(needed: usize, left: usize, offset: usize) -> Error {
    Error::at(CommonKind::UnexpectedEnd { needed, left }, offset)
}

impl<R: Read> Iterator for ChunkReader<R> {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let chunk = self.next_chunk();
        self.is_done = !matches!(chunk, Ok(Some(_)));
        chunk.transpose()
    }
}

impl<R: Read> core::iter::FusedIterator for ChunkReader<R> {}

/// Writes a stream chunk by chunk, as [`ChunkReader`] and OCaml's `Bi_stream` read it.
///
/// Unlike OCaml's own writer, which on 64 bits loses the first bit of every byte of a length, so
/// that chunks of, say, 128 bytes cannot be read, this one writes what the reader reads.
///
/// ```
/// use fourfold::biniou::{to_vec, with::Int8, ChunkWriter};
///
/// let mut stream = ChunkWriter::new(Vec::new());
/// stream.write_chunk(&to_vec(&Int8(vec![7u8, 8]))?)?;
/// let bytes = stream.finish()?;
/// assert_eq!(bytes, [1, 0, 0, 0, 0, 0, 0, 0, 5, 19, 2, 1, 7, 8, 0]);
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a stream without its end mark is refused: call `finish`"]
pub struct ChunkWriter<W> {
    writer: W,
}

impl<W: Write> ChunkWriter<W> {
    /// Writes chunks to `writer`.
    pub const fn new(writer: W) -> Self {
        ChunkWriter { writer }
    }

    /// Writes a chunk: the mark 01, the length, the bytes.
    ///
    /// # Errors
    ///
    /// `Io` if the writer fails.
    pub fn write_chunk(&mut self, bytes: &[u8]) -> Result<()> {
        // Lossless: no `usize` has more than 64 bits.
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.write(&[CHUNK])?;
        self.write(&length.to_be_bytes())?;
        self.write(bytes)
    }

    /// Writes the end mark 00, and returns the writer.
    ///
    /// # Errors
    ///
    /// `Io` if the writer fails.
    pub fn finish(mut self) -> Result<W> {
        self.write(&[END])?;
        self.writer.flush().map_err(|error| Error::placeless(CommonKind::Io(error)))?;
        Ok(self.writer)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes).map_err(|error| Error::placeless(CommonKind::Io(error)))
    }
}
