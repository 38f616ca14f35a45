//! Writing a value that a mark stands on. Knows how each mark writes, does not know which marks there are
//! in names.

use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::encoder::WIDE_IN_FLATTENED;
use super::prefix::Prefix;
use super::value::ValueWriter;
use crate::biniou::mark::{Mark, Target};
use crate::biniou::wire::{Tag, Zigzag as _};
use crate::biniou::{Error, Result};

/// A serializer for one value under a mark. Options, newtype structs, sequences and tuples hand the
/// mark of a number on.
pub(super) struct Marked<'a, F> {
    writer: ValueWriter<'a, F>,
    mark: Mark,
}

impl<'a, F: Prefix> Marked<'a, F> {
    #[inline]
    pub(super) fn new(writer: ValueWriter<'a, F>, mark: Mark) -> Self {
        Marked { writer, mark }
    }

    /// An integer that is not negative.
    #[inline]
    fn unsigned(self, value: u128) -> Result<Option<Tag>> {
        match i128::try_from(value) {
            Ok(value) => self.signed(value),
            Err(_) if self.mark == Mark::Uvint => self.writer.put_wide(Tag::Uvint, value),
            Err(_) => Err(self.no_integer(&value)),
        }
    }

    #[inline]
    fn signed(self, value: i128) -> Result<Option<Tag>> {
        let Marked { writer, mark } = self;
        match mark {
            Mark::Int8 => put(writer, mark, Tag::Int8, value, u8::to_be_bytes),
            Mark::Int16 => put(writer, mark, Tag::Int16, value, u16::to_be_bytes),
            Mark::Int32 => put(writer, mark, Tag::Int32, value, i32::to_be_bytes),
            Mark::Int64 => put(writer, mark, Tag::Int64, value, i64::to_be_bytes),
            Mark::Uvint => match u128::try_from(value) {
                Ok(number) => writer.put_wide(Tag::Uvint, number),
                Err(_) => Err(mark.inexact(&value)),
            },
            Mark::Svint => writer.put_wide(Tag::Svint, value.zigzag()),
            _ => Err(mark.misfit(Target::Integer)),
        }
    }

    #[cold]
    fn no_integer(&self, value: &u128) -> Error {
        match self.mark.fits(Target::Integer) {
            true => self.mark.inexact(value),
            false => self.mark.misfit(Target::Integer),
        }
    }
}

/// Writes a number of fixed width, if it has that width.
#[cfg_attr(not(debug_assertions), inline(always))]
fn put<F: Prefix, T: TryFrom<i128>, const N: usize>(
    writer: ValueWriter<'_, F>,
    mark: Mark,
    tag: Tag,
    value: i128,
    bytes: fn(T) -> [u8; N],
) -> Result<Option<Tag>> {
    match T::try_from(value) {
        Ok(number) => writer.put_bytes(tag, bytes(number)),
        Err(_) => Err(mark.inexact(&value)),
    }
}

macro_rules! serialize_integers {
    ($($method:ident $type:ty, $to:ident;)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<Option<Tag>> {
            self.$to(value.into())
        }
    )*};
}

impl<'a, F: Prefix> ser::Serializer for Marked<'a, F> {
    type Ok = Option<Tag>;
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    serialize_integers! {
        serialize_u8 u8, unsigned; serialize_u16 u16, unsigned; serialize_u32 u32, unsigned;
        serialize_u64 u64, unsigned;
        serialize_i8 i8, signed; serialize_i16 i16, signed; serialize_i32 i32, signed;
        serialize_i64 i64, signed;
    }

    fn serialize_u128(self, value: u128) -> Result<Option<Tag>> {
        self.writer.encoder.refuse_flattened(WIDE_IN_FLATTENED)?;
        self.unsigned(value)
    }

    fn serialize_i128(self, value: i128) -> Result<Option<Tag>> {
        self.writer.encoder.refuse_flattened(WIDE_IN_FLATTENED)?;
        self.signed(value)
    }

