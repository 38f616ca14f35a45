//! A serializer for single scalars of one size, which returns their bytes. For other types, the
//! compiler reduces all of it to an error. Knows no format.

use core::fmt;
use core::ops::ControlFlow;

use serde_core::ser::{self, Serialize};

use crate::fast::Bail;

/// Accepts scalars of `N` bytes.
pub(crate) struct Scalar<const N: usize>;

/// Fills `spare` with scalars of `N` bytes, and returns how many it wrote. Stops at the first item
/// that is no such scalar, and returns it, or at the end of the items.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn fill<const N: usize, T, I>(
    spare: &mut [u8],
    items: &mut I,
) -> (usize, ControlFlow<Option<T>>)
where
    T: Serialize,
    I: Iterator<Item = T>,
{
    let mut filled = 0;
    for place in spare.chunks_exact_mut(N) {
        let Some(item) = items.next() else { return (filled, ControlFlow::Break(None)) };
        match item.serialize(Scalar::<N>) {
            Ok(bytes) => place.copy_from_slice(&bytes),
            Err(_) => return (filled, ControlFlow::Break(Some(item))),
        }
        filled += 1;
    }
    (filled, ControlFlow::Continue(()))
}

macro_rules! scalars {
    ($($method:ident $type:ty,)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $type) -> Result<[u8; N], Bail> {
            <[u8; N]>::try_from(value.to_le_bytes().as_slice()).map_err(|_| Bail)
        }
    )*};
}

/// The methods for values that are no scalars: bail.
macro_rules! bail {
    ($($method:ident($($type:ty),*) -> $ok:ty;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, $(_: $type),*) -> Result<$ok, Bail> {
            Err(Bail)
        }
    )*};
}

/// The methods for values without a fixed size: bail.
macro_rules! bail_unless_fixed {
    () => {
        $crate::fast::scalar::bail! {
            serialize_str(&str) -> Self::Ok;
            serialize_bytes(&[u8]) -> Self::Ok;
            serialize_none() -> Self::Ok;
            serialize_unit() -> Self::Ok;
            serialize_unit_struct(&'static str) -> Self::Ok;
            serialize_unit_variant(&'static str, u32, &'static str) -> Self::Ok;
            serialize_seq(Option<usize>) -> Self::SerializeSeq;
            serialize_map(Option<usize>) -> Self::SerializeMap;
            serialize_tuple_variant(&'static str, u32, &'static str, usize)
                -> Self::SerializeTupleVariant;
            serialize_struct_variant(&'static str, u32, &'static str, usize)
                -> Self::SerializeStructVariant;
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<Self::Ok, Bail> {
            Err(Bail)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn serialize_newtype_variant<T: ?Sized + Serialize>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<Self::Ok, Bail> {
            Err(Bail)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn collect_str<T: ?Sized + fmt::Display>(self, _: &T) -> Result<Self::Ok, Bail> {
            Err(Bail)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn is_human_readable(&self) -> bool {
            false
        }
    };
}

#[allow(unused_imports, reason = "only formats with fixed-size writers use them")]
pub(crate) use {bail, bail_unless_fixed};

impl<const N: usize> ser::Serializer for Scalar<N> {
    type Ok = [u8; N];
    type Error = Bail;
    type SerializeSeq = ser::Impossible<[u8; N], Bail>;
    type SerializeTuple = ser::Impossible<[u8; N], Bail>;
    type SerializeTupleStruct = ser::Impossible<[u8; N], Bail>;
    type SerializeTupleVariant = ser::Impossible<[u8; N], Bail>;
    type SerializeMap = ser::Impossible<[u8; N], Bail>;
    type SerializeStruct = ser::Impossible<[u8; N], Bail>;
    type SerializeStructVariant = ser::Impossible<[u8; N], Bail>;

    scalars! {
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32,
        serialize_u64 u64, serialize_u128 u128, serialize_f32 f32, serialize_f64 f64,
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<[u8; N], Bail> {
        self.serialize_u8(u8::from(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_char(self, value: char) -> Result<[u8; N], Bail> {
        self.serialize_u32(u32::from(value))
    }

    bail! {
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<[u8; N], Bail> {
        Err(Bail)
    }

    bail_unless_fixed!();
}
