//! Operators that compute each element by itself.

use fourfold::tsm::{DType, Prototype, Tensor};
use fourfold_tennis::Operator as Op;

use super::graph::Value;
use super::site::{Site, dim};
use super::tensors::dtype_of;
use super::{Done, Lowered, compare, whole};
use crate::numbers::is_float;

/// An operator of one input that TenniS has, too.
pub(super) fn unary(site: &mut Site<'_, '_>, operator: Op) -> Done {
    let x = site.input(0)?;
    site.emit(operator, &[&x])
}

/// An operator of two inputs that TenniS has, too.
pub(super) fn binary(site: &mut Site<'_, '_>, operator: Op) -> Done {
    let (a, b) = (site.input(0)?, site.input(1)?);
    site.emit(operator, &[&a, &b])
}

/// A constant for each size of a dim is a bias.
pub(super) fn add(site: &mut Site<'_, '_>) -> Done {
    let (a, b) = (site.input(0)?, site.input(1)?);
    let (x, bias) = if a.tensor().is_some() { (&b, &a) } else { (&a, &b) };
    match along(x, bias) {
        Some(at) if bias.tensor().is_some() && x.tensor().is_none() => {
            let bias = site.along(bias, &[-1])?;
            site.emit(Op::AddBias { format: None, dim: Some(dim(at)?) }, &[x, &bias])
        }
        _ => site.emit(Op::Add, &[&a, &b]),
    }
}

/// A value by itself is its square.
pub(super) fn mul(site: &mut Site<'_, '_>) -> Done {
    match site.node.input.as_slice() {
        [a, b] if a == b => unary(site, Op::Square),
        _ => binary(site, Op::Mul),
    }
}

/// The dim of x along which a vector is broadcast, if it has a number for each size of it.
fn along(x: &Value, vector: &Value) -> Option<usize> {
    let (rank, shape) = (x.rank().ok()?, vector.shape().ok()?);
    let before = rank.checked_sub(shape.len())?;
    let mut wide = (0..shape.len()).filter(|&at| vector.size(at) != Some(1));
    let (at, None) = (wide.next()?, wide.next()) else { return None };
    (vector.size(at).is_some() && vector.size(at) == x.size(at + before)).then_some(at + before)
}

/// TenniS reads beyond shapes of different counts of dims.
pub(super) fn of_one_rank(site: &mut Site<'_, '_>, a: Value, b: Value) -> Lowered<[Value; 2]> {
    let rank = a.rank()?.max(b.rank()?);
    Ok([with_dims(site, a, rank)?, with_dims(site, b, rank)?])
}

/// Sizes that are known are compared here: conditions depend on them.
pub(super) fn equal(site: &mut Site<'_, '_>) -> Done {
    let (a, b) = (site.input(0)?, site.input(1)?);
    if let (Some([one]), Some([two])) = (a.integers().as_deref(), b.integers().as_deref()) {
        let shape = vec![1; a.rank()?.max(b.rank()?)];
        let prototype = Prototype::new(DType::Boolean, shape);
        let tensor = Tensor::new(prototype, vec![u8::from(one == two)]);
        let value = site.tensor(tensor.map_err(|error| error.to_string())?);
        return site.alias(value);
    }
    let [mut a, mut b] = of_one_rank(site, a, b)?;
    if a.dtype()? == DType::Boolean {
        (a, b) = (compare::byte(site, &a)?, compare::byte(site, &b)?);
    }
    site.emit(Op::Equal, &[&a, &b])
}

/// A value with dims of 1 before its own.
fn with_dims(site: &mut Site<'_, '_>, x: Value, rank: usize) -> Lowered<Value> {
    let missing = rank - x.rank()?.min(rank);
    match missing {
        0 => Ok(x),
        _ => site.op(Op::Unsqueeze { axes: (0..dim(missing)?).collect() }, &[&x]),
    }
}

