//! Writing one value of any kind.

use serde_core::ser::{self, Serialize};

use super::compound::Compound;
use super::output::Output;
use super::raw::Raw;
use crate::limits::Depth;
use crate::tsm::wire::{self, MOST_EMPTY_ITEMS};
use crate::tsm::{Error, ErrorKind, Options, Result, mark};

/// A value under construction: where its bytes go, how deep the part at hand is nested.
#[derive(Debug)]
pub(in crate::tsm) struct Encoder<O> {
    pub(super) out: O,
    pub(super) depth: Depth,
    /// Items of zero bytes that a reader will still believe.
    empty_items: usize,
    max_depth: u16,
}

impl<O> Encoder<O> {
    #[inline]
    pub(super) fn new(options: &Options, out: O) -> Self {
        Encoder {
            out,
            depth: Depth::new(options.max_depth),
            empty_items: MOST_EMPTY_ITEMS,
            max_depth: options.max_depth,
        }
    }

    /// Begins the next value, whatever became of the one before.
    #[inline]
    pub(super) fn begin(&mut self) -> &mut Self {
        self.depth = Depth::new(self.max_depth);
        self.empty_items = MOST_EMPTY_ITEMS;
        self
    }

    /// Counts an item that takes no bytes.
    #[cold]
    pub(super) fn spend_empty_item(&mut self) -> Result<()> {
        match self.empty_items.checked_sub(1) {
            Some(left) => {
                self.empty_items = left;
                Ok(())
            }
            None => Err(Error::placeless(ErrorKind::EmptyItems { limit: MOST_EMPTY_ITEMS })),
        }
    }
}

impl<O: Output> Encoder<O> {
    /// Writes the count of a sequence or map.
    #[inline]
    pub(super) fn put_count(&mut self, len: Option<usize>) -> Result<usize> {
        match len {
            Some(len) => {
                self.out.put(&wire::count_bytes(len)?)?;
                Ok(len)
            }
            None => Err(Error::placeless(ErrorKind::UnknownLength)),
        }
    }

    /// Writes the number of an enum's variant.
    #[inline]
    fn put_variant(&mut self, name: &'static str, index: u32) -> Result<()> {
        mark::refuse(name, "an enum")?;
        self.out.put(&wire::variant_bytes(index)?)
    }
}

macro_rules! serialize_le {
    ($($method:ident $type:ty,)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result<()> {
            self.out.put(&value.to_le_bytes())
        }
    )*};
}

impl<'a, O: Output> ser::Serializer for &'a mut Encoder<O> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'a, O>;
    type SerializeTuple = Compound<'a, O>;
    type SerializeTupleStruct = Compound<'a, O>;
    type SerializeTupleVariant = Compound<'a, O>;
    type SerializeMap = Compound<'a, O>;
    type SerializeStruct = Compound<'a, O>;
    type SerializeStructVariant = Compound<'a, O>;

    serialize_le! {
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_u128 u128, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32,
        serialize_i64 i64, serialize_i128 i128, serialize_f32 f32, serialize_f64 f64,
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        self.serialize_u8(u8::from(value))
    }

    #[inline]
    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_u32(u32::from(value))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.serialize_bytes(value.as_bytes())
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.put_count(Some(value.len()))?;
        self.out.put(value)
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.serialize_i8(wire::NONE)
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        self.depth.wrap()?;
        self.out.put(&wire::SOME.to_le_bytes())?;
        value.serialize(&mut *self)?;
        self.depth.unwrap();
        Ok(())
    }

    #[inline]
    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        mark::refuse(name, "a unit struct")
    }

    #[inline]
    fn serialize_unit_variant(self, name: &'static str, index: u32, _: &'static str) -> Result<()> {
        self.put_variant(name, index)
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.depth.wrap()?;
        match mark::is_raw(name) {
            false => value.serialize(&mut *self)?,
            true => value.serialize(Raw { encoder: self })?,
        }
        self.depth.unwrap();
        Ok(())
    }

    #[inline]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<()> {
        self.depth.enter()?;
        self.put_variant(name, index)?;
        value.serialize(&mut *self)?;
        self.depth.leave();
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<Compound<'a, O>> {
        let count = self.put_count(len)?;
        Compound::new(self, count)
    }

    #[inline]
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, items: I) -> Result<()> {
        let items = items.into_iter();
        let len = match items.size_hint() {
            (least, Some(most)) if least == most => Some(least),
            _ => None,
        };
        let mut seq = self.serialize_seq(len)?;
        seq.put_all(items)?;
        ser::SerializeSeq::end(seq)
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Compound<'a, O>> {
        Compound::new(self, len)
    }

    #[inline]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Compound<'a, O>> {
        mark::refuse(name, "a tuple struct")?;
        Compound::new(self, len)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        len: usize,
    ) -> Result<Compound<'a, O>> {
        self.put_variant(name, index)?;
        Compound::new(self, len)
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<Compound<'a, O>> {
        let count = self.put_count(len)?;
        Compound::new(self, count)
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Compound<'a, O>> {
        mark::refuse(name, "a struct")?;
        Compound::new(self, len)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        _: &'static str,
        len: usize,
    ) -> Result<Compound<'a, O>> {
        self.put_variant(name, index)?;
        Compound::new(self, len)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
