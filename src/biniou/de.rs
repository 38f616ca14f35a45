//! Reading: the public functions, and the beginning and end of a message.
//!
//! A [`Document`] is what all values of a message share. [`Value`](value::Value) deserializes a value whose tag is
//! known; accesses for nested values are in the modules next to it. `Deserialize` runs once. While it does, an error is
//! the token [`Failed`], and the document keeps kind, offset and path.
//!
//! There is one exception to "once". Structs are read in the order of their fields, which is fast and does not show what
//! some records mean (see `in_order`). Then the message is read again by the names of all fields.

mod again;
mod at;
mod document;
mod fields;
mod head;
mod in_order;
mod input;
mod items;
mod lazy_and_any;
mod number;
mod shared;
mod shared_or_marked;
mod table;
mod types;
mod value;
mod variant;

use serde_core::de::{self, Deserialize};

use self::again::once_or_twice;
use self::document::Document;
use self::head::{Head, Levels};
use self::input::Input;
use self::table::Table;
pub(super) use self::types::Types;
use super::budget::Budget;
use super::raw::is_whole;
use super::wire::{self, Tag};
use super::{Error, ErrorKind, Options, Path, Result};
use crate::error::CommonKind;
use crate::failed::Failed;
use crate::glue::macros::for_each_deserialize_method;
use crate::limits::Depth;
use crate::raw;
use crate::read::Reader;

/// Reads concatenated values from bytes.
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
    bytes: &'de [u8],
    at: usize,
    options: Options,
    budget: Budget,
    /// Whether a value could not be read and has no end.
    failed: bool,
}

impl<'de> Deserializer<'de> {
    /// A deserializer with default options.
    #[must_use]
    pub fn from_slice(bytes: &'de [u8]) -> Self {
        Deserializer { bytes, at: 0, options: Options::new(), budget: Budget::new(), failed: false }
    }

    /// Checks that all of the input has been read.
    ///
    /// # Errors
    ///
    /// `TrailingBytes` if some is left; `Abandoned` if a value could not be read, its end is unknown, and its type
    /// ignored the error.
    pub fn end(&mut self) -> Result<()> {
        match self.failed {
            true => Err(Error::at(CommonKind::Abandoned, self.at)),
            false => Reader::after(self.bytes, self.at).finish(),
        }
    }

    /// The rest of the input as a message. A visitor cannot be called twice, so it is read by name.
    fn document<'t>(&'t self, types: &'t Types) -> Result<Document<'t, 'de>> {
        if self.failed {
            return Err(Error::at(CommonKind::Abandoned, self.at));
        }
        let document = Document::new(&self.options, types, self.bytes, self.budget, true);
        document.begin(self.at, None);
        Ok(document)
    }

    /// Continues with the next value, if it is known where that begins.
    fn advance(&mut self, end: Option<usize>, budget: Budget) {
        (self.failed, self.at, self.budget) = (end.is_none(), end.unwrap_or(self.at), budget);
    }
}

