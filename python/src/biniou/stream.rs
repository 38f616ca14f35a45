//! Iterates over the values of a file.

use std::io::{BufReader, Cursor, Read};

use fourfold::Memory;
use fourfold::biniou::{
    Buffered, ChunkReader, ChunkStart, Error, Framing, Options, Segment, StreamDeserializer, Value,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::names::{Known, Names};
use super::read::Reader;
use crate::feed::{Feed, Raised};

/// An iterator over the values of a file.
///
/// The first invalid value raises `DecodeError` and ends the iterator. As with generators, only one thread
/// may call `next` at a time.
#[pyclass(module = "fourfold.biniou")]
pub(crate) struct Values {
    source: Source,
    known: Known,
    is_done: bool,
}

/// Where the values come from.
enum Source {
    Loaded(Loaded),
    /// An open file of which nothing was read; with `chunks`, of that framing.
    Unread(Feed, Option<bool>),
    Stream(Box<StreamDeserializer<Buffered<Feed>, Value>>, Raised),
    Chunks(Chunks, Raised),
    Closed,
}

impl Values {
    pub(super) fn new(
        py: Python<'_>,
        memory: Memory<'static>,
        names: &Names,
        chunks: Option<bool>,
    ) -> Self {
        let options = &names.options;
        let source = match chunks {
            Some(true) => {
                Source::Chunks(Chunks::new(Cursor::new(memory), options), Raised::default())
            }
            _ => py.detach(|| Source::Loaded(Loaded::new(memory, options, chunks))),
        };
        Values { source, known: Known::new(names), is_done: false }
    }

    pub(super) fn of_feed(feed: Feed, names: &Names, chunks: Option<bool>) -> Self {
        let source = Source::Unread(feed, chunks);
        Values { source, known: Known::new(names), is_done: false }
    }

    /// Begins to read an open file.
    fn begin(&mut self) -> PyResult<()> {
        let Source::Unread(..) = &self.source else { return Ok(()) };
        let source = std::mem::replace(&mut self.source, Source::Closed);
        let Source::Unread(mut feed, chunks) = source else { return Ok(()) };
        let options = &self.known.names().options;
        let first = feed.first()?;
        let is_chunk = matches!(first, Some(0 | 1));
        self.source = match chunks.or((!is_chunk).then_some(false)) {
            // An empty file is an error: it has no value.
            Some(false) if first.is_some() => {
                let raised = feed.raised();
                let stream = StreamDeserializer::from_reader(feed);
                let stream = stream.with_options(options.clone().max_input(u64::MAX));
                Source::Stream(Box::new(stream), raised)
            }
            Some(true) => {
                let raised = feed.raised();
                Source::Chunks(Chunks::new(feed, options), raised)
            }
            _ => Source::Loaded(Loaded::new(feed.rest()?.into(), options, chunks)),
        };
        Ok(())
    }
}

/// The values of a file in memory.
struct Loaded {
    memory: Memory<'static>,
    options: Options,
    framing: Framing,
    /// Offset and index of the next value.
    offset: usize,
    index: usize,
}

impl Loaded {
    fn new(memory: Memory<'static>, options: &Options, chunks: Option<bool>) -> Self {
        let framing = match chunks {
            Some(false) => Framing::Values,
            _ => options.file(&memory).framing(),
        };
        Loaded { memory, options: options.clone(), framing, offset: 0, index: 0 }
    }

    /// The next value.
    fn next(&mut self) -> Option<Result<Value, Error>> {
        let read = self.read()?;
        Some(match read {
            Ok((value, len)) => {
                self.offset = self.offset.saturating_add(len);
                self.index = self.index.saturating_add(1);
                Ok(value)
            }
            Err(error) => Err(self.placed(error)),
        })
    }

    /// The next value, and its length in bytes.
    fn read(&self) -> Option<Result<(Value, usize), Error>> {
        let rest = self.memory.get(self.offset..).unwrap_or_default();
        match self.framing {
            // An empty file is an error: it has no value.
            Framing::Values if rest.is_empty() && self.offset > 0 => None,
            Framing::Values => {
                let taken = self.options.take_from_slice::<Value>(rest);
                Some(taken.map(|(value, after)| (value, rest.len().saturating_sub(after.len()))))
            }
            Framing::Chunks => {
                let ChunkStart::Whole { chunk, rest: after } = ChunkStart::of(rest) else {
                    return None;
                };
                let value = self.options.from_slice(chunk);
                Some(value.map(|value| (value, rest.len().saturating_sub(after.len()))))
            }
        }
    }

    /// The error of the next value, with its offset and path in the whole file.
    fn placed(&self, error: Error) -> Error {
        let found = match self.framing {
            Framing::Values => {
                let values = StreamDeserializer::<_, Value>::from_slice(&self.memory);
                values.with_options(self.options.clone()).nth(self.index)
            }
            Framing::Chunks => self.options.file(&self.memory).values::<Value>().nth(self.index),
        };
        found.and_then(Result::err).unwrap_or(error)
    }
}

/// The values of chunks that come one by one.
struct Chunks {
    reader: ChunkReader<Box<dyn Read + Send + Sync>>,
    options: Options,
    offset: usize,
    index: usize,
}

/// The bytes of a chunk before its value.
const CHUNK_HEADER: usize = 9;

impl Chunks {
    fn new(bytes: impl Read + Send + Sync + 'static, options: &Options) -> Self {
        let reader: Box<dyn Read + Send + Sync> = Box::new(BufReader::new(bytes));
        let reader = ChunkReader::new(reader).max_input(u64::MAX);
        Chunks { reader, options: options.clone(), offset: 0, index: 0 }
    }

    fn next(&mut self) -> Option<Result<Value, Error>> {
        let chunk = match self.reader.next()? {
            Ok(chunk) => chunk,
            Err(error) => return Some(Err(error)),
        };
        let start = self.offset.saturating_add(CHUNK_HEADER);
        let value = self.options.from_slice(&chunk);
        let index = self.index;
        self.offset = start.saturating_add(chunk.len());
        self.index = index.saturating_add(1);
        Some(value.map_err(|error: Error| error.moved(start).inside(Segment::Index(index))))
    }
}

#[pymethods]
impl Values {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.is_done {
            return Ok(None);
        }
        self.is_done = true;
        self.begin()?;
        let source = &mut self.source;
        let read = py.detach(|| match source {
            Source::Loaded(loaded) => loaded.next(),
            Source::Stream(stream, _) => stream.next(),
            Source::Chunks(chunks, _) => chunks.next(),
            Source::Unread(..) | Source::Closed => None,
        });
        let Some(read) = read else { return Ok(None) };
        let value = read.map_err(|error| {
            let raised = match &self.source {
                Source::Stream(_, raised) | Source::Chunks(_, raised) => raised.take(),
                _ => None,
            };
            raised.unwrap_or_else(|| self.known.names().decode(py, &error))
        })?;
        let object = Reader::new(py, &mut self.known)?.value(&value)?;
        self.is_done = false;
        Ok(Some(object))
    }

    /// `values` if the values are concatenated, or `chunks`.
    #[getter]
    fn framing(&mut self) -> PyResult<&'static str> {
        self.begin()?;
        Ok(match &self.source {
            Source::Chunks(..) | Source::Loaded(Loaded { framing: Framing::Chunks, .. }) => {
                "chunks"
            }
            _ => "values",
        })
    }

    /// The format of the values.
    #[getter]
    fn format(&self) -> &'static str {
        "biniou"
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    /// Ends the iterator.
    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, _exception: &Bound<'_, PyTuple>) {
        self.is_done = true;
        self.source = Source::Closed;
    }

    fn __repr__(&self) -> String {
        let place = match &self.source {
            Source::Loaded(loaded) => format!("{} of {}", loaded.offset, loaded.memory.len()),
            Source::Stream(stream, _) => stream.offset().to_string(),
            Source::Chunks(chunks, _) => chunks.offset.to_string(),
            Source::Unread(..) | Source::Closed => "0".into(),
        };
        format!("<fourfold.biniou.Values at byte {place}>")
    }
}
