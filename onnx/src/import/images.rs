//! Convolutions and pooling.

use fourfold::tsm::{DType, Prototype, Tensor};
use fourfold_tennis::{self as tennis, Format, Operator as Op, PadType, PoolType};

use super::graph::{Conversion, Value};
use super::site::{Site, int32};
use super::window::{AutoPad, MOST, Side, Window};
use super::{Done, Lowered};
use crate::refused::unknown_sizes;

/// The dim of height that images of one dim get.
const HEIGHT: i32 = 2;

/// x as an image of two dims.
fn widened(site: &mut Site<'_, '_>, x: Value, window: Window) -> Lowered<Value> {
    if window.is_line { site.op(Op::Unsqueeze { axes: vec![HEIGHT] }, &[&x]) } else { Ok(x) }
}

/// The last node, and the dim of height removed if it was added.
fn emit(site: &mut Site<'_, '_>, operator: Op, inputs: &[&Value], window: Window) -> Done {
    if !window.is_line {
        return site.emit(operator, inputs);
    }
    let wide = site.op(operator, inputs)?;
    site.emit(Op::Squeeze { axes: Some(vec![HEIGHT]) }, &[&wide])
}

/// The sizes of weights.
fn weights(w: &Value) -> Lowered<Vec<i64>> {
    let sizes = w.shape()?.iter().map(|size| size.map(i64::from));
    sizes.collect::<Option<_>>().ok_or_else(|| "the shape of its weights is unknown".into())
}

/// Weights as those of images of two dims.
fn kernels(site: &mut Site<'_, '_>, w: Value, sizes: &[i64], is_line: bool) -> Lowered<Value> {
    match (is_line, sizes) {
        (true, [out, channels, width]) => {
            site.reshaped(&w, &[int32(*out)?, int32(*channels)?, 1, int32(*width)?])
        }
        _ => Ok(w),
    }
}

pub(super) fn conv(site: &mut Site<'_, '_>) -> Done {
    let (x, w, bias) = (site.input(0)?, site.input(1)?, site.optional(2));
    let sizes = weights(&w)?;
    let [out, per_group, kernel @ ..] = sizes.as_slice() else {
        return Err("its weights have fewer than 3 dims".into());
    };
    check_kernel_shape(site, kernel)?;
    let window = Window::of(site, &x, kernel)?.with_pads()?;
    let group = site.attributes.int("group")?.unwrap_or(1);
    if group < 1 || out % group != 0 {
        return Err(format!("{out} filters are not divided by {group} groups"));
    }
    let x = widened(site, x, window)?;
    let conv = Op::Conv2d {
        format: Format::Nchw,
        padding: window.padding()?,
        padding_value: 0.0,
        stride: window.four(|side| side.stride)?,
        dilation: window.four(|side| side.dilation)?,
        kernel_packed: false,
    };
    let w = kernels(site, w, &sizes, window.is_line)?;
    if group == 1 {
        return biased(site, conv, &[&x, &w], bias, window);
    }
    if *per_group == 1 && group == *out {
        return depthwise(site, &conv, (&x, &w), bias, window);
    }
    let joined = grouped(site, &conv, &x, &w, group)?;
    biased(site, Op::Concat { dim: 1 }, &joined.iter().collect::<Vec<_>>(), bias, window)
}

/// `kernel_shape` has to be that of the weights.
fn check_kernel_shape(site: &Site<'_, '_>, kernel: &[i64]) -> Lowered {
    match site.attributes.ints("kernel_shape")? {
        Some(shape) if shape != kernel => {
            Err(format!("kernel_shape is {shape:?}, its weights have {kernel:?}"))
        }
        _ => Ok(()),
    }
}

/// The last node, with a bias for each channel if there is one.
fn biased(
    site: &mut Site<'_, '_>,
    operator: Op,
    inputs: &[&Value],
    bias: Option<Value>,
    window: Window,
) -> Done {
    let Some(bias) = bias else { return emit(site, operator, inputs, window) };
    let product = site.op(operator, inputs)?;
    let bias_op = Op::AddBias { format: None, dim: Some(1) };
    emit(site, bias_op, &[&product, &bias], window)
}

/// A filter for each channel, which TenniS has as one filter of all.
fn depthwise(
    site: &mut Site<'_, '_>,
    conv: &Op,
    (x, w): (&Value, &Value),
    bias: Option<Value>,
    window: Window,
) -> Done {
    let Op::Conv2d { format, padding, padding_value, stride, dilation, kernel_packed } = *conv
    else {
        return Err("it is no convolution".into());
    };
    let [height, width] = window.sides.map(|side| side.kernel);
    let channels = int32(w.size(0).unwrap_or(-1))?;
    let w = site.reshaped(w, &[1, channels, int32(height)?, int32(width)?])?;
    let conv =
        Op::DepthwiseConv2d { format, padding, padding_value, stride, dilation, kernel_packed };
    biased(site, conv, &[x, &w], bias, window)
}

