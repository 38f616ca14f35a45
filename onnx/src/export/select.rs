//! Operators that take a part of their input.

use fourfold::tsm::{DType, Tensor};

use super::site::{Lowered, Site, Value, dim_of, int, onnx, to_type};
use super::types::{numbers, promoted};
use crate::proto::{self, Attribute};
use crate::refused::unknown_sizes;

/// The end of a slice that goes to the beginning, backwards.
const BEFORE_ALL: i64 = i64::MIN;

/// One dim of a slice, with what TenniS takes for its begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    axis: usize,
    begin: Option<i64>,
    end: Option<i64>,
    step: i64,
}

impl Range {
    /// Begin and end as ONNX takes them, of a dim that may be unknown.
    fn fixed(self, length: Option<i64>) -> Lowered<[i64; 2]> {
        if self.step == 0 {
            return Err("it has a step of 0".into());
        }
        if self.step > 0 {
            return Ok([self.begin.unwrap_or(0), self.end.unwrap_or(i64::MAX)]);
        }
        let Some(length) = length else {
            return Err(unknown_sizes("it slices backwards in a dim whose size is unknown"));
        };
        // Not what Python does: a begin before all is nothing, an end at the first element is before it.
        let begin = match self.begin {
            None => length - 1,
            Some(begin) if begin < -length => {
                return Err(format!(
                    "it slices backwards from {begin}, before all of {length} elements: nothing \
                     in TenniS, the first one in ONNX"
                ));
            }
            Some(begin) => begin.min(length - 1),
        };
        let end = match self.end {
            None => BEFORE_ALL,
            Some(end) if end <= -length => BEFORE_ALL,
            // onnxruntime takes the largest integer for the first element.
            Some(end) => end.min(length),
        };
        Ok([begin, end])
    }
}

/// A slice; returns the name, or that of the last node.
fn sliced(site: &mut Site<'_>, x: &Value, ranges: &[Range]) -> Lowered<[String; 5]> {
    let mut columns: [Vec<i64>; 4] = Default::default();
    for range in ranges {
        let [begin, end] = range.fixed(x.shape.get(range.axis).copied().flatten())?;
        let values = [begin, end, int(range.axis), range.step];
        columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
    }
    let [starts, ends, axes, steps] = columns.map(|column| site.ints(&column));
    Ok([x.name.clone(), starts, ends, axes, steps])
}

/// x from an offset in each dim, in sizes; -1 is up to the end.
pub(super) fn slice(site: &mut Site<'_>, begin: &[i64], size: &[i64]) -> Lowered {
    let x = site.input(0)?;
    numbers(x.dtype)?;
    if begin.len() != x.rank() || size.len() != x.rank() {
        return Err(format!("it slices {} dims, its input has {}", begin.len(), x.rank()));
    }
    let ranges: Vec<Range> = begin
        .iter()
        .zip(size)
        .enumerate()
        .map(|(axis, (&begin, &size))| {
            let end = if size < 0 { None } else { Some(begin + size) };
            Range { axis, begin: Some(begin), end, step: 1 }
        })
        .collect();
    let inputs = sliced(site, &x, &ranges)?;
    site.emit("Slice", &inputs.each_ref().map(String::as_str), Vec::new())
}

