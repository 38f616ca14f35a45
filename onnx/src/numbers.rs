//! The types of elements that TenniS's kernels compute with.

use fourfold::tsm::DType;

/// Whether elements have a fraction.
pub(crate) fn is_float(dtype: DType) -> bool {
    matches!(dtype, DType::Float32 | DType::Float64)
}

/// Whether TenniS computes with the type at all.
pub(crate) fn is_number(dtype: DType) -> bool {
    is_float(dtype)
        || matches!(dtype, DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64)
        || matches!(dtype, DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64)
}
