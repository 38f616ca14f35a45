//! Convolutions and pooling: windows that move over images.

use fourfold::tsm::DType;

use super::{Failure, Inputs, agree, one, size, unknown, wrong};
use crate::kinds::{AutoPad, Format, PaddingMethod, WinogradMode};
use crate::operator::Operator;
use crate::output::{Output, Size};
use crate::value::Number;

/// The padding before and after each dim.
type Padding = [[Size; 2]; 4];

/// The dims of channels, height and width.
pub(crate) fn places(format: Format) -> (usize, [usize; 2]) {
    match format {
        Format::Nchw => (1, [2, 3]),
        Format::Nhwc => (3, [1, 2]),
    }
}

fn at<T: Copy>(values: &[T; 4], place: usize) -> Option<T> {
    values.get(place).copied()
}

/// A window in one dim. Params are not checked before, and products of int32 do not overflow here.
#[derive(Clone, Copy)]
struct Window {
    x: i128,
    padding: i128,
    kernel: i128,
    stride: i128,
}

impl Window {
    /// A convolution: C++ divides to 0, so that windows may be larger than what they move over.
    fn convolved(self) -> Result<Size, Failure> {
        match (self.x + self.padding - self.kernel).checked_div(self.stride) {
            Some(steps) => size(steps + 1),
            None => wrong("a stride is 0"),
        }
    }

    fn transposed(self) -> Result<Size, Failure> {
        size((self.x - 1) * self.stride + self.kernel - self.padding)
    }

    /// Pooling: part of a window at the end counts.
    fn pooled(self) -> Result<Size, Failure> {
        if self.stride == 0 {
            return wrong("a stride is 0");
        }
        size(ceil(self.x + self.padding - self.kernel, self.stride, 1.0))
    }
}

/// The quotient, and a number, rounded up, as TenniS computes it: with floats of 32 bits.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as C++")]
fn ceil(value: i128, divisor: i128, add: f32) -> i128 {
    (value as f32 / divisor as f32 + add).ceil() as i128
}

/// A kernel with gaps.
fn dilated(kernel: i128, dilation: i32) -> i128 {
    i128::from(dilation) * (kernel - 1) + 1
}

fn of_params(padding: &[[i32; 2]; 4]) -> Padding {
    padding.map(|pair| pair.map(Some))
}

/// The padding that is an input.
fn of_input(inputs: Inputs<'_>, at: usize) -> Result<Padding, Failure> {
    let values = inputs.values(at)?;
    let mut padding = [[None; 2]; 4];
    if values.len() != 8 {
        return wrong(format!("input {at} does not have the shape [4, 2]"));
    }
    padding.as_flattened_mut().copy_from_slice(&values);
    Ok(padding)
}

/// Refuses padding, strides and dilation of batches and channels, as TenniS does.
fn only_in_images(
    format: Format,
    padding: &Padding,
    others: [(&str, &[Size; 4]); 2],
) -> Result<(), Failure> {
    let (channels, _) = places(format);
    for place in [0, channels] {
        if at(padding, place).into_iter().flatten().flatten().any(|padding| padding != 0) {
            return wrong(format!("dim {place} is padded, which is not an image's"));
        }
        for (name, values) in others {
            if let Some(value) = at(values, place).flatten().filter(|value| *value != 1) {
                return wrong(format!("the {name} in dim {place} is {value}, expected 1"));
            }
        }
    }
    Ok(())
}

