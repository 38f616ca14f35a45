//! The exact way: explains, reads what the fast way does not, and keeps the state of the document. Does not
//! know how parts follow each other.

use serde_core::de::{Deserialize, Visitor};

use super::access::{Entries, Items, UnboundedParts, all_taken, inside};
use super::fast;
use super::parts::parts;
use super::raw::{LenTold, Raw};
use super::reading::Reading;
use super::value::{Value, take_variant};
#[cfg(feature = "any")]
use crate::any::Part;
use crate::glue::adjacent::Tag;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
#[cfg(feature = "any")]
use crate::glue::plain::Plain;
use crate::glue::session::{self, Session};
use crate::text;
use crate::tsm::mark::{self, RAW_LEN};
use crate::tsm::refusal::reason;
use crate::tsm::wire::{self, EmptyItems};
use crate::tsm::{Error, ErrorKind, Result};

/// What is kept of one value that is read.
pub(super) type Decoder<'de> = Session<'de, Own>;

/// What only this format keeps.
#[derive(Debug)]
pub(super) struct Own {
    /// How many more items of zero bytes are accepted.
    pub(super) empty_items: EmptyItems,
    /// Where a type asked the data for its type, which is refused.
    asked_types: Option<usize>,
}

impl Own {
    pub(super) const fn new() -> Self {
        Own { empty_items: EmptyItems::ALL, asked_types: None }
    }
}

impl session::Own for Own {
    type Kind = ErrorKind;

    /// Refuses a type that asked the data for its type.
    fn check(&self) -> Result<()> {
        match self.asked_types {
            None => Ok(()),
            Some(offset) => Err(Error::at(ErrorKind::SelfDescribing, offset)),
        }
    }

    fn start_over(&mut self) {
        *self = Own::new();
    }
}

impl<'de> Decoder<'de> {
    /// Begins the next value. What went wrong in the one before stays noted for [`check_end`](Session::check_end).
    #[inline]
    pub(super) fn begin(&mut self) -> &mut Self {
        self.begin_next();
        self.own.empty_items = EmptyItems::ALL;
        self
    }

    /// Reads the parts of a tuple that knows by itself where it ends.
    #[cold]
    pub(super) fn unbounded_parts<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let offset = self.reader.offset();
        self.level(|decoder| {
            let parts = UnboundedParts { decoder, next: 0 };
            visitor.visit_seq(parts).map_err(|error| error.or_offset(offset))
        })
    }

    /// Notes where a part failed.
    ///
    /// If a visitor refuses a number or text that was read, this is not noted: the next part is found, and
    /// a type may take another value instead.
    #[inline]
    pub(super) fn note_failure<T>(&mut self, result: Result<T>) -> Result<T> {
        if result.is_err() {
            let offset = self.reader.offset();
            self.failed_at.get_or_insert(offset);
        }
        result
    }

    /// Refuses what was just taken, which is of `size` bytes.
    #[cold]
    pub(super) fn invalid<T>(&mut self, kind: ErrorKind, size: usize) -> Result<T> {
        let offset = self.reader.offset() - size;
        self.note_failure(Err(Error::at(kind, offset)))
    }

    /// Refuses the name of a container that is no newtype struct, if it is or resembles a mark.
    #[cold]
    pub(super) fn check_name(&mut self, name: &'static str, found: &'static str) -> Result<()> {
        mark::refuse(name, found).map_err(|error| self.refused(error))
    }

    /// The part to read behind one that failed: none of `count` if its start is not known. So iteration
    /// ends after an error.
    #[cold]
    pub(super) fn next_behind_error(&self, next: usize, count: usize) -> usize {
        match self.failed_at {
            None => next,
            Some(_) => count,
        }
    }

    /// The error of a text that cannot be read.
    #[cold]
    #[inline(never)]
    fn faulty_text(&mut self) -> Result<&'de str> {
        let bytes = wire::take_bytes(&mut self.reader);
        let bytes = self.note_failure(bytes)?;
        let start = self.reader.offset() - bytes.len();
        text::utf8::<ErrorKind>(bytes, start).map_err(|error| self.refused(error))
    }

    /// Counts an item that began at `offset` if it took no bytes.
    #[inline]
    pub(super) fn check_empty(&mut self, offset: usize) -> Result<()> {
        match self.reader.offset() == offset {
            true => self.spend_empty_item(),
            false => Ok(()),
        }
    }

    #[cold]
    pub(super) fn spend_empty_item(&mut self) -> Result<()> {
        let spent = self.own.empty_items.spend();
        spent.map_err(|error| self.refused(error))
    }

    /// The error for a type that asks the data what it is. It is noted, since some types swallow it.
    #[cold]
    pub(super) fn refuse_types(&mut self) -> Error {
        let offset = self.reader.offset();
        self.own.asked_types.get_or_insert(offset);
        Error::at(ErrorKind::SelfDescribing, offset)
    }
}