/// A convolution for each group of channels.
fn grouped(
    site: &mut Site<'_, '_>,
    conv: &Op,
    x: &Value,
    w: &Value,
    group: i64,
) -> Lowered<Vec<Value>> {
    let filters = slabs(site, w, group)?;
    let chunks = Op::Chunk { chunks: int32(group)?, dim: 1 };
    let parts = site.fields(chunks, &[x], filters.len())?;
    let each = parts.iter().zip(&filters);
    each.map(|(x, w)| site.op(conv.clone(), &[x, w])).collect()
}

/// Weights divided in the first dim.
fn slabs(site: &mut Site<'_, '_>, w: &Value, group: i64) -> Lowered<Vec<Value>> {
    // Each group is a node.
    const MOST_GROUPS: i64 = 1024;
    if group > MOST_GROUPS {
        return Err(format!("it has {group} groups, and TenniS needs a node for each of them"));
    }
    let count = int32(group)?;
    let slabs = site.converted(w, Conversion::Divided(count), |tensor| {
        let mut shape = tensor.shape().to_vec();
        if let Some(first) = shape.first_mut() {
            *first /= count;
        }
        let groups = usize::try_from(count).map_err(|_| "group is negative")?;
        let slab = (tensor.bytes().len() / groups.max(1)).max(1);
        let slabs = tensor.bytes().chunks_exact(slab).map(|bytes| {
            let prototype = Prototype::new(tensor.dtype(), shape.clone());
            Tensor::new(prototype, bytes.to_vec()).map_err(|error| error.to_string())
        });
        let slabs: Vec<Tensor<'static>> = slabs.collect::<Lowered<_>>()?;
        match slabs.len() == groups {
            true => Ok(slabs),
            false => Err("its weights have no elements".into()),
        }
    })?;
    slabs.ok_or_else(|| "its weights are computed when the model runs, in groups".into())
}

pub(super) fn conv_transpose(site: &mut Site<'_, '_>) -> Done {
    let (x, w, bias) = (site.input(0)?, site.input(1)?, site.optional(2));
    let sizes = weights(&w)?;
    let [channels, per_group, kernel @ ..] = sizes.as_slice() else {
        return Err("its weights have fewer than 3 dims".into());
    };
    check_kernel_shape(site, kernel)?;
    let mut window = Window::of(site, &x, kernel)?;
    let group = site.attributes.int("group")?.unwrap_or(1);
    if group < 1 || channels % group != 0 {
        return Err(format!("{channels} channels are not divided by {group} groups"));
    }
    let outer = [x.size(0), Some(per_group.saturating_mul(group))];
    let more = transposed_pads(site, &mut window, outer)?;
    let x = widened(site, x, window)?;
    let w = kernels(site, w, &sizes, window.is_line)?;
    let conv = Op::TransposeConv2d {
        format: Format::Nchw,
        padding: window.padding()?,
        padding_value: 0.0,
        stride: window.four(|side| side.stride)?,
        dilation: window.four(|side| side.dilation)?,
        kernel_packed: false,
    };
    let (mut operator, mut inputs) = (conv, vec![x, w]);
    if let (true, [x, w]) = (group > 1, inputs.as_slice()) {
        inputs = grouped(site, &operator, x, w, group)?;
        operator = Op::Concat { dim: 1 };
    }
    if more != [0, 0] {
        let result = site.op(operator, &inputs.iter().collect::<Vec<_>>())?;
        let [height, width] = more;
        let padding = site.constant(&[0, 0, 0, 0, 0, int32(height)?, 0, int32(width)?], &[4, 2])?;
        (operator, inputs) = (Op::Pad { padding_value: 0.0 }, vec![result, padding]);
    }
    biased(site, operator, &inputs.iter().collect::<Vec<_>>(), bias, window)
}

