//! Arrays of the built-in types: their bytes and their values.

use std::borrow::Cow;

use super::Value;
use crate::notation::Builtin;

/// An array of a built-in type: its bytes as in the input.
///
/// ```
/// use fourfold_schema::notation::Scalars;
///
/// let array = Scalars::from(&[1i16, -2][..]);
/// assert_eq!(array.bytes(), [1, 0, 0xfe, 0xff]);
/// assert!(array.ints().eq([1, -2]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalars<'de> {
    builtin: Builtin,
    bytes: Cow<'de, [u8]>,
}

impl<'de> Scalars<'de> {
    /// An array of these bytes, if they are a whole number of items.
    #[must_use]
    pub fn new(builtin: Builtin, bytes: impl Into<Cow<'de, [u8]>>) -> Option<Self> {
        let bytes = bytes.into();
        (bytes.len() % builtin.size() == 0).then_some(Scalars { builtin, bytes })
    }

    /// Bytes that are known to be a whole number of items.
    pub(in crate::notation) fn of(builtin: Builtin, bytes: Cow<'de, [u8]>) -> Self {
        Scalars { builtin, bytes }
    }

    pub(super) fn text(bytes: Cow<'de, [u8]>) -> Self {
        Scalars::of(Builtin::Char8, bytes)
    }

    /// The type of its items.
    #[must_use]
    pub fn builtin(&self) -> Builtin {
        self.builtin
    }

    /// The bytes of all items.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.builtin.size()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The item at a position.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Value<'static>> {
        let size = self.builtin.size();
        let start = index.checked_mul(size)?;
        let bytes = self.bytes.get(start..start.checked_add(size)?)?;
        Some(self.builtin.read(bytes))
    }

    /// All items.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value<'static>> + '_ {
        let builtin = self.builtin;
        self.bytes.chunks_exact(builtin.size()).map(move |bytes| builtin.read(bytes))
    }

    /// All items that are integers: all, or none if they are floats.
    pub fn ints(&self) -> impl Iterator<Item = i64> + '_ {
        self.iter().filter_map(|item| match item {
            Value::Int(int) => Some(int),
            _ => None,
        })
    }

    /// All items that are floats: all, or none if they are integers.
    pub fn floats(&self) -> impl Iterator<Item = f64> + '_ {
        self.iter().filter_map(|item| item.as_f64())
    }

    /// The text, if it is one of `char8` in UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self.builtin {
            Builtin::Char8 => std::str::from_utf8(&self.bytes).ok(),
            _ => None,
        }
    }

    /// Whether its items are bytes: of `byte` or `char8`.
    pub(super) fn is_bytes(&self) -> bool {
        matches!(self.builtin, Builtin::Byte | Builtin::Char8)
    }

    pub(super) fn into_owned(self) -> Scalars<'static> {
        Scalars { builtin: self.builtin, bytes: Cow::Owned(self.bytes.into_owned()) }
    }
}

/// An array of `byte`.
impl<'de> From<&'de [u8]> for Scalars<'de> {
    fn from(bytes: &'de [u8]) -> Self {
        Scalars::of(Builtin::Byte, bytes.into())
    }
}

/// An array of `byte`.
impl From<Vec<u8>> for Scalars<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Scalars::of(Builtin::Byte, bytes.into())
    }
}

macro_rules! from_items {
    ($($builtin:ident $type:ty;)*) => {$(
        impl From<&[$type]> for Scalars<'_> {
            fn from(items: &[$type]) -> Self {
                let bytes: Vec<u8> = items.iter().flat_map(|item| item.to_le_bytes()).collect();
                Scalars::of(Builtin::$builtin, bytes.into())
            }
        }
    )*};
}

from_items! {
    Int8 i8;
    Int16 i16;
    Int32 i32;
    Int64 i64;
    Float32 f32;
    Float64 f64;
}
