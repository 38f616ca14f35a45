//! The serializer of one value: selects the layout, and writes values without items.
//!
//! What is called for every value is always inlined, for the reason in [`ser`](super).

use serde_core::ser::{self, Serialize};

use super::dynamic;
use super::encoder::Encoder;
use super::parts::{Parts, Shape};
use super::position::{Position, Written};
use super::tuple::Tuple;
#[cfg(feature = "any")]
use crate::any::{self, Limits};
use crate::forecast::exact_length;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::molecule::error::{ANY_UNMARKED, TABLE, place};
use crate::molecule::mark::{self, Mark, Target, UnionIds};
use crate::molecule::wire::{EMPTY_TABLE, NUMBER_SIZE};
use crate::molecule::{Error, ErrorKind, Result, raw};
use crate::raw::bytes_of;

/// The serializer of the value at a position of the message.
///
/// If `PACKED`, the value is inside a marked struct or fixvec, where every size is fixed, and goes to
/// the encoder's frame. Dynamic values are not written there: the container refuses them.
///
/// Only if `MARKED`, there may be a mark from around the value, which a `Some` or newtype struct passes
/// on. Otherwise no code is compiled for layouts that need one.
#[derive(Debug)]
pub(in crate::molecule) struct Value<'a, const PACKED: bool, const MARKED: bool> {
    encoder: &'a mut Encoder,
    place: Position,
    mark: Option<Mark>,
}

impl<'a, const PACKED: bool> Value<'a, PACKED, false> {
    #[inline]
    pub(super) fn new(encoder: &'a mut Encoder, place: Position) -> Self {
        Value { encoder, place, mark: None }
    }
}

impl<'a, const PACKED: bool, const MARKED: bool> Value<'a, PACKED, MARKED> {
    /// The serializer inside a `Some` or newtype struct, which takes no bytes itself.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside<const M: bool>(self, mark: Option<Mark>) -> Result<Value<'a, PACKED, M>> {
        let place = self.encoder.wrap(self.place)?;
        Ok(Value { encoder: self.encoder, place, mark })
    }

    #[inline]
    fn mark(&self) -> Option<Mark> {
        if MARKED { self.mark } else { None }
    }

    /// Refuses a mark that does not fit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn check(&self, target: Target) -> Result<()> {
        match self.mark() {
            Some(mark) => mark.check(target).map_err(Error::placeless),
            None => Ok(()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalar<const N: usize>(self, target: &'static str, bytes: [u8; N]) -> Result<Written> {
        self.check(Target::Scalar(target))?;
        let at = self.place.at();
        match bytes.as_slice() {
            [byte] => Ok(Written::byte(at, *byte)),
            _ if PACKED => Ok(Written::fixed(self.encoder.put_packed(at, bytes))),
            _ => Ok(Written::fixed(self.encoder.put(at, &bytes))),
        }
    }

    /// A value of these bytes, whose size does not follow from its type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dynamic(self, bytes: [u8; NUMBER_SIZE]) -> Result<Written> {
        match PACKED {
            true => Ok(Written::dynamic(self.place.at())),
            false => Ok(Written::dynamic(self.encoder.put(self.place.at(), &bytes))),
        }
    }

    /// A fixvec of bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(self, bytes: &[u8]) -> Result<Written> {
        match PACKED {
            true => Ok(Written::dynamic(self.place.at())),
            false => Ok(Written::dynamic(self.encoder.put_counted(self.place.at(), bytes))),
        }
    }

    /// A struct or tuple struct. A mark from around it decides, then its own name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields(
        self,
        name: &'static str,
        len: usize,
        exactly: Option<usize>,
    ) -> Result<Parts<'a, PACKED, true>> {
        self.encoder.check_name(name)?;
        self.check(Target::Struct)?;
        let is_packed = Mark::is_packed(name).map_err(Error::placeless)?;
        let is_table = match self.mark() {
            Some(mark) => mark == Mark::Table,
            None => !is_packed && !PACKED,
        };
        match is_table {
            true if PACKED => Err(dynamic(TABLE, place::MARKED)),
            true => Parts::headed(self.encoder, self.place, len, exactly, Shape::Table),
            false => Ok(Parts::packed(self.encoder, self.place, exactly)),
        }
    }

    /// The id before a union's payload.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn id(
        &self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<[u8; NUMBER_SIZE]> {
        self.check(Target::Enum)?;
        self.encoder.check_name(name)?;
        let id = UnionIds::id_of(name, index, variant).map_err(Error::placeless)?;
        Ok(id.to_le_bytes())
    }

    /// A union whose payload is a table.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant(
        self,
        id: [u8; NUMBER_SIZE],
        len: usize,
        exactly: Option<usize>,
    ) -> Result<Parts<'a, false, false>> {
        if PACKED {
            return Err(dynamic(TABLE, place::MARKED));
        }
        let at = self.encoder.put(self.place.at(), &id);
        Parts::headed(self.encoder, self.place.go_to(at), len, exactly, Shape::Table)
    }

    /// A `Raw`, `Lazy` or `List`: its bytes as they are.
    #[cold]
    #[inline(never)]
    fn raw<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        self.check(Target::Raw)?;
        if PACKED {
            return Err(dynamic(mark::RAW_PART, place::MARKED));
        }
        let bytes = bytes_of(value)?;
        Ok(Written::dynamic(self.encoder.put(self.place.at(), &bytes)))
    }

    /// MessagePack, in a fixvec.
    #[cfg(feature = "any")]
    #[cold]
    #[inline(never)]
    fn any<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        if PACKED {
            return Err(dynamic("a value that is marked `any`", place::MARKED));
        }
        let max_depth = self.encoder.max_depth;
        let bytes = any::pack(value, Limits { depth: self.place.depth(), max_depth })?;
        self.bytes(&bytes)
    }
}

