//! Reading the rows of a TABLE, each like a RECORD. Knows columns, does not know how values are read.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::Read;
use super::node::Node;
use super::reading::{Reading, TagAndMark};
use super::record::{name_or_hash, repeated};
use super::state::{State, without_key};
use crate::biniou::mark::{Mark, Target};
use crate::biniou::names::HashName;
use crate::biniou::raw;
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Error, ErrorKind, Result};
use crate::error::Segment;
use crate::glue::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use crate::glue::erased;
use crate::glue::value::Always;

/// The header of a TABLE.
pub(super) struct Table {
    rows: usize,
    columns: Vec<Column>,
    /// The number of the names by which the columns were last looked up.
    names: Option<usize>,
}

struct Column {
    hash: u32,
    tag: Tag,
    /// Where the header has it, and its tag.
    offset: usize,
    tag_offset: usize,
    /// Whether a column of the same name follows, which is the one that counts.
    repeated: bool,
    /// The name that the type has for it.
    name: Option<&'static str>,
}

impl Table {
    /// Takes the counts and columns.
    pub(super) fn take(state: &mut State<'_>) -> Result<Self> {
        let start = state.reader.offset();
        let (rows, count) = wire::take_table_counts(&mut state.reader)?;
        if count == 0 {
            state.spend_empty_rows(rows, start)?;
        }
        let mut columns = Vec::new();
        for _ in 0..count {
            let offset = state.reader.offset();
            let hash = wire::take_field(&mut state.reader)?;
            let tag_offset = state.reader.offset();
            let tag = wire::take_tag(&mut state.reader)?;
            let (repeated, name) = (false, None);
            columns.push(Column { hash, tag, offset, tag_offset, repeated, name });
        }
        mark_repeated(&mut columns);
        Ok(Table { rows, columns, names: None })
    }

    /// Lets `visitor` take the rows, and steps over those that it leaves.
    pub(super) fn visit<'de, V: Visitor<'de, Error>>(
        self,
        state: &mut State<'de>,
        visitor: V,
    ) -> Result<V::Value> {
        let offset = state.reader.offset();
        let hint = state.items.claim(self.rows);
        let mut rows = Rows { state, table: self, next: 0, hint, unread: None };
        let value = visitor.visit_seq(&mut rows).map_err(|error| error.or_offset(offset))?;
        rows.skip_unread()?;
        while rows.next < rows.state.reachable(rows.table.rows) {
            rows.next += 1;
            skip_row(rows.state, &rows.table.columns)?;
        }
        Ok(value)
    }

    /// Looks up what the type calls the columns, once for all rows.
    fn look_up(&mut self, state: &State<'_>, names: usize) {
        if self.names == Some(names) {
            return;
        }
        self.names = Some(names);
        let Some(names) = state.names.get(names) else { return };
        for (likely, column) in self.columns.iter_mut().enumerate() {
            column.name = names.find(column.hash, likely).map(|index| names.name(index));
        }
    }
}

/// Finds the columns whose name comes again further on.
fn mark_repeated(columns: &mut [Column]) {
    for (_, index) in repeated(columns.iter().map(|column| column.hash).zip(0..).collect()) {
        if let Some(column) = columns.get_mut(index) {
            column.repeated = true;
        }
    }
}

fn skip_row(state: &mut State<'_>, columns: &[Column]) -> Result<()> {
    columns.iter().try_for_each(|column| state.skip(column.tag))
}

/// The rows of a TABLE.
struct Rows<'a, 'de> {
    state: &'a mut State<'de>,
    table: Table,
    next: usize,
    /// The size hint: for how many rows memory may be taken.
    hint: usize,
    /// Where a row begins that failed and is not skipped yet.
    unread: Option<usize>,
}

impl Rows<'_, '_> {
    /// Skips a row that failed, since its type goes on.
    #[inline]
    fn skip_unread(&mut self) -> Result<()> {
        match self.unread.take() {
            None => Ok(()),
            Some(start) => self.skip_again(start),
        }
    }

    #[cold]
    fn skip_again(&mut self, start: usize) -> Result<()> {
        self.state.return_to(start);
        let columns = &self.table.columns;
        let skip = |column: &Column| self.state.skip_beside(Some(column.tag));
        let skipped = columns.iter().try_for_each(skip);
        self.state.note_failure(skipped)
    }
}

impl<'de> SeqAccess<'de> for Rows<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        self.skip_unread()?;
        if self.next >= self.state.reachable(self.table.rows) {
            return Ok(None);
        }
        let (index, offset) = (self.next, self.state.reader.offset());
        self.next += 1;
        let table = &mut self.table;
        let value = self
            .state
            .in_step(Segment::Index(index), |state| seed.deserialize(Row { state, table }));
        match value {
            Ok(value) => {
                if self.state.failed {
                    self.skip_again(offset)?;
                }
                Ok(Some(value))
            }
            Err(error) => {
                self.unread = Some(offset);
                Err(error.or_offset(offset).inside(Segment::Index(index)))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.hint.saturating_sub(self.next))
    }
}

/// Reads the row that begins behind `taken` bytes of a table that was kept raw.
pub(super) fn read_row<'de>(
    state: &mut State<'de>,
    taken: usize,
    read: &mut Read<'_, 'de>,
) -> Result<()> {
    let mut table = Table::take(state)?;
    state.return_to(taken);
    erased::read_by(Row { state, table: &mut table }, read)
}

/// A deserializer for a row.
pub(super) struct Row<'a, 'de> {
    state: &'a mut State<'de>,
    table: &'a mut Table,
}

