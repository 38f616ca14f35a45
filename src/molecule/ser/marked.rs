//! Writing the value that a mark stands on: the mark decides where the type leaves a choice, and
//! is refused where it leaves none.

use serde_core::ser::{self, Serialize};

use super::encoder::{Cursor, Written};
use super::entries::Entries;
use super::fields::Fields;
use super::sequence::Sequence;
use super::tuple::Tuple;
#[cfg(feature = "any")]
use crate::mark::ANY;
use crate::molecule::mark::{Mark, Target};
use crate::molecule::{Error, ErrorKind, Result};
use crate::room::exact_length;

/// A serializer for one value under a mark. `Some` and newtype structs hand the mark on.
pub(super) struct Marked<'a> {
    cursor: Cursor<'a>,
    mark: Mark,
}

impl<'a> Marked<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(cursor: Cursor<'a>, mark: Mark) -> Self {
        Marked { cursor, mark }
    }

    /// The place, if the mark fits the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn checked(self, target: Target) -> Result<Cursor<'a>> {
        self.mark.check(target).map(|()| self.cursor)
    }

    /// A struct with or without a header. Its own name may have a mark for structs, too.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields(self, name: &'static str, len: usize, exactly: Option<usize>) -> Result<Fields<'a>> {
        self.cursor.encoder.check_name(name)?;
        self.mark.check(Target::Struct)?;
        Mark::is_packed(name)?;
        match self.mark {
            Mark::Struct => Fields::packed(self.cursor, exactly),
            _ => Fields::table(self.cursor, len, exactly),
        }
    }
}

/// Fixed values: a marked newtype around one is a struct of one field.
macro_rules! serialize_fixed {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Written> {
            self.checked(Target::Scalar(stringify!($type)))?.$method(value)
        }
    )*};
}

impl<'a> ser::Serializer for Marked<'a> {
    type Ok = Written;
    type Error = Error;
    type SerializeSeq = Sequence<'a>;
    type SerializeTuple = Tuple<'a>;
    type SerializeTupleStruct = Fields<'a>;
    type SerializeTupleVariant = Fields<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Fields<'a>;

    serialize_fixed! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_u8 u8, serialize_u16 u16,
        serialize_u32 u32, serialize_u64 u64, serialize_u128 u128, serialize_f32 f32,
        serialize_f64 f64, serialize_char char,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<Written> {
        self.checked(Target::Text)?.serialize_str(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<Written> {
        self.checked(Target::Bytes)?.serialize_bytes(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<Written> {
        self.cursor.serialize_none()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        let Marked { cursor: Cursor { encoder, at }, mark } = self;
        encoder.wrap()?;
        let written = value.serialize(Marked::new(Cursor { encoder: &mut *encoder, at }, mark))?;
        if written.end() == at {
            return Err(Error::placeless(ErrorKind::SomeNone));
        }
        encoder.unwrap();
        Ok(Written::dynamic(written.end()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<Written> {
        self.checked(Target::Unit)?.serialize_unit()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Result<Written> {
        self.checked(Target::UnitStruct)?.put_unit_struct(name)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<Written> {
        Err(self.mark.misfit(Target::Enum))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Written> {
        let Marked { cursor: Cursor { encoder, at }, mark } = self;
        #[cfg(feature = "any")]
        if name == ANY && mark == Mark::FixVec {
            return Cursor { encoder, at }.serialize_newtype_struct(name, value);
        }
        encoder.check_name(name)?;
        Mark::one_of(Some(mark), name)?;
        encoder.wrap()?;
        let written = value.serialize(Marked::new(Cursor { encoder: &mut *encoder, at }, mark))?;
        encoder.unwrap();
        Ok(written)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Written> {
        Err(self.mark.misfit(Target::Enum))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Sequence<'a>> {
        match self.mark {
            Mark::FixVec => Sequence::fixvec(self.cursor),
            Mark::DynVec => Sequence::dynvec(self.cursor, len),
            _ => Err(self.mark.misfit(Target::Sequence)),
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
    fn serialize_tuple(self, len: usize) -> Result<Tuple<'a>> {
        match self.mark {
            Mark::Struct => Tuple::packed(self.cursor, len),
            Mark::Table => Tuple::table(self.cursor, len),
            _ => Err(self.mark.misfit(Target::Tuple)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Fields<'a>> {
        self.fields(name, len, Some(len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Fields<'a>> {
        Err(self.mark.misfit(Target::Enum))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'a>> {
        match self.mark {
            Mark::FixVec => Entries::packed(self.cursor, len),
            Mark::DynVec => Entries::new(self.cursor, len),
            _ => Err(self.mark.misfit(Target::Map)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Fields<'a>> {
        self.fields(name, len, None)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Fields<'a>> {
        Err(self.mark.misfit(Target::Enum))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
