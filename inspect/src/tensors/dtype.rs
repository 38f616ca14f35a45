//! Types of elements: their names and sizes, and how a container without the type stores it.

use std::fmt;

use fourfold::tsm;

use super::Small;

/// The type of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DType {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    Bf16,
    F32,
    F64,
    C64,
    C128,
    /// Floats of at most 8 bits.
    Small(Small),
    /// Types that only TenniS has: text, pointers, fixed-point numbers.
    Tsm(tsm::DType),
}

/// How a container stores elements of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    pub dtype: DType,
    /// The size of an additional last axis, if an element is stored as several.
    pub lanes: Option<usize>,
}

impl DType {
    pub const fn of_tsm(dtype: tsm::DType) -> Self {
        use tsm::DType as T;
        match dtype {
            T::Boolean => DType::Bool,
            T::Int8 => DType::I8,
            T::UInt8 => DType::U8,
            T::Int16 => DType::I16,
            T::UInt16 => DType::U16,
            T::Int32 => DType::I32,
            T::UInt32 => DType::U32,
            T::Int64 => DType::I64,
            T::UInt64 => DType::U64,
            T::Float16 => DType::F16,
            T::Float32 => DType::F32,
            T::Float64 => DType::F64,
            T::Complex64 => DType::C64,
            T::Complex128 => DType::C128,
            other => DType::Tsm(other),
        }
    }

    /// The corresponding type of TenniS.
    pub const fn to_tsm(self) -> Option<tsm::DType> {
        use tsm::DType as T;
        Some(match self {
            DType::Bool => T::Boolean,
            DType::I8 => T::Int8,
            DType::U8 => T::UInt8,
            DType::I16 => T::Int16,
            DType::U16 => T::UInt16,
            DType::I32 => T::Int32,
            DType::U32 => T::UInt32,
            DType::I64 => T::Int64,
            DType::U64 => T::UInt64,
            DType::F16 => T::Float16,
            DType::F32 => T::Float32,
            DType::F64 => T::Float64,
            DType::C64 => T::Complex64,
            DType::C128 => T::Complex128,
            DType::Tsm(dtype) => dtype,
            DType::Bf16 | DType::Small(_) => return None,
        })
    }

    /// The name in NumPy and ONNX, independent of the container: `float32`. For types that only TenniS has, the
    /// lower-case name in TenniS.
    pub const fn name(self) -> &'static str {
        use tsm::DType as T;
        match self {
            DType::Bf16 => "bfloat16",
            DType::Small(small) => small.name(),
            DType::Bool => T::Boolean.name(),
            DType::I8 => T::Int8.name(),
            DType::U8 => T::UInt8.name(),
            DType::I16 => T::Int16.name(),
            DType::U16 => T::UInt16.name(),
            DType::I32 => T::Int32.name(),
            DType::U32 => T::UInt32.name(),
            DType::I64 => T::Int64.name(),
            DType::U64 => T::UInt64.name(),
            DType::F16 => T::Float16.name(),
            DType::F32 => T::Float32.name(),
            DType::F64 => T::Float64.name(),
            DType::C64 => T::Complex64.name(),
            DType::C128 => T::Complex128.name(),
            DType::Tsm(dtype) => dtype.name(),
        }
    }

    /// The size of an element in bits. Elements of less than a byte are packed.
    pub const fn bits(self) -> usize {
        match self {
            DType::Small(small) => small.bits(),
            DType::Bool | DType::I8 | DType::U8 => 8,
            DType::I16 | DType::U16 | DType::F16 | DType::Bf16 => 16,
            DType::I32 | DType::U32 | DType::F32 => 32,
            DType::I64 | DType::U64 | DType::F64 | DType::C64 => 64,
            DType::C128 => 128,
            DType::Tsm(dtype) => dtype.size() * 8,
        }
    }

    /// A value, and the number of its bits, for a type whose bits as a number are another value.
    const fn as_bits(self) -> Option<(&'static str, u32)> {
        use tsm::DType as T;
        Some(match self {
            DType::Bf16 => ("1.0", 0x3f80),
            DType::Small(small) => ("1.0", small.one()),
            DType::Tsm(T::Sink8Q1) => ("0.5", 1),
            DType::Tsm(T::Sink8Q2) => ("0.5", 1 << 1),
            DType::Tsm(T::Sink8Q3) => ("0.5", 1 << 2),
            DType::Tsm(T::Sink8Q4) => ("0.5", 1 << 3),
            DType::Tsm(T::Sink8Q5) => ("0.5", 1 << 4),
            DType::Tsm(T::Sink8Q6) => ("0.5", 1 << 5),
            DType::Tsm(T::Sink8Q7) => ("0.5", 1 << 6),
            _ => return None,
        })
    }

    /// What is lost if elements are stored as those of type `stored`: `1.0 would become 16256`. `None` if numbers
    /// keep their values.
    pub(super) fn loss(self, stored: DType) -> Option<String> {
        let (value, bits) = self.as_bits().filter(|_| self != stored)?;
        Some(format!("{value} would become {bits}"))
    }

    /// How a container that stores numbers stores such elements: unchanged, or as numbers of the same bits.
    pub(super) fn as_number(self) -> Stored {
        match self {
            DType::Tsm(dtype) => as_numbers(dtype),
            _ => self.as_it_is(),
        }
    }

    /// How a container that has this type stores such elements.
    pub(super) const fn as_it_is(self) -> Stored {
        Stored { dtype: self, lanes: None }
    }
}

/// Numbers with the same bits as elements of a type that only TenniS has.
fn as_numbers(dtype: tsm::DType) -> Stored {
    use tsm::DType as T;
    let (dtype, lanes) = match dtype {
        T::Void => (DType::U8, Some(0)),
        T::Unknown128 => (DType::U64, Some(2)),
        T::Complex32 => (DType::F16, Some(2)),
        T::Char16 | T::Unknown16 => (DType::U16, None),
        T::Char32 | T::Unknown32 => (DType::U32, None),
        T::Unknown64 | T::Ptr => (DType::U64, None),
        T::Char8 | T::Unknown8 => (DType::U8, None),
        // The fixed-point numbers.
        _ => (DType::I8, None),
    };
    Stored { dtype, lanes }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
