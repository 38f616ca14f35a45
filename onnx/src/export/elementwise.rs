//! Operators that compute each element by itself.

use fourfold::tsm::DType;
use fourfold_tennis::upcast;

use super::site::{Lowered, Site, Value, cut, defined, dim_of};
use super::types::{floats, fractions, numbers, selected, single, widened};
use crate::numbers::is_float;
use crate::proto::Attribute;

pub(super) fn softplus(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    match x.dtype {
        DType::Float32 => site.emit("Softplus", &[&x.name], Vec::new()),
        other => Err(format!(
            "for {other}, TenniS takes the first element for all; cast its input to float32 before"
        )),
    }
}

/// Integers are 0 or 1 in TenniS.
pub(super) fn sigmoid(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    fractions(x.dtype, "Sigmoid")?;
    site.emit("Sigmoid", &[&x.name], Vec::new())
}

pub(super) fn erf(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    single(x.dtype, "Erf")?;
    site.emit("Erf", &[&x.name], Vec::new())
}

/// An operator that ONNX has under another name, for floats.
pub(super) fn float(site: &mut Site<'_>, op: &str) -> Lowered {
    let [x] = site.take()?;
    floats(x.dtype)?;
    site.emit(op, &[&x.name], Vec::new())
}

/// The same, which leaves integers as they are.
pub(super) fn rounding(site: &mut Site<'_>, op: &str) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let op = if is_float(x.dtype) { op } else { "Identity" };
    site.emit(op, &[&x.name], Vec::new())
}

pub(super) fn abs(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    site.emit("Abs", &[&x.name], Vec::new())
}

/// Integers are computed as doubles, and cut.
pub(super) fn sqrt(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let of = if is_float(x.dtype) { x.dtype } else { DType::Float64 };
    let x = site.cast(&x, of)?;
    site.emit_as(of, "Sqrt", &[&x], Vec::new())
}

pub(super) fn rsqrt(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    floats(x.dtype)?;
    let root = site.step("Sqrt", &[&x.name], Vec::new());
    site.emit("Reciprocal", &[&root], Vec::new())
}

pub(super) fn square(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    site.emit("Mul", &[&x.name, &x.name], Vec::new())
}

pub(super) fn relu(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    if is_float(x.dtype) {
        return site.emit("Relu", &[&x.name], Vec::new());
    }
    let of = widened(x.dtype);
    let (zero, x) = (site.number(of, 0.0)?, site.cast(&x, of)?);
    site.emit_as(of, "Max", &[&x, &zero], Vec::new())
}

/// TenniS casts the limit to the type of x.
pub(super) fn relu_max(site: &mut Site<'_>, max: f32) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    let of = widened(x.dtype);
    defined(x.dtype, max)?;
    let (zero, max) = (site.number(of, 0.0)?, site.number(of, truncated(x.dtype, max))?);
    if is_float(x.dtype) {
        return site.emit("Clip", &[&x.name, &zero, &max], Vec::new());
    }
    let x = site.cast(&x, of)?;
    site.emit_as(of, "Clip", &[&x, &zero, &max], Vec::new())
}

/// A param as TenniS casts it to the type of x, in the type in which it is compared.
fn truncated(dtype: DType, value: f32) -> f64 {
    let [low, high, ..] = cut(value.into()).to_le_bytes();
    match dtype {
        DType::UInt16 => u16::from_le_bytes([low, high]).into(),
        DType::Int16 => i16::from_le_bytes([low, high]).into(),
        _ => value.into(),
    }
}

pub(super) fn leaky_relu(site: &mut Site<'_>, scale: f32) -> Lowered {
    let [x] = site.take()?;
    numbers(x.dtype)?;
    if is_float(x.dtype) {
        return site.emit("LeakyRelu", &[&x.name], vec![Attribute::float("alpha", scale)]);
    }
    defined(x.dtype, scale)?;
    let slope = site.number(widened(x.dtype), scale.into())?;
    sloped(site, &x, &slope)
}

