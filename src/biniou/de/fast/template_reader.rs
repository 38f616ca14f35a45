//! Reads an item of an ARRAY by a [`Template`]. Knows the template and types, knows no counts of items.
//!
//! One comparison checks all tags, counts and keys of an item. Its numbers are then read at offsets
//! that the compiler knows. What the type asks for has to be what the template has; if not, the reader
//! bails, and the document is read again without templates.

use core::marker::PhantomData;

use super::template::{ItemBytes, MAX_DEPTH, SIZE, Template};
use super::types::{Key, Types};
use super::{Bail, Result};
use crate::biniou::mark::{Mark, Target};
use crate::biniou::wire::{self, Tag};
use crate::glue::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

const INT8: u8 = Tag::Int8.byte();
const INT16: u8 = Tag::Int16.byte();

/// The bytes of an item and how far they are read. All methods are small and inlined: if another
/// function saw the reader, its offset would have to be kept in memory.
struct TemplateReader<'a, 'de, O> {
    bytes: &'de ItemBytes,
    template: &'a Template,
    types: &'a Types,
    at: usize,
    wrappers: u16,
    /// The bits in which a tag that the type asked for differs from the one in the bytes. Checked once at
    /// the end for all parts; until then, the type may get numbers that mean nothing.
    tag_diff: u8,
    /// Whether a part bailed; its type may have gone on without it.
    bailed: bool,
    /// As in [`Input`](super::input::Input).
    order: PhantomData<O>,
}

/// Reads an item that [fits](Template::fits). `Ok(None)` means that it bailed.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, O, T: DeserializeSeed<'de, Bail>>(
    bytes: &'de ItemBytes,
    mark: Option<Mark>,
    template: &Template,
    types: &Types,
    seed: T,
) -> Result<Option<T::Value>> {
    let order = PhantomData::<O>;
    let mut reader = TemplateReader {
        bytes,
        template,
        types,
        at: 0,
        wrappers: 0,
        tag_diff: 0,
        bailed: false,
        order,
    };
    let value = seed.deserialize(TemplateValue { reader: &mut reader, mark });
    match !reader.bailed && reader.tag_diff == 0 && reader.at == template.size() {
        true => value.map(Some),
        false => Ok(None),
    }
}

impl<O> TemplateReader<'_, '_, O> {
    /// Takes bytes. Behind the end of the item they mean nothing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let at = self.at % SIZE;
        self.at += N;
        let bytes = self.bytes.get(at..at + N).and_then(<[u8]>::first_chunk);
        bytes.copied().unwrap_or([0; N])
    }

    /// Expects this tag in front of the part.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn expect(&mut self, tag: Tag) {
        self.tag_diff |= self.tag() ^ tag.byte();
    }

    /// The tag in front of the part at hand. That of the item itself is the template's.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag(&self) -> u8 {
        match self.at.checked_sub(1) {
            Some(before) => self.bytes.get(before % SIZE).copied().unwrap_or_default(),
            None => self.template.tag(),
        }
    }

    /// The count at hand, if it is within the item.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> Option<usize> {
        match self.at < SIZE {
            true => self.bytes.get(self.at).map(|count| usize::from(*count)),
            false => None,
        }
    }

    /// Steps over the count of a record. Tells whether that has the fields in `list`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_record(&mut self, list: &'static [&'static str]) -> bool {
        let at = self.at;
        self.at += 1;
        at < SIZE && self.template.has_record(at, list, self.types)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bail<T>(&mut self) -> Result<T> {
        self.bailed = true;
        Err(Bail)
    }
}

/// A deserializer for a value in the item, behind its tag.
struct TemplateValue<'w, 'a, 'de, O> {
    reader: &'w mut TemplateReader<'a, 'de, O>,
    mark: Option<Mark>,
}

impl<'de, O> TemplateValue<'_, '_, 'de, O> {
    /// Takes a number.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take<const N: usize>(self, tag: Tag) -> [u8; N] {
        self.reader.expect(tag);
        self.reader.take()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_integer<V: Visitor<'de, Bail>>(self, visitor: V) -> Result<V::Value> {
        match self.mark {
            Some(Mark::Int8) => visitor.visit_u64(u8::from_be_bytes(self.take(Tag::Int8)).into()),
            Some(Mark::Int16) => {
                visitor.visit_u64(u16::from_be_bytes(self.take(Tag::Int16)).into())
            }
            Some(Mark::Int32) => {
                visitor.visit_i64(i32::from_be_bytes(self.take(Tag::Int32)).into())
            }
            Some(Mark::Int64) => visitor.visit_i64(i64::from_be_bytes(self.take(Tag::Int64))),
            // Integers without a mark are vints, whose size differs, unless another writer chose these.
            None => match self.reader.tag() {
                INT8 => visitor.visit_u64(u8::from_be_bytes(self.reader.take()).into()),
                INT16 => visitor.visit_u64(u16::from_be_bytes(self.reader.take()).into()),
                _ => self.reader.bail(),
            },
            Some(_) => self.reader.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_cells<V: Visitor<'de, Bail>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match Mark::is_for_items(self.mark) && self.reader.count() == Some(len) {
            true => {
                self.reader.expect(Tag::Tuple);
                self.reader.at += 1;
                let mut cells = Cells { reader: self.reader, left: len, mark: self.mark };
                let value = visitor.visit_seq(&mut cells);
                match cells.left {
                    0 => value,
                    _ => cells.reader.bail(),
                }
            }
            false => self.reader.bail(),
        }
    }
}

