//! Reading: the deserializer that users see, and what one document's reading keeps in mind.

mod absent;
mod access;
mod fast;
mod hint;
mod items;
mod packed;
mod packed_cursor;
mod tuple;
mod value;

use serde_core::de::{self, Deserialize};

use self::absent::{Absences, NoneRead};
use self::value::ValueReader;
use super::mark::{self, UnionIds};
use super::{Error, ErrorKind, Options, Result};
use crate::error::Fault;
use crate::fast::FAST;
use crate::glue::de::{self as glue, Request, by_read, for_each_request};
use crate::glue::erased::{self, forward};
use crate::glue::nested;
use crate::limits::DepthMeter;

/// Reads one value from one Molecule document.
///
/// Use [`from_slice`](super::from_slice) or [`from_reader`](super::from_reader) unless code that
/// is generic over deserializers needs one: it is implemented for `&mut Deserializer`. Molecule
/// leaves the length of a value to its surroundings, so the first value takes all the bytes.
///
/// One thing `from_slice` can and this cannot: start over when the bytes of an unmarked tuple pass
/// for a table and are none. Such a tuple is refused here; the mark `struct` avoids it. Nor can it learn
/// whether a field has a default, see *Empty slots* in the [module](super).
/// And `from_slice` makes a quick attempt first, so that it takes less time.
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
    /// Whether bytes may follow the value.
    trailing: bool,
    state: State,
}

impl<'de> Deserializer<'de> {
    /// A deserializer with default options.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer::new(&Options::new(), Tuples::ByHeader, bytes)
    }

    fn new(options: &Options, tuples: Tuples, bytes: &'de [u8]) -> Self {
        let (trailing, state) = (options.allow_trailing, State::new(options, tuples));
        Deserializer { bytes, taken: false, trailing, state }
    }

    /// Makes sure that the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if there is some and no value was read from it. `Unsupported` or
    /// `AmbiguousTuple` if a part was refused because of its type, and its surroundings went on without.
    pub fn end(&mut self) -> Result<()> {
        match self.bytes.len() {
            count if count > 0 && !self.taken => Err(Error::at(Fault::TrailingBytes { count }, 0)),
            _ => self.state.check_at_end(),
        }
    }

    fn value_reader(&mut self) -> ValueReader<'_, 'de> {
        let bytes = match self.taken {
            true => &[],
            false => self.bytes,
        };
        self.taken = true;
        ValueReader::new(&mut self.state, bytes, 0).allowing(self.trailing)
    }
}

/// The value of one document.
///
/// Nearly always the first, quick attempt gives it. Otherwise it is read exactly.
#[inline]
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    if FAST && !options.allow_trailing {
        // A small message holds no document, so nothing counts how many are around it.
        let value =
            fast::message(options, bytes).or_else(|| nested::fast(|| fast::read(options, bytes)));
        if let Some(value) = value {
            return Ok(value);
        }
    }
    erased::value_by(|read| read_exactly(options, bytes, read))
}

/// How a type of the user is read.
type Read<'r, 'de> = erased::Read<'r, 'de, ErrorKind>;

/// The value of one document, or what is wrong.
///
/// An unmarked tuple is taken for a table where its header is one: in the rare document where a
/// packed tuple only looks so, this shows by a contradiction, and everything is read once more with
/// all unmarked tuples packed.
#[cold]
fn read_exactly<'de>(options: &Options, bytes: &'de [u8], read: &mut Read<'_, 'de>) -> Result<()> {
    let may_start_over = nested::may_start_over();
    nested::exact(|| {
        let (first, state) =
            read_by(options, Tuples::ByHeader, bytes, Absences::of_document(), read);
        match state.contradicted.is_some() || (first.is_err() && state.guessed) {
            true if !may_start_over => first.and_then(|()| state.check_at_end()),
            true => start_over(options, bytes, first, state.absences, read),
            false => {
                first.map_err(|error| error.or_offset(0)).and_then(|()| state.check_swallowed(()))
            }
        }
    })
}

