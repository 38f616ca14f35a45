//! The value that comes next: which object each type is read from.

use rmp::Marker;
use serde_core::de::{Deserializer, Visitor};

use super::document::{Document, Result};
use super::variant::Variant;
use super::{adjacent, lenient, parts};
#[cfg(feature = "any")]
use crate::any::{Limits, Part};
use crate::failed::Failed;
use crate::glue::adjacent::Adjacent;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::glue::mark::TWO_MARKS;
use crate::glue::names::Names;
use crate::limits::{Depth, too_deep};
use crate::primitiv::document::{DocumentKind, Model};
use crate::primitiv::mark::Mark;
use crate::primitiv::raw::{self, LIST};
use crate::primitiv::wire::{
    self, FLOAT32, FLOAT64, Fixed, Headed, INT32, INT64, NIL, UINT32, UINT64,
};
use crate::primitiv::{self, Error};
use crate::raw::{Found, Settings, hand_over};
use crate::text;

/// Deserializes the value that comes next.
#[derive(Clone, Copy)]
pub(super) struct Value<'a, 'de> {
    pub(super) document: &'a Document<'a, 'de>,
    /// How deep it may nest.
    pub(super) depth: Depth,
    /// The mark on it.
    pub(super) mark: Option<Mark>,
}

impl<'a, 'de> Value<'a, 'de> {
    #[inline]
    pub(super) fn new(document: &'a Document<'a, 'de>, depth: Depth) -> Self {
        Value { document, depth, mark: None }
    }

    /// The value with the depth of its fields or items.
    #[inline]
    pub(super) fn level(self) -> Result<Self> {
        match self.depth.enter() {
            Some(depth) => Ok(Value { depth, ..self }),
            None => Err(self.refuse(too_deep(self.document.options.max_depth))),
        }
    }

    /// The value inside of a wrapper, which takes no bytes.
    #[inline]
    pub(super) fn wrapper(self) -> Result<Self> {
        match self.depth.wrap() {
            Some(depth) => Ok(Value { depth, ..self }),
            None => Err(self.refuse(too_deep(self.document.options.max_depth))),
        }
    }

    /// Refuses any mark: the value has one layout only.
    #[inline]
    fn check_unmarked(self, found: &'static str) -> Result<()> {
        match self.mark {
            None => Ok(()),
            Some(mark) => Err(self.refuse(mark.mismatch(found))),
        }
    }

    /// Refuses the value.
    #[inline]
    fn refuse(self, error: Error) -> Failed {
        self.document.keep(error)
    }

    /// The meaning of a container's name.
    #[inline]
    fn named<T>(self, mark: primitiv::Result<T>) -> Result<T> {
        mark.map_err(|error| self.refuse(error))
    }

    /// Takes an object with one marker and `N` bytes of content, if it is there.
    #[inline]
    pub(super) fn fixed<const N: usize>(self, object: Fixed) -> Option<[u8; N]> {
        let (marker, content) = self.document.rest.get().split_first()?;
        let (content, rest) = content.split_first_chunk()?;
        if *marker != object.marker.to_u8() {
            return None;
        }
        self.document.rest.set(rest);
        Some(*content)
    }

    /// Takes nil, the encoding of every value without elements.
    #[inline]
    pub(super) fn nil(self) -> Result<()> {
        match self.fixed::<0>(NIL) {
            Some([]) => Ok(()),
            None => {
                self.document.take_cold(|reader, _| wire::take_fixed::<0>(reader, NIL).map(drop))
            }
        }
    }