/// Reads the next part, which begins behind `$before` bytes.
macro_rules! next_part {
    ($parts:ident, $before:expr, $mark:expr, $seed:ident) => {{
        let Some(left) = $parts.left.checked_sub(1) else { return Ok(None) };
        $parts.left = left;
        $parts.reader.at += $before;
        match $seed.deserialize(TemplateValue { reader: &mut *$parts.reader, mark: $mark }) {
            Ok(value) => Ok(Some(value)),
            Err(Bail) => $parts.reader.bail(),
        }
    }};
}

/// The fields of a record.
struct Fields<'w, 'a, 'de, O> {
    reader: &'w mut TemplateReader<'a, 'de, O>,
    left: usize,
}

impl<'de, O> SeqAccess<'de> for Fields<'_, '_, 'de, O> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de, Bail>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        next_part!(self, size_of::<Key>() + 1, None, seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The cells of a tuple.
struct Cells<'w, 'a, 'de, O> {
    reader: &'w mut TemplateReader<'a, 'de, O>,
    left: usize,
    mark: Option<Mark>,
}

impl<'de, O> SeqAccess<'de> for Cells<'_, '_, 'de, O> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de, Bail>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>> {
        next_part!(self, 1, self.mark, seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// What has no fixed size, or is rare among items that have one.
macro_rules! bail {
    ($($method:ident($($arg:ty),*))*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de, Bail>>(self, $(_: $arg,)* _: V) -> Result<V::Value> {
            self.reader.bail()
        }
    )*};
}

macro_rules! deserialize_integers {
    ($($method:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de, Bail>>(self, visitor: V) -> Result<V::Value> {
            self.visit_integer(visitor)
        }
    )*};
}

impl<'de, O> Deserializer<'de> for TemplateValue<'_, '_, 'de, O> {
    type Error = Bail;

    deserialize_integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_i128 deserialize_u128
    }

    bail! {
        deserialize_any() deserialize_char() deserialize_str() deserialize_string()
        deserialize_bytes() deserialize_byte_buf() deserialize_option() deserialize_seq()
        deserialize_map() deserialize_enum(&'static str, &'static [&'static str])
        deserialize_identifier() deserialize_ignored_any()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit<V: Visitor<'de, Bail>>(self, visitor: V) -> Result<V::Value> {
        if !Mark::allows(self.mark, Target::Unit) {
            return self.reader.bail();
        }
        self.reader.expect(Tag::Unit);
        match self.reader.take() {
            [wire::UNIT] => visitor.visit_unit(),
            _ => self.reader.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit_struct<V: Visitor<'de, Bail>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match Mark::is_none_in(name) {
            true => self.deserialize_unit(visitor),
            false => self.reader.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de, Bail>>(self, visitor: V) -> Result<V::Value> {
        if !Mark::allows(self.mark, Target::Bool) {
            return self.reader.bail();
        }
        self.reader.expect(Tag::Bool);
        let [byte] = self.reader.take();
        match wire::to_bool(byte) {
            Some(value) => visitor.visit_bool(value),
            None => self.reader.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f32<V: Visitor<'de, Bail>>(self, visitor: V) -> Result<V::Value> {
        match Mark::allows(self.mark, Target::Float) {
            true => visitor.visit_f32(f32::from_be_bytes(self.take(Tag::Float32))),
            false => self.reader.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f64<V: Visitor<'de, Bail>>(self, visitor: V) -> Result<V::Value> {
        match self.mark {
            None => visitor.visit_f64(f64::from_be_bytes(self.take(Tag::Float64))),
            Some(mark) if mark.fits(Target::Float) => {
                visitor.visit_f64(f32::from_be_bytes(self.take(Tag::Float32)).into())
            }
            _ => self.reader.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de, Bail>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let TemplateValue { reader, mark } = self;
        let Ok(own) = Mark::of_newtype(name) else { return reader.bail() };
        if !Mark::agree(own, mark) {
            return reader.bail();
        }
        reader.wrappers += 1;
        if reader.wrappers > MAX_DEPTH {
            return reader.bail();
        }
        let mark = own.or(mark);
        let value = visitor.visit_newtype_struct(TemplateValue { reader: &mut *reader, mark })?;
        reader.wrappers -= 1;
        Ok(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de, Bail>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.visit_cells(len, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de, Bail>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        match Mark::is_none_in(name) {
            true => self.visit_cells(len, visitor),
            false => self.reader.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de, Bail>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let is_plain = Mark::allows(self.mark, Target::Struct) && Mark::is_none_in(name);
        match is_plain && self.reader.begin_record(fields) {
            true => {
                let mut fields = Fields { reader: self.reader, left: fields.len() };
                let value = visitor.visit_seq(&mut fields);
                match fields.left {
                    0 => value,
                    _ => fields.reader.bail(),
                }
            }
            false => self.reader.bail(),
        }
    }
}
