//! Images: resized, cut, and made of others.

use super::{Failure, Inputs, agree, one, position, size, with_size, wrong};
use crate::output::{Output, Size};

/// x with two other sizes, from a dim.
fn with_sizes(
    inputs: Inputs<'_>,
    at: usize,
    [height, width]: [Size; 2],
) -> Result<Vec<Output>, Failure> {
    let x = inputs.shape(0)?;
    if at + 1 >= x.len() {
        return wrong(format!("there is no dim after {at} in {} dims", x.len()));
    }
    for size in [height, width].into_iter().flatten() {
        if size < 0 {
            return wrong(format!("a dim would have the size {size}"));
        }
    }
    one(inputs.dtype(0)?, with_size(&with_size(x, at, height), at + 1, width))
}

/// Height and width that are an input.
fn two(inputs: Inputs<'_>, at: usize) -> Result<[Size; 2], Failure> {
    match inputs.values(at)?.try_into() {
        Ok(sizes) => Ok(sizes),
        Err(_) => wrong(format!("input {at} does not have 2 values")),
    }
}

pub(super) fn affine_sample(inputs: Inputs<'_>, dim: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(3)?;
    with_sizes(inputs, position(dim, inputs.shape(0)?.len())?, two(inputs, 1)?)
}

/// `_resize2d`: two dims that follow each other change; sizes below 0 keep a dim.
pub(super) fn resize(inputs: Inputs<'_>, sizes: &[Size]) -> Result<Vec<Output>, Failure> {
    let x = inputs.shape(0)?;
    if x.len() != sizes.len() || x.len() < 2 {
        return wrong(format!("there are {} sizes for {} dims", sizes.len(), x.len()));
    }
    let pairs = x.iter().zip(sizes);
    let shape: Vec<Size> = pairs
        .clone()
        .map(|(old, new)| match new {
            Some(..0) => *old,
            new => *new,
        })
        .collect();
    let changed: Vec<usize> = pairs
        .enumerate()
        .filter(|(_, (old, new))| !matches!(new, Some(..0)) && !agree(**old, **new))
        .map(|(at, _)| at)
        .collect();
    let far = changed.first().zip(changed.last()).is_some_and(|(first, last)| last - first > 1);
    // The sizes of height and width are needed, whether they change or not.
    let given = |at: usize| matches!(sizes.get(at), Some(None | Some(1..)));
    let place = match changed.first() {
        Some(&first) => (first.saturating_sub(1)..=first).any(|at| given(at) && given(at + 1)),
        None => (0..x.len()).any(|at| given(at) && given(at + 1)),
    };
    if far || !place || sizes.contains(&Some(0)) {
        let to = Output::new(inputs.dtype(0)?, shape);
        return wrong(format!("only two dims that follow each other can be resized, not to {to}"));
    }
    one(inputs.dtype(0)?, shape)
}

pub(super) fn resize_nearest(inputs: Inputs<'_>, dim: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    match usize::try_from(dim) {
        Ok(at) => with_sizes(inputs, at, two(inputs, 1)?),
        Err(_) => wrong(format!("dim is {dim}, and negative ones are refused here")),
    }
}

/// A size by a factor, without the fraction, as TenniS computes it: with floats of 32 bits.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as C++")]
fn scaled(old: Size, scale: f32) -> Result<Size, Failure> {
    known(old, |old| size((old as f32 * scale).floor() as i64))
}

pub(super) fn sample(inputs: Inputs<'_>, scale: f32, dim: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    if scale.is_nan() || scale < 1e-5 {
        return wrong(format!("\"scale\" is {scale}, and less than 1e-5"));
    }
    let x = inputs.shape(0)?;
    let at = position(dim, x.len())?;
    let size_at = |at: usize| scaled(x.get(at).copied().flatten(), scale);
    with_sizes(inputs, at, [size_at(at)?, size_at(at + 1)?])
}

pub(super) fn sample_v2(inputs: Inputs<'_>) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let (x, scales) = (inputs.shape(0)?, inputs.numbers(1)?);
    if x.len() != scales.len() {
        return wrong(format!("there are {} scales for {} dims", scales.len(), x.len()));
    }
    let sizes = x
        .iter()
        .zip(scales)
        .map(|(size, scale)| scale.map_or(Ok(None), |scale| scaled(*size, scale.to_f32())));
    resize(inputs, &sizes.collect::<Result<Vec<_>, _>>()?)
}

/// Images in NHWC, of another height and width.
pub(super) fn in_nhwc(
    inputs: Inputs<'_>,
    sizes: impl FnOnce(Size, Size) -> Result<(Size, Size), Failure>,
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let [_, height, width, _] = inputs.dims::<4>(0)?;
    let (height, width) = sizes(height, width)?;
    with_sizes(inputs, 1, [height, width])
}

