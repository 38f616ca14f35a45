//! A [`Value`] into bytes: one node after another.

use alloc::vec::Vec;

use super::read::field;
use super::{Table, Value};
use crate::biniou::wire::{self, ARGUMENT, MOST_EMPTY_ROWS, NUM_ARGUMENT, Tag, Zigzag as _};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::Segment;
use crate::limits::DepthMeter;
use crate::read::Reader;

/// Appends `value` without its tag, which may be elsewhere, as that of an item of an ARRAY.
///
/// Returns how many rows without columns are in it, since a message may have only few.
pub(in crate::biniou) fn write_untagged(
    value: &Value,
    depth: &mut DepthMeter,
    out: &mut Vec<u8>,
) -> Result<usize> {
    let mut nodes = Nodes { out, depth, empty_rows: 0, definitions: Vec::new() };
    nodes.untagged(value, [0; 2])?;
    Ok(nodes.empty_rows)
}

struct Nodes<'w> {
    out: &'w mut Vec<u8>,
    depth: &'w mut DepthMeter,
    /// How many rows without columns there are so far.
    empty_rows: usize,
    /// Where the shared values so far begin.
    definitions: Vec<usize>,
}

impl Nodes<'_> {
    fn tagged(&mut self, value: &Value) -> Result<()> {
        self.out.push(value.tag().byte());
        self.untagged(value, [0; 2])
    }

    /// Appends a value without its tag, its vints so many bytes longer than need be.
    fn untagged(&mut self, value: &Value, extra: [u8; 2]) -> Result<()> {
        let [first, _] = extra;
        match value {
            Value::Bool(value) => self.out.push(u8::from(*value)),
            Value::Int8(number) => self.out.push(*number),
            Value::Int16(number) => self.out.extend(number.to_be_bytes()),
            Value::Int32(number) => self.out.extend(number.to_be_bytes()),
            Value::Int64(number) => self.out.extend(number.to_be_bytes()),
            Value::Float32(number) => self.out.extend(number.to_be_bytes()),
            Value::Float64(number) => self.out.extend(number.to_be_bytes()),
            Value::Uvint(number) => return self.vint(*number, first),
            Value::Svint(number) => return self.vint(number.zigzag(), first),
            Value::String(bytes) => {
                self.length(bytes.len(), first)?;
                self.out.extend_from_slice(bytes);
            }
            Value::Unit => self.out.push(wire::UNIT),
            Value::Array(items) => return self.level(|nodes| nodes.array(items, first)),
            Value::Tuple(items) => return self.level(|nodes| nodes.tuple(items, first)),
            Value::Record(fields) => return self.level(|nodes| nodes.record(fields, first)),
            Value::Table(table) => return self.level(|nodes| nodes.table(table, extra)),
            Value::NumVariant(number, argument) => {
                let number = num_variant(*number, argument.is_some())?;
                self.out.push(number);
                return self.argument(argument.as_deref());
            }
            Value::Variant(hash, argument) => {
                let flag = if argument.is_some() { ARGUMENT } else { 0 };
                self.out.extend((hash_of(*hash)? | flag).to_be_bytes());
                return self.argument(argument.as_deref());
            }
            Value::Shared(id, value) => return self.shared(*id, value, first),
            Value::Reference(id) => return self.reference(*id, first),
            Value::Overlong(extra, value) => {
                check_overlong(*extra, value)?;
                return self.untagged(value, *extra);
            }
        }
        Ok(())
    }

    /// Writes what is nested one level deeper.
    fn level(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.depth.enter()?;
        write(self)?;
        self.depth.leave();
        Ok(())
    }

    fn array(&mut self, items: &[Value], extra: u8) -> Result<()> {
        self.length(items.len(), extra)?;
        let Some(first) = items.first() else {
            return Ok(());
        };
        let tag = first.tag();
        self.out.push(tag.byte());
        for (index, item) in items.iter().enumerate() {
            self.cell(tag, item, "an array holds items of one tag")
                .map_err(|error| error.inside(Segment::Index(index)))?;
        }
        Ok(())
    }

    /// Appends a value whose tag is elsewhere.
    fn cell(&mut self, tag: Tag, value: &Value, rule: &'static str) -> Result<()> {
        match value.tag() == tag {
            true => self.untagged(value, [0; 2]),
            false => Err(invalid(rule)),
        }
    }

    fn tuple(&mut self, items: &[Value], extra: u8) -> Result<()> {
        self.length(items.len(), extra)?;
        for (index, item) in items.iter().enumerate() {
            self.tagged(item).map_err(|error| error.inside(Segment::Index(index)))?;
        }
        Ok(())
    }

    fn record(&mut self, fields: &[(u32, Value)], extra: u8) -> Result<()> {
        self.length(fields.len(), extra)?;
        for (hash, value) in fields {
            self.field(*hash, value).map_err(|error| error.inside(field(*hash)))?;
        }
        Ok(())
    }

    fn field(&mut self, hash: u32, value: &Value) -> Result<()> {
        self.out.extend(wire::field_key(hash_of(hash)?));
        self.tagged(value)
    }

    fn table(&mut self, table: &Table, [rows, columns]: [u8; 2]) -> Result<()> {
        self.length(table.rows.len(), rows)?;
        if table.rows.is_empty() {
            return match table.columns.is_empty() {
                true => Ok(()),
                false => Err(invalid("a table without rows has no columns")),
            };
        }
        if table.columns.is_empty() {
            self.count_empty_rows(table.rows.len())?;
        }

        self.length(table.columns.len(), columns)?;
        for (hash, tag) in &table.columns {
            self.out.extend(wire::field_key(hash_of(*hash)?));
            self.out.push(tag.byte());
        }
        for (index, row) in table.rows.iter().enumerate() {
            self.row(&table.columns, row).map_err(|error| error.inside(Segment::Index(index)))?;
        }
        Ok(())
    }

    fn row(&mut self, columns: &[(u32, Tag)], cells: &[Value]) -> Result<()> {
        if cells.len() != columns.len() {
            return Err(invalid("a row of a table has a cell for each column"));
        }
        for ((hash, tag), cell) in columns.iter().zip(cells) {
            self.cell(*tag, cell, "a cell of a table has the tag of its column")
                .map_err(|error| error.inside(field(*hash)))?;
        }
        Ok(())
    }

    fn count_empty_rows(&mut self, rows: usize) -> Result<()> {
        self.empty_rows = self.empty_rows.saturating_add(rows);
        match u128::try_from(self.empty_rows).unwrap_or(u128::MAX) {
            0..=MOST_EMPTY_ROWS => Ok(()),
            rows => Err(Error::placeless(ErrorKind::EmptyRows { rows })),
        }
    }

    fn argument(&mut self, argument: Option<&Value>) -> Result<()> {
        match argument {
            None => Ok(()),
            Some(value) => self.level(|nodes| nodes.tagged(value)),
        }
    }

    fn shared(&mut self, id: u32, value: &Value, extra: u8) -> Result<()> {
        self.definitions.push(self.out.len());
        // Any other number would be read back as this one.
        if u32::try_from(self.definitions.len()) != Ok(id) {
            return Err(invalid("shared values are numbered from 1, in the order they begin"));
        }
        self.vint(wire::HERE.into(), extra)?;
        self.level(|nodes| nodes.tagged(value))
    }

    fn reference(&mut self, id: u32, extra: u8) -> Result<()> {
        let before = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let Some(start) = before.and_then(|before| self.definitions.get(before)) else {
            return Err(invalid("a reference follows the shared value of its number"));
        };
        let distance = self.out.len() - start;
        self.length(distance, extra)
    }

    fn length(&mut self, length: usize, extra: u8) -> Result<()> {
        match extra {
            0 => wire::put_length(self.out, length),
            _ => self.long_vint(u128::try_from(length).unwrap_or(u128::MAX), extra)?,
        }
        Ok(())
    }

    fn vint(&mut self, number: u128, extra: u8) -> Result<()> {
        match extra {
            0 => wire::put_uvint(self.out, number),
            _ => self.long_vint(number, extra)?,
        }
        Ok(())
    }

    /// Appends a vint that is `extra` bytes longer than it need be: the highest bits are zeros.
    #[cold]
    fn long_vint(&mut self, number: u128, extra: u8) -> Result<()> {
        let start = self.out.len();
        wire::put_uvint(self.out, number);
        for _ in 0..extra {
            if let Some(last) = self.out.last_mut() {
                *last |= wire::VINT_MORE;
            }
            self.out.push(0);
        }
        let spelled = self.out.get(start..).unwrap_or_default();
        wire::take_uvint(&mut Reader::new(spelled, 0))
            .map_err(|_| invalid("no vint is as long as this"))?;
        Ok(())
    }
}

