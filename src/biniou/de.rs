//! Reading: the deserializer that users see, and which way reads a document. Knows documents, does not
//! know their insides.

mod access;
mod exact;
mod fast;
mod node;
mod part;
mod rare;
mod reading;
mod record;
mod state;
mod table;

use serde_core::de::{self, Deserialize};

pub(super) use self::fast::Types;
use self::node::Node;
pub(super) use self::part::at;
use self::reading::TagAndMark;
use self::state::State;
use super::budget::Budget;
use super::raw::is_whole;
use super::wire::{self, Tag};
use super::{Error, ErrorKind, Options, Result};
use crate::fast::FAST;
use crate::glue::de::{self as glue, Request, by_read, for_each_request};
use crate::glue::erased::{self, forward};
use crate::glue::nested::{self, UnderWay};
use crate::limits::Depth;
use crate::raw::{self, Route};
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
        // A value cannot be read twice here, so each record is looked through first.
        Deserializer { state: State::new(&Options::new(), bytes, true, Budget::new()) }
    }

    /// Makes sure that all of the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if some is left; `Abandoned` if a value could not be read and has no end, and its
    /// type went on without it.
    pub fn end(&mut self) -> Result<()> {
        self.state.check_swallowed()?;
        self.state.reader.finish()
    }
}

/// What is read: a document, or a part of one that was kept raw.
#[derive(Clone, Copy)]
pub(super) struct Source<'o, 'de> {
    pub(super) options: &'o Options,
    /// The tag of the value, if it does not stand in front of it.
    tag: Option<TagAndMark>,
    pub(super) bytes: &'de [u8],
    /// How deep the value may nest.
    pub(super) depth: Depth,
    /// Where the bytes begin in the whole document, and the way to them.
    pub(super) base: usize,
    pub(super) route: Route<'o, 'de>,
    /// Whether it is no part of another value.
    pub(super) is_whole: bool,
}

impl<'o, 'de> Source<'o, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn whole(options: &'o Options, bytes: &'de [u8]) -> Self {
        let (depth, route) = (Depth::new(options.max_depth), Route::default());
        Source { options, tag: None, bytes, depth, base: 0, route, is_whole: true }
    }

    /// The tag of the value, if it does not stand in front of it.
    fn tag(self) -> Option<Tag> {
        self.tag.and_then(|tag| Tag::from_byte(tag.tag()))
    }

    /// The same behind a tag that does not stand in front of the value.
    pub(super) fn tagged(self, tag: Option<Tag>) -> Self {
        Source { tag: tag.map(|tag| TagAndMark::new(tag.byte(), None)), ..self }
    }

    /// A part that was kept raw.
    pub(super) fn part(options: &'o Options, part: raw::Found<'o, 'de>) -> Self {
        let raw::Found { bytes, offset, settings, route } = part;
        let (depth, is_whole) = (settings.depth, is_whole(settings));
        Source { options, tag: None, bytes, depth, base: offset, route, is_whole }
    }
}

/// One value at the start of `bytes`, which begin at `base` of the input, and how many bytes it takes. `budget` is that
/// of the input, in which others may stand in front of it.
#[inline]
pub(super) fn take<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    base: usize,
    budget: &mut Budget,
) -> Result<(T, usize)> {
    take_from(Source { base, ..Source::whole(options, bytes) }, budget)
}

/// The same from any source. Errors count from the start of its bytes.
///
/// The fast way reads most documents. If it bails, the exact way decides and explains.
#[inline]
pub(super) fn take_from<'de, T: Deserialize<'de>>(
    source: Source<'_, 'de>,
    budget: &mut Budget,
) -> Result<(T, usize)> {
    if FAST {
        if let Some((value, taken)) = fast::take(source, &Types::default()) {
            // The fast way bails on references and on rows without columns, so only the bytes count.
            budget.next_value(taken, None);
            return Ok((value, taken));
        }
    }
    exactly_by(|read| take_value_exactly(source, budget, read))
}

/// How a type of the user is read.
type Read<'r, 'de> = erased::Read<'r, 'de, ErrorKind>;

/// A value that `take` reads by the exact way, and what that tells: how many bytes it takes, or where it ends.
fn exactly_by<'de, T: Deserialize<'de>>(
    take: impl FnOnce(&mut Read<'_, 'de>) -> Result<usize>,
) -> Result<(T, usize)> {
    let mut told = 0;
    let value = erased::value_by(|read| {
        told = take(read)?;
        Ok(())
    })?;
    Ok((value, told))
}

