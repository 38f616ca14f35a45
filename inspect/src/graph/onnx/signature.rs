//! Names of inputs and defaults of attributes of ONNX's operators.

use fourfold_onnx::Value;
use fourfold_onnx::proto::{Attribute, Node};

/// Operators, the names of their inputs, and the attributes whose default is the same in all versions of the operator
/// that have it. Operators with one input and no such attribute are not in it.
const SIGNATURES: &[(&str, &str, &str)] = &[
    (
        "Add And BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less LessOrEqual MatMul Mul Or Sub Xor",
        "A B",
        "",
    ),
    ("AffineGrid", "theta size", "align_corners 0"),
    ("ArgMax ArgMin", "data", "axis 0, keepdims 1, select_last_index 0"),
    (
        "Attention",
        "Q K V attn_mask past_key past_value nonpad_kv_seqlen",
        "is_causal 0, left_window_size -1, qk_matmul_output_mode 0, right_window_size -1, softcap 0",
    ),
    ("AveragePool", "X", "auto_pad NOTSET, ceil_mode 0, count_include_pad 0"),
    (
        "BatchNormalization",
        "X scale B input_mean input_var",
        "epsilon 0.00001, momentum 0.9, training_mode 0",
    ),
    ("BitShift Pow StringConcat", "X Y", ""),
    ("BlackmanWindow HammingWindow HannWindow", "size", "output_datatype 1, periodic 1"),
    ("Cast", "input", "round_mode up, saturate 1"),
    ("CastLike", "input target_type", "round_mode up, saturate 1"),
    ("CausalConvWithState", "input weight bias past_state", "activation none"),
    ("Celu Elu Swish ThresholdedRelu", "X", "alpha 1"),
    ("CenterCropPad", "input_data shape", ""),
    ("Clip", "input min max", ""),
    ("Col2Im", "input image_shape block_shape", ""),
    ("Compress", "input condition", ""),
    ("ConcatFromSequence", "input_sequence", "new_axis 0"),
    ("Conv ConvTranspose", "X W B", "auto_pad NOTSET, group 1"),
    ("ConvInteger", "x w x_zero_point w_zero_point", "auto_pad NOTSET, group 1"),
    ("CumProd CumSum", "x axis", "exclusive 0, reverse 0"),
    ("DFT", "input dft_length axis", "axis 1, inverse 0, onesided 0"),
    ("DeformConv", "X W offset B mask", "group 1, offset_group 1"),
    ("DepthToSpace SpaceToDepth", "input", "mode DCR"),
    ("DequantizeLinear", "x x_scale x_zero_point", "axis 1, block_size 0, output_dtype 0"),
    ("Dropout", "data ratio training_mode", "ratio 0.5"),
    ("Expand", "input shape", ""),
    ("EyeLike", "input", "k 0"),
    ("Flatten", "input", "axis 1"),
    (
        "GRU",
        "X W R B sequence_lens initial_h",
        "layout 0, linear_before_reset 0, output_sequence 0",
    ),
    ("Gather GatherElements", "data indices", "axis 0"),
    ("GatherND", "data indices", "batch_dims 0"),
    ("Gelu", "X", "approximate none"),
    ("Gemm", "A B C", "alpha 1, beta 1, transA 0, transB 0"),
    ("GlobalLpPool", "X", "p 2"),
    ("GridSample", "X grid", "align_corners 0, padding_mode zeros"),
    ("GroupNormalization", "X scale bias", "epsilon 0.00001, stash_type 1"),
    ("HardSigmoid", "X", "alpha 0.2, beta 0.5"),
    ("ImageDecoder", "encoded_stream", "pixel_format RGB"),
    ("InstanceNormalization", "input scale B", "epsilon 0.00001"),
    ("IsInf", "X", "detect_negative 1, detect_positive 1"),
    ("LRN", "X", "alpha 0.0001, beta 0.75, bias 1"),
    (
        "LSTM",
        "X W R B sequence_lens initial_h initial_c P",
        "direction forward, input_forget 0, layout 0, output_sequence 0",
    ),
    ("LayerNormalization", "X Scale B", "axis -1, epsilon 0.00001, stash_type 1"),
    ("LeakyRelu", "X", "alpha 0.01"),
    (
        "LinearAttention",
        "query key value past_state decay beta",
        "chunk_size 64, scale 0, update_rule gated_delta",
    ),
    ("Loop", "M cond v_initial", ""),
    ("LpNormalization", "input", "axis -1, p 2"),
    ("LpPool", "X", "auto_pad NOTSET, ceil_mode 0, p 2"),
    ("MatMulInteger", "A B a_zero_point b_zero_point", ""),
    ("MaxPool", "X", "auto_pad NOTSET, ceil_mode 0, storage_order 0"),
    ("MaxRoiPool", "X rois", "spatial_scale 1"),
    ("MaxUnpool", "X I output_shape", ""),
    (
        "MelWeightMatrix",
        "num_mel_bins dft_length sample_rate lower_edge_hertz upper_edge_hertz",
        "output_datatype 1",
    ),
    ("Mod", "A B", "fmod 0"),
    ("Multinomial", "input", "dtype 6, sample_size 1"),
    ("NegativeLogLikelihoodLoss", "input target weight", "reduction mean"),
    (
        "NonMaxSuppression",
        "boxes scores max_output_boxes_per_class iou_threshold score_threshold",
        "center_point_box 0",
    ),
    ("OneHot", "indices depth values", "axis -1"),
    ("PRelu", "X slope", ""),
    ("Pad", "data pads constant_value axes", "mode constant, value 0"),
    (
        "QLinearConv",
        "x x_scale x_zero_point w w_scale w_zero_point y_scale y_zero_point B",
        "auto_pad NOTSET, group 1",
    ),
    ("QLinearMatMul", "a a_scale a_zero_point b b_scale b_zero_point y_scale y_zero_point", ""),
    (
        "QuantizeLinear",
        "x y_scale y_zero_point",
        "axis 1, block_size 0, output_dtype 0, precision 0, saturate 1",
    ),
    ("RMSNormalization", "X scale", "axis -1, epsilon 0.00001, stash_type 1"),
    ("RNN", "X W R B sequence_lens initial_h", "direction forward, layout 0, output_sequence 0"),
    ("RandomNormal", "", "dtype 1, mean 0, scale 1"),
    ("RandomNormalLike", "input", "mean 0, scale 1"),
    ("RandomUniform", "", "dtype 1, high 1, low 0"),
    ("RandomUniformLike", "input", "high 1, low 0"),
    ("Range", "start limit delta", "stash_type 1"),
    (
        "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare",
        "data axes",
        "keepdims 1, noop_with_empty_axes 0",
    ),
    ("Reshape", "data shape", "allowzero 0"),
    (
        "Resize",
        "X roi scales sizes",
        "antialias 0, coordinate_transformation_mode half_pixel, cubic_coeff_a -0.75, exclude_outside 0, extrapolation_value 0, keep_aspect_ratio_policy stretch, mode nearest, nearest_mode round_prefer_floor",
    ),
    ("ReverseSequence", "input sequence_lens", "batch_axis 1, time_axis 0"),
    (
        "RoiAlign",
        "X rois batch_indices",
        "coordinate_transformation_mode half_pixel, mode avg, output_height 1, output_width 1, sampling_ratio 0, spatial_scale 1",
    ),
    (
        "RotaryEmbedding",
        "X cos_cache sin_cache position_ids",
        "interleaved 0, rotary_embedding_dim 0",
    ),
    ("STFT", "signal frame_step window frame_length", "onesided 1"),
    ("Scatter", "data indices updates", "axis 0"),
    ("ScatterElements", "data indices updates", "axis 0, reduction none"),
    ("ScatterND", "data indices updates", "reduction none"),
    ("SequenceAt SequenceErase", "input_sequence position", ""),
    ("SequenceInsert", "input_sequence tensor position", ""),
    ("SequenceMap", "input_sequence additional_inputs", ""),
    ("Shape", "data", "start 0"),
    ("Shrink", "input", "bias 0, lambd 0.5"),
    ("Slice", "data starts ends axes steps", ""),
    ("SoftmaxCrossEntropyLoss", "scores labels weights", "reduction mean"),
    ("Split", "input split", ""),
    ("SplitToSequence", "input split", "axis 0, keepdims 1"),
    ("Squeeze Unsqueeze", "data axes", ""),
    ("StringNormalizer", "X", "case_change_action NONE, is_case_sensitive 0"),
    ("SwiGLU", "A B", "alpha 1"),
    ("TensorScatter", "past_cache update write_indices", "axis -2, mode linear"),
    ("Tile", "input repeats", ""),
    ("TopK", "X K", "axis -1, largest 1, sorted 1"),
    ("Trilu", "input k", "upper 1"),
    ("Unique", "X", "sorted 1"),
    ("Upsample", "X scales", "mode nearest"),
    ("Where", "condition X Y", ""),
];

