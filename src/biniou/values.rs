//! Concatenated values.

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
use crate::{buffered::Buffered, error::CommonKind, io};

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
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let too_long = || Error::at(CommonKind::InputLimit { limit }, most);
        let source = &mut self.source;
        let mut scan = Scan::new();
        loop {
            match scan.advance(source.ready(), max_depth) {
                Ok(Some(length)) if length > most => return Err(too_long()),
                Ok(Some(length)) => return Ok(Next::Value(length)),
                Ok(None) if source.ready().len() > most => return Err(too_long()),
                Ok(None) => {}
                Err(_) => return Ok(Next::Damage),
            }
            if !source.read_on()? {
                return Ok(if source.ready().is_empty() { Next::End } else { Next::Damage });
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
