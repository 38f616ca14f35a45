//! Bytes into a [`Value`]: one node after another.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde_core::de::{self, Deserialize, Deserializer};

use super::{Table, VALUE, Value};
use crate::biniou::names::HashName;
use crate::biniou::raw::split;
use crate::biniou::skip::spend_empty_rows;
use crate::biniou::wire::{self, CELL_SIZE, FIELD_SIZE, ITEM_SIZE, Tag, Zigzag as _};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::{CommonKind, Segment};
use crate::limits::DepthMeter;
use crate::raw::part_of;
use crate::read::Reader;

/// Memory for up to so many items is taken before the first is read. More would trust a count that may be
/// false.
const FIRST_ITEMS: usize = 4;

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let part = part_of("biniou", VALUE, deserializer)?;
        let Some((tag, body)) = split(part) else {
            return Ok(Value::Unit);
        };
        // The reader has checked it.
        let (mut reader, mut depth) = (Reader::new(body, 0), DepthMeter::new(u16::MAX));
        let (reader, depth, empty_rows) = (&mut reader, &mut depth, &mut { usize::MAX });
        let mut nodes = Nodes { reader, depth, empty_rows, definitions: Vec::new(), long: None };
        nodes.untagged(tag).map_err(de::Error::custom)
    }
}

/// Checks a value whose tag has been taken: it may be elsewhere, as that of an item of an ARRAY. Keeps nothing of it but
/// places.
///
/// `empty_rows` is how many more rows without columns are accepted: they take no bytes, so a few bytes could claim many.
pub(in crate::biniou) fn check_tree(
    tag: Tag,
    reader: &mut Reader<'_>,
    depth: &mut DepthMeter,
    empty_rows: &mut usize,
) -> Result<Places> {
    let mut nodes =
        Nodes { reader, depth, empty_rows, definitions: Vec::new(), long: Some(Vec::new()) };
    nodes.untagged(tag)?;
    Ok(Places { definitions: nodes.definitions, long: nodes.long.unwrap_or_default() })
}

/// Positions in a value that would take long to find again.
#[derive(Debug, Default)]
pub(in crate::biniou) struct Places {
    /// Where shared values begin, after their tags, in order.
    pub(in crate::biniou) definitions: Vec<usize>,
    /// Where long nodes begin, after their tags, and end. Inner ones come first.
    pub(super) long: Vec<(usize, usize)>,
}

/// Nodes of fewer bytes are skipped when their end is needed.
const LONG: usize = 1 << 12;

struct Nodes<'r, 'de> {
    reader: &'r mut Reader<'de>,
    depth: &'r mut DepthMeter,
    empty_rows: &'r mut usize,
    /// Where the shared values so far begin, in order.
    definitions: Vec<usize>,
    /// Where long nodes are, if only places are kept.
    long: Option<Vec<(usize, usize)>>,
}

impl Nodes<'_, '_> {
    fn tagged(&mut self) -> Result<Value> {
        let tag = wire::take_tag(self.reader)?;
        self.untagged(tag)
    }

    fn untagged(&mut self, tag: Tag) -> Result<Value> {
        let start = self.reader.offset();
        let value = self.node(tag)?;
        let end = self.reader.offset();
        if let Some(long) = self.long.as_mut().filter(|_| end - start >= LONG) {
            long.push((start, end));
        }
        Ok(value)
    }

    #[inline]
    fn node(&mut self, tag: Tag) -> Result<Value> {
        match tag {
            Tag::Uvint => {
                let (number, extra) = take_vint(self.reader)?;
                Ok(spelled([extra, 0], Value::Uvint(number)))
            }
            Tag::Svint => {
                let (number, extra) = take_vint(self.reader)?;
                Ok(spelled([extra, 0], Value::Svint(i128::unzigzag(number))))
            }
            Tag::String => {
                let (length, extra) = take_length(self.reader, 1)?;
                let bytes = self.reader.take(length)?;
                let bytes = if self.long.is_none() { bytes.to_vec() } else { Vec::new() };
                Ok(spelled([extra, 0], Value::String(bytes)))
            }
            Tag::Array => self.level(Self::array),
            Tag::Tuple => self.level(Self::tuple),
            Tag::Record => self.level(Self::record),
            Tag::Table => self.level(Self::table),
            Tag::NumVariant => self.num_variant(),
            Tag::Variant => self.variant(),
            Tag::Shared => self.shared(),
            tag => take_scalar(tag, self.reader),
        }
    }

