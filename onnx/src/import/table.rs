//! The operators of ONNX, and what TenniS has for each.

use fourfold_tennis::{Operator as Op, PoolType};

use super::elementwise::{self, binary, unary, variadic};
use super::reductions::{self, Kind, reduce};
use super::site::Site;
use super::{Done, compare, einsum, images, layout, matrices, normalization, resize, slices};

/// An operator of ONNX that has a counterpart in TenniS.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Counterpart {
    /// ONNX's name.
    pub op: &'static str,
    /// Whether TenniS has it, too. Others are made of several operators.
    pub is_exact: bool,
    /// The operators of TenniS.
    pub tennis: &'static str,
    pub(super) import: fn(&mut Site<'_, '_>) -> Done,
}

impl Counterpart {
    /// That of an operator.
    pub(super) fn of(op: &str) -> Option<&'static Self> {
        let at = COUNTERPARTS.binary_search_by(|counterpart| counterpart.op.cmp(op)).ok()?;
        COUNTERPARTS.get(at)
    }
}

macro_rules! counterparts {
    ($($op:literal, $is_exact:ident, $tennis:literal, |$site:ident| $import:expr;)+) => {
        /// All operators that have one, by name.
        pub const COUNTERPARTS: &[Counterpart] = &[$(Counterpart {
            op: $op,
            is_exact: counterparts!(@ $is_exact),
            tennis: $tennis,
            import: |$site| $import,
        },)+];
    };
    (@ exact) => { true };
    (@ decomposed) => { false };
}

