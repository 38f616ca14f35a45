//! Reading the value that the reader is at.

use rmp::Marker;
use serde_core::de::{self, Visitor};

use super::State;
use super::access::{Entries, Items, Names, NumberedFields, Parts, Variant};
use super::any;
use crate::primitiv::document::{self, Document};
use crate::primitiv::mark::Mark;
use crate::primitiv::wire::{self, Headed};
use crate::primitiv::{Error, ErrorKind, Result};
use crate::read;

/// A deserializer for the value that the reader is at.
pub(super) struct Node<'a, 'de> {
    pub(super) state: &'a mut State<'de>,
    /// The mark that stands on the value.
    mark: Option<Mark>,
}

impl<'a, 'de> Node<'a, 'de> {
    #[inline]
    pub(super) fn new(state: &'a mut State<'de>) -> Self {
        Node { state, mark: None }
    }

    /// Refuses a mark that does not fit.
    #[inline]
    fn unless_marked(&self, found: &'static str) -> Result<()> {
        match self.mark {
            None => Ok(()),
            Some(mark) => Err(mark.misfit(found).or_offset(self.state.reader.offset())),
        }
    }

    /// Takes nil, as which every value without parts is written.
    #[inline]
    fn take_nil(&mut self) -> Result<()> {
        wire::take_fixed::<0>(&mut self.state.reader, Marker::Null, "nil").map(|_| ())
    }

    /// Takes a 128-bit integer: a bin of 16 bytes.
    fn take_wide(&mut self) -> Result<[u8; 16]> {
        let expected = "bin of 16 bytes (0xc4 0x10)";
        let reader = &mut self.state.reader;
        let offset = reader.offset();
        let [len] = wire::take_fixed(reader, Marker::Bin8, expected)?;
        match len == wire::WIDE_SIZE {
            true => reader.take_array(),
            false => Err(wire::wrong_marker(Marker::Bin8.to_u8(), expected, offset)),
        }
    }

    /// Hands any integer to a visitor, if these options accept any.
    #[inline]
    fn lenient_integer(&mut self) -> Result<Option<i128>> {
        match self.state.lenient {
            false => Ok(None),
            true => wire::take_integer(&mut self.state.reader),
        }
    }

    /// Takes a str or bin, as the mark says.
    #[inline]
    fn bytes(self, headed: Headed) -> Result<(&'de [u8], usize)> {
        if self.mark == Some(Mark::Named) {
            self.unless_marked("text or bytes")?;
        }
        let headed = if self.mark.is_some() { Headed::Str } else { headed };
        let State { reader, lenient, .. } = self.state;
        let (bytes, offset, _) = wire::take_bytes(reader, headed, *lenient)?;
        Ok((bytes, offset))
    }

    /// Reads the parts of a tuple or struct.
    #[inline]
    fn parts<V: Visitor<'de>>(self, len: usize, names: Names, visitor: V) -> Result<V::Value> {
        self.unless_marked("a tuple or struct")?;
        let Node { state, .. } = self;
        let takes_nil = len == 0;
        state.level(|state| {
            if takes_nil {
                Node::new(state).take_nil()?;
            }
            visitor.visit_seq(Parts { state, next: 0, len, names })
        })
    }

    /// Refuses a mark in the name of a container that is neither newtype nor enum.
    fn unless_named(&self, name: &'static str, found: &'static str) -> Result<()> {
        match Mark::of(name) {
            None => Ok(()),
            Some(mark) => Err(mark.misfit(found).or_offset(self.state.reader.offset())),
        }
    }
}

/// Integers: the marker that is read, how its bytes become the number, the visitor's method.
macro_rules! deserialize_integers {
    ($($method:ident $marker:ident $expected:literal $type:ident $visit:ident,)*) => {$(
        #[inline]
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
            self.unless_marked("an integer")?;
            if let Some(number) = self.lenient_integer()? {
                return any::visit_integer(number, visitor);
            }
            let reader = &mut self.state.reader;
            let bytes = wire::take_fixed(reader, Marker::$marker, $expected)?;
            visitor.$visit($type::from_be_bytes(bytes))
        }
    )*};
}

impl<'de> de::Deserializer<'de> for Node<'_, 'de> {
    type Error = Error;

    deserialize_integers! {
        deserialize_u8 U32 "uint32 (0xce)" u32 visit_u32,
        deserialize_u16 U32 "uint32 (0xce)" u32 visit_u32,
        deserialize_u32 U32 "uint32 (0xce)" u32 visit_u32,
        deserialize_u64 U64 "uint64 (0xcf)" u64 visit_u64,
        deserialize_i8 I32 "int32 (0xd2)" i32 visit_i32,
        deserialize_i16 I32 "int32 (0xd2)" i32 visit_i32,
        deserialize_i32 I32 "int32 (0xd2)" i32 visit_i32,
        deserialize_i64 I64 "int64 (0xd3)" i64 visit_i64,
    }

