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

/// `Name { Kind => method, .. }` for each.
macro_rules! allowed {
    ($($(#[$doc:meta])* $name:ident { $($found:ident => $method:ident,)* })*) => {$(
        $(#[$doc])*
        pub(super) struct $name;

        impl Allowed for $name {
            fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
                visitor: V,
                found: Found<'_, 'de, K>,
            ) -> Result<V::Value, Error<K>> {
                match found {
                    $(Found::$found(value) => visitor.$method(value),)*
                    found => Err(found.not_allowed(&visitor)),
                }
            }
        }
    )*};
}

allowed! {
    Sequences { Seq => visit_seq, }
    Variants { Enum => visit_enum, }
    /// What some types of other crates ask for so, too.
    Newtypes { Newtype => visit_newtype_struct, Enum => visit_enum, Map => visit_map, Seq => visit_seq, }
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
            Found::String(value) => visitor.visit_string(value),
            Found::BorrowedBytes(value) => visitor.visit_borrowed_bytes(value),
            Found::ByteBuf(value) => visitor.visit_byte_buf(value),
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

/// The name or number of a field or variant. A visitor that takes text takes it in whichever way it comes,
/// says serde; the other kinds are for fields that are kept for later, which are no [`Name`]s.
pub(super) struct Names;

impl Allowed for Names {
    fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
        visitor: V,
        found: Found<'_, 'de, K>,
    ) -> Result<V::Value, Error<K>> {
        match found {
            Found::Str(value) | Found::BorrowedStr(value) => visitor.visit_str(value),
            Found::String(value) => visitor.visit_str(&value),
            Found::BorrowedBytes(value) => visitor.visit_bytes(value),
            Found::U8(value) => visitor.visit_u64(value.into()),
            Found::U16(value) => visitor.visit_u64(value.into()),
            Found::U32(value) => visitor.visit_u32(value),
            Found::U64(value) => visitor.visit_u64(value),
            found => Err(found.not_allowed(&visitor)),
        }
    }
}

/// Parts that have names, or come in the order of these.
pub(super) struct Fields;

impl Allowed for Fields {
    fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
        visitor: V,
        found: Found<'_, 'de, K>,
    ) -> Result<V::Value, Error<K>> {
        match found {
            Found::Map(Entries(entries)) if K::STRUCTS_WITH_NAMES => {
                visitor.visit_map(NamedParts(entries))
            }
            Found::Seq(items) if K::STRUCTS_IN_ORDER => visitor.visit_seq(items),
            found => Err(found.not_allowed(&visitor)),
        }
    }
}

/// Entries. Some maps take a unit for none.
pub(super) struct Maps;

impl Allowed for Maps {
    fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
        visitor: V,
        found: Found<'_, 'de, K>,
    ) -> Result<V::Value, Error<K>> {
        match found {
            Found::Map(entries) => visitor.visit_map(entries),
            Found::Unit => visitor.visit_unit(),
            found => Err(found.not_allowed(&visitor)),
        }
    }
}

/// An option.
pub(super) struct Options;

impl Allowed for Options {
    fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
        visitor: V,
        found: Found<'_, 'de, K>,
    ) -> Result<V::Value, Error<K>> {
        match found {
            Found::None => visitor.visit_none(),
            Found::Unit => visitor.visit_unit(),
            Found::Some(value) => visitor.visit_some(value),
            found => Err(found.not_allowed(&visitor)),
        }
    }
}

/// A unit.
pub(super) struct Units;

impl Allowed for Units {
    fn visit<'de, K: Kind, V: serde::Visitor<'de>>(
        visitor: V,
        found: Found<'_, 'de, K>,
    ) -> Result<V::Value, Error<K>> {
        match found {
            Found::Unit => visitor.visit_unit(),
            found => Err(found.not_allowed(&visitor)),
        }
    }
}

impl<K: Kind> Found<'_, '_, K> {
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
