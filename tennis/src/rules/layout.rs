//! Outputs that have the elements of inputs in other places.

use fourfold::tsm::{DType, Tensor};

use super::{Failure, Inputs, agree, one, position, size, unknown, with_size, wrong};
use crate::output::{Output, Size};
use crate::value::Number;

pub(super) fn dimshuffle(
    inputs: Inputs<'_>,
    dim: i32,
    shuffle: &[i32],
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let x = inputs.shape(0)?;
    if dim < 0 {
        return wrong(format!("dim is {dim}, and negative ones are refused here"));
    }
    let at = position(dim, x.len())?;
    let old = x.get(at).copied().flatten();
    if let Some(bad) =
        shuffle.iter().find(|index| **index < 0 || old.is_some_and(|old| **index >= old))
    {
        return wrong(format!("there is no index {bad} in dim {dim}"));
    }
    one(inputs.dtype(0)?, with_size(x, at, size(i64::try_from(shuffle.len()).unwrap_or(i64::MAX))?))
}

/// The sum of sizes.
fn sum(sizes: impl Iterator<Item = Size>) -> Result<Size, Failure> {
    let sizes: Option<Vec<i64>> = sizes.map(|size| size.map(i64::from)).collect();
    sizes.map_or(Ok(None), |sizes| size(sizes.into_iter().sum::<i64>()))
}

pub(super) fn concat(inputs: Inputs<'_>, dim: i32) -> Result<Vec<Output>, Failure> {
    let first = inputs.shape(0)?;
    if let [_] = inputs.nodes {
        return one(inputs.dtype(0)?, first.to_vec());
    }
    let all: Vec<usize> = (0..inputs.nodes.len()).collect();
    let dtype = inputs.of_one_dtype(&all)?;
    let at = position(dim, first.len())?;
    let mut shape = first.to_vec();
    let mut sizes = Vec::with_capacity(all.len());
    for &input in &all {
        let other = inputs.shape(input)?;
        let pairs = shape.iter_mut().zip(other).enumerate();
        let mut same = other.len() == first.len();
        for (position, (known, size)) in pairs {
            same &= position == at || agree(*known, *size);
            *known = known.or(*size);
        }
        if !same {
            return wrong(format!("input {input} differs in a dim other than {dim}"));
        }
        sizes.push(other.get(at).copied().flatten());
    }
    one(dtype, with_size(&shape, at, sum(sizes.into_iter())?))
}

pub(super) fn stack(inputs: Inputs<'_>, axis: i32) -> Result<Vec<Output>, Failure> {
    let first = inputs.shape(0)?;
    let all: Vec<usize> = (0..inputs.nodes.len()).collect();
    let dtype = inputs.of_one_dtype(&all)?;
    for &input in &all {
        let other = inputs.shape(input)?;
        let same = other.iter().zip(first).all(|(a, b)| agree(*a, *b));
        if other.len() != first.len() || !same {
            return wrong(format!("input {input} has another shape than input 0"));
        }
    }
    let mut shape = first.to_vec();
    let at = position(axis, first.len() + 1)?;
    shape.insert(at, size(i64::try_from(all.len()).unwrap_or(i64::MAX))?);
    one(dtype, shape)
}

/// Packed outputs that differ in the size of a dim.
fn packed(
    inputs: Inputs<'_>,
    at: usize,
    sizes: impl ExactSizeIterator<Item = Size>,
) -> Result<Vec<Output>, Failure> {
    if sizes.len() > inputs.most_outputs {
        return unknown(format!("it has {} outputs", sizes.len()));
    }
    let (dtype, x) = (inputs.dtype(0)?, inputs.shape(0)?);
    Ok(sizes.map(|size| Output::new(dtype, with_size(x, at, size))).collect())
}

pub(super) fn chunk(inputs: Inputs<'_>, chunks: i32, dim: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let x = inputs.shape(0)?;
    let at = position(dim, x.len())?;
    let count = match usize::try_from(chunks) {
        Ok(count) if count > 0 => count,
        _ => return wrong(format!("\"chunks\" is {chunks}")),
    };
    let Some(whole) = x.get(at).copied().flatten() else {
        return packed(inputs, at, std::iter::repeat_n(None, count));
    };
    // All but the last one have the same size.
    let (whole, chunks) = (i64::from(whole), i64::from(chunks));
    let step = (whole + chunks - 1) / chunks;
    let last = whole - step * (chunks - 1);
    if last < 1 {
        return wrong(format!(
            "dim {dim} of the size {whole} cannot be divided into {chunks} chunks of {step}"
        ));
    }
    let (step, last) = (size(step)?, size(last)?);
    packed(inputs, at, (0..count).map(|chunk| if chunk + 1 == count { last } else { step }))
}

pub(super) fn split(inputs: Inputs<'_>, axis: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let at = position(axis, inputs.shape(0)?.len())?;
    let sizes = inputs.values(1)?.into_iter();
    let sizes = sizes.map(|part| part.map_or(Ok(None), size)).collect::<Result<Vec<_>, _>>()?;
    packed(inputs, at, sizes.into_iter())
}

