//! Fields of tables and items of dynvecs, as the exact reader hands them to visitors. Each part
//! is a slot of its own. Does not know how a value is read.

use super::State;
use super::absent::Field;
use super::value::ValueReader;
use crate::error::Segment;
use crate::glue::de::{
    DeserializeSeed, Deserializer, MapAccess, Request, SeqAccess, Visitor, by_read,
    for_each_request,
};
pub(super) use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::glue::value::Always;
use crate::molecule::wire::Table;
use crate::molecule::{Error, ErrorKind, Result};

/// How many fields a type has, as far as serde tells.
#[derive(Clone, Copy, Debug)]
pub(super) enum FieldCount {
    Exactly(usize),
    /// A struct's list of names also holds the aliases.
    AtMost(usize),
}

impl FieldCount {
    pub(super) fn most(self) -> usize {
        match self {
            FieldCount::Exactly(count) | FieldCount::AtMost(count) => count,
        }
    }
}

/// The fields of a table.
pub(super) struct Fields<'de> {
    table: Table<'de>,
    next: usize,
    /// Where the next field begins in the table.
    start: usize,
    most: usize,
    names: Names,
    /// The last field, if it was absent.
    absent: Option<usize>,
    /// The type around the fields.
    pub(super) owner: Owner,
    /// The names that the type lists, if it may have defaults.
    list: Option<&'static [&'static str]>,
    /// The last field, if it counts as missing although its type could be read.
    presumed: Option<Field>,
}

impl<'de> Fields<'de> {
    /// Refuses a table whose field count does not fit the type.
    #[inline]
    pub(super) fn new(
        state: &State,
        table: Table<'de>,
        fields: FieldCount,
        names: Names,
    ) -> Result<Self> {
        let (found, most) = (table.count(), fields.most());
        if found > most && !state.compatible {
            let kind = ErrorKind::ExtraFields { found, expected: most };
            return Err(Error::at(kind, table.count_offset()));
        }
        if found < most && matches!(fields, FieldCount::Exactly(_)) {
            return Err(Error::at(ErrorKind::MissingFields { found }, table.count_offset()));
        }
        let list = match names {
            Names::Fields(list) => Some(list),
            Names::Slots => Some([].as_slice()),
            Names::Indices => None,
        };
        // With aliases in the list, names and fields do not correspond.
        let names = match names {
            Names::Fields(list) if list.len() > found => Names::Slots,
            names => names,
        };
        let (next, start, absent, presumed) = (0, table.start(), None, None);
        let owner = Owner::default();
        Ok(Fields { table, next, start, most, names, absent, owner, list, presumed })
    }

