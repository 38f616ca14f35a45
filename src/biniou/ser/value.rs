//! The serializer of one value.
//!
//! What is called for every value is always inlined, for the reason in [`ser`](super).

use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::encoder::{BYTES_IN_FLATTENED, Encoder, WIDE_IN_FLATTENED};
use super::prefix::Prefix;
use super::sharing::{Address, PLACEHOLDER};
use super::table::RAW_ROWS;
use super::written::Written;
use super::{marked, raw as raw_part};
#[cfg(feature = "any")]
use crate::any;
use crate::biniou::error::{ANY as ANY_HINT, FLATTEN};
use crate::biniou::mark::{Mark, Target};
use crate::biniou::raw;
use crate::biniou::wire::{self, Tag, Zigzag as _};
use crate::biniou::{Error, Result};
use crate::error::CommonKind;
use crate::forecast::exact_length;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::glue::mark::EXTENSION;

/// Why a value marked `any` is refused inside a flattened type.
#[cfg(feature = "any")]
const ANY_IN_FLATTENED: (&str, &str) =
    ("a value marked `any` in a flattened type is text when it comes back", FLATTEN);

/// An option as a row of a table.
const OPTION_ROWS: Target = Target::ListOf("a sequence of options");

/// A name in a type.
type Name = &'static str;

/// The serializer of one value, which writes it after its prefix.
///
/// Only if `MARKED`, the prefix may have a mark, which options, newtype structs, sequences and tuples
/// hand on; or the value may be a row of a TABLE. Otherwise no code is compiled for these.
#[derive(Debug)]
pub(in crate::biniou) struct Value<'a, const MARKED: bool> {
    pub(super) encoder: &'a mut Encoder,
    pub(super) prefix: Prefix,
}

impl<'a, const MARKED: bool> Value<'a, MARKED> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(encoder: &'a mut Encoder, prefix: Prefix) -> Self {
        Value { encoder, prefix }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mark(&self) -> Option<Mark> {
        if MARKED { self.prefix.mark() } else { None }
    }

    /// Refuses a mark that does not fit.
    fn check(&self, target: Target) -> Result<()> {
        match self.mark() {
            None => Ok(()),
            Some(_) => self.prefix.check(target),
        }
    }

    /// Writes a string, of text or other bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_string(self, value: &[u8]) -> Result<Written> {
        let Value { encoder, prefix } = self;
        encoder.sharing.note_text(value.len());
        prefix.put_string(&mut encoder.out, value)
    }

    /// Writes the hashed name of a variant.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_variant(self, name: Name, variant: Name, argument: u32) -> Result<&'a mut Encoder> {
        Mark::refuse(name, Target::Enum)?;
        self.encoder.variants.check(name, variant)?;
        let body = (wire::hash(variant) | argument).to_be_bytes();
        self.prefix.put_bytes(&mut self.encoder.out, Tag::Variant, body)?;
        Ok(self.encoder)
    }

    /// Begins the argument of a variant.
    fn argument(self, name: Name, variant: Name) -> Result<Value<'a, false>> {
        self.check(Target::Enum)?;
        let encoder = self.put_variant(name, variant, wire::ARGUMENT)?;
        encoder.depth.enter()?;
        Ok(Value::new(encoder, Prefix::TAGGED))
    }

    /// Writes a SHARED: the value at an address, or where it was.
    fn put_shared<T: ?Sized + Serialize>(self, value: &T, once: bool) -> Result<Written> {
        let Value { encoder, prefix } = self;
        let address = Address::of(value);
        // Values of size zero have no address of their own.
        let once = once || address.is_empty();
        prefix.put_alone(&mut encoder.out, Tag::Shared);
        let position = encoder.out.len();
        if !once {
            if let Some(height) = encoder.sharing.refer(address, position)? {
                encoder.depth.pass(height)?;
                encoder.out.put_bytes(&[PLACEHOLDER]);
                return Ok(Written::of(Tag::Shared));
            }
        }
        // If nothing else holds this value, its address may be used for the next one.
        encoder.sharing.define((!once).then_some(address), position);
        let outer = encoder.depth.measure();
        encoder.depth.enter()?;
        encoder.out.put_bytes(&[wire::HERE]);
        encoder.put(value)?;
        encoder.depth.leave();
        let height = encoder.depth.measured(outer);
        encoder.sharing.close(encoder.out.len(), height);
        Ok(Written::of(Tag::Shared))
    }

    /// Writes MessagePack, in a string.
    #[cfg(feature = "any")]
    #[cold]
    #[inline(never)]
    fn put_any<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        self.encoder.refuse_flattened(ANY_IN_FLATTENED)?;
        let Encoder { depth, .. } = &mut *self.encoder;
        depth.wrap()?;
        let (part, height) = any::pack_and_measure(value, depth.limits())?;
        depth.pass(height)?;
        depth.unwrap();
        self.put_string(&part)
    }
}

