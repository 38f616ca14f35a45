//! Reading: the public deserializer, which reading a document gets, and what the exact one records
//! about it. Knows when to read again, does not know any layout.

mod absent;
mod exact;
mod fast;
mod hint;
mod parts;
mod reading;
mod session;

use alloc::vec::Vec;
use core::cell::Cell;

use serde_core::de::{self, Deserialize};

use self::absent::Absences;
use self::exact::ValueReader;
pub(super) use self::reading::{Form, Surroundings};
use self::reading::{Notes, Source};
use self::session::{Exact, Session};
use super::error::ANY;
use super::mark::UnionIds;
use super::{Error, ErrorKind, Options, Path, Result};
use crate::error::Fault;
use crate::fast::FAST;
use crate::glue::de::{self as glue, Request, by_read, for_each_request};
use crate::glue::erased::{self, forward};
use crate::glue::nested::{self, UnderWay};
use crate::limits::Depth;
use crate::raw::{Found, Route};

/// Reads one value from one Molecule document.
///
/// Use [`from_slice`](super::from_slice) or [`from_reader`](super::from_reader) unless code that
/// is generic over deserializers needs one: it is implemented for `&mut Deserializer`. Molecule
/// leaves the length of a value to its surroundings, so the first value takes all the bytes.
///
/// `from_slice` can do three things that this cannot. It reads the document again if the bytes of
/// an unmarked tuple look like a table and are none; here such a tuple is an error, which the mark
/// `struct` avoids. It finds out whether a field has a default, see *Empty slots* in the
/// [module](super). And it tries a fast reader first, which takes less time.
///
/// ```
/// use fourfold::molecule::Deserializer;
/// use serde::Deserialize;
///
/// let mut deserializer = Deserializer::from_slice(&[7, 0]);
/// assert_eq!(u16::deserialize(&mut deserializer)?, 7);
/// deserializer.end()?;
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
#[derive(Debug)]
pub struct Deserializer<'de> {
    bytes: &'de [u8],
    taken: bool,
    options: Options,
    tuples: Tuples,
    record: Record,
    absences: Absences,
}

impl<'de> Deserializer<'de> {
    /// A deserializer with default options.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer::new(&Options::new(), Tuples::ByHeader, bytes)
    }

    fn new(options: &Options, tuples: Tuples, bytes: &'de [u8]) -> Self {
        // Under `strict`, tuples that are tables have a mark.
        let tuples = if options.strict { Tuples::Packed } else { tuples };
        let (options, record, absences) = (options.clone(), Record::default(), Absences::default());
        Deserializer { bytes, taken: false, options, tuples, record, absences }
    }

    /// Checks that the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if there is input and no value was read from it. `Unsupported` or
    /// `AmbiguousTuple` if a part failed because of its type, and the type around it ignored the
    /// error.
    pub fn end(&mut self) -> Result<()> {
        match self.bytes.len() {
            count if count > 0 && !self.taken => Err(Error::at(Fault::TrailingBytes { count }, 0)),
            _ => self.record.check_at_end(),
        }
    }
}

/// The value of one document.
///
/// The fast reader reads nearly all documents. It leaves the others to the exact reader.
#[inline]
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    from_source(Source::whole(options, bytes))
}

/// The value of the part of a document that `path` leads to, which takes all of `bytes`. Offsets of errors are those
/// in the document, and paths begin at the part.
#[inline]
pub(super) fn part<'de, T: Deserialize<'de>>(
    options: &Options,
    document: &'de [u8],
    bytes: &'de [u8],
    form: Form,
    path: &Path,
) -> Result<T> {
    let whole = Source::whole(options, document);
    let (offset, route) = (whole.place(bytes), Route::along(path));
    from_source(Source { bytes, offset, route, form, ..whole })
}

/// The value of a record that begins at `start` of a stream, where errors count from.
#[inline]
pub(super) fn record<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    start: usize,
) -> Result<T> {
    let value = from_source(Source::record(options, bytes, start));
    value.map_err(|error| error.map_kind(ErrorKind::in_item).moved(start))
}

