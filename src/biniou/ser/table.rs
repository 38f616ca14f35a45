//! Writing the rows of a TABLE: names and tags stand in front of the first row, cells have neither. Knows
//! columns, does not know how values are written.

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::prefix::{NoTag, Prefix};
use super::value::ValueWriter;
use crate::biniou::error::WITHOUT_TABLE;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::names::FieldCursor;
use crate::biniou::raw;
use crate::biniou::wire::{self, COLUMN_SIZE, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::{Fault, Segment};

/// The error for rows that were kept raw.
const RAW_ROWS: Fault = Fault::Unsupported {
    reason: "a row of a table has no bytes of its own, so raw parts cannot be rows",
    hint: Some("remove the mark `table`, or give the rows their type"),
};

/// More columns than this are refused: memory for the columns is taken when a type announces them.
const MOST_COLUMNS: usize = 65_535;

/// The columns, which the first row decides for all rows.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Names, and tags once the first row is written.
    columns: Vec<(u32, Tag)>,
    count: usize,
}

impl Table {
    /// Refuses a TABLE with more rows without bytes than readers accept.
    pub(super) fn finish(&self, encoder: &mut Encoder, rows: usize) -> Result<()> {
        match self.columns.is_empty() {
            true => encoder.spend_empty_rows(rows),
            false => Ok(()),
        }
    }

    #[cold]
    fn differs(&self, what: &'static str) -> Error {
        Error::placeless(ErrorKind::Rows { row: self.count, what })
    }
}

/// Writes the next row.
pub(super) fn put_row<T: ?Sized + Serialize>(
    encoder: &mut Encoder,
    table: &mut Table,
    value: &T,
) -> Result<()> {
    value.serialize(RowWriter { encoder, table: &mut *table })?;
    table.count += 1;
    Ok(())
}

/// A serializer for a row, which is a struct.
struct RowWriter<'a> {
    encoder: &'a mut Encoder,
    table: &'a mut Table,
}

/// Everything but a struct.
macro_rules! no_rows {
    ($($method:ident($($arg:ty),*) -> $ok:ty, $found:literal;)*) => {$(
        #[cold]
        fn $method(self, $(_: $arg),*) -> Result<$ok> {
            Err(Mark::Table.misfit(Target::ListOf($found)))
        }
    )*};
}

impl<'a> ser::Serializer for RowWriter<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ser::Impossible<(), Error>;
    type SerializeTuple = ser::Impossible<(), Error>;
    type SerializeTupleStruct = ser::Impossible<(), Error>;
    type SerializeTupleVariant = ser::Impossible<(), Error>;
    type SerializeMap = ser::Impossible<(), Error>;
    type SerializeStruct = Cells<'a>;
    type SerializeStructVariant = ser::Impossible<(), Error>;

    no_rows! {
        serialize_bool(bool) -> (), "a sequence of bools";
        serialize_i8(i8) -> (), "a sequence of integers";
        serialize_i16(i16) -> (), "a sequence of integers";
        serialize_i32(i32) -> (), "a sequence of integers";
        serialize_i64(i64) -> (), "a sequence of integers";
        serialize_i128(i128) -> (), "a sequence of integers";
        serialize_u8(u8) -> (), "a sequence of integers";
        serialize_u16(u16) -> (), "a sequence of integers";
        serialize_u32(u32) -> (), "a sequence of integers";
        serialize_u64(u64) -> (), "a sequence of integers";
        serialize_u128(u128) -> (), "a sequence of integers";
        serialize_f32(f32) -> (), "a sequence of floats";
        serialize_f64(f64) -> (), "a sequence of floats";
        serialize_char(char) -> (), "a sequence of chars";
        serialize_str(&str) -> (), "a sequence of texts";
        serialize_bytes(&[u8]) -> (), "a sequence of byte strings";
        serialize_none() -> (), "a sequence of options";
        serialize_unit() -> (), "a sequence of units";
        serialize_unit_struct(&'static str) -> (), "a sequence of units";
        serialize_unit_variant(&'static str, u32, &'static str) -> (), "a sequence of enums";
        serialize_seq(Option<usize>) -> Self::SerializeSeq, "a sequence of sequences";
        serialize_tuple(usize) -> Self::SerializeTuple, "a sequence of tuples";
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct,
            "a sequence of tuple structs";
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant, "a sequence of enums";
        serialize_map(Option<usize>) -> Self::SerializeMap, "a sequence of maps";
        serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeStructVariant, "a sequence of enums";
    }

    #[cold]
    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<()> {
        Err(Mark::Table.misfit(Target::ListOf("a sequence of options")))
    }

    #[cold]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(Mark::Table.misfit(Target::ListOf("a sequence of enums")))
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if raw::is_reserved(name) {
            return Err(Error::placeless(RAW_ROWS));
        }
        Mark::refuse(name, Target::Row)?;
        let RowWriter { encoder, table } = self;
        encoder.depth.wrap()?;
        value.serialize(RowWriter { encoder: &mut *encoder, table })?;
        encoder.depth.unwrap();
        Ok(())
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Cells<'a>> {
        Mark::refuse(name, Target::Struct)?;
        let RowWriter { encoder, table } = self;
        if len > MOST_COLUMNS {
            let reason = "tables cannot have rows of more than 65,535 fields";
            let hint = Some(WITHOUT_TABLE);
            return Err(Error::placeless(Fault::Unsupported { reason, hint }));
        }
        encoder.depth.enter()?;
        let first = table.count == 0;
        if first {
            NoTag.put_length(&mut encoder.out, Tag::Record, len);
            for _ in 0..len {
                encoder.out.put_bytes(&[0; COLUMN_SIZE]);
            }
        }
        let cursor = encoder.names.of(name);
        let columns_at = encoder.out.len().saturating_sub(len.saturating_mul(COLUMN_SIZE));
        Ok(Cells { encoder, table, cursor, first, columns_at, len, count: 0 })
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The cells of a row.
struct Cells<'a> {
    encoder: &'a mut Encoder,
    table: &'a mut Table,
    /// How far the fields of the row have come.
    cursor: FieldCursor,
    /// Whether this is the first row. Its columns stand from `columns_at` on.
    first: bool,
    columns_at: usize,
    len: usize,
    count: usize,
}

