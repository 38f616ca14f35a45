//! Writing the value that a mark stands on: the mark decides where the type leaves a choice, and
//! is refused where it leaves none.

use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::encoder::{Encoder, Layout};
use crate::molecule::mark::Mark;
use crate::molecule::{Error, ErrorKind, Result};

/// A serializer for one value under a mark. `Some` and newtype structs hand the mark on.
pub(super) struct Marked<'a> {
    encoder: &'a mut Encoder,
    mark: Mark,
}

impl<'a> Marked<'a> {
    #[inline]
    pub(super) fn new(encoder: &'a mut Encoder, mark: Mark) -> Self {
        Marked { encoder, mark }
    }

    /// The encoder, if the mark is one of those that fit the value.
    #[inline]
    fn unless_misfit(self, fits: &[Mark], found: &'static str) -> Result<&'a mut Encoder> {
        match fits.contains(&self.mark) {
            true => Ok(self.encoder),
            false => Err(self.mark.misfit(found)),
        }
    }
}

/// Fixed values: a marked newtype around one is a struct of one field.
macro_rules! serialize_fixed {
    ($($method:ident $type:ty,)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<Layout> {
            self.unless_misfit(&[Mark::Struct], stringify!($type))?.$method(value)
        }
    )*};
}

impl<'a> ser::Serializer for Marked<'a> {
    type Ok = Layout;
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    serialize_fixed! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_u8 u8, serialize_u16 u16,
        serialize_u32 u32, serialize_u64 u64, serialize_u128 u128, serialize_f32 f32,
        serialize_f64 f64, serialize_char char,
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<Layout> {
        self.unless_misfit(&[Mark::FixVec], "text")?.serialize_str(value)
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<Layout> {
        self.unless_misfit(&[Mark::FixVec], "bytes")?.serialize_bytes(value)
    }

    #[inline]
    fn serialize_none(self) -> Result<Layout> {
        self.encoder.serialize_none()
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Layout> {
        let Marked { encoder, mark } = self;
        encoder.depth.wrap()?;
        encoder.in_slot = true;
        let start = encoder.out.len();
        value.serialize(Marked::new(&mut *encoder, mark))?;
        if encoder.out.len() == start {
            return Err(Error::placeless(ErrorKind::SomeNone));
        }
        encoder.depth.unwrap();
        Ok(Layout::Dynamic)
    }

    #[inline]
    fn serialize_unit(self) -> Result<Layout> {
        self.unless_misfit(&[Mark::Table], "a unit")?.serialize_unit()
    }

    #[inline]
    fn serialize_unit_struct(self, name: &'static str) -> Result<Layout> {
        self.unless_misfit(&[Mark::Table], "a unit struct")?.serialize_unit_struct(name)
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<Layout> {
        Err(self.mark.misfit("an enum"))
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Layout> {
        let Marked { encoder, mark } = self;
        Mark::one_of(Some(mark), name)?;
        encoder.depth.wrap()?;
        let layout = value.serialize(Marked::new(&mut *encoder, mark))?;
        encoder.depth.unwrap();
        Ok(layout)
    }

    #[inline]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Layout> {
        Err(self.mark.misfit("an enum"))
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a>> {
        match self.mark {
            Mark::FixVec => Compound::fixvec(self.encoder),
            Mark::DynVec => Compound::dynvec(self.encoder, len),
            Mark::Struct | Mark::Table => Err(self.mark.misfit("a sequence")),
        }
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a>> {
        match self.mark {
            Mark::Struct => Compound::packed(self.encoder),
            Mark::Table => Compound::table(self.encoder, len),
            Mark::FixVec | Mark::DynVec => Err(self.mark.misfit("a tuple or array")),
        }
        .map(|compound| compound.exactly(len))
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound<'a>> {
        self.serialize_struct(name, len).map(|compound| compound.exactly(len))
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Compound<'a>> {
        Err(self.mark.misfit("an enum"))
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'a>> {
        match self.mark {
            Mark::FixVec => Compound::packed_map(self.encoder, len),
            Mark::DynVec => Compound::map(self.encoder, len),
            Mark::Struct | Mark::Table => Err(self.mark.misfit("a map")),
        }
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Compound<'a>> {
        match self.mark {
            Mark::Struct => Compound::packed(self.encoder),
            Mark::Table => Compound::table(self.encoder, len),
            Mark::FixVec | Mark::DynVec => Err(self.mark.misfit("a struct")),
        }
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Compound<'a>> {
        Err(self.mark.misfit("an enum"))
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