pub(super) fn convolution(operator: &Operator, inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    use Operator as Op;
    const ONES: &[i32; 4] = &[1; 4];
    let (format, padding, stride, dilation, weights) = match operator {
        Op::Conv2d { format, padding, stride, dilation, .. }
        | Op::Conv2dQuantized { format, padding, stride, dilation, .. }
        | Op::DepthwiseConv2d { format, padding, stride, dilation, .. }
        | Op::TransposeConv2d { format, padding, stride, dilation, .. } => {
            inputs.exactly(2)?;
            (*format, of_params(padding), stride, dilation, 1)
        }
        Op::DcnV2Forward { format, padding, stride, dilation, .. } => {
            inputs.exactly(5)?;
            inputs.of_one_dtype(&[0, 2, 3, 4])?;
            (*format, of_params(padding), stride, dilation, 1)
        }
        Op::Conv2dWinograd { format, padding, .. } => {
            inputs.exactly(2)?;
            (*format, of_params(padding), ONES, ONES, 1)
        }
        Op::Conv2dV2 { format, stride, dilation, .. }
        | Op::DepthwiseConv2dV2 { format, stride, dilation, .. } => {
            inputs.exactly(3)?;
            (*format, of_input(inputs, 1)?, stride, dilation, 2)
        }
        Op::Conv2dWinogradV2 { format, .. } => {
            inputs.exactly(3)?;
            (*format, of_input(inputs, 1)?, ONES, ONES, 2)
        }
        _ => return unknown("it is no convolution"),
    };
    let known = [("stride", &stride.map(Some)), ("dilation", &dilation.map(Some))];
    only_in_images(format, &padding, known)?;

    let x = inputs.dims::<4>(0)?;
    let w = inputs.dims::<4>(weights)?;
    let dtype = inputs.of_one_dtype(&[0, weights])?;
    let depthwise = matches!(operator, Op::DepthwiseConv2d { .. } | Op::DepthwiseConv2dV2 { .. });
    let transposed = matches!(operator, Op::TransposeConv2d { .. });
    let winograd = matches!(operator, Op::Conv2dWinograd { .. } | Op::Conv2dWinogradV2 { .. });

    // TenniS reads channels from dim 1 in both formats.
    let [_, channels, ..] = x;
    let [outer, inner, ..] = w;
    let (taken, made) = if transposed { (outer, inner) } else { (inner, outer) };
    let is_checked = !winograd && !matches!(operator, Op::DcnV2Forward { .. });
    if is_checked && !agree(taken, channels) {
        let (taken, channels) = (taken.unwrap_or(0), channels.unwrap_or(0));
        return wrong(format!("w takes {taken} channels, x has {channels}"));
    }
    if depthwise && !agree(outer, Some(1)) {
        return wrong("the first size of w is not 1");
    }
    if let Op::Conv2dQuantized { dequantize_scales, .. } = operator {
        let scales = dequantize_scales.len();
        if dtype.is_some_and(|dtype| dtype != DType::Int8) {
            return wrong("x is not int8");
        }
        if made.is_some_and(|made| usize::try_from(made) != Ok(scales)) {
            return wrong(format!("there are {scales} scales for {} channels", made.unwrap_or(0)));
        }
    }

    let (channel_place, image) = places(format);
    let [image_of_w, _] = image;
    let mut shape = x;
    for (which, place) in image.into_iter().enumerate() {
        // Kernels are transformed for Winograd's algorithm, and have the size of tiles.
        let kernel = if winograd { Some(3) } else { at(&w, image_of_w + which).flatten() };
        let pair = at(&padding, place).unwrap_or_default();
        let (Some(x), Some(kernel), [Some(before), Some(after)]) =
            (at(&x, place).flatten(), kernel, pair)
        else {
            set(&mut shape, place, None);
            continue;
        };
        let window = Window {
            x: x.into(),
            padding: i128::from(before) + i128::from(after),
            kernel: dilated(kernel.into(), at(dilation, place).unwrap_or(1)),
            stride: at(stride, place).unwrap_or(1).into(),
        };
        let moved = if transposed { window.transposed() } else { window.convolved() };
        set(&mut shape, place, moved?);
    }
    set(&mut shape, channel_place, made);
    if depthwise {
        set(&mut shape, 1, channels);
    }
    let is_quantized = matches!(operator, Op::Conv2dQuantized { .. });
    one(if is_quantized { Some(DType::Float32) } else { dtype }, shape.into())
}

fn set(shape: &mut [Size; 4], place: usize, size: Size) {
    if let Some(old) = shape.get_mut(place) {
        *old = size;
    }
}

pub(super) fn winograd_kernel(
    inputs: Inputs<'_>,
    mode: WinogradMode,
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let [outer, inner, height, width] = inputs.dims::<4>(0)?;
    if !agree(height, Some(3)) || !agree(width, Some(3)) {
        return wrong("the kernel is not of 3 by 3");
    }
    let tile = Some(match mode {
        WinogradMode::F23 => 4,
        WinogradMode::F63 => 8,
    });
    one(inputs.dtype(0)?, vec![outer, inner, tile, tile])
}

