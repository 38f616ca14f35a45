//! Families of operators, by the names that TenniS registers and its Python front end writes, and by those of ONNX.

/// A family of operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Sources of values, and operators that pass values on or only change their type.
    Data,
    Convolution,
    Pooling,
    Activation,
    Normalisation,
    /// Operators that move, join, cut or resize values.
    Shape,
    Arithmetic,
    /// All other operators, and unknown names.
    #[default]
    Other,
}

/// The operators of each family. A name in no list belongs to `Family::Other`: a name such as `my_conv` does not
/// define what the operator does.
const OPERATORS: &[(Family, &[&str])] = &[
    (
        Family::Data,
        &[
            "<const>",
            "<param>",
            "<var>",
            "_cast",
            "_copy",
            "_field",
            "_pack",
            "constant_of_shape",
            "identity",
            "quantize",
            "range",
            "to_float",
        ],
    ),
    (
        Family::Convolution,
        &[
            "_dragon_conv2d_padding",
            "_tf_conv2d_padding",
            "conv2d",
            "conv2d_quantized",
            "conv2d_v2",
            "conv2d_winograd",
            "conv2d_winograd_v2",
            "dcn_v2_forward",
            "depthwise_conv2d",
            "depthwise_conv2d_v2",
            "transpose_conv2d",
            "winograd_transform_kernel",
        ],
    ),
    (
        Family::Pooling,
        &[
            "_dragon_pooling2d_padding",
            "_mx_pooling2d_padding",
            "_onnx_pooling2d_padding",
            "_tf_pooling2d_padding",
            "global_pooling2d",
            "pooling2d",
            "pooling2d_v2",
            "roi_align",
        ],
    ),
    (
        Family::Activation,
        &[
            "hard_sigmoid",
            "leaky_relu",
            "prelu",
            "relu",
            "relu_max",
            "sigmoid",
            "softmax",
            "softplus",
            "tanh",
        ],
    ),
    (
        Family::Normalisation,
        &["batch_norm", "batch_scale", "fused_batch_norm", "l2_norm", "norm_image", "prewhiten"],
    ),
    (
        Family::Shape,
        &[
            "_dims",
            "_dimshuffle",
            "_expand",
            "_limit",
            "_nhwc_center_crop2d",
            "_nhwc_letterbox",
            "_nhwc_scale_resize2d",
            "_reshape",
            "_reshape_v2",
            "_resize2d",
            "_shape",
            "_transpose",
            "affine_sample2d",
            "batch_to_space4d",
            "broadcast",
            "chunk",
            "concat",
            "crop_nd",
            "crop_to",
            "divided",
            "flatten",
            "flatten2d",
            "gather",
            "gather_elements",
            "gatherv2",
            "pad",
            "resize_nearest_neighbor",
            "sample2d",
            "sample2d_v2",
            "scatter_nd",
            "shape_index_patch",
            "slice",
            "slice_v2",
            "slice_v3",
            "space_to_batch4d",
            "split",
            "squeeze",
            "stack",
            "strided_slice",
            "tile",
            "tile_v2",
            "unsqueeze",
        ],
    ),
    (
        Family::Arithmetic,
        &[
            "abs",
            "add",
            "add_bias",
            "argmax",
            "ceil",
            "div",
            "equal",
            "erf",
            "exp",
            "floor",
            "gemm",
            "inner_prod",
            "matmul",
            "max",
            "maximum",
            "minimum",
            "mod",
            "mul",
            "pow",
            "reduce_mean",
            "reduce_prod",
            "reduce_sum",
            "rsqrt",
            "sqrt",
            "square",
            "sub",
            "where",
        ],
    ),
];

