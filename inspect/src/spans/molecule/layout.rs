//! Which layouts some bytes allow, and what speaks for each.

use std::{fmt, iter};

use fourfold::molecule::count_records;
use fourfold::molecule::wire::{self, EMPTY_FIXVEC, NUMBER_SIZE, Parts, Table};

use super::header::offset_count;
use crate::spans::{byte_count, is_text};
use crate::write::count::counted;

/// A layout that bytes of unknown type may have: only a candidate.
///
/// Bytes do not show their type in Molecule; see [`layouts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// No bytes: an option that is none, or an array, struct or union item of size 0.
    Empty,
    /// A full size that is that of the bytes, and offsets that rise within it. The bytes of a
    /// table do not differ from those of a dynvec.
    Table {
        /// Fields of a table, or items of a dynvec.
        items: usize,
        /// How many fields each of the items has, if there are several, all headed in this way and
        /// with as many: then it is rather a dynvec.
        inner: Option<usize>,
    },
    /// Four bytes, and a table or dynvec after them.
    Union {
        /// The item id.
        id: u32,
        /// Fields or items of what follows.
        items: usize,
    },
    /// An item count, and bytes that divide evenly into the items.
    Fixvec {
        /// How many items.
        items: usize,
        /// Bytes of each; of no items, none.
        size: usize,
        /// Whether each is a byte, and all together, or the first 2<sup>20</sup>, are text in UTF-8.
        is_text: bool,
    },
    /// Concatenated tables or dynvecs whose full sizes fill the bytes: a file of records.
    Records {
        /// How many.
        count: usize,
    },
    /// Any bytes: an array, a struct or a byte, and a union of such.
    Raw {
        /// How many.
        size: usize,
    },
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Layout::Empty => f.write_str("no bytes, as of an option that is none"),
            Layout::Table { items: 0, .. } => f.write_str("table or dynvec without items"),
            Layout::Table { items, inner: None } => {
                write!(f, "table or dynvec of {}", counted(items, "item"))
            }
            Layout::Table { items, inner: Some(fields) } => {
                write!(
                    f,
                    "dynvec or table of {}, each of them one of {fields}",
                    counted(items, "item")
                )
            }
            Layout::Union { id, items } => {
                write!(f, "union of id {id} with a table or dynvec of {}", counted(items, "item"))
            }
            Layout::Fixvec { items: 0, .. } => f.write_str("fixvec without items"),
            Layout::Fixvec { items, is_text: true, .. } => {
                write!(f, "fixvec of {}, which are text", byte_count(items))
            }
            Layout::Fixvec { items, size: 1, .. } => write!(f, "fixvec of {}", byte_count(items)),
            Layout::Fixvec { items, size, .. } => {
                write!(f, "fixvec of {} of {}", counted(items, "item"), byte_count(size))
            }
            Layout::Records { count } => {
                write!(f, "{count} concatenated tables or dynvecs")
            }
            Layout::Raw { size: 1 } => f.write_str("byte"),
            Layout::Raw { size } => write!(f, "array or struct of {}", byte_count(size)),
        }
    }
}

/// The layouts that `bytes` allow as a whole, those for which more speaks first.
///
/// There is always one: bytes without any header are an array or a struct. Not all bytes that
/// allow a layout have it; a number can look like an item count.
///
/// ```
/// use fourfold::molecule::to_vec;
/// use fourfold_inspect::spans::molecule::layouts;
///
/// let names = |bytes: &[u8]| layouts(bytes).iter().map(ToString::to_string).collect::<Vec<_>>();
/// assert_eq!(names(&to_vec("hi")?), [
///     "fixvec of 2 bytes, which are text",
///     "array or struct of 6 bytes",
/// ]);
/// assert_eq!(names(&to_vec(&("hi", 7u8))?), [
///     "table or dynvec of 2 items",
///     "array or struct of 19 bytes",
/// ]);
/// assert_eq!(names(&[7, 8, 9]), ["array or struct of 3 bytes"]);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
pub fn layouts(bytes: &[u8]) -> Vec<Layout> {
    let raw = [raw(bytes)].into_iter();
    match is_number(bytes) {
        true => raw.chain(headed(bytes)).collect(),
        false => records(bytes).into_iter().chain(headed(bytes)).chain(raw).collect(),
    }
}

