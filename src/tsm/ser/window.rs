//! Writing one item of a sequence through a small window on the stack.
//!
//! Numbers, and structs and tuples of them, go to places that the compiler knows, and the window goes
//! out as a whole: one check and one copy per item, not per number. Whatever has no fixed size is
//! refused, and so are errors; then the encoder writes the item from its start.

use serde_core::ser::{self, Serialize};

use super::output::Output;
use crate::limits::Depth;
use crate::tsm::{Result, mark, wire};

/// How large an item may be.
const SIZE: usize = 256;

/// How deep it may be nested.
const HEIGHT: u16 = 8;

/// The bytes of one item. If a function that is not inlined saw it, its length would go to memory
/// and back for each number; so everything here is small and cannot tell errors.
pub(super) struct Window {
    bytes: [u8; SIZE],
    len: usize,
    height: u16,
    /// Whether a part was refused.
    refused: bool,
}

/// The item is not for a window.
#[derive(Debug)]
pub(super) struct Refused;

impl Window {
    /// Writes an item, if it is for a window.
    #[inline(always)]
    pub(super) fn write<O: Output, T: ?Sized + Serialize>(
        out: &mut O,
        depth: &Depth,
        item: &T,
    ) -> Result<bool> {
        if !depth.has_room(HEIGHT) {
            return Ok(false);
        }
        let mut window = Window { bytes: [0; SIZE], len: 0, height: 0, refused: false };
        match (item.serialize(&mut window), window.bytes.get(..window.len)) {
            (Ok(()), Some(bytes)) if !window.refused && !bytes.is_empty() => {
                out.put(bytes).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Result<(), Refused> {
        let place = self.bytes.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut::<N>);
        *place.ok_or(Refused)? = bytes;
        self.len += N;
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self) -> Result<(), Refused> {
        self.height += 1;
        if self.height > HEIGHT { Err(Refused) } else { Ok(()) }
    }

    #[inline(always)]
    fn put_variant(&mut self, name: &'static str, index: u32) -> Result<(), Refused> {
        match mark::is_raw(name) {
            true => Err(Refused),
            false => self.put(wire::variant_bytes(index).map_err(|_| Refused)?),
        }
    }

    #[inline(always)]
    fn parts(&mut self, name: &'static str, len: usize) -> Result<Parts<'_>, Refused> {
        self.enter()?;
        match mark::is_raw(name) {
            true => Err(Refused),
            false => Ok(Parts { window: self, left: len }),
        }
    }
}

/// Parts of an item.
pub(super) struct Parts<'a> {
    window: &'a mut Window,
    left: usize,
}

impl Parts<'_> {
    #[inline(always)]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Refused> {
        let put = match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                value.serialize(&mut *self.window)
            }
            None => Err(Refused),
        };
        // The type may go on without the part.
        self.window.refused |= put.is_err();
        put
    }

    #[inline(always)]
    fn finish(self) -> Result<(), Refused> {
        self.window.height -= 1;
        if self.left == 0 { Ok(()) } else { Err(Refused) }
    }
}

macro_rules! serialize_le {
    ($($method:ident $type:ty,)*) => {$(
        #[inline(always)]
        fn $method(self, value: $type) -> Result<(), Refused> {
            self.put(value.to_le_bytes())
        }
    )*};
}

type Never = ser::Impossible<(), Refused>;

impl<'a> ser::Serializer for &'a mut Window {
    type Ok = ();
    type Error = Refused;
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

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<(), Refused> {
        self.serialize_u8(u8::from(value))
    }

    #[inline(always)]
    fn serialize_char(self, value: char) -> Result<(), Refused> {
        self.serialize_u32(u32::from(value))
    }

    #[inline(always)]
    fn serialize_str(self, _: &str) -> Result<(), Refused> {
        Err(Refused)
    }

    #[inline(always)]
    fn serialize_bytes(self, _: &[u8]) -> Result<(), Refused> {
        Err(Refused)
    }

    #[inline(always)]
    fn serialize_none(self) -> Result<(), Refused> {
        self.serialize_i8(wire::NONE)
    }

    #[inline(always)]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Refused> {
        self.put(wire::SOME.to_le_bytes())?;
        self.serialize_newtype_struct("", value)
    }

    #[inline(always)]
    fn serialize_unit(self) -> Result<(), Refused> {
        Ok(())
    }

    #[inline(always)]
    fn serialize_unit_struct(self, name: &'static str) -> Result<(), Refused> {
        self.parts(name, 0)?.finish()
    }

    #[inline(always)]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
    ) -> Result<(), Refused> {
        self.put_variant(name, index)
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        let mut inner = self.parts(name, 1)?;
        inner.put(value)?;
        inner.finish()
    }

    #[inline(always)]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        self.put_variant(name, index)?;
        self.serialize_newtype_struct("", value)
    }

    #[inline(always)]
    fn serialize_seq(self, _: Option<usize>) -> Result<Never, Refused> {
        Err(Refused)
    }

    #[inline(always)]
    fn serialize_tuple(self, len: usize) -> Result<Parts<'a>, Refused> {
        self.parts("", len)
    }

    #[inline(always)]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Parts<'a>, Refused> {
        self.parts(name, len)
    }

    #[inline(always)]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        len: usize,
    ) -> Result<Parts<'a>, Refused> {
        self.put_variant(name, index)?;
        self.parts(name, len)
    }

    #[inline(always)]
    fn serialize_map(self, _: Option<usize>) -> Result<Never, Refused> {
        Err(Refused)
    }

    #[inline(always)]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Parts<'a>, Refused> {
        self.parts(name, len)
    }

    #[inline(always)]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        len: usize,
    ) -> Result<Parts<'a>, Refused> {
        self.put_variant(name, index)?;
        self.parts(name, len)
    }

    /// Not even asked what it prints: some things can be printed only once.
    #[inline(always)]
    fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Result<(), Refused> {
        Err(Refused)
    }

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        false
    }
}

macro_rules! serialize_parts {
    ($($trait:ident $method:ident ($($key:ty)?),)*) => {$(
        impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = Refused;

            #[inline(always)]
            fn $method<T: ?Sized + Serialize>(
                &mut self,
                $(_: $key,)?
                value: &T,
            ) -> Result<(), Refused> {
                self.put(value)
            }

            $(#[cold]
            fn skip_field(&mut self, _: $key) -> Result<(), Refused> {
                self.window.refused = true;
                Err(Refused)
            })?

            #[inline(always)]
            fn end(self) -> Result<(), Refused> {
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

impl core::fmt::Display for Refused {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("not for a window")
    }
}

impl core::error::Error for Refused {}

impl ser::Error for Refused {
    #[cold]
    fn custom<T: core::fmt::Display>(_: T) -> Self {
        Refused
    }
}
