//! Reading: the public functions, and the beginning and end of a message.
//!
//! A [`Document`] is what all values of a message share, [`Value`] deserializes the value that comes next, and accesses
//! for nested values are in the modules next to it. `Deserialize` runs once. While it does, an error is the token
//! [`Failed`], and the document keeps kind, offset and path.

mod adjacent;
mod document;
mod parts;
mod raw;
mod value;
mod variant;

use core::cell::Cell;

use serde_core::de::{self, Deserialize, Visitor};

use self::document::Document;
use self::value::Value;
use super::{Error, Options, Result};
use crate::error::CommonKind;
use crate::failed::Failed;
use crate::glue::macros::for_each_deserialize_method;
use crate::limits::{DEFAULT_MAX_DEPTH, Depth};
use crate::read::Reader;

/// Reads concatenated values from bytes.
///
/// Use [`from_slice`](super::from_slice), [`take_from_slice`](super::take_from_slice) or
/// [`from_reader`](super::from_reader) unless code that is generic over deserializers needs one: it
/// is implemented for `&mut Deserializer`.
///
/// ```
/// use fourfold::tsm::Deserializer;
/// use serde::Deserialize;
///
/// let mut deserializer = Deserializer::from_slice(&[7, 0, 1]);
/// assert_eq!(u16::deserialize(&mut deserializer)?, 7);
/// assert!(bool::deserialize(&mut deserializer)?);
/// deserializer.end()?;
/// # Ok::<(), fourfold::tsm::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'de> {
    bytes: &'de [u8],
    taken: usize,
    /// Where a value failed, so that the place of the next one is unknown.
    failed_at: Option<usize>,
}

impl<'de> Deserializer<'de> {
    /// A deserializer with default options.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer { bytes, taken: 0, failed_at: None }
    }

    /// Checks that all of the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if some is left; `Abandoned` if a nested value could not be read and its type
    /// ignored the error.
    pub fn end(&mut self) -> Result<()> {
        match self.failed_at {
            Some(offset) => Err(Error::at(CommonKind::Abandoned, offset)),
            None => Reader::after(self.bytes, self.taken).finish(),
        }
    }

    fn read<T>(&mut self, read: impl FnOnce(Value<'_, 'de>) -> Result<T, Failed>) -> Result<T> {
        let start = self.bytes.get(self.taken..).unwrap_or_default();
        let document = Document::new(DEFAULT_MAX_DEPTH, start, self.taken);
        document.failed_at.set(self.failed_at);
        let rest = Cell::new(start);
        let depth = Depth::new(DEFAULT_MAX_DEPTH);
        let value = read(Value { document: &document, rest: &rest, depth });
        let value = value.map_err(|Failed| document.located(start));
        self.taken = document.offset_of(rest.get());
        self.failed_at = document.failed_at.get();
        value
    }
}

macro_rules! methods {
    ($($method:ident($($arg:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            self.read(|value| value.$method($($arg,)* visitor))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    for_each_deserialize_method!(methods);

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// One value at the start of `bytes`, and how many bytes it takes.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<(T, usize)> {
    let document = Document::new(options.max_depth, bytes, 0);
    let rest = Cell::new(bytes);
    let depth = Depth::new(options.max_depth);
    let value: Value<'_, 'de> = Value { document: &document, rest: &rest, depth };
    let value = T::deserialize(value);
    document.end(value, rest.get())
}

/// A value that takes all of `bytes`, unless `options` allow trailing bytes.
#[inline]
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    let (value, taken) = take(options, bytes)?;
    match taken == bytes.len() || options.allow_trailing {
        true => Ok(value),
        false => Reader::after(bytes, taken).finish().map(|()| value),
    }
}
