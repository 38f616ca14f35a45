//! Adjacently tagged enums in formats without names: what serde is expected to request, and the numbers of fields.

use core::cell::Cell;

use serde_core::de::{Deserializer, Visitor};
use serde_core::forward_to_deserialize_any;

use crate::failed::Failed;
use crate::limits::Depth;

/// What serde is expected to ask for next in an adjacently tagged enum, by its offset.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Adjacent {
    #[default]
    None,
    /// A tag.
    Tag(usize),
    /// The content after the tag.
    Content(usize),
    /// A field of the content, which may nest so deep. To skip it means that it is not there ..
    Field(usize, Depth),
    /// .. and this one was skipped.
    Skipped,
}

/// The number of a field, for the visitor of a variant's fields: all others ask for something else than an identifier.
pub(crate) struct FieldNumber<'a> {
    pub(crate) number: usize,
    /// Whether the visitor has asked for one.
    pub(crate) is_asked: &'a Cell<bool>,
}

impl<'de> Deserializer<'de> for FieldNumber<'_> {
    type Error = Failed;

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        self.is_asked.set(true);
        visitor.visit_u64(u64::try_from(self.number).unwrap_or(u64::MAX))
    }

    /// The reader of the content says what is wrong.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Failed> {
        Err(Failed)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum ignored_any
    }
}
