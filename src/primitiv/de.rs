//! Reading: the deserializer that users see, and what one value's reading keeps in mind.

mod access;
mod any;
mod kinds;
mod raw;
mod value;
mod variant;

use serde_core::de::{self, Deserialize, Visitor};

use self::value::ValueReader;
use super::document::{self, Alone, Document};
use super::{Error, Options, Result};
use crate::error::Fault;
use crate::glue::adjacent::Adjacent;
use crate::glue::nested;
use crate::limits::{DepthMeter, ItemBudget};
use crate::read::Reader;

/// Reads values from bytes, one after another.
///
/// Use [`from_slice`](super::from_slice) or [`take_from_slice`](super::take_from_slice) unless code
/// that is generic over deserializers needs one: it is implemented for `&mut Deserializer`.
///
/// One thing `from_slice` can and this cannot: start over. Some variants of adjacently tagged enums
/// behind `erased-serde` need that, and are refused here.
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
    state: State<'de>,
}

impl<'de> Deserializer<'de> {
    /// A deserializer with default options.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer { state: State::new(&Options::new(), bytes) }
    }

    /// Checks that all of the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if some is left; `Abandoned` if a part could not be read and its type went
    /// on without it.
    pub fn end(&mut self) -> Result<()> {
        self.state.check_swallowed(())?;
        self.state.reader.finish()
    }
}

/// One value at the start of `bytes`, and how many bytes it takes.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<(T, usize)> {
    let mut state = State::new(options, bytes);
    let value = nested::learning(
        &mut state,
        |state| T::deserialize(ValueReader::new(state)),
        |state| state.adjacent.has_learned(),
        |state| state.start_over(options, bytes),
    );
    let value = value.map_err(|error| error.or_offset(0))?;
    Ok((state.check_swallowed(value)?, state.reader.offset()))
}

/// A value that takes all of `bytes`, unless `options` allow trailing bytes.
#[inline]
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    let (value, taken) = take(options, bytes)?;
    if !options.allow_trailing {
        Reader::behind(bytes, taken).finish()?;
    }
    Ok(value)
}

/// What the reader records about one value.
#[derive(Debug)]
struct State<'de> {
    reader: Reader<'de>,
    depth: DepthMeter,
    budget: ItemBudget,
    lenient: bool,
    /// Whether the current value is a part of another.
    within: bool,
    /// What is known about adjacently tagged enums.
    adjacent: Adjacent,
    /// Where a part could not be read. A type that ignores the error reads on at a wrong place.
    failed_at: Option<usize>,
    /// Where the last part of a tuple began whose type itself knows where it ends.
    knows_end: Option<usize>,
}

impl<'de> State<'de> {
    fn new(options: &Options, bytes: &'de [u8]) -> Self {
        State {
            reader: Reader::new(bytes, 0),
            depth: DepthMeter::new(options.max_depth),
            budget: ItemBudget::new(bytes.len()),
            lenient: options.lenient,
            within: false,
            adjacent: Adjacent::default(),
            failed_at: None,
            knows_end: None,
        }
    }

    /// Begins the value again, with what was learned about the types.
    #[cold]
    fn start_over(&mut self, options: &Options, bytes: &'de [u8]) {
        let adjacent = self.adjacent.take_types();
        *self = State { adjacent, ..State::new(options, bytes) };
    }

    /// The value, unless its type swallowed an error.
    #[inline]
    fn check_swallowed<T>(&self, value: T) -> Result<T> {
        match self.failed_at {
            None => Ok(value),
            Some(offset) => Err(Error::at(Fault::Abandoned, offset)),
        }
    }

    /// Records an error, and adds its offset.
    #[cold]
    fn failed(&mut self, error: Error, offset: usize) -> Error {
        self.failed_at.get_or_insert(error.offset().unwrap_or(offset));
        error.or_offset(offset)
    }

    /// Reads a value that has parts.
    #[inline]
    fn level<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (outer, offset) = (self.depth, self.reader.offset());
        self.depth.enter().map_err(|error: Error| error.or_offset(offset))?;
        let outside = core::mem::replace(&mut self.within, true);
        let result = read(self);
        self.within = outside;
        self.depth = outer;
        result
    }

    /// Reads a document of this module, unless something in front of it was wrong: it would take
    /// the same bytes for another, again and again.
    fn document<V: Visitor<'de>>(&mut self, which: Document, visitor: V) -> Result<V::Value> {
        self.check_swallowed(())?;
        let State { reader, lenient, within, .. } = self;
        let alone = match !*within && reader.offset() == 0 {
            true => Alone::Yes,
            false => Alone::No,
        };
        document::hand_over(which, reader, *lenient, alone, visitor)
    }

    /// Reads what is in a `Some` or newtype struct.
    #[inline]
    fn wrapper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (outer, offset) = (self.depth, self.reader.offset());
        self.depth.wrap().map_err(|error: Error| error.or_offset(offset))?;
        let result = read(self);
        self.depth = outer;
        result
    }
}

/// Why a type may not ask the data for its type.
#[cold]
fn refusal() -> Error {
    Error::placeless(Fault::Unsupported(
        "structs, tuples and enums have no framing here, so a type cannot ask the data for its type \
         (as flatten, untagged and internally tagged do); mark it `any`, or read what others have written \
         under `Options::lenient`",
    ))
}

/// Deserializer methods, by what they take besides the visitor.
macro_rules! node_methods {
    ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            let offset = self.state.reader.offset();
            self.state.adjacent.forget();
            let result = ValueReader::new(&mut self.state).$method($($arg,)* visitor);
            result.map_err(|error| error.or_offset(offset))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    crate::glue::de::for_each_request!(node_methods);

    fn is_human_readable(&self) -> bool {
        false
    }
}
