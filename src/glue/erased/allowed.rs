//! What may come where something is asked for: so nothing else of a visitor is compiled.

use serde_core::de::{self as serde, Unexpected};

use super::{Entries, Found, NamedParts};
use crate::error::{Error, Kind};

/// What a request allows.
pub(super) trait Allowed {
    /// Gives it to the visitor.
    fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
        visitor: V,
        found: Found<'_, 'de, K>,
    ) -> Result<V::Value, Error<K>>;
}

/// `Name(visitor) { what is found => what the visitor gets, .. }` for each; what else is found, it does not expect.
macro_rules! allowed {
    ($($(#[$doc:meta])* $name:ident($visitor:ident) {
        $($found:pat $(if $holds:expr)? => $visit:expr,)*
    })*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Allowed for $name {
            fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
                $visitor: V,
                found: Found<'_, 'de, K>,
            ) -> Result<V::Value, Error<K>> {
                match found {
                    $($found $(if $holds)? => $visit,)*
                    found => Err(found.not_allowed(&$visitor)),
                }
            }
        }
    )*};
}

allowed! {
    /// Items.
    Sequences(visitor) {
        Found::Seq(items) => visitor.visit_seq(items),
    }

    /// Entries. Some maps take a unit for none.
    Maps(visitor) {
        Found::Map(entries) => visitor.visit_map(entries),
        Found::Unit => visitor.visit_unit(),
    }

    /// Parts that have names, or come in the order of these. What a format does not have is not compiled.
    Fields(visitor) {
        Found::Map(Entries(entries)) if K::STRUCTS_WITH_NAMES => {
            visitor.visit_map(NamedParts(entries))
        },
        Found::Seq(items) if K::STRUCTS_IN_ORDER => visitor.visit_seq(items),
    }

    /// A variant.
    Variants(visitor) {
        Found::Enum(variant) => visitor.visit_enum(variant),
    }

    /// A value in a newtype struct, and what some types of other crates ask for so, too.
    Newtypes(visitor) {
        Found::Newtype(value) => visitor.visit_newtype_struct(value),
        Found::Enum(variant) => visitor.visit_enum(variant),
        Found::Map(entries) => visitor.visit_map(entries),
        Found::Seq(items) => visitor.visit_seq(items),
    }

    /// An option.
    Options(visitor) {
        Found::None => visitor.visit_none(),
        Found::Unit => visitor.visit_unit(),
        Found::Some(value) => visitor.visit_some(value),
    }

    /// A unit.
    Units(visitor) {
        Found::Unit => visitor.visit_unit(),
    }
}

/// The name or number of a field or variant.
pub(super) struct Names;

impl Allowed for Names {
    fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
        visitor: V,
        found: Found<'_, 'de, K>,
    ) -> Result<V::Value, Error<K>> {
        match found.name() {
            Some(Name::Text(name)) => visitor.visit_str(name),
            Some(Name::Bytes(name)) => visitor.visit_bytes(name),
            Some(Name::U32(number)) => visitor.visit_u32(number),
            Some(Name::U64(number)) => visitor.visit_u64(number),
            None => Err(found.not_allowed(&visitor)),
        }
    }
}

/// What names a field or variant.
enum Name<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
    U32(u32),
    U64(u64),
}

/// Whatever the data has.
pub(super) struct Everything;