/// An operator of any number of inputs, which TenniS has for two.
pub(super) fn variadic(site: &mut Site<'_, '_>, operator: &Op) -> Done {
    let mut result = site.input(0)?;
    let count = site.inputs.len();
    for index in 1..count {
        let next = site.input(index)?;
        if index + 1 == count {
            return site.emit(operator.clone(), &[&result, &next]);
        }
        result = site.op(operator.clone(), &[&result, &next])?;
    }
    site.alias(result)
}

pub(super) fn mean(site: &mut Site<'_, '_>) -> Done {
    let mut sum = site.input(0)?;
    let count = site.inputs.len();
    for index in 1..count {
        let next = site.input(index)?;
        sum = site.op(Op::Add, &[&sum, &next])?;
    }
    let count = i32::try_from(count).map_err(|_| "it has too many inputs")?;
    let count = site.number(sum.dtype()?, count.into())?;
    site.emit(Op::Div, &[&sum, &count])
}

/// Alias of the first input.
pub(super) fn identity(site: &mut Site<'_, '_>) -> Done {
    let x = site.narrow_input(0)?;
    site.alias(x)
}

pub(super) fn dropout(site: &mut Site<'_, '_>) -> Done {
    site.attributes.ignore("ratio");
    site.attributes.ignore("seed");
    if site.integers(2, "mode")?.is_some_and(|mode| mode != [0]) {
        return Err("it is in training mode".into());
    }
    identity(site)
}

/// x by a number.
fn times(site: &mut Site<'_, '_>, x: &Value, by: f64) -> Lowered<Value> {
    let by = site.number(x.dtype()?, by)?;
    site.op(Op::Mul, &[x, &by])
}

pub(super) fn neg(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let minus_one = site.number(x.dtype()?, -1.0)?;
    site.emit(Op::Mul, &[&x, &minus_one])
}

/// What turns the order of all numbers of a type around, and is its own inverse: the negative, or -1 - x for integers,
/// of which the least has no negative, or the largest number less x for unsigned ones.
enum Reversal {
    By(Value),
    From(Value),
}

impl Reversal {
    fn of(site: &mut Site<'_, '_>, dtype: DType) -> Lowered<Self> {
        let largest = match dtype {
            DType::UInt8 => Some(site.constant(&[u8::MAX], &[])?),
            DType::UInt16 => Some(site.constant(&[u16::MAX], &[])?),
            DType::UInt32 => Some(site.constant(&[u32::MAX], &[])?),
            DType::UInt64 => Some(site.constant(&[u64::MAX], &[])?),
            _ => None,
        };
        Ok(match largest {
            Some(largest) => Reversal::From(largest),
            None if is_float(dtype) => Reversal::By(site.number(dtype, -1.0)?),
            None => Reversal::From(site.number(dtype, -1.0)?),
        })
    }

    fn parts<'a>(&'a self, x: &'a Value) -> (Op, [&'a Value; 2]) {
        match self {
            Reversal::By(number) => (Op::Mul, [x, number]),
            Reversal::From(number) => (Op::Sub, [number, x]),
        }
    }
}

/// x in the opposite order.
pub(super) fn reversed(site: &mut Site<'_, '_>, x: &Value) -> Lowered<Value> {
    let reversal = Reversal::of(site, x.dtype()?)?;
    let (operator, inputs) = reversal.parts(x);
    site.op(operator, &inputs)
}

/// The last node, which turns the order back.
pub(super) fn emit_reversed(site: &mut Site<'_, '_>, x: &Value) -> Done {
    let reversal = Reversal::of(site, x.dtype()?)?;
    let (operator, inputs) = reversal.parts(x);
    site.emit(operator, &inputs)
}

pub(super) fn div(site: &mut Site<'_, '_>) -> Done {
    let (a, b) = (site.input(0)?, site.input(1)?);
    if let Some(norm) = whole::l2_norm(site.graph, &a, &b) {
        return site.emit(norm, &[&a]);
    }
    if let Some((x, softmax)) = whole::rough_softmax(site.graph, &a, &b) {
        return site.emit(softmax, &[&x]);
    }
    site.emit(Op::Div, &[&a, &b])
}

