//! Writing MessagePack: maps for structs, names for variants, the shortest form of each number.

mod extension;
mod header;
mod parts;

use alloc::vec::Vec;
use core::marker::PhantomData;

use rmp::Marker;
use serde_core::ser::{self, Serialize};

use self::extension::{Extension, no_extension};
use self::header::{Headed, Header};
pub(crate) use self::parts::{Frame, Parts};
use crate::any::Limits;
use crate::error::{Error, Fault, Kind, Segment};
use crate::fast::forecast::exact_length;
use crate::glue::mark::{ANY, EXTENSION};
use crate::glue::refusing::refusing;
use crate::limits::{Depth, Height, too_deep};

/// The bytes of a value under the mark, which `with::any` passes as a newtype struct.
#[cold]
#[inline(never)]
pub(crate) fn pack_and_measure<T: ?Sized + Serialize, K: Kind>(
    value: &T,
    limits: Limits,
) -> Result<(Vec<u8>, Height), Error<K>> {
    pack_by(limits, |packer| value.serialize(Gate(packer)))
}

/// The bytes of a value whose type is marked by its name; `write` writes them.
pub(crate) fn pack_by<K: Kind>(
    limits: Limits,
    write: impl FnOnce(&mut Packer<K>) -> Result<(), Error<K>>,
) -> Result<(Vec<u8>, Height), Error<K>> {
    let mut packer = Packer::new(limits);
    let outer = limits.depth;
    write(&mut packer)?;
    packer.finish(outer)
}

/// The same without the height.
#[cold]
#[inline(never)]
pub(crate) fn pack<T: ?Sized + Serialize, K: Kind>(
    value: &T,
    limits: Limits,
) -> Result<Vec<u8>, Error<K>> {
    pack_and_measure(value, limits).map(|(bytes, _)| bytes)
}

/// Accepts a newtype struct of the mark's name and packs its value. Refuses everything else, so that no
/// other code is compiled for it.
struct Gate<'a, K>(&'a mut Packer<K>);

#[cold]
fn not_packed<K: Kind>() -> Error<K> {
    ser::Error::custom("the name `fourfold.any` is reserved for values that `with::any` marks")
}

impl<K: Kind> ser::Serializer for Gate<'_, K> {
    refusing!(but newtype_struct, not_packed, Error<K>);

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
}

/// A value as an object, so that the rest of the packer is compiled once, in this library.
pub(crate) trait AnyValue<K> {
    fn pack(&self, packer: &mut Packer<K>) -> Result<(), Error<K>>;
}

impl<K: Kind, T: ?Sized + Serialize> AnyValue<K> for &T {
    fn pack(&self, packer: &mut Packer<K>) -> Result<(), Error<K>> {
        self.serialize(packer)
    }
}

/// The bytes under construction.
pub(crate) struct Packer<K> {
    out: Vec<u8>,
    /// How deep the next value may nest.
    limits: Limits,
    /// The smallest depth so far.
    lowest: Depth,
    failed: bool,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Packer<K> {
    pub(crate) fn new(limits: Limits) -> Self {
        let lowest = limits.depth;
        Packer { out: Vec::new(), limits, lowest, failed: false, kind: PhantomData }
    }

    /// The written bytes, and the height of the value below `outer`.
    pub(crate) fn finish(self, outer: Depth) -> Result<(Vec<u8>, Height), Error<K>> {
        let Packer { out, lowest, failed, .. } = self;
        let height = Height {
            levels: outer.levels.saturating_sub(lowest.levels),
            wrappers: outer.wrappers.saturating_sub(lowest.wrappers),
        };
        match failed {
            false => Ok((out, height)),
            // A part failed, and its type ignored the error.
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

    /// Continues at this depth.
    fn go_to(&mut self, depth: Option<Depth>) -> Result<(), Error<K>> {
        let Some(depth) = depth else { return Err(too_deep(self.limits.max_depth)) };
        self.limits.depth = depth;
        self.lowest.levels = self.lowest.levels.min(depth.levels);
        self.lowest.wrappers = self.lowest.wrappers.min(depth.wrappers);
        Ok(())
    }

    /// Writes the content of a `Some` or newtype struct.
    fn put_wrapped(&mut self, value: &dyn AnyValue<K>) -> Result<(), Error<K>> {
        let outer = self.limits.depth;
        self.go_to(outer.wrap())?;
        value.pack(self)?;
        self.limits.depth = outer;
        Ok(())
    }

    /// Writes a `Some`.
    fn put_some(&mut self, value: &dyn AnyValue<K>) -> Result<(), Error<K>> {
        let start = self.out.len();
        self.put_wrapped(value)?;
        match self.out.get(start..) == Some(&[Marker::Null.to_u8()]) {
            false => Ok(()),
            true => {
                let reason = "`Some` of nothing is nil in messagepack, as `None` is";
                let hint = Some("use a tuple in the option, `Some((value,))`");
                Err(Error::placeless(Fault::Unsupported { reason, hint }))
            }
        }
    }

    /// Writes a variant that holds one value.
    fn put_newtype_variant(
        &mut self,
        variant: &'static str,
        value: &dyn AnyValue<K>,
    ) -> Result<(), Error<K>> {
        let Parts { packer, frame: Frame { outer, .. } } = self.begin(1)?;
        packer.put_variant(variant)?;
        value.pack(packer)?;
        packer.limits.depth = outer;
        Ok(())
    }

    /// Writes a part of a value, and records its failure.
    fn put_part(
        &mut self,
        value: &dyn AnyValue<K>,
        segment: impl FnOnce() -> Segment,
    ) -> Result<(), Error<K>> {
        let outer = self.limits.depth;
        value.pack(self).map_err(|error| {
            self.failed = true;
            self.limits.depth = outer;
            error.inside(segment())
        })
    }

    /// Begins a value with parts that has `levels` headers.
    fn begin(&mut self, levels: u16) -> Result<Parts<'_, K>, Error<K>> {
        let outer = self.limits.depth;
        for _ in 0..levels {
            self.go_to(self.limits.depth.enter())?;
        }
        let start = self.out.len();
        let headed = Headed::Array;
        let frame = Frame { outer, start, headed, announced: None, given: 0, lacks_value: false };
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
        self.put_some(&value)
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
            false => self.put_wrapped(&value),
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
        self.put_newtype_variant(variant, &value)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Parts<'a, K>, Error<K>> {
        self.begin_list(Headed::Array, len, 1)
    }

    /// As serde's own, in less code for each type.
    fn collect_seq<I>(self, items: I) -> Result<(), Error<K>>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let items = items.into_iter();
        let mut parts = self.begin_list(Headed::Array, exact_length(&items), 1)?;
        for item in items {
            parts.put(&&item)?;
        }
        parts.finish()
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
