//! A VARIANT.
//!
//! What is called for every value is always inlined, for the reasons in [`value`](super::value).

use serde_core::de::value::StrDeserializer;
use serde_core::de::{DeserializeSeed, Deserializer as _, EnumAccess, VariantAccess, Visitor};

use super::document::{Document, Result};
use super::head::Head;
use super::input::Input;
use super::value::Value;
use crate::biniou::ErrorKind;
use crate::biniou::wire;
use crate::failed::Failed;

/// The name of a variant that the type does not have. Only `#[serde(other)]` takes it.
const UNKNOWN: &str = "#unknown variant";

/// A VARIANT, whose hash is read.
pub(super) struct Variant<'i, 'a, 't, 'de> {
    input: &'i mut Input<'a, 't, 'de>,
    /// Its name, if it is one of the type's.
    name: Option<&'static str>,
    has_argument: bool,
    /// What the hash begins.
    start: &'de [u8],
}

impl<'i, 'a, 't, 'de> Variant<'i, 'a, 't, 'de> {
    /// Reads one of `variants`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn visit<V: Visitor<'de>>(
        input: &'i mut Input<'a, 't, 'de>,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let (start, document) = (input.rest, input.document);
        let names = document.type_of(variants)?;
        let Some((key, rest)) = start.split_first_chunk() else {
            return Err(document.no_bytes(start, |reader| wire::take_variant(reader).map(drop)));
        };
        let found = u32::from_be_bytes(*key);
        let has_argument = found & wire::ARGUMENT != 0;
        let name = names.name_of(wire::field_key(found & !wire::ARGUMENT));
        input.rest = rest;
        let variant = Variant { input: &mut *input, name, has_argument, start };
        let value = match visitor.visit_enum(variant) {
            Ok(value) => value,
            Err(failed) => return Err(document.place(start, failed)),
        };
        if has_argument && input.rest.len() == rest.len() {
            // The type has not read the argument.
            input.rest = document.skip(rest, None, input.level()?.depth)?;
        }
        Ok(value)
    }

    /// Reads the argument, a level inside.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn argument<T>(self, read: impl FnOnce(Value<'_, 'a, 't, 'de>) -> Result<T>) -> Result<T> {
        let Variant { input, name, has_argument, start } = self;
        if !has_argument {
            return Err(input.document.wrong_argument(start, name, "no argument"));
        }
        let (begin, mut inside) = (input.rest, input.level()?);
        match inside.tagged(Head::UNMARKED, read) {
            Ok(value) => {
                input.rest = inside.rest;
                Ok(value)
            }
            Err(failed) => Err(input.document.place(begin, failed)),
        }
    }
}

impl Document<'_, '_> {
    #[cold]
    fn wrong_argument(
        &self,
        start: &[u8],
        name: Option<&'static str>,
        found: &'static str,
    ) -> Failed {
        let name = name.unwrap_or_default();
        self.fail(start, ErrorKind::Argument { name, found })
    }

    #[cold]
    fn unknown_variant(&self, start: &[u8]) -> Failed {
        let hash = start.first_chunk().map_or(0, |key| u32::from_be_bytes(*key));
        self.fail(start, ErrorKind::UnknownVariant { hash: hash & !wire::ARGUMENT })
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, '_, '_, 'de> {
    type Error = Failed;
    type Variant = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        match seed.deserialize(StrDeserializer::<Failed>::new(self.name.unwrap_or(UNKNOWN))) {
            Ok(variant) => Ok((variant, self)),
            Err(Failed) => Err(self.input.document.unknown_variant(self.start)),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_, '_, 'de> {
    type Error = Failed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn unit_variant(self) -> Result<()> {
        let Variant { input, name, has_argument, start } = self;
        // `#[serde(other)]` may have read a variant with an argument, which is skipped.
        match has_argument && name.is_some() {
            false => Ok(()),
            true => Err(input.document.wrong_argument(start, name, "an argument too many")),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.argument(|value| seed.deserialize(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.argument(|value| value.deserialize_tuple_struct("", len, visitor))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.argument(|value| value.deserialize_struct("", fields, visitor))
    }
}
