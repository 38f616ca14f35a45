//! Readers compiled for each type: serde's visitors and seeds as those of a reader, and what a reader gives as
//! serde's. Nothing of it is left in a program.

use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use serde_core::de as serde;

use super::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
    for_each_request, for_each_visit,
};

/// A visitor, a seed or a reader of serde's.
pub(crate) struct Plain<T>(pub(crate) T);

macro_rules! visits {
    ($($method:ident($type:ty) $found:ident)*) => {$(
        #[inline(always)]
        fn $method(self, value: $type) -> Result<V::Value, E> {
            self.0.$method(value)
        }
    )*};
}

impl<'de, V: serde::Visitor<'de>, E: serde::Error> Visitor<'de, E> for Plain<V> {
    type Value = V::Value;

    for_each_visit!(visits);

    #[inline(always)]
    fn visit_none(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    #[inline(always)]
    fn visit_unit(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    #[inline(always)]
    fn visit_some<D: Deserializer<'de, Error = E>>(self, value: D) -> Result<V::Value, E> {
        self.0.visit_some(Plain(value))
    }

    #[inline(always)]
    fn visit_seq<A: SeqAccess<'de, Error = E>>(self, items: A) -> Result<V::Value, E> {
        self.0.visit_seq(Plain(items))
    }

    #[inline(always)]
    fn visit_map<A: MapAccess<'de, Error = E>>(self, entries: A) -> Result<V::Value, E> {
        self.0.visit_map(Plain(entries))
    }

    #[inline(always)]
    fn visit_enum<A: EnumAccess<'de, Error = E>>(self, variant: A) -> Result<V::Value, E> {
        self.0.visit_enum(Plain(variant))
    }
}

impl<'de, T: serde::DeserializeSeed<'de>, E: serde::Error> DeserializeSeed<'de, E> for Plain<T> {
    type Value = T::Value;

    #[inline(always)]
    fn deserialize<D: Deserializer<'de, Error = E>>(self, value: D) -> Result<T::Value, E> {
        self.0.deserialize(Plain(value))
    }
}

macro_rules! requests {
    ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {$(
        #[inline(always)]
        fn $method<V: serde::Visitor<'de>>(
            self,
            $($arg: $type,)*
            visitor: V,
        ) -> Result<V::Value, D::Error> {
            self.0.$method($($arg,)* Plain(visitor))
        }
    )*};
}

impl<'de, D: Deserializer<'de, Error: serde::Error>> serde::Deserializer<'de> for Plain<D> {
    type Error = D::Error;

    for_each_request!(requests);

    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

impl<'de, A: SeqAccess<'de, Error: serde::Error>> serde::SeqAccess<'de> for Plain<A> {
    type Error = A::Error;

    /// serde's own is not always inlined.
    #[inline(always)]
    fn next_element<T: serde::Deserialize<'de>>(&mut self) -> Result<Option<T>, A::Error> {
        self.0.next_element_seed(Plain(PhantomData))
    }

    #[inline(always)]
    fn next_element_seed<T: serde::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        self.0.next_element_seed(Plain(seed))
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de, Error: serde::Error>> serde::MapAccess<'de> for Plain<A> {
    type Error = A::Error;

    #[inline(always)]
    fn next_key_seed<T: serde::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        self.0.next_key_seed(Plain(seed))
    }

    #[inline(always)]
    fn next_value_seed<T: serde::DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, A::Error> {
        self.0.next_value_seed(Plain(seed))
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: EnumAccess<'de, Error: serde::Error>> serde::EnumAccess<'de> for Plain<A> {
    type Error = A::Error;
    type Variant = Plain<A::Variant>;

    #[inline(always)]
    fn variant_seed<T: serde::DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Plain<A::Variant>), A::Error> {
        self.0.variant_seed(Plain(seed)).map(|(value, variant)| (value, Plain(variant)))
    }
}

impl<'de, A: VariantAccess<'de, Error: serde::Error>> serde::VariantAccess<'de> for Plain<A> {
    type Error = A::Error;

    #[inline(always)]
    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    #[inline(always)]
    fn newtype_variant_seed<T: serde::DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, A::Error> {
        self.0.newtype_variant_seed(Plain(seed))
    }

    #[inline(always)]
    fn tuple_variant<V: serde::Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(len, Plain(visitor))
    }

    #[inline(always)]
    fn struct_variant<V: serde::Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.struct_variant(fields, Plain(visitor))
    }
}
