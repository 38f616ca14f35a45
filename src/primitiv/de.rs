//! Reading: the public functions, and the beginning and end of a message.
//!
//! A [`Document`] is what all values of a message share, [`Value`] deserializes the value that comes next, and accesses
//! for nested values are in the modules next to it. `Deserialize` runs once. While it does, an error is the token
//! [`Failed`], and the document keeps kind, offset and path.

mod adjacent;
mod document;
mod lenient;
mod parts;
mod value;
mod variant;

use serde_core::de::{self, Deserialize, Visitor};

use self::document::Document;
use self::value::Value;
use super::{Error, Options, Result};
use crate::error::CommonKind;
use crate::failed::Failed;
use crate::glue::macros::for_each_deserialize_method;
use crate::limits::Depth;
use crate::raw::{Found, Settings};
use crate::read::Reader;

/// Reads concatenated values from bytes.
///
/// Use [`from_slice`](super::from_slice) or [`take_from_slice`](super::take_from_slice) unless code
/// that is generic over deserializers needs one: it is implemented for `&mut Deserializer`.
///
/// ```
/// use fourfold::primitiv::Deserializer;
/// use serde::Deserialize;
///
/// let mut deserializer = Deserializer::from_slice(&[0xce, 0, 0, 0, 7, 0xc3]);
/// assert_eq!(u32::deserialize(&mut deserializer)?, 7);
/// assert!(bool::deserialize(&mut deserializer)?);
/// deserializer.end()?;
/// # Ok::<(), fourfold::primitiv::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'de> {
    bytes: &'de [u8],
    taken: usize,
    /// Where a value failed, so that the place of the next one is unknown.
    failed_at: Option<usize>,
}

const DEFAULTS: &Options = &Options::new();

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
        let document = Document::new(DEFAULTS, self.bytes);
        let start = self.bytes.get(self.taken..).unwrap_or_default();
        document.rest.set(start);
        document.failed_at.set(self.failed_at);
        let value = read(Value::new(&document, Depth::new(DEFAULTS.max_depth)));
        let value = value.map_err(|Failed| document.located(start));
        (self.taken, self.failed_at) = (document.offset(), document.failed_at.get());
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
    read(&Document::new(options, bytes), Depth::new(options.max_depth))
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

/// A value at the start of a lazy value, and how many bytes it takes. Offsets are those in the whole message; paths
/// begin at the lazy value.
#[inline]
pub(super) fn take_part<'de, T: Deserialize<'de>>(part: Found<'de>) -> Result<(T, usize)> {
    let Found { bytes, offset, settings, .. } = part;
    let Settings { depth, .. } = settings;
    let options = Options::of_part(settings);
    let mut document = Document::new(&options, bytes);
    (document.base, document.is_whole) = (offset, false);
    read(&document, depth)
}

#[inline]
fn read<'de, T: Deserialize<'de>>(
    document: &Document<'_, 'de>,
    depth: Depth,
) -> Result<(T, usize)> {
    match T::deserialize(Value::new(document, depth)) {
        Ok(value) if document.failed_at.get().is_none() => Ok((value, document.taken())),
        value => Err(document.refused(value.is_ok())),
    }
}