/// The value of a part that was kept raw, or of an item of a list. Its settings have told the options.
#[inline]
pub(super) fn from_found<'de, T: Deserialize<'de>>(
    options: &Options,
    part: Found<'_, 'de>,
    form: Form,
) -> Result<T> {
    let Found { bytes, offset, settings, route } = part;
    let depth = settings.depth;
    let surroundings = Surroundings::from_settings(settings);
    let source = Source { bytes, options, depth, offset, start: 0, route, form, surroundings };
    let value = from_source(source);
    // Of a part, its surroundings have said where it ends.
    value.map_err(|error| match route.is_empty() && !surroundings.are(Surroundings::FRAMED) {
        true => error,
        false => error.map_kind(ErrorKind::in_item),
    })
}

/// Inlined, so that the form is known where values are read.
#[cfg_attr(not(debug_assertions), inline(always))]
fn from_source<'de, T: Deserialize<'de>>(source: Source<'_, 'de>) -> Result<T> {
    if FAST && !source.options.allow_trailing && !source.is_inside_exact() {
        // A small message holds no document inside, so it is not counted as a surrounding document.
        if let Some(value) = fast::message(source) {
            return Ok(value);
        }
        if let Some(_reading) = UnderWay::fast() {
            if let Some(value) = fast::document(source) {
                return Ok(value);
            }
        }
    }
    erased::value_by(|read| read_exactly(source, read))
}

/// The value of a document, or of a part that stands in this form and may nest so deep, by the fast reader alone.
/// Nothing says why there is none.
#[inline]
pub(super) fn without_reason<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
    form: Form,
    depth: Depth,
) -> Option<T> {
    const DEFAULTS: &Options = &Options::new();
    let surroundings = Surroundings::ALONE;
    fast::document(Source { form, depth, surroundings, ..Source::whole(DEFAULTS, bytes) })
}

/// Reads a value into a type of the user.
type Read<'r, 'de> = erased::Read<'r, 'de, ErrorKind>;

/// Reads a document exactly.
///
/// An unmarked tuple is read as a table if its bytes have a table's header. Rarely, a packed tuple
/// has such bytes by chance. That leads to a contradiction, and then everything is read again with
/// all unmarked tuples packed.
#[cold]
fn read_exactly<'de>(source: Source<'_, 'de>, read: &mut Read<'_, 'de>) -> Result<()> {
    let may_start_over = nested::may_start_over();
    let _reading = UnderWay::exact();
    let (first, record, absences) =
        read_by(source, Tuples::ByHeader, Absences::of_document(), read);
    match record.contradicted.is_some() || (first.is_err() && record.guessed) {
        true if !may_start_over => first.and_then(|()| record.check_at_end()),
        true => start_over(source, first, absences, read),
        false => first
            .map_err(|error| error.or_offset(source.offset))
            .and_then(|()| record.check_swallowed()),
    }
}

/// Reads the document, and again as long as a reading finds out more about fields of zero bytes.
fn read_by<'de>(
    source: Source<'_, 'de>,
    tuples: Tuples,
    mut absences: Absences,
    read: &mut Read<'_, 'de>,
) -> (Result<()>, Record, Absences) {
    loop {
        let mut deserializer = Deserializer::new(source.options, tuples, source.bytes);
        deserializer.absences = absences;
        let whole = Whole { deserializer: &mut deserializer, source };
        let result = erased::read_by(whole, read);
        match deserializer.absences.for_next() {
            Some(more) => absences = more,
            None => return (result, deserializer.record, deserializer.absences),
        }
    }
}

fn start_over<'de>(
    source: Source<'_, 'de>,
    first: Result<()>,
    absences: Absences,
    read: &mut Read<'_, 'de>,
) -> Result<()> {
    let (second, record, _) = read_by(source, Tuples::Packed, absences, read);
    match (first, second) {
        (_, Ok(())) => record.check_swallowed(),
        (Err(first), Err(second)) if is_less_specific(&second, &first) => Err(first),
        (_, second) => second,
    }
    .map_err(|error| error.or_offset(source.offset))
}

/// Whether the error of the reading with packed tuples says less than that of the reading by
/// headers. It does if the tuple is a table: then it does not fit its bytes, or a header is read as
/// an item, and that fails first.
fn is_less_specific(packed: &Error, by_header: &Error) -> bool {
    match (packed.kind(), by_header.kind()) {
        (_, ErrorKind::AmbiguousTuple) => false,
        (ErrorKind::Fault(Fault::TrailingBytes { .. }), _) => true,
        (kind, _) => kind.is_of_packed_tuple() || packed.offset() <= by_header.offset(),
    }
}

