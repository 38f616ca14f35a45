//! Writing MessagePack: maps for structs, names for variants, the shortest form of each number.

use alloc::vec::Vec;
use core::marker::PhantomData;

use rmp::Marker;
use serde_core::ser::{self, Impossible, Serialize};

use crate::any::Limits;
use crate::error::{Error, Fault, Kind, Segment};
use crate::glue::mark::ANY;
use crate::limits::{Depth, Height, too_deep};

/// The bytes of a value under the mark: what `with::any` hands to the method for newtype structs.
#[cold]
#[inline(never)]
pub(crate) fn pack_and_measure<T: ?Sized + Serialize, K: Kind>(
    value: &T,
    limits: Limits,
) -> Result<(Vec<u8>, Height), Error<K>> {
    pack_by(limits, |packer| value.serialize(Gate(packer)))
}

/// The bytes of a value whose type is marked by its name: what `write` has the packer do.
pub(crate) fn pack_by<K: Kind>(
    limits: Limits,
    write: impl FnOnce(&mut Packer<K>) -> Result<(), Error<K>>,
) -> Result<(Vec<u8>, Height), Error<K>> {
    let mut packer = Packer::new(limits);
    let outer = limits.depth;
    write(&mut packer)?;
    packer.finish(outer)
}

/// The same without how high it is.
#[cold]
#[inline(never)]
pub(crate) fn pack<T: ?Sized + Serialize, K: Kind>(
    value: &T,
    limits: Limits,
) -> Result<Vec<u8>, Error<K>> {
    pack_and_measure(value, limits).map(|(bytes, _)| bytes)
}

/// Takes a newtype struct of the mark's name, whose value is to be packed. It refuses all others: nothing
/// else of them is compiled for it.
struct Gate<'a, K>(&'a mut Packer<K>);

