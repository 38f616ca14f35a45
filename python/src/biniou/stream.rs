//! Iterates over the values of a file.

use std::io::{BufReader, Cursor, Read};
use std::sync::Arc;

use bytes::Bytes;
use fourfold::biniou::skip::skip_value;
use fourfold::biniou::wire::CHUNK_HEADER;
use fourfold::biniou::{
    Buffered, ChunkReader, ChunkStart, Error, Framing, Options, Segment, StreamDeserializer, Value,
};
use fourfold::{Memory, Reader};
use fourfold_schema::atd::Schema;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::names::{self, Known};
use super::{read, typed};
use crate::error::{closed, decode, not_pickled};
use crate::feed::Feed;
use crate::signals::{FEW, Raised, detached};

/// An iterator over the values of a file.
///
/// The first invalid value raises `DecodeError` and ends the iterator, and so does an exception of the file's `read` in the
/// middle of the values. After an exception of `object_hook`, the next call
/// returns the next value. As with generators, only one thread
/// may call `next` at a time.
#[pyclass(module = "fourfold.biniou")]
pub(crate) struct Values {
    source: Source,
    decoder: Decoder,
    is_done: bool,
    is_closed: bool,
}

/// How the bytes of a value become an object.
pub(super) enum Decoder {
    Plain { known: Known, hook: Option<Py<PyAny>> },
    Typed { schema: Arc<Schema>, name: String, hook: Option<Py<PyAny>> },
}

impl Decoder {
    pub(super) fn of_names(
        py: Python<'_>,
        names: Option<&Bound<'_, PyAny>>,
        hook: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        Ok(Decoder::Plain { known: Known::new(&names::of(py, names)?), hook })
    }

    fn options(&self) -> Options {
        match self {
            Decoder::Plain { known, .. } => known.names().options.clone(),
            Decoder::Typed { .. } => Options::new(),
        }
    }

    fn error(&self, py: Python<'_>, error: &Error) -> PyErr {
        match self {
            Decoder::Plain { known, .. } => known.names().decode(py, error),
            Decoder::Typed { .. } => decode(py, error),
        }
    }

    /// The object of a value.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes, which sets `is_invalid`; or what `object_hook` or a signal handler raises.
    fn object<'py>(
        &mut self,
        py: Python<'py>,
        frame: Frame,
        is_invalid: &mut bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Frame { bytes, offset, index } = frame;
        let placed = |error: Error| {
            *is_invalid = true;
            let error = error.moved(offset);
            match index {
                Some(index) => error.inside(Segment::Index(index)),
                None => error,
            }
        };
        match self {
            Decoder::Plain { known, hook } => {
                let hook = hook.as_ref().map(|hook| hook.bind(py));
                read::value(py, &bytes, known, hook, placed)
            }
            Decoder::Typed { schema, name, hook } => {
                let hook = hook.as_ref().map(|hook| hook.bind(py));
                typed::value(py, bytes, schema, name, hook, placed)
            }
        }
    }
}

/// The bytes of a value.
struct Frame {
    bytes: Bytes,
    /// Where they begin in the file.
    offset: usize,
    /// The number of the chunk, if it is one.
    index: Option<usize>,
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

impl Source {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Result<Frame, Error>>> {
        Ok(match self {
            Source::Loaded(loaded) => loaded.next(py)?.map(Ok),
            Source::Stream(stream, _) => py.detach(|| {
                let offset = stream.offset();
                // The value has all that is in the bytes.
                let bytes = stream.next()?.and_then(|value| Options::new().to_vec(&value));
                Some(bytes.map(|bytes| Frame { bytes: bytes.into(), offset, index: None }))
            }),
            Source::Chunks(chunks, _) => py.detach(|| chunks.next()),
            Source::Unread(..) | Source::Closed => None,
        })
    }
}

impl Values {
    pub(super) fn new(
        py: Python<'_>,
        memory: Memory<'static>,
        decoder: Decoder,
        chunks: Option<bool>,
    ) -> Self {
        let source = match chunks {
            Some(true) => Source::Chunks(Chunks::new(Cursor::new(memory)), Raised::default()),
            _ => py.detach(|| Source::Loaded(Loaded::new(memory, chunks))),
        };
        Values { source, decoder, is_done: false, is_closed: false }
    }

    pub(super) fn of_feed(feed: Feed, decoder: Decoder, chunks: Option<bool>) -> Self {
        Values { source: Source::Unread(feed, chunks), decoder, is_done: false, is_closed: false }
    }

