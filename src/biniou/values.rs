//! Values one behind the other, with nothing between them. Knows where they end, not what they hold.

#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::Deserialize;
#[cfg(feature = "std")]
use serde_core::de::DeserializeOwned;

#[cfg(feature = "std")]
use super::Error;
use super::budget::Budget;
use super::de;
#[cfg(feature = "std")]
use super::scan::Scan;
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
    /// What the values to come may ask for beyond their bytes.
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
        let result = de::take(&self.options, self.source, &mut self.budget);
        if let Ok((_, taken)) = &result {
            self.source = self.source.get(*taken..).unwrap_or_default();
        }
        Some(self.give(result))
    }
}

/// What has been read of a stream and not yet been given out: the source of a
/// [`StreamDeserializer`] over a reader.
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
    /// The values that `reader` gives. A value is given out as soon as its last byte is there.
    #[must_use]
    pub fn from_reader(reader: R) -> Self {
        Self::new(Buffered { reader, buffer: Vec::new(), done: 0 })
    }
}

/// What stands at the start of what has been read.
#[cfg(feature = "std")]
enum Next {
    /// A value of that length.
    Value(usize),
    /// Bytes that are no value. Reading them gives the error.
    Damage,
    /// Nothing, and nothing will come.
    End,
}

#[cfg(feature = "std")]
impl<R: io::Read> Buffered<R> {
    /// What has been read and not been given out.
    fn ready(&self) -> &[u8] {
        self.buffer.get(self.done..).unwrap_or_default()
    }

    /// Reads on, once; `false` at the end of the stream.
    fn read_on(&mut self) -> Result<bool> {
        self.buffer.drain(..self.done);
        self.done = 0;
        let mut bytes = [0; READ_SIZE];
        loop {
            match self.reader.read(&mut bytes) {
                Ok(count) => {
                    self.buffer.extend_from_slice(bytes.get(..count).unwrap_or(&bytes));
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::at(Fault::Io(error), self.buffer.len())),
            }
        }
    }

    /// Reads on until the next value is complete.
    fn find(&mut self, options: &Options) -> Result<Next> {
        let most = usize::try_from(options.max_input).unwrap_or(usize::MAX);
        let too_long = || Error::at(Fault::InputLimit { limit: options.max_input }, most);
        let mut scan = Scan::new();
        loop {
            match scan.advance(self.ready(), options.max_depth) {
                Ok(Some(length)) if length > most => return Err(too_long()),
                Ok(Some(length)) => return Ok(Next::Value(length)),
                Ok(None) if self.ready().len() > most => return Err(too_long()),
                Ok(None) => {}
                Err(_) => return Ok(Next::Damage),
            }
            if !self.read_on()? {
                return Ok(if self.ready().is_empty() { Next::End } else { Next::Damage });
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
        let result = match self.source.find(&self.options) {
            Ok(Next::End) => {
                self.ended = true;
                return None;
            }
            Ok(Next::Value(length)) => {
                let start = self.source.done;
                self.source.done += length;
                let bytes = self.source.buffer.get(start..self.source.done).unwrap_or_default();
                de::take(&self.options, bytes, &mut self.budget)
            }
            Ok(Next::Damage) => {
                let result = de::take(&self.options, self.source.ready(), &mut self.budget);
                if let Ok((_, taken)) = &result {
                    self.source.done += taken;
                }
                result
            }
            Err(error) => Err(error),
        };
        Some(self.give(result))
    }
}
