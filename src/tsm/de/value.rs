//! The value that comes next: which bytes each type is read from.
//!
//! What is nearly always inlined is so always, as in [`parts`].

use core::cell::Cell;

use serde_core::de::{Deserializer, Visitor};

use super::document::{Document, Result};
use super::parts::UNBOUNDED;
use super::{adjacent, parts, raw, variant};
#[cfg(feature = "any")]
use crate::any::{Limits, Part};
use crate::failed::Failed;
use crate::glue::adjacent::Adjacent;
use crate::glue::macros::for_each_number;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::glue::names::Names;
use crate::limits::Depth;
use crate::raw::{Found, Settings, hand_over};
use crate::read::Reader;
use crate::text;
use crate::tsm::document::DocumentKind;
use crate::tsm::{self, ErrorKind, mark, wire};

/// Deserializes the value that comes next.
///
/// `AHEAD` is set in code for items whose bytes are known to be there, so that it is compiled separately.
#[derive(Clone, Copy)]
pub(super) struct Value<'a, 'de, const AHEAD: usize = 0> {
    pub(super) document: &'a Document,
    /// The bytes that were not read yet. What is not inlined takes them by value: so they can be in registers.
    pub(super) rest: &'a Cell<&'de [u8]>,
    /// How deep it may nest.
    pub(super) depth: Depth,
}

impl<'a, 'de, const AHEAD: usize> Value<'a, 'de, AHEAD> {
    /// The value where nothing is known of how many bytes are there.
    #[inline]
    fn anywhere(self) -> Value<'a, 'de> {
        let Value { document, rest, depth } = self;
        Value { document, rest, depth }
    }

    /// The value with the depth of its fields or items.
    #[inline]
    pub(super) fn level(self) -> Result<Self> {
        match self.depth.enter() {
            Some(depth) => Ok(Value { depth, ..self }),
            None => Err(self.document.too_deep(self.rest.get())),
        }
    }

    /// The value inside of a wrapper, which takes no bytes.
    #[inline]
    pub(super) fn wrapper(self) -> Result<Self> {
        match self.depth.wrap() {
            Some(depth) => Ok(Value { depth, ..self }),
            None => Err(self.document.too_deep(self.rest.get())),
        }
    }

    /// Takes `N` bytes.
    #[inline(always)]
    pub(super) fn take<const N: usize>(self) -> Result<[u8; N]> {
        let start = self.rest.get();
        match start.split_first_chunk() {
            Some((bytes, rest)) => {
                self.rest.set(rest);
                Ok(*bytes)
            }
            None => Err(self.document.ends_early(N, start.len())),
        }
    }

    /// Takes `len` bytes.
    #[inline]
    pub(super) fn take_slice(self, len: usize) -> Result<&'de [u8]> {
        let start = self.rest.get();
        match start.split_at_checked(len) {
            Some((bytes, rest)) => {
                self.rest.set(rest);
                Ok(bytes)
            }
            None => Err(self.document.ends_early(len, start.len())),
        }
    }

    /// Takes bytes after their count.
    #[inline]
    fn bytes(self) -> Result<&'de [u8]> {
        let start = self.rest.get();
        let found = i32::from_le_bytes(self.take()?);
        match usize::try_from(found) {
            Ok(len) => self.take_slice(len),
            Err(_) => Err(self.document.invalid(start, ErrorKind::Count { found })),
        }
    }

    /// Takes text after the count of its bytes.
    #[inline]
    fn text(self) -> Result<&'de str> {
        match wire::split_text(self.rest.get()) {
            Some((text, rest)) => {
                self.rest.set(rest);
                Ok(text)
            }
            None => self.other_text(),
        }
    }

    /// Takes text that is not there or no text.
    #[cold]
    fn other_text(self) -> Result<&'de str> {
        let bytes = self.bytes()?;
        let rest = self.rest.get();
        let start = self.document.offset_of(rest) - bytes.len();
        text::utf8(bytes, start).map_err(|error| self.document.keep(error, rest))
    }

    /// Takes the flag of an optional value: whether it is there.
    #[inline]
    pub(super) fn is_some(self) -> Result<bool> {
        let start = self.rest.get();
        let found = i8::from_le_bytes(self.take()?);
        match wire::is_some(found) {
            Some(is_some) => Ok(is_some),
            None => Err(self.document.invalid(start, ErrorKind::OptionFlag { found })),
        }
    }

    /// Takes the number of an enum's variant.
    #[inline]
    pub(super) fn variant(self) -> Result<u32> {
        let start = self.rest.get();
        let index = i32::from_le_bytes(self.take()?);
        match u32::try_from(index) {
            Ok(index) => Ok(index),
            Err(_) => Err(self.document.invalid(start, ErrorKind::Variant { index })),
        }
    }

    /// The meaning of a container's name.
    #[inline]
    fn named<T>(self, mark: tsm::Result<T>) -> Result<T> {
        match mark {
            Ok(mark) => Ok(mark),
            Err(error) => Err(self.document.keep(error, self.rest.get())),
        }
    }

    /// Reads a document of this module.
    #[cold]
    fn own_document<V: Visitor<'de>>(self, kind: DocumentKind, visitor: V) -> Result<V::Value> {
        let Value { document, rest, .. } = self;
        let start = rest.get();
        let offset = document.offset_of(start);
        let mut reader = Reader::new(start, offset);
        let settings = Settings::default();
        let bytes =
            kind.take(&mut reader, settings).map_err(|error| document.keep(error, start))?;
        rest.set(reader.rest());
        visitor.visit_enum(hand_over(Found { bytes, offset, settings }))
    }

    /// Reads the content of a newtype struct without a mark.
    #[inline(always)]
    fn newtype<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value { document, rest, .. } = self;
        let start = rest.get();
        match visitor.visit_newtype_struct(self.wrapper()?) {
            Err(Failed) => Err(document.wrapper_refused(start, rest.get().len())),
            value => value,
        }
    }

    /// Reads a value that is marked `any`: bytes after their count.
    #[cfg(feature = "any")]
    #[cold]
    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value { document, rest, .. } = self;
        let bytes = self.bytes()?;
        let Value { depth, .. } = self.wrapper()?;
        let limits = Limits { depth, max_depth: document.max_depth };
        let rest = rest.get();
        let part = Part::new(bytes, document.offset_of(rest) - bytes.len(), limits);
        visitor.visit_enum(part).map_err(|error| document.keep(error, rest))
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(<$type>::from_le_bytes(self.take()?))
        }
    )*};
}

