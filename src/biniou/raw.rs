//! Lazy values, and the items of lazy lists.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use serde_core::de::Deserialize;
use serde_core::ser::Serialize;

use super::budget::Budget;
use super::de::{self, Source, Types};
use super::definitions::Definitions;
use super::skip::{Skipper, skip_part};
use super::value::VALUE;
use super::wire::{self, Tag};
use super::{Error, ErrorKind, Options, Result};
use crate::error::{CommonKind, Segment};
use crate::limits::{self, Depth, DepthMeter, Height};
use crate::raw::sealed::RawFormat;
use crate::raw::{self, Found, ListFormat, Settings};
use crate::read::Reader;

/// The bytes of one value, as they are in the message: its tag, and what follows that.
///
/// Where it ends has been checked, and that no reference in it leads to anything before the value: such bytes would
/// mean something else elsewhere, so they are refused when they are taken. What references lead to is checked when the
/// value is read. Names of [`Options`](super::Options) are not available then.
///
/// Items of an ARRAY and cells of a TABLE share a tag, which is stored before them. Their bytes are as if each had its
/// own, and so is their offset: one byte before the bytes after the tag.
///
/// ```
/// use fourfold::biniou::{self, Raw};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Event<'a> {
///     id: u32,
///     #[serde(borrow)]
///     payload: Raw<'a>,
/// }
///
/// #[derive(Serialize)]
/// struct Written {
///     id: u32,
///     payload: (bool, &'static str),
/// }
///
/// let bytes = biniou::to_vec(&Written { id: 7, payload: (true, "hi") })?;
/// let event: Event<'_> = biniou::from_slice(&bytes)?;
/// assert_eq!(event.payload.bytes(), [20, 2, 0, 1, 18, 2, b'h', b'i']);
/// assert_eq!(event.payload.get::<(bool, &str)>()?, (true, "hi"));
/// assert_eq!(biniou::to_vec(&event)?, bytes);
/// # Ok::<(), biniou::Error>(())
/// ```
pub type Raw<'a> = raw::Raw<'a, ErrorKind>;

/// A [`Raw`] that owns its bytes.
///
/// ```
/// use fourfold::biniou::{self, OwnedRaw};
///
/// let file: &[u8] = &[18, 2, b'h', b'i'];
/// let raw: OwnedRaw = biniou::from_reader(file)?;
/// assert_eq!(raw.get::<&str>()?, "hi");
/// # Ok::<(), biniou::Error>(())
/// ```
pub type OwnedRaw = raw::OwnedRaw<ErrorKind>;

/// A value that is read on demand. It was checked to be a value, but not to have the type. The paths of its errors begin
/// at this value, their offsets at the message.
///
/// Names of [`Options`](super::Options) are not available when it is read. For an item of an ARRAY or a cell of a
/// TABLE, an error about the type of the tag has the place before the item, where its [offset](raw::Lazy::offset) is,
/// and not that of the tag.
///
/// ```
/// use fourfold::biniou::{self, Lazy};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Event<'a> {
///     id: u32,
///     #[serde(borrow)]
///     payload: Lazy<'a, (bool, &'a str)>,
/// }
///
/// #[derive(Serialize)]
/// struct Written {
///     id: u32,
///     payload: (bool, i32),
/// }
///
/// let bytes = biniou::to_vec(&Written { id: 7, payload: (true, 5) })?;
/// let event: Event<'_> = biniou::from_slice(&bytes)?;
/// assert_eq!(event.id, 7);
/// let error = event.payload.get().unwrap_err();
/// assert_eq!(error.to_string(), "found svint, expected string in [1] at byte 16");
/// # Ok::<(), biniou::Error>(())
/// ```
pub type Lazy<'a, T> = raw::Lazy<'a, T, ErrorKind>;

/// A sequence whose items are read on demand: an ARRAY, a TUPLE or the rows of a TABLE.
///
/// Reading an item skips those before it, unless all have the same width. To read many, use [`iter`](raw::List::iter).
/// A list with references to shared values is refused, since each item is read by itself, and so is one that is shared
/// itself. Names of [`Options`](super::Options) are not available when items are read.
///
/// ```
/// use fourfold::biniou::{self, List};
///
/// let bytes = biniou::to_vec(&["one", "two", "three"])?;
/// let words: List<'_, &str> = biniou::from_slice(&bytes)?;
/// assert_eq!(words.len(), 3);
/// assert_eq!(words.get(1).transpose()?, Some("two"));
/// assert_eq!(words.iter().collect::<Result<Vec<_>, _>>()?, ["one", "two", "three"]);
/// # Ok::<(), biniou::Error>(())
/// ```
pub type List<'a, T> = raw::List<'a, T, ErrorKind>;

/// The reserved names of newtype structs for lazy values.
const RAW: &str = "fourfold.biniou.lazy";
pub(super) const LIST: &str = "fourfold.biniou.list";

/// Whether a newtype struct of this name is a lazy value of this format.
#[must_use]
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn is_reserved(name: &str) -> bool {
    name == RAW || name == LIST || name == VALUE
}