/// The operators of ONNX's own set, in the same way.
const ONNX: &[(Family, &[&str])] = &[
    (
        Family::Data,
        &[
            "Cast",
            "CastLike",
            "Constant",
            "ConstantOfShape",
            "DequantizeLinear",
            "DynamicQuantizeLinear",
            "EyeLike",
            "Identity",
            "QuantizeLinear",
            "Range",
        ],
    ),
    (Family::Convolution, &["Conv", "ConvInteger", "ConvTranspose", "DeformConv", "QLinearConv"]),
    (
        Family::Pooling,
        &[
            "AveragePool",
            "GlobalAveragePool",
            "GlobalLpPool",
            "GlobalMaxPool",
            "LpPool",
            "MaxPool",
            "MaxRoiPool",
            "MaxUnpool",
            "RoiAlign",
        ],
    ),
    (
        Family::Activation,
        &[
            "Celu",
            "Clip",
            "Elu",
            "Gelu",
            "HardSigmoid",
            "HardSwish",
            "LeakyRelu",
            "LogSoftmax",
            "Mish",
            "PRelu",
            "Relu",
            "Selu",
            "Sigmoid",
            "Softmax",
            "Softplus",
            "Softsign",
            "Swish",
            "Tanh",
            "ThresholdedRelu",
        ],
    ),
    (
        Family::Normalisation,
        &[
            "BatchNormalization",
            "GroupNormalization",
            "InstanceNormalization",
            "LRN",
            "LayerNormalization",
            "LpNormalization",
            "MeanVarianceNormalization",
            "RMSNormalization",
        ],
    ),
    (
        Family::Shape,
        &[
            "CenterCropPad",
            "Compress",
            "Concat",
            "DepthToSpace",
            "Expand",
            "Flatten",
            "Gather",
            "GatherElements",
            "GatherND",
            "GridSample",
            "Pad",
            "Reshape",
            "Resize",
            "Scatter",
            "ScatterElements",
            "ScatterND",
            "Shape",
            "Size",
            "Slice",
            "SpaceToDepth",
            "Split",
            "Squeeze",
            "Tile",
            "Transpose",
            "Unsqueeze",
            "Upsample",
        ],
    ),
    (
        Family::Arithmetic,
        &[
            "Abs",
            "Add",
            "And",
            "ArgMax",
            "ArgMin",
            "Ceil",
            "Div",
            "Einsum",
            "Equal",
            "Erf",
            "Exp",
            "Floor",
            "Gemm",
            "Greater",
            "GreaterOrEqual",
            "Less",
            "LessOrEqual",
            "Log",
            "MatMul",
            "MatMulInteger",
            "Max",
            "Mean",
            "Min",
            "Mod",
            "Mul",
            "Neg",
            "Not",
            "Or",
            "Pow",
            "QLinearMatMul",
            "Reciprocal",
            "ReduceL1",
            "ReduceL2",
            "ReduceLogSum",
            "ReduceLogSumExp",
            "ReduceMax",
            "ReduceMean",
            "ReduceMin",
            "ReduceProd",
            "ReduceSum",
            "ReduceSumSquare",
            "Round",
            "Sign",
            "Sqrt",
            "Sub",
            "Sum",
            "Where",
            "Xor",
        ],
    ),
];

impl Family {
    /// All families, in the order of legends.
    pub const ALL: [Family; 8] = [
        Family::Data,
        Family::Convolution,
        Family::Pooling,
        Family::Activation,
        Family::Normalisation,
        Family::Shape,
        Family::Arithmetic,
        Family::Other,
    ];

    /// The family of an operator of TenniS.
    pub fn of(operator: &[u8]) -> Self {
        Family::find(OPERATORS, operator)
    }

    /// The family of an operator of ONNX's own set.
    pub fn of_onnx(operator: &str) -> Self {
        Family::find(ONNX, operator.as_bytes())
    }

    fn find(families: &[(Family, &[&str])], operator: &[u8]) -> Self {
        let has = |names: &&[&str]| names.iter().any(|name| name.as_bytes() == operator);
        let found = families.iter().find(|(_, names)| has(names));
        found.map_or(Family::Other, |(family, _)| *family)
    }

    /// The name in legends, and the class in SVG and DOT.
    pub fn name(self) -> &'static str {
        match self {
            Family::Data => "data",
            Family::Convolution => "convolution",
            Family::Pooling => "pooling",
            Family::Activation => "activation",
            Family::Normalisation => "normalisation",
            Family::Shape => "shape",
            Family::Arithmetic => "arithmetic",
            Family::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_in_one_family() {
        for families in [OPERATORS, ONNX] {
            let mut all: Vec<&str> =
                families.iter().flat_map(|(_, names)| names.iter().copied()).collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count);
            for (family, names) in families {
                assert!(names.is_sorted(), "{family:?}");
                for name in *names {
                    assert_eq!(Family::find(families, name.as_bytes()), *family, "{name}");
                }
            }
        }
    }

    #[test]
    fn no_family_is_guessed() {
        let unknown: &[&[u8]] =
            &[b"", b"my_conv2d", b"conv2d ", b"CONV2D", b"relu6", b"const", b"LSTM", b"\xff"];
        for name in unknown {
            assert_eq!(Family::of(name), Family::Other, "{name:?}");
        }
    }
}
