//! Reading: the deserializer that users see, and what one value's reading keeps in mind.

mod access;
mod any;
mod kinds;
mod part;
mod raw;
mod value;
mod variant;

use alloc::vec::Vec;

use serde_core::de::{self, Deserialize, Visitor};

use self::value::ValueReader;
use super::document::{self, Alone, Document};
use super::{Error, Options, Result};
use crate::error::{Fault, Segment};
use crate::glue::session::Session;
use crate::limits::Depth;
use crate::raw::{Found, KeptRoute, Settings};
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
        let options = Options::new();
        // A value cannot be read twice here.
        let own = Own { steps: Some(Vec::new()), ..Own::new(&options) };
        Deserializer { state: State::new(options.max_depth, bytes, own) }
    }

    /// Checks that all of the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if some is left; `Abandoned` if a part could not be read and its type went
    /// on without it.
    pub fn end(&mut self) -> Result<()> {
        self.state.check_abandoned()?;
        self.state.reader.finish()
    }
}

/// One value at the start of `bytes`, and how many bytes it takes.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<(T, usize)> {
    first(options, bytes, Depth::new(options.max_depth), || Own::new(options))
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

/// A value at the start of a part that was kept raw, and how many bytes it takes. Errors count from the start of its
/// bytes.
#[inline]
pub(super) fn take_part<'de, T: Deserialize<'de>>(
    options: &Options,
    part: Found<'_, 'de>,
) -> Result<(T, usize)> {
    let Found { bytes, offset, settings: Settings { depth, .. }, route } = part;
    let own = || Own { outer: route.into(), base: offset, within: true, ..Own::new(options) };
    first(options, bytes, depth, own)
}

/// The first value, and how many bytes it takes. It is read again, with the steps to each part, if one is kept raw.
#[inline]
fn first<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    depth: Depth,
    own: impl Fn() -> Own<'de>,
) -> Result<(T, usize)> {
    let mut steps = None;
    loop {
        let own = || Own { steps: steps.clone(), ..own() };
        let mut state = State::inside(depth, options.max_depth, bytes, own());
        let value = state.first(bytes, own, |state| T::deserialize(ValueReader::new(state)));
        if state.own.wants_steps && steps.is_none() {
            steps = Some(Vec::new());
            continue;
        }
        let value = value?;
        return Ok((value, state.end_of_value()?));
    }
}

/// What is kept of one value that is read.
type State<'de> = Session<'de, Own<'de>>;

/// What only this format keeps.
#[derive(Debug)]
struct Own<'de> {
    lenient: bool,
    /// Whether the current value is a part of another.
    within: bool,
    /// The steps to the part that is being read, once they are wanted: most documents have no raw parts ..
    steps: Option<Vec<Segment>>,
    /// .. and whether a raw part was met without them ..
    wants_steps: bool,
    /// .. and those to the input, if it is a part that was kept raw, with its place in the whole.
    outer: KeptRoute<'de>,
    base: usize,
}

impl Own<'_> {
    const fn new(options: &Options) -> Self {
        Own {
            lenient: options.lenient,
            within: false,
            steps: None,
            wants_steps: false,
            outer: KeptRoute::WHOLE,
            base: 0,
        }
    }
}

impl<'de> State<'de> {
    /// How many bytes the value takes.
    fn end_of_value(&self) -> Result<usize> {
        self.check_abandoned().map(|()| self.reader.offset())
    }

    /// Reads a value that has parts.
    #[inline]
    fn level<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outside = core::mem::replace(&mut self.own.within, true);
        let result = self.in_level(read);
        self.own.within = outside;
        result
    }

    /// Reads a document of this module, unless something in front of it was wrong: it would take
    /// the same bytes for another, again and again.
    fn document<V: Visitor<'de>>(&mut self, which: Document, visitor: V) -> Result<V::Value> {
        self.check_abandoned()?;
        let State { reader, own: Own { lenient, within, .. }, .. } = self;
        let alone = match !*within && reader.offset() == 0 {
            true => Alone::Yes,
            false => Alone::No,
        };
        document::hand_over(which, reader, *lenient, alone, visitor)
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
            self.state.begin_next();
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
