//! Converts 32-bit floats to and from Python's 64-bit floats, with the bits of NaN, which a cast would change.

use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};

/// The fraction of a 64-bit float has this many more bits.
const MORE: u32 = 29;

const FRACTION: u64 = 0x007f_ffff;
const INFINITY: u64 = 0x7f80_0000;
const QUIET: u64 = 0x0040_0000;

/// The lower half of an integer.
const LOW: u64 = 0xffff_ffff;

/// What is added to the exponent of a 64-bit float.
const BIAS: u32 = 1023;

/// The same number as a 64-bit float.
pub(crate) fn widened(number: f32) -> f64 {
    if !number.is_nan() {
        return f64::from(number);
    }
    let bits = u64::from(number.to_bits());
    f64::from_bits(bits >> 31 << 63 | f64::INFINITY.to_bits() | (bits & FRACTION) << MORE)
}

/// The 64-bit float that is equal to an integer, if there is one.
pub(crate) fn exact(number: i128) -> Option<f64> {
    let size = number.unsigned_abs();
    let zeros = size.trailing_zeros();
    let significant = u64::try_from(size.checked_shr(zeros).unwrap_or_default()).ok()?;
    if significant > 1 << 53 {
        return None;
    }
    let (high, low) =
        (u32::try_from(significant >> 32).ok()?, u32::try_from(significant & LOW).ok()?);
    let power = f64::from_bits(u64::from(zeros.saturating_add(BIAS)) << 52);
    let float = f64::from(high).mul_add(4_294_967_296.0, f64::from(low)) * power;
    Some(if number < 0 { -float } else { float })
}

/// The 64-bit float that is equal to a Python integer of any size, if there is one.
pub(crate) fn exact_of(number: &Bound<'_, PyInt>) -> PyResult<Option<f64>> {
    if let Ok(small) = number.extract::<i64>() {
        return Ok(exact(small.into()));
    }
    match number.extract::<f64>() {
        Ok(float) => {
            let is_equal = PyAnyMethods::eq(number.as_any(), PyFloat::new(number.py(), float))?;
            Ok(is_equal.then_some(float))
        }
        Err(_) => Ok(None),
    }
}

/// The nearest 32-bit float.
pub(crate) fn narrowed(object: &Bound<'_, PyAny>) -> PyResult<f32> {
    let number: f64 = object.extract()?;
    if !number.is_nan() {
        return object.extract();
    }
    let bits = number.to_bits();
    // A NaN whose fraction is cut to zero would be infinity.
    let fraction = match bits >> MORE & FRACTION {
        0 => QUIET,
        some => some,
    };
    Ok(f32::from_bits(u32::try_from(bits >> 63 << 31 | INFINITY | fraction)?))
}