impl<'de> Reading<'de> for Decoder<'de> {
    type Error = Error;

    #[inline]
    fn offset(&self) -> usize {
        self.reader.offset()
    }

    #[inline]
    fn left(&self) -> usize {
        self.reader.left()
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.reader.take_array();
        self.note_failure(bytes)
    }

    #[inline]
    fn exactly<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        read(self)
    }

    #[inline]
    fn level<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let result = self.in_level(read);
        self.note_failure(result)
    }

    #[inline]
    fn wrapper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let result = self.in_wrapper(read);
        self.note_failure(result)
    }

    #[cold]
    #[inline(never)]
    fn check_end(&self, names: Names, most: usize, next: usize, offset: usize) -> Result<()> {
        match names {
            Names::Indices if self.knows_end == Some(offset) => Ok(()),
            _ => all_taken(most, next, offset),
        }
    }

    #[cold]
    fn failed(&mut self, error: Error, offset: usize) -> Error {
        let behind = self.reader.offset();
        self.failed_at.get_or_insert(behind);
        error.or_offset(offset)
    }

    #[inline]
    fn part_failed(&mut self, error: Error, offset: usize, names: Names, index: usize) -> Error {
        inside(error, offset, names, index)
    }

    #[inline]
    fn read_fast<T: Deserialize<'de>>(&mut self) -> Option<T> {
        match const { fast::is_for_more::<T>() } {
            true => fast::read(&mut self.reader, self.depth),
            false => None,
        }
    }

    #[inline]
    fn newtype<V: Visitor<'de>>(&mut self, name: &'static str, visitor: V) -> Result<V::Value> {
        self.wrapper(|decoder| {
            let start = decoder.reader;
            let value = visitor.visit_newtype_struct(Value(decoder));
            value.map_err(|error| reason(name, start, error))
        })
    }

    #[inline]
    fn fields<V: Visitor<'de>>(
        &mut self,
        owner: Owner,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let may_have_tag = names.len() == 2;
        if may_have_tag {
            self.adjacent.expect_tag(owner, names, self.reader.offset());
        }
        let value = parts(self, names.len(), Names::Fields(names), visitor);
        if may_have_tag {
            self.adjacent.end_struct();
        }
        value
    }
}

/// What the fast way does not read.
impl<'de> Decoder<'de> {
    /// Refused, except for the content of an adjacently tagged enum, which serde asks for in this way.
    #[cold]
    pub(super) fn anything<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.adjacent.take_content(self.reader.offset()) {
            Some(content) => self.content(content, visitor),
            None => Err(self.refuse_types()),
        }
    }

    #[inline]
    pub(super) fn text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let text = match wire::take_text(&mut self.reader) {
            Some(text) => text,
            None => self.faulty_text()?,
        };
        visitor.visit_borrowed_str(text)
    }

    #[inline]
    pub(super) fn bytes<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let bytes = wire::take_bytes(&mut self.reader);
        visitor.visit_borrowed_bytes(self.note_failure(bytes)?)
    }

    #[inline]
    pub(super) fn items<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.level(|decoder| Items::take(decoder)?.visit(visitor))
    }

    #[inline]
    pub(super) fn entries<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.level(|decoder| Entries::take(decoder)?.visit(visitor))
    }

    /// Reads a newtype struct whose name is a mark, or resembles one.
    #[cold]
    pub(super) fn marked<V: Visitor<'de>>(
        &mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        #[cfg(feature = "any")]
        if name == ANY {
            return self.any(visitor);
        }
        mark::is_raw(name).map_err(|error| self.refused(error))?;
        self.wrapper(|decoder| match name == RAW_LEN {
            true => visitor.visit_enum(LenTold { decoder }),
            false => visitor.visit_newtype_struct(Raw { decoder }),
        })
    }

    /// The tag of an adjacently tagged enum: serde writes it as a unit variant, and reads it as an
    /// identifier. Other identifiers are text.
    pub(super) fn identifier<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let offset = self.reader.offset();
        if !self.adjacent.is_tag(offset) {
            return self.text(visitor);
        }
        let index = take_variant(self)?;
        match visitor.visit_u32(index) {
            Ok(tag) => {
                let tag_of = Tag::of(&tag, index.into());
                self.adjacent.expect_content(tag_of, self.reader.offset());
                Ok(tag)
            }
            Err::<_, Error>(_) => Err(self.refused(wire::unknown_variant(index, offset))),
        }
    }

    pub(super) fn ignored<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.adjacent.is_behind_last(self.reader.offset()) {
            true => visitor.visit_unit(),
            false => Err(self.refuse_types()),
        }
    }
}

#[cfg(feature = "any")]
impl<'de> Decoder<'de> {
    /// Hands out the bytes of a part that is marked `any`: they stand behind their count.
    #[cold]
    fn any<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let bytes = wire::take_bytes(&mut self.reader);
        let bytes = self.note_failure(bytes)?;
        let offset = self.reader.offset() - bytes.len();
        self.wrapper(|decoder| {
            visitor.visit_enum(Plain(Part::new(bytes, offset, decoder.limits())))
        })
    }
}