/// Starts, ends, axes and steps are inputs.
pub(super) fn slice_v3(site: &mut Site<'_>) -> Lowered {
    let (x, starts, ends) = (site.input(0)?, site.input(1)?, site.input(2)?);
    let axes = site.inputs.get(3).cloned();
    let steps = site.inputs.get(4).cloned();
    let step = match &steps {
        Some(steps) => steps.known("steps")?.to_vec(),
        None => {
            let count = starts.count().and_then(|count| usize::try_from(count).ok());
            let count = count.filter(|&count| count <= x.rank());
            vec![1; count.ok_or_else(|| format!("it slices more than {} dims", x.rank()))?]
        }
    };
    let dims: Vec<i64> = match &axes {
        Some(axes) => axes.known("axes")?.to_vec(),
        None => (0..int(step.len())).collect(),
    };
    let (Some(begin), Some(end)) = (&starts.ints, &ends.ints) else {
        if step.iter().any(|&step| step < 1) {
            return Err(
                "it slices backwards, and its starts are computed when the module runs".into()
            );
        }
        let axes = site.ints(&dims);
        let starts = site.cast(&starts, DType::Int64)?;
        let ends = site.cast(&ends, DType::Int64)?;
        let steps = site.ints(&step);
        return site.emit("Slice", &[&x.name, &starts, &ends, &axes, &steps], Vec::new());
    };
    let ranges =
        dims.iter().zip(step).zip(begin.iter().zip(end)).map(|((&axis, step), (&begin, &end))| {
            let axis = dim_of(i32::try_from(axis).unwrap_or(i32::MAX), x.rank())?;
            Ok(Range { axis, begin: Some(begin), end: Some(end), step })
        });
    let ranges = ranges.collect::<Lowered<Vec<_>>>()?;
    let inputs = sliced(site, &x, &ranges)?;
    site.emit("Slice", &inputs.each_ref().map(String::as_str), Vec::new())
}

/// The params of a slice as Python has it.
pub(super) struct Strided<'a> {
    pub(super) begin: &'a [i32],
    pub(super) end: &'a [i32],
    pub(super) stride: Option<&'a [i32]>,
    pub(super) begin_mask: i32,
    pub(super) end_mask: i32,
    pub(super) ellipsis_mask: i32,
    pub(super) new_axis_mask: i32,
    pub(super) shrink_axis_mask: i32,
}

impl Strided<'_> {
    /// The dims that are sliced, and for each dim of the result whether it is one of x, is new, or is removed.
    fn plan(&self, rank: usize) -> Lowered<(Vec<Range>, Vec<Part>)> {
        let count = self.begin.len();
        if count == 0 || count > 31 || self.end.len() != count {
            return Err(format!("it has {count} begins and {} ends", self.end.len()));
        }
        let has = |mask: i32, at: usize| mask >> at & 1 == 1;
        let ellipses = (0..count).filter(|&at| has(self.ellipsis_mask, at)).count();
        let taken = (0..count)
            .filter(|&at| !has(self.new_axis_mask, at) && !has(self.ellipsis_mask, at))
            .count();
        let Some(rest) = rank.checked_sub(taken).filter(|_| ellipses < 2) else {
            return Err(format!("it slices {taken} dims, its input has {rank}"));
        };
        let (mut ranges, mut parts, mut axis) = (Vec::new(), Vec::new(), 0);
        for at in 0..count {
            if has(self.ellipsis_mask, at) {
                // An ellipsis of no dims is a dim of 1 in TenniS, which may be removed.
                let is_new = rest == 0 && !has(self.shrink_axis_mask, at);
                parts.extend(std::iter::repeat_n(Part::Kept, rest));
                parts.extend(is_new.then_some(Part::New));
                axis += rest;
                continue;
            }
            let number = |values: &[i32]| values.get(at).copied().map_or(0, i64::from);
            let range = Range {
                axis,
                begin: (!has(self.begin_mask, at)).then(|| number(self.begin)),
                end: (!has(self.end_mask, at)).then(|| number(self.end)),
                step: self.stride.map_or(1, number),
            };
            if has(self.new_axis_mask, at) {
                if range.step < 1
                    || range.begin.is_some_and(|begin| begin > 0)
                    || range.end.is_some_and(|end| end < 1)
                {
                    return Err(format!(
                        "item {at} slices a new dim: TenniS does this, others ignore it; \
                         set its begin to 0, its end to 1 and its stride to 1"
                    ));
                }
                parts.extend((!has(self.shrink_axis_mask, at)).then_some(Part::New));
                continue;
            }
            parts.push(if has(self.shrink_axis_mask, at) { Part::Removed } else { Part::Kept });
            ranges.push(range);
            axis += 1;
        }
        parts.extend(std::iter::repeat_n(Part::Kept, rank - axis));
        Ok((ranges, parts))
    }
}