pub(super) fn tile(inputs: Inputs<'_>, repeats: Vec<Size>) -> Result<Vec<Output>, Failure> {
    let x = inputs.shape(0)?;
    if let Some(repeat) = repeats.iter().flatten().find(|repeat| **repeat < 0) {
        return wrong(format!("a dim cannot be repeated {repeat} times"));
    }
    let dims = x.len().max(repeats.len());
    if dims > super::MAX_DIMS {
        return wrong(format!("{} repeats make more than 7 dims", repeats.len()));
    }
    let padded = |sizes: &[Size]| -> Vec<Size> {
        std::iter::repeat_n(Some(1), dims - sizes.len()).chain(sizes.iter().copied()).collect()
    };
    let pairs = padded(x).into_iter().zip(padded(&repeats));
    let sizes = pairs.map(|(size_of_x, repeat)| match (size_of_x, repeat) {
        (Some(a), Some(b)) => size(i64::from(a) * i64::from(b)),
        _ => Ok(None),
    });
    one(inputs.dtype(0)?, sizes.collect::<Result<_, _>>()?)
}

pub(super) fn gather(inputs: Inputs<'_>, axis: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let (x, indices) = (inputs.shape(0)?, inputs.shape(1)?);
    let at = position(axis, x.len())?;
    let (before, after) = (x.get(..at).unwrap_or_default(), x.get(at + 1..).unwrap_or_default());
    one(inputs.dtype(0)?, [before, indices, after].concat())
}

pub(super) fn gather_elements(inputs: Inputs<'_>, axis: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    position(axis, inputs.shape(0)?.len())?;
    one(inputs.dtype(0)?, inputs.shape(1)?.to_vec())
}

pub(super) fn gatherv2(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let (x, indices) = (inputs.shape(0)?, inputs.shape(1)?);
    let Some((last, leading)) = indices.split_last() else {
        return wrong("the indices have no dims");
    };
    let Some(depth) = *last else { return unknown("the last size of the indices is unknown") };
    match usize::try_from(depth).ok().and_then(|depth| x.get(depth..)) {
        Some(items) => one(inputs.dtype(0)?, [leading, items].concat()),
        None => wrong(format!("indices have {depth} numbers for {} dims", x.len())),
    }
}

pub(super) fn pad(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let x = inputs.shape(0)?;
    let [rows, pair] = inputs.dims::<2>(1)?;
    if !agree(rows, size(i64::try_from(x.len()).unwrap_or(i64::MAX))?) || !agree(pair, Some(2)) {
        return wrong(format!("the padding does not have the shape [{}, 2]", x.len()));
    }
    let padding = inputs.values(1)?;
    if padding.iter().all(|elements| *elements == Some(0)) {
        return one(inputs.dtype(0)?, x.to_vec());
    }
    let sizes = x.iter().zip(padding.chunks_exact(2)).map(|(old, pair)| match (*old, pair) {
        (Some(old), [Some(first), Some(last)]) => {
            size((i64::from(old) + i64::from(*first) + i64::from(*last)).max(1))
        }
        _ => Ok(None),
    });
    one(inputs.dtype(0)?, sizes.collect::<Result<_, _>>()?)
}

/// The sizes of operators that TenniS computes by `pad`, which leaves at least one element in each dim.
fn by_pad(inputs: Inputs<'_>, sizes: Vec<Size>) -> Result<Vec<Output>, Failure> {
    let sizes = match inputs.shape(0)? {
        x if x == sizes => sizes,
        _ => sizes.into_iter().map(|size| size.map(|size| size.max(1))).collect(),
    };
    one(inputs.dtype(0)?, sizes)
}

/// Sizes of at most 0 are those of x.
pub(super) fn crop_nd(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let (x, sizes) = (inputs.shape(0)?, inputs.values(1)?);
    if x.len() != sizes.len() {
        return wrong(format!("there are {} sizes for {} dims", sizes.len(), x.len()));
    }
    let pairs = x.iter().zip(sizes);
    let sizes = pairs.map(|(old, new)| match new {
        Some(..=0) => *old,
        new => new,
    });
    by_pad(inputs, sizes.collect())
}

pub(super) fn crop_to(inputs: Inputs<'_>, axis: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let (x, y) = (inputs.shape(0)?, inputs.shape(1)?);
    if x.len() != y.len() {
        return wrong("the inputs have different counts of dims");
    }
    let at = position(axis, x.len())?;
    let (kept, cropped) = (x.get(..at).unwrap_or_default(), y.get(at..).unwrap_or_default());
    by_pad(inputs, [kept, cropped].concat())
}

pub(super) fn limit(inputs: Inputs<'_>, limits: &[i32]) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let x = inputs.shape(0)?;
    let Some(kept) = x.len().checked_sub(limits.len()) else {
        return wrong(format!("there are {} limits for {} dims", limits.len(), x.len()));
    };
    let limits = std::iter::repeat_n(-1, kept).chain(limits.iter().copied());
    let sizes = x.iter().zip(limits).map(|(size, limit)| match size {
        Some(size) if limit > 0 => Some((*size).min(limit)),
        size => *size,
    });
    by_pad(inputs, sizes.collect())
}