macro_rules! refused {
    ($($method:ident($($type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $(_: $type),*) -> Result<$ok, Error<K>> {
            Err(not_packed())
        }
    )*};
}

#[cold]
fn not_packed<K: Kind>() -> Error<K> {
    ser::Error::custom("the name `fourfold.any` is reserved for values that `with::any` marks")
}

type Never<K> = Impossible<(), Error<K>>;

impl<K: Kind> ser::Serializer for Gate<'_, K> {
    type Ok = ();
    type Error = Error<K>;
    type SerializeSeq = Never<K>;
    type SerializeTuple = Never<K>;
    type SerializeTupleStruct = Never<K>;
    type SerializeTupleVariant = Never<K>;
    type SerializeMap = Never<K>;
    type SerializeStruct = Never<K>;
    type SerializeStructVariant = Never<K>;

    refused! {
        serialize_bool(bool) -> (); serialize_char(char) -> ();
        serialize_i8(i8) -> (); serialize_i16(i16) -> (); serialize_i32(i32) -> ();
        serialize_i64(i64) -> (); serialize_i128(i128) -> (); serialize_u8(u8) -> ();
        serialize_u16(u16) -> (); serialize_u32(u32) -> (); serialize_u64(u64) -> ();
        serialize_u128(u128) -> (); serialize_f32(f32) -> (); serialize_f64(f64) -> ();
        serialize_str(&str) -> (); serialize_bytes(&[u8]) -> (); serialize_none() -> ();
        serialize_unit() -> (); serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Never<K>;
        serialize_tuple(usize) -> Never<K>;
        serialize_tuple_struct(&'static str, usize) -> Never<K>;
        serialize_map(Option<usize>) -> Never<K>;
        serialize_struct(&'static str, usize) -> Never<K>;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never<K>;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never<K>;
    }

    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<(), Error<K>> {
        Err(not_packed())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error<K>> {
        match name == ANY {
            true => value.serialize(self.0),
            false => Err(not_packed()),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error<K>> {
        Err(not_packed())
    }

    fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Result<(), Error<K>> {
        Err(not_packed())
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// What is being written.
pub(crate) struct Packer<K> {
    out: Vec<u8>,
    /// How deep what comes next may be.
    limits: Limits,
    /// The least of that so far.
    lowest: Depth,
    failed: bool,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Packer<K> {
    pub(crate) fn new(limits: Limits) -> Self {
        let lowest = limits.depth;
        Packer { out: Vec::new(), limits, lowest, failed: false, kind: PhantomData }
    }

    /// All that was written, and how high it is above `outer`.
    pub(crate) fn finish(self, outer: Depth) -> Result<(Vec<u8>, Height), Error<K>> {
        let Packer { out, lowest, failed, .. } = self;
        let height = Height {
            levels: outer.levels.saturating_sub(lowest.levels),
            wrappers: outer.wrappers.saturating_sub(lowest.wrappers),
        };
        match failed {
            false => Ok((out, height)),
            // A part was refused, and its type went on.
            true => Err(Error::placeless(Fault::Abandoned)),
        }
    }

    fn put(&mut self, marker: Marker, bytes: &[u8]) -> Result<(), Error<K>> {
        self.out.push(marker.to_u8());
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    fn put_unsigned(&mut self, value: u64) -> Result<(), Error<K>> {
        if let Ok(value) = u8::try_from(value) {
            return match value {
                0..128 => self.put(Marker::FixPos(value), &[]),
                _ => self.put(Marker::U8, &[value]),
            };
        }
        if let Ok(value) = u16::try_from(value) {
            return self.put(Marker::U16, &value.to_be_bytes());
        }
        match u32::try_from(value) {
            Ok(value) => self.put(Marker::U32, &value.to_be_bytes()),
            Err(_) => self.put(Marker::U64, &value.to_be_bytes()),
        }
    }

    fn put_signed(&mut self, value: i64) -> Result<(), Error<K>> {
        if let Ok(value) = u64::try_from(value) {
            return self.put_unsigned(value);
        }
        if let Ok(value) = i8::try_from(value) {
            return match value {
                -32.. => self.put(Marker::FixNeg(value), &[]),
                _ => self.put(Marker::I8, &value.to_be_bytes()),
            };
        }
        if let Ok(value) = i16::try_from(value) {
            return self.put(Marker::I16, &value.to_be_bytes());
        }
        match i32::try_from(value) {
            Ok(value) => self.put(Marker::I32, &value.to_be_bytes()),
            Err(_) => self.put(Marker::I64, &value.to_be_bytes()),
        }
    }

    fn put_header(&mut self, headed: Headed, count: usize) -> Result<(), Error<K>> {
        let header = Header::new(headed, count)?;
        self.out.extend_from_slice(header.as_slice());
        Ok(())
    }

    /// The name of a variant in front of its content.
    fn put_variant(&mut self, variant: &str) -> Result<(), Error<K>> {
        self.put_header(Headed::Map, 1)?;
        ser::Serializer::serialize_str(self, variant)
    }

    /// Goes on where this is how deep parts may be.
    fn go_to(&mut self, depth: Option<Depth>) -> Result<(), Error<K>> {
        let Some(depth) = depth else { return Err(too_deep(self.limits.max_depth)) };
        self.limits.depth = depth;
        self.lowest.levels = self.lowest.levels.min(depth.levels);
        self.lowest.wrappers = self.lowest.wrappers.min(depth.wrappers);
        Ok(())
    }

    /// Writes what is in a `Some` or newtype struct.
    fn put_wrapped<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
        let outer = self.limits.depth;
        self.go_to(outer.wrap())?;
        value.serialize(&mut *self)?;
        self.limits.depth = outer;
        Ok(())
    }

    /// Writes a part of a value, and notes if it is refused.
    fn put_part<T: ?Sized + Serialize>(
        &mut self,
        value: &T,
        segment: impl FnOnce() -> Segment,
    ) -> Result<(), Error<K>> {
        let outer = self.limits.depth;
        value.serialize(&mut *self).map_err(|error: Error<K>| {
            self.failed = true;
            self.limits.depth = outer;
            error.inside(segment())
        })
    }

    /// Begins what has parts: `levels` deep, as many as there are headers.
    fn begin(&mut self, levels: u16) -> Result<Parts<'_, K>, Error<K>> {
        let outer = self.limits.depth;
        for _ in 0..levels {
            self.go_to(self.limits.depth.enter())?;
        }
        let start = self.out.len();
        let frame = Frame { outer, start, headed: Headed::Array, announced: None, given: 0 };
        Ok(Parts { packer: self, frame })
    }

    /// Begins a list of values or entries.
    fn begin_list(
        &mut self,
        headed: Headed,
        count: Option<usize>,
        levels: u16,
    ) -> Result<Parts<'_, K>, Error<K>> {
        let mut parts = self.begin(levels)?;
        parts.frame.headed = headed;
        parts.frame.announced = count;
        if let Some(count) = count {
            parts.packer.put_header(headed, count)?;
        }
        Ok(parts)
    }
}

/// What has a count in front.
#[derive(Clone, Copy)]
pub(crate) enum Headed {
    Str,
    Bin,
    Array,
    Map,
}

/// A marker with a count.
struct Header {
    bytes: [u8; 5],
    len: usize,
}

impl Header {
    fn new<K: Kind>(headed: Headed, count: usize) -> Result<Self, Error<K>> {
        let Ok(count) = u32::try_from(count) else {
            let reason = "messagepack has no more than 4294967295 bytes or items of a value";
            return Err(Error::placeless(Fault::Unsupported(reason)));
        };
        let [a, b, c, d] = count.to_be_bytes();
        let fixed = match (headed, count) {
            (Headed::Str, 0..32) => Some(Marker::FixStr(d)),
            (Headed::Array, 0..16) => Some(Marker::FixArray(d)),
            (Headed::Map, 0..16) => Some(Marker::FixMap(d)),
            _ => None,
        };
        let short = match headed {
            Headed::Str => Some(Marker::Str8),
            Headed::Bin => Some(Marker::Bin8),
            Headed::Array | Headed::Map => None,
        };
        let (medium, long) = match headed {
            Headed::Str => (Marker::Str16, Marker::Str32),
            Headed::Bin => (Marker::Bin16, Marker::Bin32),
            Headed::Array => (Marker::Array16, Marker::Array32),
            Headed::Map => (Marker::Map16, Marker::Map32),
        };
        Ok(match (fixed, short, count) {
            (Some(fixed), ..) => Header { bytes: [fixed.to_u8(), 0, 0, 0, 0], len: 1 },
            (None, Some(short), 0..0x100) => Header { bytes: [short.to_u8(), d, 0, 0, 0], len: 2 },
            (None, _, 0..0x1_0000) => Header { bytes: [medium.to_u8(), c, d, 0, 0], len: 3 },
            _ => Header { bytes: [long.to_u8(), a, b, c, d], len: 5 },
        })
    }

    fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty => $put:ident,)*) => {$(
        fn $method(self, value: $type) -> Result<(), Error<K>> {
            self.$put(value.into())
        }
    )*};
}

impl<'a, K: Kind> ser::Serializer for &'a mut Packer<K> {
    type Ok = ();
    type Error = Error<K>;
    type SerializeSeq = Parts<'a, K>;
    type SerializeTuple = Parts<'a, K>;
    type SerializeTupleStruct = Parts<'a, K>;
    type SerializeTupleVariant = Parts<'a, K>;
    type SerializeMap = Parts<'a, K>;
    type SerializeStruct = Parts<'a, K>;
    type SerializeStructVariant = Parts<'a, K>;

    numbers! {
        serialize_u8 u8 => put_unsigned, serialize_u16 u16 => put_unsigned,
        serialize_u32 u32 => put_unsigned, serialize_u64 u64 => put_unsigned,
        serialize_i8 i8 => put_signed, serialize_i16 i16 => put_signed,
        serialize_i32 i32 => put_signed, serialize_i64 i64 => put_signed,
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error<K>> {
        self.put(if value { Marker::True } else { Marker::False }, &[])
    }

    fn serialize_i128(self, value: i128) -> Result<(), Error<K>> {
        self.serialize_bytes(&value.to_be_bytes())
    }

    fn serialize_u128(self, value: u128) -> Result<(), Error<K>> {
        self.serialize_bytes(&value.to_be_bytes())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error<K>> {
        self.put(Marker::F32, &value.to_be_bytes())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error<K>> {
        self.put(Marker::F64, &value.to_be_bytes())
    }

    fn serialize_char(self, value: char) -> Result<(), Error<K>> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error<K>> {
        self.put_header(Headed::Str, value.len())?;
        self.out.extend_from_slice(value.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error<K>> {
        self.put_header(Headed::Bin, value.len())?;
        self.out.extend_from_slice(value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error<K>> {
        self.serialize_unit()
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Error<K>> {
        let start = self.out.len();
        self.put_wrapped(value)?;
        match self.out.get(start..) == Some(&[Marker::Null.to_u8()]) {
            false => Ok(()),
            true => {
                let reason =
                    "some of nothing is nil in messagepack, and would be read back as none";
                Err(Error::placeless(Fault::Unsupported(reason)))
            }
        }
    }

    fn serialize_unit(self) -> Result<(), Error<K>> {
        self.put(Marker::Null, &[])
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error<K>> {
        self.put_header(Headed::Array, 0)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error<K>> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error<K>> {
        match name == EXTENSION {
            false => self.put_wrapped(value),
            true => {
                let mut parts = Extension { packer: self, tag: None, is_written: false };
                value.serialize(&mut parts)?;
                match parts.is_written {
                    true => Ok(()),
                    false => Err(no_extension()),
                }
            }
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error<K>> {
        let Parts { packer, frame: Frame { outer, .. } } = self.begin(1)?;
        packer.put_variant(variant)?;
        value.serialize(&mut *packer)?;
        packer.limits.depth = outer;
        Ok(())
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Parts<'a, K>, Error<K>> {
        self.begin_list(Headed::Array, len, 1)
    }

    fn serialize_tuple(self, len: usize) -> Result<Parts<'a, K>, Error<K>> {
        self.begin_list(Headed::Array, Some(len), 1)
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Parts<'a, K>, Error<K>> {
        self.begin_list(Headed::Array, Some(len), 1)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'a, K>, Error<K>> {
        self.put_variant(variant)?;
        self.begin_list(Headed::Array, Some(len), 2)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Parts<'a, K>, Error<K>> {
        self.begin_list(Headed::Map, len, 1)
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Parts<'a, K>, Error<K>> {
        self.begin_list(Headed::Map, Some(len), 1)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'a, K>, Error<K>> {
        self.put_variant(variant)?;
        self.begin_list(Headed::Map, Some(len), 2)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The items, entries or fields of a value.
pub(crate) struct Parts<'a, K> {
    packer: &'a mut Packer<K>,
    frame: Frame,
}

/// What is known of a value whose parts are being written.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    outer: Depth,
    /// Where the header is, or comes once the count is known.
    start: usize,
    headed: Headed,
    announced: Option<usize>,
    given: usize,
}

impl<'a, K: Kind> Parts<'a, K> {
    /// Those of a value that was begun before.
    pub(crate) fn again(packer: &'a mut Packer<K>, frame: Frame) -> Self {
        Parts { packer, frame }
    }

    pub(crate) fn frame(&self) -> Frame {
        self.frame
    }

    pub(crate) fn put<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
        let index = self.frame.given;
        self.frame.given += 1;
        self.packer.put_part(value, || Segment::Index(index))
    }

    pub(crate) fn put_field<T: ?Sized + Serialize>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error<K>> {
        self.frame.given += 1;
        ser::Serializer::serialize_str(&mut *self.packer, key)?;
        self.packer.put_part(value, || Segment::Field(key.into()))
    }

    pub(crate) fn finish(self) -> Result<(), Error<K>> {
        let Parts { packer, frame } = self;
        let Frame { outer, start, headed, announced, given } = frame;
        packer.limits.depth = outer;
        match announced {
            Some(expected) if expected != given => {
                Err(Error::placeless(Fault::PartCount { found: given, expected }))
            }
            Some(_) => Ok(()),
            None => {
                let header = Header::new(headed, given)?;
                packer.out.splice(start..start, header.as_slice().iter().copied());
                Ok(())
            }
        }
    }
}

macro_rules! parts {
    ($($trait:ident $method:ident,)*) => {$(
        impl<K: Kind> ser::$trait for Parts<'_, K> {
            type Ok = ();
            type Error = Error<K>;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
                self.put(value)
            }

            fn end(self) -> Result<(), Error<K>> {
                self.finish()
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
}

macro_rules! named_parts {
    ($($trait:ident)*) => {$(
        impl<K: Kind> ser::$trait for Parts<'_, K> {
            type Ok = ();
            type Error = Error<K>;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error<K>> {
                self.put_field(key, value)
            }

            fn end(self) -> Result<(), Error<K>> {
                self.finish()
            }
        }
    )*};
}

named_parts! { SerializeStruct SerializeStructVariant }

impl<K: Kind> ser::SerializeMap for Parts<'_, K> {
    type Ok = ();
    type Error = Error<K>;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Error<K>> {
        let index = self.frame.given;
        self.packer.put_part(key, || Segment::Index(index))
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
        self.put(value)
    }

    fn end(self) -> Result<(), Error<K>> {
        self.finish()
    }
}

/// The name by which MessagePack's libraries for serde know an ext: a tuple of its type and bytes.
pub(crate) const EXTENSION: &str = "_ExtStruct";

#[cold]
fn no_extension<K: Kind>() -> Error<K> {
    ser::Error::custom("an ext of messagepack is an i8 and bytes")
}

/// Writes an ext.
struct Extension<'a, K> {
    packer: &'a mut Packer<K>,
    tag: Option<i8>,
    is_written: bool,
}

macro_rules! no_extension {
    ($($method:ident($($type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $(_: $type),*) -> Result<$ok, Error<K>> {
            Err(no_extension())
        }
    )*};
}

impl<K: Kind> ser::Serializer for &mut Extension<'_, K> {
    type Ok = ();
    type Error = Error<K>;
    type SerializeSeq = Never<K>;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Never<K>;
    type SerializeTupleVariant = Never<K>;
    type SerializeMap = Never<K>;
    type SerializeStruct = Never<K>;
    type SerializeStructVariant = Never<K>;

    no_extension! {
        serialize_bool(bool) -> (); serialize_char(char) -> ();
        serialize_i16(i16) -> (); serialize_i32(i32) -> (); serialize_i64(i64) -> ();
        serialize_i128(i128) -> (); serialize_u8(u8) -> (); serialize_u16(u16) -> ();
        serialize_u32(u32) -> (); serialize_u64(u64) -> (); serialize_u128(u128) -> ();
        serialize_f32(f32) -> (); serialize_f64(f64) -> (); serialize_str(&str) -> ();
        serialize_none() -> (); serialize_unit() -> (); serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Never<K>;
        serialize_tuple_struct(&'static str, usize) -> Never<K>;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never<K>;
        serialize_map(Option<usize>) -> Never<K>;
        serialize_struct(&'static str, usize) -> Never<K>;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never<K>;
    }

    fn serialize_i8(self, value: i8) -> Result<(), Error<K>> {
        self.tag = Some(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error<K>> {
        let Some(tag) = self.tag.filter(|_| !self.is_written) else { return Err(no_extension()) };
        let marker = match value.len() {
            1 => Marker::FixExt1,
            2 => Marker::FixExt2,
            4 => Marker::FixExt4,
            8 => Marker::FixExt8,
            16 => Marker::FixExt16,
            0..0x100 => Marker::Ext8,
            0x100..0x1_0000 => Marker::Ext16,
            _ => Marker::Ext32,
        };
        // The count is that of a bin, behind another marker.
        let header = Header::new::<K>(Headed::Bin, value.len())?;
        let count = match marker {
            Marker::Ext8 | Marker::Ext16 | Marker::Ext32 => header.as_slice().get(1..),
            _ => None,
        };
        self.packer.put(marker, count.unwrap_or_default())?;
        self.packer.out.extend_from_slice(&tag.to_be_bytes());
        self.packer.out.extend_from_slice(value);
        self.is_written = true;
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<(), Error<K>> {
        Err(no_extension())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error<K>> {
        Err(no_extension())
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error<K>> {
        Err(no_extension())
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error<K>> {
        Ok(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<K: Kind> ser::SerializeTuple for &mut Extension<'_, K> {
    type Ok = ();
    type Error = Error<K>;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error<K>> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Error<K>> {
        Ok(())
    }
}
