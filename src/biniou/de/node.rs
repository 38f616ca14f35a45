//! Reading a value whose tag is known. Knows which tags a type may have, does not know how parts follow
//! each other.

pub(super) mod integer;

use super::access::{Cells, Items, Variant};
use super::reading::{Rare, Reading, TagAndMark};
use crate::biniou::ErrorKind;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::raw;
use crate::biniou::value::VALUE;
use crate::biniou::wire::{self, Tag};
use crate::error::Segment;
use crate::glue::de::{Deserializer, Visitor};
#[cfg(feature = "any")]
use crate::glue::mark::ANY;

/// `serde_json::value::RawValue`: written as a struct with a field of its own name, read as a newtype.
pub(super) const RAW_VALUE: &[&str; 1] = &["$serde_json::private::RawValue"];

/// A deserializer for the value that the input is at, behind its tag.
pub(super) struct Node<'a, 'de, R: Reading<'de>> {
    pub(super) input: &'a mut R,
    pub(super) tag_and_mark: TagAndMark,
    /// Where the tag lies, which may stand for many values.
    pub(super) at: R::Place,
}

impl<'a, 'de, R: Reading<'de>> Node<'a, 'de, R> {
    /// A value with its tag in front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tagged(input: &'a mut R, mark: Option<Mark>) -> Result<Self, R::Error> {
        let at = input.place();
        let tag_and_mark = TagAndMark::new(input.take_tag()?, mark);
        Ok(Node { input, tag_and_mark, at })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn mark(&self) -> Option<Mark> {
        self.tag_and_mark.mark()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn with_mark(self, mark: Option<Mark>) -> Self {
        Node { tag_and_mark: self.tag_and_mark.with_mark(mark), ..self }
    }

    /// The error for a tag other than the expected ones.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrong_tag<T>(self, expected: &'static str) -> Result<T, R::Error> {
        let tag = self.tag_and_mark.tag();
        Err(self.input.fault(self.at, || {
            let found = Tag::from_byte(tag).map_or("", Tag::name);
            ErrorKind::WrongTag { found, expected }
        }))
    }

    /// Refuses a mark that does not fit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn check_mark(&mut self, target: Target) -> Result<(), R::Error> {
        match self.mark() {
            Some(mark) if !mark.fits(target) => self.input.exactly(|| Err(mark.misfit(target))),
            _ => Ok(()),
        }
    }

    /// Refuses a mark in the name of a container that is no newtype struct.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn check_name(&mut self, name: &'static str, target: Target) -> Result<(), R::Error> {
        match Mark::is_none_in(name) {
            true => Ok(()),
            false => self.input.exactly(|| Mark::refuse(name, target)),
        }
    }

    /// Reads a value of a single tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of<T>(
        mut self,
        tag: Tag,
        target: Target,
        read: impl FnOnce(Node<'_, 'de, R>) -> Result<T, R::Error>,
    ) -> Result<T, R::Error> {
        if !self.tag_and_mark.is_plain(tag) {
            self.check_mark(target)?;
        }
        R::open(self, |node| match node.tag_and_mark.is(tag) {
            true => read(node),
            false => node.wrong_tag(tag.name()),
        })
    }

    /// Reads the items of an ARRAY or TUPLE.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn items<V: Visitor<'de, R::Error>>(self, visitor: V) -> Result<V::Value, R::Error> {
        let mark = self.mark();
        match self.tag_and_mark.is(Tag::Array) {
            true => self.input.level(|input| Items::take(input, mark)?.visit(visitor)),
            false => self.input.level(|input| Cells::visit_all(input, mark, visitor)),
        }
    }

    /// Reads the cells of a TUPLE, of which a type takes `len`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cells<V: Visitor<'de, R::Error>>(
        self,
        len: usize,
        segment: fn(usize) -> Segment,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        let mark = self.mark();
        self.input.level(|input| Cells::visit_some(input, len, mark, segment, visitor))
    }

    /// Takes the bytes of a string, and where they begin.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn string(self) -> Result<(&'de [u8], R::Place), R::Error> {
        self.of(Tag::String, Target::Text, |node| node.input.take_string())
    }
}

