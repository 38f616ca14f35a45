//! The exact way: reads one value of any kind, and keeps the state of the document. Knows kinds, does not
//! know how parts follow each other.

use serde_core::de::{self, Visitor};

use super::access::{Entries, Items, Parts, UNBOUNDED, UnboundedParts};
use super::raw::{LenTold, Raw};
use super::variant::Variant;
#[cfg(feature = "any")]
use crate::any::unpack;
#[cfg(feature = "any")]
use crate::any::{Limits, Part};
use crate::error::Fault;
use crate::glue::adjacent::{Adjacent, Tag};
#[cfg(feature = "any")]
use crate::glue::erased;
use crate::glue::macros::unpack_if_named;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::limits::{Depth, ItemBudget, too_deep};
use crate::read::Reader;
use crate::text;
use crate::tsm::mark::{self, RAW_LEN};
use crate::tsm::refusal::reason;
use crate::tsm::wire::{self, MOST_EMPTY_ITEMS};
use crate::tsm::{Error, ErrorKind, Options, Result};

#[derive(Debug)]
pub(super) struct Decoder<'de> {
    pub(super) reader: Reader<'de>,
    /// How deep the next value may be.
    pub(super) depth: Depth,
    pub(super) items: ItemBudget,
    max_depth: u16,
    /// How many more items of zero bytes are accepted.
    pub(super) empty_items: usize,
    /// What is known about adjacently tagged enums.
    pub(super) adjacent: Adjacent,
    /// Where a type asked the data for its type, which is refused.
    asked_types: Option<usize>,
    /// Where a part failed. If its type goes on, it reads at an offset that means nothing.
    failed_at: Option<usize>,
    /// Where the last part began of a tuple that knows by itself where it ends.
    pub(super) knows_end: Option<usize>,
}

impl<'de> Decoder<'de> {
    #[inline]
    pub(super) fn new(options: &Options, bytes: &'de [u8]) -> Self {
        Decoder {
            reader: Reader::new(bytes, 0),
            depth: Depth::new(options.max_depth),
            items: ItemBudget::new(bytes.len()),
            max_depth: options.max_depth,
            empty_items: MOST_EMPTY_ITEMS,
            adjacent: Adjacent::default(),
            asked_types: None,
            failed_at: None,
            knows_end: None,
        }
    }

    /// Begins the next value. What went wrong in the one before stays noted for [`end`](Self::end).
    #[inline]
    pub(super) fn begin(&mut self) -> &mut Self {
        self.depth = Depth::new(self.max_depth);
        self.empty_items = MOST_EMPTY_ITEMS;
        self.adjacent.forget();
        self
    }

    /// Begins the first value again, with what was learned about the types.
    #[cold]
    pub(super) fn start_over(&mut self, options: &Options, bytes: &'de [u8]) {
        let adjacent = self.adjacent.take_types();
        *self = Decoder { adjacent, ..Decoder::new(options, bytes) };
    }

    /// Refuses a value if its type swallowed an error of a part and went on.
    #[inline]
    pub(super) fn check_swallowed(&self) -> Result<()> {
        match (self.asked_types, self.failed_at) {
            (None, None) => Ok(()),
            (Some(offset), _) => Err(Error::at(ErrorKind::SelfDescribing, offset)),
            (None, Some(offset)) => Err(Error::at(Fault::Abandoned, offset)),
        }
    }

    /// Makes sure that all of the input has been read.
    pub(super) fn end(&self) -> Result<()> {
        self.check_swallowed()?;
        self.reader.finish()
    }

    /// Goes one level further in.
    #[inline]
    pub(super) fn enter(&mut self) -> Result<()> {
        match self.depth.enter() {
            Some(depth) => self.depth = depth,
            None => return Err(self.too_deep()),
        }
        Ok(())
    }

    #[cold]
    fn too_deep(&mut self) -> Error {
        let error = too_deep(self.max_depth);
        self.refused(error)
    }

