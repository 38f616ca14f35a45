//! A value whose tag is known: which tags each type may have.
//!
//! `inline(always)` is on the methods of serde's traits and on what they call here: names and counts are constants in the
//! types of users, and the lookups of marks by name disappear if they meet in one function. Not in debug builds, where
//! one function would hold the locals of all on the stack.

use serde_core::de::{Deserializer, Visitor};

use super::document::{Document, Result};
use super::fields::{Entries, Fields};
use super::head::{Head, Levels};
use super::in_order::InOrder;
use super::input::Input;
use super::items::{Cells, Items};
use super::shared_or_marked;
use super::types::Type;
use super::variant::Variant;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::raw;
use crate::biniou::wire::{self, NONE, SOME, Tag, UNIT};
use crate::error::Segment;
use crate::failed::Failed;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::read::Reader;

/// `serde_json::value::RawValue`: written as a struct with a field of its own name, read as a newtype.
static RAW_VALUE: &[&str; 1] = &["$serde_json::private::RawValue"];

/// Deserializes the value whose bytes after the tag come next.
pub(super) struct Value<'i, 'a, 't, 'de> {
    pub(super) input: &'i mut Input<'a, 't, 'de>,
    pub(super) head: Head,
}

macro_rules! integers {
    ($($method:ident $likely:ident $bits:literal,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.integer(Tag::$likely, $bits, visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Value<'_, '_, '_, 'de> {
    type Error = Failed;

    integers! {
        deserialize_i8 Svint 8, deserialize_i16 Svint 16, deserialize_i32 Svint 32,
        deserialize_i64 Svint 64, deserialize_i128 Svint 128,
        deserialize_u8 Uvint 8, deserialize_u16 Uvint 16, deserialize_u32 Uvint 32,
        deserialize_u64 Uvint 64, deserialize_u128 Uvint 128,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let [found] = self.fixed(shared_or_marked::BOOL)?;
        match wire::to_bool(found) {
            Some(value) => visitor.visit_bool(value),
            None => {
                let Input { rest, document, .. } = *self.input;
                let at = document.last(rest.len() + 1);
                self.input.rest = at;
                Err(document.no_bytes(at, |reader| wire::take_bool(reader).map(drop)))
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f32<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        visitor.visit_f32(f32::from_be_bytes(self.fixed(shared_or_marked::SINGLE)?))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f64<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        visitor.visit_f64(match self.head.has_mark() {
            false => f64::from_be_bytes(self.fixed(shared_or_marked::DOUBLE)?),
            true => f32::from_be_bytes(self.fixed(shared_or_marked::SINGLE)?).into(),
        })
    }

    fn deserialize_char<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.head.mark().is_some_and(|mark| mark.fits(Target::Char)) {
            false => self.deserialize_str(visitor),
            true => {
                let [code] = self.fixed(shared_or_marked::CHAR)?;
                visitor.visit_char(char::from(code))
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_str<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.text()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bytes<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.head.is(Tag::Array) {
            true => self.numbers(visitor),
            false => visitor.visit_borrowed_bytes(self.string(shared_or_marked::BYTES)?),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let is_optional = self.head.has(Mark::Optional);
        if is_optional && self.head.in_field() {
            // The field is there, so this is `Some`, without an option around it.
            let mut input = self.input.wrapper()?;
            let head = Head::new(self.head.tag());
            let value = visitor.visit_some(Value { input: &mut input, head });
            self.input.rest = input.rest;
            return value;
        }
        let mark = self.head.to_mark();
        self.opened(Tag::NumVariant, &[], Tag::NumVariant.name(), |input, _| {
            match input.rest.split_first() {
                Some((&NONE, rest)) => {
                    input.rest = rest;
                    visitor.visit_none()
                }
                Some((&SOME, rest)) => {
                    let mut inside = Input { rest, ..*input }.level()?;
                    // The rule of `Mark::in_option`, for a mark that stays in its byte.
                    let mark = if is_optional { Head::UNMARKED } else { mark };
                    let value = inside.tagged(mark, |value| visitor.visit_some(value));
                    input.rest = inside.rest;
                    value
                }
                _ => {
                    let take = |reader: &mut Reader<'de>| wire::take_option(reader).map(drop);
                    Err(input.document.no_bytes(input.rest, take))
                }
            }
        })
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.fixed(shared_or_marked::UNIT)? {
            [UNIT] => visitor.visit_unit(),
            _ => {
                let Input { rest, document, .. } = *self.input;
                let at = document.last(rest.len() + 1);
                self.input.rest = at;
                Err(document.no_bytes(at, wire::take_unit))
            }
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.check_name(name, Target::UnitStruct)?;
        self.deserialize_unit(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        #[cfg(feature = "any")]
        if name == ANY {
            return self.marked_any(visitor);
        }
        if raw::is_reserved(name) {
            return self.raw(name, visitor);
        }
        if name == RAW_VALUE[0] {
            return self.record(RAW_VALUE, false, visitor);
        }
        let mark =
            Mark::one_of(self.head.mark(), name).map_err(|error| self.by_value().keep(error))?;
        if self.head.is_row() {
            self.check_name(name, Target::Row)?;
        }
        let (mut input, mut head, mut shared) =
            (self.input.wrapper()?, self.head.with_mark(mark), 0);
        if let Some(Mark::Shared { .. }) = mark {
            head = Head::new(head.tag());
            if head.is(Tag::Shared) {
                // What is in it may not expect a SHARED, such as the format's own tree.
                let (inside, tag);
                (inside, input) = (input, input.level()?);
                (tag, input.rest, shared) = inside.document.open(inside.rest)?;
                head = Head::new(tag);
            }
        }
        let rest = input.rest;
        let value = input.value(rest, head, |value| visitor.visit_newtype_struct(value));
        let end = input.close(shared, input.rest);
        if value.is_ok() {
            self.input.rest = end;
        }
        value
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        const OTHERS: &[Tag] = &[Tag::Tuple, Tag::Table];
        self.check_mark(Target::Sequence)?;
        self.opened(Tag::Array, OTHERS, "array, tuple or table", |input, head| {
            let mut items = Items::take(input.level()?, head)?;
            let value = visitor.visit_seq(&mut items);
            let value = items.end(value);
            input.rest = items.input.rest;
            value
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Tuple)?;
        match self.head.has(Mark::Table) {
            true => self.deserialize_seq(visitor),
            false => self.cells(len, Segment::Index, visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.check_name(name, Target::TupleStruct)?;
        self.check_mark(Target::TupleStruct)?;
        self.cells(len, Segment::Slot, visitor)
    }

    /// A map is an ARRAY of TUPLEs, or a RECORD whose names are known.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.check_mark(Target::Map)?;
        self.entries(false, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.check_name(name, Target::Struct)?;
        self.check_mark(Target::Struct)?;
        self.record(fields, true, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.check_name(name, Target::Enum)?;
        self.check_mark(Target::Enum)?;
        self.opened(Tag::Variant, &[], Tag::Variant.name(), |input, _| {
            Variant::visit(input, variants, visitor)
        })
    }

    /// The name of a field: text, or what a flattened map has for one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.head.is_plain(Tag::String) && !self.head.in_field() {
            true => self.deserialize_str(visitor),
            false => self.identifier(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let Input { rest, document, depth } = *self.input;
        self.input.rest = document.skip_many(rest, 1, self.head, depth)?;
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<'de> Value<'_, '_, '_, 'de> {
    /// Reads the cells of a TUPLE, for a type that takes `len`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cells<V: Visitor<'de>>(
        self,
        len: usize,
        segment: fn(usize) -> Segment,
        visitor: V,
    ) -> Result<V::Value> {
        let mark = self.head.to_mark();
        self.opened(Tag::Tuple, &[], Tag::Tuple.name(), |input, _| {
            let mut cells = Cells::take(input.level()?, len, mark, segment)?;
            let value = visitor.visit_seq(&mut cells);
            let value = cells.end(value);
            input.rest = cells.input.rest;
            value
        })
    }

    /// Reads the entries of a map.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn entries<V: Visitor<'de>>(self, is_any: bool, visitor: V) -> Result<V::Value> {
        const OTHERS: &[Tag] = &[Tag::Record];
        // Perhaps the fields of a struct variant, whose names are those of an adjacently tagged enum.
        let numbers_fields = is_any && self.head.has_name();
        self.opened(Tag::Array, OTHERS, "array of tuples", |input, head| {
            let fields = Fields::take(input.level()?, head, None)?;
            let mut entries = Entries { fields, numbers_fields };
            let value = visitor.visit_map(&mut entries);
            let value = entries.fields.end(value);
            input.rest = entries.fields.input.rest;
            value
        })
    }

    /// Reads a struct: a RECORD, or a map whose keys are the names of its fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn record<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        may_be_in_order: bool,
        visitor: V,
    ) -> Result<V::Value> {
        const OTHERS: &[Tag] = &[Tag::Array];
        self.opened(Tag::Record, OTHERS, Tag::Record.name(), |input, head| {
            // One by one, so that they stay in registers.
            let Input { rest, document, depth } = input.level()?;
            let names = document.type_of(fields)?;
            let in_order = match may_be_in_order && head.is(Tag::Record) {
                true => InOrder::begin(Input { rest, document, depth }, names, fields.len()),
                false => None,
            };
            match in_order {
                Some(mut fields) => {
                    let value = visitor.visit_seq(&mut fields);
                    let value = fields.end(value);
                    input.rest = fields.input.rest;
                    value
                }
                None => {
                    let value = by_name(rest, document, depth, head, names, visitor);
                    input.rest = document.after.get();
                    value
                }
            }
        })
    }
}

/// Reads a struct by the names of its fields. Not inlined, so that the code for fields in order is small.
#[inline(never)]
fn by_name<'t, 'de, V: Visitor<'de>>(
    rest: &'de [u8],
    document: &Document<'t, 'de>,
    depth: Levels,
    head: Head,
    names: &'t Type,
    visitor: V,
) -> Result<V::Value> {
    let mut fields = Fields::take(Input { rest, document, depth }, head, Some(names))?;
    let value = visitor.visit_map(&mut fields);
    let value = fields.end(value);
    document.after.set(fields.input.rest);
    value
}