/// Attributes of windows that have one number per dim, and the default of each.
const WINDOWS: &[(&str, i64)] =
    &[("strides", 1), ("dilations", 1), ("pads", 0), ("output_padding", 0)];

/// What ONNX says of an operator; nothing of those that are not in its list.
#[derive(Clone, Copy, Default)]
pub(super) struct Signature {
    inputs: &'static str,
    defaults: &'static str,
    is_listed: bool,
}

impl Signature {
    pub(super) fn of(node: &Node) -> Self {
        let is_onnx = matches!(&*node.domain, "" | "ai.onnx");
        let is_of = |names: &str| names.split(' ').any(|name| name == node.op_type);
        let found = SIGNATURES.iter().find(|(names, ..)| is_onnx && is_of(names));
        found.map_or_else(Self::default, |(_, inputs, defaults)| Signature {
            inputs,
            defaults,
            is_listed: true,
        })
    }

    /// The name of an input.
    pub(super) fn input(self, position: usize) -> Option<&'static str> {
        self.inputs.split(' ').nth(position).filter(|name| !name.is_empty())
    }

    /// Whether an attribute is its default: the result is the same without it.
    pub(super) fn is_default(self, attribute: &Attribute) -> bool {
        // Operators with windows are those with padding.
        let has_windows = self.defaults.starts_with("auto_pad");
        let window = WINDOWS.iter().find(|(name, _)| has_windows && *name == attribute.name);
        match (window, attribute.value()) {
            // No list has a default with numbers, except for windows.
            (_, Some(Value::Ints([]))) => self.is_listed,
            (Some((_, default)), Some(Value::Ints(numbers))) => {
                numbers.iter().all(|number| number == default)
            }
            (None, Some(value)) => {
                let defaults = self.defaults.split(", ").filter_map(|it| it.split_once(' '));
                let mut own = defaults.filter(|(name, _)| *name == attribute.name);
                own.any(|(_, default)| is_same(value, default))
            }
            _ => false,
        }
    }
}

/// Whether a value is the one with that text in the list.
fn is_same(value: Value<'_>, text: &str) -> bool {
    match value {
        Value::Float(value) => text.parse() == Ok(value),
        Value::Int(value) => text.parse() == Ok(value),
        Value::String(value) => value == text,
        _ => false,
    }
}