/// `size` is width and height, or both at once.
pub(super) fn letterbox(inputs: Inputs<'_>, size: &[i32]) -> Result<Vec<Output>, Failure> {
    in_nhwc(inputs, |_, _| match *size {
        [width, height] => Ok((Some(height), Some(width))),
        [side] => Ok((Some(side), Some(side))),
        _ => wrong(format!("\"size\" has {} numbers, expected 1 or 2", size.len())),
    })
}

/// `size` is width and height, or the shorter side.
pub(super) fn scale_resize(inputs: Inputs<'_>, sizes: &[i32]) -> Result<Vec<Output>, Failure> {
    in_nhwc(inputs, |height, width| match *sizes {
        [width, height] => Ok((Some(height), Some(width))),
        [side] => {
            let (Some(height), Some(width)) = (height, width) else { return Ok((None, None)) };
            let longer = |long: i32, short: i32| match (i64::from(side) * i64::from(long))
                .checked_div(short.into())
            {
                Some(longer) => size(longer),
                None => wrong("the image is empty"),
            };
            if height > width {
                Ok((longer(height, width)?, Some(side)))
            } else {
                Ok((Some(side), longer(width, height)?))
            }
        }
        _ => wrong(format!("\"size\" has {} numbers, expected 1 or 2", sizes.len())),
    })
}

/// Images with so many channels, which are the last dim.
pub(super) fn of_channels(inputs: Inputs<'_>, channels: i32) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    match inputs.shape(0)?.split_last() {
        Some((_, others)) => one(inputs.dtype(0)?, [others, &[Some(channels)]].concat()),
        None => wrong("input 0 has no dims"),
    }
}

/// What follows from a size, if it is known.
fn known(old: Size, new: impl FnOnce(i32) -> Result<Size, Failure>) -> Result<Size, Failure> {
    old.map_or(Ok(None), new)
}

/// The quotient of a size. Fails if there is a remainder.
fn divided(value: i64, divisor: i64) -> Result<Size, Failure> {
    match (value.checked_div(divisor), value.checked_rem(divisor)) {
        (Some(quotient), Some(0)) => size(quotient),
        _ => wrong(format!("{value} cannot be divided by {divisor}")),
    }
}

/// The sizes of a block, which are at least 1.
fn block(block_shape: [i32; 2]) -> Result<[i64; 2], Failure> {
    match block_shape.iter().find(|size| **size < 1) {
        Some(size) => wrong(format!("\"block_shape\" has the size {size}")),
        None => Ok(block_shape.map(i64::from)),
    }
}

pub(super) fn space_to_batch(
    inputs: Inputs<'_>,
    padding: &[[i32; 2]; 2],
    block_shape: [i32; 2],
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let [batch, channels, height, width] = inputs.dims::<4>(0)?;
    let [block_height, block_width] = block(block_shape)?;
    let blocks = |[before, after]: [i32; 2], block: i64| {
        move |old| divided(i64::from(old) + i64::from(before) + i64::from(after), block)
    };
    let count = i128::from(block_height * block_width);
    let batch = known(batch, |batch| size(i128::from(batch) * count))?;
    let height = known(height, blocks(padding[0], block_height))?;
    let width = known(width, blocks(padding[1], block_width))?;
    one(inputs.dtype(0)?, vec![batch, channels, height, width])
}

pub(super) fn batch_to_space(
    inputs: Inputs<'_>,
    crop: &[[i32; 2]; 2],
    block_shape: [i32; 2],
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(1)?;
    let [batch, channels, height, width] = inputs.dims::<4>(0)?;
    let [block_height, block_width] = block(block_shape)?;
    let cropped = |[before, after]: [i32; 2], block: i64| {
        move |old| size(i64::from(old) * block - i64::from(before) - i64::from(after))
    };
    if batch == Some(0) {
        return wrong("the batch is empty");
    }
    let batch = known(batch, |batch| divided(batch.into(), block_height * block_width))?;
    let height = known(height, cropped(crop[0], block_height))?;
    let width = known(width, cropped(crop[1], block_width))?;
    one(inputs.dtype(0)?, vec![batch, channels, height, width])
}

pub(super) fn shape_index_patch(
    inputs: Inputs<'_>,
    patch: [i32; 2],
    origin: [i32; 2],
) -> Result<Vec<Output>, Failure> {
    inputs.exactly(2)?;
    let dtype = inputs.of_one_dtype(&[0, 1])?;
    let [batch, channels, height, width] = inputs.dims::<4>(0)?;
    let [_, numbers, _, _] = inputs.dims::<4>(1)?;
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as C++")]
    let scaled = |patch: i32, origin: i32| {
        move |old| size((patch.wrapping_mul(old) as f32 / origin as f32 + 0.5) as i64)
    };
    let height = known(height, scaled(patch[0], origin[0]))?;
    let width = known(width, scaled(patch[1], origin[1]))?;
    let points = known(numbers, |numbers| divided(numbers.into(), 2))?;
    one(dtype, vec![batch, channels, height, points, width])
}
