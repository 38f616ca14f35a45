//! Adjacently tagged enums: `#[serde(tag = "t", content = "c")]`.
//!
//! serde writes a struct of two fields, the first a unit variant. It reads the tag as an
//! identifier, and, where the variant is a unit or has named fields, asks the data for the type of
//! the content. Which of the two it is, nothing tells: named fields are tried first, and if the
//! visitor does not take any, the variant is noted as a unit and everything is read once more.
//! That happens once for each such variant of a type, however many numbers stand for it: under
//! `#[serde(other)]` all that are unknown do.

use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::mem::Discriminant;

use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::access::inside;
use super::decoder::Decoder;
use crate::nested;
use crate::parts::Names;
use crate::tsm::wire::MOST_EMPTY_ITEMS;
use crate::tsm::{Error, ErrorKind, Result};

/// What reading one value knows about such enums.
#[derive(Debug, Default)]
pub(super) struct Adjacent {
    /// The struct of two fields that was begun last, and where.
    begun: Option<(Struct, usize)>,
    /// The variant whose tag was read last, and where its content begins.
    content: Option<(Content, usize)>,
    /// Where a field would begin if there were one more.
    behind_last: Option<usize>,
    /// Whether that was asked for, and stepped over.
    stepped_over: bool,
    /// The variants that have turned out to be units.
    units: Vec<Content>,
    /// Whether the last of them is news.
    learned: bool,
}

nested::known! { Content }

/// What names a type of struct.
type Struct = (&'static str, &'static [&'static str]);

/// A variant, by its enum and what the type takes the tag for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Content {
    of: Struct,
    tag: Tag,
}

/// What a type made of a tag: which variant it is, of the enum without fields that serde derives
/// for tags. Numbers would not do, since any number of them may mean the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tag(u64);

impl Tag {
    pub(super) fn of<T>(tag: &T) -> Self {
        let which: Discriminant<T> = core::mem::discriminant(tag);
        let mut seen = Tag::default();
        which.hash(&mut seen);
        seen
    }
}

/// Keeps what it is given, which for the number of a variant is never more than there is room for.
impl Hasher for Tag {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Adjacent {
    /// Notes where a struct of two fields begins.
    #[inline]
    pub(super) fn expect_tag(
        &mut self,
        name: &'static str,
        fields: &'static [&'static str],
        offset: usize,
    ) {
        self.begun = Some(((name, fields), offset));
    }

    /// Notes that such a struct has ended: what comes behind it is none of its parts, also where it took
    /// no bytes.
    #[inline]
    pub(super) fn end_struct(&mut self) {
        self.begun = None;
        self.content = None;
    }

    /// Whether what begins at `offset` is the first field of such a struct.
    pub(super) fn is_tag(&self, offset: usize) -> bool {
        self.begun.is_some_and(|(_, begun)| begun == offset)
    }

    /// Notes that a tag was read, and that its content begins at `offset`.
    pub(super) fn expect_content(&mut self, tag: Tag, offset: usize) {
        self.content = self.begun.take().map(|(of, _)| (Content { of, tag }, offset));
    }

    /// The variant whose content begins at `offset`.
    pub(super) fn take_content(&mut self, offset: usize) -> Option<Content> {
        self.content.take().filter(|(_, begins)| *begins == offset).map(|(content, _)| content)
    }

    /// Whether what is skipped at `offset` is a field that is not there.
    pub(super) fn is_behind_last(&mut self, offset: usize) -> bool {
        self.stepped_over = self.behind_last.take() == Some(offset);
        self.stepped_over
    }

    /// Notes that a variant is a unit.
    fn learn(&mut self, unit: Content) {
        self.units.push(unit);
        self.learned = true;
        make_known(unit);
    }

    /// Whether a variant is known to be a unit, from this reading or another one around or inside of it.
    fn is_unit(&self, variant: &Content) -> bool {
        self.units.contains(variant) || is_known(variant)
    }

    /// Whether there is reason to start over.
    #[inline]
    pub(super) fn has_learned(&self) -> bool {
        self.learned
    }

    /// Forgets everything but the types.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.end_struct();
        self.behind_last = None;
        self.learned = false;
    }
}

impl<'de> Decoder<'de> {
    /// Reads the content of a variant: a unit's or named fields.
    pub(super) fn content<V: Visitor<'de>>(
        &mut self,
        content: Content,
        visitor: V,
    ) -> Result<V::Value> {
        let offset = self.reader.offset();
        if self.adjacent.is_unit(&content) {
            return visitor.visit_unit().map_err(|error| self.refused(error));
        }
        let outer = self.reach;
        let mut fields = Fields { decoder: self, next: 0, empty: 0, asked: false, ended: false };
        let value = visitor.visit_map(&mut fields);
        if !fields.asked {
            self.adjacent.learn(content);
            return Err(self.refused(Error::at(ErrorKind::SelfDescribing, offset)));
        }
        self.reach = outer;
        let value = value.map_err(|error| error.or_offset(offset));
        self.sure(value)
    }
}

/// Hands fields out by number, until the visitor does not know the number.
struct Fields<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    next: u32,
    /// Fields of zero bytes, which could be handed out for ever.
    empty: usize,
    asked: bool,
    ended: bool,
}

impl<'de> de::MapAccess<'de> for &mut Fields<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !self.asked {
            // Now it shows that there are fields, which are a level inside.
            self.asked = true;
            self.decoder.enter()?;
        }
        if self.ended {
            return Ok(None);
        }
        match seed.deserialize(u64::from(self.next).into_deserializer()) {
            Ok(field) => Ok(Some(field)),
            // Under `deny_unknown_fields`, that there is no such number is an error ..
            Err::<_, Error>(_) if self.next > 0 => {
                self.ended = true;
                Ok(None)
            }
            Err(_) => {
                self.ended = true;
                Err(self.decoder.refuse_types())
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let offset = self.decoder.reader.offset();
        self.decoder.adjacent.behind_last = Some(offset);
        self.decoder.adjacent.stepped_over = false;
        let value = seed.deserialize(&mut *self.decoder);
        self.decoder.adjacent.behind_last = None;
        // .. and otherwise its value is ignored.
        self.ended = core::mem::take(&mut self.decoder.adjacent.stepped_over);
        let index = usize::try_from(self.next).unwrap_or(usize::MAX);
        self.next = self.next.saturating_add(1);
        if self.decoder.reader.offset() == offset {
            self.empty += 1;
        }
        if self.empty > MOST_EMPTY_ITEMS {
            return Err(self.decoder.refuse_types());
        }
        value.map_err(|error| inside(error, offset, Names::Slots, index))
    }
}