impl<'a, 'de> Row<'a, 'de> {
    pub(super) fn new(state: &'a mut State<'de>, table: &'a mut Table) -> Self {
        Row { state, table }
    }

    #[inline]
    fn visit<V: Visitor<'de, Error>>(self, names: Option<usize>, visitor: V) -> Result<V::Value> {
        let Row { state, table } = self;
        if let Some(names) = names {
            table.look_up(state, names);
        }
        let has_names = names.is_some();
        state.level(|state| {
            let offset = state.reader.offset();
            let mut cells =
                RowCells { state, columns: &table.columns, next: 0, has_names, unread: None };
            let value = visitor.visit_map(&mut cells).map_err(|error| error.or_offset(offset))?;
            cells.skip_unread()?;
            let end = cells.state.reachable(cells.columns.len());
            let rest = cells.columns.get(cells.next..end).unwrap_or_default();
            skip_row(cells.state, rest)?;
            Ok(value)
        })
    }

    #[cold]
    fn refuse<T>(self) -> Result<T> {
        self.state.failed = true;
        let (found, expected) = ("a row of a table", "a value that is no struct");
        Err(Error::at(ErrorKind::WrongTag { found, expected }, self.state.reader.offset()))
    }
}

/// What a row cannot be.
macro_rules! no_rows {
    ($($method:ident($($arg:ty),*))*) => {$(
        fn $method<V: Visitor<'de, Error>>(self, $(_: $arg,)* _: V) -> Result<V::Value> {
            self.refuse()
        }
    )*};
}

impl<'de> Deserializer<'de> for Row<'_, 'de> {
    type Error = Error;

    no_rows! {
        deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32()
        deserialize_i64() deserialize_i128() deserialize_u8() deserialize_u16()
        deserialize_u32() deserialize_u64() deserialize_u128() deserialize_f32()
        deserialize_f64() deserialize_char() deserialize_str() deserialize_string()
        deserialize_bytes() deserialize_byte_buf() deserialize_option() deserialize_unit()
        deserialize_seq() deserialize_identifier()
        deserialize_unit_struct(&'static str)
        deserialize_tuple(usize)
        deserialize_tuple_struct(&'static str, usize)
        deserialize_enum(&'static str, &'static [&'static str])
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let offset = self.state.reader.offset();
        let mark = Mark::refuse(name, Target::Struct).map_err(|error| error.or_offset(offset));
        let names = mark.and_then(|()| self.state.names.of(fields));
        self.state.failed |= names.is_err();
        self.visit(Some(names?), visitor)
    }

    fn deserialize_map<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.visit(None, visitor)
    }

    fn deserialize_any<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        self.visit(None, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de, Error>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if raw::is_reserved(name) {
            return self.refuse();
        }
        if let Err(error) = Mark::refuse(name, Target::Row) {
            let offset = self.state.reader.offset();
            self.state.failed = true;
            return Err(error.or_offset(offset));
        }
        let Row { state, table } = self;
        state.wrapper(|state| visitor.visit_newtype_struct(Row { state, table }))
    }

    fn deserialize_ignored_any<V: Visitor<'de, Error>>(self, visitor: V) -> Result<V::Value> {
        skip_row(self.state, &self.table.columns)?;
        visitor.visit_unit()
    }
}

/// The cells of a row.
struct RowCells<'a, 'de> {
    state: &'a mut State<'de>,
    columns: &'a [Column],
    next: usize,
    has_names: bool,
    /// Where the cell begins whose name was given out, until it is read.
    unread: Option<usize>,
}

impl<'a> RowCells<'a, '_> {
    /// The column of the cell at hand.
    #[inline]
    fn column(&self) -> Option<&'a Column> {
        self.columns.get(self.next).filter(|_| !self.state.failed)
    }

    /// Skips a cell that the type has not taken as a whole.
    #[inline]
    fn skip_unread(&mut self) -> Result<()> {
        let (Some(start), Some(column)) = (self.unread.take(), self.columns.get(self.next)) else {
            return Ok(());
        };
        self.next += 1;
        self.state.skip_again(start, Some(column.tag))
    }
}

impl<'de> MapAccess<'de> for RowCells<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        self.skip_unread()?;
        while let Some(column) = self.column() {
            if column.repeated {
                self.next += 1;
                let skipped = self.state.skip(column.tag);
                self.state.note_failure(skipped)?;
                continue;
            }
            self.unread = Some(self.state.reader.offset());
            if let Some(name) = column.name.filter(|_| self.has_names) {
                return seed.deserialize(Always::new(name)).map(Some);
            }
            let name = name_or_hash(self.state, column.hash, self.has_names, column.offset)?;
            return seed.deserialize(Always::new(name)).map(Some);
        }
        Ok(None)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de, Error>>(&mut self, seed: V) -> Result<V::Value> {
        let Some(column) = self.column() else {
            return without_key();
        };
        let offset = self.state.reader.offset();
        let (tag, at) = (column.tag, column.tag_offset);
        let tag_and_mark = TagAndMark::new(tag.byte(), None);
        let step = Segment::Field(column.name.unwrap_or_default().into());
        let value =
            self.state.in_step(step, |input| seed.deserialize(Node { input, tag_and_mark, at }));
        match value {
            Ok(value) => {
                self.state.skip_if_unread(offset, Some(tag))?;
                self.unread = None;
                self.next += 1;
                Ok(value)
            }
            Err(error) => {
                let name = match column.name {
                    Some(name) => Cow::Borrowed(name),
                    None => Cow::Owned(HashName::new(column.hash).into()),
                };
                Err(error.or_offset(offset).inside(Segment::Field(name)))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.columns.len() - self.next)
    }
}
