//! What serde makes every format repeat: lists of its methods, and marks, which are a module for
//! `with` and a wrapper that both put the value into a newtype struct with a reserved name.

use core::fmt;
use core::marker::PhantomData;

use serde_core::de::{self, Deserialize, Deserializer, Visitor};

/// Passes a newtype struct's inner value out.
pub(crate) struct Inner<T>(PhantomData<T>);

impl<T> Inner<T> {
    pub(crate) const fn new() -> Self {
        Inner(PhantomData)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Inner<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a marked value")
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }

    /// Some formats read a newtype struct as a sequence of one.
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut items: A) -> Result<T, A::Error> {
        match items.next_element()? {
            Some(value) => Ok(value),
            None => Err(de::Error::invalid_length(0, &self)),
        }
    }
}

/// `docs; module Wrapper RESERVED_NAME;` for each mark.
macro_rules! marks {
    ($($(#[$doc:meta])* $module:ident $wrapper:ident $name:ident;)*) => {$(
        $(#[$doc])*
        pub mod $module {
            use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

            /// Writes `value` under the mark.
            ///
            /// # Errors
            ///
            /// Those of the serializer.
            #[inline]
            pub fn serialize<T, S>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
            where
                T: ?Sized + Serialize,
                S: Serializer,
            {
                serializer.serialize_newtype_struct(super::$name, value)
            }

            /// Reads a value under the mark.
            ///
            /// # Errors
            ///
            /// Those of the deserializer.
            #[inline]
            pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
            where
                T: Deserialize<'de>,
                D: Deserializer<'de>,
            {
                let inner = crate::glue::macros::Inner::new();
                deserializer.deserialize_newtype_struct(super::$name, inner)
            }
        }

        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $wrapper<T>(pub T);

        impl<T: serde_core::Serialize> serde_core::Serialize for $wrapper<T> {
            #[inline]
            fn serialize<S: serde_core::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $module::serialize(&self.0, serializer)
            }
        }

        impl<'de, T: serde_core::Deserialize<'de>> serde_core::Deserialize<'de> for $wrapper<T> {
            #[inline]
            fn deserialize<D: serde_core::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $module::deserialize(deserializer).map($wrapper)
            }
        }
    )*};
}

/// Passes serde's deserializer methods to a macro, grouped by their arguments besides the visitor.
macro_rules! for_each_deserialize_method {
    ($methods:ident) => {
        $methods! {
            deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32()
            deserialize_i64() deserialize_i128() deserialize_u8() deserialize_u16() deserialize_u32()
            deserialize_u64() deserialize_u128() deserialize_f32() deserialize_f64() deserialize_char()
            deserialize_str() deserialize_string() deserialize_bytes() deserialize_byte_buf()
            deserialize_option() deserialize_unit() deserialize_seq() deserialize_map()
            deserialize_identifier() deserialize_ignored_any()
            deserialize_unit_struct(name: &'static str)
            deserialize_newtype_struct(name: &'static str)
            deserialize_tuple(len: usize)
            deserialize_tuple_struct(name: &'static str, len: usize)
            deserialize_struct(name: &'static str, fields: &'static [&'static str])
            deserialize_enum(name: &'static str, variants: &'static [&'static str])
        }
    };
}

/// Passes the methods of a deserializer for numbers to a macro, with what they visit and its type.
macro_rules! for_each_number {
    ($methods:ident) => {
        $methods! {
            deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16,
            deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64,
            deserialize_i128 visit_i128 i128, deserialize_u8 visit_u8 u8,
            deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
            deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128,
            deserialize_f32 visit_f32 f32, deserialize_f64 visit_f64 f64,
        }
    };
}

/// Passes serde's serializer methods to a macro, grouped by their arguments: a plain value, one
/// around another value, or a compound value (with the name of its type).
macro_rules! for_each_serialize_method {
    ($($methods:tt)*) => {
        $($methods)*! {
            of serialize_bool(v: bool)
            of serialize_i8(v: i8)
            of serialize_i16(v: i16)
            of serialize_i32(v: i32)
            of serialize_i64(v: i64)
            of serialize_i128(v: i128)
            of serialize_u8(v: u8)
            of serialize_u16(v: u16)
            of serialize_u32(v: u32)
            of serialize_u64(v: u64)
            of serialize_u128(v: u128)
            of serialize_f32(v: f32)
            of serialize_f64(v: f64)
            of serialize_char(v: char)
            of serialize_str(v: &str)
            of serialize_bytes(v: &[u8])
            of serialize_none()
            of serialize_unit()
            of serialize_unit_struct(name: &'static str)
            of serialize_unit_variant(name: &'static str, index: u32, variant: &'static str)
            around serialize_some()
            around serialize_newtype_struct(name: &'static str)
            around serialize_newtype_variant(name: &'static str, index: u32, variant: &'static str)
            with serialize_seq(len: Option<usize>) SerializeSeq
            with serialize_tuple(len: usize) SerializeTuple
            with serialize_tuple_struct(name: &'static str, len: usize) SerializeTupleStruct
            with serialize_tuple_variant(
                name: &'static str, index: u32, variant: &'static str, len: usize
            ) SerializeTupleVariant
            with serialize_map(len: Option<usize>) SerializeMap
            with serialize_struct(name: &'static str, len: usize) SerializeStruct
            with serialize_struct_variant(
                name: &'static str, index: u32, variant: &'static str, len: usize
            ) SerializeStructVariant
        }
    };
}

/// Access to the shared error of an `ErrorKind`, which every format nests alike.
macro_rules! common_methods {
    () => {
        fn common(&self) -> Option<&CommonKind> {
            match self {
                ErrorKind::Common(error) => Some(error),
                _ => None,
            }
        }

        fn into_common(self) -> Option<CommonKind> {
            match self {
                ErrorKind::Common(error) => Some(error),
                _ => None,
            }
        }
    };
}

#[allow(unused_imports, reason = "not all formats read each number in its own size")]
pub(crate) use for_each_number;
pub(crate) use {common_methods, for_each_deserialize_method, for_each_serialize_method, marks};