counterparts! {
    "Abs", exact, "abs", |site| unary(site, Op::Abs);
    "Add", exact, "add, add_bias", |site| elementwise::add(site);
    "And", decomposed, "_cast, mul", |site| compare::logical(site, Op::Mul);
    "ArgMax", decomposed, "max, equal, _cast, argmax, unsqueeze", |site| reductions::arg(site, Kind::Max);
    "ArgMin", decomposed, "mul, sub, max, equal, _cast, argmax, unsqueeze", |site| reductions::arg(site, Kind::Min);
    "AveragePool", exact, "pooling2d; _onnx_pooling2d_padding, pooling2d_v2", |site| images::pool(site, PoolType::Avg);
    "BatchNormalization", exact, "fused_batch_norm, batch_norm", |site| normalization::batch(site);
    "Cast", exact, "_cast, to_float; equal", |site| elementwise::cast(site);
    "CastLike", decomposed, "_cast, to_float; equal", |site| elementwise::cast_like(site);
    "Ceil", exact, "ceil", |site| unary(site, Op::Ceil);
    "Celu", decomposed, "relu, mul, exp, sub, add", |site| elementwise::celu(site);
    "Clip", decomposed, "relu_max; maximum, mul, sub", |site| elementwise::clip(site);
    "Concat", exact, "concat; stack", |site| layout::concat(site);
    "Constant", exact, "<const>", |site| layout::constant(site);
    "ConstantOfShape", exact, "constant_of_shape", |site| layout::constant_of_shape(site);
    "Conv", exact, "conv2d, depthwise_conv2d, add_bias; groups: chunk, concat", |site| images::conv(site);
    "ConvTranspose", exact, "transpose_conv2d, add_bias, pad; groups: chunk, concat", |site| images::conv_transpose(site);
    "DepthToSpace", decomposed, "_reshape, _transpose", |site| layout::depth_to_space(site);
    "Div", exact, "div; l2_norm, softmax", |site| elementwise::div(site);
    "Dropout", decomposed, "nothing", |site| elementwise::dropout(site);
    "Einsum", decomposed, "_transpose, unsqueeze, mul, reduce_sum", |site| einsum::einsum(site);
    "Elu", decomposed, "relu, mul, exp, sub, add", |site| elementwise::elu(site);
    "Equal", exact, "equal", |site| elementwise::equal(site);
    "Erf", exact, "erf", |site| unary(site, Op::Erf);
    "Exp", exact, "exp", |site| unary(site, Op::Exp);
    "Expand", exact, "broadcast", |site| layout::expand(site);
    "Flatten", exact, "flatten, flatten2d", |site| layout::flatten(site);
    "Floor", exact, "floor", |site| unary(site, Op::Floor);
    "Gather", exact, "gather", |site| layout::gather(site);
    "GatherElements", exact, "gather_elements", |site| layout::gather_elements(site);
    "GatherND", exact, "gatherv2", |site| layout::gather_nd(site);
    "Gelu", decomposed, "erf or tanh, mul, add", |site| elementwise::gelu(site);
    "Gemm", exact, "gemm, inner_prod", |site| matrices::gemm(site);
    "GlobalAveragePool", exact, "global_pooling2d", |site| images::global_pool(site, PoolType::Avg);
    "GlobalMaxPool", exact, "global_pooling2d", |site| images::global_pool(site, PoolType::Max);
    "Greater", decomposed, "maximum, equal, _cast, sub", |site| compare::larger(site, 0, 1);
    "GreaterOrEqual", decomposed, "maximum, equal", |site| compare::or_equal(site, 0, 1);
    "GroupNormalization", decomposed, "_reshape, reduce_mean, sub, square, add, sqrt, div, _reshape_v2, mul", |site| normalization::group(site);
    "HardSigmoid", exact, "hard_sigmoid", |site| elementwise::hard_sigmoid(site);
    "HardSwish", decomposed, "hard_sigmoid, mul", |site| elementwise::hard_swish(site);
    "Identity", decomposed, "nothing; _copy for an output of the model", |site| elementwise::identity(site);
    "InstanceNormalization", decomposed, "reduce_mean, sub, square, add, sqrt, div, mul", |site| normalization::instance(site);
    "LRN", decomposed, "square, _transpose, pooling2d, mul, add, pow, div", |site| normalization::local_response(site);
    "LSTM", exact, "LSTM, _field; reverse: slice_v3", |site| matrices::lstm(site);
    "LayerNormalization", decomposed, "reduce_mean, sub, square, add, sqrt, div, mul", |site| normalization::layer(site);
    "LeakyRelu", exact, "leaky_relu", |site| elementwise::leaky_relu(site);
    "Less", decomposed, "maximum, equal, _cast, sub", |site| compare::larger(site, 1, 0);
    "LessOrEqual", decomposed, "maximum, equal", |site| compare::or_equal(site, 1, 0);
    "LpNormalization", decomposed, "square, reduce_sum, sqrt, equal, _cast, add, div", |site| reductions::normalize(site);
    "MatMul", exact, "matmul; unsqueeze, mul, reduce_sum", |site| matrices::matmul(site);
    "Max", exact, "maximum", |site| variadic(site, &Op::Maximum);
    "MaxPool", exact, "pooling2d; _onnx_pooling2d_padding, pooling2d_v2", |site| images::pool(site, PoolType::Max);
    "Mean", decomposed, "add, div", |site| elementwise::mean(site);
    "Min", decomposed, "mul, sub, maximum", |site| elementwise::min(site);
    "Mish", decomposed, "softplus, tanh, mul", |site| elementwise::mish(site);
    "Mod", exact, "mod; add", |site| elementwise::modulo(site);
    "Mul", exact, "mul, square", |site| elementwise::mul(site);
    "Neg", decomposed, "mul", |site| elementwise::neg(site);
    "Not", decomposed, "_cast, equal", |site| compare::not(site);
    "Or", decomposed, "_cast, maximum", |site| compare::logical(site, Op::Maximum);
    "PRelu", exact, "prelu, leaky_relu; relu, mul, add", |site| elementwise::prelu(site);
    "Pad", exact, "pad; gather", |site| layout::pad(site);
    "Pow", exact, "pow", |site| elementwise::pow(site);
    "RMSNormalization", decomposed, "square, reduce_mean, add, sqrt, div, mul", |site| normalization::rms(site);
    "Range", exact, "range", |site| layout::range(site);
    "Reciprocal", decomposed, "div; rsqrt", |site| elementwise::reciprocal(site);
    "ReduceL1", decomposed, "abs, reduce_sum", |site| reduce(site, Kind::L1, 18);
    "ReduceL2", decomposed, "square, reduce_sum, sqrt", |site| reduce(site, Kind::L2, 18);
    "ReduceMax", exact, "max", |site| reduce(site, Kind::Max, 18);
    "ReduceMean", exact, "reduce_mean", |site| reduce(site, Kind::Mean, 18);
    "ReduceMin", decomposed, "mul, sub, max", |site| reduce(site, Kind::Min, 18);
    "ReduceSum", exact, "reduce_sum", |site| reduce(site, Kind::Sum, 13);
    "ReduceSumSquare", decomposed, "square, reduce_sum", |site| reduce(site, Kind::SumSquare, 18);
    "Relu", exact, "relu", |site| unary(site, Op::Relu);
    "Reshape", exact, "_reshape, _reshape_v2", |site| layout::reshape(site);
    "Resize", exact, "sample2d_v2, _resize2d; gather or matmul", |site| resize::resize(site);
    "ScatterND", exact, "scatter_nd", |site| layout::scatter_nd(site);
    "Selu", decomposed, "relu, mul, exp, sub, add", |site| elementwise::selu(site);
    "Shape", exact, "_shape", |site| layout::shape(site);
    "Sigmoid", exact, "sigmoid", |site| unary(site, Op::Sigmoid);
    "Slice", exact, "slice_v3", |site| slices::slice(site);
    "Softmax", exact, "softmax; flatten2d, _shape, _reshape_v2", |site| reductions::softmax(site);
    "Softplus", decomposed, "relu, abs, mul, softplus, add", |site| elementwise::softplus(site);
    "Softsign", decomposed, "abs, add, div", |site| elementwise::softsign(site);
    "SpaceToDepth", decomposed, "_reshape, _transpose", |site| layout::space_to_depth(site);
    "Split", exact, "chunk, split, _field", |site| layout::split(site);
    "Sqrt", exact, "sqrt", |site| unary(site, Op::Sqrt);
    "Squeeze", exact, "squeeze", |site| layout::squeeze(site);
    "Sub", exact, "sub", |site| binary(site, Op::Sub);
    "Sum", decomposed, "add", |site| variadic(site, &Op::Add);
    "Swish", decomposed, "sigmoid, mul", |site| elementwise::swish(site);
    "Tanh", exact, "tanh", |site| unary(site, Op::Tanh);
    "Tile", exact, "tile, tile_v2", |site| layout::tile(site);
    "TopK", exact, "topkv2, _field", |site| reductions::top_k(site);
    "Transpose", exact, "_transpose", |site| layout::transpose(site);
    "Unsqueeze", exact, "unsqueeze", |site| layout::unsqueeze(site);
    "Upsample", exact, "sample2d_v2; gather or matmul", |site| resize::upsample(site);
    "Where", exact, "where", |site| elementwise::select(site);
}
