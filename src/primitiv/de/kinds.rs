//! Reading a value of each of serde's kinds.

use rmp::Marker;
use serde_core::de::{self, Visitor};

use super::access::{Counted, NumberedFields, Parts, TAG_AND_CONTENT};
use super::any;
use super::raw::RawReader;
use super::value::ValueReader;
use super::variant::Variant;
use super::{Own, State, refusal};
use crate::glue::adjacent::Tag;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::glue::mark::TWO_MARKS;
use crate::glue::names::Names;
use crate::glue::nested::Owner;
use crate::primitiv::document::Document;
use crate::primitiv::mark::Mark;
use crate::primitiv::raw;
use crate::primitiv::wire::{self, Headed};
use crate::primitiv::{Error, ErrorKind, Result};
use crate::text;

/// Integers: the object that is read, how its bytes become the number, the visitor's method.
macro_rules! deserialize_integers {
    ($($method:ident $object:ident $type:ident $visit:ident,)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
            self.check_unmarked("an integer")?;
            if let Some(number) = self.other_integer(wire::$object)? {
                return any::visit_integer(number, visitor);
            }
            let reader = &mut self.state.reader;
            let bytes = wire::take_fixed(reader, wire::$object)?;
            visitor.$visit($type::from_be_bytes(bytes))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for RawReader<'_, 'de> {
    type Error = Error;

    deserialize_integers! {
        deserialize_u8 UINT32 u32 visit_u32,
        deserialize_u16 UINT32 u32 visit_u32,
        deserialize_u32 UINT32 u32 visit_u32,
        deserialize_u64 UINT64 u64 visit_u64,
        deserialize_i8 INT32 i32 visit_i32,
        deserialize_i16 INT32 i32 visit_i32,
        deserialize_i32 INT32 i32 visit_i32,
        deserialize_i64 INT64 i64 visit_i64,
    }

    /// By the marker, if these options accept the streams of other writers; the content of an
    /// adjacently tagged struct variant by its fields. Refused otherwise: our own streams do not
    /// say where a struct ends.
    #[cold]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let RawReader { state, .. } = self;
        let offset = state.reader.offset();
        if let Some(content) = state.adjacent.take_content(offset) {
            return match state.adjacent.is_unit::<V::Value>(content) {
                true => visitor.visit_unit().map_err(|error| {
                    state.adjacent.learn::<V::Value>(content);
                    state.refused_at(error, offset)
                }),
                false => state.in_level(|state| NumberedFields::new(state, content).visit(visitor)),
            };
        }
        match state.own.lenient {
            true => any::read(state, visitor),
            false => Err(state.refused_at(refusal(), offset)),
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a bool")?;
        let reader = &mut self.state.reader;
        let offset = reader.offset();
        match wire::take_marker(reader)? {
            Marker::True => visitor.visit_bool(true),
            Marker::False => visitor.visit_bool(false),
            other => Err(wire::wrong_marker(other.to_u8(), "a bool", offset)),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("an integer")?;
        match self.other_integer(wire::WIDE)? {
            Some(number) => any::visit_integer(number, visitor),
            None => visitor.visit_u128(u128::from_be_bytes(self.take_wide()?)),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("an integer")?;
        match self.other_integer(wire::WIDE)? {
            Some(number) => any::visit_integer(number, visitor),
            None => visitor.visit_i128(i128::from_be_bytes(self.take_wide()?)),
        }
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a float")?;
        let State { reader, own: Own { lenient, .. }, .. } = self.state;
        visitor.visit_f32(wire::take_float(reader, *lenient)?)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a float")?;
        let State { reader, own: Own { lenient, .. }, .. } = self.state;
        if *lenient && reader.peek() == Some(Marker::F32.to_u8()) {
            return visitor.visit_f64(wire::take_float(reader, true)?.into());
        }
        let bytes = wire::take_fixed(reader, wire::FLOAT64)?;
        visitor.visit_f64(f64::from_be_bytes(bytes))
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (bytes, offset) = self.bytes(Headed::Str)?;
        visitor.visit_borrowed_str(text::utf8::<ErrorKind>(bytes, offset)?)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.mark.is_none() && wire::array_follows(&self.state.reader) {
            return self.listed_bytes(visitor);
        }
        visitor.visit_borrowed_bytes(self.bytes(Headed::Bin)?.0)
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    /// Nil is `None`; what begins with nil itself has something in front of it.
    #[inline]
    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.state.reader.peek() {
            Some(first) if first == Marker::Null.to_u8() => {
                self.take_nil()?;
                visitor.visit_none()
            }
            // Every value takes a byte. A type that is nothing but options would nest for ever.
            None => wire::take_marker(&mut self.state.reader).and_then(|_| visitor.visit_none()),
            Some(first) => {
                if first == Marker::FixExt1.to_u8() {
                    any::take_some(&mut self.state.reader)?;
                }
                let RawReader { state, mark } = self;
                state.in_wrapper(|state| visitor.visit_some(ValueReader { state, mark }))
            }
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a unit")?;
        self.take_nil()?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.check_name(name, "a unit struct")?;
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(which) = Document::of(name) {
            return self.state.document(which, visitor);
        }
        if raw::is_reserved(name) {
            return self.part(name, visitor);
        }
        #[cfg(feature = "any")]
        if name == ANY {
            return self.any(visitor);
        }
        let own = self.own_mark(name)?;
        let RawReader { state, mark } = self;
        let offset = state.reader.offset();
        let mark = match (own, mark) {
            (Some(own), Some(outer)) if own != outer => {
                return Err(own.mismatch(TWO_MARKS).or_offset(offset));
            }
            (own, outer) => own.or(outer),
        };
        state.in_wrapper(|state| visitor.visit_newtype_struct(ValueReader { state, mark }))
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a sequence")?;
        let mut items = Counted::begin(self.state, Headed::Array, 1)?;
        let value = visitor.visit_seq(&mut items);
        items.end(value)
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.parts(len, Names::Indices, visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.check_name(name, "a tuple struct")?;
        self.parts(len, Names::SLOTS, visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_unmarked("a map")?;
        let mut entries = Counted::begin(self.state, Headed::Map, 2)?;
        let value = visitor.visit_map(&mut entries);
        entries.end(value)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let mark = self.own_mark(name)?.or(self.mark);
        let RawReader { state, .. } = self;
        let owner = Owner::of::<V::Value>(name);
        let value = Parts::begin_struct(&mut *state, mark, owner, fields)?.visit(visitor);
        if fields.len() == TAG_AND_CONTENT {
            state.adjacent.end_struct();
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
        let _ = variants;
        let own = self.own_mark(name)?;
        let RawReader { state, mark } = self;
        let offset = state.reader.offset();
        let named = match (own, mark) {
            (Some(Mark::Text), _) | (_, Some(Mark::Text)) => {
                return Err(Mark::Text.mismatch("an enum").or_offset(offset));
            }
            (own, outer) => own.or(outer).is_some(),
        };
        Variant::take(state, named)?.visit(visitor)
    }

    /// The tag of an adjacently tagged enum, which is written as a unit variant. Other identifiers
    /// are text.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let RawReader { state, mark } = self;
        let offset = state.reader.offset();
        if !state.adjacent.is_tag(offset) {
            return RawReader { state, mark }.deserialize_str(visitor);
        }
        let named = mark.is_some();
        let (tag, tag_of) = match !named && wire::uint32_follows(&state.reader, state.own.lenient) {
            true => {
                let index = wire::take_uint32(&mut state.reader, state.own.lenient)?;
                let tag = visitor
                    .visit_u32(index)
                    .map_err(|_: Error| Error::at(ErrorKind::UnknownVariant { index }, offset))?;
                let tag_of = Tag::of(&tag, index.into());
                (tag, tag_of)
            }
            false => {
                let mut ahead = state.reader;
                let tag = ValueReader::new(&mut *state).deserialize_str(visitor)?;
                let name = ahead.take::<ErrorKind>(state.reader.offset() - offset)?;
                let tag_of = Tag::of_name(&tag, name);
                (tag, tag_of)
            }
        };
        state.adjacent.expect_content(tag_of, state.reader.offset());
        Ok(tag)
    }

    #[cold]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let RawReader { state, .. } = self;
        let offset = state.reader.offset();
        match state.own.lenient {
            true => any::read(state, visitor),
            false => Err(state.refused_at(refusal(), offset)),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
