//! Which variant a value is, without writing it. What writes without keeping names in mind asks this
//! of the items of a list before it takes them.

use core::fmt;

use serde_core::ser::{self, Serialize};

use crate::biniou::names::VariantsWritten;

/// The names of the enum and of the variant that a value is; `None` if it is no variant.
#[cfg_attr(not(debug_assertions), inline(always))]
fn variant_of<T: ?Sized + Serialize>(value: &T) -> Option<(&'static str, &'static str)> {
    match value.serialize(Which) {
        Err(Found(names)) => names,
        Ok(()) => None,
    }
}

/// Items of a list, up to a variant whose name has not been looked at.
pub(super) struct Known<'a, I: Iterator> {
    pub(super) items: &'a mut I,
    pub(super) variants: &'a VariantsWritten,
    /// Whether the items are variants.
    pub(super) is_asked: bool,
    /// The item that ended it.
    pub(super) unknown: Option<I::Item>,
}

impl<I: Iterator<Item: Serialize>> Iterator for Known<'_, I> {
    type Item = I::Item;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next()?;
        if self.is_asked {
            let names = variant_of(&item);
            if !names.is_some_and(|(name, variant)| self.variants.knows(name, variant)) {
                self.unknown = Some(item);
                return None;
            }
        }
        Some(item)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

/// A serializer that asks for names alone.
struct Which;

/// The answer: an error, since nothing is written.
#[derive(Debug)]
struct Found(Option<(&'static str, &'static str)>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("asked for a name only")
    }
}

impl core::error::Error for Found {}

impl ser::Error for Found {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn custom<T: fmt::Display>(_: T) -> Self {
        Found(None)
    }
}

/// Methods of values that are no variants.
macro_rules! no_variants {
    ($($method:ident($($arg:ty),*) -> $ok:ty;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, $(_: $arg),*) -> Result<$ok, Found> {
            Err(Found(None))
        }
    )*};
}

/// Methods of variants, by what follows their names.
macro_rules! variants {
    ($($method:ident($($arg:ty),*) -> $ok:ty;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(
            self,
            name: &'static str,
            _: u32,
            variant: &'static str,
            $(_: $arg),*
        ) -> Result<$ok, Found> {
            Err(Found(Some((name, variant))))
        }
    )*};
}

type Nothing = ser::Impossible<(), Found>;

impl ser::Serializer for Which {
    type Ok = ();
    type Error = Found;
    type SerializeSeq = Nothing;
    type SerializeTuple = Nothing;
    type SerializeTupleStruct = Nothing;
    type SerializeTupleVariant = Nothing;
    type SerializeMap = Nothing;
    type SerializeStruct = Nothing;
    type SerializeStructVariant = Nothing;

    no_variants! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_i128(i128) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_u128(u128) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_seq(Option<usize>) -> Nothing;
        serialize_tuple(usize) -> Nothing;
        serialize_tuple_struct(&'static str, usize) -> Nothing;
        serialize_map(Option<usize>) -> Nothing;
        serialize_struct(&'static str, usize) -> Nothing;
    }

    variants! {
        serialize_unit_variant() -> ();
        serialize_tuple_variant(usize) -> Nothing;
        serialize_struct_variant(usize) -> Nothing;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + fmt::Display>(self, _: &T) -> Result<(), Found> {
        Err(Found(None))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<(), Found> {
        Err(Found(None))
    }

    /// A mark there is none around a variant, or the item is refused before it comes here.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Found> {
        value.serialize(Which)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: &T,
    ) -> Result<(), Found> {
        Err(Found(Some((name, variant))))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
