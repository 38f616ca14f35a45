//! serde's traits for reading, with the error as a parameter.
//!
//! serde lets a visitor return whatever error the caller has, so a visitor cannot be a trait object. Here the
//! error is known. A reader written with these traits is compiled once for each type of its users, as with
//! serde's.

use alloc::string::String;
use alloc::vec::Vec;

/// Hands the methods of a deserializer to a macro, by what they take besides the visitor and the name of the
/// [`Request`].
macro_rules! for_each_request {
    ($methods:ident $(, $($before:tt)*)?) => {
        $methods! {
            $($($before)*)?
            deserialize_any() Any deserialize_bool() Bool deserialize_i8() I8
            deserialize_i16() I16 deserialize_i32() I32 deserialize_i64() I64
            deserialize_i128() I128 deserialize_u8() U8 deserialize_u16() U16
            deserialize_u32() U32 deserialize_u64() U64 deserialize_u128() U128
            deserialize_f32() F32 deserialize_f64() F64 deserialize_char() Char
            deserialize_str() Str deserialize_string() String deserialize_bytes() Bytes
            deserialize_byte_buf() ByteBuf deserialize_option() Option deserialize_unit() Unit
            deserialize_seq() Seq deserialize_map() Map deserialize_identifier() Identifier
            deserialize_ignored_any() IgnoredAny
            deserialize_unit_struct(name: &'static str) UnitStruct
            deserialize_newtype_struct(name: &'static str) NewtypeStruct
            deserialize_tuple(len: usize) Tuple
            deserialize_tuple_struct(name: &'static str, len: usize) TupleStruct
            deserialize_struct(name: &'static str, fields: &'static [&'static str]) Struct
            deserialize_enum(name: &'static str, variants: &'static [&'static str]) Enum
        }
    };
}
pub(crate) use for_each_request;

/// Hands the methods of a deserializer for numbers to a macro, with what they visit and its type.
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
pub(crate) use for_each_number;

macro_rules! requests {
    ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {
        /// What a type asks for, without its visitor.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Request {
            $($request($($type),*),)*
        }
    };
}

for_each_request!(requests);

macro_rules! methods {
    ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {$(
        fn $method<V: Visitor<'de, Self::Error>>(
            self,
            $($arg: $type,)*
            visitor: V,
        ) -> Result<V::Value, Self::Error>;
    )*};
}

/// serde's `Deserializer`.
pub(crate) trait Deserializer<'de>: Sized {
    type Error;

    for_each_request!(methods);

    /// All of these are for programs, but for some of serde's own.
    fn is_human_readable(&self) -> bool {
        false
    }

    /// Reads what is asked for, by the method for that.
    fn dispatch<V: Visitor<'de, Self::Error>>(
        self,
        request: Request,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        macro_rules! dispatch {
            ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {
                match request {
                    $(Request::$request($($arg),*) => self.$method($($arg,)* visitor),)*
                }
            };
        }
        for_each_request!(dispatch)
    }

    /// Reads what is asked for.
    fn read<V: Visitor<'de, Self::Error>>(
        self,
        request: Request,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.dispatch(request, visitor)
    }
}

/// The methods of a deserializer whose one way is `read`.
macro_rules! by_read {
    ($($method:ident($($arg:ident: $type:ty),*) $request:ident)*) => {$(
        fn $method<V: $crate::glue::de::Visitor<'de, Self::Error>>(
            self,
            $($arg: $type,)*
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.read($crate::glue::de::Request::$request($($arg),*), visitor)
        }
    )*};
}
pub(crate) use by_read;

/// Hands the methods of a visitor for values without parts to a macro, by what they take and what that is.
macro_rules! for_each_visit {
    ($visits:ident) => {
        $visits! {
            visit_bool(bool) Bool visit_i8(i8) I8 visit_i16(i16) I16 visit_i32(i32) I32
            visit_i64(i64) I64 visit_i128(i128) I128 visit_u8(u8) U8 visit_u16(u16) U16
            visit_u32(u32) U32 visit_u64(u64) U64 visit_u128(u128) U128 visit_f32(f32) F32
            visit_f64(f64) F64 visit_str(&str) Str
            visit_borrowed_str(&'de str) BorrowedStr visit_string(String) String
            visit_borrowed_bytes(&'de [u8]) BorrowedBytes visit_byte_buf(Vec<u8>) ByteBuf
        }
    };
}
pub(crate) use for_each_visit;

macro_rules! visits {
    ($($method:ident($type:ty) $found:ident)*) => {$(
        fn $method(self, value: $type) -> Result<Self::Value, E>;
    )*};
}

/// serde's `Visitor`.
pub(crate) trait Visitor<'de, E>: Sized {
    type Value;

    for_each_visit!(visits);

    fn visit_none(self) -> Result<Self::Value, E>;
    fn visit_unit(self) -> Result<Self::Value, E>;
    fn visit_some<D: Deserializer<'de, Error = E>>(self, value: D) -> Result<Self::Value, E>;
    fn visit_seq<A: SeqAccess<'de, Error = E>>(self, items: A) -> Result<Self::Value, E>;
    fn visit_map<A: MapAccess<'de, Error = E>>(self, entries: A) -> Result<Self::Value, E>;
    fn visit_enum<A: EnumAccess<'de, Error = E>>(self, variant: A) -> Result<Self::Value, E>;
}

/// serde's `DeserializeSeed`.
pub(crate) trait DeserializeSeed<'de, E>: Sized {
    type Value;

    fn deserialize<D: Deserializer<'de, Error = E>>(self, value: D) -> Result<Self::Value, E>;
}

/// serde's `SeqAccess`.
pub(crate) trait SeqAccess<'de> {
    type Error;

    fn next_element_seed<T: DeserializeSeed<'de, Self::Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Self::Error>;

    fn size_hint(&self) -> Option<usize> {
        None
    }
}

/// serde's `MapAccess`.
pub(crate) trait MapAccess<'de> {
    type Error;

    fn next_key_seed<K: DeserializeSeed<'de, Self::Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error>;

    fn next_value_seed<V: DeserializeSeed<'de, Self::Error>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error>;

    fn size_hint(&self) -> Option<usize> {
        None
    }
}

/// serde's `EnumAccess`.
pub(crate) trait EnumAccess<'de>: Sized {
    type Error;
    type Variant: VariantAccess<'de, Error = Self::Error>;

    fn variant_seed<T: DeserializeSeed<'de, Self::Error>>(
        self,
        seed: T,
    ) -> Result<(T::Value, Self::Variant), Self::Error>;
}

/// serde's `VariantAccess`.
pub(crate) trait VariantAccess<'de>: Sized {
    type Error;

    fn unit_variant(self) -> Result<(), Self::Error>;

    fn newtype_variant_seed<T: DeserializeSeed<'de, Self::Error>>(
        self,
        seed: T,
    ) -> Result<T::Value, Self::Error>;

    fn tuple_variant<V: Visitor<'de, Self::Error>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Self::Error>;

    fn struct_variant<V: Visitor<'de, Self::Error>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error>;
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for &mut A {
    type Error = A::Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de, A::Error>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        A::next_element_seed(self, seed)
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        A::size_hint(self)
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for &mut A {
    type Error = A::Error;

    #[inline(always)]
    fn next_key_seed<K: DeserializeSeed<'de, A::Error>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        A::next_key_seed(self, seed)
    }

    #[inline(always)]
    fn next_value_seed<V: DeserializeSeed<'de, A::Error>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, A::Error> {
        A::next_value_seed(self, seed)
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        A::size_hint(self)
    }
}
