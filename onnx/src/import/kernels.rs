//! The types for which TenniS's CPU kernels are.

use fourfold::tsm::DType;
use fourfold_tennis::Operator as Op;

use super::Lowered;
use super::graph::Value;
use crate::numbers::{is_float, is_number};

fn is_single(dtype: DType) -> bool {
    dtype == DType::Float32
}

/// Refuses types that no kernel computes, and those that ONNX does not have.
pub(super) fn check_kernel(operator: &Op, inputs: &[&Value]) -> Lowered {
    let (index, takes): (_, fn(DType) -> bool) = match operator {
        // These copy bytes, or nothing at all.
        Op::Reshape { .. } | Op::ReshapeV2 | Op::Flatten { .. } | Op::Flatten2d { .. } => {
            return Ok(());
        }
        Op::Squeeze { .. } | Op::Unsqueeze { .. } | Op::Shape | Op::Copy => return Ok(()),
        Op::Gather { .. } | Op::Gatherv2 | Op::ScatterNd | Op::Concat { .. } => return Ok(()),
        Op::Stack { .. } => return Ok(()),
        Op::Chunk { .. } | Op::SliceV3 | Op::Field { .. } | Op::Cast { .. } | Op::ToFloat => {
            return Ok(());
        }
        Op::ConstantOfShape { .. } | Op::OnnxPooling2dPadding { .. } => return Ok(()),
        Op::Broadcast => (0, |dtype| dtype != DType::Complex128),
        Op::Where => (1, is_number),
        Op::Softplus | Op::Lstm { .. } => (0, is_single),
        // For double, the product that they share computes nothing.
        Op::Gemm { .. } | Op::InnerProd { .. } | Op::Matmul => (0, is_single),
        Op::Conv2d { .. } | Op::TransposeConv2d { .. } => (0, is_single),
        Op::Argmax { .. } => (0, |dtype| dtype == DType::Int32),
        Op::Erf | Op::Pow { .. } => (0, is_float),
        Op::DepthwiseConv2d { .. } => (0, is_float),
        Op::Pooling2d { .. } | Op::Pooling2dV2 { .. } | Op::GlobalPooling2d { .. } => (0, is_float),
        Op::Mod => (0, |dtype| is_number(dtype) && !is_float(dtype)),
        _ => (0, is_number),
    };
    let Some(input) = inputs.get(index) else { return Ok(()) };
    let (dtype, name) = (input.dtype()?, operator.name());
    if !takes(dtype) {
        return Err(format!("TenniS does not compute {name} of {dtype}; cast its input to float"));
    }
    // TenniS computes these of integers, and cuts the fractions.
    let of_floats = matches!(operator, Op::Exp | Op::Sqrt | Op::Tanh | Op::Sigmoid)
        || matches!(operator, Op::HardSigmoid { .. } | Op::Softmax { .. })
        || matches!(operator, Op::BatchNorm { .. } | Op::FusedBatchNorm { .. });
    match of_floats && !is_float(dtype) {
        true => Err(format!("ONNX has {name} of floats only, not of {dtype}; cast its input")),
        false => Ok(()),
    }
}
