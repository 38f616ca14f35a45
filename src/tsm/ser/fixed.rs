//! The fast way for small values of fixed size: numbers, and structs, tuples and enums of them. Knows sizes,
//! does not know the document.
//!
//! One check for memory does for the whole value, and numbers go to offsets that the compiler knows. The
//! offset is a number of its own, never behind a reference, so that it is known for each number. On
//! everything else this bails, and the encoder writes the value from its start.

use serde_core::ser::{self, Serialize};

use crate::fast::Bail;
use crate::fast::buffer::SMALL_VALUE;
use crate::limits::Depth;
use crate::tsm::{mark, wire};

/// How deep a value may be nested, newtypes included.
pub(super) const MAX_DEPTH: u16 = 8;

/// For smaller values the exact way is as fast.
const MIN_SIZE: usize = 8;

/// Whether a value of this type and size is tried. Known at compile time.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_for<T: ?Sized>(value: &T) -> bool {
    let size = size_of_val(value);
    !core::mem::needs_drop::<T>() && size > MIN_SIZE && size <= SMALL_VALUE
}

/// Whether no value that is written here can be too deep.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn fits(depth: Depth) -> bool {
    depth.has_room(MAX_DEPTH)
}

/// Writes a value of fixed size, and returns its size.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn write<T: ?Sized + Serialize>(
    slice: &mut [u8; SMALL_VALUE],
    value: &T,
) -> Option<usize> {
    value.serialize(FixedWriter { slice, at: 0, depth: 0 }).ok()
}

/// Where the next number goes.
struct FixedWriter<'a> {
    slice: &'a mut [u8; SMALL_VALUE],
    at: usize,
    depth: u16,
}

impl<'a> FixedWriter<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<const N: usize>(self, bytes: [u8; N]) -> Result<usize, Bail> {
        self.put_ahead(bytes).map(|writer| writer.at)
    }

    /// Writes what comes in front of a value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_ahead<const N: usize>(self, bytes: [u8; N]) -> Result<Self, Bail> {
        match self.slice.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut) {
            Some(place) => *place = bytes,
            None => return Err(Bail),
        }
        Ok(FixedWriter { at: self.at + N, ..self })
    }

    /// One level further in.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self) -> Result<Self, Bail> {
        match self.depth < MAX_DEPTH {
            true => Ok(FixedWriter { depth: self.depth + 1, ..self }),
            false => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_variant(self, name: &'static str, index: u32) -> Result<Self, Bail> {
        match mark::is_none_in(name) {
            false => Err(Bail),
            true => self.put_ahead(wire::variant_bytes(index).map_err(|_| Bail)?),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts(self, name: &'static str, len: usize) -> Result<Parts<'a>, Bail> {
        match mark::is_none_in(name) {
            false => Err(Bail),
            true => Ok(Parts { writer: self.inside()?, left: Some(len) }),
        }
    }
}

/// Parts of a value.
struct Parts<'a> {
    writer: FixedWriter<'a>,
    /// How many are to come. `None` once one bailed, since its type may go on without it.
    left: Option<usize>,
}

impl Parts<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let FixedWriter { slice, at, depth } = &mut self.writer;
        let left = self.left.and_then(|left| left.checked_sub(1));
        match value.serialize(FixedWriter { slice, at: *at, depth: *depth }) {
            Ok(end) if left.is_some() => {
                (self.writer.at, self.left) = (end, left);
                Ok(())
            }
            Ok(_) | Err(_) => self.bail(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bail(&mut self) -> Result<(), Bail> {
        self.left = None;
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<usize, Bail> {
        if self.left == Some(0) { Ok(self.writer.at) } else { Err(Bail) }
    }
}

macro_rules! serialize_le {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<usize, Bail> {
            self.put(value.to_le_bytes())
        }
    )*};
}

type Never = ser::Impossible<usize, Bail>;

impl<'a> ser::Serializer for FixedWriter<'a> {
    /// The place behind the value.
    type Ok = usize;
    type Error = Bail;
    type SerializeSeq = Never;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Never;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    serialize_le! {
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_u128 u128, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_f32 f32, serialize_f64 f64,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<usize, Bail> {
        self.serialize_u8(u8::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<usize, Bail> {
        self.serialize_u32(u32::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, _: &str) -> Result<usize, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, _: &[u8]) -> Result<usize, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<usize, Bail> {
        self.serialize_i8(wire::NONE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<usize, Bail> {
        value.serialize(self.put_ahead(wire::SOME.to_le_bytes())?.inside()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<usize, Bail> {
        Ok(self.at)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Result<usize, Bail> {
        self.parts(name, 0)?.finish()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
    ) -> Result<usize, Bail> {
        self.put_variant(name, index).map(|writer| writer.at)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<usize, Bail> {
        match mark::is_none_in(name) {
            false => Err(Bail),
            true => value.serialize(self.inside()?),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<usize, Bail> {
        value.serialize(self.put_variant(name, index)?.inside()?)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, _: Option<usize>) -> Result<Never, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Parts<'a>, Bail> {
        self.parts("", len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Parts<'a>, Bail> {
        self.parts(name, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        len: usize,
    ) -> Result<Parts<'a>, Bail> {
        self.put_variant(name, index)?.parts(name, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, _: Option<usize>) -> Result<Never, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Parts<'a>, Bail> {
        self.parts(name, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        len: usize,
    ) -> Result<Parts<'a>, Bail> {
        self.put_variant(name, index)?.parts(name, len)
    }

    /// Not formatted here, since a value might print its text only once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Result<usize, Bail> {
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! serialize_parts {
    ($($trait:ident $method:ident ($($key:ty)?),)*) => {$(
        impl ser::$trait for Parts<'_> {
            type Ok = usize;
            type Error = Bail;

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<T: ?Sized + Serialize>(
                &mut self,
                $(_: $key,)?
                value: &T,
            ) -> Result<(), Bail> {
                self.put(value)
            }

            $(#[cold]
            fn skip_field(&mut self, _: $key) -> Result<(), Bail> {
                self.bail()
            })?

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<usize, Bail> {
                self.finish()
            }
        }
    )*};
}

serialize_parts! {
    SerializeTuple serialize_element (),
    SerializeTupleStruct serialize_field (),
    SerializeTupleVariant serialize_field (),
    SerializeStruct serialize_field (&'static str),
    SerializeStructVariant serialize_field (&'static str),
}
