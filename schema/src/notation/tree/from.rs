//! Trees from Rust values, for code that builds one.

use super::{Scalars, Tree, Value};

impl<'de> From<Value<'de>> for Tree<'de> {
    fn from(value: Value<'de>) -> Self {
        Tree { value, range: None }
    }
}

impl<'de> From<Scalars<'de>> for Tree<'de> {
    fn from(array: Scalars<'de>) -> Self {
        Value::Scalars(array).into()
    }
}

macro_rules! from_scalars {
    ($($variant:ident $($type:ty)*;)*) => {$($(
        impl From<$type> for Tree<'_> {
            fn from(value: $type) -> Self {
                Value::$variant(value.into()).into()
            }
        }
    )*)*};
}

from_scalars! {
    Int u8 u16 u32 i8 i16 i32 i64;
    Float32 f32;
    Float64 f64;
}

/// An array of `char8`.
impl<'de> From<&'de str> for Tree<'de> {
    fn from(text: &'de str) -> Self {
        Scalars::text(text.as_bytes().into()).into()
    }
}

/// An array of `char8`.
impl From<String> for Tree<'_> {
    fn from(text: String) -> Self {
        Scalars::text(text.into_bytes().into()).into()
    }
}

/// An array of `byte`.
impl<'de> From<&'de [u8]> for Tree<'de> {
    fn from(bytes: &'de [u8]) -> Self {
        Scalars::from(bytes).into()
    }
}

/// An array of `byte`.
impl<'de, const N: usize> From<&'de [u8; N]> for Tree<'de> {
    fn from(bytes: &'de [u8; N]) -> Self {
        Scalars::from(bytes.as_slice()).into()
    }
}

macro_rules! from_arrays {
    ($($type:ty)*) => {$(
        impl From<&[$type]> for Tree<'_> {
            fn from(items: &[$type]) -> Self {
                Scalars::from(items).into()
            }
        }

        impl<const N: usize> From<[$type; N]> for Tree<'_> {
            fn from(items: [$type; N]) -> Self {
                Scalars::from(items.as_slice()).into()
            }
        }
    )*};
}

from_arrays! { i8 i16 i32 i64 f32 f64 }

impl From<Vec<u8>> for Tree<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Scalars::from(bytes).into()
    }
}
