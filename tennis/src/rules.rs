//! The outputs of each operator, from its inputs.

pub(crate) mod detection;
pub(crate) mod elementwise;
mod images;
mod layout;
mod matrices;
mod reshape;
mod slices;
mod windows;

use fourfold::tsm::{DType, Node};

pub(crate) use self::slices::positions;
use crate::operator::Operator as Op;
use crate::output::{MOST_VALUES, Output, Size};
use crate::value::Number;

/// Why outputs cannot be computed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Something is not known.
    Unknown(String),
    /// TenniS refuses the inputs.
    Wrong(String),
}

pub(crate) fn wrong<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Wrong(message.into()))
}

fn unknown<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Unknown(message.into()))
}

/// How many dims TenniS's shapes hold.
const MAX_DIMS: usize = 7;

/// The inputs of a node: the outputs of each, which are several if they are packed.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    /// The node itself.
    pub(crate) node: &'a Node<'a>,
    pub(crate) nodes: &'a [&'a [Output]],
    /// How many outputs the node may have, so that memory is not reserved by a number in the file.
    pub(crate) most_outputs: usize,
}

impl<'a> Inputs<'a> {
    fn exactly(self, expected: usize) -> Result<(), Failure> {
        match self.nodes.len() {
            found if found == expected => Ok(()),
            found => wrong(format!("the count of inputs is {found}, expected {expected}")),
        }
    }

    /// Of a packed input, operators take the first tensor.
    pub(crate) fn get(self, at: usize) -> Result<&'a Output, Failure> {
        match self.nodes.get(at).and_then(|outputs| outputs.first()) {
            Some(output) => Ok(output),
            None => wrong(format!("input {at} is missing")),
        }
    }

    fn dtype(self, at: usize) -> Result<Option<DType>, Failure> {
        Ok(self.get(at)?.dtype())
    }

    pub(crate) fn shape(self, at: usize) -> Result<&'a [Size], Failure> {
        match self.get(at)?.shape() {
            Some(shape) => Ok(shape),
            None => unknown(format!("the shape of input {at} is unknown")),
        }
    }

    /// The shape of an input that has so many dims.
    pub(crate) fn dims<const N: usize>(self, at: usize) -> Result<[Size; N], Failure> {
        let shape = self.shape(at)?;
        match shape.try_into() {
            Ok(sizes) => Ok(sizes),
            Err(_) => wrong(format!("input {at} has {} dims, expected {N}", shape.len())),
        }
    }

    /// The values of an input. Of values that are unknown, the count may be known.
    pub(crate) fn numbers(self, at: usize) -> Result<&'a [Option<Number>], Failure> {
        const UNKNOWN: &[Option<Number>] = &[None; MOST_VALUES];
        let input = self.get(at)?;
        let count = || usize::try_from(input.count()?).ok();
        match input.values().or_else(|| UNKNOWN.get(..count()?)) {
            Some(values) => Ok(values),
            None => unknown(format!("the values of input {at} are unknown")),
        }
    }

    /// The values of an input, cast to int32.
    fn values(self, at: usize) -> Result<Vec<Size>, Failure> {
        let values = self.numbers(at)?.iter();
        Ok(values.map(|value| value.map(Number::to_i32)).collect())
    }

    /// Refuses inputs of different types.
    fn of_one_dtype(self, inputs: &[usize]) -> Result<Option<DType>, Failure> {
        let mut common = None;
        for &at in inputs {
            match (common, self.dtype(at)?) {
                (None, found) => common = found,
                (Some(first), Some(found)) if first != found => {
                    return wrong(format!("{first} and {found} are different types"));
                }
                _ => {}
            }
        }
        Ok(common)
    }
}

/// The only output, of that shape.
fn one(dtype: Option<DType>, shape: Vec<Size>) -> Result<Vec<Output>, Failure> {
    Ok(vec![Output::new(dtype, shape)])
}

/// Whether two sizes can be the same.
fn agree(a: Size, b: Size) -> bool {
    a.is_none() || b.is_none() || a == b
}

/// The position of a dim, which may count from the end.
fn position(dim: i32, dims: usize) -> Result<usize, Failure> {
    let from_end =
        || usize::try_from(dim.unsigned_abs()).ok().and_then(|dim| dims.checked_sub(dim));
    let at = if dim < 0 { from_end() } else { usize::try_from(dim).ok() };
    match at {
        Some(at) if at < dims => Ok(at),
        _ => wrong(format!("there is no dim {dim} in {dims} dims")),
    }
}

/// A computed size.
fn size(value: impl Into<i128>) -> Result<Size, Failure> {
    let value = value.into();
    match i32::try_from(value) {
        Ok(value) if value >= 0 => Ok(Some(value)),
        _ => wrong(format!("a dim would have the size {value}")),
    }
}