/// Sets the pads of a transposed convolution; `outer` are batch and channels of its result. Returns how much is added at
/// the end of each side.
fn transposed_pads(
    site: &Site<'_, '_>,
    window: &mut Window,
    outer: [Option<i64>; 2],
) -> Lowered<[i64; 2]> {
    let dims = if window.is_line { 1 } else { 2 };
    let more = site.attributes.ints("output_padding")?.unwrap_or_default();
    // As large as the bound of strides: sums do not overflow.
    if !(more.is_empty() || more.len() == dims)
        || more.iter().any(|more| !(0..=MOST).contains(more))
    {
        return Err(format!("output_padding is {more:?}; {dims} sizes of at least 0 are expected"));
    }
    let wanted = output_sizes(site, dims, outer)?;
    let (auto_pad, mut added) = (window.auto_pad, [0, 0]);
    let sides = window.sides.iter_mut().zip(&mut added).skip(usize::from(window.is_line));
    for (at, (side, added)) in sides.enumerate() {
        let more = more.get(at).copied().unwrap_or(0);
        let [start, end] = match wanted.get(at) {
            None if auto_pad == AutoPad::NotSet => side.pads,
            wanted => {
                let covered = side.covered()? + more;
                let all = match wanted {
                    Some(&wanted) => {
                        let length = side.length.ok_or_else(unknown_pads)?;
                        ((length - 1) * side.stride + covered).saturating_sub(wanted)
                    }
                    None if covered < side.stride => return Err(FAR.into()),
                    None => covered - side.stride,
                };
                let cut = all.max(0);
                let start = if auto_pad == AutoPad::SameUpper { cut / 2 } else { cut - cut / 2 };
                [start, all - start]
            }
        };
        // More output at the end is less of it cut off.
        let end = end - more;
        side.pads = [start, end.max(0)];
        *added = (-end).max(0);
    }
    window.auto_pad = AutoPad::NotSet;
    Ok(added)
}

/// The sizes of `output_shape`, before which some exporters write batch and channels.
fn output_sizes<'a>(
    site: &Site<'a, '_>,
    dims: usize,
    outer: [Option<i64>; 2],
) -> Lowered<&'a [i64]> {
    let shape = site.attributes.ints("output_shape")?.unwrap_or_default();
    let (before, sizes) = shape.split_at(shape.len().saturating_sub(dims));
    let is_same = |(found, known): (&i64, Option<i64>)| known.is_none_or(|known| known == *found);
    match before.len() {
        0 if sizes.is_empty() || sizes.len() == dims => Ok(sizes),
        2 if before.iter().zip(outer).all(is_same) => Ok(sizes),
        _ => Err(format!("output_shape is {shape:?}; {dims} sizes of the image are expected")),
    }
}

/// Why `auto_pad` is refused in transposed convolutions.
const FAR: &str = "its stride is larger than its kernel, for which runtimes compute a smaller result than ONNX \
                   says (auto_pad); give pads in place of it";

/// Why pads are not known.
fn unknown_pads() -> String {
    unknown_sizes("its pads depend on sizes that are unknown (output_shape)")
}

pub(super) fn pool(site: &mut Site<'_, '_>, kind: PoolType) -> Done {
    let x = site.input(0)?;
    site.attributes.only("storage_order", 0)?;
    let kernel = site.attributes.ints("kernel_shape")?.ok_or("kernel_shape is missing")?;
    let window = Window::of(site, &x, kernel)?;
    if window.sides.iter().any(|side| side.dilation != 1) {
        return Err("TenniS has no dilations in pooling".into());
    }
    let is_up = site.attributes.flag("ceil_mode", false)?;
    let padding_type = match site.attributes.flag("count_include_pad", false)? {
        true => PadType::White,
        false => PadType::Black,
    };
    for side in window.sides {
        if side.pads.iter().any(|&pad| pad >= side.kernel) {
            return Err(
                "a window of it has padding only, for which TenniS reads other elements".into()
            );
        }
    }
    if kind == PoolType::Max && x.dtype()? == DType::Float64 && is_special(window) {
        return Err("TenniS does not compute the largest doubles of windows of 2 or 3 by 2 or 3 with stride 2; cast its input to float".into());
    }
    let counts_padding = kind == PoolType::Avg && padding_type == PadType::White;
    let x = widened(site, x, window)?;
    let window = Window { sides: with_length(window, &x), ..window };
    if window.auto_pad == AutoPad::NotSet && is_even(window, is_up, counts_padding)? {
        let pool = Op::Pooling2d {
            format: Format::Nchw,
            kind,
            padding: rounded_up(window).padding()?,
            padding_type,
            ksize: window.four(|side| side.kernel)?,
            stride: window.four(|side| side.stride)?,
        };
        return emit(site, pool, &[&x], window);
    }
    if is_up && window.auto_pad == AutoPad::NotSet {
        let pool = Op::Pooling2d {
            format: Format::Nchw,
            kind,
            padding: ceiled(window, counts_padding)?.padding()?,
            padding_type,
            ksize: window.four(|side| side.kernel)?,
            stride: window.four(|side| side.stride)?,
        };
        return emit(site, pool, &[&x], window);
    }
    let auto_pad = match window.auto_pad {
        AutoPad::NotSet => tennis::AutoPad::NotSet,
        AutoPad::SameUpper => tennis::AutoPad::SameUpper,
        AutoPad::SameLower => tennis::AutoPad::SameLower,
    };
    if window.auto_pad != AutoPad::NotSet
        && window.sides.iter().any(|side| side.kernel < side.stride)
    {
        return Err(
            "its stride is larger than its kernel, where TenniS pads otherwise (auto_pad)".into()
        );
    }
    // TenniS rounds the count of windows up, unless the padding is computed so that it need not.
    let ksize = site.constant(&window.four(|side| side.kernel)?, &[4])?;
    let stride = site.constant(&window.four(|side| side.stride)?, &[4])?;
    let padding = Op::OnnxPooling2dPadding { auto_pad, padding: window.padding()? };
    let padding = site.op(padding, &[&x, &ksize, &stride])?;
    let pool = Op::Pooling2dV2 { format: Format::Nchw, kind, padding_type };
    emit(site, pool, &[&x, &padding, &ksize, &stride], window)
}