fn num_variant(number: u8, has_argument: bool) -> Result<u8> {
    match number & NUM_ARGUMENT {
        0 if has_argument => Ok(number | NUM_ARGUMENT),
        0 => Ok(number),
        _ => Err(invalid("a num_variant is at most 127")),
    }
}

fn hash_of(hash: u32) -> Result<u32> {
    match hash & ARGUMENT {
        0 => Ok(hash),
        _ => Err(invalid("a hash has 31 bits")),
    }
}

/// What is called overlong must be, and must have vints for it.
#[cold]
fn check_overlong(extra: [u8; 2], value: &Value) -> Result<()> {
    let vints = match value {
        Value::Uvint(_)
        | Value::Svint(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Tuple(_)
        | Value::Record(_)
        | Value::Shared(..)
        | Value::Reference(_) => 1,
        Value::Table(table) if table.rows.is_empty() => 1,
        Value::Table(_) => 2,
        _ => 0,
    };
    match extra {
        [0, 0] => Err(invalid("what is overlong has bytes too many")),
        [_, 0] if vints > 0 => Ok(()),
        _ if vints > 1 => Ok(()),
        _ => Err(invalid("what is overlong has vints that could be")),
    }
}

#[cold]
fn invalid(rule: &'static str) -> Error {
    Error::placeless(ErrorKind::InvalidValue(rule))
}
