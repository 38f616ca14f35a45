//! Which nodes of ONNX an operator of TenniS becomes.

use fourfold::tsm::DType;
use fourfold_tennis::{Operator, prior_ratios};

use super::dense::{self, Deviation};
use super::detection::{self, PriorBox};
use super::image::{self, Filters, Window, four, padding_of};
use super::priors::{self, Detection};
use super::reshape;
use super::select::{self, Strided};
use super::site::{Lowered, Site, Value};
use super::{affine, boxes, deformable, elementwise, filter, pad, quantized, reduce, resample};
use crate::refused::unknown_sizes;

/// The operators that have no counterpart whatever their params are, and why.
pub const REFUSED: &[(&str, &str)] = &[
    ("<var>", "TenniS does not run it"),
    ("proposal", "ONNX has no such operator"),
    (
        "winograd_transform_kernel",
        "its weights are in an order of TenniS's own; convert the module from before compiling",
    ),
];

/// Why an operator is refused whatever its params are.
pub(super) fn refused(operator: &Operator) -> Option<&'static str> {
    REFUSED.iter().find(|(name, _)| *name == operator.name()).map(|(_, reason)| *reason)
}

/// Adds the nodes for an operator.
pub(super) fn lower(site: &mut Site<'_>, operator: &Operator) -> Lowered {
    use Operator as Op;
    match operator {
        Op::Copy => {
            let x = site.input(0)?;
            site.emit("Identity", &[&x.name], Vec::new())
        }
        // Where there are outputs, the count of their dims is known.
        Op::Dims => Err("the count of dims of its input is unknown".into()),
        Op::Shape => {
            let [x] = site.take()?;
            site.emit_as(DType::Int64, "Shape", &[&x.name], Vec::new())
        }
        Op::Abs => elementwise::abs(site),
        Op::Add => elementwise::binary(site, "Add"),
        Op::Sub => elementwise::binary(site, "Sub"),
        Op::Mul => elementwise::binary(site, "Mul"),
        Op::Div => elementwise::div(site),
        Op::Mod => elementwise::modulo(site),
        Op::Maximum => elementwise::binary(site, "Max"),
        Op::Equal => elementwise::equal(site),
        Op::Where => elementwise::select(site),
        Op::Ceil => elementwise::rounding(site, "Ceil"),
        Op::Floor => elementwise::rounding(site, "Floor"),
        Op::Erf => elementwise::erf(site),
        Op::Exp => elementwise::float(site, "Exp"),
        Op::Tanh => elementwise::float(site, "Tanh"),
        Op::Sigmoid => elementwise::sigmoid(site),
        Op::Softplus => elementwise::softplus(site),
        Op::Sqrt => elementwise::sqrt(site),
        Op::Rsqrt => elementwise::rsqrt(site),
        Op::Square => elementwise::square(site),
        Op::Relu => elementwise::relu(site),
        Op::ReluMax { max } => elementwise::relu_max(site, *max),
        Op::LeakyRelu { scale } => elementwise::leaky_relu(site, *scale),
        Op::Prelu { dim } => elementwise::prelu(site, *dim),
        Op::HardSigmoid { alpha, beta } => elementwise::hard_sigmoid(site, *alpha, *beta),
        Op::Pow { y } => elementwise::pow(site, *y),
        Op::ToFloat => elementwise::cast(site, DType::Float32),
        Op::Cast { dtype } => elementwise::cast(site, *dtype),

        Op::InnerProd { transpose, kernel_packed } => {
            dense::inner_prod(site, *transpose, *kernel_packed)
        }
        Op::Gemm { alpha, beta, trans_a, trans_b } => {
            dense::gemm(site, (*alpha, *beta), (*trans_a, *trans_b))
        }
        Op::Matmul => dense::matmul(site),
        Op::Lstm { direction, hidden_size } => dense::lstm(site, *direction, *hidden_size),
        Op::BatchNorm { dim, epsilon } | Op::FusedBatchNorm { dim, epsilon } => {
            dense::batch_norm(site, *dim, *epsilon)
        }
        Op::BatchScale { dim } => dense::batch_scale(site, *dim),
        Op::AddBias { format, dim } => dense::add_bias(site, *format, *dim),
        Op::Softmax { dim, smooth: true } => dense::softmax(site, *dim),
        Op::Softmax { dim, smooth: false } => dense::rough_softmax(site, *dim),
        Op::L2Norm { dim, epsilon } => dense::l2_norm(site, *dim, *epsilon),
        Op::Prewhiten => dense::whitened(site, Deviation::AtLeast),
        Op::NormImage { epsilon } => dense::whitened(site, Deviation::And(*epsilon)),
        Op::ReduceSum { dims, keep_dims } => reduce::sum(site, *dims, *keep_dims),
        Op::ReduceMean { dims, keep_dims } => reduce::mean(site, dims, *keep_dims),
        Op::Max { dim, keep_dims } => reduce::max(site, *dim, *keep_dims),
        Op::Argmax { dim } => select::argmax(site, *dim),
        Op::Topkv2 { number, .. } => select::topk(site, *number),
        _ => lower_windows(site, operator),
    }
}

