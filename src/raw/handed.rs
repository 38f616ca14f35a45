//! How a reader hands a raw part to its type through serde. Knows serde's traits, does not know any format.
//!
//! The type asks for a newtype struct of the reserved name. A reader of its format answers with the one variant
//! of an enum, whose parts are the bytes, their offset, the settings and the steps of the path. Every other reader
//! hands in the newtype struct that it was asked for, and is refused.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, Deserializer, EnumAccess, VariantAccess, Visitor};

use super::sealed::RawFormat;
use super::{Found, Origin, Settings, Step, Trail};
use crate::glue::de as glue;
use crate::glue::value::{Always, Answer, Borrowed};
use crate::limits::Depth;
use crate::path::PATHS;

/// What is handed over.
pub(crate) struct Handed<'o, 'de, S, E> {
    part: Found<'o, 'de>,
    steps: S,
    error: PhantomData<fn() -> E>,
}

/// A part. Its route leads to what is read now, and `steps` from there to the part.
pub(crate) fn hand_over<'o, 'de, S: Iterator<Item = Step<'de>>, E: de::Error>(
    part: Found<'o, 'de>,
    steps: S,
) -> Handed<'o, 'de, S, E> {
    Handed { part, steps, error: PhantomData }
}

impl<'de, S: Iterator<Item = Step<'de>>, E: de::Error> glue::EnumAccess<'de>
    for Handed<'_, 'de, S, E>
{
    type Error = E;
    type Variant = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<V: glue::DeserializeSeed<'de, E>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), E> {
        Ok((seed.deserialize(Always::new(()))?, self))
    }
}

/// What an ordinary enum may make of a part.
#[cold]
fn no_variant<T, E: de::Error>() -> Result<T, E> {
    Err(de::Error::custom("raw bytes are read as a newtype struct of their reserved name"))
}

impl<'de, S: Iterator<Item = Step<'de>>, E: de::Error> glue::VariantAccess<'de>
    for Handed<'_, 'de, S, E>
{
    type Error = E;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tuple_variant<V: glue::Visitor<'de, E>>(self, _: usize, visitor: V) -> Result<V::Value, E> {
        visitor.visit_seq(Pieces { handed: self, next: 0 })
    }

    fn newtype_variant_seed<T: glue::DeserializeSeed<'de, E>>(self, _: T) -> Result<T::Value, E> {
        no_variant()
    }

    fn unit_variant(self) -> Result<(), E> {
        no_variant()
    }

    fn struct_variant<V: glue::Visitor<'de, E>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, E> {
        no_variant()
    }
}

/// The pieces, one by one: bytes, offset, settings, steps.
struct Pieces<'o, 'de, S, E> {
    handed: Handed<'o, 'de, S, E>,
    next: u8,
}

impl<'de, S: Iterator<Item = Step<'de>>, E: de::Error> glue::SeqAccess<'de>
    for Pieces<'_, 'de, S, E>
{
    type Error = E;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: glue::DeserializeSeed<'de, E>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, E> {
        let piece = self.next;
        self.next = self.next.saturating_add(1);
        let Handed { part: Found { bytes, offset, settings, route }, steps, .. } = &mut self.handed;
        match piece {
            0 => seed.deserialize(Always::new(Borrowed(bytes))).map(Some),
            1 => {
                let offset = u64::try_from(*offset).unwrap_or(u64::MAX);
                seed.deserialize(Always::new(offset)).map(Some)
            }
            2 => seed.deserialize(Always::new(settings.to_number())).map(Some),
            _ if !PATHS => Ok(None),
            _ => {
                let step = route.next().or_else(|| steps.next());
                step.map(|step| seed.deserialize(Always::new(step))).transpose()
            }
        }
    }
}

impl<'de, E> Answer<'de, E> for Step<'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn answer<V: glue::Visitor<'de, E>>(self, visitor: V) -> Result<V::Value, E> {
        match self {
            Step::Field(Cow::Borrowed(name)) => visitor.visit_borrowed_str(name),
            Step::Field(Cow::Owned(name)) => visitor.visit_string(name),
            Step::Index(index) => visitor.visit_u64(u64::try_from(index).unwrap_or(u64::MAX)),
            Step::Slot(slot) => visitor.visit_i64(i64::try_from(slot).unwrap_or(i64::MAX)),
        }
    }
}

/// What has come.
pub(super) struct Part<'de> {
    pub(super) bytes: &'de [u8],
    pub(super) origin: Origin<'de>,
}

