//! Fields of tables and items of dynvecs, and how they follow one another. Each is a slot of its own.
//! Does not know how a value is read.

use super::{
    DeserializeSeed, EXACT, Error, Kept, Result, ValueReader, sequence, shape_of_seed,
    without_content,
};
use crate::error::{Fault, Segment};
use crate::glue::de::Shape;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::molecule::ErrorKind;
use crate::molecule::de::absent::Field;
use crate::molecule::de::parts::{FieldCount, FieldNotes, told};
use crate::molecule::de::reading::{Keep as _, PRESENT, Reading as _, Surroundings};
use crate::molecule::wire::{self, Parts, Table, WrongEnd, header_size};

impl<'a, 'de> ValueReader<'a, 'de> {
    /// The parts of a vector. The exact reading checks the whole header, the fast one the rest of it
    /// while it takes the parts.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn parts(self) -> Result<Parts<'de>> {
        match wire::lazy_header(self.bytes) {
            Some(header) if !EXACT => Ok(Parts::new(self.bytes, header)),
            _ => self.exactly(|exact| {
                let offset = exact.offset(self.bytes);
                Table::parse(self.bytes, offset, exact.trailing).map(Parts::from)
            }),
        }
    }

    /// The parts of a table. If it has no fields, a compatible reader checks the full size only, as
    /// the official one does.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn table_parts(self, count: FieldCount) -> Result<Parts<'de>> {
        match EXACT && count.most() == 0 {
            true => self.exactly(|exact| exact.table_without_fields(self.bytes)),
            false => self.parts(),
        }
    }

    /// Refuses another count of fields than the type has, as far as it is known. Of a table of a
    /// newer version, a compatible reader takes the first ones.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fit(self, parts: Parts<'de>, count: FieldCount) -> Result<Parts<'de>> {
        let most = header_size(count.most());
        let fits = match count {
            FieldCount::Exactly(_) => parts.header_len() == most,
            FieldCount::AtMost(_) => parts.header_len() <= most,
        };
        match fits {
            true => Ok(parts),
            false => self.surely(|exact| exact.cut_or_refuse(parts, count.most())),
        }
    }

    /// Takes the next part, if any.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(self, parts: &mut Parts<'de>) -> Result<Option<&'de [u8]>> {
        match parts.take() {
            Ok(part) => Ok(part),
            // The exact reading has checked the header.
            Err(WrongEnd) => self.surely(|exact| exact.fault(self.bytes, Fault::Abandoned)),
        }
    }

    /// Refuses items that a visitor has left unread.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn check_all_taken(self, parts: &Parts<'de>) -> Result<()> {
        match parts.all_taken() {
            true => Ok(()),
            false => {
                self.surely(|exact| exact.check_taken(self.bytes, parts.count(), parts.index()))
            }
        }
    }
}

/// The fields of a table.
pub(super) struct Fields<'a, 'de> {
    /// A reader with the depth that is left for each field.
    reader: ValueReader<'a, 'de>,
    parts: Parts<'de>,
    /// Length of the header of a table with all fields of the type.
    most: usize,
    names: Names,
    notes: Kept<FieldNotes>,
}

