//! Reading an item of an ARRAY by a [`Template`]: one comparison finds all its tags, counts and keys
//! to be those of the first item, and its numbers are read from places that the compiler knows.
//!
//! What the type asks for has to be what stands in the template. If it is not, that is a surprise,
//! and the document is read again without windows.
//! (A mesh is read in 26 % of the instructions; callgrind on the data of `bench`.)

use core::marker::PhantomData;

use serde_core::de::{self, DeserializeSeed, Visitor};

use super::template::{Ahead, HEIGHT, SIZE, Template};
use super::types::{Key, Types};
use super::{Bail, Result};
use crate::biniou::mark::Mark;
use crate::biniou::wire::Tag;

const INT8: u8 = Tag::Int8.byte();
const INT16: u8 = Tag::Int16.byte();

/// The bytes of an item. Everything here is small, for the sake of [`Window::read`]: if a function
/// that is not inlined saw the window, its place would go to memory and back.
struct Window<'a, 'de, O> {
    bytes: &'de Ahead,
    template: &'a Template,
    types: &'a Types,
    at: usize,
    wrappers: u16,
    /// In which bits tags that the type has asked for are not those in front of the parts. That is
    /// looked at in the end, once for all parts; until then, the type may get numbers that mean nothing.
    wrong: u8,
    /// Whether a part was refused; its type may have gone on without it.
    refused: bool,
    /// As in [`Input`](super::input::Input).
    order: PhantomData<O>,
}

/// Reads an item that [fits](Template::fits). `Ok(None)` is a surprise.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, O, T: DeserializeSeed<'de>>(
    bytes: &'de Ahead,
    mark: Option<Mark>,
    template: &Template,
    types: &Types,
    seed: T,
) -> Result<Option<T::Value>> {
    let order = PhantomData::<O>;
    let mut window =
        Window { bytes, template, types, at: 0, wrappers: 0, wrong: 0, refused: false, order };
    let value = seed.deserialize(Place { window: &mut window, mark });
    match !window.refused && window.wrong == 0 && window.at == template.size() {
        true => value.map(Some),
        false => Ok(None),
    }
}

impl<O> Window<'_, '_, O> {
    /// Takes bytes, which are some others behind the window's end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let at = self.at % SIZE;
        self.at += N;
        let bytes = self.bytes.get(at..at + N).and_then(<[u8]>::first_chunk);
        bytes.copied().unwrap_or([0; N])
    }

    /// Asks for a part of that tag, which stands in front of it; that of the item stands in front of
    /// the window.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ask(&mut self, tag: Tag) {
        self.wrong |= self.tag() ^ tag.byte();
    }

    /// The tag in front of the part at hand.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tag(&self) -> u8 {
        match self.at.checked_sub(1) {
            Some(before) => self.bytes.get(before % SIZE).copied().unwrap_or_default(),
            None => self.template.tag(),
        }
    }

    /// The count at hand, if it is within the window.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> Option<usize> {
        match self.at < SIZE {
            true => self.bytes.get(self.at).map(|count| usize::from(*count)),
            false => None,
        }
    }

    /// Steps over the count of a record if one begins here that holds the fields in `list`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_record(&mut self, list: &'static [&'static str]) -> bool {
        let at = self.at;
        self.at += 1;
        at < SIZE && self.template.has_record(at, list, self.types)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refuse<T>(&mut self) -> Result<T> {
        self.refused = true;
        Err(Bail)
    }
}

/// A value in the window, behind its tag.
struct Place<'w, 'a, 'de, O> {
    window: &'w mut Window<'a, 'de, O>,
    mark: Option<Mark>,
}

impl<'de, O> Place<'_, '_, 'de, O> {
    /// Takes a number.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take<const N: usize>(self, tag: Tag) -> [u8; N] {
        self.window.ask(tag);
        self.window.take()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.mark {
            Some(Mark::Int8) => visitor.visit_u64(u8::from_be_bytes(self.take(Tag::Int8)).into()),
            Some(Mark::Int16) => {
                visitor.visit_u64(u16::from_be_bytes(self.take(Tag::Int16)).into())
            }
            Some(Mark::Int32) => {
                visitor.visit_i64(i32::from_be_bytes(self.take(Tag::Int32)).into())
            }
            Some(Mark::Int64) => visitor.visit_i64(i64::from_be_bytes(self.take(Tag::Int64))),
            // Those without a mark are vints, most of them, and not here.
            None => match self.window.tag() {
                INT8 => visitor.visit_u64(u8::from_be_bytes(self.window.take()).into()),
                INT16 => visitor.visit_u64(u16::from_be_bytes(self.window.take()).into()),
                _ => self.window.refuse(),
            },
            Some(_) => self.window.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_cells<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        let is_plain =
            !matches!(self.mark, Some(Mark::Table | Mark::Optional | Mark::Shared { .. }));
        match is_plain && self.window.count() == Some(len) {
            true => {
                self.window.ask(Tag::Tuple);
                self.window.at += 1;
                let mut cells = Cells { window: self.window, left: len, mark: self.mark };
                let value = visitor.visit_seq(&mut cells);
                match cells.left {
                    0 => value,
                    _ => cells.window.refuse(),
                }
            }
            false => self.window.refuse(),
        }
    }
}

