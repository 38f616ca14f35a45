//! The types for which TenniS's CPU kernels are.

use fourfold::tsm::DType;
use fourfold_tennis::Operator as Op;

use super::Lowered;
use super::graph::Value;
use crate::numbers::{is_float, is_number};

/// Refuses types that no kernel computes.
pub(super) fn check_kernel(operator: &Op, inputs: &[&Value]) -> Lowered {
    let (index, takes): (_, fn(DType) -> bool) = match operator {
        // These copy bytes, or nothing at all.
        Op::Reshape { .. } | Op::ReshapeV2 | Op::Flatten { .. } | Op::Flatten2d { .. } => {
            return Ok(());
        }
        Op::Squeeze { .. } | Op::Unsqueeze { .. } | Op::Shape | Op::Copy => return Ok(()),
        Op::Gather { .. } | Op::Concat { .. } | Op::Field { .. } | Op::Cast { .. } => return Ok(()),
        Op::ConstantOfShape { .. } | Op::OnnxPooling2dPadding { .. } => return Ok(()),
        Op::Where => (1, is_number),
        Op::Exp | Op::Sqrt | Op::Tanh | Op::Erf | Op::Sigmoid => (0, is_float),
        Op::Softplus => (0, |dtype| dtype == DType::Float32),
        Op::HardSigmoid { .. } | Op::Softmax { .. } | Op::Pow { .. } => (0, is_float),
        Op::Conv2d { .. } | Op::DepthwiseConv2d { .. } | Op::TransposeConv2d { .. } => {
            (0, is_float)
        }
        Op::Pooling2d { .. } | Op::Pooling2dV2 { .. } | Op::GlobalPooling2d { .. } => (0, is_float),
        Op::Gemm { .. } | Op::InnerProd { .. } | Op::Matmul => (0, is_float),
        Op::BatchNorm { .. }
        | Op::FusedBatchNorm { .. }
        | Op::AddBias { .. }
        | Op::ReduceMean { .. } => (0, is_float),
        Op::Lstm { .. } => (0, |dtype| dtype == DType::Float32),
        Op::Argmax { .. } => (0, |dtype| dtype == DType::Int32),
        _ => (0, is_number),
    };
    let Some(input) = inputs.get(index) else { return Ok(()) };
    let dtype = input.dtype()?;
    match takes(dtype) {
        true => Ok(()),
        false => Err(format!("TenniS does not compute {} of {dtype}", operator.name())),
    }
}
