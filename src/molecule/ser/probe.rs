//! Tells whether a value has a fixed size, without writing it. Looks at types, not at data.
//!
//! A vector's header precedes its first item and depends on its type. Writing the item first and
//! moving it would copy it once per level.

use core::fmt;

use serde_core::ser::{self, Serialize};

use super::tuple::LONGEST_TUPLE;
use crate::limits::Depth;
use crate::molecule::mark::Mark;

/// Whether the size of a value follows from its type, which tells a fixvec from a dynvec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Fixed,
    Dynamic,
}

/// The layout of `value`. Looks at types up to the first dynamic one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn layout<T: ?Sized + Serialize>(value: &T, depth: Depth) -> Layout {
    match value.serialize(Probe { depth, marked: false }) {
        Ok(()) => Layout::Fixed,
        Err(Dynamic) => Layout::Dynamic,
    }
}

/// Returns `Ok` for fixed values.
struct Probe {
    depth: Depth,
    /// Whether the value has the mark `struct`.
    marked: bool,
}

impl Probe {
    /// A probe for the content of a newtype struct.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(&self, marked: bool) -> Result<Self, Dynamic> {
        let wrappers = self.depth.wrappers.checked_sub(1).ok_or(Dynamic)?;
        Ok(Probe { depth: Depth { wrappers, ..self.depth }, marked })
    }

    /// The depth that is left for the items of a tuple.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn depth_of_items(&self) -> Result<Depth, Dynamic> {
        let levels = self.depth.levels.checked_sub(1).ok_or(Dynamic)?;
        Ok(Depth { levels, ..self.depth })
    }
}

/// The result for dynamic values, and for values that fail: writing them reports the error.
#[derive(Debug)]
struct Dynamic;

impl fmt::Display for Dynamic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no fixed size")
    }
}

impl core::error::Error for Dynamic {}

impl ser::Error for Dynamic {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Dynamic
    }
}

macro_rules! fixed {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, _: $type) -> Result<(), Dynamic> {
            Ok(())
        }
    )*};
}

impl ser::Serializer for Probe {
    type Ok = ();
    type Error = Dynamic;
    type SerializeSeq = ser::Impossible<(), Dynamic>;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Packed;
    type SerializeTupleVariant = ser::Impossible<(), Dynamic>;
    type SerializeMap = ser::Impossible<(), Dynamic>;
    type SerializeStruct = Packed;
    type SerializeStructVariant = ser::Impossible<(), Dynamic>;

    fixed! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_u8 u8, serialize_u16 u16,
        serialize_u32 u32, serialize_u64 u64, serialize_u128 u128, serialize_f32 f32,
        serialize_f64 f64, serialize_char char,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, _: &str) -> Result<(), Dynamic> {
        Err(Dynamic)
    }

    /// The text is not even formatted, since some values can be formatted only once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + fmt::Display>(self, _: &T) -> Result<(), Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, _: &[u8]) -> Result<(), Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<(), Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<(), Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<(), Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<(), Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Dynamic> {
        match Mark::of_newtype(name) {
            Ok(None) => value.serialize(self.inside(self.marked)?),
            Ok(Some(Mark::Struct)) => value.serialize(self.inside(true)?),
            Ok(Some(Mark::Table | Mark::FixVec | Mark::DynVec)) | Err(_) => Err(Dynamic),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Items, Dynamic> {
        match len {
            0 => Err(Dynamic),
            // A marked tuple has no header, whatever it holds.
            _ => Ok(Items {
                depth: self.depth_of_items()?,
                most: if self.marked { 0 } else { len.min(LONGEST_TUPLE) },
                len,
            }),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Packed, Dynamic> {
        self.serialize_struct(name, 0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Dynamic> {
        Err(Dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Packed, Dynamic> {
        match Mark::is_packed(name) {
            Ok(packed) if packed || self.marked => Ok(Packed),
            Ok(_) | Err(_) => Err(Dynamic),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Dynamic> {
        Err(Dynamic)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// A tuple or array: fixed if its items are.
struct Items {
    depth: Depth,
    /// How many more items to look at. Of an array only the first, since its items are alike.
    most: usize,
    len: usize,
}

impl ser::SerializeTuple for Items {
    type Ok = ();
    type Error = Dynamic;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Dynamic> {
        let Some(rest) = self.most.checked_sub(1) else { return Ok(()) };
        self.most = if self.len > LONGEST_TUPLE { 0 } else { rest };
        let probe = Probe { depth: self.depth, marked: false };
        value.serialize(probe)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<(), Dynamic> {
        Ok(())
    }
}

/// A marked struct: fixed, whatever it holds.
struct Packed;

impl ser::SerializeTupleStruct for Packed {
    type Ok = ();
    type Error = Dynamic;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, _: &T) -> Result<(), Dynamic> {
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<(), Dynamic> {
        Ok(())
    }
}

impl ser::SerializeStruct for Packed {
    type Ok = ();
    type Error = Dynamic;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        _: &'static str,
        _: &T,
    ) -> Result<(), Dynamic> {
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<(), Dynamic> {
        Ok(())
    }
}
