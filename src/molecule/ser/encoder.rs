//! Writing one value of any kind into the document's buffer.

use alloc::vec::Vec;

use serde_core::ser::{self, Serialize};

use super::entries::Entries;
use super::fields::Fields;
use super::marked::Marked;
use super::sequence::Sequence;
use super::tuple::{GATHERED, Tuple};
#[cfg(feature = "any")]
use crate::any::{self, Limits};
use crate::buffer::Buffer;
use crate::error::Fault;
use crate::limits::Reach;
use crate::macros::pack_if_named;
use crate::molecule::mark::{self, Mark, UnionIds};
use crate::molecule::wire;
use crate::molecule::{Error, ErrorKind, Options, Result};
use crate::room::exact_length;
#[cfg(feature = "any")]
use crate::{
    limits::Height,
    mark::ANY,
    named::{self, Place},
};

/// Whether the size of a value follows from its type: what tells a fixvec from a dynvec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::molecule) enum Layout {
    Fixed,
    Dynamic,
}

/// A value that was written: where it ends, and in the highest bit whether it is dynamic. No buffer
/// is so long that it needs that bit.
///
/// One number, because two come back from a function through memory, where the next value would
/// wait for them.
#[derive(Clone, Copy, Debug)]
pub(in crate::molecule) struct Written(usize);

/// The bit.
const DYNAMIC: usize = !(usize::MAX >> 1);

impl Written {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fixed(end: usize) -> Self {
        Written(end)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn dynamic(end: usize) -> Self {
        Written(end | DYNAMIC)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end(self) -> usize {
        self.0 & !DYNAMIC
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_dynamic(self) -> bool {
        self.0 & DYNAMIC != 0
    }
}

/// A document under construction.
#[derive(Debug)]
pub(in crate::molecule) struct Encoder {
    pub(super) out: Buffer,
    /// Offsets that have no place in `out` yet, of the values at hand; each value's own begin
    /// behind those of the values around it.
    pub(super) offsets: Vec<u32>,
    /// How many more levels and wrappers there may be around a value, as in [`Depth`].
    ///
    /// [`Depth`]: crate::limits::Depth
    pub(super) levels: u16,
    pub(super) wrappers: u16,
    pub(super) strict: bool,
    /// Whether unmarked structs are packed: inside a marked struct or fixvec.
    pub(super) packs: bool,
    /// Whether some unmarked tuple became a table whose first item does not show that ..
    pub(super) wrote_mixed: bool,
    /// .. and whether the bytes of a packed one, in a place where tables may be, pass for one.
    pub(super) wrote_lookalike: bool,
    /// Whether the value at hand has a place of its own, where a table may be. Only items of
    /// unmarked tuples and fixvecs have none.
    pub(super) in_slot: bool,
    /// Whether the tuple completed last was packed and passes for a table.
    pub(super) last_looks_like_table: bool,
    /// Whether some part was refused.
    pub(super) failed: bool,
    /// Bytes of the array at hand that have no place in `out` yet, see [`Tuple`].
    pub(super) gathered: [u8; GATHERED],
    max_depth: u16,
}

impl Encoder {
    pub(in crate::molecule) fn new(options: &Options) -> Self {
        Encoder {
            out: Buffer::new(),
            offsets: Vec::new(),
            levels: options.max_depth,
            wrappers: options.max_depth,
            strict: options.strict,
            packs: false,
            wrote_mixed: false,
            wrote_lookalike: false,
            in_slot: true,
            last_looks_like_table: false,
            failed: false,
            gathered: [0; GATHERED],
            max_depth: options.max_depth,
        }
    }

    /// Begins a document, whatever became of the one before.
    pub(super) fn restart(&mut self) {
        self.offsets.clear();
        (self.levels, self.wrappers) = (self.max_depth, self.max_depth);
        self.packs = false;
        self.wrote_mixed = false;
        self.wrote_lookalike = false;
        self.in_slot = true;
        self.last_looks_like_table = false;
        self.failed = false;
    }

    /// Where the outermost value is written.
    #[inline]
    pub(super) fn start(&mut self) -> Cursor<'_> {
        Cursor { encoder: self, at: 0 }
    }

    /// Enters a value that takes bytes around others; [`leave`](Encoder::leave) follows, unless an
    /// error ends the whole work.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter(&mut self) -> Result<()> {
        match self.levels.checked_sub(1) {
            Some(levels) => self.levels = levels,
            None => return Err(too_deep(self.max_depth)),
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn leave(&mut self) {
        self.levels = self.levels.saturating_add(1);
    }

    /// Enters a `Some` or newtype struct; the same contract as [`enter`](Encoder::enter).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrap(&mut self) -> Result<()> {
        match self.wrappers.checked_sub(1) {
            Some(wrappers) => self.wrappers = wrappers,
            None => return Err(too_deep(self.max_depth)),
        }
        Ok(())
    }

    /// How far in values may go from here on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn reach(&self) -> Reach {
        Reach { levels: self.levels, wrappers: self.wrappers }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn unwrap(&mut self) {
        self.wrappers = self.wrappers.saturating_add(1);
    }

    /// Refuses the name of a container that looks like a mark and is none, under `strict`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn check_name(&self, name: &'static str) -> Result<()> {
        match self.strict {
            true => mark::check_strictly(name),
            false => Ok(()),
        }
    }

