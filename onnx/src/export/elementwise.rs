//! Operators that compute each element by itself.

use fourfold::tsm::DType;
use fourfold_tennis::upcast;

use super::site::{Lowered, Site, Value, dim_of};
use crate::proto::Attribute;

/// Whether numbers have a fraction.
pub(super) fn is_float(dtype: DType) -> bool {
    matches!(dtype, DType::Float32 | DType::Float64)
}

/// Whether TenniS computes with the type at all.
pub(super) fn is_number(dtype: DType) -> bool {
    is_float(dtype)
        || matches!(dtype, DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64)
        || matches!(dtype, DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64)
}

/// Refuses types for which TenniS has no kernel.
pub(super) fn need(is_so: bool, dtype: DType) -> Lowered {
    if is_so { Ok(()) } else { Err(format!("TenniS does not compute it for {dtype}")) }
}

/// The type in which runtimes have `Max`, `Min`, `Clip`, `Where` and `Pad`: not 16 bits.
pub(super) fn wide(dtype: DType) -> DType {
    match dtype {
        DType::Int16 | DType::UInt16 => DType::Int32,
        other => other,
    }
}

pub(super) fn softplus(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    match x.dtype {
        DType::Float64 => Err("for double, TenniS takes the first element for all".into()),
        _ => float(site, "Softplus"),
    }
}

/// An operator that ONNX has under another name, for floats.
pub(super) fn float(site: &mut Site<'_>, op: &str) -> Lowered {
    let [x] = site.take()?;
    need(is_float(x.dtype), x.dtype)?;
    site.emit(op, &[&x.name], Vec::new())
}

/// The same, which leaves integers as they are.
pub(super) fn rounding(site: &mut Site<'_>, op: &str) -> Lowered {
    let [x] = site.take()?;
    need(is_number(x.dtype), x.dtype)?;
    let op = if is_float(x.dtype) { op } else { "Identity" };
    site.emit(op, &[&x.name], Vec::new())
}

pub(super) fn abs(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    need(is_number(x.dtype), x.dtype)?;
    site.emit("Abs", &[&x.name], Vec::new())
}

/// Integers are computed as doubles, and cut.
pub(super) fn sqrt(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    need(is_number(x.dtype), x.dtype)?;
    let of = if is_float(x.dtype) { x.dtype } else { DType::Float64 };
    let x = site.cast(&x, of)?;
    site.emit_as(of, "Sqrt", &[&x], Vec::new())
}

pub(super) fn rsqrt(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    need(is_float(x.dtype), x.dtype)?;
    let root = site.step("Sqrt", &[&x.name], Vec::new());
    site.emit("Reciprocal", &[&root], Vec::new())
}

pub(super) fn square(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    need(is_number(x.dtype), x.dtype)?;
    site.emit("Mul", &[&x.name, &x.name], Vec::new())
}

pub(super) fn relu(site: &mut Site<'_>) -> Lowered {
    let [x] = site.take()?;
    need(is_number(x.dtype), x.dtype)?;
    if is_float(x.dtype) {
        return site.emit("Relu", &[&x.name], Vec::new());
    }
    let of = wide(x.dtype);
    let (zero, x) = (site.number(of, 0.0)?, site.cast(&x, of)?);
    site.emit_as(of, "Max", &[&x, &zero], Vec::new())
}

/// TenniS casts the limit to the type of x.
pub(super) fn relu_max(site: &mut Site<'_>, max: f32) -> Lowered {
    let [x] = site.take()?;
    need(is_number(x.dtype), x.dtype)?;
    let of = wide(x.dtype);
    let (zero, max) = (site.number(of, 0.0)?, site.number(of, truncated(x.dtype, max))?);
    if is_float(x.dtype) {
        return site.emit("Clip", &[&x.name, &zero, &max], Vec::new());
    }
    let x = site.cast(&x, of)?;
    site.emit_as(of, "Clip", &[&x, &zero, &max], Vec::new())
}

/// A param as TenniS casts it to the type of x.
fn truncated(dtype: DType, value: f32) -> f64 {
    if is_float(dtype) { value.into() } else { f64::from(value).trunc() }
}

pub(super) fn leaky_relu(site: &mut Site<'_>, scale: f32) -> Lowered {
    let [x] = site.take()?;
    need(is_number(x.dtype), x.dtype)?;
    if is_float(x.dtype) {
        return site.emit("LeakyRelu", &[&x.name], vec![Attribute::float("alpha", scale)]);
    }
    let slope = site.number(wide(x.dtype), truncated(x.dtype, scale))?;
    sloped(site, &x, &slope)
}