impl Allowed for Everything {
    fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
        visitor: V,
        found: Found<'_, 'de, K>,
    ) -> Result<V::Value, Error<K>> {
        match found {
            Found::Bool(value) => visitor.visit_bool(value),
            Found::I8(value) => visitor.visit_i8(value),
            Found::I16(value) => visitor.visit_i16(value),
            Found::I32(value) => visitor.visit_i32(value),
            Found::I64(value) => visitor.visit_i64(value),
            Found::I128(value) => visitor.visit_i128(value),
            Found::U8(value) => visitor.visit_u8(value),
            Found::U16(value) => visitor.visit_u16(value),
            Found::U32(value) => visitor.visit_u32(value),
            Found::U64(value) => visitor.visit_u64(value),
            Found::U128(value) => visitor.visit_u128(value),
            Found::F32(value) => visitor.visit_f32(value),
            Found::F64(value) => visitor.visit_f64(value),
            Found::Char(value) => visitor.visit_char(value),
            Found::Str(value) => visitor.visit_str(value),
            Found::BorrowedStr(value) => visitor.visit_borrowed_str(value),
            Found::String(value) => visitor.visit_string(core::mem::take(value)),
            Found::BorrowedBytes(value) => visitor.visit_borrowed_bytes(value),
            Found::ByteBuf(value) => visitor.visit_byte_buf(core::mem::take(value)),
            Found::None => visitor.visit_none(),
            Found::Unit => visitor.visit_unit(),
            Found::Some(value) => visitor.visit_some(value),
            Found::Newtype(value) => visitor.visit_newtype_struct(value),
            Found::Seq(items) => visitor.visit_seq(items),
            Found::Map(entries) => visitor.visit_map(entries),
            Found::Enum(variant) => visitor.visit_enum(variant),
        }
    }
}

impl<K: Kind> Found<'_, '_, K> {
    /// What names a field or variant. A visitor that takes text takes it in whichever way it comes, says
    /// serde; the other kinds are for fields that are kept for later, which are no names here.
    #[inline(never)]
    fn name(&self) -> Option<Name<'_>> {
        match self {
            Found::Str(value) => Some(Name::Text(value)),
            Found::BorrowedStr(value) => Some(Name::Text(value)),
            Found::String(value) => Some(Name::Text(value)),
            Found::BorrowedBytes(value) => Some(Name::Bytes(value)),
            Found::U8(value) => Some(Name::U64((*value).into())),
            Found::U16(value) => Some(Name::U64((*value).into())),
            Found::U32(value) => Some(Name::U32(*value)),
            Found::U64(value) => Some(Name::U64(*value)),
            _ => None,
        }
    }

    /// The error for what a visitor does not expect.
    #[cold]
    #[inline(never)]
    fn not_allowed(self, expected: &dyn serde::Expected) -> Error<K> {
        let found = match &self {
            Found::Bool(value) => Unexpected::Bool(*value),
            Found::I8(value) => Unexpected::Signed((*value).into()),
            Found::I16(value) => Unexpected::Signed((*value).into()),
            Found::I32(value) => Unexpected::Signed((*value).into()),
            Found::I64(value) => Unexpected::Signed(*value),
            Found::U8(value) => Unexpected::Unsigned((*value).into()),
            Found::U16(value) => Unexpected::Unsigned((*value).into()),
            Found::U32(value) => Unexpected::Unsigned((*value).into()),
            Found::U64(value) => Unexpected::Unsigned(*value),
            Found::I128(_) | Found::U128(_) => Unexpected::Other("integer of 128 bits"),
            Found::F32(value) => Unexpected::Float((*value).into()),
            Found::F64(value) => Unexpected::Float(*value),
            Found::Char(value) => Unexpected::Char(*value),
            Found::Str(value) => Unexpected::Str(value),
            Found::BorrowedStr(value) => Unexpected::Str(value),
            Found::String(value) => Unexpected::Str(value),
            Found::BorrowedBytes(value) => Unexpected::Bytes(value),
            Found::ByteBuf(value) => Unexpected::Bytes(value),
            Found::None | Found::Some(_) => Unexpected::Option,
            Found::Unit => Unexpected::Unit,
            Found::Newtype(_) => Unexpected::NewtypeStruct,
            Found::Seq(_) => Unexpected::Seq,
            Found::Map(_) => Unexpected::Map,
            Found::Enum(_) => Unexpected::Enum,
        };
        serde::Error::invalid_type(found, expected)
    }
}
