//! Deserializers of values at hand: numbers and names, as serde's `IntoDeserializer` gives them.

use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use serde_core::de::{Error, Unexpected};

use super::de::{
    DeserializeSeed, Deserializer, EnumAccess, Request, SeqAccess, VariantAccess, Visitor, by_read,
    for_each_request,
};

/// What has one answer to whatever is asked for.
pub(crate) trait Answer<'de, E>: Sized {
    fn answer<V: Visitor<'de, E>>(self, visitor: V) -> Result<V::Value, E>;

    /// The same where an enum is asked for.
    fn answer_enum<V: Visitor<'de, E>>(self, visitor: V) -> Result<V::Value, E> {
        self.answer(visitor)
    }
}

/// A deserializer that gives this answer.
pub(crate) struct Always<T, E> {
    answer: T,
    error: PhantomData<fn() -> E>,
}

impl<T, E> Always<T, E> {
    pub(crate) const fn new(answer: T) -> Self {
        Always { answer, error: PhantomData }
    }
}

impl<'de, T: Answer<'de, E>, E> Deserializer<'de> for Always<T, E> {
    type Error = E;

    fn read<V: Visitor<'de, E>>(self, request: Request, visitor: V) -> Result<V::Value, E> {
        match request {
            Request::Enum(..) => self.answer.answer_enum(visitor),
            _ => self.answer.answer(visitor),
        }
    }

    for_each_request!(by_read);
}

macro_rules! scalars {
    ($($type:ty: $visit:ident,)*) => {$(
        impl<'de, E> Answer<'de, E> for $type {
            fn answer<V: Visitor<'de, E>>(self, visitor: V) -> Result<V::Value, E> {
                visitor.$visit(self)
            }
        }
    )*};
}

scalars! { i8: visit_i8, u8: visit_u8, i16: visit_i16, u64: visit_u64, }

macro_rules! names {
    ($($type:ty: $visit:ident,)*) => {$(
        impl<'de, E: Error> Answer<'de, E> for $type {
            fn answer<V: Visitor<'de, E>>(self, visitor: V) -> Result<V::Value, E> {
                visitor.$visit(self)
            }

            fn answer_enum<V: Visitor<'de, E>>(self, visitor: V) -> Result<V::Value, E> {
                visitor.visit_enum(Always::new(self))
            }
        }
    )*};
}

names! { u32: visit_u32, &str: visit_str, String: visit_string, }

impl<'de, E> Answer<'de, E> for () {
    fn answer<V: Visitor<'de, E>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }
}

/// A variant without a payload.
impl<'de, T: Answer<'de, E>, E: Error> EnumAccess<'de> for Always<T, E> {
    type Error = E;
    type Variant = Unit<E>;

    fn variant_seed<S: DeserializeSeed<'de, E>>(self, seed: S) -> Result<(S::Value, Unit<E>), E> {
        seed.deserialize(self).map(|variant| (variant, Unit(PhantomData)))
    }
}

/// No payload.
pub(crate) struct Unit<E>(PhantomData<fn() -> E>);

impl<'de, E: Error> VariantAccess<'de> for Unit<E> {
    type Error = E;

    fn unit_variant(self) -> Result<(), E> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de, E>>(self, _: T) -> Result<T::Value, E> {
        Err(E::invalid_type(Unexpected::UnitVariant, &"newtype variant"))
    }

    fn tuple_variant<V: Visitor<'de, E>>(self, _: usize, _: V) -> Result<V::Value, E> {
        Err(E::invalid_type(Unexpected::UnitVariant, &"tuple variant"))
    }

    fn struct_variant<V: Visitor<'de, E>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, E> {
        Err(E::invalid_type(Unexpected::UnitVariant, &"struct variant"))
    }
}

/// A list of values at hand.
pub(crate) struct List<I, E> {
    items: I,
    error: PhantomData<fn() -> E>,
}

impl<I, E> List<I, E> {
    pub(crate) const fn new(items: I) -> Self {
        List { items, error: PhantomData }
    }
}

impl<'de, I: ExactSizeIterator<Item: Answer<'de, E>>, E> SeqAccess<'de> for List<I, E> {
    type Error = E;

    fn next_element_seed<S: DeserializeSeed<'de, E>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, E> {
        self.items.next().map(|item| seed.deserialize(Always::new(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

impl<'de, T: Answer<'de, E>, E> Answer<'de, E> for Vec<T> {
    fn answer<V: Visitor<'de, E>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_seq(List::new(self.into_iter()))
    }
}

/// Bytes of the input.
pub(crate) struct Borrowed<'de>(pub(crate) &'de [u8]);

impl<'de, E> Answer<'de, E> for Borrowed<'de> {
    fn answer<V: Visitor<'de, E>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_borrowed_bytes(self.0)
    }
}
