//! Writes one value of any kind. Knows which layout a type has, does not know
//! headers.

use serde_core::ser::{self, Serialize};

use super::encoder::Encoder;
use super::entries::Entries;
use super::fields::{Fields, Table};
use super::marking::{Marking, Plain};
use super::position::{Position, Written};
use super::sequence::Sequence;
use super::tuple::Tuple;
use crate::fast::forecast::exact_length;
use crate::molecule::mark::{self, Mark, Target};
use crate::molecule::wire::{EMPTY_TABLE, NUMBER_SIZE};
use crate::molecule::{Error, ErrorKind, Result, raw};
use crate::raw::bytes_of;
#[cfg(feature = "any")]
use crate::{
    any::{self, Limits},
    glue::mark::ANY,
};

/// The serializer for the value at a position of a document. `Some` and newtype structs pass a mark
/// on.
#[derive(Debug)]
pub(in crate::molecule) struct ValueWriter<'a, M = Plain> {
    pub(super) encoder: &'a mut Encoder,
    pub(super) place: Position,
    marking: M,
}

impl<'a> ValueWriter<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(encoder: &'a mut Encoder, place: Position) -> Self {
        ValueWriter { encoder, place, marking: Plain }
    }
}

impl<'a, M: Marking> ValueWriter<'a, M> {
    /// A writer for the same position, or one behind it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<N: Marking>(&mut self, place: Position, marking: N) -> ValueWriter<'_, N> {
        ValueWriter { encoder: &mut *self.encoder, place, marking }
    }

    /// Holds a scalar.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn hold<const N: usize>(self, target: &'static str, bytes: [u8; N]) -> Result<Written> {
        self.marking.check(Target::Scalar(target))?;
        self.encoder.hold(self.place.at(), bytes)
    }

    /// Writes a larger scalar.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<const N: usize>(self, target: &'static str, bytes: [u8; N]) -> Result<Written> {
        self.marking.check(Target::Scalar(target))?;
        self.encoder.put(self.place.at(), bytes).map(Written::fixed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn hold_dynamic(self, bytes: [u8; NUMBER_SIZE]) -> Result<Written> {
        self.encoder.hold(self.place.at(), bytes).map(Written::made_dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_bytes(self, bytes: &[u8]) -> Result<Written> {
        self.encoder.put_counted(self.place.at(), bytes).map(Written::dynamic)
    }

    /// The id in front of a union's payload.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn id(
        &self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<[u8; NUMBER_SIZE]> {
        self.marking.union_id(&self.encoder.frame, name, index, variant)
    }

    /// A union whose payload is a table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant(
        self,
        id: [u8; NUMBER_SIZE],
        len: usize,
        exactly: Option<usize>,
    ) -> Result<Table<'a>> {
        let at = self.encoder.put(self.place.at(), id)?;
        Table::new(self.encoder, self.place.go_to(at), len, exactly)
    }

    /// Writes the bytes of a part that was kept raw.
    #[cold]
    #[inline(never)]
    fn put_raw<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        self.marking.check(Target::Raw)?;
        let bytes = bytes_of(value)?;
        self.encoder.put_bytes(self.place.at(), &bytes).map(Written::dynamic)
    }

    /// A struct or tuple struct. A mark at its use decides, then its own name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields(self, name: &'static str, len: usize, exactly: Option<usize>) -> Result<Fields<'a>> {
        self.encoder.frame.check_name(name)?;
        self.marking.check(Target::Struct)?;
        let is_packed = Mark::is_packed(name).map_err(Error::placeless)?;
        match self.marking.mark().map_or(is_packed, |mark| mark == Mark::Struct) {
            true => Fields::packed(self.encoder, self.place, exactly),
            false => Fields::table(self.encoder, self.place, len, exactly),
        }
    }
}

#[cfg(feature = "any")]
impl<'a, M: Marking> ValueWriter<'a, M> {
    /// Writes a part that is marked `any`: a fixvec.
    #[cold]
    #[inline(never)]
    fn put_any<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        let max_depth = self.encoder.frame.max_depth;
        let part = any::pack(value, Limits { depth: self.place.depth(), max_depth })?;
        self.put_bytes(&part)
    }
}

/// Fixed values that are written as their little-endian bytes. A marked newtype around one is a
/// struct of one field.
macro_rules! serialize_le {
    ($put:ident $($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Written> {
            self.$put(stringify!($type), value.to_le_bytes())
        }
    )*};
}