    fn serialize_bool(self, _: bool) -> Result<Option<Tag>> {
        Err(self.mark.misfit(Target::Bool))
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<Option<Tag>> {
        self.mark.check(Target::Float)?;
        self.writer.serialize_f32(value)
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<Option<Tag>> {
        self.mark.check(Target::Float)?;
        #[allow(clippy::cast_possible_truncation, reason = "what does not fit is refused below")]
        let narrow = value as f32;
        // By bits, so that the payload of a NaN counts too.
        match f64::from(narrow).to_bits() == value.to_bits() {
            true => self.writer.serialize_f32(narrow),
            false => Err(self.mark.inexact(&value)),
        }
    }

    #[inline]
    fn serialize_char(self, value: char) -> Result<Option<Tag>> {
        self.mark.check(Target::Char)?;
        match u8::try_from(value) {
            Ok(byte) => {
                let reason = "a char marked `char` in a flattened type would come back as a number";
                self.writer.encoder.refuse_flattened((reason, "remove the mark"))?;
                self.writer.put_bytes(Tag::Int8, [byte])
            }
            Err(_) => Err(self.mark.inexact(&value)),
        }
    }

    fn serialize_str(self, _: &str) -> Result<Option<Tag>> {
        Err(self.mark.misfit(Target::Text))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Option<Tag>> {
        Err(self.mark.misfit(Target::Bytes))
    }

    #[inline]
    fn serialize_none(self) -> Result<Option<Tag>> {
        match self.mark {
            // The field is left out.
            Mark::Optional if F::IS_KEY => Ok(None),
            _ => self.writer.serialize_none(),
        }
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Option<Tag>> {
        let Marked { writer, mark } = self;
        match mark {
            Mark::Optional if F::IS_KEY => {
                let ValueWriter { encoder, prefix } = writer;
                encoder.depth.wrap()?;
                // An option inside is not left out, so the key is written separately.
                prefix.put_key(&mut encoder.out);
                let tag = encoder.put(value)?;
                encoder.depth.unwrap();
                Ok(tag)
            }
            mark => writer.put_some(value, Mark::in_option(Some(mark))),
        }
    }

    fn serialize_unit(self) -> Result<Option<Tag>> {
        Err(self.mark.misfit(Target::Unit))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Option<Tag>> {
        Err(self.mark.misfit(Target::UnitStruct))
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<Option<Tag>> {
        Err(self.mark.misfit(Target::Enum))
    }

    /// A mark in the type's own name has to be the same as the one from outside.
    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Option<Tag>> {
        let Marked { writer: ValueWriter { encoder, prefix }, mark } = self;
        Mark::one_of(Some(mark), name)?;
        encoder.depth.wrap()?;
        let tag =
            value.serialize(Marked::new(ValueWriter { encoder: &mut *encoder, prefix }, mark))?;
        encoder.depth.unwrap();
        Ok(tag)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Option<Tag>> {
        Err(self.mark.misfit(Target::Enum))
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a>> {
        let Marked { writer, mark } = self;
        mark.check(Target::Sequence)?;
        match mark {
            Mark::Table => Compound::table(writer, len),
            mark => Compound::sequence(writer, len, Some(mark)),
        }
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a>> {
        let Marked { writer, mark } = self;
        mark.check(Target::Tuple)?;
        match mark {
            // A list whose length is known.
            Mark::Table => Compound::table(writer, Some(len)),
            mark => Compound::tuple(writer, len, Some(mark)),
        }
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound<'a>> {
        Mark::refuse(name, Target::TupleStruct)?;
        self.mark.check(Target::TupleStruct)?;
        Compound::tuple(self.writer, len, Some(self.mark))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Compound<'a>> {
        Err(self.mark.misfit(Target::Enum))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'a>> {
        Err(self.mark.misfit(Target::Map))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Compound<'a>> {
        Mark::refuse(name, Target::Struct)?;
        Err(self.mark.misfit(Target::Struct))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Compound<'a>> {
        Err(self.mark.misfit(Target::Enum))
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
