//! The types for which TenniS and onnxruntime have an operator.

use fourfold::tsm::DType;

use super::site::Lowered;
use crate::numbers::{is_float, is_number};

/// Refuses types for which TenniS has no kernel.
pub(super) fn numbers(dtype: DType) -> Lowered {
    computed(is_number(dtype), dtype)
}

/// The same, for operators of floats.
pub(super) fn floats(dtype: DType) -> Lowered {
    computed(is_float(dtype), dtype)
}

fn computed(is_so: bool, dtype: DType) -> Lowered {
    match is_so {
        true => Ok(()),
        false => {
            Err(format!("TenniS does not compute it for {dtype}; cast its input to float32 before"))
        }
    }
}

/// Refuses integers, for which TenniS has a kernel and ONNX has no operator.
pub(super) fn fractions(dtype: DType, op: &str) -> Lowered {
    numbers(dtype)?;
    match is_float(dtype) {
        true => Ok(()),
        false => Err(format!(
            "for {dtype}, TenniS cuts the fraction off at each step, and ONNX has no {op}; \
             cast its input to float32 before"
        )),
    }
}

/// Refuses doubles, for which ONNX has an operator and onnxruntime's CPU provider has none.
pub(super) fn single(dtype: DType, op: &str) -> Lowered {
    floats(dtype)?;
    match dtype {
        DType::Float32 => Ok(()),
        _ => Err(format!("onnxruntime has no {op} for {dtype}; cast its inputs to float32 before")),
    }
}

/// Refuses doubles, for which TenniS leaves products of matrices unset.
pub(super) fn products(dtype: DType) -> Lowered {
    floats(dtype)?;
    match dtype {
        DType::Float32 => Ok(()),
        _ => Err(format!(
            "for {dtype}, TenniS computes nothing: its result is what was in memory; \
             cast its inputs to float32 before"
        )),
    }
}

/// The type in which C++ computes with integers of a type.
pub(super) fn promoted(dtype: DType) -> DType {
    match dtype {
        DType::Int8 | DType::UInt8 | DType::Int16 | DType::UInt16 => DType::Int32,
        other => other,
    }
}

/// The type in which onnxruntime has `Max`, `Min`, `Clip`, `Where` and `Pad`: it has none for 16 bits.
pub(super) fn widened(dtype: DType) -> DType {
    match dtype {
        DType::Int16 | DType::UInt16 => DType::Int32,
        other => other,
    }
}

/// The type in which onnxruntime has `Where` for elements of a type.
pub(super) fn selected(dtype: DType) -> DType {
    match dtype {
        // The bits are those of the same count.
        DType::UInt64 => DType::Int64,
        dtype => widened(dtype),
    }
}
