//! Documents as values of serde.

use super::{File, Model, Optimizer, Parameter, Shape, Tensor};
use crate::primitiv::{Options, Result};
use crate::tensor::document::documents;

documents! {
    "primitiv", [lenient],
    "fourfold.primitiv.File" File (File<'_>) (File<'a>),
    "fourfold.primitiv.Shape" Shape (Shape) (Shape),
    "fourfold.primitiv.Tensor" Tensor (Tensor<'_>) (Tensor<'a>),
    "fourfold.primitiv.Parameter" Parameter (Parameter<'_>) (Parameter<'a>),
    "fourfold.primitiv.Model" Model (Model<'_>) (Model<'a>),
    "fourfold.primitiv.Optimizer" Optimizer (Optimizer<'_>) (Optimizer<'a>),
}
