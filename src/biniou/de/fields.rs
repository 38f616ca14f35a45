//! The fields of a RECORD or of a row by name, and the entries of a map: the two have one access, so that a struct's type
//! is compiled for one.
//!
//! What is called for every value is always inlined, for the reasons in [`value`](super::value).

use alloc::borrow::Cow;
use alloc::rc::Rc;
use alloc::string::ToString;
use core::marker::PhantomData;

use serde_core::de::value::StrDeserializer;
use serde_core::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use super::document::{Document, Result};
use super::head::Head;
use super::input::Input;
use super::table::Table;
use super::types::{Key, Type};
use super::value::Value;
use crate::biniou::ErrorKind;
use crate::biniou::names::HashName;
use crate::biniou::wire::{self, CELL_SIZE, ENTRY_CELLS, FIELD_SIZE, Tag};
use crate::error::Segment;
use crate::failed::Failed;
use crate::text;

/// Where fields or entries come from.
enum Source {
    Record,
    /// A row: its cells.
    Row(Rc<Table>),
    /// An ARRAY of TUPLEs.
    Pairs,
    /// A variant: its argument.
    Variant,
}

/// What a field is called.
enum Name<'t, 'de> {
    /// By its type, or by the options.
    Known(&'t str),
    /// By the key of an entry.
    Text(&'de str),
    Hash(HashName),
}

/// What has failed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    None,
    /// The bytes of a field or entry, not one of its values.
    Outside,
    Key,
    Value,
}

/// The fields of a struct by name.
pub(super) struct Fields<'a, 't, 'de> {
    pub(super) input: Input<'a, 't, 'de>,
    source: Source,
    /// The names of the struct. A map has none.
    names: Option<&'t Type>,
    count: usize,
    left: usize,
    /// For how many memory may be reserved.
    hint: usize,
    /// Where among the names the next one is likely to be.
    likely: usize,
    /// How many values of the field or entry are not read yet.
    unread: usize,
    name: Name<'t, 'de>,
    /// The hash of the name and its offset.
    hash: (u32, usize),
    failure: Failure,
    /// What all of them begin with.
    first: &'de [u8],
}

impl<'a, 't, 'de> Fields<'a, 't, 'de> {
    #[inline(never)]
    pub(super) fn take(
        mut input: Input<'a, 't, 'de>,
        head: Head,
        names: Option<&'t Type>,
    ) -> Result<Self> {
        let document = input.document;
        let (source, count);
        if head.is_row() {
            let table = document.table();
            count = table.columns.len();
            source = Source::Row(table);
        } else if head.is(Tag::Record) {
            source = Source::Record;
            (count, input.rest) = document.length(input.rest, FIELD_SIZE)?;
        } else {
            let mut reader = document.reader(input.rest);
            count = document.kept(wire::take_entries(&mut reader))?;
            (source, input.rest) = (Source::Pairs, reader.rest());
        }
        let hint = if names.is_some() { 0 } else { document.claim(count) };
        Ok(Fields { hint, names, ..Self::new(input, source, count, "") })
    }

    /// The argument of a variant as a field.
    pub(super) fn of_variant(input: Input<'a, 't, 'de>, name: &'t str) -> Self {
        Self::new(input, Source::Variant, 1, name)
    }

    fn new(input: Input<'a, 't, 'de>, source: Source, count: usize, name: &'t str) -> Self {
        Fields {
            input,
            source,
            names: None,
            count,
            left: count,
            hint: count,
            likely: 0,
            unread: 0,
            name: Name::Known(name),
            hash: (0, 0),
            failure: Failure::None,
            first: input.rest,
        }
    }

    fn name(&self) -> &str {
        match &self.name {
            Name::Known(name) | Name::Text(name) => name,
            Name::Hash(hash) => hash.as_str(),
        }
    }

    /// The number of the field or entry that is read.
    fn index(&self) -> usize {
        (self.count - self.left).saturating_sub(1)
    }

    /// The tag of the next value, and what follows that.
    fn head(&self) -> Result<(Head, &'de [u8])> {
        if let Source::Row(table) = &self.source {
            let tag = table.columns.get(self.index()).map_or(Tag::Unit, |column| column.tag);
            return Ok((Head::of_cell(tag), self.input.rest));
        }
        let (tag, rest) = self.input.document.tag(self.input.rest)?;
        match self.source {
            Source::Record => Ok((Head::of_field(tag), rest)),
            _ => Ok((Head::new(tag), rest)),
        }
    }

