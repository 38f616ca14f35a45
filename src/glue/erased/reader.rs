//! The reader's side of trait objects: deserializers, items, entries and variants of an exact reader as
//! objects, and visitors and seeds that take them. Knows no format.

use alloc::string::String;
use alloc::vec::Vec;

use super::{
    AnyDeserializer, AnyEnum, AnyMap, AnySeed, AnySeq, AnyVisitor, Entries, Erased, Found, Items,
    Once, Variant, used_up,
};
use crate::error::{Error, Kind};
use crate::glue::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, Request, SeqAccess, VariantAccess,
    Visitor, for_each_visit,
};

impl<'de, K: Kind, D: Deserializer<'de, Error = Error<K>>> AnyDeserializer<'de, K> for Once<D> {
    fn read(
        &mut self,
        request: Request,
        visitor: &mut dyn AnyVisitor<'de, K>,
    ) -> Result<(), Error<K>> {
        self.take()?.read(request, visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.0.as_ref().is_some_and(D::is_human_readable)
    }
}

macro_rules! found {
    (String $value:ident) => {
        Found::String(&mut { $value })
    };
    (ByteBuf $value:ident) => {
        Found::ByteBuf(&mut { $value })
    };
    ($found:ident $value:ident) => {
        Found::$found($value)
    };
}

macro_rules! visits {
    ($($method:ident($type:ty) $found:ident)*) => {$(
        fn $method(self, value: $type) -> Result<(), Error<K>> {
            self.visit(found!($found value))
        }
    )*};
}

impl<'de, K: Kind> Visitor<'de, Error<K>> for &mut dyn AnyVisitor<'de, K> {
    type Value = ();

    for_each_visit!(visits);

    fn visit_none(self) -> Result<(), Error<K>> {
        self.visit(Found::None)
    }

    fn visit_unit(self) -> Result<(), Error<K>> {
        self.visit(Found::Unit)
    }

    fn visit_some<D: Deserializer<'de, Error = Error<K>>>(self, value: D) -> Result<(), Error<K>> {
        self.visit(Found::Some(Erased(&mut Once::new(value))))
    }

    fn visit_newtype_struct<D: Deserializer<'de, Error = Error<K>>>(
        self,
        value: D,
    ) -> Result<(), Error<K>> {
        self.visit(Found::Newtype(Erased(&mut Once::new(value))))
    }

    fn visit_seq<A: SeqAccess<'de, Error = Error<K>>>(self, mut items: A) -> Result<(), Error<K>> {
        self.visit(Found::Seq(Items(&mut items)))
    }

    fn visit_map<A: MapAccess<'de, Error = Error<K>>>(
        self,
        mut entries: A,
    ) -> Result<(), Error<K>> {
        self.visit(Found::Map(Entries(&mut entries)))
    }

    fn visit_enum<A: EnumAccess<'de, Error = Error<K>>>(self, variant: A) -> Result<(), Error<K>> {
        self.visit(Found::Enum(Variant(&mut EnumOnce::Access(variant))))
    }
}

impl<'de, K: Kind> DeserializeSeed<'de, Error<K>> for &mut dyn AnySeed<'de, K> {
    type Value = ();

    fn deserialize<D: Deserializer<'de, Error = Error<K>>>(self, value: D) -> Result<(), Error<K>> {
        AnySeed::deserialize(self, &mut Once::new(value))
    }
}

impl<'de, K: Kind, A: SeqAccess<'de, Error = Error<K>>> AnySeq<'de, K> for A {
    fn next_element(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<bool, Error<K>> {
        self.next_element_seed(seed).map(|item| item.is_some())
    }

    fn size_hint(&self) -> Option<usize> {
        SeqAccess::size_hint(self)
    }
}

impl<'de, K: Kind, A: MapAccess<'de, Error = Error<K>>> AnyMap<'de, K> for A {
    fn next_key(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<bool, Error<K>> {
        self.next_key_seed(seed).map(|key| key.is_some())
    }

    fn next_value(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<(), Error<K>> {
        self.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        MapAccess::size_hint(self)
    }
}

/// A variant that is passed on once.
pub(super) enum EnumOnce<A, V> {
    Access(A),
    Variant(V),
    Used,
}

impl<A, V> EnumOnce<A, V> {
    fn take<K: Kind>(&mut self) -> Result<V, Error<K>> {
        match core::mem::replace(self, EnumOnce::Used) {
            EnumOnce::Variant(variant) => Ok(variant),
            EnumOnce::Access(_) | EnumOnce::Used => Err(used_up()),
        }
    }
}

impl<'de, K: Kind, A: EnumAccess<'de, Error = Error<K>>> AnyEnum<'de, K>
    for EnumOnce<A, A::Variant>
{
    fn variant(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<(), Error<K>> {
        let EnumOnce::Access(access) = core::mem::replace(self, EnumOnce::Used) else {
            return Err(used_up());
        };
        let ((), variant) = access.variant_seed(seed)?;
        *self = EnumOnce::Variant(variant);
        Ok(())
    }

    fn unit(&mut self) -> Result<(), Error<K>> {
        self.take()?.unit_variant()
    }

    fn newtype(&mut self, seed: &mut dyn AnySeed<'de, K>) -> Result<(), Error<K>> {
        self.take()?.newtype_variant_seed(seed)
    }

    fn tuple(&mut self, len: usize, visitor: &mut dyn AnyVisitor<'de, K>) -> Result<(), Error<K>> {
        self.take()?.tuple_variant(len, visitor)
    }

    fn structure(
        &mut self,
        fields: &'static [&'static str],
        visitor: &mut dyn AnyVisitor<'de, K>,
    ) -> Result<(), Error<K>> {
        self.take()?.struct_variant(fields, visitor)
    }
}
