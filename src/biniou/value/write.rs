//! A [`Value`] into bytes: one node after another.
//!
//! serde passes a value as the bytes that it is written as, like a [`Raw`](crate::biniou::Raw). A writer that refuses it
//! has to return the error, which only the value finds. So the bytes are in a variant of an enum: its index is the number
//! of levels, and its name the rule that the value breaks, with the path to the place instead of the bytes.

use alloc::string::ToString as _;
use alloc::vec::Vec;

use serde_core::ser::{self, Serialize, Serializer};

use super::read::field;
use super::{Table, VALUE, Value};
use crate::biniou::wire::{self, ARGUMENT, NUM_ARGUMENT, Tag, Zigzag as _};
use crate::biniou::{Error, ErrorKind, Path, Result};
use crate::error::Segment;
use crate::glue::refusing::refusing;
use crate::limits::{DepthMeter, Height};
use crate::path::InFull;
use crate::raw::{Bytes, no_raw, serialize_part, take_part};
use crate::read::Reader;

/// The bytes of a tree that was passed under the name [`VALUE`].
pub(in crate::biniou) fn bytes_of<T: ?Sized + Serialize>(
    value: &T,
    depth: DepthMeter,
) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    take_part(value, TakesTree { bytes: &mut bytes, depth })?;
    Ok(bytes)
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_part("biniou", VALUE, &Leveled(self), serializer)
    }
}

/// A tree with its number of levels, so that the limit is checked before the recursion.
struct Leveled<'a>(&'a Value);

impl Serialize for Leveled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Leveled(value) = self;
        serializer.serialize_newtype_variant(VALUE, value.levels(), "", &Tree(value))
    }
}

/// The bytes of a tree, or the rule that it breaks.
struct Tree<'a>(&'a Value);

impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::new();
        let error = match (Nodes { out: &mut bytes, definitions: Vec::new() }).tagged(self.0) {
            Ok(()) => return serializer.serialize_bytes(&bytes),
            Err(error) => error,
        };
        let ErrorKind::InvalidValue(rule) = error.kind() else {
            return Err(ser::Error::custom(error));
        };
        let path = InFull(error.path()).to_string();
        serializer.serialize_newtype_variant(VALUE, 0, rule, &Bytes(path.as_bytes()))
    }
}

struct TakesTree<'a> {
    bytes: &'a mut Vec<u8>,
    depth: DepthMeter,
}

impl Serializer for TakesTree<'_> {
    refusing!(but bytes newtype_variant, no_raw, Error);

    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        mut self,
        _: &'static str,
        levels: u32,
        rule: &'static str,
        value: &T,
    ) -> Result<()> {
        if rule.is_empty() {
            let levels = u16::try_from(levels).unwrap_or(u16::MAX);
            self.depth.pass(Height { levels, wrappers: 0 })?;
            return value.serialize(self);
        }
        let TakesTree { bytes, depth } = self;
        value.serialize(TakesTree { bytes: &mut *bytes, depth })?;
        let path = core::str::from_utf8(bytes).ok().and_then(|path| Path::new(path).ok());
        let path = path.unwrap_or_default();
        let error = path.segments().rev().cloned().fold(invalid(rule), Error::inside);
        Err(error)
    }
}

impl Value {
    /// How many levels it has.
    fn levels(&self) -> u32 {
        let (mut most, mut next) = (0, Vec::from([(self, 0_u32)]));
        while let Some((value, outside)) = next.pop() {
            let inside = outside.saturating_add(1);
            match value {
                Value::Array(items) | Value::Tuple(items) => {
                    next.extend(items.iter().map(|value| (value, inside)));
                }
                Value::Record(fields) => {
                    next.extend(fields.iter().map(|(_, value)| (value, inside)));
                }
                Value::Table(table) => {
                    next.extend(table.rows.iter().flatten().map(|value| (value, inside)));
                }
                Value::NumVariant(_, Some(value))
                | Value::Variant(_, Some(value))
                | Value::Shared(_, value) => next.push((value, inside)),
                Value::Overlong(_, value) => {
                    next.push((value, outside));
                    continue;
                }
                _ => continue,
            }
            most = most.max(inside);
        }
        most
    }
}

struct Nodes<'w> {
    out: &'w mut Vec<u8>,
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
            Value::Array(items) => return self.array(items, first),
            Value::Tuple(items) => return self.tuple(items, first),
            Value::Record(fields) => return self.record(fields, first),
            Value::Table(table) => return self.table(table, extra),
            Value::NumVariant(number, argument) => {
                let number = num_variant(*number, argument.is_some())?;
                self.out.push(number);
                return argument.iter().try_for_each(|value| self.tagged(value));
            }
            Value::Variant(hash, argument) => {
                let flag = if argument.is_some() { ARGUMENT } else { 0 };
                self.out.extend((hash_of(*hash)? | flag).to_be_bytes());
                return argument.iter().try_for_each(|value| self.tagged(value));
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

    fn shared(&mut self, id: u32, value: &Value, extra: u8) -> Result<()> {
        self.definitions.push(self.out.len());
        // Any other number would be read back as this one.
        if u32::try_from(self.definitions.len()) != Ok(id) {
            return Err(invalid("shared values are numbered from 1, in the order they begin"));
        }
        self.vint(wire::HERE.into(), extra)?;
        self.tagged(value)
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
