//! Writes one value of any kind.
//!
//! What is called for every value is always inlined: in a call, the offset would go through memory. Not with debug
//! assertions, where the frames of inlined calls add up until deep values overflow the stack.

use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::output::Output;
use super::raw::Raw;
#[cfg(feature = "any")]
use crate::any::{self, Limits};
use crate::forecast::exact_length;
use crate::glue::macros::for_each_serialize_method;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::limits::{Depth, too_deep};
use crate::raw::pieces_of;
use crate::tsm::document::DocumentKind;
use crate::tsm::wire::{self, EmptyItems};
use crate::tsm::{Error, ErrorKind, Options, Result, mark};

/// The state that all nested values share.
#[derive(Debug)]
pub(super) struct Encoder<O> {
    pub(super) out: O,
    pub(super) empty_items: EmptyItems,
    max_depth: u16,
}

impl<O> Encoder<O> {
    #[inline]
    pub(super) fn new(options: &Options, out: O) -> Self {
        Encoder { out, empty_items: EmptyItems::ALL, max_depth: options.max_depth }
    }

    /// Begins the next value, even if the one before failed.
    #[inline]
    pub(super) fn begin_value(&mut self) -> Cursor<'_, O>
    where
        O: Output,
    {
        self.empty_items = EmptyItems::ALL;
        self.out.forget();
        let depth = Depth::new(self.max_depth);
        Cursor { encoder: self, at: 0, depth }
    }
}

/// A value that is being written: its output, and the maximum depth of nested values. It is passed by
/// value, so that compilers keep the offset in a register; the length of a `Vec` would be stored for each
/// number.
#[derive(Debug)]
pub(super) struct Cursor<'a, O> {
    pub(super) encoder: &'a mut Encoder<O>,
    pub(super) at: usize,
    pub(super) depth: Depth,
}

impl<'a, O: Output> Cursor<'a, O> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put<const N: usize>(self, bytes: [u8; N]) -> Result<usize> {
        self.encoder.out.put(self.at, bytes)
    }

    /// Writes what precedes a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_ahead<const N: usize>(self, bytes: [u8; N]) -> Result<Self> {
        let at = self.encoder.out.put(self.at, bytes)?;
        Ok(Cursor { at, ..self })
    }

    /// Begins a sequence or map with its count.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_items(self, len: usize) -> Result<Compound<'a, O>> {
        Compound::new(self.put_ahead(wire::count_bytes(len)?)?, len)
    }

    /// Writes the number of an enum's variant.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_variant(self, name: &'static str, index: u32) -> Result<Self> {
        mark::refuse(name, "an enum")?;
        self.put_ahead(wire::variant_bytes(index)?)
    }

    /// One level further in.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter(self) -> Result<Self> {
        match self.depth.enter() {
            Some(depth) => Ok(Cursor { depth, ..self }),
            None => Err(too_deep(self.encoder.max_depth)),
        }
    }

    /// One wrapper further in.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrap(self) -> Result<Self> {
        match self.depth.wrap() {
            Some(depth) => Ok(Cursor { depth, ..self }),
            None => Err(too_deep(self.encoder.max_depth)),
        }
    }

    /// One wrapper deeper, after the byte for a present value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_some(self) -> Result<Self> {
        self.wrap()?.put_ahead(wire::SOME.to_le_bytes())
    }

    /// Writes a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_value<T: ?Sized + Serialize>(self, value: &T) -> Result<usize> {
        let Cursor { encoder, at, depth } = self;
        value.serialize(Part { level: &mut Level { encoder, depth }, at })
    }
}

/// What an element has from the value around it.
#[derive(Debug)]
pub(super) struct Level<'a, O> {
    encoder: &'a mut Encoder<O>,
    depth: Depth,
}

/// A [`Cursor`] that fits the two registers in which it is passed to functions that are not inlined. So
/// the offset is not loaded, which each element would wait for. The level, which does not change, may be.
#[derive(Debug)]
pub(super) struct Part<'a, O> {
    level: &'a mut Level<'a, O>,
    at: usize,
}

impl<'a, O> Part<'a, O> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cursor(self) -> Cursor<'a, O> {
        let Part { level: Level { encoder, depth }, at } = self;
        Cursor { encoder, at, depth: *depth }
    }
}

#[cfg(feature = "any")]
impl<O: Output> Cursor<'_, O> {
    /// Writes a value that is marked `any`: bytes after their count.
    #[cold]
    #[inline(never)]
    fn put_any<T: ?Sized + Serialize>(self, value: &T) -> Result<usize> {
        let limits = Limits { depth: self.depth, max_depth: self.encoder.max_depth };
        let part = any::pack(value, limits)?;
        ser::Serializer::serialize_bytes(self, &part)
    }
}

