//! Writes small fixed values into an array: one length check for the value, none for its scalars.
//! Bails on everything else. Knows no headers.
//!
//! The position is a number in the writer, never behind a reference, so that the compiler knows it
//! for every scalar.

use core::fmt;

use serde_core::ser::{self, Serialize};

use crate::fast::Bail;
use crate::fast::buffer::SMALL_VALUE;
use crate::fast::scalar::bail_unless_fixed;
use crate::molecule::mark::Mark;

/// How deep fixed values nest, newtypes included.
pub(super) const MAX_DEPTH: u16 = 8;

/// Writes a fixed value into the array, and returns where it ends.
///
/// It has exactly two fields, so that it is passed in registers and the compiler knows that nothing
/// else points to the array.
pub(super) struct FixedWriter<'a> {
    bytes: &'a mut [u8; SMALL_VALUE],
    position: FixedPosition,
}

/// A position in the array and what surrounds the value, in one number: the offset, the depth, and
/// whether unmarked structs are packed.
#[derive(Clone, Copy)]
struct FixedPosition(usize);

/// The bit for packed structs, and the unit of the depth.
const PACKS: usize = 0x8000;
const LEVEL: usize = 0x800;

impl FixedPosition {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn at(self) -> usize {
        self.0 % LEVEL
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn packs(self) -> bool {
        self.0 & PACKS != 0
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn go_to(self, at: usize) -> Self {
        FixedPosition(self.0 - self.at() + at)
    }

    /// One level deeper.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self, packs: bool) -> Result<Self, Bail> {
        let levels = self.0 % PACKS / LEVEL;
        match levels < usize::from(MAX_DEPTH) {
            true => Ok(FixedPosition(self.0 % PACKS + LEVEL + if packs { PACKS } else { 0 })),
            false => Err(Bail),
        }
    }
}

impl<'a> FixedWriter<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(bytes: &'a mut [u8; SMALL_VALUE], packs: bool) -> Self {
        FixedWriter { bytes, position: FixedPosition(if packs { PACKS } else { 0 }) }
    }

    /// The same behind the first `at` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at(self, at: usize) -> Self {
        FixedWriter { position: self.position.go_to(at), ..self }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<const N: usize>(self, bytes: [u8; N]) -> Result<usize, Bail> {
        let at = self.position.at();
        match self.bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            Some(position) => *position = bytes,
            None => return Err(Bail),
        }
        Ok(at + N)
    }

    /// One level deeper.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(self, packs: bool) -> Result<Self, Bail> {
        Ok(FixedWriter { position: self.position.inside(packs)?, ..self })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts(self, packs: bool, exactly: Option<usize>) -> Result<Parts<'a>, Bail> {
        Ok(Parts { writer: self.inside(packs)?, count: 0, exactly })
    }
}

macro_rules! scalars {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<usize, Bail> {
            self.put(value.to_le_bytes())
        }
    )*};
}

impl<'a> ser::Serializer for FixedWriter<'a> {
    type Ok = usize;
    type Error = Bail;
    type SerializeSeq = ser::Impossible<usize, Bail>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = ser::Impossible<usize, Bail>;
    type SerializeMap = ser::Impossible<usize, Bail>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = ser::Impossible<usize, Bail>;

    scalars! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128, serialize_f32 f32, serialize_f64 f64,
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
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<usize, Bail> {
        match Mark::of_newtype(name) {
            Ok(None) => {
                let packs = self.position.packs();
                value.serialize(self.inside(packs)?)
            }
            Ok(Some(_)) | Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Parts<'a>, Bail> {
        let packs = self.position.packs();
        match len {
            0 => Err(Bail),
            _ => self.parts(packs, Some(len)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Parts<'a>, Bail> {
        match Mark::is_packed(name) {
            Ok(packed) if packed || self.position.packs() => self.parts(true, Some(len)),
            Ok(_) | Err(_) => Err(Bail),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'a>, Bail> {
        match Mark::is_packed(name) {
            Ok(packed) if packed || self.position.packs() => self.parts(true, None),
            Ok(_) | Err(_) => Err(Bail),
        }
    }

    bail_unless_fixed!();
}

/// The parts of a struct, tuple or array.
pub(super) struct Parts<'a> {
    writer: FixedWriter<'a>,
    count: usize,
    exactly: Option<usize>,
}

impl Parts<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        let FixedWriter { bytes, position } = &mut self.writer;
        match value.serialize(FixedWriter { bytes, position: *position }) {
            Ok(end) => *position = position.go_to(end),
            Err(bail) => {
                // A type may ignore the error; then `finish` bails.
                self.exactly = Some(usize::MAX);
                return Err(bail);
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Bails if there are no parts, or not as many as announced.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<usize, Bail> {
        match self.count > 0 && self.exactly.is_none_or(|exactly| exactly == self.count) {
            true => Ok(self.writer.position.at()),
            false => Err(Bail),
        }
    }
}

impl ser::SerializeTuple for Parts<'_> {
    type Ok = usize;
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        self.put(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<usize, Bail> {
        self.finish()
    }
}

impl ser::SerializeTupleStruct for Parts<'_> {
    type Ok = usize;
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Bail> {
        self.put(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<usize, Bail> {
        self.finish()
    }
}

impl ser::SerializeStruct for Parts<'_> {
    type Ok = usize;
    type Error = Bail;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Bail> {
        self.put(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip_field(&mut self, _: &'static str) -> Result<(), Bail> {
        // As in `put`.
        self.exactly = Some(usize::MAX);
        Err(Bail)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<usize, Bail> {
        self.finish()
    }
}