/// Convolutions, pooling, and images in another size.
fn lower_windows(site: &mut Site<'_>, operator: &Operator) -> Lowered {
    use Operator as Op;
    /// A kernel of 3 by 3, as Winograd's algorithm has it.
    const ONES: [i32; 4] = [1; 4];
    let two =
        |site: &Site<'_>, weights: usize| Ok::<_, String>((site.input(0)?, site.input(weights)?));
    match operator {
        Op::Conv2d { format, padding, padding_value, stride, dilation, kernel_packed } => {
            let window = Window::of(*format, *padding, *stride, *dilation)?;
            let inputs = two(site, 1)?;
            image::conv(site, inputs, window, *padding_value, Filters::Whole, *kernel_packed)
        }
        Op::DepthwiseConv2d { format, padding, padding_value, stride, dilation, kernel_packed } => {
            let window = Window::of(*format, *padding, *stride, *dilation)?;
            let inputs = two(site, 1)?;
            image::conv(site, inputs, window, *padding_value, Filters::Depthwise, *kernel_packed)
        }
        Op::Conv2dV2 { format, padding_value, stride, dilation, kernel_packed } => {
            let padding = padding_of(&site.input(1)?)?;
            let window = Window::of(*format, padding, *stride, *dilation)?;
            let inputs = two(site, 2)?;
            image::conv(site, inputs, window, *padding_value, Filters::Whole, *kernel_packed)
        }
        Op::DepthwiseConv2dV2 { format, padding_value, stride, dilation, kernel_packed } => {
            let padding = padding_of(&site.input(1)?)?;
            let window = Window::of(*format, padding, *stride, *dilation)?;
            let inputs = two(site, 2)?;
            image::conv(site, inputs, window, *padding_value, Filters::Depthwise, *kernel_packed)
        }
        Op::Conv2dWinograd { format, padding, padding_value, kernel_winograd_transformed } => {
            let window = Window::of_winograd(*format, *padding)?;
            let inputs = two(site, 1)?;
            image::conv(
                site,
                inputs,
                window,
                *padding_value,
                Filters::Whole,
                *kernel_winograd_transformed,
            )
        }
        Op::Conv2dWinogradV2 { format, padding_value, kernel_winograd_transformed } => {
            let padding = padding_of(&site.input(1)?)?;
            let window = Window::of_winograd(*format, padding)?;
            let inputs = two(site, 2)?;
            image::conv(
                site,
                inputs,
                window,
                *padding_value,
                Filters::Whole,
                *kernel_winograd_transformed,
            )
        }
        Op::DcnV2Forward { format, padding, deformable_groups, stride, dilation } => {
            let window = Window::of(*format, *padding, *stride, *dilation)?;
            deformable::conv(site, window, *deformable_groups)
        }
        Op::TransposeConv2d { format, padding, stride, dilation, kernel_packed, .. } => {
            let window = Window::of(*format, *padding, *stride, *dilation)?;
            image::transposed_conv(site, window, *kernel_packed)
        }
        Op::Pooling2d { format, kind, padding, padding_type, ksize, stride } => {
            let [x] = site.take()?;
            let window = Window::of(*format, *padding, *stride, ONES)?;
            image::pool(site, &x, window, *ksize, *kind, *padding_type)
        }
        Op::Pooling2dV2 { format, kind, padding_type } => {
            let [x, padding, ksize, stride] = site.take()?;
            let (padding, ksize) = (padding_of(&padding)?, four(&ksize, "ksize")?);
            let window = Window::of(*format, padding, four(&stride, "stride")?, ONES)?;
            image::pool(site, &x, window, ksize, *kind, *padding_type)
        }
        Op::GlobalPooling2d { format, kind } => image::global_pool(site, *format, *kind),
        Op::SpaceToBatch4d { padding, block_shape } => {
            image::space_to_batch(site, *padding, *block_shape)
        }
        Op::BatchToSpace4d { crop, block_shape } => {
            image::batch_to_space(site, *crop, *block_shape)
        }
        Op::Resize2d { kind } => resample::resize2d(site, *kind),
        Op::Conv2dQuantized {
            format,
            padding,
            padding_value,
            stride,
            dilation,
            dequantize_scales,
        } => {
            let window = Window::of(*format, *padding, *stride, *dilation)?;
            quantized::conv(site, window, *padding_value, dequantize_scales)
        }
        Op::Quantize { quantize_scale } => quantized::quantize(site, quantize_scale),
        Op::ForceColor => filter::force_color(site),
        Op::ForceGray { scale } => filter::force_gray(site, scale.as_deref()),
        Op::NhwcCenterCrop2d { size } => filter::center_crop(site, *size),
        Op::NhwcScaleResize2d { kind, .. } => filter::scale_resize(site, *kind),
        Op::NhwcLetterbox { kind, outer_value, .. } => filter::letterbox(site, *kind, *outer_value),
        Op::ResizeNearestNeighbor { dim, .. } => resample::nearest_neighbor(site, *dim),
        Op::AffineSample2d { kind, dim, outer_value } => {
            affine::sample(site, *kind, *dim, *outer_value)
        }
        Op::Sample2d { scale, kind, dim } => resample::sample(site, *scale, *kind, *dim),
        Op::Sample2dV2 { kind } => {
            let scales = floats(site, &site.input(1)?)?;
            resample::sample_v2(site, *kind, &scales)
        }
        _ => lower_detection(site, operator),
    }
}

