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

use self::access::PartStep;
use self::value::ValueReader;
use super::document::{self, Alone, Document};
use super::error::SELF_DESCRIBING;
use super::{Error, ErrorKind, Options, Result};
use crate::error::Fault;
use crate::glue::nested::exact_readings_around;
use crate::glue::session::{self, First, Session, Trailing};
use crate::raw::{Found, KeptRoute, Settings};

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
        self.state.check_end(Trailing::Refused)
    }
}

/// One value at the start of `bytes`, and how many bytes it takes.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<(T, usize)> {
    let mut first = begin(options, bytes);
    let value = value(&mut first, Trailing::Allowed)?;
    Ok((value, first.session.reader.offset()))
}

/// A value that takes all of `bytes`, unless `options` allow trailing bytes.
#[inline]
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    value(&mut begin(options, bytes), Trailing::of(options.allow_trailing))
}

/// A value at the start of a part that was kept raw, and how many bytes it takes. Errors count from the start of its
/// bytes.
#[inline]
pub(super) fn take_part<'de, T: Deserialize<'de>>(
    options: &Options,
    part: Found<'_, 'de>,
) -> Result<(T, usize)> {
    let mut first = begin_part(options, part);
    let value = value(&mut first, Trailing::Allowed)?;
    Ok((value, first.session.reader.offset()))
}

/// The first value.
#[inline]
fn value<'de, T: Deserialize<'de>>(
    first: &mut First<'de, Own<'de>>,
    trailing: Trailing,
) -> Result<T> {
    first.read(trailing, |state| T::deserialize(ValueReader::new(state)))
}

#[inline(never)]
fn begin<'de>(options: &Options, bytes: &'de [u8]) -> First<'de, Own<'de>> {
    start(State::new(options.max_depth, bytes, Own::new(options)), bytes)
}

#[inline(never)]
fn begin_part<'de>(options: &Options, part: Found<'_, 'de>) -> First<'de, Own<'de>> {
    let Found { bytes, offset, settings: Settings { depth, .. }, route } = part;
    let own = Own { outer: route.into(), base: offset, outermost: None, ..Own::new(options) };
    start(State::inside(depth, options.max_depth, bytes, own), bytes)
}

/// In a document that is read once more, those inside would be read twice as often with each level.
fn start<'de>(state: State<'de>, bytes: &'de [u8]) -> First<'de, Own<'de>> {
    let mut first = First::new(state, bytes);
    if exact_readings_around() > 0 {
        first.session.own.steps = Some(Vec::new());
    }
    first
}

/// What is kept of one value that is read.
type State<'de> = Session<'de, Own<'de>>;

/// What only this format keeps.
#[derive(Debug)]
struct Own<'de> {
    lenient: bool,
    /// How deep values may nest that are part of no other.
    outermost: Option<u16>,
    /// The steps to the part that is being read, once they are wanted: most documents have no raw parts ..
    steps: Option<Vec<PartStep>>,
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
            outermost: Some(options.max_depth),
            steps: None,
            wants_steps: false,
            outer: KeptRoute::WHOLE,
            base: 0,
        }
    }
}

impl session::Own for Own<'_> {
    type Kind = ErrorKind;

    #[inline]
    fn wants_another_reading(&self) -> bool {
        self.wants_steps
    }

    fn start_over(&mut self) {
        if core::mem::take(&mut self.wants_steps) || self.steps.is_some() {
            self.steps = Some(Vec::new());
        }
    }
}

impl<'de> State<'de> {
    /// Reads a document of this module, unless something in front of it was wrong: it would take
    /// the same bytes for another, again and again.
    fn document<V: Visitor<'de>>(&mut self, which: Document, visitor: V) -> Result<V::Value> {
        self.check_abandoned()?;
        let State { reader, depth, own: Own { lenient, outermost, .. }, .. } = self;
        let alone = match *outermost == Some(depth.levels) && reader.offset() == 0 {
            true => Alone::Yes,
            false => Alone::No,
        };
        document::hand_over(which, reader, *lenient, alone, visitor)
    }
}

/// Why a type may not ask the data for its type.
#[cold]
fn refusal() -> Error {
    Error::placeless(Fault::Unsupported {
        reason: "the type calls `deserialize_any` (as untagged, internally tagged, `flatten` and `Value` do), \
                 and primitiv is not self-describing",
        hint: Some(SELF_DESCRIBING),
    })
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