pub(super) fn reciprocal(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    if let Some(x) = whole::under_root(site.graph, &x) {
        return site.emit(Op::Rsqrt, &[&x]);
    }
    let one = site.number(x.dtype()?, 1.0)?;
    site.emit(Op::Div, &[&one, &x])
}

/// The smaller of values: TenniS has the larger only.
pub(super) fn min(site: &mut Site<'_, '_>) -> Done {
    let first = site.input(0)?;
    let count = site.inputs.len();
    if count == 1 {
        return site.alias(first);
    }
    let mut largest = reversed(site, &first)?;
    for index in 1..count {
        let next = site.input(index)?;
        let next = reversed(site, &next)?;
        largest = site.op(Op::Maximum, &[&largest, &next])?;
    }
    emit_reversed(site, &largest)
}

pub(super) fn clip(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let (low, high) = match site.opset < 11 {
        true => {
            let dtype = x.dtype()?;
            let low = site.attributes.float("min", f32::MIN)?;
            let high = site.attributes.float("max", f32::MAX)?;
            let low = (low > f32::MIN).then(|| site.number(dtype, low.into())).transpose()?;
            let high = (high < f32::MAX).then(|| site.number(dtype, high.into())).transpose()?;
            (low, high)
        }
        false => (site.optional(1), site.optional(2)),
    };
    let number = |value: &Option<Value>| value.as_ref().and_then(Value::float);
    match (number(&low), number(&high)) {
        #[expect(clippy::cast_possible_truncation, reason = "compared after it")]
        (Some(0.0), Some(max)) if f64::from(max as f32) == max && max >= 0.0 => {
            return site.emit(Op::ReluMax { max: max as f32 }, &[&x]);
        }
        _ => {}
    }
    match (low, high) {
        (None, None) => site.alias(x),
        (Some(low), None) => site.emit(Op::Maximum, &[&x, &low]),
        (low, Some(high)) => {
            let raised = match low {
                Some(low) => site.op(Op::Maximum, &[&x, &low])?,
                None => x,
            };
            let (raised, high) = (reversed(site, &raised)?, reversed(site, &high)?);
            let cut = site.op(Op::Maximum, &[&raised, &high])?;
            emit_reversed(site, &cut)
        }
    }
}

pub(super) fn leaky_relu(site: &mut Site<'_, '_>) -> Done {
    let scale = site.attributes.float("alpha", 0.01)?;
    unary(site, Op::LeakyRelu { scale })
}

pub(super) fn hard_sigmoid(site: &mut Site<'_, '_>) -> Done {
    let alpha = site.attributes.float("alpha", 0.2)?;
    let beta = site.attributes.float("beta", 0.5)?;
    unary(site, Op::HardSigmoid { alpha, beta })
}

pub(super) fn hard_swish(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let gate = site.op(Op::HardSigmoid { alpha: 1.0 / 6.0, beta: 0.5 }, &[&x])?;
    site.emit(Op::Mul, &[&x, &gate])
}

/// The slope is a constant for each size of a dim, or anything that is broadcast.
pub(super) fn prelu(site: &mut Site<'_, '_>) -> Done {
    let (x, slope) = (site.input(0)?, site.input(1)?);
    #[expect(clippy::cast_possible_truncation, reason = "a float of 32 bits")]
    if let (Ok(DType::Float32), Some(scale)) = (x.dtype(), slope.float()) {
        return site.emit(Op::LeakyRelu { scale: scale as f32 }, &[&x]);
    }
    if let Some(at) = along(&x, &slope) {
        let slope = if slope.rank()? == 1 { slope } else { site.along(&slope, &[-1])? };
        return site.emit(Op::Prelu { dim: dim(at)? }, &[&x, &slope]);
    }
    let (positive, negative) = parts(site, &x)?;
    let sloped = site.op(Op::Mul, &[&negative, &slope])?;
    site.emit(Op::Add, &[&positive, &sloped])
}

/// The parts of x that are positive and negative. They are not what is left of x without the other one, which is no
/// number for infinite x.
fn parts(site: &mut Site<'_, '_>, x: &Value) -> Lowered<(Value, Value)> {
    let positive = site.op(Op::Relu, &[x])?;
    let negative = times(site, x, -1.0)?;
    let negative = site.op(Op::Relu, &[&negative])?;
    Ok((positive, times(site, &negative, -1.0)?))
}

