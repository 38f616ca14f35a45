//! Types of elements: what they are called, how large they are, and how a container that lacks one
//! holds it.

use std::fmt;

use fourfold::tsm;

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
    /// A float of 8 bits, of which there are several kinds.
    F8(&'static str),
    /// What only TenniS knows: text, pointers, fixed-point numbers.
    Tsm(tsm::DType),
}

/// How a container holds elements of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    pub dtype: DType,
    /// The size of one more axis, behind the others, if an element becomes several.
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

    /// The type that TenniS has for it.
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
            DType::Bf16 | DType::F8(_) => return None,
        })
    }

    /// How many bytes an element takes.
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::I8 | DType::U8 | DType::F8(_) => 1,
            DType::I16 | DType::U16 | DType::F16 | DType::Bf16 => 2,
            DType::I32 | DType::U32 | DType::F32 => 4,
            DType::I64 | DType::U64 | DType::F64 | DType::C64 => 8,
            DType::C128 => 16,
            DType::Tsm(dtype) => dtype.size(),
        }
    }

    /// How a container holds such elements that knows numbers: as they are, or as numbers of the same
    /// bits.
    pub(super) fn as_number(self) -> Stored {
        match self {
            DType::Tsm(dtype) => as_numbers(dtype),
            _ => self.as_it_is(),
        }
    }

    /// How a container holds such elements that knows their type.
    pub(super) const fn as_it_is(self) -> Stored {
        Stored { dtype: self, lanes: None }
    }
}

/// Numbers of the same bits as elements that only TenniS knows.
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
        f.pad(match self {
            DType::Bool => "BOOL",
            DType::I8 => "I8",
            DType::U8 => "U8",
            DType::I16 => "I16",
            DType::U16 => "U16",
            DType::I32 => "I32",
            DType::U32 => "U32",
            DType::I64 => "I64",
            DType::U64 => "U64",
            DType::F16 => "F16",
            DType::Bf16 => "BF16",
            DType::F32 => "F32",
            DType::F64 => "F64",
            DType::C64 => "C64",
            DType::C128 => "C128",
            DType::F8(name) => name,
            DType::Tsm(dtype) => dtype.name(),
        })
    }
}