/// Reads a value by the exact way, and tells how many bytes it takes.
///
/// If a field comes twice in a record, the last one counts, as in OCaml. serde's visitors refuse the
/// second, or have failed at the first. So everything is then read once more, and each record is looked
/// through before. Inside of another exact reading that is done from the start.
#[cold]
fn take_exactly<'de>(
    source: Source<'_, 'de>,
    budget: &mut Budget,
    read: &mut dyn FnMut(&mut State<'de>) -> Result<()>,
) -> Result<usize> {
    let is_inside = nested::exact_readings_around() > 0;
    let _reading = UnderWay::exact();
    let mut state = State::of(source, is_inside, *budget);
    let mut result = read(&mut state);
    if state.met_duplicate && !is_inside {
        state = State::of(source, true, *budget);
        result = read(&mut state);
    }
    *budget = state.next_budget();
    result.map(|()| state.reader.offset())
}

/// The same of a value and its tag.
fn take_value_exactly<'de>(
    source: Source<'_, 'de>,
    budget: &mut Budget,
    read: &mut Read<'_, 'de>,
) -> Result<usize> {
    let head = source.tag().map(|tag| (tag, 0));
    take_exactly(source, budget, &mut |state| read_value(state, head, read))
}

/// Reads what comes next. `head` is its tag, and where that lies, if it does not stand in front.
fn read_value<'de>(
    state: &mut State<'de>,
    head: Option<(Tag, usize)>,
    read: &mut Read<'_, 'de>,
) -> Result<()> {
    let start = state.reader.offset();
    let result = match head {
        None => Node::tagged(state, None).and_then(|node| erased::read_by(node, read)),
        Some((tag, at)) => {
            let tag_and_mark = TagAndMark::new(tag.byte(), None);
            erased::read_by(Node { input: &mut *state, tag_and_mark, at }, read)
        }
    };
    result.map_err(|error| error.or_offset(start))?;
    state.skip_if_unread(start, head.map(|(tag, _)| tag))
}

/// Reads an item of an ARRAY or TUPLE that was kept raw: that which begins behind `taken` bytes. `head` is the tag
/// of an ARRAY's items, and where it lies. Returns where the item ends.
#[inline]
pub(super) fn take_item<'de, T: Deserialize<'de>>(
    list: Source<'_, 'de>,
    taken: usize,
    head: Option<(Tag, usize)>,
    types: &Types,
) -> Result<(T, usize)> {
    if FAST {
        let bytes = list.bytes.get(taken..).unwrap_or_default();
        let item = Source { bytes, ..list }.tagged(head.map(|(tag, _)| tag));
        if let Some((value, len)) = fast::take(item, types) {
            return Ok((value, taken.saturating_add(len)));
        }
    }
    exactly_by(|read| {
        take_exactly(list, &mut Budget::new(), &mut |state| {
            state.return_to(taken);
            read_value(state, head, read)
        })
    })
}

/// Reads a row of a table that was kept raw: that which begins behind `taken` bytes. Returns where it ends.
pub(super) fn take_row<'de, T: Deserialize<'de>>(
    table: Source<'_, 'de>,
    taken: usize,
) -> Result<(T, usize)> {
    exactly_by(|read| {
        let row = &mut |state: &mut State<'de>| table::read_row(state, taken, read);
        take_exactly(table, &mut Budget::new(), row)
    })
}

/// A value that takes all of `bytes`, if `options` do not allow others behind it.
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    document(Source::whole(options, bytes))
}

/// The value of a chunk of this number, which begins at `base` of a file. Its error counts from its own start.
pub(super) fn chunk<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    base: usize,
    number: usize,
) -> Result<T> {
    let route = Route::default().to_item(number);
    document(Source { base, route, ..Source::whole(options, bytes) })
}

fn document<'de, T: Deserialize<'de>>(source: Source<'_, 'de>) -> Result<T> {
    let Source { options, bytes, .. } = source;
    if FAST {
        match fast::take(source, &Types::default()) {
            Some((value, taken)) if taken == bytes.len() || options.allow_trailing => {
                return Ok(value);
            }
            _ => {}
        }
    }
    erased::value_by(|read| read_document(source, read))
}

/// Reads a document by the exact way.
#[cold]
fn read_document<'de>(source: Source<'_, 'de>, read: &mut Read<'_, 'de>) -> Result<()> {
    let Source { options, bytes, .. } = source;
    let taken = take_value_exactly(source, &mut Budget::new(), read);
    let checked = taken.and_then(|taken| match options.allow_trailing {
        true => Ok(()),
        false => Reader::behind(bytes, taken).finish(),
    });
    checked.map_err(|error| error_of_document(error, bytes))
}

/// The error of a whole document: that of its reader, unless the document is a stream of chunks. No
/// stream is also a value, since the first byte of a chunk is the tag of a value of two bytes.
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
        let value = value.and_then(|value| state.skip_if_unread(start, None).map(|()| value));
        if value.is_err() {
            // Its type may go on without it. If that fails, the next value reports it.
            let _ = state.skip_again(start, None);
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