impl<'a, 'de> Fields<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(
        reader: ValueReader<'a, 'de>,
        parts: Parts<'de>,
        count: FieldCount,
        names: Names,
        owner: Owner,
    ) -> Result<Self> {
        let notes = Kept::new(|| FieldNotes::new(names, owner, parts.count()));
        let parts = reader.fit(parts, count)?;
        Ok(Fields { reader, parts, most: header_size(count.most()), names, notes })
    }

    /// Reads the next field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if EXACT && self.lacks_content() {
            return self.without_content(seed);
        }
        let Some(bytes) = self.take()? else { return Ok(None) };
        let (shape, notes) = (shape_of_seed(&seed), self.reader.reading.notes());
        // An enum reads itself, so that no empty slot is an `Option` of it that is `None`.
        let may_be_none = bytes.is_empty() && !shape.is_enum;
        if may_be_none {
            notes.none.set(None);
        }
        let reader = self.reader.part(bytes);
        let step = || (told(self.names, self.parts.count()), self.parts.last());
        match reader.reading.within(bytes, shape, step, || seed.deserialize(reader)) {
            Ok(_) if may_be_none && self.was_none(shape) => Ok(None),
            value => self.settle(bytes, value),
        }
    }

    /// The bytes of the next field. `None` if the type has no more fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(&mut self) -> Result<Option<&'de [u8]>> {
        if let Some(notes) = self.notes.get() {
            (notes.absent, notes.presumed) = (None, None);
        }
        match self.reader.take(&mut self.parts)? {
            None if self.parts.header_len() != self.most => self.missing(),
            bytes => Ok(bytes),
        }
    }

    /// The type has more fields than the table. Iteration ends after the error.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn missing<T>(&mut self) -> Result<T> {
        self.most = self.parts.header_len();
        let parts = self.parts;
        self.reader.surely(|exact| {
            let kind = ErrorKind::MissingFields { found: parts.count() };
            Err(exact.abandon(parts.at_count(), exact.error(parts.at_count(), kind)))
        })
    }

    /// What became of the field that was taken last: an error in an empty slot makes it absent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn settle<T>(&mut self, bytes: &'de [u8], value: Result<T>) -> Result<Option<T>> {
        match value {
            Ok(value) => Ok(Some(value)),
            // Only an option takes no bytes. So the field has a default, or the visitor misses it.
            Err(_) if bytes.is_empty() => {
                let index = self.parts.last();
                if let Some(notes) = self.notes.get() {
                    notes.absent = Some(index);
                }
                Ok(None)
            }
            Err(error) => Err(self.reader.reading.explain(PRESENT, error, |exact, error| {
                let index = self.parts.last();
                let names = self.notes.get().map_or(Names::Slots, |notes| notes.names);
                exact.in_part(bytes, error).inside(names.segment(index))
            })),
        }
    }

    /// Whether the last option was read from this slot, not from one inside it, and makes a value of
    /// this shape, which may have a default.
    #[cold]
    fn was_none(&mut self, shape: Shape) -> bool {
        let ValueReader { reading, depth, .. } = self.reader;
        let none = reading.notes().none.take();
        // A tuple's absent fields have no defaults.
        let has_defaults = !matches!(self.names, Names::Indices);
        if !has_defaults || !none.is_some_and(|none| none.made(shape, depth.wrappers)) {
            return false;
        }
        let index = self.parts.last();
        match self.notes.get() {
            // Where nothing is read again, an option is what it says.
            None => !reading.notes().source.surroundings.are(Surroundings::ALONE),
            Some(notes) => {
                let field = Field::Offered(notes.owner, notes.list, index);
                notes.presumed = Some(field).filter(|field| reading.presumes(field));
                notes.presumed.is_some()
            }
        }
    }

    /// Checks that the visitor took all fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(&mut self) -> Result<()> {
        match self.parts.all_taken() {
            true => Ok(()),
            false => {
                let (parts, presumed) = (self.parts, self.presumed());
                self.reader.surely(|exact| {
                    if exact.session.options.compatible {
                        return Ok(());
                    }
                    exact.learn(presumed);
                    let (found, expected) = (parts.count(), parts.index());
                    exact.fault(parts.at_count(), ErrorKind::ExtraFields { found, expected })
                })
            }
        }
    }

    fn presumed(&mut self) -> Option<Field> {
        self.notes.get().and_then(|notes| notes.presumed)
    }

    /// Explains the error of a visitor: one that was told of an absent field only knows that there
    /// are too few fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fail(&mut self, error: Error) -> Error {
        let ValueReader { reading, bytes, .. } = self.reader;
        reading.explain(PRESENT, error, |exact, error| {
            exact.learn(self.presumed());
            let notes = self.notes.get();
            let absent = notes.and_then(|notes| Some((notes.absent?, notes.names)));
            match absent
                .and_then(|(index, names)| Some((self.parts.starting_at(index)?, index, names)))
            {
                Some((part, index, names)) if error.offset().is_none() => {
                    exact.error(part, ErrorKind::Absent).inside(names.segment(index))
                }
                _ => exact.or_offset(bytes, error),
            }
        })
    }

    /// How many fields are left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left(&self) -> usize {
        self.parts.left()
    }

    /// Whether this is the table of an adjacently tagged enum that has a tag and nothing else.
    fn lacks_content(&self) -> bool {
        self.parts.index() == 1
            && self.parts.count() == 1
            && self.most == header_size(2)
            && self.parts.first().is_some_and(|tag| self.reader.reading.has_read_tag(tag))
    }

    /// Reads the content that is missing after a tag: a unit variant has none.
    #[cold]
    fn without_content<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.reader.surely(|exact| {
            exact.note(|record| record.content = None);
            Ok(())
        })?;
        match without_content(self.reader.reading, seed) {
            Ok(variant) => Ok(Some(variant)),
            Err(_) => self.missing(),
        }
    }
}

/// The items of a dynvec.
pub(super) struct Items<'a, 'de> {
    reader: ValueReader<'a, 'de>,
    pub(super) parts: Parts<'de>,
}

impl<'a, 'de> Items<'a, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(reader: ValueReader<'a, 'de>, parts: Parts<'de>) -> Self {
        Items { reader, parts }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(bytes) = self.reader.take(&mut self.parts)? else { return Ok(None) };
        let ValueReader { reading, .. } = self.reader;
        reading.notes().dynamic.set(false);
        let index = self.parts.last();
        let (reader, shape) = (self.reader.part(bytes), shape_of_seed(&seed));
        let step = || (Names::Indices, index);
        match reading.within(bytes, shape, step, || seed.deserialize(reader)) {
            Ok(value) if reading.notes().dynamic.get() => Ok(Some(value)),
            Ok(_) => reading.exactly(PRESENT, |exact| {
                Err(exact.error(bytes, ErrorKind::FixedItem).inside(Segment::Index(index)))
            }),
            Err(error) => Err(reading.explain(PRESENT, error, |exact, error| {
                exact.in_part(bytes, error).inside(Segment::Index(index))
            })),
        }
    }

    /// How many items are left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left(&self) -> usize {
        self.parts.left()
    }
}

sequence!(['a, 'de] Fields<'a, 'de>);
sequence!(['a, 'de] Items<'a, 'de>);
