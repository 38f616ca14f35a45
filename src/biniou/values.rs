//! Concatenated values.

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::Deserialize;
#[cfg(feature = "std")]
use serde_core::de::DeserializeOwned;

use super::budget::Budget;
use super::de;
#[cfg(feature = "std")]
use super::skip::{Skipper, Unnoted};
#[cfg(feature = "std")]
use super::wire::Source;
#[cfg(feature = "std")]
use super::{Error, ErrorKind};
use super::{Options, Result};
#[cfg(feature = "std")]
use crate::{buffered::Buffered, error::CommonKind, io, limits::DepthMeter};

/// An iterator over concatenated values, as OCaml's `Biniou` functions write them into one buffer
/// or channel.
///
/// From a reader, memory holds the current value and a few kilobytes, whatever the stream's length.
/// The first error ends the iterator, since the start of the next value is not known.
///
/// ```
/// use fourfold::biniou::StreamDeserializer;
///
/// let values: Result<Vec<u8>, _> = StreamDeserializer::from_slice(&[16, 1, 16, 2]).collect();
/// assert_eq!(values?, [1, 2]);
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
pub struct StreamDeserializer<S, T> {
    source: S,
    options: Options,
    /// Offset of the next value from the start of the stream.
    offset: usize,
    ended: bool,
    /// What later values may cost beyond their bytes.
    budget: Budget,
    item: PhantomData<fn() -> T>,
}

impl<S, T> fmt::Debug for StreamDeserializer<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StreamDeserializer { offset, ended, .. } = self;
        f.debug_struct("StreamDeserializer")
            .field("offset", offset)
            .field("ended", ended)
            .finish_non_exhaustive()
    }
}

impl<S, T> StreamDeserializer<S, T> {
    fn new(source: S) -> Self {
        let options = Options::new();
        let budget = Budget::new();
        StreamDeserializer { source, options, offset: 0, ended: false, budget, item: PhantomData }
    }

    /// Reads with these options; `max_input` limits each value.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        StreamDeserializer { options, ..self }
    }

    /// Where the next value begins, counted from the start of the stream.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    fn advance(&mut self, result: Result<(T, usize)>) -> Result<T> {
        match result {
            Ok((value, taken)) => {
                self.offset += taken;
                Ok(value)
            }
            Err(error) => {
                self.ended = true;
                Err(error.moved(self.offset))
            }
        }
    }
}

impl<'de, T> StreamDeserializer<&'de [u8], T> {
    /// The values in `bytes`, which may borrow from them.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Self::new(bytes)
    }
}

impl<'de, T: Deserialize<'de>> Iterator for StreamDeserializer<&'de [u8], T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.ended || self.source.is_empty() {
            return None;
        }
        let result = de::take(&self.options, self.source, self.offset, &mut self.budget);
        if let Ok((_, taken)) = &result {
            self.source = self.source.get(*taken..).unwrap_or_default();
        }
        Some(self.advance(result))
    }
}

#[cfg(feature = "std")]
impl<R: io::Read, T> StreamDeserializer<Buffered<R>, T> {
    /// The values of `reader`. A value is returned as soon as its last byte is there.
    #[must_use]
    pub fn from_reader(reader: R) -> Self {
        Self::new(Buffered::new(reader))
    }
}

/// What is at the start of the buffered input.
#[cfg(feature = "std")]
enum Next {
    /// A value of that length.
    Value(usize),
    /// Bytes that are no value. Reading them returns the error.
    Damage,
    /// Nothing, and nothing will come.
    End,
}

#[cfg(feature = "std")]
impl<R: io::Read, T> StreamDeserializer<Buffered<R>, T> {
    /// Reads on until the next value is complete.
    fn find(&mut self) -> Result<Next> {
        let Options { max_input: limit, max_depth, .. } = self.options;
        let mut arriving = Arriving { source: &mut self.source, at: 0, limit };
        let (depth, empty_rows) = (DepthMeter::new(max_depth), &mut { usize::MAX });
        let mut skipper = Skipper { depth, notes: Unnoted, empty_rows };
        match skipper.tagged(&mut arriving) {
            Ok(()) => Ok(Next::Value(arriving.at)),
            Err(Stop::Damage) if arriving.source.ready().is_empty() => Ok(Next::End),
            Err(Stop::Damage) => Ok(Next::Damage),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

/// The value that a stream is at, read as far as it is skipped.
#[cfg(feature = "std")]
struct Arriving<'a, R> {
    source: &'a mut Buffered<R>,
    at: usize,
    limit: u64,
}

/// Why a value is not skipped to its end.
#[cfg(feature = "std")]
enum Stop {
    /// It has no end: the error is that of reading it.
    Damage,
    Failed(Error),
}

#[cfg(feature = "std")]
impl<R: io::Read> Arriving<'_, R> {
    fn next(&mut self, len: usize) -> Result<&[u8], Stop> {
        let (most, limit) = (usize::try_from(self.limit).unwrap_or(usize::MAX), self.limit);
        let (start, end) = (self.at, self.at.saturating_add(len));
        while self.source.ready().len() < end.min(most.saturating_add(1)) {
            match self.source.read_on() {
                Ok(true) => {}
                Ok(false) => return Err(Stop::Damage),
                Err(error) => return Err(Stop::Failed(error)),
            }
        }
        if end > most {
            return Err(Stop::Failed(Error::at(CommonKind::InputLimit { limit }, most)));
        }
        self.at = end;
        Ok(self.source.ready().get(start..end).unwrap_or_default())
    }
}

#[cfg(feature = "std")]
impl<R: io::Read> Source<'static> for Arriving<'_, R> {
    type Error = Stop;
    type Place = usize;

    fn place(&self) -> usize {
        self.at
    }

    /// Unknown: what is claimed is read.
    fn left(&self) -> usize {
        usize::MAX
    }

    /// Returns nothing, since bytes are only skipped.
    fn take(&mut self, len: usize) -> Result<&'static [u8], Stop> {
        self.next(len).map(|_| &[][..])
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        self.next(N)?.try_into().map_err(|_| Stop::Damage)
    }

    fn fail(&mut self, _: usize, _: impl FnOnce() -> ErrorKind) -> Stop {
        Stop::Damage
    }
}

#[cfg(feature = "std")]
impl<R: io::Read, T: DeserializeOwned> Iterator for StreamDeserializer<Buffered<R>, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.ended {
            return None;
        }
        let result = match self.find() {
            Ok(Next::End) => {
                self.ended = true;
                return None;
            }
            Ok(Next::Value(length)) => {
                de::take(&self.options, self.source.consume(length), self.offset, &mut self.budget)
            }
            Ok(Next::Damage) => {
                let result =
                    de::take(&self.options, self.source.ready(), self.offset, &mut self.budget);
                if let Ok((_, taken)) = &result {
                    self.source.consume(*taken);
                }
                result
            }
            Err(error) => Err(error),
        };
        Some(self.advance(result))
    }
}