/// x where it is positive, else x by the slope, for integers.
fn sloped(site: &mut Site<'_>, x: &Value, slope: &str) -> Lowered {
    let of = widened(x.dtype);
    let (zero, x) = (site.number(of, 0.0)?, site.cast(x, of)?);
    let positive = site.step("Max", &[&x, &zero], Vec::new());
    let negative = site.step("Min", &[&x, &zero], Vec::new());
    let negative = site.step("Mul", &[&negative, slope], Vec::new());
    site.emit_as(of, "Add", &[&positive, &negative], Vec::new())
}

pub(super) fn prelu(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x, mut slope] = site.take()?;
    numbers(x.dtype)?;
    let dim = dim_of(dim, x.rank())?;
    if is_float(x.dtype) {
        let slope = site.along(&slope, dim, x.rank())?;
        return site.emit("PRelu", &[&x.name, &slope], Vec::new());
    }
    let of = widened(x.dtype);
    if slope.dtype != of {
        slope = Value { name: site.cast(&slope, of)?, dtype: of, ..slope };
    }
    let slope = site.along(&slope, dim, x.rank())?;
    sloped(site, &x, &slope)
}

/// ONNX has it for float; for double it is made of a line and two limits.
pub(super) fn hard_sigmoid(site: &mut Site<'_>, alpha: f32, beta: f32) -> Lowered {
    let [x] = site.take()?;
    floats(x.dtype)?;
    if x.dtype == DType::Float32 {
        let attributes = vec![Attribute::float("alpha", alpha), Attribute::float("beta", beta)];
        return site.emit("HardSigmoid", &[&x.name], attributes);
    }
    let alpha = site.number(x.dtype, alpha.into())?;
    let beta = site.number(x.dtype, beta.into())?;
    let (zero, one) = (site.number(x.dtype, 0.0)?, site.number(x.dtype, 1.0)?);
    let line = site.step("Mul", &[&x.name, &alpha], Vec::new());
    let line = site.step("Add", &[&line, &beta], Vec::new());
    site.emit("Clip", &[&line, &zero, &one], Vec::new())
}

pub(super) fn pow(site: &mut Site<'_>, y: f32) -> Lowered {
    let [x] = site.take()?;
    floats(x.dtype)?;
    let y = site.number(x.dtype, y.into())?;
    site.emit("Pow", &[&x.name, &y], Vec::new())
}

/// The common type of two inputs.
fn common(a: DType, b: DType) -> Lowered<DType> {
    upcast(a, b).ok_or_else(|| format!("TenniS has no common type of {a} and {b}"))
}

/// A quotient. TenniS has the largest or the least number where integers are divided by 0, which onnxruntime does not
/// survive.
pub(super) fn div(site: &mut Site<'_>) -> Lowered {
    let [a, b] = site.take()?;
    let dtype = common(a.dtype, b.dtype)?;
    numbers(dtype)?;
    if is_float(dtype) || b.ints.as_ref().is_some_and(|known| !known.contains(&0)) {
        return binary(site, "Div");
    }
    let Some([least, largest]) = limits(dtype) else {
        return Err(format!(
            "its divisor may be 0, and onnxruntime does not select {dtype}; cast its inputs to int64 before"
        ));
    };
    let of = widened(dtype);
    let (a, b) = (site.cast(&a, of)?, site.cast(&b, of)?);
    let (zero, one) = (site.number(of, 0.0)?, site.number(of, 1.0)?);
    let (least, largest) = (site.number(of, least)?, site.number(of, largest)?);
    let is_zero = site.step("Equal", &[&b, &zero], Vec::new());
    let divisor = site.step("Where", &[&is_zero, &one, &b], Vec::new());
    let quotient = site.step("Div", &[&a, &divisor], Vec::new());
    let is_positive = site.step("Less", &[&zero, &a], Vec::new());
    let limit = site.step("Where", &[&is_positive, &largest, &least], Vec::new());
    site.emit_as(of, "Where", &[&is_zero, &limit, &quotient], Vec::new())
}

/// The least and the largest integer of a type in which onnxruntime has `Where`.
pub(super) fn limits(dtype: DType) -> Option<[f64; 2]> {
    #[expect(clippy::cast_precision_loss, reason = "casts back to the same number")]
    Some(match dtype {
        DType::Int8 => [i8::MIN.into(), i8::MAX.into()],
        DType::UInt8 => [0.0, u8::MAX.into()],
        DType::Int16 => [i16::MIN.into(), i16::MAX.into()],
        DType::UInt16 => [0.0, u16::MAX.into()],
        DType::Int32 => [i32::MIN.into(), i32::MAX.into()],
        DType::UInt32 => [0.0, u32::MAX.into()],
        DType::Int64 => [i64::MIN as f64, i64::MAX as f64],
        _ => return None,
    })
}