pub(super) fn pooling(
    inputs: Inputs<'_>,
    format: Format,
    padding: &Padding,
    kernel: &[Size; 4],
    stride: &[Size; 4],
) -> Result<Vec<Output>, Failure> {
    only_in_images(format, padding, [("ksize", kernel), ("stride", stride)])?;
    let x = inputs.dims::<4>(0)?;
    let mut shape = x;
    for place in places(format).1 {
        let known =
            (at(&x, place).flatten(), at(kernel, place).flatten(), at(stride, place).flatten());
        let pair = at(padding, place).unwrap_or_default();
        let ((Some(x), Some(kernel), Some(stride)), [Some(before), Some(after)]) = (known, pair)
        else {
            set(&mut shape, place, None);
            continue;
        };
        let padding = i128::from(before) + i128::from(after);
        let window = Window { x: x.into(), padding, kernel: kernel.into(), stride: stride.into() };
        set(&mut shape, place, window.pooled()?);
    }
    one(inputs.dtype(0)?, shape.into())
}

/// Padding, ksize and stride are inputs.
pub(super) fn pooling_v2(inputs: Inputs<'_>, format: Format) -> Result<Vec<Output>, Failure> {
    inputs.exactly(4)?;
    pooling(inputs, format, &of_input(inputs, 1)?, &four(inputs, 2)?, &four(inputs, 3)?)
}

fn four(inputs: Inputs<'_>, at: usize) -> Result<[Size; 4], Failure> {
    match inputs.values(at)?.try_into() {
        Ok(values) => Ok(values),
        Err(_) => wrong(format!("input {at} does not have 4 values")),
    }
}

pub(super) fn global_pooling(inputs: Inputs<'_>, format: Format) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let mut shape = inputs.dims::<4>(0)?;
    for place in places(format).1 {
        set(&mut shape, place, Some(1));
    }
    one(inputs.dtype(0)?, shape.into())
}

/// How the padding of a window is computed.
#[derive(Clone, Copy)]
enum Rule {
    /// As it is given.
    Given,
    /// Without the part of a window at the end, which is cut off.
    WholeWindows,
    /// For so many outputs that none is lost, computed by TensorFlow's rule for `VALID`.
    Valid,
    /// For so many outputs that none is lost; `true` rounds up.
    Rounded(bool),
    /// For as many outputs as inputs divided by the stride; `true` puts the odd one at the end.
    Same(bool),
    /// As Dragon does: the padding that is given is part of the odd side.
    DragonSame(bool),
}

/// `_onnx_pooling2d_padding` and its siblings: the padding of a later node, for an image.
pub(super) fn padding(operator: &Operator, inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    let output = Output::new(Some(DType::Int32), vec![Some(4), Some(2)]);
    match padding_values(operator, inputs) {
        Ok(values) => {
            let values = values.into_iter().flatten();
            let values = values.map(|value| value.map(|value| Number::Integer(value.into())));
            Ok(vec![output.with_values(values)])
        }
        Err(Failure::Unknown(_)) => Ok(vec![output]),
        Err(failure) => Err(failure),
    }
}

