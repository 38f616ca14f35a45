//! Normalization of batches, layers and images.

use fourfold::tsm::{DType, Tensor};
use fourfold_tennis::{Format, Operator as Op, PadType, PoolType};

use super::graph::{Conversion, Value};
use super::site::{Site, dim, int32, position};
use super::{Done, Lowered};

pub(super) fn batch(site: &mut Site<'_, '_>) -> Done {
    site.attributes.ignore("momentum");
    site.attributes.only("spatial", 1)?;
    site.attributes.only("training_mode", 0)?;
    // Before the attribute, more outputs said so.
    if site.node.output.iter().skip(1).any(|name| !name.is_empty()) {
        return Err(
            "it is in training mode, as its outputs 1 to 4 show; export the model for inference"
                .into(),
        );
    }
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

/// x by a power of the sum of the squares in the channels around.
pub(super) fn local_response(site: &mut Site<'_, '_>) -> Done {
    let size = int32(site.attributes.int("size")?.ok_or("size is missing")?)?;
    if size < 1 {
        return Err(format!("size is {size}, at least 1 is possible"));
    }
    let alpha = site.attributes.float("alpha", 1e-4)?;
    let beta = site.attributes.float("beta", 0.75)?;
    let bias = site.attributes.float("bias", 1.0)?;
    let x = site.input(0)?;
    if x.rank()? != 4 {
        return Err(format!("TenniS has images of two dims; x has {} dims", x.rank()?));
    }
    let square = site.op(Op::Square, &[&x])?;
    // With channels in the place of the height, their mean is that of a pool; padding counts as zeros.
    let exchange = Op::Transpose { permute: Some(vec![0, 2, 1, 3]) };
    let columns = site.op(exchange.clone(), &[&square])?;
    let before = (size - 1) / 2;
    let pool = Op::Pooling2d {
        format: Format::Nchw,
        kind: PoolType::Avg,
        padding: [[0, 0], [0, 0], [before, size - 1 - before], [0, 0]],
        padding_type: PadType::White,
        ksize: [1, 1, size, 1],
        stride: [1; 4],
    };
    let means = site.op(pool, &[&columns])?;
    let means = site.op(exchange, &[&means])?;
    let (alpha, bias) =
        (site.number(x.dtype()?, alpha.into())?, site.number(x.dtype()?, bias.into())?);
    let scaled = site.op(Op::Mul, &[&means, &alpha])?;
    let sum = site.op(Op::Add, &[&scaled, &bias])?;
    let power = site.op(Op::Pow { y: beta }, &[&sum])?;
    site.emit(Op::Div, &[&x, &power])
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