/// Refuses an extension, which would be read back as a list of a number and bytes.
#[cold]
#[inline(never)]
fn no_extension() -> Error {
    let reason = "an extension type of MessagePack has no form of its own";
    Error::placeless(CommonKind::Unsupported { reason, hint: Some(ANY_HINT) })
}

macro_rules! integers {
    ($($method:ident $type:ty, $tag:ident $(. $zigzag:ident)?, $put_marked:ident;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Written> {
            let Value { encoder, prefix } = self;
            match MARKED && prefix.mark().is_some() {
                false => prefix.put_uvint(&mut encoder.out, Tag::$tag, value $(.$zigzag())?),
                true => marked::$put_marked(encoder, prefix, value.into()),
            }
        }
    )*};
}

impl<'a, const MARKED: bool> ser::Serializer for Value<'a, MARKED> {
    type Ok = Written;
    type Error = Error;
    type SerializeSeq = Compound<'a, MARKED>;
    type SerializeTuple = Compound<'a, MARKED>;
    type SerializeTupleStruct = Compound<'a, MARKED>;
    type SerializeTupleVariant = Compound<'a, false>;
    type SerializeMap = Compound<'a, MARKED>;
    type SerializeStruct = Compound<'a, MARKED>;
    type SerializeStructVariant = Compound<'a, false>;

    integers! {
        serialize_u8 u8, Uvint, put_unsigned;
        serialize_u16 u16, Uvint, put_unsigned;
        serialize_u32 u32, Uvint, put_unsigned;
        serialize_u64 u64, Uvint, put_unsigned;
        serialize_i8 i8, Svint.zigzag, put_integer;
        serialize_i16 i16, Svint.zigzag, put_integer;
        serialize_i32 i32, Svint.zigzag, put_integer;
        serialize_i64 i64, Svint.zigzag, put_integer;
    }

    fn serialize_u128(self, value: u128) -> Result<Written> {
        let Value { encoder, prefix } = self;
        encoder.refuse_flattened(WIDE_IN_FLATTENED)?;
        match prefix.mark() {
            None => prefix.put_wide(&mut encoder.out, Tag::Uvint, value),
            Some(_) => marked::put_unsigned(encoder, prefix, value),
        }
    }

