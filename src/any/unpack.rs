//! Reading MessagePack: its markers tell a type what comes next.

mod access;

use alloc::borrow::Cow;
use alloc::string::ToString;
use core::marker::PhantomData;

use rmp::Marker;
use serde_core::de;

use self::access::{Ext, List, Variant};
use crate::any::{Limits, Part};
use crate::error::{Error, Fault, Kind, Segment};
use crate::glue::de::{DeserializeSeed, Deserializer, Visitor};
use crate::glue::mark::EXTENSION;
use crate::glue::value::{Always, List as Items};
use crate::limits::{Depth, ItemBudget};
use crate::read::Reader;
use crate::text;

/// Reads the value of a part, all of it.
#[inline(never)]
pub(crate) fn part<'de, K: Kind, T: DeserializeSeed<'de, Error<K>>>(
    part: Part<'de, K>,
    seed: T,
) -> Result<T::Value, Error<K>> {
    part_by(part, |unpacker| seed.deserialize(unpacker))
}

/// Reads the value of a part, all of it: what `read` makes of it.
pub(crate) fn part_by<'de, K: Kind, T>(
    part: Part<'de, K>,
    read: impl FnOnce(&mut Unpacker<'de, K>) -> Result<T, Error<K>>,
) -> Result<T, Error<K>> {
    let Part { bytes, offset, limits, .. } = part;
    let mut unpacker = Unpacker {
        reader: Reader::new(bytes, offset),
        limits,
        budget: ItemBudget::new(bytes.len()),
        failed_at: None,
        kind: PhantomData,
    };
    let value = read(&mut unpacker).map_err(|error| error.or_offset(offset))?;
    unpacker.reader.finish()?;
    unpacker.check_swallowed(value)
}

/// What the reader of a part records.
pub(crate) struct Unpacker<'de, K> {
    reader: Reader<'de>,
    /// How deep the next value may nest.
    limits: Limits,
    budget: ItemBudget,
    /// Where a part could not be read. A type that ignores the error reads on at a wrong place.
    failed_at: Option<usize>,
    kind: PhantomData<fn() -> K>,
}