/// The exponential function less 1, by `alpha`, where x is negative.
fn elu_of(site: &mut Site<'_, '_>, divisor: f64, alpha: f64, gamma: f64) -> Done {
    let x = site.input(0)?;
    let dtype = x.dtype()?;
    let (positive, negative) = parts(site, &x)?;
    let negative = if divisor == 1.0 { negative } else { times(site, &negative, 1.0 / divisor)? };
    let exp = site.op(Op::Exp, &[&negative])?;
    let one = site.number(dtype, 1.0)?;
    let less = site.op(Op::Sub, &[&exp, &one])?;
    let less = times(site, &less, alpha)?;
    if gamma == 1.0 {
        return site.emit(Op::Add, &[&positive, &less]);
    }
    let sum = site.op(Op::Add, &[&positive, &less])?;
    let gamma = site.number(dtype, gamma)?;
    site.emit(Op::Mul, &[&sum, &gamma])
}

pub(super) fn elu(site: &mut Site<'_, '_>) -> Done {
    let alpha = site.attributes.float("alpha", 1.0)?;
    elu_of(site, 1.0, alpha.into(), 1.0)
}

pub(super) fn celu(site: &mut Site<'_, '_>) -> Done {
    let alpha = site.attributes.float("alpha", 1.0)?;
    elu_of(site, alpha.into(), alpha.into(), 1.0)
}

pub(super) fn selu(site: &mut Site<'_, '_>) -> Done {
    let alpha = site.attributes.float("alpha", 1.673_263_2)?;
    let gamma = site.attributes.float("gamma", 1.050_701)?;
    elu_of(site, 1.0, alpha.into(), gamma.into())
}

/// TenniS's own is infinite from 89 on, so it gets what is not positive.
pub(super) fn softplus(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let positive = site.op(Op::Relu, &[&x])?;
    let size = site.op(Op::Abs, &[&x])?;
    let negative = times(site, &size, -1.0)?;
    let soft = site.op(Op::Softplus, &[&negative])?;
    site.emit(Op::Add, &[&positive, &soft])
}

pub(super) fn softsign(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let size = site.op(Op::Abs, &[&x])?;
    let one = site.number(x.dtype()?, 1.0)?;
    let divisor = site.op(Op::Add, &[&size, &one])?;
    site.emit(Op::Div, &[&x, &divisor])
}

pub(super) fn mish(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let soft = site.op(Op::Softplus, &[&x])?;
    let gate = site.op(Op::Tanh, &[&soft])?;
    site.emit(Op::Mul, &[&x, &gate])
}

pub(super) fn swish(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let alpha = site.attributes.float("alpha", 1.0)?;
    let scaled = if alpha == 1.0 { x.clone() } else { times(site, &x, alpha.into())? };
    let gate = site.op(Op::Sigmoid, &[&scaled])?;
    site.emit(Op::Mul, &[&x, &gate])
}

pub(super) fn gelu(site: &mut Site<'_, '_>) -> Done {
    let x = site.input(0)?;
    let gate = match site.attributes.text("approximate", "none")? {
        "none" => {
            let scaled = times(site, &x, std::f64::consts::FRAC_1_SQRT_2)?;
            site.op(Op::Erf, &[&scaled])?
        }
        "tanh" => {
            let square = site.op(Op::Square, &[&x])?;
            let cube = site.op(Op::Mul, &[&square, &x])?;
            let cube = times(site, &cube, 0.044_715)?;
            let sum = site.op(Op::Add, &[&x, &cube])?;
            let scaled = times(site, &sum, std::f64::consts::FRAC_2_PI.sqrt())?;
            site.op(Op::Tanh, &[&scaled])?
        }
        other => return Err(format!("approximate is {other:?}")),
    };
    let one = site.number(x.dtype()?, 1.0)?;
    let gate = site.op(Op::Add, &[&gate, &one])?;
    let half = times(site, &x, 0.5)?;
    site.emit(Op::Mul, &[&half, &gate])
}