/// A dim of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Kept,
    New,
    Removed,
}

pub(super) fn strided_slice(site: &mut Site<'_>, strided: &Strided<'_>) -> Lowered {
    let [x] = site.take()?;
    let (ranges, parts) = strided.plan(x.rank())?;
    let is_whole = |range: &Range| {
        range.step == 1 && range.begin.is_none_or(|begin| begin == 0) && range.end.is_none()
    };
    let mut name = x.name.clone();
    if !ranges.iter().all(is_whole) {
        let inputs = sliced(site, &x, &ranges)?;
        name = site.step("Slice", &inputs.each_ref().map(String::as_str), Vec::new());
    }
    let positions = |wanted: Part, other: Part| -> Vec<i64> {
        let all = parts.iter().filter(|&&part| part != other);
        all.enumerate().filter(|(_, part)| **part == wanted).map(|(at, _)| int(at)).collect()
    };
    let removed = positions(Part::Removed, Part::New);
    if !removed.is_empty() {
        let axes = site.ints(&removed);
        name = site.step("Squeeze", &[&name, &axes], Vec::new());
    }
    let new = positions(Part::New, Part::Removed);
    if !new.is_empty() {
        let axes = site.ints(&new);
        name = site.step("Unsqueeze", &[&name, &axes], Vec::new());
    }
    site.finish(&name)
}

/// Refuses negative indices, if they are known.
fn check_indices(value: &Value) -> Lowered {
    match value.ints.iter().flatten().find(|&&index| index < 0) {
        None => Ok(()),
        Some(index) => Err(format!(
            "its index {index} is from the end in ONNX, and reads beyond the input in TenniS; add the \
             size of the dim to it"
        )),
    }
}

/// Indices as ONNX takes them.
fn indices(site: &mut Site<'_>, value: &Value) -> Lowered<String> {
    match value.dtype {
        DType::Int32 | DType::Int64 => Ok(value.name.clone()),
        _ => site.cast(value, DType::Int64),
    }
}

pub(super) fn gather(site: &mut Site<'_>, axis: i32) -> Lowered {
    let [x, at] = site.take()?;
    if axis < 0 {
        // TenniS adds the size of the dim to them, but looks for it by the axis as it is written.
        check_indices(&at)?;
    }
    let axis = int(x.dim(axis)?);
    let at = indices(site, &at)?;
    site.emit("Gather", &[&x.name, &at], vec![Attribute::int("axis", axis)])
}

/// TenniS reads one index for each element of the other dims.
pub(super) fn gather_elements(site: &mut Site<'_>, axis: i32) -> Lowered {
    let [x, at] = site.take()?;
    numbers(x.dtype)?;
    if axis < 0 {
        check_indices(&at)?;
    }
    let axis = x.dim(axis)?;
    let mut expected = x.shape.clone();
    if let Some(size) = expected.get_mut(axis) {
        *size = Some(1);
    }
    if at.shape != expected {
        return Err(
            "its indices do not have one element in the dim, for which TenniS leaves others unset"
                .into(),
        );
    }
    let at = indices(site, &at)?;
    site.emit("GatherElements", &[&x.name, &at], vec![Attribute::int("axis", int(axis))])
}

pub(super) fn gather_nd(site: &mut Site<'_>) -> Lowered {
    let [x, at] = site.take()?;
    check_indices(&at)?;
    let at = site.cast(&at, DType::Int64)?;
    site.emit("GatherND", &[&x.name, &at], Vec::new())
}

/// TenniS replaces whole rows, by one index for each.
pub(super) fn scatter_nd(site: &mut Site<'_>) -> Lowered {
    let [x, at, updates] = site.take()?;
    check_indices(&at)?;
    if at.dtype != DType::Int32 {
        return Err(format!(
            "its indices are {}, of which TenniS reads the bytes as int32",
            at.dtype
        ));
    }
    if x.rank() == 0 || x.shape.get(1..) != updates.shape.get(1..) {
        return Err("its updates are not whole rows, which TenniS writes to other places".into());
    }
    let rows = match (at.rank(), at.shape.get(1)) {
        (1, _) => {
            let axes = site.ints(&[1]);
            site.step("Unsqueeze", &[&at.name, &axes], Vec::new())
        }
        (2, Some(Some(1))) => at.name.clone(),
        _ => {
            return Err(
                "it has indices of other dims than the first one, which TenniS does not use".into(),
            );
        }
    };
    let rows = site.recast(rows, at.dtype, DType::Int64)?;
    site.emit("ScatterND", &[&x.name, &rows, &updates.name], Vec::new())
}