    /// The input with the depth of the next value. Those of an entry are a level inside of it.
    fn inside(&self) -> Result<Input<'a, 't, 'de>> {
        match self.source {
            Source::Pairs => self.input.level(),
            _ => Ok(self.input),
        }
    }

    /// Skips the values of the field or entry that were not read.
    fn skip_unread(&mut self) -> Result<()> {
        while self.unread > 0 {
            let (head, rest) = self.head()?;
            let depth = self.inside()?.depth;
            self.input.rest = self.input.document.skip(rest, Some(head.tag()), depth)?;
            self.unread -= 1;
        }
        Ok(())
    }

    /// Continues with the next field or entry.
    fn step(&mut self) -> Result<bool> {
        self.skip_unread()?;
        let Some(left) = self.left.checked_sub(1) else { return Ok(false) };
        self.left = left;
        let document = self.input.document;
        match &self.source {
            Source::Record => {
                let mut reader = document.reader(self.input.rest);
                let hash = document.kept(wire::take_field(&mut reader))?;
                self.hash = (hash, reader.offset().saturating_sub(size_of::<Key>()));
                self.input.rest = reader.rest();
            }
            Source::Row(table) => {
                let column = table.columns.get(self.index());
                self.hash = column.map_or((0, 0), |column| (column.hash, column.offset));
            }
            Source::Pairs => {
                self.unread = self.take_pair()?;
                return Ok(true);
            }
            Source::Variant => {}
        }
        self.unread = 1;
        Ok(true)
    }

    fn take_pair(&mut self) -> Result<usize> {
        let Input { rest, document, .. } = self.input;
        let index = || Segment::Index(self.index());
        let (cells, after) =
            document.length(rest, CELL_SIZE).map_err(|Failed| document.inside(rest, index()))?;
        if cells < ENTRY_CELLS {
            document.fail(rest, ErrorKind::MissingCells { found: cells });
            return Err(document.inside(rest, index()));
        }
        self.input.rest = after;
        Ok(cells)
    }

    /// Continues with the next field or entry, and finds its name. The key of an entry is its name if it is a field.
    #[inline(never)]
    fn next(&mut self) -> Result<bool> {
        if !self.step()? {
            return Ok(false);
        }
        let (hash, _) = self.hash;
        let known = || {
            let names = self.names?;
            Some((names, names.find(wire::field_key(hash), self.likely)?))
        };
        match &self.source {
            Source::Variant => {}
            Source::Pairs if self.names.is_none() => {}
            Source::Pairs => self.take_name()?,
            Source::Record | Source::Row(_) => match known() {
                Some((names, index)) => {
                    (self.likely, self.name) = (index + 1, Name::Known(names.name(index)));
                }
                None => {
                    let name = self.input.document.name_in_options(hash);
                    self.name = name.map_or(Name::Hash(HashName::new(hash)), Name::Known);
                }
            },
        }
        Ok(true)
    }

    /// Takes the key of an entry that is a field.
    fn take_name(&mut self) -> Result<()> {
        let Input { rest, document, .. } = self.input;
        let key = document.tag(rest).and_then(|(tag, after)| {
            if tag == Tag::String.byte() {
                let (len, text) = document.length(after, 1)?;
                let (bytes, end) = text.split_at_checked(len).unwrap_or_default();
                let text = document.kept(text::utf8(bytes, document.offset_of(text)))?;
                return Ok((text, end));
            }
            let (found, expected) = (document.known_tag(after, tag)?.name(), "the name of a field");
            Err(document.fail(rest, ErrorKind::WrongTag { found, expected }))
        });
        match key {
            Ok((name, end)) => {
                (self.name, self.input.rest, self.unread) =
                    (Name::Text(name), end, self.unread - 1);
                Ok(())
            }
            Err(Failed) => {
                self.failure = Failure::Key;
                Err(Failed)
            }
        }
    }

    /// The same. Nothing comes after an error.
    fn next_or_end(&mut self) -> Result<bool> {
        let next = self.next();
        if next.is_err() {
            self.end_by(if self.failure == Failure::None {
                Failure::Outside
            } else {
                self.failure
            });
        }
        next
    }

    fn end_by(&mut self, failure: Failure) {
        (self.count, self.left, self.unread) = (self.count - self.left, 0, 0);
        self.failure = failure;
    }

    /// Reads a value: a key or not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value<T>(
        &mut self,
        failure: Failure,
        read: impl FnOnce(Value<'_, 'a, 't, 'de>) -> Result<T>,
    ) -> Result<T> {
        if self.unread == 0 {
            return Err(match self.failure {
                Failure::None => de::Error::custom("`next_value` was called before `next_key`"),
                _ => Failed,
            });
        }
        let value = self.head().and_then(|(head, rest)| {
            let mut input = self.inside()?;
            let value = input.value(rest, head, read)?;
            self.input.rest = input.rest;
            Ok(value)
        });
        match value {
            Ok(_) => self.unread -= 1,
            Err(Failed) => self.end_by(failure),
        }
        value
    }

    /// Skips the fields that the visitor has not read, or returns its error with offset and path.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end<T>(&mut self, value: Result<T>) -> Result<T> {
        if value.is_err() || self.failure != Failure::None {
            return Err(self.fail());
        }
        if self.left > 0 || self.unread > 0 {
            self.skip_all()?;
        }
        value
    }

    #[cold]
    #[inline(never)]
    fn skip_all(&mut self) -> Result<()> {
        while self.step()? {}
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn fail(&self) -> Failed {
        let Input { rest, document, .. } = self.input;
        if let (Source::Row(table), Failure::Value) = (&self.source, self.failure) {
            let offset = table.columns.get(self.index()).map_or(0, |column| column.offset);
            document.place_tag(document.bytes.len() - offset - size_of::<Key>());
        }
        let half = match self.failure {
            Failure::Key => Some("key"),
            Failure::Value => Some("value"),
            Failure::None | Failure::Outside => None,
        };
        if let Some(half) = half {
            match self.source {
                Source::Pairs => {
                    document.inside(rest, Segment::Field(half.into()));
                    document.inside(rest, Segment::Index(self.index()));
                }
                Source::Record | Source::Row(_) => {
                    let name = Cow::Owned(self.name().to_string());
                    document.inside(rest, Segment::Field(name));
                }
                Source::Variant => {}
            }
        }
        document.place(self.first, Failed)
    }
}