    /// Begins to read an open file. If that raises an exception, nothing is lost: the next call begins again.
    fn begin(&mut self) -> PyResult<()> {
        let Source::Unread(feed, chunks) = &mut self.source else { return Ok(()) };
        let (first, chunks) = (feed.first()?, *chunks);
        let is_chunk = matches!(first, Some(0 | 1));
        let framing = match chunks.or((!is_chunk).then_some(false)) {
            // An empty file is an error: it has no value.
            Some(false) if first.is_none() => None,
            framing => framing,
        };
        let Some(is_chunked) = framing else {
            let bytes = feed.rest()?;
            self.source = Source::Loaded(Loaded::new(bytes.into(), chunks));
            return Ok(());
        };
        let source = std::mem::replace(&mut self.source, Source::Closed);
        let Source::Unread(feed, _) = source else { return Ok(()) };
        let raised = feed.raised();
        self.source = match is_chunked {
            true => Source::Chunks(Chunks::new(feed), raised),
            false => {
                let stream = StreamDeserializer::from_reader(feed);
                let stream = stream.with_options(self.decoder.options().max_input(u64::MAX));
                Source::Stream(Box::new(stream), raised)
            }
        };
        Ok(())
    }
}

/// The values of a file in memory.
struct Loaded {
    bytes: Bytes,
    framing: Framing,
    /// Offset and index of the next value.
    offset: usize,
    index: usize,
}

impl Loaded {
    fn new(memory: Memory<'static>, chunks: Option<bool>) -> Self {
        let framing = match chunks {
            Some(false) => Framing::Values,
            _ => Options::new().file(&memory).framing(),
        };
        Loaded { bytes: Bytes::from_owner(memory), framing, offset: 0, index: 0 }
    }

    /// The bytes of the next value. Of one that does not end, all that are left.
    ///
    /// # Errors
    ///
    /// The exception of a signal handler.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Frame>> {
        let start = self.offset;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let frame = match self.framing {
            // An empty file is an error: it has no value.
            Framing::Values if rest.is_empty() && start > 0 => return Ok(None),
            Framing::Values => {
                let few = rest.get(..FEW).unwrap_or(rest);
                let len = match value_len(few) {
                    Some(len) => len,
                    None if few.len() == rest.len() => rest.len(),
                    None => {
                        let bytes = self.bytes.slice_ref(rest);
                        let found = detached(py, rest.len(), move || value_len(&bytes))?;
                        found.unwrap_or(rest.len())
                    }
                };
                self.offset = start.saturating_add(len);
                let bytes = self.bytes.slice_ref(rest.get(..len).unwrap_or_default());
                Frame { bytes, offset: start, index: None }
            }
            Framing::Chunks => {
                let ChunkStart::Whole { chunk, rest: after } = ChunkStart::of(rest) else {
                    return Ok(None);
                };
                self.offset = self.bytes.len().saturating_sub(after.len());
                let (offset, index) = (start.saturating_add(CHUNK_HEADER), Some(self.index));
                Frame { bytes: self.bytes.slice_ref(chunk), offset, index }
            }
        };
        self.index = self.index.saturating_add(1);
        Ok(Some(frame))
    }
}

/// How many bytes the first value has, if it ends in these bytes.
fn value_len(bytes: &[u8]) -> Option<usize> {
    let mut reader = Reader::new(bytes, 0);
    skip_value(&mut reader, None, u16::MAX).ok()?;
    Some(reader.offset())
}

/// The values of chunks that come one by one.
struct Chunks {
    reader: ChunkReader<Box<dyn Read + Send + Sync>>,
    offset: usize,
    index: usize,
}

impl Chunks {
    fn new(bytes: impl Read + Send + Sync + 'static) -> Self {
        let reader: Box<dyn Read + Send + Sync> = Box::new(BufReader::new(bytes));
        let reader = ChunkReader::new(reader).max_input(u64::MAX);
        Chunks { reader, offset: 0, index: 0 }
    }

    fn next(&mut self) -> Option<Result<Frame, Error>> {
        let chunk = match self.reader.next()? {
            Ok(chunk) => chunk,
            Err(error) => return Some(Err(error)),
        };
        let (offset, index) = (self.offset.saturating_add(CHUNK_HEADER), Some(self.index));
        self.offset = offset.saturating_add(chunk.len());
        self.index = self.index.saturating_add(1);
        Some(Ok(Frame { bytes: chunk.into(), offset, index }))
    }
}

#[pymethods]
impl Values {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.is_closed {
            return Err(closed());
        }
        if self.is_done {
            return Ok(None);
        }
        self.begin()?;
        match self.source.next(py)? {
            None => {
                self.is_done = true;
                Ok(None)
            }
            Some(Ok(frame)) => self.decoder.object(py, frame, &mut self.is_done).map(Some),
            Some(Err(error)) => {
                self.is_done = true;
                let raised = match &self.source {
                    Source::Stream(_, raised) | Source::Chunks(_, raised) => raised.take(),
                    _ => None,
                };
                Err(raised.unwrap_or_else(|| self.decoder.error(py, &error)))
            }
        }
    }

    /// `values` if the values are concatenated, or `chunks`.
    #[getter]
    fn framing(&mut self) -> PyResult<&'static str> {
        if self.is_closed {
            return Err(closed());
        }
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

    /// Refuses to be pickled.
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("an open file", "its path, or what it reads, as a list"))
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyResult<PyRef<'_, Self>> {
        match this.is_closed {
            true => Err(closed()),
            false => Ok(this),
        }
    }

    /// Closes the file: there is no next value.
    fn close(&mut self) {
        self.is_closed = true;
        self.source = Source::Closed;
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        if self.is_closed {
            return "<fourfold.biniou.Values: closed>".into();
        }
        let place = match &self.source {
            Source::Loaded(loaded) => format!("{} of {}", loaded.offset, loaded.bytes.len()),
            Source::Stream(stream, _) => stream.offset().to_string(),
            Source::Chunks(chunks, _) => chunks.offset.to_string(),
            Source::Unread(..) | Source::Closed => "0".into(),
        };
        format!("<fourfold.biniou.Values at byte {place}>")
    }
}