/// What one reading gives, which is done again as long as it shows more about fields that take zero bytes.
fn read_by<'de>(
    options: &Options,
    tuples: Tuples,
    bytes: &'de [u8],
    mut absences: Absences,
    read: &mut Read<'_, 'de>,
) -> (Result<()>, State) {
    loop {
        let mut deserializer = Deserializer::new(options, tuples, bytes);
        deserializer.state.absences = absences;
        let result = erased::read_by(Whole(&mut deserializer), read);
        let mut state = deserializer.state;
        match state.absences.for_next() {
            Some(more) => absences = more,
            None => return (result, state),
        }
    }
}

fn start_over<'de>(
    options: &Options,
    bytes: &'de [u8],
    first: Result<()>,
    absences: Absences,
    read: &mut Read<'_, 'de>,
) -> Result<()> {
    let (second, state) = read_by(options, Tuples::Packed, bytes, absences, read);
    match (first, second) {
        (_, Ok(())) => state.check_swallowed(()),
        (Err(first), Err(second)) if is_less_specific(&second, &first) => Err(first),
        (_, second) => second,
    }
    .map_err(|error| error.or_offset(0))
}

/// Whether an error of the reading with packed tuples tells less than that of the reading by headers:
/// the tuple is a table after all. Then it does not fit its bytes, or a header is not what an item
/// wants, which shows before anything else does.
fn is_less_specific(packed: &Error, by_header: &Error) -> bool {
    match (packed.kind(), by_header.kind()) {
        (_, ErrorKind::AmbiguousTuple) => false,
        (ErrorKind::Fault(Fault::TrailingBytes { .. }), _) => true,
        (kind, _) => is_packed_tuple_fault(kind) || packed.offset() <= by_header.offset(),
    }
}

/// Where a packed tuple demands fixed items, as errors name it.
const PACKED_TUPLE: &str = "a tuple without a table's header";

fn is_packed_tuple_fault(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::DynamicItem { place, .. } if *place == PACKED_TUPLE)
}

/// What reading one document keeps in mind.
#[derive(Debug)]
struct State {
    depth: DepthMeter,
    strict: bool,
    compatible: bool,
    tuples: Tuples,
    /// Whether anything dynamic was read since this was last cleared: what shows that an item is
    /// dynamic, since fixed values hold no dynamic ones.
    saw_dynamic: bool,
    /// Whether an unmarked tuple was taken for a table by its header ..
    guessed: bool,
    /// .. and where that failed, or one of them had fixed items only, so that it is none.
    contradicted: Option<usize>,
    /// Where a type asked the data for its type, which is refused.
    asked_types: Option<usize>,
    /// Where parts ended early, since what stood there could not be read.
    abandoned: Option<usize>,
    /// Where the first field of a struct of two lies: perhaps the tag of an adjacently tagged enum.
    tag_at: Option<usize>,
    /// The ids of the adjacently tagged enum whose tag comes next.
    tag_ids: Option<UnionIds>,
    /// The name of that enum.
    tag_of: &'static str,
    /// Where the content begins that belongs to the last such tag, and the id that the tag is.
    content: Option<(usize, u32)>,
    /// Whether a value was skipped since this was last cleared.
    skipped: bool,
    /// The option that was read last from an empty slot, since this was last cleared.
    none: Option<NoneRead>,
    absences: Absences,
}

/// How to read tuples without a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tuples {
    /// As tables where the bytes are headed like one, as packed otherwise.
    ByHeader,
    /// As packed.
    Packed,
}

