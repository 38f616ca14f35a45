//! Multiply-adds of operators.

use crate::operator::Operator as Op;
use crate::output::{Output, Size, count};
use crate::rules::Inputs;

/// How many products are added up: those of convolutions, products of matrices and LSTMs. Other
/// operators have none. `None` if sizes are unknown.
pub(crate) fn multiply_adds(operator: &Op, inputs: Inputs<'_>, outputs: &[Output]) -> Option<u64> {
    let shape = |at: usize| inputs.shape(at).ok();
    let output = || outputs.first()?.count();
    // The sizes of a kernel without the channels that it makes.
    let kernel = |at: usize| count(shape(at)?.get(1..)?);
    match operator {
        Op::Conv2d { .. } | Op::Conv2dQuantized { .. } | Op::DcnV2Forward { .. } => {
            output()?.checked_mul(kernel(1)?)
        }
        Op::Conv2dV2 { .. } => output()?.checked_mul(kernel(2)?),
        // Those of the same convolution without Winograd's algorithm.
        Op::Conv2dWinograd { .. } => winograd(output()?, shape(1)?),
        Op::Conv2dWinogradV2 { .. } => winograd(output()?, shape(2)?),
        Op::DepthwiseConv2d { .. } => output()?.checked_mul(count(shape(1)?.get(2..)?)?),
        Op::DepthwiseConv2dV2 { .. } => output()?.checked_mul(count(shape(2)?.get(2..)?)?),
        Op::TransposeConv2d { .. } => count(shape(0)?)?.checked_mul(kernel(1)?),
        Op::InnerProd { .. } => output()?.checked_mul(count(shape(0)?.get(1..)?)?),
        Op::Gemm { trans_a, .. } => {
            let columns = if *trans_a { 0 } else { 1 };
            output()?.checked_mul(count(&[*shape(0)?.get(columns)?])?)
        }
        Op::Matmul => output()?.checked_mul(count(&[*shape(0)?.last()?])?),
        Op::Lstm { .. } => lstm(shape(0)?, outputs.first()?.shape()?),
        _ => Some(0),
    }
}

fn winograd(outputs: u64, kernel: &[Size]) -> Option<u64> {
    outputs.checked_mul(count(&[*kernel.get(1)?])?)?.checked_mul(9)
}

/// Four gates, each from the features and from the state.
fn lstm(x: &[Size], all: &[Size]) -> Option<u64> {
    let (features, hidden) = (count(&[*x.last()?])?, count(&[*all.last()?])?);
    count(all)?.checked_mul(4)?.checked_mul(features.checked_add(hidden)?)
}
