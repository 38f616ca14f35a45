//! Adjacently tagged enums, which only the exact reader reads: a table of tag and content. serde
//! shows the tag as an identifier and a struct variant's fields as a value of unknown type. Does not
//! know how values are read.

use super::{DeserializeSeed, Deserializer, Error, Exact, MapAccess, Result, ValueReader, Visitor};
use crate::error::Fault;
use crate::glue::de::{Request, by_read, for_each_request};
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::glue::value::Always;
use crate::molecule::ErrorKind;
use crate::molecule::de::absent::Field;
use crate::molecule::de::reading::Reading as _;
use crate::molecule::wire::{Parts, Table};

/// Reads the tag. serde writes it as a unit variant, which is a union without payload. Other
/// identifiers are text.
pub(super) fn identifier<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { reading: exact, bytes, depth, .. } = reader;
    let record = exact.record();
    exact.note(|record| record.tag_at = None);
    let reader = ValueReader::new(exact.part(), bytes, depth);
    if record.tag_at != Some(exact.offset(bytes)) {
        return reader.deserialize_str(visitor);
    }
    let (id, payload) = reader.number()?;
    exact.part().finish(payload)?;
    reader.saw_dynamic();
    exact.note(|record| {
        (record.content, record.tag_ids) = (Some((exact.offset(payload), id)), None);
    });
    let variant = match record.tag_ids {
        None => visitor.visit_u32(id),
        Some(ids) => match exact.named(bytes, ids.variant(id))? {
            Some(name) => visitor.visit_borrowed_str(name),
            None => visitor.visit_u64(u64::MAX),
        },
    };
    variant.map_err(|_: Error| exact.error(bytes, ErrorKind::UnknownId { id }))
}

/// Reads a value whose type asks the data for its type. That is an error for all types but one: the
/// fields of an adjacently tagged struct variant, of which serde only says that they are the content
/// of a tag.
pub(super) fn content<'de, V: Visitor<'de>>(
    reader: ValueReader<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    let ValueReader { reading: exact, bytes, .. } = reader;
    let record = exact.record();
    exact.note(|record| record.content = None);
    let offset = exact.offset(bytes);
    let Some((_, id)) = record.content.filter(|(content, _)| *content == offset) else {
        return exact.refuse_unknown_type(bytes);
    };
    let variant = (Owner::new(record.tag_of, visitor.shape()), id);
    let reader = reader.level()?;
    let fields = Parts::from(Table::parse(bytes, offset, false)?);
    let value = visitor
        .visit_map(NumberedFields { reader, fields, variant })
        .map_err(|error| error.or_offset(offset))?;
    reader.saw_dynamic();
    Ok(value)
}

/// Hands out the fields of a table by number. Only the visitor of an adjacently tagged struct
/// variant needs it, since it takes no sequence.
struct NumberedFields<'a, 'de> {
    reader: ValueReader<'a, 'de>,
    fields: Parts<'de>,
    /// The enum, and the id of the variant.
    variant: (Owner, u32),
}

impl<'a, 'de> NumberedFields<'a, 'de> {
    fn exact(&self) -> Exact<'a, 'de> {
        self.reader.reading
    }

    fn field(&self, index: usize) -> Field {
        Field::Missing(self.variant.0, self.variant.1, index)
    }

    /// The bytes of the next field.
    fn ahead(&self) -> Option<&'de [u8]> {
        let mut ahead = self.fields;
        ahead.take().ok().flatten()
    }

    /// Whether the next field is missing.
    fn is_missing(&self) -> bool {
        let field = self.field(self.fields.index());
        self.ahead().is_some_and(<[u8]>::is_empty)
            && self.exact().absences(|absences| absences.knows(field))
    }
}

impl<'de> MapAccess<'de> for NumberedFields<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.fields.count() == 0 {
            // Only the fields of a type are read as identifiers; other types accept any map.
            let mut asked = false;
            let _ = seed.deserialize(Asked(&mut asked));
            return match asked {
                true => Ok(None),
                false => self.exact().refuse_unknown_type(self.reader.bytes),
            };
        }
        while self.is_missing() {
            let _ = self.fields.take();
        }
        let Some(bytes) = self.ahead() else { return Ok(None) };
        let Ok(number) = u64::try_from(self.fields.index()) else { return Ok(None) };
        seed.deserialize(Always::new(number)).map(Some).map_err(|error| {
            self.fields.end();
            self.exact().abandon(bytes, error)
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (index, exact) = (self.fields.index(), self.exact());
        let Ok(Some(bytes)) = self.fields.take() else {
            return exact.fault(self.reader.bytes, Fault::Abandoned);
        };
        exact.note(|record| record.skipped = false);
        let (reader, step) = (self.reader.part(bytes), Names::Slots.segment(index));
        let value = exact.in_step(step, || seed.deserialize(reader)).map_err(|error| {
            if bytes.is_empty() {
                exact.absences(|absences| absences.learn(self.field(index)));
            }
            exact.in_part(bytes, error).inside(Names::Slots.segment(index))
        })?;
        if exact.record().skipped && !exact.session.options.compatible {
            let kind = ErrorKind::ExtraFields { found: self.fields.count(), expected: index };
            return exact.fault(self.fields.at_count(), kind);
        }
        Ok(value)
    }
}

/// Has `seed` read the missing content of a tag.
pub(super) fn without_content<'de, T: DeserializeSeed<'de>>(
    _: Exact<'_, 'de>,
    seed: T,
) -> Result<T::Value> {
    seed.deserialize(NoContent)
}

/// Deserializes the content of a tag without content.
struct NoContent;

impl<'de> Deserializer<'de> for NoContent {
    type Error = Error;

    /// A unit variant asks the data for its type and accepts a unit. Other types may do the same,
    /// but their values have a size.
    fn read<V: Visitor<'de>>(self, request: Request, visitor: V) -> Result<V::Value> {
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

    fn read<V: Visitor<'de>>(self, request: Request, _: V) -> Result<V::Value> {
        *self.0 = matches!(request, Request::Identifier());
        Err(Error::placeless(ErrorKind::Absent))
    }

    for_each_request!(by_read);
}