macro_rules! serialize_le {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<usize> {
            self.put(value.to_le_bytes())
        }
    )*};
}

impl<'a, O: Output> ser::Serializer for Cursor<'a, O> {
    /// The position after the value.
    type Ok = usize;
    type Error = Error;
    type SerializeSeq = Compound<'a, O>;
    type SerializeTuple = Compound<'a, O>;
    type SerializeTupleStruct = Compound<'a, O>;
    type SerializeTupleVariant = Compound<'a, O>;
    type SerializeMap = Compound<'a, O>;
    type SerializeStruct = Compound<'a, O>;
    type SerializeStructVariant = Compound<'a, O>;

    serialize_le! {
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_u128 u128, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_f32 f32, serialize_f64 f64,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<usize> {
        self.serialize_u8(u8::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<usize> {
        self.serialize_u32(u32::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<usize> {
        self.serialize_bytes(value.as_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<usize> {
        self.encoder.out.put_counted(self.at, wire::count_bytes(value.len())?, value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<usize> {
        self.serialize_i8(wire::NONE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<usize> {
        self.put_some()?.put_value(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<usize> {
        Ok(self.at)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Result<usize> {
        mark::refuse(name, "a unit struct").map(|()| self.at)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<usize> {
        let _ = variant;
        self.put_variant(name, index).map(|cursor| cursor.at)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<usize> {
        if DocumentKind::of(name).is_some() {
            let Cursor { encoder, mut at, .. } = self;
            let mut emit = |piece: &[u8]| {
                at = encoder.out.put_bytes(at, piece)?;
                Ok(())
            };
            return pieces_of(value, &mut emit).map(|()| at);
        }
        let cursor = self.wrap()?;
        #[cfg(feature = "any")]
        if name == ANY {
            return cursor.put_any(value);
        }
        match mark::is_raw(name)? {
            false => cursor.put_value(value),
            true => value.serialize(Raw { cursor }),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<usize> {
        let _ = variant;
        self.enter()?.put_variant(name, index)?.put_value(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a, O>> {
        match len {
            Some(len) => self.begin_items(len),
            None => Compound::uncounted(self),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, items: I) -> Result<usize> {
        let items = items.into_iter();
        let mut seq = self.serialize_seq(exact_length(&items))?;
        seq.put_all(items)?;
        ser::SerializeSeq::end(seq)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a, O>> {
        Compound::new(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound<'a, O>> {
        mark::refuse(name, "a tuple struct")?;
        Compound::new(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a, O>> {
        let _ = variant;
        Compound::new(self.put_variant(name, index)?, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'a, O>> {
        match len {
            Some(len) => self.begin_items(len),
            None => Err(Error::placeless(ErrorKind::UnknownLength)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Compound<'a, O>> {
        mark::refuse(name, "a struct")?;
        Compound::new(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a, O>> {
        let _ = variant;
        Compound::new(self.put_variant(name, index)?, len)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Methods of an element: those of its cursor.
macro_rules! of_cursor {
    ($(of $of:ident($($of_value:ident: $of_type:ty),*))*
     $(around $around:ident($($around_value:ident: $around_type:ty),*))*
     $(with $with:ident($($with_value:ident: $with_type:ty),*) $compound:ident)*) => {
        $(#[cfg_attr(not(debug_assertions), inline(always))]
        fn $of(self, $($of_value: $of_type),*) -> Result<usize> {
            self.cursor().$of($($of_value),*)
        })*
        $(#[cfg_attr(not(debug_assertions), inline(always))]
        fn $around<T: ?Sized + Serialize>(
            self,
            $($around_value: $around_type,)*
            inner: &T,
        ) -> Result<usize> {
            self.cursor().$around($($around_value,)* inner)
        })*
        $(#[cfg_attr(not(debug_assertions), inline(always))]
        fn $with(self, $($with_value: $with_type),*) -> Result<Self::$compound> {
            self.cursor().$with($($with_value),*)
        })*
    };
}

impl<'a, O: Output> ser::Serializer for Part<'a, O> {
    type Ok = usize;
    type Error = Error;
    type SerializeSeq = Compound<'a, O>;
    type SerializeTuple = Compound<'a, O>;
    type SerializeTupleStruct = Compound<'a, O>;
    type SerializeTupleVariant = Compound<'a, O>;
    type SerializeMap = Compound<'a, O>;
    type SerializeStruct = Compound<'a, O>;
    type SerializeStructVariant = Compound<'a, O>;

    for_each_serialize_method!(of_cursor);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, items: I) -> Result<usize> {
        self.cursor().collect_seq(items)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