pub(super) fn dimshuffle(site: &mut Site<'_>, dim: i32, shuffle: &[i32]) -> Lowered {
    let [x] = site.take()?;
    let dim = int(x.dim(dim)?);
    let shuffle: Vec<i64> = shuffle.iter().map(|&index| index.into()).collect();
    let shuffle = site.ints(&shuffle);
    site.emit("Gather", &[&x.name, &shuffle], vec![Attribute::int("axis", dim)])
}

/// The largest values in the last dim, sorted whatever the param is, and their indices.
pub(super) fn topk(site: &mut Site<'_>, number: i32) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let Some(last) = x.rank().checked_sub(1) else {
        return Err("its input has no dims".into());
    };
    let known = x.shape.get(last).copied().flatten();
    let of = match x.dtype {
        DType::UInt16 => DType::Int32,
        DType::UInt32 => DType::Int64,
        DType::UInt64 => return Err("onnxruntime does not sort uint64".into()),
        other => other,
    };
    let [values, indices] = match &site.outputs[..] {
        [values, indices] => [values.name.clone(), indices.name.clone()],
        outputs => return Err(format!("it has {} outputs", outputs.len())),
    };
    let name = site.cast(&x, of)?;
    let count = match known {
        Some(size) => site.ints(&[size.min(number.into())]),
        None => {
            let shape = site.step("Shape", &[&name], vec![Attribute::int("start", -1)]);
            let most = site.ints(&[number.into()]);
            site.step("Min", &[&shape, &most], Vec::new())
        }
    };
    let places = site.builder.names.unique(&format!("{indices}/TopK"));
    let sorted = if of == x.dtype {
        values.clone()
    } else {
        site.builder.names.unique(&format!("{values}/TopK"))
    };
    let axis = vec![Attribute::int("axis", -1)];
    site.builder.node("TopK", vec![name, count], vec![sorted.clone(), places.clone()], axis);
    site.builder.node("Cast", vec![places], vec![indices], to_type(DType::Int32)?);
    if sorted != values {
        site.builder.node("Cast", vec![sorted], vec![values], to_type(x.dtype)?);
    }
    Ok(())
}

/// The index of the largest element. TenniS compares the bits of floats as integers: all negative numbers are below
/// the others, and the one that is furthest from 0 is the largest of them.
pub(super) fn argmax(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x] = site.take()?;
    let axis = int(x.dim(dim)?);
    let attributes = || vec![Attribute::int("axis", axis), Attribute::int("keepdims", 0)];
    match x.dtype {
        DType::Int32 => {
            return site.emit_as(DType::Int64, "ArgMax", &[&x.name], attributes());
        }
        DType::Float32 => {}
        other => return Err(format!("TenniS compares the bits of {other} as int32")),
    }
    let zero = site.number(DType::Float32, 0.0)?;
    let less = site.number(DType::Float32, -1.0)?;
    // -0 is negative, too: 1 divided by it is.
    let reciprocal = site.step("Reciprocal", &[&x.name], Vec::new());
    let is_below = site.step("Less", &[&x.name, &zero], Vec::new());
    let is_inverse_below = site.step("Less", &[&reciprocal, &zero], Vec::new());
    let is_negative = site.step("Or", &[&is_below, &is_inverse_below], Vec::new());
    let positive = site.step("Where", &[&is_negative, &less, &x.name], Vec::new());
    let size = site.step("Abs", &[&x.name], Vec::new());
    let of_positive = site.step("ArgMax", &[&positive], attributes());
    let of_negative = site.step("ArgMax", &[&size], attributes());
    let largest = vec![Attribute::ints("axes", [axis]), Attribute::int("keepdims", 0)];
    let largest = site.step("ReduceMax", &[&positive], largest);
    let has_positive = site.step("GreaterOrEqual", &[&largest, &zero], Vec::new());
    let indices = [&has_positive, &of_positive, &of_negative].map(String::as_str);
    site.emit_as(DType::Int64, "Where", &indices, Vec::new())
}