/// Flag: the tag is not directly before the value. The tag is the lowest byte.
const HEADED: u16 = 0x100;

/// Flag: the value is the whole message, so that there are no others like it.
pub(super) const WHOLE: u16 = 0x200;

/// The settings of a value whose tag is elsewhere.
pub(super) fn headed(settings: Settings, tag: Tag) -> Settings {
    Settings { flags: HEADED | u16::from(tag.byte()), ..settings }
}

/// Whether a value is the whole message.
pub(super) fn is_whole(settings: Settings) -> bool {
    settings.flags & WHOLE != 0
}

/// The tag of a value, if it is elsewhere.
fn head(settings: Settings) -> Option<Tag> {
    let [tag, _] = settings.flags.to_le_bytes();
    Tag::from_byte(tag).filter(|_| settings.flags & HEADED != 0)
}

/// The tag of a value, and what follows it.
pub(super) fn split<'de>(part: Found<'de>) -> Option<(Tag, &'de [u8])> {
    match head(part.settings) {
        Some(tag) => Some((tag, part.bytes)),
        None => {
            let (tag, body) = part.bytes.split_first()?;
            Some((Tag::from_byte(*tag)?, body))
        }
    }
}

/// The error of a value with references to something outside.
pub(super) const OUTSIDE: CommonKind = CommonKind::Unsupported {
    reason: "a lazy value refers to a shared value outside of itself, so its bytes alone have no meaning",
    hint: Some("use the type of the value for the field"),
};

/// The error for a list with references in it.
pub(super) const IN_LIST: CommonKind = CommonKind::Unsupported {
    reason: "a `List` has items that refer to shared values, and reads each by itself",
    hint: Some("read it as a `Vec`"),
};

/// What a writer requires of a lazy value.
pub(super) struct Measured<'a> {
    pub(super) tag: Tag,
    pub(super) body: &'a [u8],
    pub(super) height: Height,
    /// How many bytes of strings are in it.
    pub(super) text: usize,
    /// How many rows without columns.
    pub(super) rows: usize,
}

/// Measures the value that takes all of `bytes`.
pub(super) fn measure(bytes: &[u8]) -> Result<Measured<'_>> {
    let mut reader = Reader::new(bytes, 0);
    let tag = wire::take_tag(&mut reader)?;
    let body = bytes.get(reader.offset()..).unwrap_or_default();
    let (mut definitions, mut left) = (Definitions::default(), usize::MAX);
    let mut depth = DepthMeter::new(u16::MAX);
    let outer = depth.measure();
    let mut skipper = Skipper { depth, notes: &mut definitions, empty_rows: &mut left };
    skipper.value(&mut reader, tag)?;
    let height = skipper.depth.measured(outer);
    reader.finish()?;
    let (text, rows) = (definitions.text(), usize::MAX - left);
    Ok(Measured { tag, body, height, text, rows })
}

impl Options {
    fn of_part(settings: Settings) -> Self {
        Options::new().max_depth(settings.max_depth)
    }
}

impl RawFormat for ErrorKind {
    const NAME: &'static str = RAW;
    const FORMAT: &'static str = "biniou";

    fn settings() -> Settings {
        let max_depth = Options::new().max_depth;
        Settings { flags: WHOLE, depth: Depth::new(max_depth), max_depth }
    }

    fn write<T: ?Sized + Serialize>(value: &T) -> Result<Vec<u8>> {
        super::to_vec(value)
    }

    fn whole<'a>(bytes: &'a [u8], settings: &mut Settings) -> Cow<'a, [u8]> {
        let Some(tag) = head(*settings) else { return Cow::Borrowed(bytes) };
        settings.flags = 0;
        let mut whole = Vec::with_capacity(bytes.len().saturating_add(1));
        whole.push(tag.byte());
        whole.extend_from_slice(bytes);
        Cow::Owned(whole)
    }

    #[inline]
    fn read<'de, T: Deserialize<'de>>(part: Found<'de>) -> Result<T> {
        let Found { bytes, offset, settings, .. } = part;
        let (options, tag) = (&Options::of_part(settings), head(settings));
        // A tag that is elsewhere counts as if it were directly before the value.
        let base = offset.saturating_add(usize::from(tag.is_some()));
        let source = Source::part(options, Found { offset: base, ..part }).tagged(tag);
        let placed = |error: Error| match (tag, error.offset(), error.kind()) {
            // Nothing else can be wrong about a tag at the start of what follows the tag.
            (Some(_), Some(0), ErrorKind::WrongTag { .. }) => error.moved(offset),
            _ => error.moved(base),
        };
        let mut budget = if is_whole(settings) { Budget::new() } else { Budget::of_part() };
        let (value, taken) = de::take_from(source, &mut budget).map_err(placed)?;
        Reader::after(bytes, taken).finish().map_err(|error: Error| error.moved(base))?;
        Ok(value)
    }
}

/// Where the items of a list are.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    kind: Items,
    /// Where the first one begins, after the tag of the list.
    first: usize,
}