fn padding_values(operator: &Operator, inputs: Inputs<'_>) -> Result<Padding, Failure> {
    use Operator as Op;
    const ONES: &[i32; 4] = &[1; 4];
    let dragon = |auto_pad: AutoPad, valid: Rule| match auto_pad {
        AutoPad::NotSet | AutoPad::Valid => valid,
        AutoPad::SameUpper => Rule::DragonSame(true),
        AutoPad::Same | AutoPad::SameLower => Rule::DragonSame(false),
    };
    let (format, rule, given, dilation) = match operator {
        Op::MxPooling2dPadding { valid, format, padding } => {
            let rule = if *valid == 0 { Rule::Given } else { Rule::WholeWindows };
            (*format, rule, padding, ONES)
        }
        Op::OnnxPooling2dPadding { auto_pad, padding } => {
            let rule = match auto_pad {
                AutoPad::NotSet => Rule::WholeWindows,
                AutoPad::Valid => Rule::Valid,
                AutoPad::SameUpper => Rule::Same(true),
                AutoPad::SameLower => Rule::Same(false),
                AutoPad::Same => return wrong("\"auto_pad\" is SAME, which is Dragon's"),
            };
            (Format::Nchw, rule, padding, ONES)
        }
        Op::DragonPooling2dPadding { ceil, auto_pad, padding } => {
            (Format::Nchw, dragon(*auto_pad, Rule::Rounded(*ceil)), padding, ONES)
        }
        Op::DragonConv2dPadding { format, dilation, padding_method, padding, .. } => {
            // Which side is the larger one is the other way round than in pooling.
            let rule = match dragon(*padding_method, Rule::Given) {
                Rule::DragonSame(upper) => Rule::DragonSame(!upper),
                rule => rule,
            };
            (*format, rule, padding, dilation)
        }
        Op::TfConv2dPadding { format, dilation, padding_method, padding, .. } => {
            (*format, of_method(*padding_method), padding, dilation)
        }
        Op::TfPooling2dPadding { format, padding_method, padding } => {
            (*format, of_method(*padding_method), padding, ONES)
        }
        _ => return unknown("it computes no padding"),
    };
    let x = inputs.dims::<4>(0)?;
    let (kernel, stride) = match operator {
        Op::DragonConv2dPadding { stride, .. } | Op::TfConv2dPadding { stride, .. } => {
            inputs.exactly(2)?;
            let [_, taken, height, width] = inputs.dims::<4>(1)?;
            let [_, channels, ..] = x;
            if !agree(taken, channels) {
                return wrong("x and w have different counts of channels");
            }
            let kernel = match format {
                Format::Nchw => [Some(1), Some(1), height, width],
                // TenniS reads the size of kernels from dims 1 and 2 here.
                Format::Nhwc => [Some(1), taken, height, Some(1)],
            };
            (kernel, stride.map(Some))
        }
        _ => {
            inputs.exactly(3)?;
            (four(inputs, 1)?, four(inputs, 2)?)
        }
    };
    let mut padding = [[Some(0); 2]; 4];
    for place in places(format).1 {
        let (Some(x), Some(kernel), Some(stride)) =
            (at(&x, place).flatten(), at(&kernel, place).flatten(), at(&stride, place).flatten())
        else {
            return unknown("sizes are unknown");
        };
        let given = at(given, place).unwrap_or_default();
        let window = Window {
            x: x.into(),
            padding: i128::from(given[0]) + i128::from(given[1]),
            kernel: dilated(kernel.into(), at(dilation, place).unwrap_or(1)),
            stride: stride.into(),
        };
        // TenniS takes the kernel without dilation where Dragon pads.
        let plain = Window { kernel: kernel.into(), ..window };
        let pair = rule.pair(given.map(i128::from), window, plain)?;
        if let Some(place) = padding.get_mut(place) {
            *place = pair.map(|padding| i32::try_from(padding).ok());
        }
    }
    Ok(padding)
}

fn of_method(method: PaddingMethod) -> Rule {
    match method {
        PaddingMethod::Same => Rule::Same(true),
        PaddingMethod::Valid => Rule::Valid,
    }
}

impl Rule {
    /// The padding before and after an image.
    fn pair(self, given: [i128; 2], window: Window, plain: Window) -> Result<[i128; 2], Failure> {
        let [before, after] = given;
        let Window { x, padding, kernel, stride } = window;
        if stride == 0 {
            return wrong("a stride is 0");
        }
        // What is missing for so many outputs, next to the padding that is given.
        let missing = |window: Window, outputs: i128| {
            (outputs - 1) * window.stride + window.kernel - padding - x
        };
        Ok(match self {
            Rule::Given => given,
            Rule::WholeWindows => [before, after - (x + padding - kernel) % stride],
            Rule::Valid => {
                let outputs = ceil(x + padding - kernel + 1, stride, 0.0);
                [before, after + missing(window, outputs)]
            }
            Rule::Rounded(up) => {
                let steps = if up {
                    ceil(x + padding - kernel, stride, 0.0)
                } else {
                    (x + padding - kernel).div_euclid(stride)
                };
                // A window does not begin after the padded image.
                let outputs = steps + 1 - i128::from(steps * stride >= x + padding);
                [before, after + missing(window, outputs)]
            }
            Rule::Same(odd_at_end) => {
                let total = missing(window, ceil(x + padding, stride, 0.0));
                let half = total / 2;
                let pair = if odd_at_end { [half, total - half] } else { [total - half, half] };
                [before + pair[0], after + pair[1]]
            }
            Rule::DragonSame(odd_at_end) => {
                let outputs = (x + stride - 1) / stride;
                let needed = ((outputs - 1) * stride + kernel - x).max(0);
                let half = needed / 2;
                let first = if odd_at_end { half } else { needed - half };
                [first, padding + missing(plain, outputs) - first]
            }
        })
    }
}
