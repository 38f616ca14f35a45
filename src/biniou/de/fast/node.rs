//! Reading a value whose tag is taken. Knows which tags a type may have, does not know how parts follow
//! each other.

use serde_core::de::{self, Visitor};

use super::input::Input;
use super::parts::{Cells, Entries, Items, MOST_CELLS, Variant};
use super::record;
use super::{Bail, Result};
use crate::biniou::mark::{Mark, Target};
use crate::biniou::value::VALUE;
use crate::biniou::wire::{self, CELL_SIZE, Source, Tag};
use crate::glue::plain::Plain;

/// A deserializer for the value behind a tag.
pub(super) struct Node<'a, 's, 'n, 'de, O> {
    pub(super) input: &'a mut Input<'s, 'n, 'de, O>,
    pub(super) tag_and_mark: TagAndMark,
}

/// The tag of a value, the mark that stands on it, and whether it is a field. One number, so that
/// functions get it and a pointer in registers.
#[derive(Clone, Copy)]
pub(super) struct TagAndMark(u32);

impl TagAndMark {
    const IN_FIELD: u32 = 1 << 16;

    /// The byte of the tag, which may be none, and the mark that stands on the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(tag: u8, mark: Option<Mark>) -> Self {
        TagAndMark(u32::from_le_bytes([tag, Mark::to_code(mark), 0, 0]))
    }

    /// That of a field of a record, where an optional one is bare.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of_field(tag: u8) -> Self {
        TagAndMark(u32::from(tag) | Self::IN_FIELD)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tag(self) -> u8 {
        self.0.to_le_bytes()[0]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn mark(self) -> Option<Mark> {
        Mark::from_code(self.0.to_le_bytes()[1])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn in_field(self) -> bool {
        self.0 & Self::IN_FIELD != 0
    }

    /// Whether it is a tag without a mark.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_plain(self, tag: Tag) -> bool {
        self.0 & !Self::IN_FIELD == u32::from(tag.byte())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with_mark(self, mark: Option<Mark>) -> Self {
        TagAndMark(TagAndMark::new(self.tag(), mark).0 | self.0 & Self::IN_FIELD)
    }
}

const ARRAY: u8 = Tag::Array.byte();
const TUPLE: u8 = Tag::Tuple.byte();

impl<'a, 's, 'n, 'de, O> Node<'a, 's, 'n, 'de, O> {
    /// Reads a value with its tag in front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read_tagged<T>(
        input: &mut Input<'_, 'n, 'de, O>,
        mark: Option<Mark>,
        read: impl FnOnce(Node<'_, '_, 'n, 'de, O>) -> Result<T>,
    ) -> Result<T> {
        let tag = input.take_byte()?;
        input.value(|input| read(Node { input, tag_and_mark: TagAndMark::new(tag, mark) }))
    }

    /// Goes on if the tag is the one asked for and no mark says otherwise.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn expect(&mut self, tag: Tag) -> Result<()> {
        match self.tag_and_mark.is_plain(tag) {
            true => Ok(()),
            false => self.input.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_cells<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        if self.tag_and_mark.tag() != TUPLE || !Mark::is_for_items(self.tag_and_mark.mark()) {
            return self.input.bail();
        }
        let mark = self.tag_and_mark.mark();
        self.input.level(|input| {
            if input.takes_count(len, CELL_SIZE) || wire::take_cells(input)? == len {
                return Cells { input, left: len, hint: len.min(MOST_CELLS), mark }.visit(visitor);
            }
            input.bail()
        })
    }
}

macro_rules! deserialize_integers {
    ($($method:ident $take:ident $bits:literal,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.input.$take(self.tag_and_mark, $bits)? {
                (bits, false) => visitor.visit_u64(bits),
                (bits, true) => visitor.visit_i64(i64::from_ne_bytes(bits.to_ne_bytes())),
            }
        }
    )*};
}

impl<'de, O> de::Deserializer<'de> for Node<'_, '_, '_, 'de, O> {
    type Error = Bail;

    deserialize_integers! {
        deserialize_i8 take_signed 8, deserialize_i16 take_signed 16,
        deserialize_i32 take_signed 32, deserialize_i64 take_signed 64,
        deserialize_u8 take_unsigned 8, deserialize_u16 take_unsigned 16,
        deserialize_u32 take_unsigned 32, deserialize_u64 take_unsigned 64,
    }

