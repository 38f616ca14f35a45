//! Convolutions and pooling.

use fourfold::tsm::DType;
use fourfold_tennis::{AutoPad, Format, PadType, PoolType};

use super::dense::PACKED;
use super::site::{Lowered, Site, Value, defined};
use super::types::{floats, numbers, single, widened};
use crate::proto::Attribute;
use crate::refused::unknown_sizes;

/// What the params of windows have for height and width.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// Before and after height, before and after width.
    pub(super) padding: [[i64; 2]; 2],
    pub(super) stride: [i64; 2],
    pub(super) dilation: [i64; 2],
}

impl Window {
    /// TenniS has params for NHWC, but computes NCHW only.
    pub(super) fn of(
        format: Format,
        padding: [[i32; 2]; 4],
        stride: [i32; 4],
        dilation: [i32; 4],
    ) -> Lowered<Self> {
        if format != Format::Nchw {
            return Err("the CPU backend of TenniS computes it for NCHW only".into());
        }
        let ([n, c, top, left], [_, _, down, right], [_, _, high, broad]) =
            (padding, stride, dilation);
        if n != [0, 0] || c != [0, 0] {
            return Err("it pads the batch or channels, which TenniS refuses".into());
        }
        let window = Window {
            padding: [top.map(i64::from), left.map(i64::from)],
            stride: [down.into(), right.into()],
            dilation: [high.into(), broad.into()],
        };
        let positive = |sizes: [i64; 2]| sizes.iter().all(|&size| size > 0);
        match positive(window.stride) && positive(window.dilation) {
            true => Ok(window),
            false => Err("its stride or dilation is not positive".into()),
        }
    }

    /// That of Winograd's algorithm.
    pub(super) fn of_winograd(format: Format, padding: [[i32; 2]; 4]) -> Lowered<Self> {
        match padding.as_flattened().iter().all(|&pad| pad >= 0) {
            true => Window::of(format, padding, [1; 4], [1; 4]),
            false => Err("its padding is negative, for which TenniS reads other elements".into()),
        }
    }

    /// Padding up to one window, which TenniS has if less than a stride is missing, and ONNX has not.
    fn with_one(mut self, x: &Value, w: &Value) -> Self {
        let missing = self.missing(x, w);
        for (([_, after], stride), missing) in self.padding.iter_mut().zip(self.stride).zip(missing)
        {
            if (1..stride).contains(&missing) {
                *after += missing;
            }
        }
        self
    }

    /// How many elements the kernel has more than the padded input, in height and width. 0 where sizes are unknown.
    pub(super) fn missing(&self, x: &Value, w: &Value) -> [i64; 2] {
        let [down, right] = self.padding;
        let [high, broad] = self.dilation;
        [(2, down, high), (3, right, broad)].map(|(dim, [before, after], dilation)| {
            match (x.size(dim), w.size(dim)) {
                (Ok(length), Ok(size)) => dilation * (size - 1) + 1 - length - before - after,
                _ => 0,
            }
        })
    }

    /// Padding as ONNX has it: all before, all after.
    fn pads(&self) -> [i64; 4] {
        let [[top, bottom], [left, right]] = self.padding;
        [top, left, bottom, right]
    }

    /// The attributes of a convolution with the padding that is left.
    pub(super) fn attributes(&self, pads: [i64; 4]) -> Vec<Attribute> {
        vec![
            Attribute::ints("pads", pads),
            Attribute::ints("strides", self.stride),
            Attribute::ints("dilations", self.dilation),
        ]
    }
}

/// A param `padding` that is an input.
pub(super) fn padding_of(value: &Value) -> Lowered<[[i32; 2]; 4]> {
    let known = value.known("padding")?;
    let flat: Vec<i32> = known.iter().filter_map(|&size| i32::try_from(size).ok()).collect();
    let pairs: Vec<[i32; 2]> =
        flat.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).collect();
    pairs.try_into().map_err(|_| "its padding does not have the shape [4, 2]".into())
}

/// A param of 4 integers that is an input.
pub(super) fn four(value: &Value, what: &str) -> Lowered<[i32; 4]> {
    let known = value.known(what)?;
    let flat: Vec<i32> = known.iter().filter_map(|&size| i32::try_from(size).ok()).collect();
    flat.try_into().map_err(|_| format!("its {what} is not 4 integers"))
}