/// An operator of two inputs, which are cast to a common type and broadcast.
pub(super) fn binary(site: &mut Site<'_>, op: &str) -> Lowered {
    let [a, b] = site.take()?;
    let dtype = common(a.dtype, b.dtype)?;
    numbers(dtype)?;
    let of = if op == "Max" { widened(dtype) } else { dtype };
    let (a, b) = (site.cast(&a, of)?, site.cast(&b, of)?);
    site.emit_as(of, op, &[&a, &b], Vec::new())
}

/// The remainder, of which TenniS exchanges the inputs where a is broadcast to b by one of its short cuts.
pub(super) fn modulo(site: &mut Site<'_>) -> Lowered {
    let [a, b] = site.take()?;
    let dtype = common(a.dtype, b.dtype)?;
    if is_float(dtype) {
        return Err("TenniS has remainders of integers only".into());
    }
    numbers(dtype)?;
    let exchanged = match (a.count(), b.count()) {
        _ if a.shape == b.shape => false,
        (_, Some(1)) => false,
        (Some(1), Some(_)) => true,
        _ => return Err("its inputs have other shapes, and TenniS may exchange these".into()),
    };
    let (a, b) = (site.cast(&a, dtype)?, site.cast(&b, dtype)?);
    let inputs = if exchanged { [b, a] } else { [a, b] };
    let inputs = inputs.each_ref().map(String::as_str);
    site.emit("Mod", &inputs, vec![Attribute::int("fmod", 1)])
}

/// TenniS compares in the common type. It reads beyond a shape that has fewer dims than the other one.
pub(super) fn equal(site: &mut Site<'_>) -> Lowered {
    let [a, b] = site.take()?;
    let dtype = common(a.dtype, b.dtype)?;
    numbers(dtype)?;
    let is_one = |value: &Value| value.count() == Some(1);
    if a.rank() != b.rank() && !is_one(&a) && !is_one(&b) {
        return Err(
            "its inputs have other counts of dims, for which TenniS reads beyond the shape".into(),
        );
    }
    let (a, b) = (site.cast(&a, dtype)?, site.cast(&b, dtype)?);
    site.emit("Equal", &[&a, &b], Vec::new())
}

pub(super) fn select(site: &mut Site<'_>) -> Lowered {
    let [condition, a, b] = site.take()?;
    numbers(a.dtype)?;
    let condition = truth(site, &condition)?;
    let of = selected(a.dtype);
    let (a, b) = (site.cast(&a, of)?, site.cast(&b, of)?);
    site.emit_as(of, "Where", &[&condition, &a, &b], Vec::new())
}

/// A value as booleans, which are bytes in TenniS: 256 and 0.5 are false.
fn truth(site: &mut Site<'_>, value: &Value) -> Lowered<String> {
    if value.dtype == DType::Boolean {
        return Ok(value.name.clone());
    }
    let byte = narrowed(site, value, DType::UInt8)?;
    site.recast(byte, DType::UInt8, DType::Boolean)
}

/// A cast; to less than 32 bits by way of 32, where C++ leaves open what becomes of floats.
fn narrowed(site: &mut Site<'_>, value: &Value, to: DType) -> Lowered<String> {
    let is_narrow = matches!(to, DType::Int8 | DType::UInt8 | DType::Int16 | DType::UInt16);
    if !is_narrow || !is_float(value.dtype) {
        return site.cast(value, to);
    }
    let name = site.cast(value, DType::Int32)?;
    site.recast(name, DType::Int32, to)
}

pub(super) fn cast(site: &mut Site<'_>, to: DType) -> Lowered {
    let x = site.input(0)?;
    let name = match to {
        _ if x.dtype == to => x.name,
        DType::Boolean => truth(site, &x)?,
        to => narrowed(site, &x, to)?,
    };
    site.finish(&name)
}