impl Cells<'_> {
    #[inline]
    fn put<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let hash = wire::hash(key);
        let names = &mut self.encoder.names;
        self.cursor = match names.expects(self.cursor, hash, key) {
            true => self.cursor.advanced(),
            false => {
                // Only the columns of this row so far.
                let columns = self.table.columns.get(..self.count).unwrap_or_default();
                let is_here = || columns.iter().any(|(name, _)| *name == hash);
                names.learn(self.cursor, hash, key, is_here)?
            }
        };
        let writer = ValueWriter { encoder: &mut *self.encoder, prefix: NoTag };
        let tag = value.serialize(writer)?.unwrap_or(Tag::Unit);
        match self.table.columns.get(self.count) {
            _ if self.first => self.set_column(hash, tag)?,
            Some((name, _)) if *name != hash => {
                return Err(self.table.differs("another field"));
            }
            Some((_, known)) if *known != tag => {
                return Err(self.table.differs("another tag"));
            }
            Some(_) => {}
            None => {
                return Err(self.table.differs("one field more"));
            }
        }
        self.count += 1;
        Ok(())
    }

    fn set_column(&mut self, hash: u32, tag: Tag) -> Result<()> {
        let at = self.columns_at + self.count * COLUMN_SIZE;
        let column = self.encoder.out.change_from(at).first_chunk_mut();
        let (Some(column), true) = (column, self.count < self.len) else {
            let (announced, given) = (self.len, self.count + 1);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        };
        let [a, b, c, d] = wire::field_key(hash);
        *column = [a, b, c, d, tag.byte()];
        self.table.columns.push((hash, tag));
        Ok(())
    }
}

impl ser::SerializeStruct for Cells<'_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        let result = self.put(key, value);
        self.encoder.failed |= result.is_err();
        result.map_err(|error| error.inside(Segment::Field(key.into())))
    }

    #[cold]
    fn skip_field(&mut self, key: &'static str) -> Result<()> {
        let error = self.table.differs(ErrorKind::SKIPPED);
        Err(error.inside(Segment::Field(key.into())))
    }

    #[inline]
    fn end(self) -> Result<()> {
        let Cells { encoder, table, count, len, first, .. } = self;
        if first && count < len {
            let (announced, given) = (len, count);
            return Err(Error::placeless(ErrorKind::LengthMismatch { announced, given }));
        }
        if count < table.columns.len() {
            return Err(table.differs("fewer fields"));
        }
        encoder.depth.leave();
        Ok(())
    }
}