pub(super) fn divided(inputs: Inputs<'_>, divisors: &[i32]) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let x = inputs.shape(0)?;
    let Some(kept) = x.len().checked_sub(divisors.len()) else {
        return wrong(format!("there are {} sizes for {} dims", divisors.len(), x.len()));
    };
    let divisors = std::iter::repeat_n(1, kept).chain(divisors.iter().copied());
    let sizes = x.iter().zip(divisors).map(|(old, divisor)| match old {
        _ if divisor < 1 => wrong(format!("a size cannot be a multiple of {divisor}")),
        Some(old) => size(
            (i64::from(*old) + i64::from(divisor) - 1) / i64::from(divisor) * i64::from(divisor),
        ),
        None => Ok(if divisor == 1 { *old } else { None }),
    });
    by_pad(inputs, sizes.collect::<Result<_, _>>()?)
}

pub(super) fn constant_of_shape(
    inputs: Inputs<'_>,
    value: Option<&Tensor<'static>>,
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let sizes = inputs.values(0)?;
    if let Some(size) = sizes.iter().flatten().find(|size| **size < 0) {
        return wrong(format!("a dim would have the size {size}"));
    }
    one(Some(value.map_or(DType::Float32, Tensor::dtype)), sizes)
}

pub(super) fn range(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(3)?;
    let dtype = inputs.dtype(0)?;
    let number = |at: usize| match inputs.numbers(at)? {
        [Some(number)] => Ok(*number),
        [None] => unknown(format!("the value of input {at} is unknown")),
        _ => wrong(format!("input {at} is not one number")),
    };
    let steps = match (number(0), number(1), number(2)) {
        (Ok(start), Ok(limit), Ok(step)) => Some(steps(start, limit, step)?),
        (Err(Failure::Wrong(message)), ..) => return wrong(message),
        _ => None,
    };
    one(dtype, vec![steps.map_or(Ok(None), size)?])
}

/// How many numbers there are: one more than whole steps if they do not reach the limit.
fn steps(start: Number, limit: Number, step: Number) -> Result<i64, Failure> {
    match (start, limit, step) {
        (Number::Integer(start), Number::Integer(limit), Number::Integer(step)) => {
            let (start, limit, step) = (i128::from(start), i128::from(limit), i128::from(step));
            let Some(steps) = (limit - start).checked_div(step) else {
                return wrong("the step is 0");
            };
            let more = i128::from(steps * step + start < limit);
            Ok(i64::try_from(steps + more).unwrap_or(i64::MAX))
        }
        _ => {
            let [start, limit, step] = [start, limit, step].map(Number::to_f32);
            #[expect(clippy::cast_possible_truncation, reason = "the cast of C++")]
            let steps = ((limit - start) / step) as i32;
            #[expect(clippy::cast_precision_loss, reason = "the cast of C++")]
            let more = i64::from(steps as f32 * step + start < limit);
            Ok(i64::from(steps) + more)
        }
    }
}

pub(super) fn argmax(inputs: Inputs<'_>, dim: i32) -> Result<Vec<Output>, Failure> {
    let outputs = reduced(inputs, &[dim], false)?;
    let shapes = outputs.iter().filter_map(Output::shape);
    Ok(shapes.map(|shape| Output::new(Some(DType::Int32), shape.to_vec())).collect())
}

pub(super) fn reduced(
    inputs: Inputs<'_>,
    dims: &[i32],
    keep_dims: bool,
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let x = inputs.shape(0)?;
    if dims.is_empty() {
        return wrong("there are no dims to reduce");
    }
    if let Some((a, b)) =
        dims.iter().zip(dims.iter().skip(1)).find(|(a, b)| a.checked_add(1) != Some(**b))
    {
        return wrong(format!("dims {a} and {b} do not follow each other"));
    }
    let places = dims.iter().map(|dim| position(*dim, x.len())).collect::<Result<Vec<_>, _>>()?;
    if places.iter().zip(places.iter().skip(1)).any(|(a, b)| a + 1 != *b) {
        let count = x.len();
        return wrong(format!(
            "dims {dims:?} are {places:?} of {count} dims, for which TenniS reads beyond the input"
        ));
    }
    let sizes = x.iter().enumerate().filter(|(at, _)| keep_dims || !places.contains(at));
    one(
        inputs.dtype(0)?,
        sizes.map(|(at, size)| if places.contains(&at) { Some(1) } else { *size }).collect(),
    )
}

pub(super) fn topkv2(inputs: Inputs<'_>, number: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let x = inputs.shape(0)?;
    let shape = match x.split_last() {
        Some((last, leading)) => {
            let last = last.map_or(Ok(None), |last| size(i64::from(last.min(number))))?;
            [leading, &[last]].concat()
        }
        None => Vec::new(),
    };
    let types = [inputs.dtype(0)?, Some(DType::Int32)];
    Ok(types.map(|dtype| Output::new(dtype, shape.clone())).into())
}