impl<'de> MapAccess<'de> for &mut Fields<'_, '_, 'de> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.next_or_end()? {
            true => seed.deserialize(StrDeserializer::<Failed>::new(self.name())).map(Some),
            false => Ok(None),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.value(Failure::Value, |value| seed.deserialize(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The entries of a map: those of an ARRAY, or fields as entries.
pub(super) struct Entries<'a, 't, 'de> {
    pub(super) fields: Fields<'a, 't, 'de>,
    /// Whether fields without a name have a number.
    pub(super) numbers_fields: bool,
}

impl<'de> Entries<'_, '_, 'de> {
    /// Whether the type of a key has as many fields as the record. Otherwise some are left out, and it is unknown which.
    #[cold]
    #[inline(never)]
    fn has_all<K: Deserialize<'de>>(&self) -> bool {
        let Input { document, .. } = self.fields.input;
        let key = |number| {
            let key = Nameless { document, hash: 0, offset: 0, number: Some(number) };
            K::deserialize(key).ok().as_ref().map(core::mem::discriminant)
        };
        // Fields that the type does not have are one field for it, or an error.
        let (unknown, next) = (key(usize::MAX), key(self.fields.count));
        let last = self.fields.count.checked_sub(1).map(key);
        drop(document.take());
        next == unknown && last.is_none_or(|last| last != unknown)
    }
}

impl<'de> MapAccess<'de> for &mut Entries<'_, '_, 'de> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key<K: Deserialize<'de>>(&mut self) -> Result<Option<K>> {
        if self.numbers_fields && self.fields.left == self.fields.count {
            self.numbers_fields = self.has_all::<K>();
        }
        self.next_key_seed(PhantomData)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Entries { fields, numbers_fields } = &mut **self;
        if !fields.next_or_end()? {
            return Ok(None);
        }
        if let Source::Pairs = fields.source {
            return fields.value(Failure::Key, |value| seed.deserialize(value)).map(Some);
        }
        let (hash, offset) = fields.hash;
        let key = match fields.name {
            Name::Hash(_) => {
                let number = numbers_fields.then_some(fields.index());
                seed.deserialize(Nameless { document: fields.input.document, hash, offset, number })
            }
            _ => seed.deserialize(StrDeserializer::<Failed>::new(fields.name())),
        };
        match key {
            Ok(key) => Ok(Some(key)),
            Err(Failed) => {
                fields.end_by(Failure::Outside);
                Err(Failed)
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        self.fields.value(Failure::Value, |value| seed.deserialize(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.left.min(self.fields.hint))
    }
}

/// The key of a field whose name is not known. A struct variant of an adjacently tagged enum, which serde reads as a
/// value of any type, takes its fields by number, too.
struct Nameless<'a, 't, 'de> {
    document: &'a Document<'t, 'de>,
    hash: u32,
    offset: usize,
    number: Option<usize>,
}

impl<'de> Deserializer<'de> for Nameless<'_, '_, 'de> {
    type Error = Failed;

    #[cold]
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        let Nameless { document, hash, offset, .. } = self;
        Err(document.fail(document.from(offset), ErrorKind::NoName { of: "field", hash }))
    }

    #[cold]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.number.map(u64::try_from) {
            Some(Ok(number)) => visitor.visit_u64(number),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}
