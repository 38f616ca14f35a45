//! A file: concatenated values, or a stream of chunks with one value each.

#[cfg(feature = "rayon")]
mod parallel;

use serde_core::de::{Deserialize, IgnoredAny};

#[cfg(feature = "rayon")]
pub use self::parallel::ParFileValues;
use super::wire::{self, ChunkStart};
use super::{Error, Options, Result, StreamDeserializer, de};
use crate::error::Segment;

/// How the values of a [`File`] follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Framing {
    /// Concatenated values. Usually there is only one.
    Values,
    /// Each in a chunk, as OCaml's `Bi_stream` writes them.
    Chunks,
}

/// The bytes of a file, whichever way its values follow one another.
///
/// Values are the rule. A file is a stream if its chunks end with the end mark and nothing follows that, and if
/// each chunk has a value or the bytes are no values without chunks: the first byte of a chunk is a tag, too. To
/// find out, values are skipped and not stored.
///
/// ```
/// use fourfold::biniou::{File, Framing};
///
/// // two int8; the same in chunks of two bytes
/// let values = File::from_slice(&[16, 7, 16, 8]);
/// let chunks =
///     File::from_slice(&[1, 0, 0, 0, 0, 0, 0, 0, 2, 16, 7, 1, 0, 0, 0, 0, 0, 0, 0, 2, 16, 8, 0]);
/// assert_eq!((values.framing(), chunks.framing()), (Framing::Values, Framing::Chunks));
/// for file in [values, chunks] {
///     assert_eq!(file.values().collect::<Result<Vec<u8>, _>>()?, [7, 8]);
/// }
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct File<'a> {
    bytes: &'a [u8],
    options: Options,
    framing: Framing,
}

impl<'a> File<'a> {
    /// A file of these bytes, whose values are read with default options.
    #[must_use]
    pub fn from_slice(bytes: &'a [u8]) -> Self {
        Options::new().file(bytes)
    }

    /// How its values follow one another.
    #[must_use]
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// Its values, in order. The first error ends them; offsets count from the start of the file, and the path of
    /// an error in a stream begins with the number of the chunk. An empty file holds no value, which is its error.
    #[must_use]
    pub fn values<T: Deserialize<'a>>(&self) -> FileValues<'a, T> {
        let File { bytes, ref options, framing } = *self;
        let source = match framing {
            _ if bytes.is_empty() => Source::Nothing,
            Framing::Values => {
                Source::Values(StreamDeserializer::from_slice(bytes).with_options(options.clone()))
            }
            Framing::Chunks => Source::Chunks(self.placed_chunks()),
        };
        FileValues { source, options: options.clone(), is_done: false }
    }

    /// Its chunks, in order, whatever is in them. `None` if the file is no stream.
    #[must_use]
    pub fn chunks(&self) -> Chunks<'a> {
        let rest = match self.framing {
            Framing::Values => &[],
            Framing::Chunks => self.bytes,
        };
        Chunks { rest }
    }

    /// Its chunks with their places. `None` if the file is no stream.
    pub(super) fn placed_chunks(&self) -> PlacedChunks<'a> {
        PlacedChunks { all: self.bytes, chunks: self.chunks(), index: 0 }
    }

    /// All its bytes.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The options that its values are read with.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// How many values can be skipped, up to the first that cannot.
    #[must_use]
    pub fn count(&self) -> usize {
        self.values::<IgnoredAny>().take_while(Result::is_ok).count()
    }

    /// Writes every value in its [canonical](super::Value::into_canonical) form, as a chunk where the file is a
    /// stream of those.
    ///
    /// # Errors
    ///
    /// Those of reading and writing.
    #[cfg(feature = "std")]
    pub fn write_canonical<W: std::io::Write>(&self, mut writer: W) -> Result<()> {
        let mut values = self.values::<super::Value>();
        if self.framing == Framing::Values {
            return values.try_for_each(|value| {
                self.options.to_writer(&mut writer, &value?.into_canonical())
            });
        }
        let mut chunks = super::ChunkWriter::new(writer);
        for value in values {
            chunks.write_chunk(&self.options.to_vec(&value?.into_canonical())?)?;
        }
        chunks.finish().map(drop)
    }
}

impl Options {
    /// A file of these bytes, whose values are read with these options. See [`File`].
    #[must_use]
    pub fn file<'a>(&self, bytes: &'a [u8]) -> File<'a> {
        let is_value = |chunk| self.from_slice::<IgnoredAny>(chunk).is_ok();
        let of_values = File { bytes, options: self.clone(), framing: Framing::Values };
        if wire::chunks(bytes).is_none() {
            return of_values;
        }
        let of_chunks = File { framing: Framing::Chunks, ..of_values.clone() };
        match of_chunks.chunks().all(is_value)
            || !of_values.values::<IgnoredAny>().all(|value| value.is_ok())
        {
            true => of_chunks,
            false => of_values,
        }
    }
}

/// The bytes of chunks that follow one another: an iterator. It ends where no whole chunk begins.
#[derive(Clone, Debug)]
pub struct Chunks<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Chunks<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let ChunkStart::Whole { chunk, rest } = ChunkStart::of(self.rest) else { return None };
        self.rest = rest;
        Some(chunk)
    }
}

impl core::iter::FusedIterator for Chunks<'_> {}

/// Chunks of a file, and the position of each.
#[derive(Clone, Debug)]
pub(super) struct PlacedChunks<'a> {
    all: &'a [u8],
    chunks: Chunks<'a>,
    index: usize,
}

/// A chunk and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) chunk: &'a [u8],
    start: usize,
    index: usize,
}

impl<'a> Placed<'a> {
    /// The value of the chunk.
    pub(super) fn read<T: Deserialize<'a>>(self, options: &Options) -> Result<T> {
        let Placed { chunk, start, .. } = self;
        de::chunk(options, chunk, start).map_err(|error| self.placed(error))
    }

    /// Moves the offset of an error in the chunk to that in the file, and adds the chunk's index.
    #[cold]
    pub(super) fn placed(self, error: Error) -> Error {
        error.moved(self.start).inside(Segment::Index(self.index))
    }
}

impl<'a> Iterator for PlacedChunks<'a> {
    type Item = Placed<'a>;

    fn next(&mut self) -> Option<Placed<'a>> {
        let chunk = self.chunks.next()?;
        let start = self.all.len() - self.chunks.rest.len() - chunk.len();
        let index = self.index;
        self.index += 1;
        Some(Placed { chunk, start, index })
    }
}

/// The values of a [`File`]: an iterator.
#[derive(Debug)]
pub struct FileValues<'a, T> {
    source: Source<'a, T>,
    options: Options,
    is_done: bool,
}

#[derive(Debug)]
enum Source<'a, T> {
    Nothing,
    Values(StreamDeserializer<&'a [u8], T>),
    Chunks(PlacedChunks<'a>),
}

impl<'a, T: Deserialize<'a>> FileValues<'a, T> {
    fn next_value(&mut self) -> Option<Result<T>> {
        match &mut self.source {
            Source::Nothing => Some(self.options.from_slice(&[])),
            Source::Values(values) => values.next(),
            Source::Chunks(chunks) => Some(chunks.next()?.read(&self.options)),
        }
    }
}

impl<'a, T: Deserialize<'a>> Iterator for FileValues<'a, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.is_done {
            return None;
        }
        let value = self.next_value();
        self.is_done = !matches!(value, Some(Ok(_)));
        value
    }
}

impl<'a, T: Deserialize<'a>> core::iter::FusedIterator for FileValues<'a, T> {}