/// What the exact reading records about a document, besides [`Notes`].
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    /// Whether an unmarked tuple was read as a table because of its header.
    guessed: bool,
    /// Where such a table failed, or had only fixed items: then the tuple is no table.
    contradicted: Option<usize>,
    /// Where a type asked the data for its type, which is an error.
    asked_types: Option<usize>,
    /// Where a type stopped reading parts because one could not be read.
    abandoned: Option<usize>,
    /// Where the first field of a struct of two lies, which may be the tag of an adjacently tagged
    /// enum.
    tag_at: Option<usize>,
    /// The ids of the adjacently tagged enum whose tag comes next.
    tag_ids: Option<UnionIds>,
    /// The name of that enum.
    tag_of: &'static str,
    /// Where the content of the last such tag begins, and the id of the tag.
    content: Option<(usize, u32)>,
    /// Whether a value was skipped since this was last cleared.
    skipped: bool,
}

/// How to read tuples without a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tuples {
    /// As tables if the bytes have a table's header, else as packed.
    ByHeader,
    /// As packed.
    Packed,
}

impl Record {
    /// Refuses a document whose type swallowed an error that must fail it.
    fn check_swallowed(&self) -> Result<()> {
        match (self.asked_types, self.abandoned) {
            (None, None) => Ok(()),
            (Some(offset), _) => Err(Error::at(NO_TYPES, offset)),
            (None, Some(offset)) => Err(Error::at(Fault::Abandoned, offset)),
        }
    }

    /// The same at the end of the input, where nothing can be read again.
    fn check_at_end(&self) -> Result<()> {
        match self.contradicted {
            None => self.check_swallowed(),
            Some(offset) => Err(Error::at(ErrorKind::AmbiguousTuple, offset)),
        }
    }
}

/// The error for a type that asks the data for its type.
const NO_TYPES: Fault = Fault::Unsupported {
    reason: "molecule does not describe itself, and this type needs that (as flatten, untagged and \
             internally tagged enums do)",
    hint: Some(ANY),
};

/// The value of the public deserializer.
struct Whole<'a, 'de> {
    deserializer: &'a mut Deserializer<'de>,
    source: Source<'a, 'de>,
}

impl<'de> glue::Deserializer<'de> for Whole<'_, 'de> {
    type Error = Error;

    fn read<V: glue::Visitor<'de, Error>>(self, request: Request, visitor: V) -> Result<V::Value> {
        let Whole { deserializer, source } = self;
        let Deserializer { bytes, taken, options, tuples, record, absences } = deserializer;
        let mut steps = Vec::new();
        let all = match core::mem::replace(taken, true) {
            true => &[],
            false => *bytes,
        };
        let source = Source { bytes: all, ..source };
        let Source { depth, form, .. } = source;
        let session = Session {
            notes: Notes::new(source),
            options,
            tuples: *tuples,
            record: Cell::from_mut(record),
            absences: Cell::from_mut(absences),
            steps: Cell::from_mut(&mut steps),
            tuple: Cell::new(None),
        };
        let exact = Exact { session: &session, trailing: options.allow_trailing };
        match form {
            Form::Slot | Form::Dynamic => {
                ValueReader::new(exact, all, depth).read(request, visitor)
            }
            Form::Packed => exact::packed_item(exact, all, depth, request, visitor),
        }
        .map_err(|error| error.or_offset(source.offset))
        .and_then(|value| match form == Form::Dynamic && !session.notes.dynamic.get() {
            true => exact.fault(all, ErrorKind::FixedItem),
            false => Ok(value),
        })
    }

    for_each_request!(by_read);
}

impl<'de> Deserializer<'de> {
    /// Reads what the type asks for.
    fn read(&mut self, read: &mut Read<'_, 'de>) -> Result<()> {
        let options = self.options.clone();
        let source = Source::whole(&options, self.bytes);
        erased::read_by(Whole { deserializer: self, source }, read)
    }
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    for_each_request!(forward, read:);

    fn is_human_readable(&self) -> bool {
        false
    }
}