/// x with the padding that the operator itself does not have: of a value, or negative. Returns the rest.
pub(super) fn padded(
    site: &mut Site<'_>,
    x: &Value,
    window: Window,
    value: f32,
) -> Lowered<(String, [i64; 4])> {
    let pads = window.pads();
    if pads.iter().all(|&pad| pad >= 0) && (value == 0.0 || pads == [0; 4]) {
        return Ok((x.name.clone(), pads));
    }
    let [top, left, bottom, right] = pads;
    let pads = site.ints(&[0, 0, top, left, 0, 0, bottom, right]);
    defined(x.dtype, value)?;
    let value = site.number(x.dtype, value.into())?;
    Ok((site.step("Pad", &[&x.name, &pads, &value], Vec::new()), [0; 4]))
}

/// Which channels a filter of a convolution takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Filters {
    /// All of them.
    Whole,
    /// One.
    Depthwise,
}

/// A convolution of x and w.
pub(super) fn conv(
    site: &mut Site<'_>,
    (x, w): (Value, Value),
    window: Window,
    padding_value: f32,
    filters: Filters,
    kernel_packed: bool,
) -> Lowered {
    single(x.dtype, "Conv")?;
    if kernel_packed {
        return Err(PACKED.into());
    }
    if filters == Filters::Depthwise && window.pads().iter().any(|&pad| pad < 0) {
        return Err("its padding is negative, for which TenniS reads other elements".into());
    }
    let window = window.with_one(&x, &w);
    let (x_name, pads) = padded(site, &x, window, padding_value)?;
    let (w, group) = match filters {
        Filters::Whole => (w.name.clone(), 1),
        // TenniS has one filter of all channels, ONNX a filter for each.
        Filters::Depthwise => {
            let [channels, height, width] = [w.size(1)?, w.size(2)?, w.size(3)?];
            (site.reshaped(&w, &[channels, 1, height, width]), channels)
        }
    };
    let mut attributes = window.attributes(pads);
    attributes.push(Attribute::int("group", group));
    site.emit("Conv", &[&x_name, &w], attributes)
}

/// TenniS does not use the value of padding here.
pub(super) fn transposed_conv(site: &mut Site<'_>, window: Window, kernel_packed: bool) -> Lowered {
    let [x, w] = site.take()?;
    single(x.dtype, "ConvTranspose")?;
    if kernel_packed {
        return Err(PACKED.into());
    }
    if window.pads().iter().any(|&pad| pad < 0) {
        return Err("its padding is negative".into());
    }
    let attributes = window.attributes(window.pads());
    site.emit("ConvTranspose", &[&x.name, &w.name], attributes)
}

/// Pooling of windows. TenniS rounds the count of windows up, and takes the missing elements for padding.
pub(super) fn pool(
    site: &mut Site<'_>,
    x: &Value,
    window: Window,
    ksize: [i32; 4],
    kind: PoolType,
    padding_type: PadType,
) -> Lowered {
    let ksize = image_of(ksize)?;
    let whole = kind == PoolType::Avg && padding_type == PadType::White;
    let mut pads = [[0; 2]; 2];
    let mut ceil = false;
    let dims = [2, 3].into_iter().zip(pads.iter_mut());
    let params = window.padding.into_iter().zip(window.stride).zip(ksize);
    for ((dim, pads), ((padding, stride), size)) in dims.zip(params) {
        let [before, after] = padding;
        if before < 0 {
            return Err("its padding is negative".into());
        }
        *pads = match x.shape.get(dim).copied().flatten() {
            Some(length) => [before, explicit(length, padding, stride, size)?],
            // The count of windows is the same if it is rounded down, too, or if no window begins in the padding.
            None if stride == 1 && after >= 0 => padding,
            None if !whole && after >= 0 && stride + after <= size => {
                ceil = true;
                padding
            }
            None => {
                return Err(unknown_sizes("how it rounds depends on sizes that are unknown"));
            }
        };
    }
    let mut attributes = vec![padded_by(pads, ksize)?];
    if ceil {
        attributes.push(Attribute::int("ceil_mode", 1));
    }
    pooled(site, x, (window.stride, ksize), (kind, padding_type), attributes)
}

