//! Writing one value of any kind, with what stands in front of it. Knows kinds and tags, does not know
//! how parts follow each other.
//!
//! A serializer returns the tag of the value. The caller knows where that stands: mostly in front of the
//! value, but once for many in an ARRAY or a column.

use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::encoder::{BYTES_IN_FLATTENED, Encoder, WIDE_IN_FLATTENED};
use super::items;
use super::marked::Marked;
use super::prefix::{Prefix, Tagged};
use super::raw as raw_part;
use super::sharing::{Address, PLACEHOLDER};
use super::vint::Uvint;
#[cfg(feature = "any")]
use crate::any;
use crate::biniou::error::{ANY as ANY_HINT, FLATTEN, NAMES};
use crate::biniou::mark::{Mark, Target};
use crate::biniou::raw;
use crate::biniou::value::{self, VALUE};
use crate::biniou::wire::{self, Tag, Zigzag as _};
use crate::biniou::{Error, Result};
use crate::error::Fault;
#[cfg(feature = "any")]
use crate::glue::mark::ANY;
use crate::glue::mark::EXTENSION;

/// Why a part marked `any` is refused inside of a flattened type.
#[cfg(feature = "any")]
const ANY_IN_FLATTENED: (&str, &str) =
    ("a value marked `any` in a flattened type is text when it comes back", FLATTEN);

/// A serializer for one value.
pub(in crate::biniou) struct ValueWriter<'a, F> {
    pub(super) encoder: &'a mut Encoder,
    pub(super) prefix: F,
}