/// Whether TenniS has a kernel of its own for the window, which is empty for double.
fn is_special(window: Window) -> bool {
    let [height, width] = window.sides;
    height.kernel == width.kernel
        && matches!(height.kernel, 2 | 3)
        && window.sides.iter().all(|side| side.stride == 2)
}

/// The sides with the sizes that TenniS has for x.
fn with_length(window: Window, x: &Value) -> [Side; 2] {
    let mut sides = window.sides;
    for (at, side) in sides.iter_mut().enumerate() {
        side.length = x.size(at + 2);
    }
    sides
}

/// The same windows, with as little padding at the end as before the start where rounding up makes up for it.
fn rounded_up(window: Window) -> Window {
    let mut sides = window.sides;
    for side in &mut sides {
        let [before, after] = side.pads;
        if before < after && after - before < side.stride {
            side.pads = [before, before];
        }
    }
    Window { sides, ..window }
}

/// The padding at the end with which all windows of `ceil_mode` are whole.
fn ceiled(window: Window, counts_padding: bool) -> Lowered<Window> {
    let mut sides = window.sides;
    for side in &mut sides {
        let rest = side.rest()?.ok_or_else(|| {
            unknown_sizes("its windows depend on sizes that are unknown (ceil_mode)")
        })?;
        let [before, after] = side.pads;
        let length = side.length.unwrap_or(0);
        let last = length + before + after - side.covered()? - rest;
        // ONNX leaves out a window that begins in the padding at the end.
        let last = if rest > 0 && last + side.stride < length + before {
            last + side.stride
        } else {
            last
        };
        let end = last + side.covered()? - length - before;
        if counts_padding && end > after {
            return Err("TenniS counts elements beyond the padding, too (count_include_pad with ceil_mode); set ceil_mode to 0".into());
        }
        side.pads = [before, end];
    }
    Ok(Window { sides, ..window })
}

/// Whether TenniS, which rounds the count of windows up, counts as ONNX does.
fn is_even(window: Window, is_up: bool, counts_padding: bool) -> Lowered<bool> {
    let mut is_even = true;
    for side in window.sides {
        is_even &= match side.rest()? {
            Some(0) => true,
            // What is beyond the padding is not counted in ONNX.
            _ if !is_up || counts_padding => false,
            _ if side.pads.iter().skip(1).sum::<i64>() + side.stride <= side.kernel => true,
            Some(rest) => {
                // No window begins in the padding at the end: then ONNX leaves it out.
                let [before, after] = side.pads;
                let length = side.length.unwrap_or(0);
                let last = length + before + after - side.covered()? - rest + side.stride;
                last < length + before
            }
            None => false,
        };
    }
    Ok(is_even)
}

pub(super) fn global_pool(site: &mut Site<'_, '_>, kind: PoolType) -> Done {
    let x = site.input(0)?;
    let pool = Op::GlobalPooling2d { format: Format::Nchw, kind };
    match x.rank()? {
        4 => site.emit(pool, &[&x]),
        3 => {
            let wide = site.op(Op::Unsqueeze { axes: vec![HEIGHT] }, &[&x])?;
            let pooled = site.op(pool, &[&wide])?;
            site.emit(Op::Squeeze { axes: Some(vec![HEIGHT]) }, &[&pooled])
        }
        rank => Err(format!("TenniS has images of two dims; x has {rank} dims")),
    }
}
