//! Adjacently tagged enums in formats without names: what serde is expected to request, and the numbers of fields.

use core::cell::Cell;

use serde_core::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::failed::{Failed, take_refusal};
use crate::limits::Depth;

/// What serde is expected to request next in an adjacently tagged enum, by how many bytes are left then.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Adjacent {
    #[default]
    None,
    /// A tag.
    Tag(usize),
    /// The content after the tag.
    Content(usize),
    /// A field of the content, with this maximum depth. To skip it means that it is not there ..
    Field(usize, Depth),
    /// .. and this one was skipped.
    Skipped,
}

/// So many fields may be without bytes: a type could request any number of them.
const MOST_EMPTY_FIELDS: usize = 4096;

/// The fields of a struct variant, which serde requests by number. How many there are is not known, but serde skips the
/// first number that is none of them.
pub(crate) struct NumberedFields<'a, 'de, D> {
    /// Reads the field that comes next.
    field: D,
    depth: Depth,
    /// The bytes from the next field on.
    rest: &'a Cell<&'de [u8]>,
    adjacent: &'a Cell<Adjacent>,
    /// The number of the next field, or of the one that has failed.
    pub(crate) next: usize,
    pub(crate) has_ended: bool,
    /// What begins with the field that has failed.
    pub(crate) failed: Option<&'de [u8]>,
    /// Whether the visitor has requested a field by its number.
    pub(crate) is_by_number: bool,
}

impl<'a, 'de, D> NumberedFields<'a, 'de, D> {
    pub(crate) fn new(
        field: D,
        depth: Depth,
        rest: &'a Cell<&'de [u8]>,
        adjacent: &'a Cell<Adjacent>,
    ) -> Self {
        let (next, has_ended, failed, is_by_number) = (0, false, None, false);
        NumberedFields { field, depth, rest, adjacent, next, has_ended, failed, is_by_number }
    }
}

impl<'de, D> MapAccess<'de> for &mut NumberedFields<'_, 'de, D>
where
    D: Deserializer<'de, Error = Failed> + Copy,
{
    type Error = Failed;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Failed> {
        if self.has_ended {
            return Ok(None);
        }
        let key = FieldNumber { number: self.next, is_requested: &mut self.is_by_number };
        seed.deserialize(key).map(Some).or_else(|Failed| {
            self.has_ended = true;
            match self.is_by_number {
                // A type that denies unknown fields has seen all of its own.
                true => {
                    drop(take_refusal());
                    Ok(None)
                }
                false => Err(Failed),
            }
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Failed> {
        let start = self.rest.get();
        self.adjacent.set(Adjacent::Field(start.len(), self.depth));
        let value = seed.deserialize(self.field);
        if self.adjacent.take() == Adjacent::Skipped {
            self.has_ended = true;
        } else if value.is_err() {
            self.has_ended = true;
            self.failed = Some(start);
        } else {
            self.next += 1;
            self.has_ended = self.next > MOST_EMPTY_FIELDS && self.rest.get().len() == start.len();
        }
        value
    }
}

/// The number of a field, for the visitor of a variant's fields: all others request something else than an identifier.
struct FieldNumber<'a> {
    number: usize,
    is_requested: &'a mut bool,
}

impl<'de> Deserializer<'de> for FieldNumber<'_> {
    type Error = Failed;

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        *self.is_requested = true;
        visitor.visit_u64(u64::try_from(self.number).unwrap_or(u64::MAX))
    }

    /// The reader of the content explains what is wrong.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Failed> {
        Err(Failed)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}