impl<'a, F: Prefix> ValueWriter<'a, F> {
    /// Writes a value of a few bytes, the first one lowest.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put(self, tag: Tag, body: u64, size: usize) -> Result<Option<Tag>> {
        self.prefix.put(&mut self.encoder.out, tag, body, size);
        Ok(Some(tag))
    }

    /// Writes an integer.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_uvint(self, tag: Tag, number: impl Uvint) -> Result<Option<Tag>> {
        self.prefix.put_uvint(&mut self.encoder.out, tag, number);
        Ok(Some(tag))
    }

    /// Writes an integer of any size.
    pub(super) fn put_wide(self, tag: Tag, number: u128) -> Result<Option<Tag>> {
        if let Ok(number) = u64::try_from(number) {
            return self.put_uvint(tag, number);
        }
        self.prefix.put(&mut self.encoder.out, tag, 0, 0);
        self.encoder.out.edit(|out| wire::put_uvint(out, number));
        Ok(Some(tag))
    }

    /// Writes a number of fixed width.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_bytes<const N: usize>(self, tag: Tag, bytes: [u8; N]) -> Result<Option<Tag>> {
        let body = bytes.iter().rev().fold(0, |body, byte| body << 8 | u64::from(*byte));
        self.put(tag, body, N)
    }

    /// Writes a string, be it text or other bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_string(self, value: &[u8]) -> Result<Option<Tag>> {
        let ValueWriter { encoder, prefix } = self;
        prefix.put_length(&mut encoder.out, Tag::String, value.len());
        encoder.out.put_bytes(value);
        encoder.sharing.note_text(value.len());
        Ok(Some(Tag::String))
    }

    /// Writes a value that is another one, under the mark if there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_marked<T: ?Sized + Serialize>(
        self,
        value: &T,
        mark: Option<Mark>,
    ) -> Result<Option<Tag>> {
        match mark {
            None => value.serialize(self),
            Some(mark) => value.serialize(Marked::new(self, mark)),
        }
    }

    /// Writes an option's `Some`.
    #[inline]
    pub(super) fn put_some<T: ?Sized + Serialize>(
        self,
        value: &T,
        mark: Option<Mark>,
    ) -> Result<Option<Tag>> {
        let ValueWriter { encoder, prefix } = self;
        encoder.depth.enter()?;
        prefix.put(&mut encoder.out, Tag::NumVariant, wire::SOME.into(), 1);
        ValueWriter { encoder: &mut *encoder, prefix: Tagged }.put_marked(value, mark)?;
        encoder.depth.leave();
        Ok(Some(Tag::NumVariant))
    }

    /// Writes the hashed name of a variant.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_variant(
        self,
        name: &'static str,
        variant: &'static str,
        argument: u32,
    ) -> Result<&'a mut Encoder> {
        Mark::refuse(name, Target::Enum)?;
        self.encoder.variants.check(name, variant)?;
        let body = (wire::hash(variant) | argument).swap_bytes();
        self.prefix.put(&mut self.encoder.out, Tag::Variant, body.into(), 4);
        Ok(self.encoder)
    }

    /// Writes a SHARED: the value at an address, or where it was.
    fn put_shared<T: ?Sized + Serialize>(self, value: &T, once: bool) -> Result<Option<Tag>> {
        let ValueWriter { encoder, prefix } = self;
        let address = Address::of(value);
        // Values of size zero have no address of their own.
        let once = once || address.is_empty();
        prefix.put(&mut encoder.out, Tag::Shared, 0, 0);
        let position = encoder.out.len();
        if !once {
            if let Some(height) = encoder.sharing.refer(address, position)? {
                encoder.depth.pass(height)?;
                encoder.out.put_bytes(&[PLACEHOLDER]);
                return Ok(Some(Tag::Shared));
            }
        }
        // If nobody else holds this value, its address may be used for the next one.
        encoder.sharing.define((!once).then_some(address), position);
        let outer = encoder.depth.measure();
        encoder.depth.enter()?;
        encoder.out.put_bytes(&[wire::HERE]);
        encoder.put(value)?;
        encoder.depth.leave();
        let height = encoder.depth.measured(outer);
        encoder.sharing.close(encoder.out.len(), height);
        Ok(Some(Tag::Shared))
    }

    /// Writes a part that is marked `any`: a string.
    #[cfg(feature = "any")]
    #[cold]
    #[inline(never)]
    fn put_any<T: ?Sized + Serialize>(self, value: &T) -> Result<Option<Tag>> {
        self.encoder.refuse_flattened(ANY_IN_FLATTENED)?;
        let Encoder { depth, .. } = &mut *self.encoder;
        depth.wrap()?;
        let (part, height) = any::pack_and_measure(value, depth.limits())?;
        depth.pass(height)?;
        depth.unwrap();
        ser::Serializer::serialize_bytes(self, &part)
    }

    /// Writes a node of the format's own tree.
    #[cold]
    fn put_node<T: ?Sized + Serialize>(
        self,
        variant: &'static str,
        payload: &T,
    ) -> Result<Option<Tag>> {
        let ValueWriter { encoder, prefix } = self;
        encoder.refuse_flattened(VALUE_IN_FLATTENED)?;
        let node = value::capture(variant, payload, encoder.depth)?;
        prefix.put(&mut encoder.out, node.tag(), 0, 0);
        let Encoder { out, depth, .. } = &mut *encoder;
        let rows = out.edit(|out| value::write_untagged(&node, depth, out))?;
        encoder.spend_empty_rows(rows)?;
        Ok(Some(node.tag()))
    }
}

/// The tag of a `Value` would be lost in a flattened type.
const VALUE_IN_FLATTENED: (&str, &str) = (
    "a `Value` in a flattened type has no tag when it comes back",
    "move it out of the struct with `flatten`",
);

/// Refuses an extension, which would come back as a list of a number and bytes.
#[cold]
fn no_extension() -> Error {
    let reason = "an extension type of MessagePack has no form of its own";
    Error::placeless(Fault::Unsupported { reason, hint: Some(ANY_HINT) })
}

/// Named fields of an adjacently tagged enum ask the data for their names.
#[cold]
fn no_adjacent_fields() -> Error {
    let reason = "named fields of an adjacently tagged enum need names";
    Error::placeless(Fault::Unsupported { reason, hint: Some(NAMES) })
}

macro_rules! serialize_uvint {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Option<Tag>> {
            self.put_uvint(Tag::Uvint, value)
        }
    )*};
}

macro_rules! serialize_svint {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Option<Tag>> {
            self.put_uvint(Tag::Svint, value.zigzag())
        }
    )*};
}

impl<'a, F: Prefix> ser::Serializer for ValueWriter<'a, F> {
    type Ok = Option<Tag>;
    type Error = Error;
    type SerializeSeq = Compound<'a>;
    type SerializeTuple = Compound<'a>;
    type SerializeTupleStruct = Compound<'a>;
    type SerializeTupleVariant = Compound<'a>;
    type SerializeMap = Compound<'a>;
    type SerializeStruct = Compound<'a>;
    type SerializeStructVariant = Compound<'a>;

