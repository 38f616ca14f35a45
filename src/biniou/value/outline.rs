//! Checked values that stay bytes: their nodes are read one at a time, on demand.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::Value;
use super::read::{check_tree, number_of, take_length, take_scalar, take_table_counts, take_vint};
use crate::biniou::budget::Budget;
use crate::biniou::raw::Raw;
use crate::biniou::skip::skip_part;
use crate::biniou::wire::{self, CELL_SIZE, COLUMN_SIZE, FIELD_SIZE, ITEM_SIZE, Tag, Zigzag as _};
use crate::biniou::{ErrorKind, Options, Path, Result};
use crate::limits::DepthMeter;
use crate::read::Reader;

/// The values of an input, checked as [`Value`] checks them, which are read node by node.
///
/// Where a [`Value`] takes some fifty bytes of memory for each node, this takes 16 bytes for each node that is longer than
/// 4 KiB, and 8 for each shared value.
///
/// ```
/// use fourfold::biniou::{NodeParts, Options, to_vec};
///
/// let bytes = to_vec(&vec![(1, "one"), (2, "two")])?;
/// let outline = Options::new().outline(&bytes)?;
/// let value = outline.values().iter().next().unwrap();
/// let NodeParts::Array(pairs) = value.parts() else { panic!() };
/// assert_eq!(pairs.len(), 2);
/// for pair in pairs.iter() {
///     let NodeParts::Tuple(cells) = pair.parts() else { panic!() };
///     assert!(matches!(cells.iter().nth(1).unwrap().parts(), NodeParts::String(b"one" | b"two")));
/// }
/// # Ok::<(), fourfold::biniou::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outline<'a> {
    values: NodeList<'a>,
}

/// Where nodes are that cannot be found in little time.
#[derive(Debug, Default)]
struct Index {
    /// Where long nodes begin, after their tags, and end: in the order in which they begin.
    long: Vec<(usize, usize)>,
    /// Where shared values begin, after their tags.
    definitions: Vec<usize>,
}

impl Options {
    /// Checks the concatenated values in `bytes`. See [`Outline`].
    ///
    /// # Errors
    ///
    /// The first of those that a [`StreamDeserializer`](crate::biniou::StreamDeserializer) of [`Value`]s meets. No bytes at
    /// all are no value, which is an error, too.
    pub fn outline<'a>(&self, bytes: &'a [u8]) -> Result<Outline<'a>> {
        let (mut index, mut count, mut budget) = (Index::default(), 0, Budget::new());
        let mut reader = Reader::new(bytes, 0);
        while count == 0 || reader.left() > 0 {
            let start = reader.offset();
            let tag = wire::take_tag(&mut reader)?;
            index.check(self, tag, &mut reader, &mut budget)?;
            budget.next_value(reader.offset() - start, None);
            count += 1;
        }
        index.long.sort_unstable();
        let index = Arc::new(index);
        let list = ListKind::Values;
        Ok(Outline { values: NodeList { bytes, index, first: 0, list, count, at: 0 } })
    }

    /// Checks the value at `path` in `bytes`, and returns its node. What is before it is skipped.
    ///
    /// ```
    /// use fourfold::biniou::{NodeParts, Options, Path, to_vec};
    ///
    /// let bytes = to_vec(&vec![(1, "one"), (2, "two")])?;
    /// let node = Options::new().outline_at(&bytes, &Path::new("[1][1]").unwrap())?;
    /// assert!(matches!(node.parts(), NodeParts::String(b"two")));
    /// # Ok::<(), fourfold::biniou::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`at`](Options::at) for a [`Raw`], and of the value.
    pub fn outline_at<'a>(&self, bytes: &'a [u8], path: &Path) -> Result<Node<'a>> {
        let raw: Raw<'_> = self.at(bytes, path)?;
        // The offset is that of a tag directly before it.
        let at = raw.offset().saturating_add(1);
        let tag = wire::take_tag(&mut Reader::new(raw.bytes(), 0))?;
        let mut index = Index::default();
        index.check(self, tag, &mut Reader::after(bytes, at), &mut Budget::new())?;
        index.long.sort_unstable();
        let place = Place::Tag(tag);
        Ok(Node { bytes, index: Arc::new(index), first: 0, place, at, is_bare: false })
    }
}