/// Filled with one value.
pub(super) fn constant_of_shape(site: &mut Site<'_>, value: Option<&Tensor<'_>>) -> Lowered {
    let [shape] = site.take()?;
    let value = match value {
        None => proto::Tensor {
            dims: vec![1],
            data_type: crate::DataType::Float.number(),
            raw_data: Some(vec![0; 4].into()),
            ..proto::Tensor::default()
        },
        Some(value) if value.count() == 1 => proto::Tensor {
            dims: vec![1],
            data_type: onnx(value.dtype())?.number(),
            raw_data: Some(value.bytes().to_vec().into()),
            ..proto::Tensor::default()
        },
        Some(value) => return Err(format!("its value has {} elements", value.count())),
    };
    let shape = match shape.ints {
        Some(_) => site.ints(shape.known("sizes")?),
        None => site.cast(&shape, DType::Int64)?,
    };
    site.emit("ConstantOfShape", &[&shape], vec![Attribute::tensor("value", value)])
}

/// x broadcast to a shape; TenniS takes the larger one of each size.
pub(super) fn broadcast(site: &mut Site<'_>) -> Lowered {
    let [x, shape] = site.take()?;
    let shape = match shape.ints {
        Some(_) => {
            let known = shape.known("sizes")?.iter().map(|&size| size.max(1));
            site.ints(&known.collect::<Vec<_>>())
        }
        None => site.cast(&shape, DType::Int64)?,
    };
    site.emit("Expand", &[&x.name, &shape], Vec::new())
}

/// Numbers in steps. ONNX has the operator for steps that are positive; TenniS counts others in its own way.
pub(super) fn range(site: &mut Site<'_>) -> Lowered {
    let [start, limit, delta] = site.take()?;
    numbers(start.dtype)?;
    let of = promoted(start.dtype);
    let is_positive = delta.ints.as_ref().is_some_and(|known| known.first() > Some(&0));
    let mut inputs = Vec::new();
    for input in [start, limit, delta] {
        let name = site.reshaped(&input, &[]);
        inputs.push(site.recast(name, input.dtype, of)?);
    }
    let [start, limit, delta] = <[String; 3]>::try_from(inputs).map_err(|_| "it has 3 inputs")?;
    if is_positive && matches!(of, DType::Int32 | DType::Int64) {
        return site.emit_as(of, "Range", &[&start, &limit, &delta], Vec::new());
    }
    // The count is the quotient without its fraction, and one more if that ends before the limit.
    let length = site.step("Sub", &[&limit, &start], Vec::new());
    let quotient = site.step("Div", &[&length, &delta], Vec::new());
    let count = site.step("Cast", &[&quotient], to_type(DType::Int64)?);
    let whole = site.step("Cast", &[&count], to_type(of)?);
    let end = site.step("Mul", &[&whole, &delta], Vec::new());
    let end = site.step("Add", &[&end, &start], Vec::new());
    let is_before = site.step("Less", &[&end, &limit], Vec::new());
    let more = site.step("Cast", &[&is_before], to_type(DType::Int64)?);
    let count = site.step("Add", &[&count, &more], Vec::new());
    let (zero, one) = (site.number(DType::Int64, 0.0)?, site.number(DType::Int64, 1.0)?);
    let indices = site.step("Range", &[&zero, &count, &one], Vec::new());
    let indices = site.step("Cast", &[&indices], to_type(of)?);
    let steps = site.step("Mul", &[&indices, &delta], Vec::new());
    site.emit_as(of, "Add", &[&start, &steps], Vec::new())
}