    /// Reads a value that has parts.
    #[inline]
    pub(super) fn level<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = self.depth;
        self.enter()?;
        let result = read(self);
        // Also after an error: some types go on without the value that failed.
        self.depth = outer;
        self.note_failure(result)
    }

    /// Reads what is in a `Some` or newtype struct.
    #[inline]
    pub(super) fn wrapper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = self.depth;
        match outer.wrap() {
            Some(depth) => self.depth = depth,
            None => return Err(self.too_deep()),
        }
        let result = read(self);
        self.depth = outer;
        self.note_failure(result)
    }

    /// Reads the parts of a tuple or struct.
    #[inline]
    pub(super) fn parts<V: Visitor<'de>>(
        &mut self,
        most: usize,
        names: Names,
        visitor: V,
    ) -> Result<V::Value> {
        self.level(|decoder| Parts::new(decoder, most, names).visit(visitor))
    }

    /// Reads the parts of a tuple that knows by itself where it ends.
    #[cold]
    fn unbounded_parts<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let offset = self.reader.offset();
        self.level(|decoder| {
            let parts = UnboundedParts { decoder, next: 0 };
            visitor.visit_seq(parts).map_err(|error| error.or_offset(offset))
        })
    }

    /// Notes where a part failed.
    #[inline]
    pub(super) fn note_failure<T>(&mut self, result: Result<T>) -> Result<T> {
        if result.is_err() {
            let offset = self.reader.offset();
            self.failed_at.get_or_insert(offset);
        }
        result
    }

    /// Notes a part that is refused without being read to its end, and gives the error a place.
    ///
    /// If a visitor refuses a number or text that was read, this is not noted: the next part is found, and
    /// a type may take another value instead.
    #[cold]
    pub(super) fn refused(&mut self, error: Error) -> Error {
        let offset = self.reader.offset();
        self.failed_at.get_or_insert(error.offset().unwrap_or(offset));
        error.or_offset(offset)
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
        match self.empty_items.checked_sub(1) {
            Some(left) => {
                self.empty_items = left;
                Ok(())
            }
            None => {
                let kind = ErrorKind::EmptyItems { limit: MOST_EMPTY_ITEMS };
                Err(self.refused(Error::placeless(kind)))
            }
        }
    }

    /// The error for a type that asks the data what it is. It is noted, since some types swallow it.
    #[cold]
    pub(super) fn refuse_types(&mut self) -> Error {
        let offset = self.reader.offset();
        self.asked_types.get_or_insert(offset);
        Error::at(ErrorKind::SelfDescribing, offset)
    }
}

macro_rules! deserialize_le {
    ($($method:ident $visit:ident $type:ty,)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let bytes = self.reader.take_array();
            visitor.$visit(<$type>::from_le_bytes(self.note_failure(bytes)?))
        }
    )*};
}

#[cfg(feature = "any")]
impl<'de> Decoder<'de> {
    /// Reads a value whose type is marked `any` by its name.
    #[cold]
    #[inline(never)]
    fn any_by(&mut self, read: &mut erased::Read<'_, 'de, ErrorKind>) -> Result<()> {
        let bytes = wire::take_bytes(&mut self.reader);
        let bytes = self.note_failure(bytes)?;
        let offset = self.reader.offset() - bytes.len();
        let limits = Limits { depth: self.depth, max_depth: self.max_depth };
        unpack::part_by(Part::new(bytes, offset, limits), |part| erased::read_by(part, read))
    }

    /// Hands out the bytes of a part that is marked `any`: they stand behind their count.
    #[cold]
    fn any<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let bytes = wire::take_bytes(&mut self.reader);
        let bytes = self.note_failure(bytes)?;
        let offset = self.reader.offset() - bytes.len();
        self.wrapper(|decoder| {
            let limits = Limits { depth: decoder.depth, max_depth: decoder.max_depth };
            erased::visit_enum(Part::new(bytes, offset, limits), visitor)
        })
    }
}

