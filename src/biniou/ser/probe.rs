//! Asks a value what kind it is, by its names, without writing it. Knows names, does not know bytes.
//! Adjacently tagged enums are found by this.

use core::fmt;

use serde_core::ser::{self, Serialize};

/// What a value says of itself.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// The name of a variant, and whether nothing is in that.
    Variant {
        variant: &'static str,
        is_unit: bool,
    },
    /// The name of a struct, and how many fields it has.
    Struct {
        name: &'static str,
        fields: usize,
    },
    Other,
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn kind_of<T: ?Sized + Serialize>(value: &T) -> Kind {
    match value.serialize(KindProbe) {
        Err(Found(kind)) => kind,
        Ok(()) => Kind::Other,
    }
}

/// An adjacently tagged enum is a record of so many fields: the tag and the content.
pub(super) const ADJACENT_FIELDS: usize = 2;

/// The variant of an adjacently tagged enum if the field is its tag. serde has a type for such tags, of
/// two names and a number, so fields of other sizes are not asked.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn tag_of<T: ?Sized + Serialize>(value: &T) -> Option<&'static str> {
    if core::mem::needs_drop::<T>() || size_of_val(value) != size_of::<(&str, u32, &str)>() {
        return None;
    }
    match kind_of(value) {
        Kind::Variant { variant, is_unit: true, .. } => Some(variant),
        _ => None,
    }
}

/// Whether a value is the content of a variant of that name with named fields. serde reads such content
/// by asking the data what it is, but the data do not have the names.
///
/// serde hands over references to all fields. If there is one reference, it may also be a struct with the
/// name of the variant, which can be read. So a single field is not refused.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn has_fields_of<T: ?Sized + Serialize>(value: &T, variant: &str) -> bool {
    !core::mem::needs_drop::<T>()
        && size_of_val(value) > size_of::<usize>()
        && matches!(kind_of(value), Kind::Struct { name, fields: 1.. } if name == variant)
}

/// A serializer that only asks for names.
struct KindProbe;

/// The answer: an error, since nothing is written.
#[derive(Debug)]
struct Found(Kind);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("asked for a name only")
    }
}

impl core::error::Error for Found {}

impl ser::Error for Found {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn custom<T: fmt::Display>(_: T) -> Self {
        Found(Kind::Other)
    }
}

/// Methods of values that are no variants.
macro_rules! no_variants {
    ($($method:ident($($arg:ty),*) -> $ok:ty;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, $(_: $arg),*) -> Result<$ok, Found> {
            Err(Found(Kind::Other))
        }
    )*};
}

/// Methods of variants, by what follows their names.
macro_rules! variants {
    ($($method:ident($($arg:ty),*) -> $ok:ty, $is_unit:literal;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(
            self,
            _: &'static str,
            _: u32,
            variant: &'static str,
            $(_: $arg),*
        ) -> Result<$ok, Found> {
            Err(Found(Kind::Variant { variant, is_unit: $is_unit }))
        }
    )*};
}

type Nothing = ser::Impossible<(), Found>;

impl ser::Serializer for KindProbe {
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
    }

    variants! {
        serialize_unit_variant() -> (), true;
        serialize_tuple_variant(usize) -> Nothing, false;
        serialize_struct_variant(usize) -> Nothing, false;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, fields: usize) -> Result<Nothing, Found> {
        Err(Found(Kind::Struct { name, fields }))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_str<T: ?Sized + fmt::Display>(self, _: &T) -> Result<(), Found> {
        Err(Found(Kind::Other))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<(), Found> {
        Err(Found(Kind::Other))
    }

    /// No variant has a mark: the writer refuses it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Found> {
        value.serialize(KindProbe)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: &T,
    ) -> Result<(), Found> {
        Err(Found(Kind::Variant { variant, is_unit: false }))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