impl Index {
    /// Checks what follows a tag, and adds where its nodes are.
    fn check(
        &mut self,
        options: &Options,
        tag: Tag,
        reader: &mut Reader<'_>,
        budget: &mut Budget,
    ) -> Result<()> {
        let start = reader.offset();
        let mut depth = DepthMeter::new(options.max_depth);
        let places = check_tree(tag, reader, &mut depth, &mut budget.empty_rows)
            .map_err(|error| error.or_offset(start))?;
        self.long.extend(places.long);
        self.definitions.extend(places.definitions);
        Ok(())
    }
}

impl<'a> Outline<'a> {
    /// The values. There is one at least.
    #[must_use]
    pub fn values(&self) -> NodeList<'a> {
        self.values.clone()
    }
}

/// A value or nested value: bytes that were checked.
#[derive(Clone)]
pub struct Node<'a> {
    bytes: &'a [u8],
    index: Arc<Index>,
    /// The number of the first shared value in the value that this is in.
    first: usize,
    place: Place,
    /// Where it begins, after its tag.
    at: usize,
    /// Whether it is what a node holds whose vints are too long.
    is_bare: bool,
}

/// What precedes a node.
#[derive(Clone, Copy, Debug)]
enum Place {
    Tag(Tag),
    /// It is a row of a TABLE.
    Row(Columns),
}

/// The columns of a TABLE: where they are, and how many.
#[derive(Clone, Copy, Debug)]
struct Columns {
    at: usize,
    count: usize,
}