/// The most likely layout by the first header of bytes of which only the beginning is there, `len`
/// of them in all, if that is known. `None` where no header shows.
///
/// ```
/// use fourfold::molecule::to_vec;
/// use fourfold_inspect::spans::molecule::layout_of_beginning;
///
/// let bytes = to_vec(&("hi", "there"))?;
/// let name = |len| layout_of_beginning(&bytes[..12], len).map(|layout| layout.to_string());
/// assert_eq!(name(Some(bytes.len())).as_deref(), Some("table or dynvec of 2 items"));
/// assert_eq!(name(None).as_deref(), Some("table or dynvec of 2 items"));
/// assert_eq!(name(Some(13)), None);
/// # Ok::<(), fourfold::molecule::Error>(())
/// ```
pub fn layout_of_beginning(front: &[u8], len: Option<usize>) -> Option<Layout> {
    if let Some(items) = table_begun(front, len) {
        return Some(Layout::Table { items, inner: None });
    }
    let (id, payload) = wire::split_number(front)?;
    let body = len.map(|len| len.saturating_sub(NUMBER_SIZE));
    if let Some(items) = table_begun(payload, body) {
        return Some(Layout::Union { id, items });
    }
    let items = wire::stated(id);
    let size = body?.checked_div(items).filter(|size| *size > 0 && items > 1)?;
    let is_fixvec = size.checked_mul(items) == body;
    is_fixvec.then_some(Layout::Fixvec { items, size, is_text: false })
}

/// How many items a table has whose end is missing: it has a full size, and its offsets never decrease, as
/// far as they are there.
fn table_begun(front: &[u8], len: Option<usize>) -> Option<usize> {
    let full_size = wire::number_at(front, 0).filter(|size| *size > front.len())?;
    let first = wire::number_at(front, NUMBER_SIZE)?;
    let items = offset_count(first, full_size)?;
    let header = front.get(..first).unwrap_or(front);
    let mut previous = first;
    for offset in header.chunks_exact(NUMBER_SIZE).skip(1) {
        let found = wire::number_at(offset, 0)?;
        if found < previous || found > full_size {
            return None;
        }
        previous = found;
    }
    len.is_none_or(|len| len == full_size).then_some(items)
}

/// The layout for which most speaks.
pub(super) fn likeliest(bytes: &[u8]) -> Layout {
    match is_number(bytes) {
        true => raw(bytes),
        false => headed(bytes).next().unwrap_or_else(|| raw(bytes)),
    }
}

fn raw(bytes: &[u8]) -> Layout {
    match bytes.len() {
        0 => Layout::Empty,
        size => Layout::Raw { size },
    }
}

/// Records are files and never nested values.
fn records(bytes: &[u8]) -> Option<Layout> {
    count_records(bytes).map(|count| Layout::Records { count })
}

/// The layouts whose headers these bytes have, looked for one by one.
fn headed(bytes: &[u8]) -> impl Iterator<Item = Layout> {
    // If a number is the count of the bytes after it, it is hardly an id by chance.
    let is_fixvec = wire::parse_bytes(bytes, 0).is_ok();
    let [second, third] = if is_fixvec { [fixvec, union] } else { [union, fixvec] };
    [table, second, third].into_iter().filter_map(move |layout| layout(bytes))
}

fn table(bytes: &[u8]) -> Option<Layout> {
    let table = Table::parse(bytes, 0).ok()?;
    let items = table.count();
    let mut parts = Parts::from(table);
    let mut counts = iter::from_fn(|| parts.take().ok().flatten())
        .map(|item| Table::parse(item, 0).ok().map(|item| item.count()));
    let inner = match items {
        0 | 1 => None,
        _ => counts.next().flatten().filter(|first| counts.all(|count| count == Some(*first))),
    };
    Some(Layout::Table { items, inner })
}

/// Only the payload distinguishes a union from other bytes.
fn union(bytes: &[u8]) -> Option<Layout> {
    let (id, payload) = wire::split_number(bytes)?;
    match Table::parse(payload, 0).ok()?.count() {
        0 => None,
        items => Some(Layout::Union { id, items }),
    }
}

fn fixvec(bytes: &[u8]) -> Option<Layout> {
    if bytes == EMPTY_FIXVEC {
        return Some(Layout::Fixvec { items: 0, size: 0, is_text: false });
    }
    let (items, body) = wire::parse_fixvec(bytes, 0).ok()?;
    let size = body.len().checked_div(items)?;
    let is_text = size == 1 && bytes.get(NUMBER_SIZE..).is_some_and(is_text);
    Some(Layout::Fixvec { items, size, is_text })
}

/// Whether bytes are rather a small number of 64 or 128 bits than an item count with zeros after
/// it.
fn is_number(bytes: &[u8]) -> bool {
    matches!(bytes.len(), 8 | 16)
        && bytes.get(NUMBER_SIZE..).is_some_and(|high| high.iter().all(|byte| *byte == 0))
}