/// The same shape with another size at a dim.
fn with_size(shape: &[Size], at: usize, size: Size) -> Vec<Size> {
    let sizes = shape.iter().enumerate();
    sizes.map(|(position, old)| if position == at { size } else { *old }).collect()
}

/// The outputs of an operator. `Param`, `Const` and `Field` are known without a rule.
pub(crate) fn outputs(operator: &Op, inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    let outputs = match operator {
        Op::Param | Op::Const | Op::Var | Op::Field { .. } => unknown("TenniS does not run it"),
        Op::Pack => Ok((0..inputs.nodes.len().min(inputs.most_outputs))
            .filter_map(|at| inputs.get(at).ok().cloned())
            .collect()),

        Op::Copy
        | Op::Abs
        | Op::Ceil
        | Op::Floor
        | Op::Erf
        | Op::Exp
        | Op::Sqrt
        | Op::Rsqrt
        | Op::Square
        | Op::Tanh
        | Op::Sigmoid
        | Op::Softplus
        | Op::Relu
        | Op::Prewhiten
        | Op::HardSigmoid { .. }
        | Op::LeakyRelu { .. }
        | Op::NormImage { .. }
        | Op::Pow { .. }
        | Op::ReluMax { .. } => elementwise::same(inputs),
        Op::L2Norm { dim, .. } | Op::Softmax { dim, .. } => elementwise::normalized(inputs, *dim),
        Op::Quantize { quantize_scale } => elementwise::quantized(inputs, quantize_scale.len()),
        Op::Cast { dtype } => elementwise::cast(inputs, *dtype),
        Op::ToFloat => elementwise::cast(inputs, DType::Float32),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Maximum => {
            elementwise::binary(inputs)
        }
        Op::Equal => elementwise::equal(inputs),
        Op::Where => elementwise::selected(inputs),
        Op::AddBias { format, dim } => elementwise::biased(inputs, *format, *dim),
        Op::BatchNorm { dim, .. } | Op::BatchScale { dim } => elementwise::by_size(inputs, *dim, 3),
        Op::FusedBatchNorm { dim, .. } => elementwise::by_size(inputs, *dim, 5),
        Op::Prelu { dim } => elementwise::by_size(inputs, *dim, 2),
        Op::ScatterNd => one(inputs.dtype(0)?, inputs.shape(0)?.to_vec()),

        Op::Shape => reshape::shape(inputs),
        Op::Dims => one(Some(DType::Int32), Vec::new()),
        Op::Broadcast => reshape::broadcast(inputs),
        Op::Reshape { shape } => {
            let sizes: Vec<_> = shape.iter().copied().map(Some).collect();
            reshape::reshape(inputs, &sizes, true)
        }
        Op::ReshapeV2 => reshape::reshape(inputs, &inputs.values(1)?, false),
        Op::Flatten { dim } => reshape::flatten(inputs, *dim),
        Op::Flatten2d { dim } => reshape::flatten2d(inputs, *dim),
        Op::Squeeze { axes } => reshape::squeeze(inputs, axes.as_deref().unwrap_or_default()),
        Op::Unsqueeze { axes } => reshape::unsqueeze(inputs, axes),
        Op::Expand { front, end, inverse } => reshape::expand(inputs, *front, *end, *inverse),
        Op::Transpose { permute } => reshape::transpose(inputs, permute.as_deref()),
        Op::Dimshuffle { dim, shuffle } => layout::dimshuffle(inputs, *dim, shuffle),
        Op::Concat { dim } => layout::concat(inputs, *dim),
        Op::Stack { axis } => layout::stack(inputs, *axis),
        Op::Chunk { chunks, dim } => layout::chunk(inputs, *chunks, *dim),
        Op::Split { axis } => layout::split(inputs, *axis),
        Op::Tile { repeats } => layout::tile(inputs, repeats.iter().copied().map(Some).collect()),
        Op::TileV2 => layout::tile(inputs, inputs.values(1)?),
        Op::Gather { axis } => layout::gather(inputs, *axis),
        Op::GatherElements { axis } => layout::gather_elements(inputs, *axis),
        Op::Gatherv2 => layout::gatherv2(inputs),
        Op::Pad { .. } => layout::pad(inputs),
        Op::CropNd { .. } => layout::crop_nd(inputs),
        Op::CropTo { axis, .. } => layout::crop_to(inputs, *axis),
        Op::Limit { shape } => layout::limit(inputs, shape),
        Op::Divided { size, .. } => layout::divided(inputs, size),
        Op::ConstantOfShape { value } => layout::constant_of_shape(inputs, value.as_ref()),
        Op::Range => layout::range(inputs),
        Op::Argmax { dim } => layout::argmax(inputs, *dim),
        Op::Max { dim, keep_dims } => layout::reduced(inputs, &[*dim], *keep_dims == 1),
        Op::ReduceMean { dims, keep_dims } => layout::reduced(inputs, dims, *keep_dims),
        Op::ReduceSum { dims, keep_dims } => layout::reduced(inputs, &[*dims], *keep_dims),
        Op::Topkv2 { number, .. } => layout::topkv2(inputs, *number),

        Op::Slice { begin, size } => slices::slice(inputs, begin, size),
        Op::SliceV2 => slices::slice_v2(inputs),
        Op::SliceV3 | Op::StridedSlice { .. } => slices::strided(operator, inputs),

        Op::Gemm { beta, trans_a, trans_b, .. } => {
            matrices::gemm(inputs, *beta, *trans_a, *trans_b)
        }
        Op::InnerProd { transpose, .. } => matrices::inner_prod(inputs, *transpose),
        Op::Matmul => matrices::matmul(inputs),
        Op::Lstm { direction, hidden_size } => matrices::lstm(inputs, *direction, *hidden_size),

        Op::Conv2d { .. }
        | Op::Conv2dQuantized { .. }
        | Op::Conv2dV2 { .. }
        | Op::Conv2dWinograd { .. }
        | Op::Conv2dWinogradV2 { .. }
        | Op::DcnV2Forward { .. }
        | Op::DepthwiseConv2d { .. }
        | Op::DepthwiseConv2dV2 { .. }
        | Op::TransposeConv2d { .. } => windows::convolution(operator, inputs),
        Op::WinogradTransformKernel { winograd_mode } => {
            windows::winograd_kernel(inputs, *winograd_mode)
        }
        Op::Pooling2d { format, padding, ksize, stride, .. } => {
            inputs.exactly(1)?;
            let sizes = |sizes: &[i32; 4]| sizes.map(Some);
            let padding = padding.map(|pair| pair.map(Some));
            windows::pooling(inputs, *format, &padding, &sizes(ksize), &sizes(stride))
        }
        Op::Pooling2dV2 { format, .. } => windows::pooling_v2(inputs, *format),
        Op::GlobalPooling2d { format, .. } => windows::global_pooling(inputs, *format),
        Op::DragonConv2dPadding { .. }
        | Op::DragonPooling2dPadding { .. }
        | Op::MxPooling2dPadding { .. }
        | Op::OnnxPooling2dPadding { .. }
        | Op::TfConv2dPadding { .. }
        | Op::TfPooling2dPadding { .. } => windows::padding(operator, inputs),

        Op::AffineSample2d { dim, .. } => images::affine_sample(inputs, *dim),
        Op::Resize2d { .. } => images::resize(inputs, &inputs.values(1)?),
        Op::ResizeNearestNeighbor { dim, .. } => images::resize_nearest(inputs, *dim),
        Op::Sample2d { scale, dim, .. } => images::sample(inputs, *scale, *dim),
        Op::Sample2dV2 { .. } => images::sample_v2(inputs),
        Op::NhwcCenterCrop2d { size: [width, height] } => {
            images::in_nhwc(inputs, |_, _| Ok((Some(*height), Some(*width))))
        }
        Op::NhwcLetterbox { size, .. } => images::letterbox(inputs, size),
        Op::NhwcScaleResize2d { size, .. } => images::scale_resize(inputs, size),
        Op::ForceColor => images::of_channels(inputs, 3),
        Op::ForceGray { .. } => images::of_channels(inputs, 1),
        Op::SpaceToBatch4d { padding, block_shape } => {
            images::space_to_batch(inputs, padding, *block_shape)
        }
        Op::BatchToSpace4d { crop, block_shape } => {
            images::batch_to_space(inputs, crop, *block_shape)
        }
        Op::ShapeIndexPatch { origin_patch, origin } => {
            images::shape_index_patch(inputs, *origin_patch, *origin)
        }

        Op::DetectionOutput { .. }
        | Op::NonMaxSuppressionV3 { .. }
        | Op::PriorBox { .. }
        | Op::Proposal { .. }
        | Op::RoiAlign { .. }
        | Op::Yolo { .. }
        | Op::YoloPoster { .. } => detection::outputs(operator, inputs),
    }?;
    for output in &outputs {
        let dims = output.shape().map_or(0, <[Size]>::len);
        if dims > MAX_DIMS {
            return wrong(format!("the output would have {dims} dims, and TenniS has {MAX_DIMS}"));
        }
    }
    Ok(outputs)
}