/// x where it is positive, else x by the slope, for integers.
fn sloped(site: &mut Site<'_>, x: &Value, slope: &str) -> Lowered {
    let of = wide(x.dtype);
    let (zero, x) = (site.number(of, 0.0)?, site.cast(x, of)?);
    let positive = site.step("Max", &[&x, &zero], Vec::new());
    let negative = site.step("Min", &[&x, &zero], Vec::new());
    let negative = site.step("Mul", &[&negative, slope], Vec::new());
    site.emit_as(of, "Add", &[&positive, &negative], Vec::new())
}

pub(super) fn prelu(site: &mut Site<'_>, dim: i32) -> Lowered {
    let [x, mut slope] = site.take()?;
    need(is_number(x.dtype), x.dtype)?;
    let dim = dim_of(dim, x.rank())?;
    if is_float(x.dtype) {
        let slope = site.along(&slope, dim, x.rank())?;
        return site.emit("PRelu", &[&x.name, &slope], Vec::new());
    }
    let of = wide(x.dtype);
    if slope.dtype != of {
        slope = Value { name: site.cast(&slope, of)?, dtype: of, ..slope };
    }
    let slope = site.along(&slope, dim, x.rank())?;
    sloped(site, &x, &slope)
}

/// ONNX has it for float; for double it is made of a line and two limits.
pub(super) fn hard_sigmoid(site: &mut Site<'_>, alpha: f32, beta: f32) -> Lowered {
    let [x] = site.take()?;
    need(is_float(x.dtype), x.dtype)?;
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
    need(is_float(x.dtype), x.dtype)?;
    let y = site.number(x.dtype, y.into())?;
    site.emit("Pow", &[&x.name, &y], Vec::new())
}

/// The common type of two inputs.
fn promoted(a: DType, b: DType) -> Lowered<DType> {
    upcast(a, b).ok_or_else(|| format!("TenniS has no common type of {a} and {b}"))
}

/// An operator of two inputs, which are cast to a common type and broadcast.
pub(super) fn binary(site: &mut Site<'_>, op: &str) -> Lowered {
    let [a, b] = site.take()?;
    let dtype = promoted(a.dtype, b.dtype)?;
    need(is_number(dtype), dtype)?;
    let of = if op == "Max" { wide(dtype) } else { dtype };
    let (a, b) = (site.cast(&a, of)?, site.cast(&b, of)?);
    site.emit_as(of, op, &[&a, &b], Vec::new())
}

/// The remainder, of which TenniS exchanges the inputs where a is broadcast to b by one of its short cuts.
pub(super) fn modulo(site: &mut Site<'_>) -> Lowered {
    let [a, b] = site.take()?;
    let dtype = promoted(a.dtype, b.dtype)?;
    need(is_number(dtype) && !is_float(dtype), dtype)?;
    let exchanged = match (a.count(), b.count()) {
        _ if a.shape == b.shape => false,
        (_, Some(1)) => false,
        (Some(1), _) => true,
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
    let dtype = promoted(a.dtype, b.dtype)?;
    need(is_number(dtype), dtype)?;
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
    need(is_number(a.dtype) && a.dtype == b.dtype, a.dtype)?;
    let condition = truth(site, &condition)?;
    let of = match a.dtype {
        // The bits are those of the same count.
        DType::UInt64 => DType::Int64,
        dtype => wide(dtype),
    };
    let (a, b) = (site.cast(&a, of)?, site.cast(&b, of)?);
    site.emit_as(of, "Where", &[&condition, &a, &b], Vec::new())
}

/// A value as booleans, which are bytes in TenniS: 256 and 0.5 are false.
fn truth(site: &mut Site<'_>, value: &Value) -> Lowered<String> {
    if value.dtype == DType::Boolean {
        return Ok(value.name.clone());
    }
    let byte = narrowed(site, value, DType::UInt8)?;
    let byte = Value { name: byte, dtype: DType::UInt8, ..value.clone() };
    site.cast(&byte, DType::Boolean)
}

/// A cast; to less than 32 bits by way of 32, where C++ leaves open what becomes of floats.
fn narrowed(site: &mut Site<'_>, value: &Value, to: DType) -> Lowered<String> {
    let is_narrow = matches!(to, DType::Int8 | DType::UInt8 | DType::Int16 | DType::UInt16);
    if !is_narrow || !is_float(value.dtype) {
        return site.cast(value, to);
    }
    let name = site.cast(value, DType::Int32)?;
    site.cast(&Value { name, dtype: DType::Int32, ..value.clone() }, to)
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
