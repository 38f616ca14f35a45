//! The built-in types: their names, sizes and bytes.

use std::fmt;
use std::ops::RangeInclusive;

use super::{ErrorKind, Value};

/// A type that is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Builtin {
    /// A signed integer of one byte.
    Int8,
    /// A signed integer of two bytes.
    Int16,
    /// A signed integer of four bytes; `int` is the same.
    Int32,
    /// A signed integer of eight bytes.
    Int64,
    /// A character, or a part of one, of one byte; `char` is the same.
    Char8,
    /// A character, or a part of one, of two bytes.
    Char16,
    /// A character of four bytes.
    Char32,
    /// IEEE 754 binary32; `float` is the same.
    Float32,
    /// IEEE 754 binary64.
    Float64,
    /// A byte, from 0 to 255.
    Byte,
}

impl Builtin {
    const ALL: [Builtin; 10] = [
        Builtin::Int8,
        Builtin::Int16,
        Builtin::Int32,
        Builtin::Int64,
        Builtin::Char8,
        Builtin::Char16,
        Builtin::Char32,
        Builtin::Float32,
        Builtin::Float64,
        Builtin::Byte,
    ];

    /// The type of a name.
    pub(super) fn of(name: &str) -> Option<Builtin> {
        let name = match name {
            "int" => "int32",
            "char" => "char8",
            "float" => "float32",
            name => name,
        };
        Builtin::ALL.into_iter().find(|builtin| builtin.name() == name)
    }

    /// Its name, always with the number of bits.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.array_name().trim_start_matches("array of ")
    }

    /// What errors call an array of it.
    pub(super) fn array_name(self) -> &'static str {
        match self {
            Builtin::Int8 => "array of int8",
            Builtin::Int16 => "array of int16",
            Builtin::Int32 => "array of int32",
            Builtin::Int64 => "array of int64",
            Builtin::Char8 => "array of char8",
            Builtin::Char16 => "array of char16",
            Builtin::Char32 => "array of char32",
            Builtin::Float32 => "array of float32",
            Builtin::Float64 => "array of float64",
            Builtin::Byte => "array of byte",
        }
    }

    /// How many bytes a value takes.
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            Builtin::Int8 | Builtin::Char8 | Builtin::Byte => 1,
            Builtin::Int16 | Builtin::Char16 => 2,
            Builtin::Int32 | Builtin::Char32 | Builtin::Float32 => 4,
            Builtin::Int64 | Builtin::Float64 => 8,
        }
    }

    /// Whether values are integers: all but floats are.
    pub(super) fn is_integer(self) -> bool {
        self.integers().is_some()
    }

    /// Which integers it has, if any.
    fn integers(self) -> Option<RangeInclusive<i64>> {
        Some(match self {
            Builtin::Int8 => i8::MIN.into()..=i8::MAX.into(),
            Builtin::Int16 => i16::MIN.into()..=i16::MAX.into(),
            Builtin::Int32 => i32::MIN.into()..=i32::MAX.into(),
            Builtin::Int64 => i64::MIN..=i64::MAX,
            Builtin::Char8 | Builtin::Byte => 0..=u8::MAX.into(),
            Builtin::Char16 => 0..=u16::MAX.into(),
            Builtin::Char32 => 0..=u32::MAX.into(),
            Builtin::Float32 | Builtin::Float64 => return None,
        })
    }

    /// The value of `size` bytes; what is missing counts as 0.
    pub(super) fn read(self, bytes: &[u8]) -> Value<'static> {
        let mut all = [0; 8];
        for (byte, given) in all.iter_mut().zip(bytes) {
            *byte = *given;
        }
        let [a, b, c, d, ..] = all;
        match self {
            Builtin::Int8 => Value::Int(i8::from_le_bytes([a]).into()),
            Builtin::Int16 => Value::Int(i16::from_le_bytes([a, b]).into()),
            Builtin::Int32 => Value::Int(i32::from_le_bytes([a, b, c, d]).into()),
            // What is narrower has no sign, and zeros after it.
            Builtin::Int64 | Builtin::Char8 | Builtin::Byte | Builtin::Char16 | Builtin::Char32 => {
                Value::Int(i64::from_le_bytes(all))
            }
            Builtin::Float32 => Value::Float32(f32::from_le_bytes([a, b, c, d])),
            Builtin::Float64 => Value::Float64(f64::from_le_bytes(all)),
        }
    }

    /// Appends the bytes of a value, if it is one of this type.
    pub(super) fn put(self, value: &Value<'_>, bytes: &mut Vec<u8>) -> Result<(), ErrorKind> {
        match (self, value, self.integers()) {
            (Builtin::Float32, Value::Float32(float), _) => bytes.extend(float.to_le_bytes()),
            (Builtin::Float64, Value::Float64(float), _) => bytes.extend(float.to_le_bytes()),
            (_, Value::Int(int), Some(integers)) => {
                if !integers.contains(int) {
                    return Err(ErrorKind::Range { found: *int, builtin: self });
                }
                bytes.extend(int.to_le_bytes().iter().take(self.size()));
            }
            _ => {
                return Err(ErrorKind::Mismatch { expected: self.name(), found: value.found() });
            }
        }
        Ok(())
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
