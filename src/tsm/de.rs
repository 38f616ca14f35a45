//! Reading: the deserializer that users see. Knows where documents begin, not their insides.

mod access;
mod adjacent;
mod decoder;
mod fast;
mod parts;
mod raw;
mod reading;
mod value;
mod variant;

use serde_core::de::{self, Deserialize, Visitor};

use self::decoder::{Decoder, Own};
use self::value::Value;
use super::{Error, Options, Result};
use crate::glue::session::{First, Trailing};
use crate::limits::Depth;
use crate::read::Reader;

/// Reads values from bytes, one behind the other.
///
/// Use [`from_slice`](super::from_slice), [`take_from_slice`](super::take_from_slice) or
/// [`from_reader`](super::from_reader) unless code that is generic over deserializers needs one: it
/// is implemented for `&mut Deserializer`.
///
/// One thing `from_slice` can and this cannot: start over. Some variants of adjacently tagged enums
/// behind `erased-serde` need that, and are refused here.
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
    decoder: Decoder<'de>,
}

impl<'de> Deserializer<'de> {
    /// A deserializer with default options.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer { decoder: Decoder::new(Options::new().max_depth, bytes, Own::new()) }
    }

    /// Makes sure that all of the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if some is left; `Abandoned` or `SelfDescribing` if a part of any of the values
    /// could not be read and its type went on without it.
    pub fn end(&mut self) -> Result<()> {
        self.decoder.check_end(Trailing::Refused)
    }
}

/// One value at the start of `bytes`, and how many bytes it takes.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<(T, usize)> {
    if const { fast::is_for::<T>() } {
        if let Some(small) = take_small(options, bytes) {
            return Ok(small);
        }
    }
    let mut first = begin(options, bytes);
    let value = value(&mut first, Trailing::Allowed)?;
    Ok((value, first.session.reader.offset()))
}

/// A value that takes all of `bytes`, if `options` do not allow others behind it.
#[inline]
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    let trailing = Trailing::of(options.allow_trailing);
    if const { !fast::is_for::<T>() } {
        return value(&mut begin(options, bytes), trailing);
    }
    match take_small(options, bytes) {
        Some((value, taken)) if options.allow_trailing || taken == bytes.len() => Ok(value),
        _ => read(options, bytes, trailing).0,
    }
}

/// A small value, if there is nothing wrong.
#[inline(always)]
fn take_small<'de, T: Deserialize<'de>>(options: &Options, bytes: &'de [u8]) -> Option<(T, usize)> {
    let mut reader = Reader::new(bytes, 0);
    let value = fast::read(&mut reader, Depth::new(options.max_depth))?;
    Some((value, reader.offset()))
}

/// A value that was not read as a small one, and where reading it ended.
///
/// The offset is returned also with an error. So the result is returned in memory of its own, and that of
/// a small value stays in registers.
#[inline(never)]
fn read<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    trailing: Trailing,
) -> (Result<T>, usize) {
    let mut first = begin(options, bytes);
    (value(&mut first, trailing), first.session.reader.offset())
}

/// The first value, whatever it is.
#[inline]
fn value<'de, T: Deserialize<'de>>(first: &mut First<'de, Own>, trailing: Trailing) -> Result<T> {
    first.read(trailing, |decoder| T::deserialize(Value(decoder)))
}

#[inline(never)]
fn begin<'de>(options: &Options, bytes: &'de [u8]) -> First<'de, Own> {
    First::new(Decoder::new(options.max_depth, bytes, Own::new()), bytes)
}

/// Deserializer methods, by what they take besides the visitor.
macro_rules! outermost {
    ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            let offset = self.decoder.reader.offset();
            let value = Value(self.decoder.begin()).$method($($arg,)* visitor);
            value.map_err(|error| error.or_offset(offset))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    crate::glue::de::for_each_request!(outermost);

    fn is_human_readable(&self) -> bool {
        false
    }
}
