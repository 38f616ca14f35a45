//! The list of operators, with their params.

use fourfold::tsm::{DType, Tensor};

use super::operators;
use crate::error::Error;
use crate::kinds::{AutoPad, Direction, Format, PadType, PaddingMethod};
use crate::kinds::{PoolType, ResizeType, WinogradMode};
use crate::params::{Field as _, Params, Written};

operators! {
    /// What a node does, with its params.
    ///
    /// Variants are the operators that have a kernel in the CPU backend of TenniS 1.3.0, by TenniS's
    /// names in CamelCase, and what TenniS handles itself: `<param>`, `<const>`, `<var>`, `_field`
    /// and `_pack`. Fields are the params.
    Operator

    plain {
        /// An input of the module.
        Param = "<param>";
        /// A tensor.
        Const = "<const>";
        /// Reserved by TenniS, which does not run it.
        Var = "<var>";
        /// Makes a packed tensor of the inputs.
        Pack = "_pack";
        /// The inputs.
        Copy = "_copy";
        /// The shape of x, as int32.
        Shape = "_shape";
        /// The count of dims of x, as int32 without dims.
        Dims = "_dims";
        /// The absolute value.
        Abs = "abs";
        /// The sum of a and b, broadcast.
        Add = "add";
        /// a less b, broadcast.
        Sub = "sub";
        /// The product of a and b, broadcast.
        Mul = "mul";
        /// The quotient of a and b, broadcast.
        Div = "div";
        /// The remainder of integers a and b as C++ has it, broadcast.
        Mod = "mod";
        /// The larger of a and b, broadcast.
        Maximum = "maximum";
        /// Whether a and b are equal, broadcast.
        Equal = "equal";
        /// b where a is true, else c; broadcast.
        Where = "where";
        /// The least integer that is not less.
        Ceil = "ceil";
        /// The largest integer that is not larger.
        Floor = "floor";
        /// The Gauss error function.
        Erf = "erf";
        /// The exponential function.
        Exp = "exp";
        /// The square root.
        Sqrt = "sqrt";
        /// The reciprocal of the square root.
        Rsqrt = "rsqrt";
        /// The square.
        Square = "square";
        /// The hyperbolic tangent.
        Tanh = "tanh";
        /// The logistic function.
        Sigmoid = "sigmoid";
        /// The logarithm of 1 and the exponential function.
        Softplus = "softplus";
        /// x where it is positive, else 0.
        Relu = "relu";
        /// x less its mean, divided by its standard deviation, for each item of the batch.
        Prewhiten = "prewhiten";
        /// Cast to float32.
        ToFloat = "to_float";
        /// x broadcast to the shape that is the second input.
        Broadcast = "broadcast";
        /// x reshaped to the second input: 0 keeps a dim, -1 is computed.
        ReshapeV2 = "_reshape_v2";
        /// x repeated as often in each dim as the second input has it.
        TileV2 = "tile_v2";
        /// The items of x at the indices, which are the last dim of the second input.
        Gatherv2 = "gatherv2";
        /// x with the updates (third input) at the indices (second input).
        ScatterNd = "scatter_nd";
        /// The product of matrices.
        Matmul = "matmul";
        /// The numbers from the first input to the second, in steps of the third.
        Range = "range";
        /// x from the second input, in sizes of the third input.
        SliceV2 = "slice_v2";
        /// x from starts to ends; axes and steps are the fourth and fifth input.
        SliceV3 = "slice_v3";
        /// An image of 3 channels, in NHWC.
        ForceColor = "force_color";
    }

    params {
        /// A tensor of a packed tensor.
        Field = "_field" { offset: i32 = required }
        /// x with a bias for each size of a dim. One of the params is needed; `dim` counts.
        AddBias = "add_bias" { format: Option<Format> = optional, dim: Option<i32> = optional }
        /// x transformed by a matrix (third input), in the size that is the second input.
        AffineSample2d = "affine_sample2d" {
            kind as "type": ResizeType = required,
            dim: i32 = required,
            outer_value: Option<f32> = optional,
        }
        /// The index of the largest value in a dim, as int32.
        Argmax = "argmax" { dim: i32 = required }
        /// x less the mean, divided by the square root of variance and epsilon.
        BatchNorm = "batch_norm" { dim: i32 = required, epsilon: f32 = or(1e-5) }
        /// x by a scale, with a bias.
        BatchScale = "batch_scale" { dim: i32 = required }
        /// Blocks of the batch moved to height and width.
        BatchToSpace4d = "batch_to_space4d" {
            crop: [[i32; 2]; 2] = required,
            block_shape: [i32; 2] = required,
        }
        /// Cast to a type.
        Cast = "_cast" { dtype: DType = required }
        /// x divided in a dim, packed.
        Chunk = "chunk" { chunks: i32 = required, dim: i32 = or(-2) }
        /// The inputs one after the other in a dim.
        Concat = "concat" { dim: i32 = required }
        /// A tensor of the shape that is the input.
        ConstantOfShape = "constant_of_shape" { value: Option<Tensor<'static>> = optional }
        /// The convolution of x and w.
        Conv2d = "conv2d" {
            format: Format = required,
            padding: [[i32; 2]; 4] = required,
            padding_value: f32 = or(0.0),
            stride: [i32; 4] = required,
            dilation: [i32; 4] = dilation,
            kernel_packed: bool = or(false),
        }
        /// The convolution of x and w, both int8.
        Conv2dQuantized = "conv2d_quantized" {
            format: Format = required,
            padding: [[i32; 2]; 4] = required,
            padding_value: f32 = or(0.0),
            stride: [i32; 4] = required,
            dilation: [i32; 4] = dilation,
            dequantize_scales: Vec<f32> = required,
        }
        /// The convolution of x and w (third input); the second input is the padding.
        Conv2dV2 = "conv2d_v2" {
            format: Format = required,
            padding_value: f32 = or(0.0),
            stride: [i32; 4] = required,
            dilation: [i32; 4] = dilation,
            kernel_packed: bool = or(false),
        }
        /// The convolution of x and w of 3 by 3, with stride 1.
        Conv2dWinograd = "conv2d_winograd" {
            format: Format = required,
            padding: [[i32; 2]; 4] = required,
            padding_value: f32 = or(0.0),
            kernel_winograd_transformed: bool = or(false),
        }
        /// The convolution of x and w (third input) of 3 by 3; the second input is the padding.
        Conv2dWinogradV2 = "conv2d_winograd_v2" {
            format: Format = required,
            padding_value: f32 = or(0.0),
            kernel_winograd_transformed: bool = or(false),
        }
        /// x cut or padded to the shape that is the second input, around the center or from `shift`.
        CropNd = "crop_nd" { shift: Option<Vec<i32>> = optional }
        /// x cut or padded to the sizes of the second input, in the dims from `axis`.
        CropTo = "crop_to" { axis: i32 = or(2), offset: Option<Vec<i32>> = optional }
        /// The deformable convolution of x, w, bias, offset and mask.
        DcnV2Forward = "dcn_v2_forward" {
            format: Format = required,
            padding: [[i32; 2]; 4] = required,
            deformable_groups: i32 = required,
            stride: [i32; 4] = required,
            dilation: [i32; 4] = required,
        }
        /// The convolution of each channel of x with one of w.
        DepthwiseConv2d = "depthwise_conv2d" {
            format: Format = required,
            padding: [[i32; 2]; 4] = required,
            padding_value: f32 = or(0.0),
            stride: [i32; 4] = required,
            dilation: [i32; 4] = dilation,
            kernel_packed: bool = or(false),
        }
        /// The convolution of each channel of x with one of w (third input); the second input is the padding.
        DepthwiseConv2dV2 = "depthwise_conv2d_v2" {
            format: Format = required,
            padding_value: f32 = or(0.0),
            stride: [i32; 4] = required,
            dilation: [i32; 4] = dilation,
            kernel_packed: bool = or(false),
        }
        /// The boxes of an SSD, from locations, confidences and priors.
        DetectionOutput = "detection_output" {
            num_classes: i32 = required,
            share_location: bool = or(true),
            background_label_id: i32 = or(0),
            nms_threshold: f32 = or(0.3),
            nms_top_k: i32 = or(1000),
            nms_eta: f32 = or(1.0),
            code_type: i32 = or(1),
            variance_encoded_in_target: bool = or(false),
            keep_top_k: i32 = or(-1),
            confidence_threshold: f32 = or(1e-5),
        }
        /// The items of a dim in another order.
        Dimshuffle = "_dimshuffle" { dim: i32 = required, shuffle: Vec<i32> = required }
        /// x padded to multiples of sizes.
        Divided = "divided" { size: Vec<i32> = required, padding_value: f32 = or(0.0) }
        /// The padding of a convolution, from x and w, as Dragon computes it.
        DragonConv2dPadding = "_dragon_conv2d_padding" {
            format: Format = required,
            stride: [i32; 4] = required,
            dilation: [i32; 4] = required,
            padding_method: AutoPad = or(AutoPad::Valid),
            padding: [[i32; 2]; 4] = or([[0; 2]; 4]),
        }
        /// The padding of pooling, from x, ksize and stride, as Dragon computes it.
        DragonPooling2dPadding = "_dragon_pooling2d_padding" {
            ceil: bool = or(true),
            auto_pad: AutoPad = or(AutoPad::Valid),
            padding: [[i32; 2]; 4] = or([[0; 2]; 4]),
        }
        /// x with dims of 1 added, up to the count that is the second input.
        Expand = "_expand" { front: i32 = or(-1), end: i32 = or(-1), inverse: bool = or(false) }
        /// x with all dims from `dim` as one.
        Flatten = "flatten" { dim: i32 = or(1) }
        /// x as a matrix: the dims before `dim`, and the others.
        Flatten2d = "flatten2d" { dim: i32 = or(1) }
        /// An image of 1 channel, in NHWC.
        ForceGray = "force_gray" { scale: Option<Vec<f32>> = optional }
        /// Normalization with mean and variance, then scale and bias.
        FusedBatchNorm = "fused_batch_norm" { dim: i32 = required, epsilon: f32 = or(1e-5) }
        /// The items of x at the indices that are the second input.
        Gather = "gather" { axis: i32 = or(0) }
        /// The values of x at an index for each.
        GatherElements = "gather_elements" { axis: i32 = or(0) }
        /// The product of matrices, with a bias. All params are written: TenniS has defaults, but does not
        /// compile a module without them.
        Gemm = "gemm" {
            alpha: f32 = one,
            beta: f32 = one,
            trans_a as "transA": bool = off,
            trans_b as "transB": bool = off,
        }
        /// Pooling of whole images.
        GlobalPooling2d = "global_pooling2d" {
            format: Format = required,
            kind as "type": PoolType = required,
        }
        /// A line, cut at 0 and 1.
        HardSigmoid = "hard_sigmoid" { alpha: f32 = or(0.2), beta: f32 = or(0.5) }
        /// The product of matrices; x is flattened.
        InnerProd = "inner_prod" { transpose: bool = or(false), kernel_packed: bool = or(false) }
        /// x divided by the square root of the sum of squares and epsilon, in a dim.
        L2Norm = "l2_norm" { dim: i32 = or(-1), epsilon: f32 = or(1e-10) }
        /// x where it is positive, else x by a scale.
        LeakyRelu = "leaky_relu" { scale: f32 = or(0.0) }
        /// x cut around its center to at most a shape; -1 is no limit.
        Limit = "_limit" { shape: Vec<i32> = required }
        /// A long short-term memory, packed: all outputs, the last one, and the last state.
        Lstm = "LSTM" { direction: Direction = required, hidden_size: i32 = required }
        /// The largest value in a dim.
        Max = "max" { dim: i32 = required, keep_dims: i32 = or(1) }
        /// The padding of pooling, from x, ksize and stride, as MXNet computes it.
        MxPooling2dPadding = "_mx_pooling2d_padding" {
            valid: i32 = required,
            format: Format = required,
            padding: [[i32; 2]; 4] = required,
        }
        /// An image cut or padded to width and height, in NHWC.
        NhwcCenterCrop2d = "_nhwc_center_crop2d" { size: [i32; 2] = required }
        /// An image scaled into width and height, in NHWC.
        NhwcLetterbox = "_nhwc_letterbox" {
            size: Vec<i32> = required,
            kind as "type": ResizeType = or(ResizeType::Linear),
            outer_value: f32 = or(0.0),
        }
        /// An image scaled to width and height, or its shorter side to a size, in NHWC.
        NhwcScaleResize2d = "_nhwc_scale_resize2d" {
            size: Vec<i32> = required,
            kind as "type": ResizeType = or(ResizeType::Linear),
        }
        /// The indices of boxes that do not overlap, as int32.
        NonMaxSuppressionV3 = "non_max_suppression_v3" {
            max_output_size: i32 = required,
            iou_threshold: f32 = required,
            score_threshold: f32 = required,
            mode: String = required,
        }
        /// An image less its mean, divided by its standard deviation and epsilon.
        NormImage = "norm_image" { epsilon: f32 = or(1e-5) }
        /// The padding of pooling, from x, ksize and stride, as ONNX computes it.
        OnnxPooling2dPadding = "_onnx_pooling2d_padding" {
            auto_pad: AutoPad = or(AutoPad::NotSet),
            padding: [[i32; 2]; 4] = or([[0; 2]; 4]),
        }
        /// x padded or cut by the second input.
        Pad = "pad" { padding_value: f32 = or(0.0) }
        /// Pooling.
        Pooling2d = "pooling2d" {
            format: Format = required,
            kind as "type": PoolType = required,
            padding: [[i32; 2]; 4] = required,
            padding_type: PadType = or(PadType::Black),
            ksize: [i32; 4] = required,
            stride: [i32; 4] = required,
        }
        /// Pooling; padding, ksize and stride are inputs.
        Pooling2dV2 = "pooling2d_v2" {
            format: Format = required,
            kind as "type": PoolType = or(PoolType::Max),
            padding_type: PadType = or(PadType::Black),
        }
        /// x to the power of y.
        Pow = "pow" { y: f32 = required }
        /// x where it is positive, else x by a slope for each size of a dim.
        Prelu = "prelu" { dim: i32 = required }
        /// The default boxes of an SSD.
        PriorBox = "prior_box" {
            min_size: Vec<f32> = required,
            max_size: Vec<f32> = required,
            aspect_ratio: Vec<f32> = required,
            flip: bool = or(true),
            clip: bool = or(false),
            variance: Option<Vec<f32>> = optional,
            offset: f32 = or(0.5),
            img_w: Option<i32> = optional,
            img_h: Option<i32> = optional,
            img_size: Option<i32> = optional,
            step_w: Option<i32> = optional,
            step_h: Option<i32> = optional,
            step: Option<f32> = optional,
        }
        /// The boxes of a region proposal network, packed by level.
        Proposal = "proposal" {
            strides: Vec<i32> = required,
            ratios: Vec<f32> = required,
            scales: Vec<f32> = required,
            pre_nms_top_n: i32 = or(6000),
            post_nms_top_n: i32 = or(300),
            nms_thresh: f32 = or(0.7),
            min_size: i32 = or(16),
            min_level: i32 = or(2),
            max_level: i32 = or(5),
            canonical_scale: i32 = or(224),
            canonical_level: i32 = or(4),
        }
        /// x as int8, by a scale for each item of the batch.
        Quantize = "quantize" { quantize_scale: Vec<f32> = required }
        /// The mean of dims that follow each other.
        ReduceMean = "reduce_mean" { dims: Vec<i32> = required, keep_dims: bool = or(true) }
        /// The sum of a dim: TenniS takes the first of several.
        ReduceSum = "reduce_sum" { dims: i32 = required, keep_dims: bool = or(true) }
        /// x where it is positive, else 0, but at most a number.
        ReluMax = "relu_max" { max: f32 = or(0.0) }
        /// x reshaped: 0 keeps a dim, -1 is computed.
        Reshape = "_reshape" { shape: Vec<i32> = required }
        /// x resized to the shape that is the second input; -1 keeps a dim.
        Resize2d = "_resize2d" { kind as "type": ResizeType = or(ResizeType::Linear) }
        /// x resized to the height and width that are the second input.
        ResizeNearestNeighbor = "resize_nearest_neighbor" {
            align_corners: i32 = or(0),
            dim: i32 = required,
        }
        /// Regions of x, of one size.
        RoiAlign = "roi_align" {
            pool_h: i32 = required,
            pool_w: i32 = required,
            spatial_scale: f32 = or(1.0),
            sampling_ratio: i32 = or(2),
        }
        /// x resized by a scale, in two dims from `dim`.
        Sample2d = "sample2d" {
            scale: f32 = required,
            kind as "type": ResizeType = or(ResizeType::Nearest),
            dim: i32 = or(-2),
        }
        /// x resized by a scale for each dim, which is the second input.
        Sample2dV2 = "sample2d_v2" { kind as "type": ResizeType = or(ResizeType::Hard) }
        /// Patches of x around landmarks.
        ShapeIndexPatch = "shape_index_patch" {
            origin_patch: [i32; 2] = required,
            origin: [i32; 2] = required,
        }
        /// x from an offset, in sizes; -1 is up to the end.
        Slice = "slice" { begin: Vec<i32> = clamped, size: Vec<i32> = clamped }
        /// The exponential function, divided by its sum in a dim.
        Softmax = "softmax" { dim: i32 = required, smooth: bool = or(true) }
        /// Blocks of height and width moved to the batch.
        SpaceToBatch4d = "space_to_batch4d" {
            padding: [[i32; 2]; 2] = required,
            block_shape: [i32; 2] = required,
        }
        /// x divided in a dim into the sizes of the second input, packed.
        Split = "split" { axis: i32 = required }
        /// x without dims of 1: those at `axes`, or all.
        Squeeze = "squeeze" { axes: Option<Vec<i32>> = optional }
        /// The inputs one after the other in a new dim.
        Stack = "stack" { axis: i32 = or(0) }
        /// x as Python slices it; bits of the masks are items of `begin`.
        StridedSlice = "strided_slice" {
            begin: Vec<i32> = required,
            end: Vec<i32> = required,
            stride: Option<Vec<i32>> = optional,
            begin_mask: i32 = or(0),
            end_mask: i32 = or(0),
            ellipsis_mask: i32 = or(0),
            new_axis_mask: i32 = or(0),
            shrink_axis_mask: i32 = or(0),
        }
        /// The padding of a convolution, from x and w, as TensorFlow computes it.
        TfConv2dPadding = "_tf_conv2d_padding" {
            format: Format = required,
            stride: [i32; 4] = required,
            dilation: [i32; 4] = required,
            padding_method: PaddingMethod = required,
            padding: [[i32; 2]; 4] = or([[0; 2]; 4]),
        }
        /// The padding of pooling, from x, ksize and stride, as TensorFlow computes it.
        TfPooling2dPadding = "_tf_pooling2d_padding" {
            format: Format = required,
            padding_method: PaddingMethod = required,
            padding: [[i32; 2]; 4] = or([[0; 2]; 4]),
        }
        /// x repeated in each dim.
        Tile = "tile" { repeats: Vec<i32> = required }
        /// The largest values in the last dim and their indices, packed.
        Topkv2 = "topkv2" { number: i32 = required, sorted: i32 = or(0) }
        /// x with its dims in another order; without `permute`, the last two are equal to the last one.
        Transpose = "_transpose" { permute: Option<Vec<i32>> = optional }
        /// The transposed convolution of x and w.
        TransposeConv2d = "transpose_conv2d" {
            format: Format = required,
            padding: [[i32; 2]; 4] = required,
            padding_value: f32 = or(0.0),
            stride: [i32; 4] = required,
            dilation: [i32; 4] = dilation,
            kernel_packed: bool = or(false),
        }
        /// x with dims of 1 added at `axes`, one after the other.
        Unsqueeze = "unsqueeze" { axes: Vec<i32> = required }
        /// The kernel of 3 by 3 for Winograd's algorithm.
        WinogradTransformKernel = "winograd_transform_kernel" {
            winograd_mode: WinogradMode = or(WinogradMode::F63),
        }
        /// The boxes of a YOLO layer, packed with the params.
        Yolo = "yolo" {
            classes: i32 = required,
            mask: Vec<i32> = required,
            anchors: Vec<f32> = required,
        }
        /// The boxes of all YOLO layers that do not overlap.
        YoloPoster = "yolo_poster" { thresh: f32 = required, nms: f32 = required }
    }
}