    /// Reads what is nested one level deeper.
    fn level(&mut self, read: impl FnOnce(&mut Self) -> Result<Value>) -> Result<Value> {
        let offset = self.reader.offset();
        self.depth.enter().map_err(|error: Error| error.or_offset(offset))?;
        let value = read(self)?;
        self.depth.leave();
        Ok(value)
    }

    fn array(&mut self) -> Result<Value> {
        let (count, extra) = take_length(self.reader, ITEM_SIZE)?;
        let mut items = self.list(count.min(FIRST_ITEMS));
        if count > 0 {
            let tag = wire::take_tag(self.reader)?;
            for index in 0..count {
                let item = self.untagged(tag);
                let item = item.map_err(|error| error.inside(Segment::Index(index)))?;
                self.keep(&mut items, item);
            }
        }
        Ok(spelled([extra, 0], Value::Array(items)))
    }

    fn tuple(&mut self) -> Result<Value> {
        let (count, extra) = take_length(self.reader, CELL_SIZE)?;
        let mut items = self.list(count.min(FIRST_ITEMS));
        for index in 0..count {
            let item = self.tagged();
            let item = item.map_err(|error| error.inside(Segment::Index(index)))?;
            self.keep(&mut items, item);
        }
        Ok(spelled([extra, 0], Value::Tuple(items)))
    }

    fn record(&mut self) -> Result<Value> {
        let (count, extra) = take_length(self.reader, FIELD_SIZE)?;
        let mut fields = self.list(count.min(FIRST_ITEMS));
        for _ in 0..count {
            let hash = wire::take_field(self.reader)?;
            let value = self.tagged().map_err(|error| error.inside(field(hash)))?;
            self.keep(&mut fields, (hash, value));
        }
        Ok(spelled([extra, 0], Value::Record(fields)))
    }

    fn table(&mut self) -> Result<Value> {
        let start = self.reader.offset();
        let (row_count, column_count, extra) = take_table_counts(self.reader)?;
        if column_count == 0 {
            spend_empty_rows(self.empty_rows, row_count, start)?;
        }

        let mut columns = Vec::with_capacity(column_count);
        for _ in 0..column_count {
            columns.push((wire::take_field(self.reader)?, wire::take_tag(self.reader)?));
        }
        let mut rows = self.list(row_count.min(FIRST_ITEMS));
        for index in 0..row_count {
            let row = self.row(&columns);
            let row = row.map_err(|error| error.inside(Segment::Index(index)))?;
            self.keep(&mut rows, row);
        }
        Ok(spelled(extra, Value::from(Table { columns, rows })))
    }

    fn row(&mut self, columns: &[(u32, Tag)]) -> Result<Vec<Value>> {
        let mut cells = self.list(columns.len());
        for (hash, tag) in columns {
            let cell = self.untagged(*tag);
            let cell = cell.map_err(|error| error.inside(field(*hash)))?;
            self.keep(&mut cells, cell);
        }
        Ok(cells)
    }

    fn num_variant(&mut self) -> Result<Value> {
        let (number, has_argument) = wire::take_num_variant(self.reader)?;
        match has_argument {
            false => Ok(Value::NumVariant(number, None)),
            true => {
                self.level(|nodes| Ok(Value::NumVariant(number, Some(Box::new(nodes.tagged()?)))))
            }
        }
    }

    fn variant(&mut self) -> Result<Value> {
        let (hash, has_argument) = wire::take_variant(self.reader)?;
        match has_argument {
            false => Ok(Value::Variant(hash, None)),
            true => self.level(|nodes| Ok(Value::Variant(hash, Some(Box::new(nodes.tagged()?))))),
        }
    }

    fn shared(&mut self) -> Result<Value> {
        let start = self.reader.offset();
        let (distance, extra) = take_vint(self.reader)?;
        if let Some(distance) = wire::reference(distance) {
            let id = self.definition(start, distance)?;
            return Ok(spelled([extra, 0], Value::Reference(id)));
        }
        self.definitions.push(start);
        let id = number_of(self.definitions.len())?;
        self.level(|nodes| {
            let value = Value::Shared(id, Box::new(nodes.tagged()?));
            Ok(spelled([extra, 0], value))
        })
    }

