//! Values one behind the other, with nothing between them.

#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::Deserialize;
#[cfg(feature = "std")]
use serde_core::de::DeserializeOwned;

#[cfg(feature = "std")]
use super::Error;
use super::de;
use super::{Options, Result};
#[cfg(feature = "std")]
use crate::{error::Fault, io};

/// How much is asked of a reader at once.
#[cfg(feature = "std")]
const READ_SIZE: usize = 8 << 10;

/// An iterator over values that stand one behind the other, as OCaml's `Biniou` functions write
/// them into one buffer or channel.
///
/// From a reader, memory holds the value at hand and a few kilobytes, whatever the stream's length.
/// The first error ends the iterator, since nobody knows where the next value would begin.
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
        StreamDeserializer { source, options, offset: 0, ended: false, item: PhantomData }
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

    fn give(&mut self, result: Result<(T, usize)>) -> Result<T> {
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
        let result = de::take(&self.options, self.source);
        if let Ok((_, taken)) = &result {
            self.source = self.source.get(*taken..).unwrap_or_default();
        }
        Some(self.give(result))
    }
}

/// What has been read of a stream and not yet been given out.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Buffered<R> {
    reader: R,
    buffer: Vec<u8>,
    /// How much of the buffer has been given out.
    done: usize,
}

#[cfg(feature = "std")]
impl<R: io::Read, T> StreamDeserializer<Buffered<R>, T> {
    /// The values that `reader` gives.
    #[must_use]
    pub fn from_reader(reader: R) -> Self {
        Self::new(Buffered { reader, buffer: Vec::new(), done: 0 })
    }
}

#[cfg(feature = "std")]
impl<R: io::Read> Buffered<R> {
    /// What has been read and not been given out.
    fn ready(&self) -> &[u8] {
        self.buffer.get(self.done..).unwrap_or_default()
    }

    /// Reads on; `false` at the end of the stream. Each time as much again as there is, so that
    /// looking for the end of a long value stays linear.
    fn read_on(&mut self) -> Result<bool> {
        use crate::io::Read as _;

        self.buffer.drain(..self.done);
        self.done = 0;
        let more = u64::try_from(self.buffer.len().max(READ_SIZE)).unwrap_or(u64::MAX);
        let read = (&mut self.reader).take(more).read_to_end(&mut self.buffer);
        read.map(|count| count > 0).map_err(|error| Error::placeless(Fault::Io(error)))
    }

    /// The bytes of the next value: reads on until it is complete. `None` at the end.
    fn value(&mut self, options: &Options) -> Result<Option<&[u8]>> {
        loop {
            match de::length(options, self.ready()) {
                Ok(_) if self.ready().is_empty() => {}
                Ok(length) => {
                    let start = self.done;
                    self.done += length;
                    return Ok(self.buffer.get(start..self.done));
                }
                Err(error) if !error.is_eof() => return Err(error),
                Err(error) => {
                    let held = u64::try_from(self.ready().len()).unwrap_or(u64::MAX);
                    if held > options.max_input {
                        let limit = options.max_input;
                        return Err(Error::at(Fault::InputLimit { limit }, self.ready().len()));
                    }
                    if !self.read_on()? {
                        return Err(error);
                    }
                    continue;
                }
            }
            if !self.read_on()? {
                return Ok(None);
            }
        }
    }
}

#[cfg(feature = "std")]
impl<R: io::Read, T: DeserializeOwned> Iterator for StreamDeserializer<Buffered<R>, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.ended {
            return None;
        }
        let result = match self.source.value(&self.options) {
            Ok(None) => {
                self.ended = true;
                return None;
            }
            Ok(Some(bytes)) => de::take(&self.options, bytes),
            Err(error) => Err(error),
        };
        Some(self.give(result))
    }
}