    /// Takes text that is so short that its marker has the length.
    #[inline]
    fn short(self) -> Option<&'de str> {
        let (marker @ 0xa0..0xc0, content) = self.document.rest.get().split_first()? else {
            return None;
        };
        let len = usize::from(marker & 0x1f);
        let text = text::first(content, len)?;
        self.document.rest.set(content.get(len..)?);
        Some(text)
    }

    /// Takes a str or bin, as the mark requires.
    #[inline]
    fn string(self, headed: Headed) -> Result<&'de [u8]> {
        match self.mark {
            None => self.document.string(headed),
            Some(Mark::Text) => self.document.string(Headed::Str),
            Some(mark) => Err(self.refuse(mark.mismatch("text or bytes"))),
        }
    }

    /// Reads a struct or tuple: one without elements is nil.
    #[inline]
    fn parts<V: Visitor<'de>>(self, len: usize, names: Names, visitor: V) -> Result<V::Value> {
        let value = self.level()?;
        if len == 0 {
            value.check_unmarked("a value without elements")?;
            value.nil()?;
        }
        parts::parts(value, len, names, visitor)
    }

    /// Reads a document of this module.
    #[cold]
    fn own_document<V: Visitor<'de>>(self, kind: DocumentKind, visitor: V) -> Result<V::Value> {
        let document = self.document;
        // After an error, it would take the same bytes for another, again and again.
        document.check_sound()?;
        let is_first = document.is_whole && document.taken() == 0;
        let is_alone = is_first && self.depth.levels == document.options.max_depth;
        let (offset, settings) = (document.offset(), self.settings());
        let bytes = document.take(|reader, lenient| {
            if is_alone && kind == DocumentKind::Model {
                Model::check_no_file_header(*reader, lenient)?;
            }
            kind.take(reader, settings)
        })?;
        visitor.visit_enum(hand_over(Found { bytes, offset, settings }))
    }

    /// The settings of what is passed as bytes.
    fn settings(&self) -> Settings {
        let options = self.document.options;
        raw::settings(options.lenient, self.depth, options.max_depth)
    }

    /// Returns the bytes of a lazy value, once they are known to be one object.
    #[cold]
    fn lazy<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a lazy value")?;
        let document = self.document;
        let offset = document.offset();
        let bytes = document.take(|reader, _| {
            if name == LIST {
                wire::take_header(&mut reader.clone(), Headed::Array)?;
            }
            wire::take_object(reader)
        })?;
        let settings = self.settings();
        visitor.visit_enum(hand_over(Found { bytes, offset, settings }))
    }

    /// Reads a value that is marked `any`: a bin.
    #[cfg(feature = "any")]
    #[cold]
    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a value that is marked `any`")?;
        let document = self.document;
        let bytes = document.take(|reader, lenient| {
            wire::take_bytes(reader, Headed::Bin, lenient).map(|(bytes, ..)| bytes)
        })?;
        let Value { depth, .. } = self.wrapper()?;
        let limits = Limits { depth, max_depth: document.options.max_depth };
        let offset = document.offset() - bytes.len();
        let part = Part::new(bytes, offset, limits);
        visitor.visit_enum(part).map_err(|error| self.refuse(error))
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident $type:ident $object:ident,)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.check_unmarked("an integer")?;
            let number = match self.fixed($object) {
                Some(bytes) => $type::from_be_bytes(bytes),
                None => {
                    let found = self.document.other_integer::<{ size_of::<$type>() }>($object)?;
                    $type::try_from(found)
                        .map_err(|_| self.document.out_of_range(found, stringify!($type)))?
                }
            };
            visitor.$visit(number)
        }
    )*};
}

macro_rules! wide_integers {
    ($($method:ident $visit:ident $type:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.check_unmarked("an integer")?;
            let found = self.document.take(|reader, lenient| match lenient {
                true => wire::take_integer(reader),
                false => Ok(None),
            })?;
            let number = match found {
                Some(found) => $type::try_from(found)
                    .map_err(|_| self.document.out_of_range(found, stringify!($type)))?,
                None => $type::from_be_bytes(
                    self.document.take(|reader, _| wire::take_wide(reader))?,
                ),
            };
            visitor.$visit(number)
        }
    )*};
}

impl<'de> Deserializer<'de> for Value<'_, 'de> {
    type Error = Failed;

    integers! {
        deserialize_u8 visit_u32 u32 UINT32, deserialize_u16 visit_u32 u32 UINT32,
        deserialize_u32 visit_u32 u32 UINT32, deserialize_u64 visit_u64 u64 UINT64,
        deserialize_i8 visit_i32 i32 INT32, deserialize_i16 visit_i32 i32 INT32,
        deserialize_i32 visit_i32 i32 INT32, deserialize_i64 visit_i64 i64 INT64,
    }

