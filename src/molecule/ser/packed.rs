//! Writes packed values: a marked struct, an item of a marked fixvec, and everything inside these.
//! They have no headers, and everything in them has to be fixed. Does not know where in the
//! document they go.

use serde_core::ser::{self, Impossible, Serialize};

use super::frame::Frame;
use super::gathered::GATHERED;
use super::marking::{Marking, Plain};
use super::position::{Position, Written};
use super::{dynamic, in_field, in_item, in_slot, wrong_length};
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::molecule::error::{ANY_UNMARKED, TABLE, place};
use crate::molecule::mark::{self, Mark, RAW_PART, Target};
use crate::molecule::raw;
use crate::molecule::wire::NUMBER_SIZE;
use crate::molecule::{Error, ErrorKind, Result};

/// How errors name a part in MessagePack.
#[cfg(feature = "any")]
const ANY_FOUND: &str = "a value that is marked `any`";

/// The serializer for a value in the frame. A dynamic value is not written; the caller refuses it.
#[derive(Debug)]
pub(in crate::molecule) struct PackedWriter<'a, M = Plain> {
    frame: &'a mut Frame,
    place: Position,
    marking: M,
}

impl<'a> PackedWriter<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(frame: &'a mut Frame, place: Position) -> Self {
        PackedWriter { frame, place, marking: Plain }
    }
}

impl<'a, M: Marking> PackedWriter<'a, M> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part<N: Marking>(&mut self, place: Position, marking: N) -> PackedWriter<'_, N> {
        PackedWriter { frame: &mut *self.frame, place, marking }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<const N: usize>(self, target: &'static str, bytes: [u8; N]) -> Result<Written> {
        self.marking.check(Target::Scalar(target))?;
        let at = self.place.at();
        Ok(match bytes.as_slice() {
            [byte] => self.frame.hold_byte(at, *byte),
            _ => Written::fixed(self.frame.put(at, bytes)),
        })
    }

    /// A dynamic value of `size` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pass(&self, size: usize) -> Result<Written> {
        Ok(Written::dynamic(self.place.at() + size))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields(self, name: &'static str, exactly: Option<usize>) -> Result<PackedFields<'a>> {
        self.frame.check_name(name)?;
        self.marking.check(Target::Struct)?;
        Mark::is_packed(name).map_err(Error::placeless)?;
        match self.marking.mark() {
            Some(Mark::Table) => Err(dynamic(TABLE, place::MARKED)),
            _ => self.parts(exactly),
        }
    }

    /// Checks a variant; its id is not written.
    fn check_variant(&self, name: &'static str, index: u32, variant: &'static str) -> Result<()> {
        self.marking.union_id(self.frame, name, index, variant).map(|_| ())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts(self, exactly: Option<usize>) -> Result<PackedFields<'a>> {
        let parts = Parts::new(self.frame, self.place, exactly)?;
        Ok(PackedFields { frame: self.frame, parts })
    }
}

macro_rules! scalars {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Written> {
            self.put(stringify!($type), value.to_le_bytes())
        }
    )*};
}

type Never = Impossible<Written, Error>;

impl<'a, M: Marking> ser::Serializer for PackedWriter<'a, M> {
    type Ok = Written;
    type Error = Error;
    type SerializeSeq = Never;
    type SerializeTuple = PackedItems<'a>;
    type SerializeTupleStruct = PackedFields<'a>;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = PackedFields<'a>;
    type SerializeStructVariant = Never;