impl<'de, const AHEAD: usize> Deserializer<'de> for Value<'_, 'de, AHEAD> {
    type Error = Failed;

    for_each_number!(numbers);

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.rest.get();
        let found = u8::from_le_bytes(self.take()?);
        match wire::to_bool(found) {
            Some(value) => visitor.visit_bool(value),
            None => Err(self.document.invalid(start, ErrorKind::Bool { found })),
        }
    }

    #[inline(always)]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.rest.get();
        let found = u32::from_le_bytes(self.take()?);
        match char::from_u32(found) {
            Some(value) => visitor.visit_char(value),
            None => Err(self.document.invalid(start, ErrorKind::Char { found })),
        }
    }

    #[inline(always)]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.text()?)
    }

    #[inline(always)]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline(always)]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(self.bytes()?)
    }

    #[inline(always)]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Value { document, rest, .. } = self;
        match self.is_some()? {
            false => visitor.visit_none(),
            true => {
                let start = rest.get();
                let value = visitor.visit_some(self.wrapper()?);
                value.map_err(|Failed| document.wrapper_refused(start, rest.get().len()))
            }
        }
    }

    #[inline(always)]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    #[inline(always)]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.named(mark::refuse(name, "a unit struct"))?;
        visitor.visit_unit()
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        #[cfg(feature = "any")]
        if name == ANY {
            return self.anywhere().any(visitor);
        }
        if let Some(kind) = DocumentKind::of(name) {
            return self.anywhere().own_document(kind, visitor);
        }
        match self.named(mark::is_raw(name))? {
            false => self.newtype(visitor),
            true => raw::marked(self.anywhere(), name, visitor),
        }
    }

    #[inline(always)]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        parts::sequence(self.anywhere(), visitor)
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match len {
            UNBOUNDED => parts::unbounded(self.anywhere(), visitor),
            _ => parts::parts(self, len, Names::Indices, visitor),
        }
    }

    #[inline(always)]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.named(mark::refuse(name, "a tuple struct"))?;
        parts::parts(self, len, Names::SLOTS, visitor)
    }

    #[inline(always)]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        parts::map(self.anywhere(), visitor)
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.named(mark::refuse(name, "a struct"))?;
        let Value { document, rest, .. } = self;
        // Perhaps an adjacently tagged enum, whose tag is the first field.
        let may_have_tag = fields.len() == 2;
        if may_have_tag {
            document.adjacent.set(Adjacent::Tag(rest.get().len()));
        }
        let value = parts::parts(self, fields.len(), Names::Fields(fields), visitor);
        if may_have_tag {
            // What follows is none of its fields, even if those took no bytes.
            document.adjacent.set(Adjacent::None);
        }
        value
    }

    #[inline(always)]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.named(mark::refuse(name, "an enum"))?;
        variant::read(self, visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        adjacent::identifier(self.anywhere(), visitor)
    }

    /// Refused, except for the content of an adjacently tagged enum, which serde requests in this way.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        adjacent::content(self.anywhere(), visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        adjacent::skip(self.anywhere())?;
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
