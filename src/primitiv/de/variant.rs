//! Handing out an enum's variant: its index or name, then its content.

use serde_core::de::value::{StrDeserializer, U32Deserializer};
use serde_core::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use super::access::Parts;
use super::value::ValueReader;
use super::{Own, State};
use crate::glue::names::Names;
use crate::primitiv::error::{NAMED, or_str_hint};
use crate::primitiv::wire::{self, Headed};
use crate::primitiv::{Error, ErrorKind, Result};
use crate::text;

/// An enum's variant, given by index or name, and its content.
pub(super) struct Variant<'a, 'de> {
    state: &'a mut State<'de>,
    which: Which<'de>,
    offset: usize,
}

enum Which<'de> {
    Index(u32),
    Name(&'de str),
}

impl<'a, 'de> Variant<'a, 'de> {
    #[inline]
    pub(super) fn take(state: &'a mut State<'de>, named: bool) -> Result<Self> {
        let offset = state.reader.offset();
        let which = match named {
            false => match wire::take_uint32(&mut state.reader, state.own.lenient) {
                Ok(index) => Which::Index(index),
                Err(error) => return Err(or_str_hint(error, NAMED)),
            },
            true => {
                let State { reader, own: Own { lenient, .. }, .. } = &mut *state;
                let (bytes, offset, _) = wire::take_bytes(reader, Headed::Str, *lenient)?;
                Which::Name(text::utf8::<ErrorKind>(bytes, offset)?)
            }
        };
        Ok(Variant { state, which, offset })
    }

    #[inline]
    pub(super) fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let offset = self.offset;
        visitor.visit_enum(self).map_err(|error| error.or_offset(offset))
    }

    /// Reads the content. What goes wrong is noted here, for the enum's visitor may go on without it.
    #[inline]
    fn content<T>(self, read: impl FnOnce(&mut State<'de>) -> Result<T>) -> Result<T> {
        let Variant { state, .. } = self;
        let offset = state.reader.offset();
        read(state).map_err(|error| state.refused_at(error, offset))
    }

    /// Reads the parts of the content.
    #[inline]
    fn parts<V: Visitor<'de>>(self, len: usize, names: Names, visitor: V) -> Result<V::Value> {
        self.content(|state| Parts::begin_content(state, None, len, names)?.visit(visitor))
    }
}

impl<'de> de::EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Error;
    type Variant = Self;

    #[inline]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let offset = self.offset;
        let variant = match self.which {
            Which::Index(index) => {
                let number: U32Deserializer<Error> = index.into_deserializer();
                seed.deserialize(number)
                    .map_err(|_| Error::at(ErrorKind::UnknownVariant { index }, offset))
            }
            Which::Name(name) => seed.deserialize(StrDeserializer::new(name)),
        };
        match variant {
            Ok(variant) => Ok((variant, self)),
            Err(error) => Err(self.state.refused_at(error, offset)),
        }
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Error;

    #[inline]
    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    #[inline]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.content(|state| state.in_level(|state| seed.deserialize(ValueReader::new(state))))
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.parts(len, Names::SLOTS, visitor)
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.parts(fields.len(), Names::Fields(fields), visitor)
    }
}