    /// Makes sure that what ends at `end` is a document.
    #[inline]
    fn check(&self, end: usize) -> Result<()> {
        if self.failed {
            return Err(Error::placeless(Fault::Abandoned));
        }
        wire::number(end)?;
        // A reader that starts over takes all tuples that start with something fixed for packed.
        if self.wrote_mixed && self.wrote_lookalike {
            return Err(Error::placeless(ErrorKind::AmbiguousTuple));
        }
        Ok(())
    }

    /// The finished document.
    pub(super) fn document(&self, written: Written) -> Result<&[u8]> {
        self.check(written.end())?;
        Ok(self.out.written(written.end()))
    }

    /// The finished document, by value.
    #[inline]
    pub(super) fn finish(self, written: Written) -> Result<Vec<u8>> {
        self.check(written.end())?;
        Ok(self.out.finish(written.end()))
    }
}

/// A place in a document, and the serializer for the value that begins there.
///
/// The place goes from value to value by value, see [`Output`].
#[derive(Debug)]
pub(in crate::molecule) struct Cursor<'a> {
    pub(super) encoder: &'a mut Encoder,
    pub(super) at: usize,
}

impl Cursor<'_> {
    /// Writes a fixed value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put<const N: usize>(self, bytes: [u8; N]) -> Result<Written> {
        Ok(Written::fixed(self.encoder.out.put(self.at, bytes)))
    }

    /// A unit struct, whose name may not mark it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn put_unit_struct(self, name: &'static str) -> Result<Written> {
        mark::refuse_on_unit(name)?;
        self.encoder.check_name(name)?;
        ser::Serializer::serialize_unit(self)
    }

    /// Writes the id that heads a union's payload.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_id(self, name: &'static str, index: u32, variant: &'static str) -> Result<Self> {
        self.encoder.check_name(name)?;
        let id = match UnionIds::of(name)? {
            Some(ids) => ids.id(variant)?,
            None => index,
        };
        let at = self.encoder.out.put(self.at, id.to_le_bytes());
        Ok(Cursor { at, ..self })
    }
}

#[cfg(feature = "any")]
impl Cursor<'_> {
    /// Writes a part that is marked `any`, a fixvec, and leaves the wrapper that it is.
    #[cold]
    #[inline(never)]
    fn put_any<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        let Encoder { max_depth, .. } = *self.encoder;
        let part = any::pack(value, Limits { reach: self.encoder.reach(), max_depth })?;
        self.encoder.unwrap();
        ser::Serializer::serialize_bytes(self, &part)
    }
}

/// What has fields: here, or in MessagePack.
#[cfg(feature = "any")]
pub(super) type Named<'a> = named::Named<Fields<'a>, ErrorKind, Cursor<'a>>;
#[cfg(not(feature = "any"))]
pub(super) type Named<'a> = Fields<'a>;

#[cfg(feature = "any")]
impl Place<ErrorKind> for Cursor<'_> {
    type Ok = Written;

    fn begin(&mut self) -> Result<Limits> {
        Ok(Limits { reach: self.encoder.reach(), max_depth: self.encoder.max_depth })
    }

    fn put_part(self, part: &[u8], _: Height) -> Result<Written> {
        ser::Serializer::serialize_bytes(self, part)
    }
}

#[cfg(feature = "any")]
impl<'a> Named<'a> {
    /// Completes the value and gives the encoder back.
    pub(super) fn close(self) -> Result<(&'a mut Encoder, Written)> {
        match self {
            named::Named::Plain(fields) => fields.close(),
            named::Named::Packed(packing) => {
                let (Cursor { encoder, at }, part, height) = packing.complete()?;
                let written = Cursor { encoder: &mut *encoder, at }.put_part(&part, height)?;
                Ok((encoder, written))
            }
        }
    }
}

