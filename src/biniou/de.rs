//! Reading: the deserializer that users see, and what one value's reading keeps in mind.

mod access;
mod first;
mod node;
mod record;
mod state;
mod table;

use serde_core::de::{self, Deserialize};

use self::node::Node;
use self::state::State;
use super::budget::Budget;
use super::{Error, ErrorKind, Options, Result, wire};
use crate::fast::FAST;
use crate::glue::de::{self as glue, Request, by_read, for_each_request};
use crate::glue::erased::{self, forward};
use crate::glue::nested;
use crate::read::Reader;

/// Reads values from bytes, one behind the other.
///
/// Use [`from_slice`](super::from_slice), [`take_from_slice`](super::take_from_slice) or
/// [`StreamDeserializer`](super::StreamDeserializer) unless code that is generic over
/// deserializers needs one: it is implemented for `&mut Deserializer`.
///
/// ```
/// use fourfold::biniou::Deserializer;
/// use serde::Deserialize;
///
/// let mut deserializer = Deserializer::from_slice(&[16, 7, 0, 1]);
/// assert_eq!(u16::deserialize(&mut deserializer)?, 7);
/// assert!(bool::deserialize(&mut deserializer)?);
/// deserializer.end()?;
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'de> {
    state: State<'de>,
}

impl<'de> Deserializer<'de> {
    /// A deserializer with default options.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        // A value cannot be read twice here, so each record is looked through before it is read.
        Deserializer { state: State::new(&Options::new(), bytes, true, Budget::new()) }
    }

    /// Makes sure that all of the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if some is left; `Abandoned` if a value could not be read and has no end, and its
    /// type went on without it.
    pub fn end(&mut self) -> Result<()> {
        self.state.unless_lost()?;
        self.state.reader.finish()
    }
}

/// One value at the start of `bytes`, and how many bytes it takes. `budget` is that of the input, in
/// which others may stand in front of it.
///
/// Most documents are read at the first attempt; of the others, the thorough reader says what they
/// hold or what is wrong.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    budget: &mut Budget,
) -> Result<(T, usize)> {
    let first = if FAST { nested::fast(|| first::take(options, bytes)) } else { None };
    match first {
        Some((value, taken)) => {
            // It takes neither rows without columns nor references.
            budget.next_value(taken, None);
            Ok((value, taken))
        }
        None => {
            let mut taken = 0;
            let value = erased::value_by(|read| {
                taken = take_thoroughly(options, bytes, budget, read)?;
                Ok(())
            })?;
            Ok((value, taken))
        }
    }
}

/// How a type of the user is read.
type Read<'r, 'de> = erased::Read<'r, 'de, ErrorKind>;

/// The same by the reader that knows everything: how many bytes the value takes.
///
/// Of equal fields in a record the last counts, as for OCaml. serde's visitors refuse the second, or
/// have failed at the first; where there is one, everything is read once more, and each record looked
/// through beforehand. Inside of another reading that is done from the start.
#[cold]
fn take_thoroughly<'de>(
    options: &Options,
    bytes: &'de [u8],
    budget: &mut Budget,
    read: &mut Read<'_, 'de>,
) -> Result<usize> {
    let is_inside = nested::exact_readings_around() > 0;
    nested::exact(|| {
        let mut state = State::new(options, bytes, is_inside, *budget);
        let mut result = read_value(&mut state, read);
        if state.met_duplicate && !is_inside {
            state = State::new(options, bytes, true, *budget);
            result = read_value(&mut state, read);
        }
        *budget = state.next_budget();
        result.map(|()| state.reader.offset())
    })
}

fn read_value<'de>(state: &mut State<'de>, read: &mut Read<'_, 'de>) -> Result<()> {
    let result = Node::tagged(state, None).and_then(|node| erased::read_by(node, read));
    result.map_err(|error| error.or_offset(0))?;
    state.settle(0, None)
}

/// A value that takes all of `bytes`, if `options` do not allow others behind it.
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    let value = take(options, bytes, &mut Budget::new()).and_then(|(value, taken)| {
        if !options.allow_trailing {
            let rest = bytes.get(taken..).unwrap_or_default();
            Reader::new(rest, taken).finish()?;
        }
        Ok(value)
    });
    value.map_err(|error| error_of_document(error, bytes))
}

/// What is wrong with a whole document: what its reader says, unless it is a stream of chunks. That is
/// never a value as well, since the first byte of a chunk is the tag of a value of two bytes.
#[cold]
#[inline(never)]
fn error_of_document(error: Error, bytes: &[u8]) -> Error {
    match wire::chunks(bytes) {
        Some(count @ 1..) => Error::at(ErrorKind::Chunks { count }, 0),
        _ => error,
    }
}

/// A value of a deserializer that users see.
struct Next<'a, 'de>(&'a mut State<'de>);

impl<'de> glue::Deserializer<'de> for Next<'_, 'de> {
    type Error = Error;

    fn read<V: glue::Visitor<'de, Error>>(self, request: Request, visitor: V) -> Result<V::Value> {
        let Next(state) = self;
        state.begin()?;
        let start = state.reader.offset();
        let value = Node::tagged(state, None).and_then(|node| node.read(request, visitor));
        let value = value.and_then(|value| state.settle(start, None).map(|()| value));
        if value.is_err() {
            // Its type may go on without it. Where that fails, the next value says so.
            let _ = state.pass_again(start, None);
        }
        value
    }

    for_each_request!(by_read);
}

impl<'de> Deserializer<'de> {
    /// Reads what is asked for.
    fn read(&mut self, read: &mut Read<'_, 'de>) -> Result<()> {
        erased::read_by(Next(&mut self.state), read)
    }
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    for_each_request!(forward, read:);

    fn is_human_readable(&self) -> bool {
        false
    }
}