/// What finds objects.
fn lower_detection(site: &mut Site<'_>, operator: &Operator) -> Lowered {
    use Operator as Op;
    match operator {
        Op::NonMaxSuppressionV3 { max_output_size, iou_threshold, score_threshold, mode } => {
            detection::non_max_suppression(
                site,
                *max_output_size,
                *iou_threshold,
                *score_threshold,
                mode,
            )
        }
        Op::PriorBox {
            min_size,
            max_size,
            aspect_ratio,
            flip,
            clip,
            variance,
            offset,
            img_w,
            img_h,
            img_size,
            step_w,
            step_h,
            step,
        } => {
            let boxes = PriorBox {
                min_size,
                max_size,
                ratios: prior_ratios(aspect_ratio, *flip),
                clip: *clip,
                variance: variance.as_deref(),
                offset: *offset,
                image: (*img_h, *img_w, *img_size),
                step: (*step_h, *step_w, *step),
            };
            detection::prior_box(site, &boxes)
        }
        Op::RoiAlign { pool_h, pool_w, spatial_scale, sampling_ratio } => {
            detection::roi_align(site, [*pool_h, *pool_w], *spatial_scale, *sampling_ratio)
        }
        Op::ShapeIndexPatch { .. } => detection::shape_index_patch(site),
        Op::Yolo { classes, mask, anchors } => detection::yolo(site, *classes, mask, anchors),
        Op::DetectionOutput {
            num_classes,
            share_location,
            background_label_id,
            nms_threshold,
            nms_top_k,
            nms_eta,
            code_type,
            variance_encoded_in_target,
            keep_top_k,
            confidence_threshold,
        } => {
            let params = Detection {
                classes: *num_classes,
                share_location: *share_location,
                background: *background_label_id,
                nms_threshold: *nms_threshold,
                nms_top_k: *nms_top_k,
                nms_eta: *nms_eta,
                code_type: *code_type,
                variance_encoded_in_target: *variance_encoded_in_target,
                keep_top_k: *keep_top_k,
                confidence_threshold: *confidence_threshold,
            };
            priors::detection_output(site, &params)
        }
        Op::YoloPoster { thresh, nms } => boxes::yolo_poster(site, *thresh, *nms),
        _ => lower_layout(site, operator),
    }
}

