//! Writing a value that a mark stands on. Knows how each mark writes, does not know which marks there are
//! in names.

use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::encoder::{WIDE_IN_FLATTENED, inexact};
use super::prefix::Prefix;
use super::value::ValueWriter;
use crate::biniou::mark::Mark;
use crate::biniou::wire::{self, Tag};
use crate::biniou::{Error, Result};
use crate::glue::mark::TWO_MARKS;

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
                Err(_) => Err(inexact(mark, &value)),
            },
            Mark::Svint => writer.put_wide(Tag::Svint, wire::zigzag(value)),
            _ => Err(mark.misfit("an integer")),
        }
    }

    #[cold]
    fn no_integer(&self, value: &u128) -> Error {
        match self.mark {
            Mark::Int8 | Mark::Int16 | Mark::Int32 | Mark::Int64 | Mark::Svint => {
                inexact(self.mark, value)
            }
            mark => mark.misfit("an integer"),
        }
    }

    /// Whether the mark is a number's, which is handed on.
    fn is_of_number(&self) -> bool {
        !matches!(self.mark, Mark::Table | Mark::Optional | Mark::Shared { .. })
    }

    fn handed_on(self, found: &'static str) -> Result<(ValueWriter<'a, F>, Option<Mark>)> {
        match self.is_of_number() {
            true => Ok((self.writer, Some(self.mark))),
            false => Err(self.mark.misfit(found)),
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
        Err(_) => Err(inexact(mark, &value)),
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
        Err(self.mark.misfit("a bool"))
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<Option<Tag>> {
        match self.mark {
            Mark::Float32 => self.writer.serialize_f32(value),
            mark => Err(mark.misfit("a float")),
        }
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<Option<Tag>> {
        if self.mark != Mark::Float32 {
            return Err(self.mark.misfit("a float"));
        }
        #[allow(clippy::cast_possible_truncation, reason = "what does not fit is refused below")]
        let narrow = value as f32;
        // By bits, so that the payload of a NaN counts too.
        match f64::from(narrow).to_bits() == value.to_bits() {
            true => self.writer.serialize_f32(narrow),
            false => Err(inexact(self.mark, &value)),
        }
    }

    #[inline]
    fn serialize_char(self, value: char) -> Result<Option<Tag>> {
        match (self.mark, u8::try_from(value)) {
            (Mark::Char, Ok(byte)) => {
                let reason = "a char marked `char` in a flattened type would come back as a number; \
                              remove the mark";
                self.writer.encoder.refuse_flattened(reason)?;
                self.writer.put_bytes(Tag::Int8, [byte])
            }
            (Mark::Char, Err(_)) => Err(inexact(self.mark, &value)),
            (mark, _) => Err(mark.misfit("a char")),
        }
    }

    fn serialize_str(self, _: &str) -> Result<Option<Tag>> {
        Err(self.mark.misfit("text"))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Option<Tag>> {
        Err(self.mark.misfit("bytes"))
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
            Mark::Optional => writer.put_some(value, None),
            mark => writer.put_some(value, Some(mark)),
        }
    }

    fn serialize_unit(self) -> Result<Option<Tag>> {
        Err(self.mark.misfit("a unit"))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Option<Tag>> {
        Err(self.mark.misfit("a unit struct"))
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<Option<Tag>> {
        Err(self.mark.misfit("an enum"))
    }

    /// A mark in the type's own name has to be the same as the one from outside.
    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Option<Tag>> {
        let Marked { writer: ValueWriter { encoder, prefix }, mark } = self;
        if let Some(inner) = Mark::of_newtype(name)?.filter(|inner| *inner != mark) {
            return Err(inner.misfit(TWO_MARKS));
        }
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
        Err(self.mark.misfit("an enum"))
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a>> {
        if self.mark == Mark::Table {
            return Compound::table(self.writer, len);
        }
        let (writer, mark) = self.handed_on("a sequence")?;
        Compound::sequence(writer, len, mark)
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a>> {
        if self.mark == Mark::Table {
            // A list whose length is known.
            return Compound::table(self.writer, Some(len));
        }
        let (writer, mark) = self.handed_on("a tuple or array")?;
        Compound::tuple(writer, len, mark)
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound<'a>> {
        Mark::refuse(name, "a tuple struct")?;
        let (writer, mark) = self.handed_on("a tuple struct")?;
        Compound::tuple(writer, len, mark)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Compound<'a>> {
        Err(self.mark.misfit("an enum"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'a>> {
        Err(self.mark.misfit("a map"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Compound<'a>> {
        Mark::refuse(name, "a struct")?;
        Err(self.mark.misfit("a struct"))
    }

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
