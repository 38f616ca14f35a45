//! Tensors of ONNX as those of TenniS.

use fourfold::tsm::{DType, Prototype, Tensor};

use super::Lowered;
use crate::dtype::DataType;
use crate::error::Error;
use crate::external::Folder;
use crate::proto;

/// The most dims that TenniS's tensors have.
const MOST_DIMS: usize = 7;

/// The type that TenniS has for a number of ONNX.
pub(super) fn dtype_of(number: i32) -> Lowered<DType> {
    let dtype = DataType::of(number).ok_or_else(|| format!("unknown type of elements {number}"))?;
    dtype.to_tennis().ok_or_else(|| format!("TenniS has no type for {}", dtype.name()))
}

/// A tensor with the same elements.
pub(super) fn tensor_of(
    tensor: &proto::Tensor,
    folder: Option<&Folder>,
) -> Lowered<Tensor<'static>> {
    let dtype = dtype_of(tensor.data_type)?;
    if tensor.dims.len() > MOST_DIMS {
        return Err(format!("it has {} dims, TenniS has {MOST_DIMS}", tensor.dims.len()));
    }
    let sizes: Result<Vec<i32>, _> = tensor.dims.iter().copied().map(i32::try_from).collect();
    let sizes = sizes.map_err(|_| format!("shape {:?} is beyond TenniS's sizes", tensor.dims))?;
    let elements = tensor.elements(folder).map_err(|error| match error {
        Error::Tensor { problem, .. } => problem.to_string(),
        other => other.to_string(),
    })?;
    Tensor::new(Prototype::new(dtype, sizes), elements.to_vec()).map_err(|error| error.to_string())
}