    /// Reads the next field.
    #[inline]
    pub(super) fn next<T: DeserializeSeed<'de, Error>>(
        &mut self,
        state: &mut State,
        seed: T,
    ) -> Result<Option<T::Value>> {
        if self.next == 1 && self.lacks_content(state) {
            return self.without_content(state, seed);
        }
        let Some((bytes, offset)) = self.take(state)? else { return Ok(None) };
        state.none = None;
        let shape = seed.shape();
        match seed.deserialize(ValueReader::new(state, bytes, offset)) {
            Ok(_) if bytes.is_empty() && state.was_none(shape) && self.presumes(state) => Ok(None),
            Ok(value) => Ok(Some(value)),
            Err(error) => self.absent_or_error(Err(error), bytes, offset),
        }
    }

    /// The bytes of the next field and their offset. `None` if the type has no more fields.
    #[inline]
    pub(super) fn take(&mut self, state: &mut State) -> Result<Option<(&'de [u8], usize)>> {
        (self.absent, self.presumed) = (None, None);
        if self.next >= self.most {
            return Ok(None);
        }
        let Some((bytes, offset)) = self.table.item_from(self.next, self.start) else {
            return Err(self.missing(state));
        };
        self.next += 1;
        self.start += bytes.len();
        Ok(Some((bytes, offset)))
    }

    /// The result of the last field: an error in an empty slot makes the field absent.
    #[inline]
    pub(super) fn absent_or_error<T>(
        &mut self,
        result: Result<T>,
        bytes: &[u8],
        offset: usize,
    ) -> Result<Option<T>> {
        let index = self.next.saturating_sub(1);
        match result {
            Ok(value) => Ok(Some(value)),
            // Only an option takes no bytes. So the field has a default, or the visitor misses it.
            Err(_) if bytes.is_empty() => {
                self.absent = Some(index);
                Ok(None)
            }
            Err(error) => Err(in_part(error, offset).inside(self.names.segment(index))),
        }
    }

    /// Checks that the visitor took all fields.
    #[inline]
    pub(super) fn finish(&self, state: &State) -> Result<()> {
        let (found, expected) = (self.table.count(), self.next);
        if expected < found && !state.compatible {
            let kind = ErrorKind::ExtraFields { found, expected };
            return Err(Error::at(kind, self.table.count_offset()));
        }
        Ok(())
    }

    /// Explains the error of a visitor that was told of an absent field, and only knows that there
    /// are too few fields.
    #[cold]
    pub(super) fn explain(&self, error: Error, base: usize) -> Error {
        match self.absent.and_then(|index| Some((index, self.table.item(index)?.1))) {
            Some((index, offset)) if error.offset().is_none() => {
                Error::at(ErrorKind::Absent, offset).inside(self.names.segment(index))
            }
            _ => error.or_offset(base),
        }
    }

    /// Whether the last field counts as missing although its type could be read.
    #[cold]
    fn presumes(&mut self, state: &State) -> bool {
        let Some(list) = self.list else { return false };
        let field = Field::Offered(self.owner, list, self.next.saturating_sub(1));
        self.presumed = Some(field).filter(|field| state.absences.presumes(*field));
        self.presumed.is_some()
    }

    /// Whether this is the table of an adjacently tagged enum that has a tag and nothing else.
    fn lacks_content(&self, state: &State) -> bool {
        let note_if_unread = self.table.item(0).map(|(tag, offset)| offset + tag.len());
        self.table.count() == 1
            && self.most == 2
            && state.content.map(|(at, _)| at) == note_if_unread
    }

    /// Reads the content that is missing after a tag: a unit variant has none.
    #[cold]
    fn without_content<T: DeserializeSeed<'de, Error>>(
        &mut self,
        state: &mut State,
        seed: T,
    ) -> Result<Option<T::Value>> {
        state.content = None;
        match seed.deserialize(NoContent) {
            Ok(variant) => Ok(Some(variant)),
            Err::<_, Error>(_) => Err(self.missing(state)),
        }
    }

    #[inline]
    pub(super) fn left(&self) -> usize {
        self.table.count().min(self.most).saturating_sub(self.next)
    }

    /// The type has more fields than the table. Iteration ends after the error.
    #[cold]
    #[inline(never)]
    fn missing(&mut self, state: &mut State) -> Error {
        self.most = self.next;
        let offset = self.table.count_offset();
        let error = Error::at(ErrorKind::MissingFields { found: self.table.count() }, offset);
        state.abandon(error, offset)
    }
}

/// Hands the fields of a table to a visitor.
pub(super) struct TableAccess<'a, 'de> {
    pub(super) state: &'a mut State,
    pub(super) fields: Fields<'de>,
}

impl<'de> TableAccess<'_, 'de> {
    /// Lets `visitor` take the fields, and checks that it took all of them.
    #[inline]
    pub(super) fn visit<V: Visitor<'de, Error>>(
        mut self,
        base: usize,
        visitor: V,
    ) -> Result<V::Value> {
        let value = match visitor.visit_seq(&mut self) {
            Ok(value) => self.fields.finish(self.state).map(|()| value),
            Err(error) => Err(self.fields.explain(error, base)),
        };
        if let (Err(_), Some(field)) = (&value, self.fields.presumed) {
            // The field has no default.
            self.state.absences.learn(field);
        }
        value
    }
}

impl<'de> SeqAccess<'de> for TableAccess<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        self.fields.next(self.state, seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.left())
    }
}

/// Hands out the fields of a table by number. Only the visitor of an adjacently tagged struct
/// variant needs it, since it takes no sequence.
pub(super) struct NumberedFields<'a, 'de> {
    pub(super) state: &'a mut State,
    pub(super) table: Table<'de>,
    pub(super) next: usize,
    /// The enum, and the id of the variant.
    pub(super) variant: (Owner, u32),
}