macro_rules! forward {
    ($($method:ident($($arg:ident: $type:ty),*))*) => {$(
        fn $method<V: de::Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value> {
            let types = Types::default();
            let (value, end, budget) = {
                let document = self.document(&types)?;
                let rest = document.from(self.at);
                let depth = Levels::new(Depth::new(self.options.max_depth));
                let mut input = Input { rest, document: &document, depth };
                let value = input.tagged(Head::UNMARKED, |value| value.$method($($arg,)* visitor));
                let value = value.map_err(|Failed| document.take().or_offset(self.at));
                let end = match value {
                    Ok(_) => Some(input.rest),
                    // The type may ignore the error.
                    Err(_) => document.skip_uncounted(rest, None, depth).ok(),
                };
                let end = end.map(|rest| document.offset_of(rest));
                let taken = end.map_or(0, |end| end.saturating_sub(self.at));
                (value, end, document.next_budget(taken))
            };
            self.advance(end, budget);
            value
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Deserializer<'de> {
    type Error = Error;

    for_each_deserialize_method!(forward);

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// What is read: a message, or a lazy value.
#[derive(Clone, Copy)]
pub(super) struct Source<'o, 'de> {
    options: &'o Options,
    /// The tag of the value, if it is stored elsewhere.
    tag: Option<Tag>,
    bytes: &'de [u8],
    depth: Depth,
    /// Where the bytes begin in the whole message.
    base: usize,
    is_whole: bool,
}

impl<'o, 'de> Source<'o, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn whole(options: &'o Options, bytes: &'de [u8]) -> Self {
        Source {
            options,
            tag: None,
            bytes,
            depth: Depth::new(options.max_depth),
            base: 0,
            is_whole: true,
        }
    }

    /// The same with a tag that is stored elsewhere.
    pub(super) fn tagged(self, tag: Option<Tag>) -> Self {
        Source { tag, ..self }
    }

    fn document<'t>(self, types: &'t Types, budget: Budget, by_name: bool) -> Document<'t, 'de>
    where
        'o: 't,
    {
        let Source { options, bytes, base, is_whole, .. } = self;
        let mut document = Document::new(options, types, bytes, budget, by_name);
        (document.base, document.is_whole) = (base, is_whole);
        document
    }

    /// What comes after `taken` bytes.
    fn input<'a, 't>(self, document: &'a Document<'t, 'de>, taken: usize) -> Input<'a, 't, 'de> {
        Input { rest: document.from(taken), document, depth: Levels::new(self.depth) }
    }

    /// A lazy value.
    pub(super) fn part(options: &'o Options, part: raw::Found<'de>) -> Self {
        let raw::Found { bytes, offset, settings, .. } = part;
        let (depth, is_whole) = (settings.depth, is_whole(settings));
        Source { options, tag: None, bytes, depth, base: offset, is_whole }
    }
}

/// One value at the start of `bytes`, which begin at `base` of the input, and how many bytes it takes. `budget` is that
/// of the input, in which others may come before it.
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
#[inline]
pub(super) fn take_from<'de, T: Deserialize<'de>>(
    source: Source<'_, 'de>,
    budget: &mut Budget,
) -> Result<(T, usize)> {
    read(source, budget, &Types::default(), 0, None)
}

/// Reads the value after `taken` bytes. `head` is its tag and where that is, if it is stored elsewhere. Returns where the
/// value ends. Not inlined, so that a type has this once.
#[inline(never)]
pub(super) fn read<'de, T: Deserialize<'de>>(
    source: Source<'_, 'de>,
    budget: &mut Budget,
    types: &Types,
    taken: usize,
    head: Option<(Tag, usize)>,
) -> Result<(T, usize)> {
    let tag = source.tag.or(head.map(|(tag, _)| tag));
    let before = *budget;
    once_or_twice(|by_name| {
        let document = source.document(types, before, by_name);
        if taken > 0 || tag.is_some() {
            document.begin(taken, tag);
        }
        let mut input = source.input(&document, taken);
        let value = match document.first_head(tag, input.rest) {
            Ok((head, rest)) => input.value(rest, head, |value| T::deserialize(value)),
            Err(Failed) => Err(Failed),
        };
        let end = document.offset_of(input.rest);
        *budget = document.next_budget(end);
        let value = match value {
            Ok(value) => Ok((value, end)),
            Err(Failed) => Err(document.error_after(taken, head)),
        };
        (value, document.again.get())
    })
}

/// Reads the row after `taken` bytes of a TABLE that is a lazy value. Returns where it ends.
pub(super) fn take_row<'de, T: Deserialize<'de>>(
    table: Source<'_, 'de>,
    taken: usize,
) -> Result<(T, usize)> {
    let types = Types::default();
    once_or_twice(|by_name| {
        let document = table.document(&types, Budget::new(), by_name);
        let mut input = table.input(&document, taken);
        let value = match Table::take(&document, table.bytes) {
            Ok((header, _)) => {
                document.enter_table(header);
                input.value(input.rest, Head::ROW, |value| T::deserialize(value))
            }
            Err(Failed) => Err(Failed),
        };
        let value = match value {
            Ok(value) => Ok((value, document.offset_of(input.rest))),
            Err(Failed) => Err(document.error_after(taken, None)),
        };
        (value, document.again.get())
    })
}

/// A value that takes all of `bytes`, if `options` do not allow others after it.
#[inline]
pub(super) fn from_slice<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
) -> Result<T> {
    match take_from(Source::whole(options, bytes), &mut Budget::new()) {
        Ok((value, taken)) if taken == bytes.len() || options.allow_trailing => Ok(value),
        Ok((_, taken)) => Err(error_of_document(
            Error::at(CommonKind::TrailingBytes { count: bytes.len() - taken }, taken),
            bytes,
        )),
        Err(error) => Err(error_of_document(error, bytes)),
    }
}

/// The value of a chunk, which begins at `base` of a file. Its error counts from its own start.
pub(super) fn chunk<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    base: usize,
) -> Result<T> {
    let (value, taken) = take(options, bytes, base, &mut Budget::new())
        .map_err(|error| error_of_document(error, bytes))?;
    match options.allow_trailing {
        true => Ok(value),
        false => Reader::after(bytes, taken).finish().map(|()| value),
    }
}

/// The error of a whole message: that of its reader, unless the message is a stream of chunks. No
/// stream is also a value, since the first byte of a chunk is the tag of a value of two bytes.
#[cold]
#[inline(never)]
fn error_of_document(error: Error, bytes: &[u8]) -> Error {
    match wire::chunks(bytes) {
        Some(count @ 1..) => Error::at(ErrorKind::Chunks { count }, 0),
        _ => error,
    }
}

/// The value at `path`.
pub(super) fn at<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    path: &Path,
) -> Result<T> {
    match path.is_empty() {
        true => from_slice(options, bytes),
        false => at::read(options, bytes, path).map_err(|error| error_of_document(error, bytes)),
    }
}