/// Elements in another shape or order, and parts of them.
fn lower_layout(site: &mut Site<'_>, operator: &Operator) -> Lowered {
    use Operator as Op;
    let int64s = |values: &[i32]| values.iter().map(|&value| value.into()).collect::<Vec<i64>>();
    match operator {
        Op::Reshape { shape } => reshape::reshape(site, shape),
        Op::ReshapeV2 => reshape::reshape_v2(site),
        Op::Flatten { dim } => reshape::flatten(site, *dim),
        Op::Flatten2d { dim } => reshape::flatten2d(site, *dim),
        Op::Transpose { permute } => reshape::transpose(site, permute.as_deref()),
        Op::Unsqueeze { axes } => reshape::unsqueeze(site, axes),
        Op::Squeeze { axes } => reshape::squeeze(site, axes.as_deref()),
        Op::Expand { front, end, inverse } => reshape::expand(site, *front, *end, *inverse),
        Op::Concat { dim } => reshape::concat(site, *dim),
        Op::Stack { axis } => reshape::stack(site, *axis),
        Op::Chunk { dim, .. } => reshape::chunk(site, *dim),
        Op::Split { axis } => reshape::split(site, *axis),
        Op::Tile { repeats } => reshape::tile(site, &int64s(repeats)),
        Op::TileV2 => {
            let repeats = site.input(1)?.known("repeats")?.to_vec();
            reshape::tile(site, &repeats)
        }
        Op::Slice { begin, size } => select::slice(site, &int64s(begin), &int64s(size)),
        Op::SliceV2 => {
            let (begin, size) = (site.input(1)?, site.input(2)?);
            select::slice(site, begin.known("begins")?, size.known("sizes")?)
        }
        Op::SliceV3 => select::slice_v3(site),
        Op::StridedSlice {
            begin,
            end,
            stride,
            begin_mask,
            end_mask,
            ellipsis_mask,
            new_axis_mask,
            shrink_axis_mask,
        } => {
            let strided = Strided {
                begin,
                end,
                stride: stride.as_deref(),
                begin_mask: *begin_mask,
                end_mask: *end_mask,
                ellipsis_mask: *ellipsis_mask,
                new_axis_mask: *new_axis_mask,
                shrink_axis_mask: *shrink_axis_mask,
            };
            select::strided_slice(site, &strided)
        }
        Op::Gather { axis } => select::gather(site, *axis),
        Op::GatherElements { axis } => select::gather_elements(site, *axis),
        Op::Gatherv2 => select::gather_nd(site),
        Op::ScatterNd => select::scatter_nd(site),
        Op::Dimshuffle { dim, shuffle } => select::dimshuffle(site, *dim, shuffle),
        Op::Pad { padding_value } => pad::pad(site, *padding_value),
        Op::CropNd { shift } => pad::crop_nd(site, shift.as_deref()),
        Op::CropTo { axis, offset } => pad::crop_to(site, *axis, offset.as_deref()),
        Op::Limit { shape } => pad::limit(site, shape),
        Op::Divided { size, padding_value } => pad::divided(site, size, *padding_value),
        Op::Broadcast => select::broadcast(site),
        Op::ConstantOfShape { value } => select::constant_of_shape(site, value.as_ref()),
        Op::Range => select::range(site),
        Op::DragonConv2dPadding { .. }
        | Op::DragonPooling2dPadding { .. }
        | Op::MxPooling2dPadding { .. }
        | Op::OnnxPooling2dPadding { .. }
        | Op::TfConv2dPadding { .. }
        | Op::TfPooling2dPadding { .. } => {
            Err(unknown_sizes("it depends on sizes that are unknown"))
        }
        other => Err(refused(other).unwrap_or("it has no counterpart").to_owned()),
    }
}

/// The elements of a constant of floats, or few integers.
fn floats(site: &Site<'_>, value: &Value) -> Lowered<Vec<f32>> {
    let bytes = site.builder.find(&value.name).and_then(|tensor| tensor.raw_data.as_ref());
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as TenniS")]
    match (value.dtype, bytes, &value.ints) {
        (DType::Float32, Some(bytes), _) => {
            let each = bytes.chunks_exact(4).filter_map(|bytes| bytes.try_into().ok());
            Ok(each.map(f32::from_le_bytes).collect())
        }
        (DType::Float64, Some(bytes), _) => {
            let each = bytes.chunks_exact(8).filter_map(|bytes| bytes.try_into().ok());
            Ok(each.map(|bytes| f64::from_le_bytes(bytes) as f32).collect())
        }
        (_, _, Some(known)) => Ok(known.iter().map(|&number| number as f32).collect()),
        _ => Err("ONNX needs constant scales".into()),
    }
}