    scalars! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128, serialize_f32 f32, serialize_f64 f64,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<Written> {
        self.put("bool", [u8::from(value)])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<Written> {
        self.put("char", u32::from(value).to_le_bytes())
    }

    fn serialize_str(self, value: &str) -> Result<Written> {
        self.marking.check(Target::Text)?;
        self.pass(NUMBER_SIZE + value.len())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Written> {
        self.marking.check(Target::Bytes)?;
        self.pass(NUMBER_SIZE + value.len())
    }

    fn serialize_none(self) -> Result<Written> {
        self.pass(0)
    }

    fn serialize_some<T: ?Sized + Serialize>(mut self, value: &T) -> Result<Written> {
        let place = self.frame.wrap(self.place)?;
        let marking = self.marking;
        let written = value.serialize(self.part(place, marking))?;
        match written.is_empty(place.at()) {
            true => Err(Error::placeless(ErrorKind::SomeNone)),
            false => Ok(written.made_dynamic()),
        }
    }

    fn serialize_unit(self) -> Result<Written> {
        self.marking.check(Target::Unit)?;
        self.pass(NUMBER_SIZE)
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<Written> {
        self.marking.check(Target::UnitStruct)?;
        mark::refuse_on_unit(name).map_err(Error::placeless)?;
        self.frame.check_name(name)?;
        self.pass(NUMBER_SIZE)
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Written> {
        self.check_variant(name, index, variant)?;
        self.pass(NUMBER_SIZE)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        mut self,
        name: &'static str,
        value: &T,
    ) -> Result<Written> {
        if raw::is_reserved(name) {
            return Err(dynamic(RAW_PART, place::MARKED));
        }
        let outer = self.marking.mark();
        let place = self.frame.wrap(self.place)?;
        #[cfg(feature = "any")]
        if name == ANY && outer.is_none_or(|mark| mark.fits(Target::Any)) {
            return Err(dynamic(ANY_FOUND, place::MARKED));
        }
        self.frame.check_name(name)?;
        match Mark::one_of(outer, name).map_err(Error::placeless)? {
            Some(mark) => value.serialize(self.part(place, mark)),
            None => value.serialize(self.part(place, Plain)),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        mut self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written> {
        let place = self.frame.enter(self.place)?;
        self.check_variant(name, index, variant)?;
        value.serialize(self.part(place, Plain)).map(Written::made_dynamic)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Never> {
        match self.marking.mark() {
            None => Err(dynamic("a sequence", place::MARKED)),
            Some(Mark::FixVec) => Err(dynamic("a fixvec", place::MARKED)),
            Some(Mark::DynVec) => Err(dynamic("a dynvec", place::MARKED)),
            Some(mark) => Err(Error::placeless(mark.mismatch(Target::Sequence))),
        }
    }

    /// The items are not even read.
    fn collect_seq<I>(self, _: I) -> Result<Written>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        self.serialize_seq(None).and_then(ser::SerializeSeq::end)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<PackedItems<'a>> {
        match Mark::of_tuple(self.marking.mark(), len) {
            None | Some(Mark::Struct) => Ok(PackedItems::new(self.parts(Some(len))?, len)),
            Some(Mark::Table) => Err(dynamic(TABLE, place::MARKED)),
            Some(mark) => Err(Error::placeless(mark.mismatch(Target::Tuple))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<PackedFields<'a>> {
        self.fields(name, Some(len))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Never> {
        self.check_variant(name, index, variant)?;
        Err(dynamic(TABLE, place::MARKED))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Never> {
        let found = match self.marking.mark() {
            None | Some(Mark::DynVec) => "a dynvec",
            Some(Mark::FixVec) => "a fixvec",
            Some(mark) => return Err(Error::placeless(mark.mismatch(Target::Map))),
        };
        match len {
            Some(_) => Err(dynamic(found, place::MARKED)),
            None => Err(Error::placeless(ErrorKind::UnknownLength).or_hint(Some(ANY_UNMARKED))),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<PackedFields<'a>> {
        self.fields(name, None)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Never> {
        self.check_variant(name, index, variant)?;
        Err(dynamic(TABLE, place::MARKED))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Fixed parts that follow one another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Where the next part begins in the frame.
    place: Position,
    count: usize,
    /// How many there must be; `None` for structs, since serde does not count skipped fields.
    exactly: Option<usize>,
}

impl Parts {
    /// The parts of a value at a position of the frame.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(frame: &Frame, place: Position, exactly: Option<usize>) -> Result<Self> {
        Ok(Parts { place: frame.enter(place)?, count: 0, exactly })
    }

    /// How many parts are written.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put<T: ?Sized + Serialize>(
        &mut self,
        frame: &mut Frame,
        value: &T,
        explain: impl FnOnce(&mut Frame, Error) -> Error,
    ) -> Result<()> {
        let written = self.write(frame, value, explain)?;
        self.go_on(frame.complete(written) - self.place.at());
        Ok(())
    }

    /// Writes the next part, or leaves it pending.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<T: ?Sized + Serialize>(
        &self,
        frame: &mut Frame,
        value: &T,
        explain: impl FnOnce(&mut Frame, Error) -> Error,
    ) -> Result<Written> {
        let error = match value.serialize(PackedWriter::new(frame, self.place)) {
            Ok(written) if !written.is_dynamic() => return Ok(written),
            Ok(_) => dynamic("a field", place::STRUCT),
            Err(error) => error,
        };
        Err(explain(frame, error))
    }

    /// Goes on behind a part of `size` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn go_on(&mut self, size: usize) {
        self.place = self.place.go_to(self.place.at() + size);
        self.count += 1;
    }

    /// Where the parts end in the frame.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(self) -> Result<usize> {
        if let Some(announced) = self.exactly.filter(|exactly| *exactly != self.count) {
            return Err(wrong_length(announced, self.count));
        }
        match self.count {
            0 => Err(Error::placeless(ErrorKind::EmptyStruct)),
            _ => Ok(self.place.at()),
        }
    }
}

/// A packed value whose parts are being written.
#[derive(Debug)]
pub(in crate::molecule) struct PackedFields<'a> {
    frame: &'a mut Frame,
    parts: Parts,
}

impl PackedFields<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Result<Written> {
        self.parts.finish().map(Written::fixed)
    }
}

/// A packed tuple or array whose items are being written.
#[derive(Debug)]
pub(in crate::molecule) struct PackedItems<'a> {
    fields: PackedFields<'a>,
    len: usize,
    /// How many items are gathered in the frame; all are single bytes.
    gathered: usize,
}

impl<'a> PackedItems<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(fields: PackedFields<'a>, len: usize) -> Self {
        fields.frame.release_outer(fields.parts.place.at());
        PackedItems { fields, len, gathered: 0 }
    }

    /// Takes the next item, a byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn gather(&mut self, byte: u8) {
        let PackedFields { frame, parts } = &mut self.fields;
        // The length is in the type, so short arrays do not compile this case.
        if self.len > GATHERED && self.gathered >= GATHERED {
            frame.release(self.gathered, 0);
            self.gathered = 0;
        }
        frame.gather(parts.place.at(), self.gathered, byte);
        parts.go_on(1);
        self.gathered += 1;
    }

    /// Takes the next item, which has `size` bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, size: usize) {
        let PackedFields { frame, parts } = &mut self.fields;
        frame.release(self.gathered, size);
        parts.go_on(size);
        self.gathered = 0;
    }
}

impl ser::SerializeTuple for PackedItems<'_> {
    type Ok = Written;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let PackedFields { frame, parts } = &mut self.fields;
        let index = parts.count();
        let written = parts.write(frame, value, |frame, error| in_item(frame, error, index))?;
        match frame.held_byte(written) {
            Some(byte) => self.gather(byte),
            None => {
                let size = written.at() - parts.place.at();
                self.take(size);
            }
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<Written> {
        self.fields.frame.release(self.gathered, 0);
        self.fields.finish()
    }
}

impl ser::SerializeTupleStruct for PackedFields<'_> {
    type Ok = Written;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let PackedFields { frame, parts } = self;
        let slot = parts.count();
        parts.put(frame, value, |frame, error| in_slot(frame, error, slot))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<Written> {
        self.finish()
    }
}

impl ser::SerializeStruct for PackedFields<'_> {
    type Ok = Written;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<()> {
        let PackedFields { frame, parts } = self;
        parts.put(frame, value, |frame, error| in_field(frame, error, key))
    }

    fn skip_field(&mut self, key: &'static str) -> Result<()> {
        let error = Error::placeless(ErrorKind::SkippedField);
        Err(in_field(self.frame, error, key))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<Written> {
        self.finish()
    }
}