impl<'a, M: Marking> ser::Serializer for ValueWriter<'a, M> {
    type Ok = Written;
    type Error = Error;
    type SerializeSeq = Sequence<'a, M>;
    type SerializeTuple = Tuple<'a, M>;
    type SerializeTupleStruct = Fields<'a>;
    type SerializeTupleVariant = Table<'a>;
    type SerializeMap = Entries<'a, M>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Table<'a>;

    serialize_le! { hold
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_f32 f32, serialize_f64 f64,
    }

    serialize_le! { put serialize_i128 i128, serialize_u128 u128, }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<Written> {
        self.hold("bool", [u8::from(value)])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<Written> {
        self.hold("char", u32::from(value).to_le_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<Written> {
        self.marking.check(Target::Text)?;
        self.put_bytes(value.as_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<Written> {
        self.marking.check(Target::Bytes)?;
        self.put_bytes(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<Written> {
        Ok(Written::dynamic(self.place.at()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(mut self, value: &T) -> Result<Written> {
        let place = self.encoder.frame.wrap(self.place)?;
        let marking = self.marking;
        let written = value.serialize(self.part(place, marking))?;
        if written.is_empty(place.at()) {
            return Err(Error::placeless(ErrorKind::SomeNone));
        }
        self.encoder.note_lookalike(written)?;
        Ok(written.made_dynamic())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<Written> {
        self.marking.check(Target::Unit)?;
        self.hold_dynamic(EMPTY_TABLE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Result<Written> {
        self.marking.check(Target::UnitStruct)?;
        mark::refuse_on_unit(name).map_err(Error::placeless)?;
        self.encoder.frame.check_name(name)?;
        self.hold_dynamic(EMPTY_TABLE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Written> {
        let id = self.id(name, index, variant)?;
        self.hold_dynamic(id)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        mut self,
        name: &'static str,
        value: &T,
    ) -> Result<Written> {
        if raw::is_reserved(name) {
            return self.put_raw(value);
        }
        let outer = self.marking.mark();
        let place = self.encoder.frame.wrap(self.place)?;
        #[cfg(feature = "any")]
        if name == ANY && outer.is_none_or(|mark| mark.fits(Target::Any)) {
            return self.part(place, Plain).put_any(value);
        }
        self.encoder.frame.check_name(name)?;
        match Mark::one_of(outer, name).map_err(Error::placeless)? {
            Some(mark) => value.serialize(self.part(place, mark)),
            None => value.serialize(self.part(place, Plain)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        mut self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written> {
        let place = self.encoder.frame.enter(self.place)?;
        let id = self.id(name, index, variant)?;
        let place = place.go_to(self.encoder.put(place.at(), id)?);
        let written = value.serialize(self.part(place, Plain))?;
        self.encoder.complete_in_slot(value, written).map(Written::dynamic)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Sequence<'a, M>> {
        match self.marking.mark() {
            None => Sequence::open(self.encoder, self.place, len),
            Some(Mark::FixVec) => Sequence::fixvec(self.encoder, self.place),
            Some(Mark::DynVec) => Sequence::dynvec(self.encoder, self.place, len),
            Some(mark) => Err(Error::placeless(mark.mismatch(Target::Sequence))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I>(self, items: I) -> Result<Written>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let items = items.into_iter();
        self.serialize_seq(exact_length(&items))?.collect(items)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Tuple<'a, M>> {
        match Mark::of_tuple(self.marking.mark(), len) {
            None => Tuple::open(self.encoder, self.place, len),
            Some(Mark::Table) => Tuple::table(self.encoder, self.place, len),
            Some(Mark::Struct) => Tuple::packed(self.encoder, self.place, len),
            Some(mark) => Err(Error::placeless(mark.mismatch(Target::Tuple))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Fields<'a>> {
        self.fields(name, len, Some(len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Table<'a>> {
        let id = self.id(name, index, variant)?;
        self.variant(id, len, Some(len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'a, M>> {
        let mark = self.marking.mark();
        if let Some(mark) = mark {
            mark.check(Target::Map).map_err(Error::placeless)?;
        }
        // serde's `flatten` gives no length. Reading such a map would need type tags.
        let len = len.ok_or_else(|| Error::placeless(ErrorKind::UnknownLength))?;
        if mark == Some(Mark::FixVec) {
            return Entries::fixvec(self.encoder, self.place, len);
        }
        Entries::dynvec(self.encoder, self.place, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Fields<'a>> {
        self.fields(name, len, None)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Table<'a>> {
        let id = self.id(name, index, variant)?;
        self.variant(id, len, None)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