/// What is in a node.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NodeParts<'a> {
    /// A value without others in it, but a string: a number, bool, unit or reference.
    Scalar(Value),
    /// The bytes of a string.
    String(&'a [u8]),
    /// The items of an ARRAY, which all have one tag.
    Array(NodeList<'a>),
    /// The cells of a TUPLE.
    Tuple(NodeList<'a>),
    /// The fields of a RECORD, or the cells of a row.
    Record(NodeFields<'a>),
    /// The rows of a TABLE.
    Table(NodeList<'a>),
    /// A number below 128, and perhaps an argument.
    NumVariant(u8, Option<Node<'a>>),
    /// The hash of a name, and perhaps an argument.
    Variant(u32, Option<Node<'a>>),
    /// A value that may be referred to, with its number.
    Shared(u32, Node<'a>),
    /// By how many bytes the node's first and second vint are too long, and the node without that.
    Overlong([u8; 2], Node<'a>),
}

impl<'a> Node<'a> {
    /// What is in it.
    #[must_use]
    pub fn parts(&self) -> NodeParts<'a> {
        // All bytes were checked.
        self.read().unwrap_or(NodeParts::Scalar(Value::Unit))
    }

    /// Whether shared values or references are in it: their numbers count from the start of the value that it is in.
    #[must_use]
    pub fn has_shared(&self) -> bool {
        let start = self.index.definitions.partition_point(|it| *it < self.at);
        self.index.definitions.get(start).is_some_and(|it| *it < self.end())
    }

    fn read(&self) -> Result<NodeParts<'a>> {
        let mut reader = Reader::after(self.bytes, self.at);
        let tag = match self.place {
            Place::Row(columns) => {
                let fields = self.list(ListKind::Cells(columns), columns.count, self.at);
                return Ok(NodeParts::Record(NodeFields(fields)));
            }
            Place::Tag(tag) => tag,
        };
        let (parts, extra) = match tag {
            Tag::String => {
                let (length, extra) = take_length(&mut reader, 1)?;
                (NodeParts::String(reader.take::<ErrorKind>(length)?), [extra, 0])
            }
            Tag::Uvint => {
                let (number, extra) = take_vint(&mut reader)?;
                (NodeParts::Scalar(Value::Uvint(number)), [extra, 0])
            }
            Tag::Svint => {
                let (number, extra) = take_vint(&mut reader)?;
                (NodeParts::Scalar(Value::Svint(i128::unzigzag(number))), [extra, 0])
            }
            Tag::Array => {
                let (count, extra) = take_length(&mut reader, ITEM_SIZE)?;
                let tag = if count > 0 { wire::take_tag(&mut reader)? } else { Tag::Unit };
                let list = self.list(ListKind::Items(tag), count, reader.offset());
                (NodeParts::Array(list), [extra, 0])
            }
            Tag::Tuple => {
                let (count, extra) = take_length(&mut reader, CELL_SIZE)?;
                let list = self.list(ListKind::Tagged, count, reader.offset());
                (NodeParts::Tuple(list), [extra, 0])
            }
            Tag::Record => {
                let (count, extra) = take_length(&mut reader, FIELD_SIZE)?;
                let list = self.list(ListKind::Fields, count, reader.offset());
                (NodeParts::Record(NodeFields(list)), [extra, 0])
            }
            Tag::Table => {
                let (rows, count, extra) = take_table_counts(&mut reader)?;
                let columns = Columns { at: reader.offset(), count };
                let start = columns.at.saturating_add(count.saturating_mul(COLUMN_SIZE));
                (NodeParts::Table(self.list(ListKind::Rows(columns), rows, start)), extra)
            }
            Tag::NumVariant => {
                let (number, has_argument) = wire::take_num_variant(&mut reader)?;
                (NodeParts::NumVariant(number, self.argument(has_argument, &mut reader)?), [0, 0])
            }
            Tag::Variant => {
                let (hash, has_argument) = wire::take_variant(&mut reader)?;
                (NodeParts::Variant(hash, self.argument(has_argument, &mut reader)?), [0, 0])
            }
            Tag::Shared => {
                let (distance, extra) = take_vint(&mut reader)?;
                let parts = match wire::reference(distance) {
                    None => NodeParts::Shared(self.number(self.at)?, self.tagged(&mut reader)?),
                    Some(distance) => {
                        let target = wire::target(self.at, distance).unwrap_or_default();
                        NodeParts::Scalar(Value::Reference(self.number(target)?))
                    }
                };
                (parts, [extra, 0])
            }
            tag => (NodeParts::Scalar(take_scalar(tag, &mut reader)?), [0, 0]),
        };
        Ok(match extra {
            [0, 0] => parts,
            _ if self.is_bare => parts,
            extra => NodeParts::Overlong(extra, Node { is_bare: true, ..self.clone() }),
        })
    }

    /// A list in the same value.
    fn list(&self, list: ListKind, count: usize, at: usize) -> NodeList<'a> {
        let Node { bytes, ref index, first, .. } = *self;
        NodeList { bytes, index: index.clone(), first, list, count, at }
    }

    /// The node that comes next.
    fn tagged(&self, reader: &mut Reader<'_>) -> Result<Node<'a>> {
        let place = Place::Tag(wire::take_tag(reader)?);
        Ok(Node { place, at: reader.offset(), is_bare: false, ..self.clone() })
    }

    fn argument(&self, is_there: bool, reader: &mut Reader<'_>) -> Result<Option<Node<'a>>> {
        is_there.then(|| self.tagged(reader)).transpose()
    }

    /// The number of the shared value that begins there.
    fn number(&self, at: usize) -> Result<u32> {
        let before = self.index.definitions.partition_point(|it| *it < at);
        number_of(before.saturating_sub(self.first).saturating_add(1))
    }

    /// Where it ends.
    fn end(&self) -> usize {
        let tag = match self.place {
            // Its first cell begins at the same offset.
            Place::Row(columns) => {
                return self.list(ListKind::Cells(columns), columns.count, self.at).end();
            }
            Place::Tag(tag) => tag,
        };
        let long = &self.index.long;
        if let Ok(found) = long.binary_search_by_key(&self.at, |(start, _)| *start) {
            return long.get(found).map_or(self.at, |(_, end)| *end);
        }
        if let Some(size) = tag.fixed_size() {
            return self.at.saturating_add(size);
        }
        let mut reader = Reader::after(self.bytes, self.at);
        // It was checked, also how deep it is.
        match skip_part(&mut reader, Some(tag), DepthMeter::new(u16::MAX)) {
            Ok(()) => reader.offset(),
            Err(_) => self.bytes.len(),
        }
    }
}

/// Concatenated nodes.
#[derive(Clone)]
pub struct NodeList<'a> {
    bytes: &'a [u8],
    index: Arc<Index>,
    first: usize,
    list: ListKind,
    count: usize,
    /// Where the first one begins.
    at: usize,
}

/// What precedes each node of a list.
#[derive(Clone, Copy, Debug)]
enum ListKind {
    /// Its tag: it is a value that shares nothing with others.
    Values,
    /// Its tag.
    Tagged,
    /// The hash of its name and its tag.
    Fields,
    /// Nothing: all have this tag.
    Items(Tag),
    /// Nothing: they are rows with these columns.
    Rows(Columns),
    /// Nothing: they are cells of these columns.
    Cells(Columns),
}

impl<'a> NodeList<'a> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        self.named().map(|(_, node)| node)
    }

    /// All of them, with the hashes of their names if they have some.
    fn named(&self) -> impl Iterator<Item = (u32, Node<'a>)> + use<'a> {
        let list = self.clone();
        let mut before: Option<Node<'a>> = None;
        (0..self.count).map_while(move |number| {
            // The end of a node is found only when the next one is requested: that of the last node costs as much
            // as all that is in it, at each level again.
            let at = before.as_ref().map_or(list.at, Node::end);
            let (hash, node) = list.next(number, at)?;
            before = Some(node.clone());
            Some((hash, node))
        })
    }

    /// The node with that index, which begins at `at`.
    fn next(&self, number: usize, at: usize) -> Option<(u32, Node<'a>)> {
        let NodeList { bytes, ref index, first, list, .. } = *self;
        let mut reader = Reader::after(bytes, at);
        let (mut hash, mut first) = (0, first);
        let place = match list {
            ListKind::Values => {
                first = index.definitions.partition_point(|it| *it < at);
                Place::Tag(wire::take_tag(&mut reader).ok()?)
            }
            ListKind::Tagged => Place::Tag(wire::take_tag(&mut reader).ok()?),
            ListKind::Fields => {
                hash = wire::take_field(&mut reader).ok()?;
                Place::Tag(wire::take_tag(&mut reader).ok()?)
            }
            ListKind::Items(tag) => Place::Tag(tag),
            ListKind::Rows(columns) => Place::Row(columns),
            ListKind::Cells(columns) => {
                let column = columns.at.checked_add(number.checked_mul(COLUMN_SIZE)?)?;
                let mut header = Reader::after(bytes, column);
                hash = wire::take_field(&mut header).ok()?;
                Place::Tag(wire::take_tag(&mut header).ok()?)
            }
        };
        let at = reader.offset();
        Some((hash, Node { bytes, index: index.clone(), first, place, at, is_bare: false }))
    }

    /// Where the last one ends.
    fn end(&self) -> usize {
        self.named().last().map_or(self.at, |(_, node)| node.end())
    }
}

/// The fields of a RECORD, in the order of the bytes.
#[derive(Clone)]
pub struct NodeFields<'a>(NodeList<'a>);

impl<'a> NodeFields<'a> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The hashes of their names, and the fields. A hash may come twice.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Node<'a>)> + use<'a> {
        self.0.named()
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().fmt(f)
    }
}

impl fmt::Debug for NodeList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Debug for NodeFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