/// A pool whose padding is computed of its own input, as ONNX's pools compute it: its inputs are x, the padding, ksize
/// and stride.
pub(super) fn pool_of_computed(
    site: &mut Site<'_>,
    (format, padding): (Format, [[i32; 2]; 4]),
    (kind, padding_type): (PoolType, PadType),
    auto_pad: AutoPad,
) -> Lowered {
    let [x, _, ksize, stride] = site.take()?;
    let window = Window::of(format, padding, four(&stride, "stride")?, [1; 4])?;
    let ksize = image_of(four(&ksize, "ksize")?)?;
    let is_given = window.padding != [[0; 2]; 2];
    let is_near = window.stride.iter().zip(ksize).all(|(&stride, size)| stride <= size);
    let attribute = match auto_pad {
        // Less than a window is left, and is cut off.
        AutoPad::NotSet | AutoPad::Valid => padded_by(window.padding, ksize)?,
        AutoPad::SameUpper if is_near && !is_given => Attribute::string("auto_pad", "SAME_UPPER"),
        AutoPad::SameLower if is_near && !is_given => Attribute::string("auto_pad", "SAME_LOWER"),
        _ => return Err(unknown_sizes(super::PADDING)),
    };
    pooled(site, &x, (window.stride, ksize), (kind, padding_type), vec![attribute])
}

/// Height and width of windows.
fn image_of([_, _, high, broad]: [i32; 4]) -> Lowered<[i64; 2]> {
    match high > 0 && broad > 0 {
        true => Ok([high.into(), broad.into()]),
        false => Err("its window is empty".into()),
    }
}

/// The attribute of padding that is less than a window.
fn padded_by(pads: [[i64; 2]; 2], ksize: [i64; 2]) -> Lowered<Attribute> {
    let [[top, bottom], [left, right]] = pads;
    let is_less = |(pads, size): ([i64; 2], i64)| pads.iter().all(|pad| (0..size).contains(pad));
    match pads.into_iter().zip(ksize).all(is_less) {
        true => Ok(Attribute::ints("pads", [top, left, bottom, right])),
        false => {
            Err("a window of it has padding only, for which TenniS reads other elements".into())
        }
    }
}

/// The last node of a pool; `attributes` are those of padding.
fn pooled(
    site: &mut Site<'_>,
    x: &Value,
    (stride, ksize): ([i64; 2], [i64; 2]),
    (kind, padding_type): (PoolType, PadType),
    mut attributes: Vec<Attribute>,
) -> Lowered {
    floats(x.dtype)?;
    attributes.insert(0, Attribute::ints("kernel_shape", ksize));
    attributes.insert(2, Attribute::ints("strides", stride));
    match (kind, padding_type) {
        (PoolType::Max, PadType::Black | PadType::White) => {
            let is_fast = stride == [2, 2] && matches!(ksize, [2, 2] | [3, 3]);
            if is_fast && x.dtype == DType::Float64 {
                return Err("TenniS computes nothing for windows of this size of double".into());
            }
            return site.emit("MaxPool", &[&x.name], attributes);
        }
        (PoolType::Avg, PadType::White) => {
            attributes.push(Attribute::int("count_include_pad", 1));
        }
        (PoolType::Avg, PadType::Black) => {}
        (_, PadType::Copy | PadType::Loop) => {
            return Err("the CPU backend of TenniS does not pad with copies in pooling".into());
        }
    }
    single(x.dtype, "AveragePool")?;
    site.emit("AveragePool", &[&x.name], attributes)
}

/// The padding after `length` elements with which rounding down gives as many windows as TenniS has. Negative padding
/// cuts off a part of a window at the end, as rounding down does.
fn explicit(length: i64, [before, after]: [i64; 2], stride: i64, size: i64) -> Lowered<i64> {
    let rest = length + before + after - size;
    let windows = rest.div_euclid(stride) + i64::from(rest.rem_euclid(stride) != 0) + 1;
    if windows < 1 {
        return Err("it has no windows".into());
    }
    let pad = ((windows - 1) * stride + size - length - before).max(0);
    match (length + before + pad - size).div_euclid(stride) + 1 == windows {
        true => Ok(pad),
        false => Err("its padding is negative".into()),
    }
}