#[derive(Clone, Copy, Debug)]
enum Items {
    /// All have this tag, which is stored before the first one.
    Array(Tag),
    /// Each has its own.
    Tuple,
    /// Rows of a table. Its header is stored before them.
    Table,
}

impl Layout {
    /// The kind of the list with this tag, and its number of items.
    fn of(tag: Tag, body: &[u8]) -> Result<(Self, usize)> {
        let mut reader = Reader::new(body, 0);
        let (kind, count) = match tag {
            Tag::Array => match wire::take_items(&mut reader)? {
                0 => (Items::Tuple, 0),
                count => (Items::Array(wire::take_tag(&mut reader)?), count),
            },
            Tag::Tuple => (Items::Tuple, wire::take_cells(&mut reader)?),
            _ => {
                let (rows, columns) = wire::take_table_counts(&mut reader)?;
                wire::take_column_tags(&mut reader, columns)?;
                (Items::Table, rows)
            }
        };
        Ok((Layout { kind, first: reader.offset() }, count))
    }

    /// Skips `count` items of the list, whose tag is `tag`, from `at` on.
    fn skip(self, body: &[u8], at: usize, count: usize, depth: DepthMeter) -> Result<usize> {
        let mut reader = Reader::after(body, at);
        match self.kind {
            Items::Array(tag) => match tag.fixed_size() {
                Some(size) => {
                    reader.take::<ErrorKind>(size.saturating_mul(count))?;
                }
                None => {
                    for _ in 0..count {
                        skip_part(&mut reader, Some(tag), depth)?;
                    }
                }
            },
            Items::Tuple => {
                for _ in 0..count {
                    skip_part(&mut reader, None, depth)?;
                }
            }
            Items::Table => {
                let mut header = Reader::new(body, 0);
                let (_, columns) = wire::take_table_counts(&mut header)?;
                let tags = wire::take_column_tags(&mut header, columns)?;
                if !tags.is_empty() {
                    for _ in 0..count {
                        for tag in &tags {
                            skip_part(&mut reader, Some(*tag), depth)?;
                        }
                    }
                }
            }
        }
        Ok(reader.offset())
    }
}

/// Where an item begins.
#[derive(Default)]
pub struct Cursor {
    /// After the tag of the list.
    at: usize,
    /// What the previous ones have shown of their types.
    types: Types,
}

impl Clone for Cursor {
    fn clone(&self) -> Self {
        Cursor { at: self.at, types: Types::default() }
    }
}

impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.at.fmt(f)
    }
}

impl ListFormat for ErrorKind {
    const LIST: &'static str = LIST;

    type Layout = Layout;
    type Cursor = Cursor;

    fn layout(list: Found<'_>) -> (Layout, usize) {
        let layout = split(list).and_then(|(tag, body)| Layout::of(tag, body).ok());
        layout.unwrap_or((Layout { kind: Items::Tuple, first: 0 }, 0))
    }

    #[cfg(feature = "rayon")]
    fn sound_end(list: Found<'_>, _: &Layout, _: usize) -> usize {
        Self::layout(list).1
    }

    fn find(list: Found<'_>, layout: &Layout, index: usize) -> Result<Cursor> {
        let Some((_, body)) = split(list) else { return Ok(Cursor::default()) };
        let depth = DepthMeter::within(list.settings.depth, list.settings.max_depth);
        match layout.skip(body, layout.first, index, depth) {
            Ok(at) => Ok(Cursor { at, types: Types::default() }),
            Err(error) => Err(error.moved(list.offset.saturating_add(1))),
        }
    }

    fn item<'de, T: Deserialize<'de>>(
        list: Found<'de>,
        layout: &Layout,
        index: usize,
        cursor: &mut Option<Cursor>,
    ) -> Result<T> {
        let Found { offset, settings, .. } = list;
        let (Some(Cursor { at, types }), Some((_, body))) = (cursor.as_mut(), split(list)) else {
            return Err(Error::placeless(CommonKind::Abandoned));
        };
        let Some(depth) = settings.depth.enter() else {
            *cursor = None;
            return Err(limits::too_deep(settings.max_depth).or_offset(offset));
        };
        let options = &Options::of_part(settings);
        let base = offset.saturating_add(1);
        let settings = Settings { depth, ..settings };
        // Each item is read in the bytes of all, since its tag is stored once, before the first item.
        let items = Source::part(options, Found { bytes: body, offset: base, settings });
        let value = match layout.kind {
            Items::Array(tag) => {
                let head = Some((tag, layout.first.saturating_sub(1)));
                de::read(items, &mut Budget::new(), types, *at, head)
            }
            Items::Tuple => de::read(items, &mut Budget::new(), types, *at, None),
            Items::Table => de::take_row(items, *at),
        };
        let next = match &value {
            Ok((_, end)) => Ok(*end),
            Err(_) => layout.skip(body, *at, 1, DepthMeter::within(depth, options.max_depth)),
        };
        match next {
            Ok(next) => *at = next,
            Err(_) => *cursor = None,
        }
        let placed = |error: Error| error.moved(base).inside(Segment::Index(index));
        value.map(|(value, _)| value).map_err(placed)
    }
}