/// What can be made of the pieces.
pub(crate) trait FromPieces<'de>: Sized {
    fn take<A: de::SeqAccess<'de>>(pieces: A) -> Result<Self, A::Error>;
}

/// Asks for a raw part.
#[inline]
pub(crate) fn deserialize<'de, K: RawFormat, P: FromPieces<'de>, D: Deserializer<'de>>(
    name: &'static str,
    deserializer: D,
) -> Result<P, D::Error> {
    deserializer.deserialize_newtype_struct(name, PartVisitor::<K, P>(PhantomData))
}

/// Takes what a reader of the format hands over.
struct PartVisitor<K, P>(PhantomData<fn() -> (K, P)>);

impl<'de, K: RawFormat, P: FromPieces<'de>> Visitor<'de> for PartVisitor<K, P> {
    type Value = P;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes of {}, which only `fourfold::{0}` reads", K::FORMAT)
    }

    #[inline]
    fn visit_enum<A: EnumAccess<'de>>(self, part: A) -> Result<P, A::Error> {
        let ((), part) = part.variant_seed(PhantomData::<()>)?;
        part.tuple_variant(3, PieceVisitor(PhantomData))
    }

    /// Of a reader of another format.
    #[cold]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, _: D) -> Result<P, D::Error> {
        Err(de::Error::custom(format_args!(
            "raw bytes of {0} are read by `fourfold::{0}` only; elsewhere, give the part the type of its value",
            K::FORMAT
        )))
    }
}

/// Takes the pieces.
struct PieceVisitor<P>(PhantomData<fn() -> P>);

impl<'de, P: FromPieces<'de>> Visitor<'de> for PieceVisitor<P> {
    type Value = P;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, their offset, settings and steps")
    }

    #[inline]
    fn visit_seq<A: de::SeqAccess<'de>>(self, pieces: A) -> Result<P, A::Error> {
        P::take(pieces)
    }
}

/// The bytes, and how deep they may nest.
impl<'de> FromPieces<'de> for (&'de [u8], Depth) {
    #[inline]
    fn take<A: de::SeqAccess<'de>>(mut pieces: A) -> Result<Self, A::Error> {
        let bytes = pieces.next_element()?;
        let _offset = pieces.next_element::<u64>()?;
        match (bytes, pieces.next_element()?) {
            (Some(bytes), Some(settings)) => Ok((bytes, Settings::from_number(settings).depth)),
            _ => Err(de::Error::custom("a raw part without its settings")),
        }
    }
}

impl<'de> FromPieces<'de> for Part<'de> {
    #[inline]
    fn take<A: de::SeqAccess<'de>>(mut pieces: A) -> Result<Self, A::Error> {
        let missing = || de::Error::custom("raw bytes without their offset");
        let Some(bytes) = pieces.next_element::<&'de [u8]>()? else { return Err(missing()) };
        let Some(offset) = pieces.next_element::<u64>()? else { return Err(missing()) };
        let Some(settings) = pieces.next_element::<u64>()? else { return Err(missing()) };
        // Not collected, which would be calls for each item of a list.
        let trail = match pieces.next_element::<Step<'de>>()? {
            None => Trail::None,
            Some(first) => match pieces.next_element::<Step<'de>>()? {
                None => Trail::One(first),
                Some(second) => {
                    let mut steps = Vec::from([first, second]);
                    while let Some(step) = pieces.next_element()? {
                        steps.push(step);
                    }
                    Trail::More(steps.into_boxed_slice())
                }
            },
        };
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let settings = Settings::from_number(settings);
        Ok(Part { bytes, origin: Origin { offset, settings, trail } })
    }
}

impl<'de> Deserialize<'de> for Step<'de> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StepVisitor;

        impl<'de> Visitor<'de> for StepVisitor {
            type Value = Step<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a step of a path")
            }

            #[inline]
            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Step<'de>, E> {
                Ok(Step::Field(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Step<'de>, E> {
                Ok(Step::Field(Cow::Owned(name.into())))
            }

            #[inline]
            fn visit_u64<E>(self, index: u64) -> Result<Step<'de>, E> {
                Ok(Step::Index(usize::try_from(index).unwrap_or(usize::MAX)))
            }

            #[inline]
            fn visit_i64<E>(self, slot: i64) -> Result<Step<'de>, E> {
                Ok(Step::Slot(usize::try_from(slot).unwrap_or(usize::MAX)))
            }
        }

        deserializer.deserialize_any(StepVisitor)
    }
}