/// Hands a part out, behind its tag and what stands before that.
macro_rules! next_part {
    ($parts:ident, $before:expr, $mark:expr, $seed:ident) => {{
        let Some(left) = $parts.left.checked_sub(1) else { return Ok(None) };
        $parts.left = left;
        $parts.window.at += $before;
        match $seed.deserialize(Place { window: &mut *$parts.window, mark: $mark }) {
            Ok(value) => Ok(Some(value)),
            Err(Bail) => $parts.window.refuse(),
        }
    }};
}

/// The fields of a record.
struct Fields<'w, 'a, 'de, O> {
    window: &'w mut Window<'a, 'de, O>,
    left: usize,
}

impl<'de, O> de::SeqAccess<'de> for &mut Fields<'_, '_, 'de, O> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        next_part!(self, size_of::<Key>() + 1, None, seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The cells of a tuple.
struct Cells<'w, 'a, 'de, O> {
    window: &'w mut Window<'a, 'de, O>,
    left: usize,
    mark: Option<Mark>,
}

impl<'de, O> de::SeqAccess<'de> for &mut Cells<'_, '_, 'de, O> {
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        next_part!(self, 1, self.mark, seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// What has no fixed size, or is rarely met among items that have one.
macro_rules! refused {
    ($($method:ident($($arg:ty),*))*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, $(_: $arg,)* _: V) -> Result<V::Value> {
            self.window.refuse()
        }
    )*};
}

macro_rules! deserialize_integers {
    ($($method:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.visit_integer(visitor)
        }
    )*};
}

impl<'de, O> de::Deserializer<'de> for Place<'_, '_, 'de, O> {
    type Error = Bail;

    deserialize_integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_i128 deserialize_u128
    }

    refused! {
        deserialize_any() deserialize_char() deserialize_str() deserialize_string()
        deserialize_bytes() deserialize_byte_buf() deserialize_option() deserialize_seq()
        deserialize_map() deserialize_enum(&'static str, &'static [&'static str])
        deserialize_identifier() deserialize_ignored_any()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.mark.is_some() {
            return self.window.refuse();
        }
        self.window.ask(Tag::Unit);
        match self.window.take() {
            [0] => visitor.visit_unit(),
            _ => self.window.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        match Mark::is_none_in(name) {
            true => self.deserialize_unit(visitor),
            false => self.window.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.mark.is_some() {
            return self.window.refuse();
        }
        self.window.ask(Tag::Bool);
        match self.window.take() {
            [0] => visitor.visit_bool(false),
            [1] => visitor.visit_bool(true),
            _ => self.window.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.mark {
            None | Some(Mark::Float32) => {
                visitor.visit_f32(f32::from_be_bytes(self.take(Tag::Float32)))
            }
            _ => self.window.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.mark {
            None => visitor.visit_f64(f64::from_be_bytes(self.take(Tag::Float64))),
            Some(Mark::Float32) => {
                visitor.visit_f64(f32::from_be_bytes(self.take(Tag::Float32)).into())
            }
            _ => self.window.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        let Place { window, mark } = self;
        let Ok(own) = Mark::of_newtype(name) else { return window.refuse() };
        if own.is_some() && mark.is_some() && own != mark {
            return window.refuse();
        }
        window.wrappers += 1;
        if window.wrappers > HEIGHT {
            return window.refuse();
        }
        let mark = own.or(mark);
        let value = visitor.visit_newtype_struct(Place { window: &mut *window, mark })?;
        window.wrappers -= 1;
        Ok(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.visit_cells(len, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        match Mark::is_none_in(name) {
            true => self.visit_cells(len, visitor),
            false => self.window.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let is_plain = self.mark.is_none() && Mark::is_none_in(name);
        match is_plain && self.window.begin_record(fields) {
            true => {
                let mut fields = Fields { window: self.window, left: fields.len() };
                let value = visitor.visit_seq(&mut fields);
                match fields.left {
                    0 => value,
                    _ => fields.window.refuse(),
                }
            }
            false => self.window.refuse(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