    serialize_uvint! {
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
    }

    serialize_svint! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
    }

    fn serialize_u128(self, value: u128) -> Result<Option<Tag>> {
        self.encoder.refuse_flattened(WIDE_IN_FLATTENED)?;
        self.put_wide(Tag::Uvint, value)
    }

    fn serialize_i128(self, value: i128) -> Result<Option<Tag>> {
        self.encoder.refuse_flattened(WIDE_IN_FLATTENED)?;
        self.put_wide(Tag::Svint, value.zigzag())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<Option<Tag>> {
        self.put(Tag::Bool, value.into(), 1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(self, value: f32) -> Result<Option<Tag>> {
        self.put_bytes(Tag::Float32, value.to_be_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(self, value: f64) -> Result<Option<Tag>> {
        self.put_bytes(Tag::Float64, value.to_be_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<Option<Tag>> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<Option<Tag>> {
        self.put_string(value.as_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<Option<Tag>> {
        self.encoder.refuse_flattened(BYTES_IN_FLATTENED)?;
        self.put_string(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<Option<Tag>> {
        self.put(Tag::NumVariant, wire::NONE.into(), 1)
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Option<Tag>> {
        self.put_some(value, None)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<Option<Tag>> {
        self.put(Tag::Unit, 0, 1)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_struct(self, name: &'static str) -> Result<Option<Tag>> {
        Mark::refuse(name, Target::UnitStruct)?;
        self.serialize_unit()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Option<Tag>> {
        let _ = index;
        if name == VALUE {
            return self.put_node(variant, &());
        }
        self.encoder.adjacent.note_variant(variant, self.encoder.out.len());
        self.put_variant(name, variant, 0)?;
        Ok(Some(Tag::Variant))
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Option<Tag>> {
        #[cfg(feature = "any")]
        if name == ANY {
            return self.put_any(value);
        }
        if raw::is_reserved(name) {
            return raw_part::put(self, value);
        }
        if name == EXTENSION {
            return Err(no_extension());
        }
        let ValueWriter { encoder, prefix } = self;
        encoder.depth.wrap()?;
        let writer = ValueWriter { encoder: &mut *encoder, prefix };
        let tag = match Mark::of_newtype(name)? {
            Some(Mark::Shared { once }) => writer.put_shared(value, once)?,
            mark => writer.put_marked(value, mark)?,
        };
        encoder.depth.unwrap();
        Ok(tag)
    }

    #[inline]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Option<Tag>> {
        let _ = index;
        if name == VALUE {
            return self.put_node(variant, value);
        }
        let encoder = self.put_variant(name, variant, wire::ARGUMENT)?;
        encoder.depth.enter()?;
        encoder.put(value)?;
        encoder.depth.leave();
        Ok(Some(Tag::Variant))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a>> {
        Compound::sequence(self, len, None)
    }

    #[inline]
    fn collect_seq<I>(self, items: I) -> Result<Option<Tag>>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        items::put_all(self, items.into_iter())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a>> {
        Compound::tuple(self, len, None)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound<'a>> {
        Mark::refuse(name, Target::TupleStruct)?;
        Compound::tuple(self, len, None)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        let _ = index;
        let encoder = self.put_variant(name, variant, wire::ARGUMENT)?;
        encoder.depth.enter()?;
        let compound = Compound::tuple(ValueWriter { encoder, prefix: Tagged }, len, None);
        compound.map(Compound::for_variant)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'a>> {
        Compound::map(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Compound<'a>> {
        Mark::refuse(name, Target::Struct)?;
        if self.encoder.adjacent.is_content(name, self.encoder.out.len()) && len > 0 {
            return Err(no_adjacent_fields());
        }
        Compound::record(self, name, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Compound<'a>> {
        let _ = index;
        let encoder = self.put_variant(name, variant, wire::ARGUMENT)?;
        encoder.depth.enter()?;
        let writer = ValueWriter { encoder, prefix: Tagged };
        Compound::record(writer, variant, len).map(Compound::for_variant)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