/// The next object, by its marker, which is taken.
#[derive(Clone, Copy)]
enum Next<'de> {
    Nil,
    Bool(bool),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
    Str(&'de str),
    Bin(&'de [u8]),
    Array(usize),
    Map(usize),
    Ext(i8, &'de [u8]),
}

/// What a number of 128 bits is read from.
enum Wide {
    Unsigned(u64),
    Signed(i64),
    /// Big-endian, for either type, since MessagePack has none of 128 bits.
    Bytes([u8; 16]),
}

impl<'de, K: Kind> Unpacker<'de, K> {
    fn take(&mut self, len: usize) -> Result<&'de [u8], Error<K>> {
        match self.reader.left() {
            left if left < len => {
                Err(Error::at(Fault::ShortPart { needed: len, left }, self.reader.offset()))
            }
            _ => self.reader.take(len),
        }
    }

    fn take_array<const N: usize>(&mut self) -> Result<[u8; N], Error<K>> {
        self.take(N).map(|bytes| bytes.first_chunk().copied().unwrap_or([0; N]))
    }

    /// A count of one, two or four bytes.
    fn take_count<const N: usize>(&mut self) -> Result<usize, Error<K>> {
        let bytes = self.take_array::<N>()?;
        Ok(bytes.iter().fold(0, |count, byte| count << 8 | usize::from(*byte)))
    }

    fn take_text(&mut self, len: usize) -> Result<Next<'de>, Error<K>> {
        let bytes = self.take(len)?;
        let start = self.reader.offset() - bytes.len();
        text::utf8(bytes, start).map(Next::Str)
    }

    fn take_ext(&mut self, len: usize) -> Result<Next<'de>, Error<K>> {
        let tag = i8::from_be_bytes(self.take_array()?);
        self.take(len).map(|bytes| Next::Ext(tag, bytes))
    }

    /// Records a value that was not read to its end.
    #[cold]
    fn note(&mut self, offset: usize) {
        self.failed_at.get_or_insert(offset);
    }

    /// The value, unless its type swallowed the error of a part.
    fn check_swallowed<T>(&self, value: T) -> Result<T, Error<K>> {
        match self.failed_at {
            None => Ok(value),
            Some(offset) => Err(Error::at(Fault::Abandoned, offset)),
        }
    }

    /// Takes a marker and what belongs to it.
    fn next(&mut self) -> Result<Next<'de>, Error<K>> {
        let offset = self.reader.offset();
        self.peek_next().inspect_err(|_| self.note(offset))
    }

    fn peek_next(&mut self) -> Result<Next<'de>, Error<K>> {
        let offset = self.reader.offset();
        let [first] = self.take_array()?;
        Ok(match Marker::from_u8(first) {
            Marker::Null => Next::Nil,
            Marker::True => Next::Bool(true),
            Marker::False => Next::Bool(false),
            Marker::FixPos(value) => Next::U8(value),
            Marker::U8 => Next::U8(u8::from_be_bytes(self.take_array()?)),
            Marker::U16 => Next::U16(u16::from_be_bytes(self.take_array()?)),
            Marker::U32 => Next::U32(u32::from_be_bytes(self.take_array()?)),
            Marker::U64 => Next::U64(u64::from_be_bytes(self.take_array()?)),
            Marker::FixNeg(value) => Next::I8(value),
            Marker::I8 => Next::I8(i8::from_be_bytes(self.take_array()?)),
            Marker::I16 => Next::I16(i16::from_be_bytes(self.take_array()?)),
            Marker::I32 => Next::I32(i32::from_be_bytes(self.take_array()?)),
            Marker::I64 => Next::I64(i64::from_be_bytes(self.take_array()?)),
            Marker::F32 => Next::F32(f32::from_be_bytes(self.take_array()?)),
            Marker::F64 => Next::F64(f64::from_be_bytes(self.take_array()?)),
            Marker::FixStr(len) => self.take_text(len.into())?,
            Marker::Str8 => self.take_count::<1>().and_then(|len| self.take_text(len))?,
            Marker::Str16 => self.take_count::<2>().and_then(|len| self.take_text(len))?,
            Marker::Str32 => self.take_count::<4>().and_then(|len| self.take_text(len))?,
            Marker::Bin8 => self.take_count::<1>().and_then(|len| self.take(len)).map(Next::Bin)?,
            Marker::Bin16 => {
                self.take_count::<2>().and_then(|len| self.take(len)).map(Next::Bin)?
            }
            Marker::Bin32 => {
                self.take_count::<4>().and_then(|len| self.take(len)).map(Next::Bin)?
            }
            Marker::FixArray(count) => Next::Array(count.into()),
            Marker::Array16 => Next::Array(self.take_count::<2>()?),
            Marker::Array32 => Next::Array(self.take_count::<4>()?),
            Marker::FixMap(count) => Next::Map(count.into()),
            Marker::Map16 => Next::Map(self.take_count::<2>()?),
            Marker::Map32 => Next::Map(self.take_count::<4>()?),
            Marker::FixExt1 => self.take_ext(1)?,
            Marker::FixExt2 => self.take_ext(2)?,
            Marker::FixExt4 => self.take_ext(4)?,
            Marker::FixExt8 => self.take_ext(8)?,
            Marker::FixExt16 => self.take_ext(16)?,
            Marker::Ext8 => self.take_count::<1>().and_then(|len| self.take_ext(len))?,
            Marker::Ext16 => self.take_count::<2>().and_then(|len| self.take_ext(len))?,
            Marker::Ext32 => self.take_count::<4>().and_then(|len| self.take_ext(len))?,
            Marker::Reserved => return Err(wrong_marker(first, "a value", offset)),
        })
    }

    fn too_deep(&self) -> Error<K> {
        Error::at(Fault::DepthLimit { limit: self.limits.max_depth }, self.reader.offset())
    }

    /// Reads a part of what comes next.
    fn part<T: DeserializeSeed<'de, Error<K>>>(&mut self, seed: T) -> Result<T::Value, Error<K>> {
        let offset = self.reader.offset();
        let value = seed.deserialize(&mut *self);
        if self.reader.offset() == offset {
            // A type that reads nothing leaves the value to the next one.
            self.note(offset);
        }
        value.map_err(|error| error.or_offset(offset))
    }

    /// Reads what has parts, or what is in a `Some` or newtype struct.
    fn inside<T>(
        &mut self,
        depth: Option<Depth>,
        read: impl FnOnce(&mut Self) -> Result<T, Error<K>>,
    ) -> Result<T, Error<K>> {
        let (outer, offset) = (self.limits.depth, self.reader.offset());
        let Some(depth) = depth else {
            self.note(offset);
            return Err(self.too_deep());
        };
        self.limits.depth = depth;
        let result = read(self);
        self.limits.depth = outer;
        result
    }

    fn list<T>(
        &mut self,
        count: usize,
        offset: usize,
        read: impl FnOnce(&mut List<'_, 'de, K>) -> Result<T, Error<K>>,
    ) -> Result<T, Error<K>> {
        self.inside(self.limits.depth.enter(), |unpacker| {
            let hint = unpacker.budget.claim(count);
            let key = unpacker.reader;
            let mut list =
                List { unpacker: &mut *unpacker, next: 0, count, hint, key, is_open: false };
            let value = read(&mut list);
            let (taken, is_open) = (list.next, list.is_open);
            let value = value.and_then(|value| unpacker.check_swallowed(value));
            if taken < count || is_open {
                unpacker.note(offset);
            }
            match value {
                Ok(_) if taken < count => {
                    let kind = Fault::PartCount { found: count, expected: taken };
                    Err(Error::at(kind, offset))
                }
                value => value,
            }
        })
    }

    /// Reads the value that comes next as what it is. A list of bytes may have been asked for:
    /// `as_list` is whether a bin becomes one.
    fn any<V: Visitor<'de, Error<K>>>(
        &mut self,
        as_list: bool,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        let offset = self.reader.offset();
        let next = self.next()?;
        self.visit(next, offset, as_list, visitor).map_err(|error| error.or_offset(offset))
    }

    fn visit<V: Visitor<'de, Error<K>>>(
        &mut self,
        next: Next<'de>,
        offset: usize,
        as_list: bool,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        match next {
            Next::Nil => visitor.visit_unit(),
            Next::Bool(value) => visitor.visit_bool(value),
            Next::U8(value) => visitor.visit_u8(value),
            Next::U16(value) => visitor.visit_u16(value),
            Next::U32(value) => visitor.visit_u32(value),
            Next::U64(value) => visitor.visit_u64(value),
            Next::I8(value) => visitor.visit_i8(value),
            Next::I16(value) => visitor.visit_i16(value),
            Next::I32(value) => visitor.visit_i32(value),
            Next::I64(value) => visitor.visit_i64(value),
            Next::F32(value) => visitor.visit_f32(value),
            Next::F64(value) => visitor.visit_f64(value),
            Next::Str(text) => visitor.visit_borrowed_str(text),
            Next::Bin(bytes) if as_list => visitor.visit_seq(Items::new(bytes.iter().copied())),
            Next::Bin(bytes) => visitor.visit_borrowed_bytes(bytes),
            Next::Array(count) => self.list(count, offset, |list| visitor.visit_seq(list)),
            Next::Map(count) => self.list(count, offset, |list| visitor.visit_map(list)),
            Next::Ext(tag, bytes) => {
                let ext = Ext { tag, bytes, next: 0, kind: PhantomData };
                self.inside(self.limits.depth.enter(), |_| {
                    visitor.visit_newtype_struct(Always::new(ext))
                })
            }
        }
    }

    /// Reads a number of 128 bits.
    fn wide(&mut self) -> Result<Wide, Error<K>> {
        let (offset, first) = (self.reader.offset(), self.reader.peek().unwrap_or_default());
        let next = self.next()?;
        let value = match next {
            Next::U8(value) => Some(Wide::Unsigned(value.into())),
            Next::U16(value) => Some(Wide::Unsigned(value.into())),
            Next::U32(value) => Some(Wide::Unsigned(value.into())),
            Next::U64(value) => Some(Wide::Unsigned(value)),
            Next::I8(value) => Some(Wide::Signed(value.into())),
            Next::I16(value) => Some(Wide::Signed(value.into())),
            Next::I32(value) => Some(Wide::Signed(value.into())),
            Next::I64(value) => Some(Wide::Signed(value)),
            Next::Bin(bytes) => bytes.try_into().ok().map(Wide::Bytes),
            _ => None,
        };
        value.ok_or_else(|| {
            if matches!(next, Next::Array(1..) | Next::Map(1..)) {
                self.note(offset);
            }
            wrong_marker(first, "an integer, or a bin of 16 bytes", offset)
        })
    }

    /// The step into the value behind a key: by its name, if that is text.
    #[cold]
    fn segment(&mut self, key: Reader<'de>, index: usize) -> Segment {
        let after = core::mem::replace(&mut self.reader, key);
        let next = self.peek_next();
        self.reader = after;
        match next {
            Ok(Next::Str(name)) => Segment::Field(Cow::Owned(name.to_string())),
            _ => Segment::Index(index),
        }
    }

    /// Whether nil comes next.
    fn is_nil(&self) -> bool {
        self.reader.peek() == Some(Marker::Null.to_u8())
    }
}