    wide_integers! { deserialize_u128 visit_u128 u128, deserialize_i128 visit_i128 i128, }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        const FALSE: u8 = Marker::False.to_u8();
        const TRUE: u8 = Marker::True.to_u8();
        self.check_unmarked("a bool")?;
        let found = match self.document.rest.get() {
            [found @ (FALSE | TRUE), rest @ ..] => {
                self.document.rest.set(rest);
                *found == TRUE
            }
            _ => self.document.take_cold(|reader, _| wire::take_bool(reader))?,
        };
        visitor.visit_bool(found)
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a float")?;
        visitor.visit_f32(match self.fixed(FLOAT32) {
            Some(bytes) => f32::from_be_bytes(bytes),
            None => self.document.take_cold(wire::take_float)?,
        })
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a float")?;
        visitor.visit_f64(match self.fixed(FLOAT64) {
            Some(bytes) => f64::from_be_bytes(bytes),
            None => self.document.take_cold(wire::take_double)?,
        })
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Some(mark @ Mark::Named) = self.mark {
            return Err(self.refuse(mark.mismatch("text or bytes")));
        }
        visitor.visit_borrowed_str(match self.short() {
            Some(text) => text,
            None => self.document.text()?,
        })
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let start = self.document.rest.get();
        match self.mark.is_none() && wire::array_follows(start) {
            false => visitor.visit_borrowed_bytes(self.string(Headed::Bin)?),
            true => {
                self.level()?;
                visitor
                    .visit_byte_buf(self.document.listed_bytes()?)
                    .map_err(|Failed| self.document.not_listed(start))
            }
        }
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    /// Nil is `None`; a value that begins with nil itself has a prefix.
    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        const NONE: u8 = Marker::Null.to_u8();
        const SOME: u8 = wire::SOME[0];
        match self.document.rest.get() {
            [NONE, rest @ ..] => {
                self.document.rest.set(rest);
                return visitor.visit_none();
            }
            [SOME, ..] => self.document.take_cold(|reader, _| wire::take_some(reader))?,
            [_, ..] => {}
            // Every value takes a byte. A type that is nothing but options would nest for ever.
            [] => self.nil()?,
        }
        let start = self.document.rest.get();
        let value = visitor.visit_some(self.wrapper()?);
        value.map_err(|Failed| self.document.wrapper_refused(start))
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a unit")?;
        self.nil()?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.named(Mark::refuse(name, "a unit struct"))?;
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(kind) = DocumentKind::of(name) {
            return self.own_document(kind, visitor);
        }
        if raw::is_reserved(name) {
            return self.lazy(name, visitor);
        }
        #[cfg(feature = "any")]
        if name == ANY {
            return self.any(visitor);
        }
        let mark = match (self.named(Mark::of(name))?, self.mark) {
            (Some(own), Some(outer)) if own != outer => {
                return Err(self.refuse(own.mismatch(TWO_MARKS)));
            }
            (own, outer) => own.or(outer),
        };
        let start = self.document.rest.get();
        let value = visitor.visit_newtype_struct(Value { mark, ..self.wrapper()? });
        value.map_err(|Failed| self.document.wrapper_refused(start))
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a sequence")?;
        parts::sequence(self, visitor)
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a tuple or array")?;
        self.parts(len, Names::Indices, visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.named(Mark::refuse(name, "a tuple struct"))?;
        self.check_unmarked("a tuple or array")?;
        self.parts(len, Names::SLOTS, visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a map")?;
        parts::map(self, visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let mark = match self.named(Mark::of(name))?.or(self.mark) {
            Some(mark @ Mark::Text) => return Err(self.refuse(mark.mismatch("a struct"))),
            mark => mark,
        };
        if let [_, _] = fields {
            // Perhaps an adjacently tagged enum, whose tag is the first field.
            let left = self.document.rest.get().len();
            self.document.adjacent.set(Adjacent::Tag(left));
        }
        Value { mark, ..self }.parts(fields.len(), Names::Fields(fields), visitor)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let start = self.document.rest.get();
        let mark = match (self.named(Mark::of(name))?, self.mark) {
            (Some(mark @ Mark::Text), _) | (_, Some(mark @ Mark::Text)) => {
                return Err(self.refuse(mark.mismatch("an enum")));
            }
            (own, outer) => own.or(outer),
        };
        let variant = Variant::take(Value { mark, ..self })?;
        visitor.visit_enum(variant).map_err(|Failed| self.document.place(start))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        adjacent::identifier(self, visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let document = self.document;
        match document.adjacent.take() {
            Adjacent::Content(left) if left == document.rest.get().len() => {
                adjacent::content(self, visitor)
            }
            _ if document.options.lenient => lenient::read(self, visitor),
            _ => Err(document.not_described()),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let document = self.document;
        let left = document.rest.get().len();
        if document.adjacent.get() == Adjacent::Field(left, self.depth) {
            document.adjacent.set(Adjacent::Skipped);
            return visitor.visit_unit();
        }
        match document.options.lenient {
            true => lenient::read(self, visitor),
            false => Err(document.not_described()),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
