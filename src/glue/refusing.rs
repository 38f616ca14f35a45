//! Serializers that refuse nearly everything, so that hardly any code is compiled for the types that meet them.

/// The methods of a serializer that returns the error of `$refuse`. The methods after `but` are left to the
/// caller: `but newtype_struct`, `but tuple` or `but bytes`. `$ok` is the result type of compound values, which
/// never occur.
macro_rules! refusing {
    (but newtype_struct, $refuse:path, $error:ty) => {
        type SerializeTuple = $crate::glue::refusing::Never<$error>;
        $crate::glue::refusing::refusing! { @ $refuse, $error;
            serialize_bytes(&[u8]) -> ();
            serialize_tuple(usize) -> Self::SerializeTuple;
        }
        $crate::glue::refusing::refusing! { newtype_variant $refuse, $error }
        $crate::glue::refusing::refusing! { all $refuse, $error }
    };
    (but tuple, $refuse:path, $error:ty) => {
        $crate::glue::refusing::refusing! { @ $refuse, $error; serialize_bytes(&[u8]) -> (); }
        $crate::glue::refusing::refusing! { newtype_struct $refuse, $error }
        $crate::glue::refusing::refusing! { newtype_variant $refuse, $error }
        $crate::glue::refusing::refusing! { all $refuse, $error }
    };
    (but bytes, $refuse:path, $error:ty) => {
        type SerializeTuple = $crate::glue::refusing::Never<$error>;
        $crate::glue::refusing::refusing! { @ $refuse, $error;
            serialize_tuple(usize) -> Self::SerializeTuple;
        }
        $crate::glue::refusing::refusing! { newtype_struct $refuse, $error }
        $crate::glue::refusing::refusing! { newtype_variant $refuse, $error }
        $crate::glue::refusing::refusing! { all $refuse, $error }
    };
    (but bytes newtype_variant, $refuse:path, $error:ty) => {
        type SerializeTuple = $crate::glue::refusing::Never<$error>;
        $crate::glue::refusing::refusing! { @ $refuse, $error;
            serialize_tuple(usize) -> Self::SerializeTuple;
        }
        $crate::glue::refusing::refusing! { newtype_struct $refuse, $error }
        $crate::glue::refusing::refusing! { all $refuse, $error }
    };
    (newtype_variant $refuse:path, $error:ty) => {
        fn serialize_newtype_variant<T: ?Sized + serde_core::Serialize>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<(), $error> {
            Err($refuse())
        }
    };
    (newtype_struct $refuse:path, $error:ty) => {
        fn serialize_newtype_struct<T: ?Sized + serde_core::Serialize>(
            self,
            _: &'static str,
            _: &T,
        ) -> Result<(), $error> {
            Err($refuse())
        }
    };
    (all $refuse:path, $error:ty) => {
        type Ok = ();
        type Error = $error;
        type SerializeSeq = $crate::glue::refusing::Never<$error>;
        type SerializeTupleStruct = $crate::glue::refusing::Never<$error>;
        type SerializeTupleVariant = $crate::glue::refusing::Never<$error>;
        type SerializeMap = $crate::glue::refusing::Never<$error>;
        type SerializeStruct = $crate::glue::refusing::Never<$error>;
        type SerializeStructVariant = $crate::glue::refusing::Never<$error>;

        $crate::glue::refusing::refusing! { @ $refuse, $error;
            serialize_bool(bool) -> (); serialize_char(char) -> ();
            serialize_i8(i8) -> (); serialize_i16(i16) -> (); serialize_i32(i32) -> ();
            serialize_i64(i64) -> (); serialize_i128(i128) -> (); serialize_u8(u8) -> ();
            serialize_u16(u16) -> (); serialize_u32(u32) -> (); serialize_u64(u64) -> ();
            serialize_u128(u128) -> (); serialize_f32(f32) -> (); serialize_f64(f64) -> ();
            serialize_str(&str) -> (); serialize_none() -> ();
            serialize_unit() -> (); serialize_unit_struct(&'static str) -> ();
            serialize_unit_variant(&'static str, u32, &'static str) -> ();
            serialize_seq(Option<usize>) -> Self::SerializeSeq;
            serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
            serialize_map(Option<usize>) -> Self::SerializeMap;
            serialize_struct(&'static str, usize) -> Self::SerializeStruct;
            serialize_struct_variant(&'static str, u32, &'static str, usize)
                -> Self::SerializeStructVariant;
            serialize_tuple_variant(&'static str, u32, &'static str, usize)
                -> Self::SerializeTupleVariant;
        }

        fn serialize_some<T: ?Sized + serde_core::Serialize>(self, _: &T) -> Result<(), $error> {
            Err($refuse())
        }

        fn collect_str<T: ?Sized + core::fmt::Display>(self, _: &T) -> Result<(), $error> {
            Err($refuse())
        }

        fn is_human_readable(&self) -> bool {
            false
        }
    };
    (@ $refuse:path, $error:ty; $($method:ident($($type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $(_: $type),*) -> Result<$ok, $error> {
            Err($refuse())
        }
    )*};
}
pub(crate) use refusing;

/// A compound value, which never occurs.
pub(crate) type Never<E> = serde_core::ser::Impossible<(), E>;