/// TenniS has one exponent for all elements.
pub(super) fn pow(site: &mut Site<'_, '_>) -> Done {
    let (x, y) = (site.input(0)?, site.input(1)?);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "a param of 32 bits"
    )]
    let exponent = match (y.float(), y.integers().as_deref()) {
        (Some(y), _) => y as f32,
        (_, Some([y])) if y.unsigned_abs() < 1 << 24 => *y as f32,
        _ => return Err("TenniS has constants of one number as exponents".into()),
    };
    if y.rank()? > x.rank()? {
        return Err("its exponent has more dims than x".into());
    }
    site.emit(Op::Pow { y: exponent }, &[&x])
}

/// TenniS's remainder has the sign of the dividend, as in C++. That of the divisor is the remainder of it and the
/// divisor.
pub(super) fn modulo(site: &mut Site<'_, '_>) -> Done {
    /// Twice as much is a number of the type.
    const MOST: i64 = 1 << 30;
    let is_c = site.attributes.flag("fmod", false)?;
    let (x, y) = (site.input(0)?, site.input(1)?);
    if x.shape()? != y.shape()? && y.output.count() != Some(1) {
        return Err("its inputs have other shapes, and TenniS may exchange these".into());
    }
    let dtype = x.dtype()?;
    let is_unsigned = matches!(dtype, DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64);
    match y.integers().as_deref() {
        _ if is_float(dtype) => Err("TenniS has remainders of integers only".into()),
        _ if is_c || is_unsigned => site.emit(Op::Mod, &[&x, &y]),
        Some([1..=MOST]) if matches!(dtype, DType::Int32 | DType::Int64) => {
            let rest = site.op(Op::Mod, &[&x, &y])?;
            let sum = site.op(Op::Add, &[&rest, &y])?;
            site.emit(Op::Mod, &[&sum, &y])
        }
        _ => Err("TenniS has the sign of the dividend only (fmod)".into()),
    }
}

pub(super) fn select(site: &mut Site<'_, '_>) -> Done {
    let (condition, yes, no) = (site.input(0)?, site.input(1)?, site.input(2)?);
    site.emit(Op::Where, &[&condition, &yes, &no])
}

pub(super) fn cast(site: &mut Site<'_, '_>) -> Done {
    site.attributes.ignore("saturate");
    site.attributes.ignore("round_mode");
    let to = site.attributes.int("to")?.ok_or("attribute to is missing")?;
    let to = dtype_of(i32::try_from(to).unwrap_or(0))?;
    cast_to(site, to)
}

pub(super) fn cast_like(site: &mut Site<'_, '_>) -> Done {
    site.attributes.ignore("saturate");
    let to = site.input(1)?.dtype()?;
    cast_to(site, to)
}

fn cast_to(site: &mut Site<'_, '_>, to: DType) -> Done {
    let x = site.narrow_input(0)?;
    let from = x.dtype()?;
    if x.is_narrow && to == DType::Int64 {
        return site.alias(x);
    }
    if from == to {
        return site.alias(x.narrowed(false));
    }
    match (from, to) {
        (DType::Int32, DType::Int8 | DType::UInt8 | DType::Int16 | DType::UInt16) => {
            // C++ casts floats to these by way of int32, too.
            let float = whole::before_cast(site.graph, &x, DType::Int32)
                .filter(|x| x.output.dtype().is_some_and(is_float));
            site.emit(Op::Cast { dtype: to }, &[float.as_ref().unwrap_or(&x)])
        }
        (_, DType::Boolean) => compare::truth(site, &x),
        (_, DType::Float16) => Err("TenniS does not round to float16 as ONNX does".into()),
        (from, to)
            if is_float(from) && !is_float(to) && to != DType::Int32 && to != DType::Int64 =>
        {
            Err(format!("what {from} beyond {to} are is not defined in ONNX"))
        }
        (_, DType::Float32) => site.emit(Op::ToFloat, &[&x]),
        _ => site.emit(Op::Cast { dtype: to }, &[&x]),
    }
}
