//! Parts of values in MessagePack, as they are handed to visitors. Does not know how a part is read.

use core::marker::PhantomData;

use serde_core::de;

use super::{Unpacker, wrong_marker};
use crate::error::{Error, Kind, Segment};
use crate::glue::de::{DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use crate::glue::value::{Always, Answer, Borrowed};
use crate::read::Reader;

/// The items of an array, or the entries of a map.
pub(super) struct List<'a, 'de, K> {
    pub(super) unpacker: &'a mut Unpacker<'de, K>,
    pub(super) next: usize,
    pub(super) count: usize,
    /// How many items to reserve memory for.
    pub(super) hint: usize,
    /// What begins with the last key.
    pub(super) key: Reader<'de>,
    /// Whether the value behind that is still to come.
    pub(super) is_open: bool,
}

impl<K> List<'_, '_, K> {
    fn size_hint(&self) -> Option<usize> {
        Some((self.count - self.next).min(self.hint))
    }
}

impl<'de, K: Kind> SeqAccess<'de> for List<'_, 'de, K> {
    type Error = Error<K>;

    fn next_element_seed<T: DeserializeSeed<'de, Error<K>>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error<K>> {
        if self.next == self.count || self.unpacker.failed_at.is_some() {
            return Ok(None);
        }
        let index = self.next;
        self.next += 1;
        match self.unpacker.part(seed) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.inside(Segment::Index(index))),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        List::size_hint(self)
    }
}

impl<'de, K: Kind> MapAccess<'de> for List<'_, 'de, K> {
    type Error = Error<K>;

    fn next_key_seed<T: DeserializeSeed<'de, Error<K>>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error<K>> {
        if self.next == self.count || self.unpacker.failed_at.is_some() {
            return Ok(None);
        }
        let index = self.next;
        self.next += 1;
        self.key = self.unpacker.reader;
        self.is_open = true;
        match self.unpacker.part(seed) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.inside(Segment::Index(index))),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de, Error<K>>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, Error<K>> {
        let (key, index) = (self.key, self.next.saturating_sub(1));
        self.is_open = false;
        self.unpacker.part(seed).map_err(|error| error.inside(self.unpacker.segment(key, index)))
    }

    fn size_hint(&self) -> Option<usize> {
        List::size_hint(self)
    }
}

/// A variant of an enum, with or without content.
pub(super) struct Variant<'a, 'de, K> {
    pub(super) unpacker: &'a mut Unpacker<'de, K>,
    /// Whether the content is still to come, if there is any.
    pub(super) content: Option<&'a mut bool>,
}

impl<'a, 'de, K: Kind> Variant<'a, 'de, K> {
    /// The place of the content, which is taken now.
    fn open(self, expected: &'static str) -> Result<&'a mut Unpacker<'de, K>, Error<K>> {
        match self.content {
            Some(is_open) => {
                *is_open = false;
                Ok(self.unpacker)
            }
            None => Err(de::Error::invalid_type(de::Unexpected::UnitVariant, &expected)),
        }
    }
}

impl<'de, K: Kind> EnumAccess<'de> for Variant<'_, 'de, K> {
    type Error = Error<K>;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de, Error<K>>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), Error<K>> {
        let name = self.unpacker.part(seed)?;
        Ok((name, self))
    }
}

impl<'de, K: Kind> VariantAccess<'de> for Variant<'_, 'de, K> {
    type Error = Error<K>;

    fn unit_variant(self) -> Result<(), Error<K>> {
        if self.content.is_none() {
            return Ok(());
        }
        let unpacker = self.open("unit variant")?;
        let offset = unpacker.reader.offset();
        match unpacker.is_nil() {
            true => unpacker.next().map(|_| ()),
            false => {
                let first = unpacker.reader.peek().unwrap_or_default();
                Err(wrong_marker(first, "nil", offset))
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de, Error<K>>>(
        self,
        seed: T,
    ) -> Result<T::Value, Error<K>> {
        self.open("newtype variant")?.part(seed)
    }

    fn tuple_variant<V: Visitor<'de, Error<K>>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        self.open("tuple variant")?.any(true, visitor)
    }

    fn struct_variant<V: Visitor<'de, Error<K>>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error<K>> {
        self.open("struct variant")?.any(true, visitor)
    }
}

/// An ext: a tuple of its type and bytes.
pub(super) struct Ext<'de, K> {
    pub(super) tag: i8,
    pub(super) bytes: &'de [u8],
    pub(super) next: usize,
    pub(super) kind: PhantomData<fn() -> K>,
}

impl<'de, K: Kind> Answer<'de, Error<K>> for Ext<'de, K> {
    fn answer<V: Visitor<'de, Error<K>>>(self, visitor: V) -> Result<V::Value, Error<K>> {
        visitor.visit_seq(self)
    }
}

impl<'de, K: Kind> SeqAccess<'de> for Ext<'de, K> {
    type Error = Error<K>;

    fn next_element_seed<T: DeserializeSeed<'de, Error<K>>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error<K>> {
        self.next += 1;
        match self.next {
            1 => seed.deserialize(Always::new(self.tag)).map(Some),
            2 => seed.deserialize(Always::new(Borrowed(self.bytes))).map(Some),
            _ => Ok(None),
        }
    }
}