    #[inline]
    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.input.take_wide(self.tag_and_mark)?.visit(Plain(visitor))
    }

    #[inline]
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.input.take_wide(self.tag_and_mark)?.visit(Plain(visitor))
    }

    /// Bails: a type that asks the data what it is needs reasons, names, and to tell lists from maps.
    #[cold]
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        self.input.bail()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.expect(Tag::Bool)?;
        visitor.visit_bool(wire::take_bool(self.input)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f32<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.tag_and_mark = self
            .tag_and_mark
            .with_mark(self.tag_and_mark.mark().filter(|mark| !mark.fits(Target::Float)));
        self.expect(Tag::Float32)?;
        visitor.visit_f32(f32::from_be_bytes(self.input.take_array()?))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f64<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if self.tag_and_mark.mark().is_some_and(|mark| mark.fits(Target::Float)) {
            self.tag_and_mark = self.tag_and_mark.with_mark(None);
            self.expect(Tag::Float32)?;
            return visitor.visit_f64(f32::from_be_bytes(self.input.take_array()?).into());
        }
        self.expect(Tag::Float64)?;
        visitor.visit_f64(f64::from_be_bytes(self.input.take_array()?))
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if !self.tag_and_mark.mark().is_some_and(|mark| mark.fits(Target::Char)) {
            return self.deserialize_str(visitor);
        }
        self.tag_and_mark = self.tag_and_mark.with_mark(None);
        self.expect(Tag::Int8)?;
        visitor.visit_char(char::from(self.input.take_byte()?))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.input.take_text(self.tag_and_mark)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.expect(Tag::String)?;
        let (bytes, ()) = wire::take_string(self.input)?;
        visitor.visit_borrowed_bytes(bytes)
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Node { input, tag_and_mark } = self;
        let mark = tag_and_mark.mark();
        if mark == Some(Mark::Optional) && tag_and_mark.in_field() {
            // The field is there, so this is `Some`, and nothing stands in front of it.
            return input.wrapper(|input| {
                visitor.visit_some(Node {
                    input,
                    tag_and_mark: TagAndMark::new(tag_and_mark.tag(), None),
                })
            });
        }
        if tag_and_mark.tag() != Tag::NumVariant.byte() {
            return input.bail();
        }
        let mark = Mark::in_option(mark);
        match wire::take_option(input)? {
            false => visitor.visit_none(),
            true => {
                input.level(|input| Node::read_tagged(input, mark, |node| visitor.visit_some(node)))
            }
        }
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.expect(Tag::Unit)?;
        wire::take_unit(self.input)?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match Mark::is_none_in(name) {
            true => self.deserialize_unit(visitor),
            false => self.input.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let Node { input, tag_and_mark } = self;
        let Ok(own) = Mark::of_newtype(name) else { return input.bail() };
        let mark = match (own, tag_and_mark.mark()) {
            (Some(Mark::Shared { .. } | Mark::Table), _) => return input.bail(),
            (own, mark) if !Mark::agree(own, mark) => return input.bail(),
            (own, mark) => own.or(mark),
        };
        let tag_and_mark = tag_and_mark.with_mark(mark);
        input.wrapper(|input| visitor.visit_newtype_struct(Node { input, tag_and_mark }))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !Mark::is_for_items(self.tag_and_mark.mark()) {
            return self.input.bail();
        }
        let Node { input, tag_and_mark } = self;
        let mark = tag_and_mark.mark();
        match tag_and_mark.tag() {
            ARRAY => input.level(|input| Items::take(input, mark)?.visit(visitor)),
            TUPLE => input.level(|input| {
                let left = wire::take_cells(input)?;
                let hint = input.claim(left);
                Cells { input, left, hint, mark }.visit(visitor)
            }),
            _ => input.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.visit_cells(len, visitor)
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        match Mark::is_none_in(name) {
            true => self.visit_cells(len, visitor),
            false => self.input.bail(),
        }
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        self.expect(Tag::Array)?;
        self.input.level(|input| Entries::take(input)?.visit(visitor))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.expect(Tag::Record)?;
        match Mark::is_none_in(name) {
            true => self.input.level(|input| record::take(input, fields, visitor)),
            false => self.input.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.expect(Tag::Variant)?;
        if name == VALUE || !Mark::is_none_in(name) {
            return self.input.bail();
        }
        Variant::visit(self.input, variants, visitor)
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.tag_and_mark.in_field() {
            // The tag of an adjacently tagged enum, which is a variant where records are maps.
            return self.input.bail();
        }
        self.deserialize_str(visitor)
    }

    #[cold]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.input.skip(self.tag_and_mark.tag())?;
        visitor.visit_unit()
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