#[cold]
#[inline(never)]
fn too_deep(limit: u16) -> Error {
    Error::placeless(Fault::DepthLimit { limit })
}

/// A header number that is kept before it is written.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn number(size: usize) -> Result<u32> {
    wire::number(size).map(u32::from_le_bytes)
}

/// Fixed values that are their own little-endian bytes.
macro_rules! serialize_le {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<Written> {
            self.put(value.to_le_bytes())
        }
    )*};
}

impl<'a> ser::Serializer for Cursor<'a> {
    type Ok = Written;
    type Error = Error;
    type SerializeSeq = Sequence<'a>;
    type SerializeTuple = Tuple<'a>;
    type SerializeTupleStruct = Named<'a>;
    type SerializeTupleVariant = Named<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Named<'a>;
    type SerializeStructVariant = Named<'a>;

    serialize_le! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128, serialize_f32 f32, serialize_f64 f64,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<Written> {
        self.serialize_u8(u8::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<Written> {
        self.serialize_u32(u32::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<Written> {
        self.serialize_bytes(value.as_bytes())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<Written> {
        let count = wire::number(value.len())?;
        Ok(Written::dynamic(self.encoder.out.put_counted(self.at, count, value)))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<Written> {
        Ok(Written::dynamic(self.at))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<Written> {
        let Cursor { encoder, at } = self;
        encoder.wrap()?;
        let written = value.serialize(Cursor { encoder: &mut *encoder, at })?;
        if written.end() == at {
            return Err(Error::placeless(ErrorKind::SomeNone));
        }
        encoder.unwrap();
        Ok(Written::dynamic(written.end()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<Written> {
        Ok(Written::dynamic(self.encoder.out.put(self.at, wire::EMPTY_TABLE)))
    }

    #[inline]
    fn serialize_unit_struct(self, name: &'static str) -> Result<Written> {
        pack_if_named!(self, named::put, serialize_unit_struct(name));
        self.put_unit_struct(name)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<Written> {
        pack_if_named!(self, named::put, serialize_unit_variant(name, index, variant));
        self.put_id(name, index, variant).map(|cursor| Written::dynamic(cursor.at))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Written> {
        pack_if_named!(self, named::put, serialize_newtype_struct(name, value));
        let Cursor { encoder, at } = self;
        encoder.wrap()?;
        let inner = Cursor { encoder: &mut *encoder, at };
        #[cfg(feature = "any")]
        if name == ANY {
            return inner.put_any(value);
        }
        inner.encoder.check_name(name)?;
        let written = match Mark::of_newtype(name)? {
            Some(mark) => value.serialize(Marked::new(inner, mark))?,
            None => value.serialize(inner)?,
        };
        encoder.unwrap();
        Ok(written)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Written> {
        pack_if_named!(self, named::put, serialize_newtype_variant(name, index, variant, value));
        self.encoder.enter()?;
        let Cursor { encoder, at } = self.put_id(name, index, variant)?;
        let written = value.serialize(Cursor { encoder: &mut *encoder, at })?;
        encoder.leave();
        Ok(Written::dynamic(written.end()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Sequence<'a>> {
        Sequence::new(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I>(self, items: I) -> Result<Written>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let items = items.into_iter();
        Sequence::new(self, exact_length(&items))?.collect(items)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple(self, len: usize) -> Result<Tuple<'a>> {
        Tuple::new(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Named<'a>> {
        pack_if_named!(self, Named::packed, serialize_tuple_struct(name, len));
        self.encoder.check_name(name)?;
        match Mark::is_packed(name)? || self.encoder.packs {
            true => Fields::packed(self, Some(len)),
            false => Fields::table(self, len, Some(len)),
        }
        .map(Into::into)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Named<'a>> {
        pack_if_named!(self, Named::packed, serialize_tuple_variant(name, index, variant, len));
        Fields::table(self.put_id(name, index, variant)?, len, Some(len)).map(Into::into)
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Entries<'a>> {
        Entries::new(self, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Named<'a>> {
        pack_if_named!(self, Named::packed, serialize_struct(name, len));
        self.encoder.check_name(name)?;
        match Mark::is_packed(name)? || self.encoder.packs {
            true => Fields::packed(self, None),
            false => Fields::table(self, len, None),
        }
        .map(Into::into)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Named<'a>> {
        pack_if_named!(self, Named::packed, serialize_struct_variant(name, index, variant, len));
        Fields::table(self.put_id(name, index, variant)?, len, None).map(Into::into)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }
}
