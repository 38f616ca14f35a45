//! Normalization of batches, layers and images.

use fourfold::tsm::{DType, Tensor};
use fourfold_tennis::Operator as Op;

use super::graph::{Conversion, Value};
use super::site::{Site, dim, int32, position};
use super::{Done, Lowered};

pub(super) fn batch(site: &mut Site<'_, '_>) -> Done {
    site.attributes.ignore("momentum");
    site.attributes.only("spatial", 1)?;
    site.attributes.only("training_mode", 0)?;
    site.has_outputs(1)?;
    let epsilon = site.attributes.float("epsilon", 1e-5)?;
    let (x, scale, bias) = (site.input(0)?, site.input(1)?, site.input(2)?);
    let (mean, variance) = (site.input(3)?, site.input(4)?);
    if scale.dtype()? != x.dtype()? || mean.dtype()? != x.dtype()? {
        return Err("x, scale and mean have different types".into());
    }
    if uniform(site, &scale)? == Some(1.0) && uniform(site, &bias)? == Some(0.0) {
        return site.emit(Op::BatchNorm { dim: 1, epsilon }, &[&x, &mean, &variance]);
    }
    site.emit(Op::FusedBatchNorm { dim: 1, epsilon }, &[&x, &mean, &variance, &scale, &bias])
}

/// The number that all elements of a constant are.
fn uniform(site: &mut Site<'_, '_>, value: &Value) -> Lowered<Option<f64>> {
    let number = site.converted(value, Conversion::Uniform, |tensor| {
        let number = match tensor.dtype() {
            DType::Float32 => equal(&tensor.values::<f32>().map_err(|error| error.to_string())?)
                .map(|number| Tensor::from_values(&[number], &[])),
            DType::Float64 => equal(&tensor.values::<f64>().map_err(|error| error.to_string())?)
                .map(|number| Tensor::from_values(&[number], &[])),
            _ => None,
        };
        let number = number.transpose().map_err(|error| error.to_string())?;
        Ok(number.into_iter().collect())
    })?;
    Ok(number.and_then(|number| number.first().and_then(Value::float)))
}

/// The first number, if all are equal to it.
fn equal<T: Copy + PartialEq>(numbers: &[T]) -> Option<T> {
    let first = *numbers.first()?;
    numbers.iter().all(|&number| number == first).then_some(first)
}

/// x less its mean, by the square root of its variance and epsilon, in these dims.
fn normalized(site: &mut Site<'_, '_>, x: &Value, dims: &[i32], epsilon: f32) -> Lowered<Value> {
    let mean = Op::ReduceMean { dims: dims.to_vec(), keep_dims: true };
    let center = site.op(mean.clone(), &[x])?;
    let centered = site.op(Op::Sub, &[x, &center])?;
    let square = site.op(Op::Square, &[&centered])?;
    let variance = site.op(mean, &[&square])?;
    scaled_by_root(site, &centered, &variance, epsilon)
}

fn scaled_by_root(
    site: &mut Site<'_, '_>,
    x: &Value,
    variance: &Value,
    epsilon: f32,
) -> Lowered<Value> {
    let epsilon = site.number(x.dtype()?, epsilon.into())?;
    let sum = site.op(Op::Add, &[variance, &epsilon])?;
    let deviation = site.op(Op::Sqrt, &[&sum])?;
    site.op(Op::Div, &[x, &deviation])
}

pub(super) fn layer(site: &mut Site<'_, '_>) -> Done {
    site.attributes.ignore("stash_type");
    site.has_outputs(1)?;
    let epsilon = site.attributes.float("epsilon", 1e-5)?;
    let (x, scale, bias) = (site.input(0)?, site.input(1)?, site.optional(2));
    let rank = x.rank()?;
    let axis = position(site.attributes.int("axis")?.unwrap_or(-1), rank)?;
    let dims: Vec<i32> = (axis..rank).map(dim).collect::<Lowered<_>>()?;
    let normal = normalized(site, &x, &dims, epsilon)?;
    match bias {
        None => site.emit(Op::Mul, &[&normal, &scale]),
        Some(bias) => {
            let scaled = site.op(Op::Mul, &[&normal, &scale])?;
            site.emit(Op::Add, &[&scaled, &bias])
        }
    }
}

pub(super) fn rms(site: &mut Site<'_, '_>) -> Done {
    site.attributes.ignore("stash_type");
    let epsilon = site.attributes.float("epsilon", 1e-5)?;
    let (x, scale) = (site.input(0)?, site.input(1)?);
    let rank = x.rank()?;
    let axis = position(site.attributes.int("axis")?.unwrap_or(-1), rank)?;
    let dims: Vec<i32> = (axis..rank).map(dim).collect::<Lowered<_>>()?;
    let square = site.op(Op::Square, &[&x])?;
    let mean = site.op(Op::ReduceMean { dims, keep_dims: true }, &[&square])?;
    let normal = scaled_by_root(site, &x, &mean, epsilon)?;
    site.emit(Op::Mul, &[&normal, &scale])
}

pub(super) fn instance(site: &mut Site<'_, '_>) -> Done {
    let epsilon = site.attributes.float("epsilon", 1e-5)?;
    let (x, scale, bias) = (site.input(0)?, site.input(1)?, site.input(2)?);
    let rank = x.rank()?;
    let dims: Vec<i32> = (2..rank).map(dim).collect::<Lowered<_>>()?;
    if dims.is_empty() {
        return Err("it has no dims of images".into());
    }
    let normal = normalized(site, &x, &dims, epsilon)?;
    // A number for each channel, to be broadcast.
    let mut shape = vec![1; dims.len() + 1];
    if let Some(first) = shape.first_mut() {
        *first = -1;
    }
    let scale = site.along(&scale, &shape)?;
    let bias = site.along(&bias, &shape)?;
    let scaled = site.op(Op::Mul, &[&normal, &scale])?;
    site.emit(Op::Add, &[&scaled, &bias])
}

/// Normalization of groups of channels. Before version 21, scale and bias are those of groups.
pub(super) fn group(site: &mut Site<'_, '_>) -> Done {
    site.attributes.ignore("stash_type");
    let epsilon = site.attributes.float("epsilon", 1e-5)?;
    let groups = site.attributes.int("num_groups")?.ok_or("num_groups is missing")?;
    let (x, scale, bias) = (site.input(0)?, site.input(1)?, site.input(2)?);
    let rank = x.rank()?;
    if rank < 3 {
        return Err("it has no dims of images".into());
    }
    let shape = site.op(Op::Shape, &[&x])?;
    let grouped = site.op(Op::Reshape { shape: vec![0, int32(groups)?, -1] }, &[&x])?;
    let normal = normalized(site, &grouped, &[2], epsilon)?;
    if site.opset < 21 {
        let (scale, bias) = (site.along(&scale, &[-1, 1])?, site.along(&bias, &[-1, 1])?);
        let scaled = site.op(Op::Mul, &[&normal, &scale])?;
        let sum = site.op(Op::Add, &[&scaled, &bias])?;
        return site.emit(Op::ReshapeV2, &[&sum, &shape]);
    }
    let normal = site.op(Op::ReshapeV2, &[&normal, &shape])?;
    let along: Vec<i32> = (1..rank).map(|at| if at == 1 { -1 } else { 1 }).collect();
    let (scale, bias) = (site.along(&scale, &along)?, site.along(&bias, &along)?);
    let scaled = site.op(Op::Mul, &[&normal, &scale])?;
    site.emit(Op::Add, &[&scaled, &bias])
}