impl NumberedFields<'_, '_> {
    fn field(&self, index: usize) -> Field {
        Field::Missing(self.variant.0, self.variant.1, index)
    }

    /// Whether the next field is missing.
    fn is_missing(&self) -> bool {
        self.table.item(self.next).is_some_and(|(bytes, _)| bytes.is_empty())
            && self.state.absences.knows(self.field(self.next))
    }
}

impl<'de> MapAccess<'de> for NumberedFields<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>> {
        if self.table.count() == 0 {
            // Only the fields of a type are read as identifiers; other types accept any map.
            let mut asked = false;
            let _ = seed.deserialize(Asked(&mut asked));
            return match asked {
                true => Ok(None),
                false => Err(self.state.refuse_unknown_type(self.table.count_offset())),
            };
        }
        while self.is_missing() {
            self.next += 1;
        }
        match u64::try_from(self.next) {
            Ok(number) if self.next < self.table.count() => {
                let key = seed.deserialize(Always::new(number));
                key.map(Some).map_err(|error| {
                    let offset = self.table.item(self.next).map_or(0, |(_, offset)| offset);
                    self.next = self.table.count();
                    self.state.abandon(error, offset)
                })
            }
            _ => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de, Error>>(&mut self, seed: V) -> Result<V::Value> {
        let index = self.next;
        self.next += 1;
        let (bytes, offset) = self.table.item(index).unwrap_or((&[], 0));
        self.state.skipped = false;
        let value =
            seed.deserialize(ValueReader::new(self.state, bytes, offset)).map_err(|error| {
                if bytes.is_empty() {
                    self.state.absences.learn(self.field(index));
                }
                in_part(error, offset).inside(Names::Slots.segment(index))
            })?;
        if self.state.skipped && !self.state.compatible {
            let kind = ErrorKind::ExtraFields { found: self.table.count(), expected: index };
            return Err(Error::at(kind, self.table.count_offset()));
        }
        Ok(value)
    }
}

/// Deserializes the content of a tag without content.
struct NoContent;

impl<'de> Deserializer<'de> for NoContent {
    type Error = Error;

    /// A unit variant asks the data for its type and accepts a unit. Other types may do the same,
    /// but their values have a size.
    fn read<V: Visitor<'de, Error>>(self, request: Request, visitor: V) -> Result<V::Value> {
        match request {
            Request::Any() if visitor.shape().size == 0 => visitor.visit_unit(),
            _ => Err(Error::placeless(ErrorKind::Absent)),
        }
    }

    for_each_request!(by_read);
}

/// Deserializes a key that does not exist. Records whether it was read as an identifier.
struct Asked<'a>(&'a mut bool);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn read<V: Visitor<'de, Error>>(self, request: Request, _: V) -> Result<V::Value> {
        *self.0 = matches!(request, Request::Identifier());
        Err(Error::placeless(ErrorKind::Absent))
    }

    for_each_request!(by_read);
}

/// The items of a dynvec.
pub(super) struct DynItems<'a, 'de> {
    pub(super) state: &'a mut State,
    pub(super) table: Table<'de>,
    pub(super) next: usize,
    /// Where the next item begins in the table.
    pub(super) start: usize,
}

impl<'de> SeqAccess<'de> for DynItems<'_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de, Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        let Some((bytes, offset)) = self.table.item_from(self.next, self.start) else {
            return Ok(None);
        };
        let index = self.next;
        self.next += 1;
        self.start += bytes.len();
        self.state.saw_dynamic = false;
        match seed.deserialize(ValueReader::new(self.state, bytes, offset)) {
            Ok(value) if self.state.saw_dynamic => Ok(Some(value)),
            Ok(_) => Err(Error::at(ErrorKind::FixedItem, offset).inside(Segment::Index(index))),
            Err(error) => Err(in_part(error, offset).inside(Segment::Index(index))),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        Some(self.table.count() - self.next)
    }
}

/// Completes an error in a part whose end the header states.
#[cold]
pub(super) fn in_part(error: Error, offset: usize) -> Error {
    error.or_offset(offset).map_kind(ErrorKind::in_item)
}