impl<'de> de::Deserializer<'de> for &mut Decoder<'de> {
    type Error = Error;

    deserialize_le! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
        deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64,
    }

    /// Refused, except for the content of an adjacently tagged enum, which serde asks for in this way.
    #[cold]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.adjacent.take_content(self.reader.offset()) {
            Some(content) => self.content(content, visitor),
            None => Err(self.refuse_types()),
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = wire::take_bool(&mut self.reader);
        visitor.visit_bool(self.note_failure(value)?)
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = wire::take_char(&mut self.reader);
        visitor.visit_char(self.note_failure(value)?)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let text = match wire::take_text(&mut self.reader) {
            Some(text) => text,
            None => self.faulty_text()?,
        };
        visitor.visit_borrowed_str(text)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let bytes = wire::take_bytes(&mut self.reader);
        visitor.visit_borrowed_bytes(self.note_failure(bytes)?)
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let is_some = wire::take_is_some(&mut self.reader);
        match self.note_failure(is_some)? {
            false => visitor.visit_none(),
            true => self.wrapper(|decoder| visitor.visit_some(decoder)),
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        unpack_if_named!(self, deserialize_unit_struct(name, visitor));
        mark::refuse(name, "a unit struct").map_err(|error| self.refused(error))?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        #[cfg(feature = "any")]
        if name == ANY {
            return self.any(visitor);
        }
        unpack_if_named!(self, deserialize_newtype_struct(name, visitor));
        let is_raw = mark::is_raw(name).map_err(|error| self.refused(error))?;
        self.wrapper(|decoder| match is_raw {
            false => {
                let start = decoder.reader;
                let value = visitor.visit_newtype_struct(decoder);
                value.map_err(|error| reason(name, start, error))
            }
            true => match name == RAW_LEN {
                true => visitor.visit_enum(LenTold { decoder }),
                false => visitor.visit_newtype_struct(Raw { decoder }),
            },
        })
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.level(|decoder| Items::take(decoder)?.visit(visitor))
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        if len == UNBOUNDED {
            return self.unbounded_parts(visitor);
        }
        self.parts(len, Names::Indices, visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        unpack_if_named!(self, deserialize_tuple_struct(name, len, visitor));
        mark::refuse(name, "a tuple struct").map_err(|error| self.refused(error))?;
        self.parts(len, Names::Slots, visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.level(|decoder| Entries::take(decoder)?.visit(visitor))
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        unpack_if_named!(self, deserialize_struct(name, fields, visitor));
        mark::refuse(name, "a struct").map_err(|error| self.refused(error))?;
        let may_have_tag = fields.len() == 2;
        if may_have_tag {
            let owner = Owner::of::<V::Value>(name);
            self.adjacent.expect_tag(owner, fields, self.reader.offset());
        }
        let value = self.parts(fields.len(), Names::Fields(fields), visitor);
        if may_have_tag {
            self.adjacent.end_struct();
        }
        value
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        unpack_if_named!(self, deserialize_enum(name, variants, visitor));
        let _ = variants;
        mark::refuse(name, "an enum").map_err(|error| self.refused(error))?;
        let value = Variant::take(self).and_then(|variant| variant.visit(visitor));
        self.note_failure(value)
    }

    /// The tag of an adjacently tagged enum: serde writes it as a unit variant, and reads it as an
    /// identifier. Other identifiers are text.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let offset = self.reader.offset();
        if !self.adjacent.is_tag(offset) {
            return self.deserialize_str(visitor);
        }
        let index = wire::take_variant(&mut self.reader);
        let index = self.note_failure(index)?;
        match visitor.visit_u32(index) {
            Ok(tag) => {
                let tag_of = Tag::of(&tag, index.into());
                self.adjacent.expect_content(tag_of, self.reader.offset());
                Ok(tag)
            }
            Err::<_, Error>(_) => Err(self.refused(wire::unknown_variant(index, offset))),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.adjacent.is_behind_last(self.reader.offset()) {
            true => visitor.visit_unit(),
            false => Err(self.refuse_types()),
        }
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