    fn serialize_i128(self, value: i128) -> Result<Written> {
        let Value { encoder, prefix } = self;
        encoder.refuse_flattened(WIDE_IN_FLATTENED)?;
        match prefix.mark() {
            None => prefix.put_wide(&mut encoder.out, Tag::Svint, value.zigzag()),
            Some(_) => marked::put_integer(encoder, prefix, value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<Written> {
        self.check(Target::Bool)?;
        self.prefix.put_byte(&mut self.encoder.out, Tag::Bool, value.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(self, value: f32) -> Result<Written> {
        self.check(Target::Float)?;
        self.prefix.put_bytes(&mut self.encoder.out, Tag::Float32, value.to_be_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(self, value: f64) -> Result<Written> {
        let Value { encoder, prefix } = self;
        match MARKED && prefix.mark().is_some() {
            false => prefix.put_bytes(&mut encoder.out, Tag::Float64, value.to_be_bytes()),
            true => marked::put_float(encoder, prefix, value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<Written> {
        match self.mark() {
            None => self.put_string(value.encode_utf8(&mut [0; 4]).as_bytes()),
            Some(_) => marked::put_char(self.encoder, self.prefix, value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<Written> {
        self.check(Target::Text)?;
        self.put_string(value.as_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<Written> {
        self.check(Target::Bytes)?;
        self.encoder.refuse_flattened(BYTES_IN_FLATTENED)?;
        self.put_string(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<Written> {
        let mark = self.mark();
        let Value { encoder, prefix } = self;
        match mark {
            // The field is left out.
            Some(Mark::Optional) if prefix.is_field() => Ok(Written::ABSENT),
            Some(mark) if prefix.is_row() => Err(mark.mismatch(OPTION_ROWS)),
            _ => prefix.put_byte(&mut encoder.out, Tag::NumVariant, wire::NONE),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        let mark = self.mark();
        let Value { encoder, prefix } = self;
        match mark {
            Some(Mark::Optional) if prefix.is_field() => {
                encoder.depth.wrap()?;
                // An option inside is not left out, so it is no field.
                prefix.put_key(&mut encoder.out);
                let written = encoder.put(value)?;
                encoder.depth.unwrap();
                Ok(written)
            }
            Some(mark) if prefix.is_row() => Err(mark.mismatch(OPTION_ROWS)),
            mark => {
                encoder.depth.enter()?;
                prefix.put_byte(&mut encoder.out, Tag::NumVariant, wire::SOME)?;
                let inside = Prefix::TAGGED.with_mark(Mark::in_option(mark));
                value.serialize(Value::<MARKED>::new(encoder, inside))?;
                encoder.depth.leave();
                Ok(Written::of(Tag::NumVariant))
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<Written> {
        self.check(Target::Unit)?;
        self.prefix.put_byte(&mut self.encoder.out, Tag::Unit, wire::UNIT)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: Name) -> Result<Written> {
        Mark::refuse(name, Target::UnitStruct)?;
        self.check(Target::UnitStruct)?;
        self.prefix.put_byte(&mut self.encoder.out, Tag::Unit, wire::UNIT)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(self, name: Name, _: u32, variant: Name) -> Result<Written> {
        self.check(Target::Enum)?;
        self.encoder.adjacent.note_variant(variant, self.encoder.out.len());
        self.put_variant(name, variant, 0)?;
        Ok(Written::of(Tag::Variant))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: Name,
        value: &T,
    ) -> Result<Written> {
        let mark = self.mark();
        let Value { encoder, prefix } = self;
        if MARKED && prefix.is_row() {
            if raw::is_reserved(name) {
                return Err(Error::placeless(RAW_ROWS));
            }
            Mark::refuse(name, Target::Row)?;
            encoder.depth.wrap()?;
            let written = value.serialize(Value::<true>::new(encoder, prefix))?;
            encoder.depth.unwrap();
            return Ok(written);
        }
        if mark.is_none() {
            #[cfg(feature = "any")]
            if name == ANY {
                return Value::<false>::new(encoder, prefix).put_any(value);
            }
            if raw::is_reserved(name) {
                return raw_part::put(encoder, prefix, name, value);
            }
            if name == EXTENSION {
                return Err(no_extension());
            }
        }
        encoder.depth.wrap()?;
        let written = match Mark::one_of(mark, name)? {
            None => value.serialize(Value::<false>::new(encoder, prefix))?,
            Some(Mark::Shared { once }) => {
                Value::<false>::new(encoder, prefix).put_shared(value, once)?
            }
            mark => value.serialize(Value::<true>::new(encoder, prefix.with_mark(mark)))?,
        };
        encoder.depth.unwrap();
        Ok(written)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: Name,
        _: u32,
        variant: Name,
        value: &T,
    ) -> Result<Written> {
        let Value { encoder, .. } = self.argument(name, variant)?;
        encoder.put(value)?;
        encoder.depth.leave();
        Ok(Written::of(Tag::Variant))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a, MARKED>> {
        self.check(Target::Sequence)?;
        match self.mark() {
            Some(Mark::Table) => Compound::table(self, len.unwrap_or(0)),
            _ => Compound::sequence(self, len),
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
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a, MARKED>> {
        self.check(Target::Tuple)?;
        match self.mark() {
            // A list whose length is known.
            Some(Mark::Table) => Compound::table(self, len),
            _ => Compound::tuple(self, len),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: Name, len: usize) -> Result<Compound<'a, MARKED>> {
        Mark::refuse(name, Target::TupleStruct)?;
        self.check(Target::TupleStruct)?;
        Compound::tuple(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: Name,
        _: u32,
        variant: Name,
        len: usize,
    ) -> Result<Compound<'a, false>> {
        Compound::tuple(self.argument(name, variant)?, len).map(Compound::for_variant)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'a, MARKED>> {
        self.check(Target::Map)?;
        Compound::map(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: Name, len: usize) -> Result<Compound<'a, MARKED>> {
        Mark::refuse(name, Target::Struct)?;
        if MARKED && self.prefix.is_row() {
            return Compound::row(self, len);
        }
        self.check(Target::Struct)?;
        match self.encoder.adjacent.is_content(name, self.encoder.out.len()) {
            true => Compound::content(self, len),
            false => Compound::record(self, len),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: Name,
        _: u32,
        variant: Name,
        len: usize,
    ) -> Result<Compound<'a, false>> {
        Compound::record(self.argument(name, variant)?, len).map(Compound::for_variant)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