macro_rules! scalars {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Written> {
            self.scalar(stringify!($type), value.to_le_bytes())
        }
    )*};
}

impl<'a, const PACKED: bool, const MARKED: bool> ser::Serializer for Value<'a, PACKED, MARKED> {
    type Ok = Written;
    type Error = Error;
    type SerializeSeq = Parts<'a, false, MARKED>;
    type SerializeTuple = Tuple<'a, PACKED, MARKED>;
    type SerializeTupleStruct = Parts<'a, PACKED, true>;
    type SerializeTupleVariant = Parts<'a, false, false>;
    type SerializeMap = Parts<'a, false, MARKED>;
    type SerializeStruct = Parts<'a, PACKED, true>;
    type SerializeStructVariant = Parts<'a, false, false>;

    scalars! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128, serialize_f32 f32, serialize_f64 f64,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<Written> {
        self.scalar("bool", [u8::from(value)])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<Written> {
        self.scalar("char", u32::from(value).to_le_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<Written> {
        self.check(Target::Text)?;
        self.bytes(value.as_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<Written> {
        self.check(Target::Bytes)?;
        self.bytes(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<Written> {
        Ok(Written::dynamic(self.place.at()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        let Value { encoder, place, mark } = self;
        if PACKED {
            return Ok(Written::dynamic(place.at()));
        }
        let place = encoder.wrap(place)?;
        let inside = Value::<PACKED, MARKED> { encoder: &mut *encoder, place, mark };
        let written = value.serialize(inside)?;
        match encoder.finish_in_slot(written)? {
            end if end == place.at() => Err(Error::placeless(ErrorKind::SomeNone)),
            end => Ok(Written::dynamic(end)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<Written> {
        self.check(Target::Unit)?;
        self.dynamic(EMPTY_TABLE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Result<Written> {
        self.check(Target::UnitStruct)?;
        mark::refuse_on_unit(name).map_err(Error::placeless)?;
        self.encoder.check_name(name)?;
        self.dynamic(EMPTY_TABLE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Written> {
        let id = self.id(name, index, variant)?;
        if !PACKED && self.encoder.tagged == (self.place.at(), name) {
            return Err(Error::placeless(ErrorKind::UNIT_CONTENT));
        }
        self.dynamic(id)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Written> {
        if raw::is_reserved(name) {
            return self.raw(value);
        }
        let mark = self.mark();
        #[cfg(feature = "any")]
        if name == ANY && mark.is_none_or(|mark| mark.fits(Target::Any)) {
            return self.inside::<false>(None)?.any(value);
        }
        self.encoder.check_name(name)?;
        match Mark::one_of(mark, name).map_err(Error::placeless)? {
            None => value.serialize(self.inside::<false>(None)?),
            mark => value.serialize(self.inside::<true>(mark)?),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written> {
        let id = self.id(name, index, variant)?;
        if PACKED {
            return Ok(Written::dynamic(self.place.at()));
        }
        let encoder = self.encoder;
        let place = encoder.enter(self.place)?;
        let place = place.go_to(encoder.put(place.at(), &id));
        let written = value.serialize(Value::<false, false>::new(encoder, place))?;
        Ok(Written::dynamic(encoder.finish_in_slot(written)?))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Parts<'a, false, MARKED>> {
        self.check(Target::Sequence)?;
        if PACKED {
            return Err(dynamic("a sequence", place::MARKED));
        }
        let announced = len.unwrap_or(0);
        match self.mark() {
            None => Parts::counted(self.encoder, self.place, None, Shape::Open { announced }),
            Some(Mark::FixVec) => {
                Parts::counted(self.encoder, self.place, None, Shape::MARKED_FIXVEC)
            }
            Some(_) => Parts::headed(self.encoder, self.place, announced, None, Shape::DynVec),
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
    fn serialize_tuple(self, len: usize) -> Result<Tuple<'a, PACKED, MARKED>> {
        match Mark::of_tuple(self.mark(), len) {
            Some(Mark::Table) if PACKED => Err(dynamic(TABLE, place::MARKED)),
            Some(Mark::Table) => Tuple::table(self.encoder, self.place, len),
            None if !PACKED => Tuple::open(self.encoder, self.place, len),
            None | Some(Mark::Struct) => Ok(Tuple::packed(self.encoder, self.place, len)),
            Some(mark) => Err(Error::placeless(mark.mismatch(Target::Tuple))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<Parts<'a, PACKED, true>> {
        self.fields(name, len, Some(len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'a, false, false>> {
        let id = self.id(name, index, variant)?;
        self.variant(id, len, Some(len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Parts<'a, false, MARKED>> {
        self.check(Target::Map)?;
        // serde's `flatten` announces no length. Reading such a map would need type tags.
        let Some(len) = len else {
            let error = Error::placeless(ErrorKind::UnknownLength);
            return Err(error.or_hint(PACKED.then_some(ANY_UNMARKED)));
        };
        if PACKED {
            return Err(dynamic("a map", place::MARKED));
        }
        match self.mark() {
            Some(Mark::FixVec) => {
                Parts::counted(self.encoder, self.place, Some(len), Shape::MARKED_FIXVEC)
            }
            _ => Parts::headed(self.encoder, self.place, len, Some(len), Shape::DynVec),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Parts<'a, PACKED, true>> {
        let fields = self.fields(name, len, None)?;
        if !PACKED && len == 1 {
            fields.encoder.tagged = (fields.place.at(), name);
        }
        Ok(fields)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Parts<'a, false, false>> {
        let id = self.id(name, index, variant)?;
        self.variant(id, len, None)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