impl State {
    fn new(options: &Options, tuples: Tuples) -> Self {
        State {
            depth: DepthMeter::new(options.max_depth),
            strict: options.strict,
            compatible: options.compatible,
            // Under `strict`, tuples that are tables have a mark.
            tuples: if options.strict { Tuples::Packed } else { tuples },
            saw_dynamic: false,
            guessed: false,
            contradicted: None,
            asked_types: None,
            abandoned: None,
            tag_at: None,
            tag_ids: None,
            tag_of: "",
            content: None,
            skipped: false,
            none: None,
            absences: Absences::default(),
        }
    }

    /// The value that was read, unless its type has swallowed a refusal and made something up.
    fn check_swallowed<T>(&self, value: T) -> Result<T> {
        match (self.asked_types, self.abandoned) {
            (None, None) => Ok(value),
            (Some(offset), _) => Err(Error::at(NO_TYPES, offset)),
            (None, Some(offset)) => Err(Error::at(Fault::Abandoned, offset)),
        }
    }

    /// The same where nothing can be read once more.
    fn check_at_end(&self) -> Result<()> {
        match self.contradicted {
            None => self.check_swallowed(()),
            Some(offset) => Err(Error::at(ErrorKind::AmbiguousTuple, offset)),
        }
    }

    /// Refuses to tell what type stands at `offset`. Some types go on without what they asked for; the
    /// document does not.
    #[cold]
    fn refuse_unknown_type(&mut self, offset: usize) -> Error {
        self.asked_types.get_or_insert(offset);
        Error::at(NO_TYPES, offset)
    }

    /// Notes an error behind which there is no part to go on with, for a type that goes on.
    #[cold]
    fn abandon(&mut self, error: Error, offset: usize) -> Error {
        self.abandoned.get_or_insert(error.offset().unwrap_or(offset));
        error
    }

    /// Notes that a visitor goes on although one of its parts, if any, was left before its end.
    #[inline]
    fn note_abandoned(&mut self, abandoned_at: Option<usize>) {
        self.abandoned = self.abandoned.or(abandoned_at);
    }

    /// Refuses the name of a container that looks like a mark and is none, under `strict`.
    #[inline]
    fn check_name(&self, name: &'static str, offset: usize) -> Result<()> {
        match self.strict {
            true => mark::check_strictly(name).map_err(|error| error.or_offset(offset)),
            false => Ok(()),
        }
    }

    /// Reads a value that takes bytes of its own around others; it begins at `offset`.
    #[inline]
    fn level<T>(&mut self, offset: usize, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = self.depth;
        self.depth.enter().map_err(|error: Error| error.or_offset(offset))?;
        let result = read(self);
        // Also after an error: some types go on without the value that failed.
        self.depth = outer;
        result
    }

    /// Reads what is in a `Some` or newtype struct.
    #[inline]
    fn wrapper<T>(
        &mut self,
        offset: usize,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = self.depth;
        self.depth.wrap().map_err(|error: Error| error.or_offset(offset))?;
        let result = read(self);
        self.depth = outer;
        result
    }
}

/// What a type asks for that leaves the choice of a type to the data.
const NO_TYPES: Fault = Fault::Unsupported(
    "molecule does not describe itself, and this type asks the data for its type \
     (as flatten, untagged and internally tagged do); mark it `any`",
);

/// The value of a deserializer that users see.
struct Whole<'a, 'de>(&'a mut Deserializer<'de>);

impl<'de> glue::Deserializer<'de> for Whole<'_, 'de> {
    type Error = Error;

    fn read<V: glue::Visitor<'de, Error>>(self, request: Request, visitor: V) -> Result<V::Value> {
        self.0.value_reader().read(request, visitor).map_err(|error| error.or_offset(0))
    }

    for_each_request!(by_read);
}

impl<'de> Deserializer<'de> {
    /// Reads what is asked for.
    fn read(&mut self, read: &mut Read<'_, 'de>) -> Result<()> {
        erased::read_by(Whole(self), read)
    }
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    for_each_request!(forward, read:);

    fn is_human_readable(&self) -> bool {
        false
    }
}
