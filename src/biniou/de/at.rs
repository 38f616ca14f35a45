//! One value of a message by its path. What comes before it is skipped. Of equal fields the last one counts, so
//! each RECORD on the way is looked through to its end.

use alloc::vec::Vec;

use serde_core::de::{Deserialize, Deserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use super::again::once_or_twice;
use super::document::{Document, Result};
use super::head::Head;
use super::input::Input;
use super::table::Table;
use super::types::Types;
use super::{Source, error_of_document};
use crate::biniou::budget::Budget;
use crate::biniou::names::HashName;
use crate::biniou::wire::{self, CELL_SIZE, ENTRY_CELLS, FIELD_SIZE, ITEM_SIZE, Tag};
use crate::biniou::{self, Error, ErrorKind, Options, Path, Segment};
use crate::failed::Failed;

/// The value at `path`.
pub(super) fn read<'de, T: Deserialize<'de>>(
    options: &Options,
    bytes: &'de [u8],
    path: &Path,
) -> biniou::Result<T> {
    let (source, types) = (Source::whole(options, bytes), Types::default());
    once_or_twice(|by_name| {
        let document = source.document(&types, Budget::new(), by_name);
        let input = source.input(&document, 0);
        let mut way = Way { input, head: Head::ROW, at: 0, taken: 0, missing: None };
        let value = way.walk(path).and_then(|()| way.read());
        let value = value.map_err(|Failed| {
            let steps: Vec<_> = path.segments().take(way.taken).cloned().collect();
            let error = steps.into_iter().rev().fold(document.take(), Error::inside);
            error_of_document(error, bytes)
        });
        (value, document.again.get())
    })
}

/// The way to a value.
struct Way<'p, 'a, 't, 'de> {
    /// After the tag of what has been found so far ..
    input: Input<'a, 't, 'de>,
    /// .. that tag, and where it is.
    head: Head,
    at: usize,
    /// The number of steps to it.
    taken: usize,
    /// The last step, if there is no such field.
    missing: Option<&'p str>,
}

impl<'p, 'de> Way<'p, '_, '_, 'de> {
    /// Reads what has been found.
    fn read<T: Deserialize<'de>>(&mut self) -> Result<T> {
        let Input { rest, document, .. } = self.input;
        if let Some(name) = self.missing {
            return T::deserialize(Missing { document, rest, name });
        }
        let value = self.input.value(rest, self.head, |value| T::deserialize(value));
        value.map_err(|failed| match self.head.shares_tag() {
            true => {
                document.place_tag(document.bytes.len().saturating_sub(self.at));
                document.place(rest, failed)
            }
            false => document.place(document.from(self.at), failed),
        })
    }

    fn walk(&mut self, path: &'p Path) -> Result<()> {
        self.take_tag(Head::new)?;
        let count = path.segments().count();
        for (segment, index) in path.segments().zip(1..) {
            self.open()?;
            self.step(segment, index == count)?;
            self.taken += usize::from(self.missing.is_none());
        }
        Ok(())
    }

    /// Takes the tag that comes next.
    fn take_tag(&mut self, head: fn(u8) -> Head) -> Result<()> {
        let document = self.input.document;
        self.at = document.offset_of(self.input.rest);
        let tag = document.kept(wire::take_tag(&mut document.reader(self.input.rest)))?;
        (self.head, self.input.rest) = (head(tag.byte()), document.tag(self.input.rest)?.1);
        Ok(())
    }

    /// Enters values that are no step of a path: SHARED, options, variants.
    fn open(&mut self) -> Result<()> {
        let document = self.input.document;
        loop {
            let mut reader = document.reader(self.input.rest);
            let has_value = match Tag::from_byte(self.head.tag()) {
                Some(Tag::Shared) => {
                    let inside = self.input.level()?;
                    let (tag, rest, _) = document.open(inside.rest)?;
                    self.input = Input { rest, ..inside };
                    (self.head, self.at) =
                        (Head::new(tag), document.offset_of(rest).saturating_sub(1));
                    continue;
                }
                Some(Tag::NumVariant) => document.kept(wire::take_num_variant(&mut reader))?.1,
                Some(Tag::Variant) => document.kept(wire::take_variant(&mut reader))?.1,
                _ => return Ok(()),
            };
            if !has_value {
                return Err(document.fail(document.from(self.at), ErrorKind::AbsentValue));
            }
            self.input = Input { rest: reader.rest(), ..self.input.level()? };
            self.take_tag(Head::new)?;
        }
    }

    fn step(&mut self, segment: &'p Segment, is_last: bool) -> Result<()> {
        let Input { rest, document, .. } = self.input;
        match (Tag::from_byte(self.head.tag()), segment) {
            (Some(Tag::Array), Segment::Index(index)) => {
                let (found, items) = document.length(rest, ITEM_SIZE)?;
                self.expect(*index < found, ErrorKind::NoItem { index: *index, found })?;
                self.input = Input { rest: items, ..self.input.level()? };
                self.take_tag(|tag| Head::new(tag).shared())?;
                self.skip(*index, self.head.tag())
            }
            (Some(Tag::Tuple), Segment::Index(index) | Segment::Slot(index)) => {
                self.cell(*index, segment)
            }
            (Some(Tag::Tuple), Segment::Field(name))
                if wire::is_pair(rest) && (name == "key" || name == "value") =>
            {
                self.cell(if name == "key" { 0 } else { ENTRY_CELLS - 1 }, segment)
            }
            (Some(Tag::Record), Segment::Field(name)) => self.field(name, segment, is_last),
            (Some(Tag::Table), Segment::Index(index)) => {
                let inside = self.input.level()?;
                let (table, first) = Table::take(document, rest)?;
                let (index, found) = (*index, table.rows);
                self.expect(index < found, ErrorKind::NoItem { index, found })?;
                let row = (0..index)
                    .try_fold(first, |rest, _| table.skip(document, rest, inside.depth))?;
                document.enter_table(table);
                (self.input, self.head) = (Input { rest: row, ..inside }, Head::ROW);
                self.at = document.offset_of(row);
                Ok(())
            }
            (_, Segment::Field(name)) if self.head.is_row() => self.column(name, is_last),
            (tag, segment) => {
                let expected = match segment {
                    Segment::Field(_) => "record",
                    Segment::Slot(_) => "tuple",
                    Segment::Index(_) => "array, tuple or table",
                };
                let found = tag.map_or("record", Tag::name);
                Err(document.fail(document.from(self.at), ErrorKind::WrongTag { found, expected }))
            }
        }
    }

    fn expect(&self, is_there: bool, kind: ErrorKind) -> Result<()> {
        match is_there {
            true => Ok(()),
            false => Err(self.input.document.fail(self.input.rest, kind)),
        }
    }

    /// Skips so many values of a tag.
    fn skip(&mut self, count: usize, tag: u8) -> Result<()> {
        let Input { rest, document, depth } = self.input;
        let size =
            Tag::from_byte(tag).and_then(Tag::fixed_size).and_then(|size| size.checked_mul(count));
        self.input.rest = match size.and_then(|size| rest.get(size..)) {
            Some(rest) => rest,
            None => (0..count).try_fold(rest, |rest, index| {
                let skipped = document.skip(rest, Some(tag), depth);
                skipped.inspect_err(|_| {
                    document.inside(rest, Segment::Index(index));
                })
            })?,
        };
        Ok(())
    }

    fn cell(&mut self, index: usize, segment: &Segment) -> Result<()> {
        let Input { rest, document, .. } = self.input;
        let (found, mut cells) = document.length(rest, CELL_SIZE)?;
        self.expect(index < found, ErrorKind::MissingCells { found })?;
        let input = self.input.level()?;
        for index in 0..index {
            let skipped = document.skip(cells, None, input.depth);
            cells = skipped.inspect_err(|_| {
                document.inside(cells, Segment::Index(index));
            })?;
        }
        self.input = Input { rest: cells, ..input };
        self.take_tag(Head::new).map_err(|_| document.inside(cells, segment.clone()))
    }

    /// The last field of that name, or of the hash that it spells.
    fn field(&mut self, name: &'p str, segment: &Segment, is_last: bool) -> Result<()> {
        let Input { rest, document, .. } = self.input;
        let (count, mut fields) = document.length(rest, FIELD_SIZE)?;
        let input = self.input.level()?;
        let (wanted, spelled) = (wire::hash(name), HashName::parse(name));
        let (mut found, mut found_spelled) = (None, None);
        for _ in 0..count {
            let mut reader = document.reader(fields);
            let hash = document.kept(wire::take_field(&mut reader))?;
            let value = reader.rest();
            let is_meant = hash == wanted || Some(hash) == spelled;
            found = if hash == wanted { Some(value) } else { found };
            found_spelled = if Some(hash) == spelled { Some(value) } else { found_spelled };
            fields = match is_meant {
                true => document.skip_uncounted(value, None, input.depth)?,
                false => document.skip(value, None, input.depth)?,
            };
        }
        match found.or(found_spelled) {
            Some(value) => {
                self.input = Input { rest: value, ..input };
                let tag = self.take_tag(Head::of_field);
                tag.map_err(|_| document.inside(value, segment.clone()))
            }
            None => self.miss(name, is_last),
        }
    }

    fn miss(&mut self, name: &'p str, is_last: bool) -> Result<()> {
        if !is_last {
            return self.expect(false, ErrorKind::MissingField { name: name.into() });
        }
        self.missing = Some(name);
        Ok(())
    }

    /// The cell of a row.
    fn column(&mut self, name: &'p str, is_last: bool) -> Result<()> {
        let Input { document, .. } = self.input;
        let table = document.table();
        let place = |hash| table.columns.iter().rposition(|column| Some(column.hash) == hash);
        let Some(index) = place(Some(wire::hash(name))).or_else(|| place(HashName::parse(name)))
        else {
            return self.miss(name, is_last);
        };
        self.input = self.input.level()?;
        for (column, at) in table.columns.iter().zip(0..=index) {
            (self.head, self.at) = (Head::of_cell(column.tag), column.offset + wire::HASH_SIZE);
            if at < index {
                self.skip(1, column.tag.byte())?;
            }
        }
        Ok(())
    }
}

/// A field that is not there: an option is `None`.
struct Missing<'p, 'a, 't, 'de> {
    document: &'a Document<'t, 'de>,
    rest: &'de [u8],
    name: &'p str,
}

impl<'de> Deserializer<'de> for Missing<'_, '_, '_, 'de> {
    type Error = Failed;

    #[cold]
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        Err(self.document.fail(self.rest, ErrorKind::MissingField { name: self.name.into() }))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