    /// The number of the shared value that begins `distance` bytes before `start`.
    fn definition(&self, start: usize, distance: u128) -> Result<u32> {
        match wire::target(start, distance).map(|target| self.definitions.binary_search(&target)) {
            Some(Ok(before)) => number_of(before + 1),
            _ => Err(Error::at(ErrorKind::Reference { distance }, start)),
        }
    }

    /// A list with memory for `capacity` elements, if they are kept.
    fn list<T>(&self, capacity: usize) -> Vec<T> {
        Vec::with_capacity(if self.long.is_none() { capacity } else { 0 })
    }

    fn keep<T>(&self, parts: &mut Vec<T>, part: T) {
        if self.long.is_none() {
            parts.push(part);
        }
    }
}

/// Takes a value of a tag with one size.
pub(super) fn take_scalar(tag: Tag, reader: &mut Reader<'_>) -> Result<Value> {
    Ok(match tag {
        Tag::Bool => Value::Bool(wire::take_bool(reader)?),
        Tag::Int8 => Value::Int8(u8::from_be_bytes(reader.take_array()?)),
        Tag::Int16 => Value::Int16(u16::from_be_bytes(reader.take_array()?)),
        Tag::Int32 => Value::Int32(i32::from_be_bytes(reader.take_array()?)),
        Tag::Int64 => Value::Int64(i64::from_be_bytes(reader.take_array()?)),
        Tag::Float32 => Value::Float32(f32::from_be_bytes(reader.take_array()?)),
        Tag::Float64 => Value::Float64(f64::from_be_bytes(reader.take_array()?)),
        _ => wire::take_unit(reader).map(|()| Value::Unit)?,
    })
}

/// Takes an unsigned vint, and how many bytes too long it is spelled.
pub(super) fn take_vint(reader: &mut Reader<'_>) -> Result<(u128, u8)> {
    let start = reader.offset();
    let number = wire::take_uvint(reader)?;
    Ok((number, extra(number, reader.offset() - start)))
}

/// Takes a length, and how many bytes too long it is spelled. Each thing counted takes at least `size` bytes.
pub(super) fn take_length(reader: &mut Reader<'_>, size: usize) -> Result<(usize, u8)> {
    let mut ahead = *reader;
    let length = wire::take_length(reader, size)?;
    let spelled = ahead.left() - reader.left();
    if spelled == 1 {
        return Ok((length, 0));
    }
    let number = wire::take_uvint(&mut ahead)?;
    Ok((length, extra(number, spelled)))
}

/// Takes how many rows and columns a TABLE has, and how many bytes too long each count is spelled.
pub(super) fn take_table_counts(reader: &mut Reader<'_>) -> Result<(usize, usize, [u8; 2])> {
    let extra = table_extra(*reader)?;
    let (rows, columns) = wire::take_table_counts(reader)?;
    Ok((rows, columns, extra))
}

/// How many bytes too long the counts at the start of a TABLE are spelled.
fn table_extra(mut ahead: Reader<'_>) -> Result<[u8; 2]> {
    let mut next = || {
        let before = ahead.left();
        let number = wire::take_uvint(&mut ahead)?;
        Ok((number, extra(number, before - ahead.left())))
    };
    let (row_count, rows) = next()?;
    let (_, columns) = if row_count > 0 { next()? } else { (0, 0) };
    Ok([rows, columns])
}

/// How many of the `spelled` bytes of a vint are too many.
fn extra(number: u128, spelled: usize) -> u8 {
    // At most 19, and mostly one byte was enough.
    match spelled {
        1 => 0,
        _ => u8::try_from(spelled.saturating_sub(wire::uvint_size(number))).unwrap_or(u8::MAX),
    }
}

fn spelled(extra: [u8; 2], value: Value) -> Value {
    match extra {
        [0, 0] => value,
        _ => Value::Overlong(extra, Box::new(value)),
    }
}

/// Shared values are counted from 1.
pub(super) fn number_of(count: usize) -> Result<u32> {
    u32::try_from(count).map_err(|_| {
        let reason = "more than 2^32 shared values";
        Error::placeless(CommonKind::Unsupported { reason, hint: None })
    })
}

/// The step into the field or column of a hash.
#[cold]
pub(super) fn field(hash: u32) -> Segment {
    Segment::Field(String::from(HashName::new(hash)).into())
}