#[cold]
fn wrong_marker<K: Kind>(found: u8, expected: &'static str, offset: usize) -> Error<K> {
    Error::at(Fault::PartMarker { found, expected }, offset)
}

macro_rules! as_it_is {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de, Error<K>>>(self, visitor: V) -> Result<V::Value, Error<K>> {
            self.any(false, visitor)
        }
    )*};
}

impl<'de, K: Kind> Deserializer<'de> for &mut Unpacker<'de, K> {
    type Error = Error<K>;

    as_it_is! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32
        deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_map
        deserialize_identifier deserialize_ignored_any
    }

    fn deserialize_i128<V: Visitor<'de, Error<K>>>(self, visitor: V) -> Result<V::Value, Error<K>> {
        let offset = self.reader.offset();
        let value = match self.wide()? {
            Wide::Unsigned(value) => value.into(),
            Wide::Signed(value) => value.into(),
            Wide::Bytes(bytes) => i128::from_be_bytes(bytes),
        };
        visitor.visit_i128(value).map_err(|error: Error<K>| error.or_offset(offset))
    }

    fn deserialize_u128<V: Visitor<'de, Error<K>>>(self, visitor: V) -> Result<V::Value, Error<K>> {
        let offset = self.reader.offset();
        let value = match self.wide()? {
            Wide::Unsigned(value) => value.into(),
            Wide::Signed(value) => u128::try_from(value).map_err(|_| {
                let found = de::Unexpected::Signed(value);
                <Error<K> as de::Error>::invalid_value(found, &"u128").or_offset(offset)
            })?,
            Wide::Bytes(bytes) => u128::from_be_bytes(bytes),
        };
        visitor.visit_u128(value).map_err(|error: Error<K>| error.or_offset(offset))
    }

    fn deserialize_option<V: Visitor<'de, Error<K>>>(
        self,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        match self.is_nil() {
            true => {
                self.next()?;
                visitor.visit_none()
            }
            false => self.inside(self.limits.depth.wrap(), |unpacker| visitor.visit_some(unpacker)),
        }
    }

    /// Written as an array of nothing.
    fn deserialize_unit_struct<V: Visitor<'de, Error<K>>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        match self.reader.peek() == Some(Marker::FixArray(0).to_u8()) {
            true => {
                self.next()?;
                visitor.visit_unit()
            }
            false => self.any(false, visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de, Error<K>>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        if name != EXTENSION {
            let depth = self.limits.depth.wrap();
            return self.inside(depth, |unpacker| visitor.visit_newtype_struct(unpacker));
        }
        let offset = self.reader.offset();
        let first = self.reader.peek().unwrap_or_default();
        match self.next()? {
            Next::Ext(tag, bytes) => {
                let ext = Ext { tag, bytes, next: 0, kind: PhantomData };
                visitor
                    .visit_newtype_struct(Always::new(ext))
                    .map_err(|error| error.or_offset(offset))
            }
            _ => {
                self.note(offset);
                Err(wrong_marker(first, "an ext", offset))
            }
        }
    }

    fn deserialize_seq<V: Visitor<'de, Error<K>>>(self, visitor: V) -> Result<V::Value, Error<K>> {
        self.any(true, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de, Error<K>>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        self.any(true, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de, Error<K>>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        self.any(true, visitor)
    }

    fn deserialize_struct<V: Visitor<'de, Error<K>>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        self.any(true, visitor)
    }

    /// A map of one entry, whose key is the variant, or the variant alone.
    fn deserialize_enum<V: Visitor<'de, Error<K>>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        let offset = self.reader.offset();
        let ahead = self.reader;
        let value = match self.next()? {
            Next::Map(1) => {
                let mut is_open = true;
                let value = self.inside(self.limits.depth.enter(), |unpacker| {
                    visitor.visit_enum(Variant { unpacker, content: Some(&mut is_open) })
                });
                // The content may be behind it.
                if value.is_err() || is_open {
                    self.note(offset);
                }
                value.and_then(|value| self.check_swallowed(value))
            }
            Next::Map(found) => {
                self.note(offset);
                Err(Error::at(Fault::PartCount { found, expected: 1 }, offset))
            }
            _ => {
                self.reader = ahead;
                visitor.visit_enum(Variant { unpacker: self, content: None })
            }
        };
        value.map_err(|error| error.or_offset(offset))
    }
}