pub(super) fn global_pool(site: &mut Site<'_>, format: Format, kind: PoolType) -> Lowered {
    let [x] = site.take()?;
    floats(x.dtype)?;
    if format != Format::Nchw {
        return Err("the CPU backend of TenniS computes it for NCHW only".into());
    }
    let op = match (kind, x.dtype) {
        (PoolType::Max, DType::Float32) => "GlobalMaxPool",
        (PoolType::Avg, DType::Float32) => "GlobalAveragePool",
        // Runtimes have those for float only.
        (PoolType::Max, _) => {
            return site.emit("ReduceMax", &[&x.name], vec![Attribute::ints("axes", [2, 3])]);
        }
        (PoolType::Avg, _) => {
            return site.emit("ReduceMean", &[&x.name], vec![Attribute::ints("axes", [2, 3])]);
        }
    };
    site.emit(op, &[&x.name], Vec::new())
}

/// Blocks of height and width moved to the batch, the block first.
pub(super) fn space_to_batch(
    site: &mut Site<'_>,
    padding: [[i32; 2]; 2],
    block: [i32; 2],
) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let [[top, bottom], [left, right]] = padding.map(|pair| pair.map(i64::from));
    let [high, broad] = block.map(i64::from);
    let [channels, height, width] =
        [x.size(1)?, x.size(2)? + top + bottom, x.size(3)? + left + right];
    if high < 1 || broad < 1 || height % high != 0 || width % broad != 0 {
        return Err("its padded input is not divided by its blocks".into());
    }
    let (rows, columns) = (height / high, width / broad);
    let (of, x) = match padding == [[0; 2]; 2] {
        true => (x.dtype, x.name),
        false => {
            let pads = site.ints(&[0, 0, top, left, 0, 0, bottom, right]);
            let of = widened(x.dtype);
            let x = site.cast(&x, of)?;
            (of, site.step("Pad", &[&x, &pads], Vec::new()))
        }
    };
    let shape = site.ints(&[0, channels, rows, high, columns, broad]);
    let blocks = site.step("Reshape", &[&x, &shape], Vec::new());
    let perm = vec![Attribute::ints("perm", [3, 5, 0, 1, 2, 4])];
    let moved = site.step("Transpose", &[&blocks], perm);
    let shape = site.ints(&[-1, channels, rows, columns]);
    site.emit_as(of, "Reshape", &[&moved, &shape], Vec::new())
}

/// The reverse of [`space_to_batch`].
pub(super) fn batch_to_space(site: &mut Site<'_>, crop: [[i32; 2]; 2], block: [i32; 2]) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let [[top, bottom], [left, right]] = crop.map(|pair| pair.map(i64::from));
    let [high, broad] = block.map(i64::from);
    let [channels, rows, columns] = [x.size(1)?, x.size(2)?, x.size(3)?];
    if high < 1 || broad < 1 || [top, bottom, left, right].iter().any(|&side| side < 0) {
        return Err("its block is empty, or its crop negative".into());
    }
    let (height, width) = (rows * high, columns * broad);
    let shape = site.ints(&[high, broad, -1, channels, rows, columns]);
    let blocks = site.step("Reshape", &[&x.name, &shape], Vec::new());
    let perm = vec![Attribute::ints("perm", [2, 3, 4, 0, 5, 1])];
    let moved = site.step("Transpose", &[&blocks], perm);
    let shape = site.ints(&[-1, channels, height, width]);
    if crop == [[0; 2]; 2] {
        return site.emit("Reshape", &[&moved, &shape], Vec::new());
    }
    let whole = site.step("Reshape", &[&moved, &shape], Vec::new());
    let (starts, ends) = (site.ints(&[top, left]), site.ints(&[height - bottom, width - right]));
    let axes = site.ints(&[2, 3]);
    site.emit("Slice", &[&whole, &starts, &ends, &axes], Vec::new())
}