macro_rules! deserialize_integers {
    ($($method:ident $likely:ident $bits:literal,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de, R::Error>>(self, visitor: V) -> Result<V::Value, R::Error> {
            R::visit_integer(self, Tag::$likely, $bits, visitor)
        }
    )*};
}

impl<'de, R: Reading<'de>> Deserializer<'de> for Node<'_, 'de, R> {
    type Error = R::Error;

    deserialize_integers! {
        deserialize_i8 Svint 8, deserialize_i16 Svint 16, deserialize_i32 Svint 32,
        deserialize_i64 Svint 64, deserialize_i128 Svint 128,
        deserialize_u8 Uvint 8, deserialize_u16 Uvint 16, deserialize_u32 Uvint 32,
        deserialize_u64 Uvint 64, deserialize_u128 Uvint 128,
    }

    #[cold]
    fn deserialize_any<V: Visitor<'de, R::Error>>(self, visitor: V) -> Result<V::Value, R::Error> {
        R::rarely(self, Rare::Any, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de, R::Error>>(self, visitor: V) -> Result<V::Value, R::Error> {
        let value = self.of(Tag::Bool, Target::Bool, |node| wire::take_bool(node.input))?;
        visitor.visit_bool(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f32<V: Visitor<'de, R::Error>>(self, visitor: V) -> Result<V::Value, R::Error> {
        let bytes = self.of(Tag::Float32, Target::Float, |node| node.input.take_array())?;
        visitor.visit_f32(f32::from_be_bytes(bytes))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f64<V: Visitor<'de, R::Error>>(self, visitor: V) -> Result<V::Value, R::Error> {
        let value = match self.mark() {
            None => {
                let bytes = self.of(Tag::Float64, Target::Float, |node| node.input.take_array())?;
                f64::from_be_bytes(bytes)
            }
            Some(_) => {
                let bytes = self.of(Tag::Float32, Target::Float, |node| node.input.take_array())?;
                f32::from_be_bytes(bytes).into()
            }
        };
        visitor.visit_f64(value)
    }

    #[inline]
    fn deserialize_char<V: Visitor<'de, R::Error>>(self, visitor: V) -> Result<V::Value, R::Error> {
        if !self.mark().is_some_and(|mark| mark.fits(Target::Char)) {
            return self.deserialize_str(visitor);
        }
        let [code] = self.of(Tag::Int8, Target::Char, |node| node.input.take_array())?;
        visitor.visit_char(char::from(code))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_str<V: Visitor<'de, R::Error>>(self, visitor: V) -> Result<V::Value, R::Error> {
        visitor.visit_borrowed_str(R::take_text(self)?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_string<V: Visitor<'de, R::Error>>(
        self,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.deserialize_str(visitor)
    }

    #[inline]
    fn deserialize_bytes<V: Visitor<'de, R::Error>>(
        self,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        match self.tag_and_mark.is(Tag::Array) {
            true => R::rarely(self, Rare::Numbers, visitor),
            false => visitor.visit_borrowed_bytes(self.string()?.0),
        }
    }

    #[inline]
    fn deserialize_byte_buf<V: Visitor<'de, R::Error>>(
        self,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de, R::Error>>(
        self,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        let mark = self.mark();
        if mark == Some(Mark::Optional) && self.tag_and_mark.in_field() {
            // The field is there, so this is `Some`, and nothing stands in front of it.
            let Node { input, tag_and_mark, at } = self;
            let tag_and_mark = TagAndMark::new(tag_and_mark.tag(), None);
            return input.wrapper(|input| visitor.visit_some(Node { input, tag_and_mark, at }));
        }
        let mark = Mark::in_option(mark);
        R::open(self, |node| {
            if !node.tag_and_mark.is(Tag::NumVariant) {
                return node.wrong_tag(Tag::NumVariant.name());
            }
            match wire::take_option(node.input)? {
                false => visitor.visit_none(),
                true => {
                    node.input.level(|input| input.tagged(mark, |node| visitor.visit_some(node)))
                }
            }
        })
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de, R::Error>>(self, visitor: V) -> Result<V::Value, R::Error> {
        self.of(Tag::Unit, Target::Unit, |node| wire::take_unit(node.input))?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de, R::Error>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.check_name(name, Target::UnitStruct)?;
        self.deserialize_unit(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de, R::Error>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        #[cfg(feature = "any")]
        if name == ANY {
            return R::rarely(self, Rare::MarkedAny, visitor);
        }
        if raw::is_reserved(name) {
            return R::rarely(self, Rare::Raw(name), visitor);
        }
        if name == RAW_VALUE[0] {
            return R::rarely(self, Rare::RawValue, visitor);
        }
        let mark = self.mark();
        let Node { input, tag_and_mark, at } = self;
        let mark = match Mark::of_newtype(name) {
            Ok(own) if Mark::agree(own, mark) => own.or(mark),
            _ => input.exactly(|| Mark::one_of(mark, name))?,
        };
        let tag_and_mark = tag_and_mark.with_mark(mark);
        input.wrapper(|input| {
            let node = Node { input, tag_and_mark, at };
            let read = |node: Node<'_, 'de, R>| visitor.visit_newtype_struct(node);
            match mark {
                Some(Mark::Shared { .. }) => R::under_shared(node, read),
                _ => read(node),
            }
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de, R::Error>>(
        mut self,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.check_mark(Target::Sequence)?;
        R::open(self, |node| {
            let is_list = node.tag_and_mark.is(Tag::Array) || node.tag_and_mark.is(Tag::Tuple);
            match node.mark() {
                Some(Mark::Table) => R::rarely(node, Rare::Rows, visitor),
                _ if is_list => node.items(visitor),
                None if node.tag_and_mark.is(Tag::Table) => R::rarely(node, Rare::Rows, visitor),
                _ => node.wrong_tag("array, tuple or table"),
            }
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de, R::Error>>(
        mut self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.check_mark(Target::Tuple)?;
        R::open(self, |node| match node.mark() {
            Some(Mark::Table) => R::rarely(node, Rare::Rows, visitor),
            _ if node.tag_and_mark.is(Tag::Tuple) => node.cells(len, Segment::Index, visitor),
            _ => node.wrong_tag(Tag::Tuple.name()),
        })
    }

    #[inline]
    fn deserialize_tuple_struct<V: Visitor<'de, R::Error>>(
        mut self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.check_name(name, Target::TupleStruct)?;
        self.of(Tag::Tuple, Target::TupleStruct, |node| node.cells(len, Segment::Slot, visitor))
    }

    /// A map is an ARRAY of TUPLEs. A RECORD is one too, if its names are told.
    #[inline]
    fn deserialize_map<V: Visitor<'de, R::Error>>(
        mut self,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.check_mark(Target::Map)?;
        R::open(self, |node| {
            if node.tag_and_mark.is(Tag::Array) {
                return node.input.visit_entries(visitor);
            }
            match node.tag_and_mark.is(Tag::Record) {
                true => R::rarely(node, Rare::NamedEntries, visitor),
                false => node.wrong_tag("array of tuples"),
            }
        })
    }

    /// A struct is a RECORD. Some are written as maps, whose keys are the names of their fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de, R::Error>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.check_name(name, Target::Struct)?;
        if !self.tag_and_mark.is_plain(Tag::Record) {
            self.check_mark(Target::Struct)?;
        }
        R::open(self, |node| {
            if node.tag_and_mark.is(Tag::Record) {
                return node.input.visit_fields(fields, visitor);
            }
            match node.tag_and_mark.is(Tag::Array) {
                true => R::rarely(node, Rare::NamedFields, visitor),
                false => node.wrong_tag(Tag::Record.name()),
            }
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_enum<V: Visitor<'de, R::Error>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        if name == VALUE {
            return R::rarely(self, Rare::OwnTree, visitor);
        }
        self.check_name(name, Target::Enum)?;
        self.of(Tag::Variant, Target::Enum, |node| Variant::visit(node.input, variants, visitor))
    }

    /// The name of a field: text, or what a flattened map has for one.
    #[inline]
    fn deserialize_identifier<V: Visitor<'de, R::Error>>(
        self,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        match self.tag_and_mark.is_plain(Tag::String) && !self.tag_and_mark.in_field() {
            true => self.deserialize_str(visitor),
            false => R::rarely(self, Rare::Identifier, visitor),
        }
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de, R::Error>>(
        self,
        visitor: V,
    ) -> Result<V::Value, R::Error> {
        self.input.ignore(self.tag_and_mark.tag())?;
        visitor.visit_unit()
    }
}