    /// By the marker, if these options accept the streams of other writers; the content of an
    /// adjacently tagged struct variant by its fields. Refused otherwise: our own streams do not
    /// say where a struct ends.
    #[cold]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Node { state, .. } = self;
        let offset = state.reader.offset();
        if state.content_at.take() == Some(offset) {
            return state.level(|state| NumberedFields::new(state).visit(visitor));
        }
        match state.lenient {
            true => any::read(state, visitor),
            false => Err(state.failed(any::refusal(), offset)),
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.unless_marked("a bool")?;
        let reader = &mut self.state.reader;
        let offset = reader.offset();
        match wire::take_marker(reader)? {
            Marker::True => visitor.visit_bool(true),
            Marker::False => visitor.visit_bool(false),
            other => Err(wire::wrong_marker(other.to_u8(), "a bool", offset)),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.unless_marked("an integer")?;
        match self.lenient_integer()? {
            Some(number) => any::visit_integer(number, visitor),
            None => visitor.visit_u128(u128::from_be_bytes(self.take_wide()?)),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.unless_marked("an integer")?;
        match self.lenient_integer()? {
            Some(number) => any::visit_integer(number, visitor),
            None => visitor.visit_i128(i128::from_be_bytes(self.take_wide()?)),
        }
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.unless_marked("a float")?;
        let State { reader, lenient, .. } = self.state;
        visitor.visit_f32(wire::take_float(reader, *lenient)?)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.unless_marked("a float")?;
        let State { reader, lenient, .. } = self.state;
        if *lenient && reader.peek() == Some(Marker::F32.to_u8()) {
            return visitor.visit_f64(wire::take_float(reader, true)?.into());
        }
        let bytes = wire::take_fixed(reader, Marker::F64, "float64 (0xcb)")?;
        visitor.visit_f64(f64::from_be_bytes(bytes))
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let (bytes, offset) = self.bytes(Headed::Str)?;
        visitor.visit_borrowed_str(read::utf8::<ErrorKind>(bytes, offset)?)
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
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
            first => {
                if first == Some(Marker::FixExt1.to_u8()) {
                    any::take_some(&mut self.state.reader)?;
                }
                let Node { state, mark } = self;
                state.wrapper(|state| visitor.visit_some(Node { state, mark }))
            }
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.unless_marked("a unit")?;
        self.take_nil()?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.unless_named(name, "a unit struct")?;
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let Node { state, mark } = self;
        let offset = state.reader.offset();
        if let Some(which) = Document::of(name) {
            let State { reader, lenient, .. } = state;
            return document::hand_over(which, reader, *lenient, visitor);
        }
        let mark = match (Mark::of(name), mark) {
            (Some(own), Some(outer)) if own != outer => {
                return Err(own.misfit("a value with another mark").or_offset(offset));
            }
            (own, outer) => own.or(outer),
        };
        state.wrapper(|state| visitor.visit_newtype_struct(Node { state, mark }))
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.unless_marked("a sequence")?;
        let offset = self.state.reader.offset();
        self.state.level(|state| {
            let (count, _) = wire::take_count(&mut state.reader, Headed::Array, 1)?;
            let room = state.room.claim(count);
            let mut items = Items { state, next: 0, count, room };
            let value = visitor.visit_seq(&mut items).map_err(|error| error.or_offset(offset))?;
            items.all_taken(offset)?;
            Ok(value)
        })
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
        self.unless_named(name, "a tuple struct")?;
        self.parts(len, Names::Slots, visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.unless_marked("a map")?;
        let offset = self.state.reader.offset();
        self.state.level(|state| {
            let (count, _) = wire::take_count(&mut state.reader, Headed::Map, 2)?;
            let room = state.room.claim(count);
            let mut entries = Entries { state, next: 0, count, room };
            let value = visitor.visit_map(&mut entries).map_err(|error| error.or_offset(offset))?;
            entries.all_taken(offset)?;
            Ok(value)
        })
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.unless_named(name, "a struct")?;
        self.parts(fields.len(), Names::Fields(fields), visitor)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let Node { state, mark } = self;
        let offset = state.reader.offset();
        let named = match (Mark::of(name), mark) {
            (Some(Mark::Text), _) | (_, Some(Mark::Text)) => {
                return Err(Mark::Text.misfit("an enum").or_offset(offset));
            }
            (own, outer) => own.or(outer).is_some(),
        };
        Variant::take(state, named)?.visit(visitor)
    }

    /// The tag of an adjacently tagged enum, which is written as a unit variant. Other identifiers
    /// are text.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Node { state, mark } = self;
        let offset = state.reader.offset();
        if state.tag_at.take() != Some(offset) {
            return Node { state, mark }.deserialize_str(visitor);
        }
        let result = match state.reader.peek() == Some(Marker::U32.to_u8()) {
            true => {
                let index = wire::take_uint32(&mut state.reader, false)?;
                visitor
                    .visit_u32(index)
                    .map_err(|_: Error| Error::at(ErrorKind::UnknownVariant { index }, offset))
            }
            false => Node::new(state).deserialize_str(visitor),
        };
        state.content_at = Some(state.reader.offset());
        result
    }

    #[cold]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Node { state, .. } = self;
        let offset = state.reader.offset();
        match state.lenient {
            true => any::read(state, visitor),
            false => Err(state.failed(any::refusal(), offset)),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
