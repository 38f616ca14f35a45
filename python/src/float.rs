//! Floats of 32 bits in Python, whose own have 64. NaN keeps its bits, of which a conversion would set one.

use pyo3::prelude::*;

/// The bits of a fraction that only 64 bits have room for.
const MORE: u32 = 29;

const FRACTION: u64 = 0x007f_ffff;
const INFINITY: u64 = 0x7f80_0000;
const QUIET: u64 = 0x0040_0000;

/// The same number.
pub(crate) fn widened(number: f32) -> f64 {
    if !number.is_nan() {
        return f64::from(number);
    }
    let bits = u64::from(number.to_bits());
    f64::from_bits(bits >> 31 << 63 | f64::INFINITY.to_bits() | (bits & FRACTION) << MORE)
}

/// The nearest number of 32 bits.
pub(crate) fn narrowed(object: &Bound<'_, PyAny>) -> PyResult<f32> {
    let number: f64 = object.extract()?;
    if !number.is_nan() {
        return object.extract();
    }
    let bits = number.to_bits();
    // Of a fraction that is cut to nothing, the number would be infinite.
    let fraction = match bits >> MORE & FRACTION {
        0 => QUIET,
        some => some,
    };
    Ok(f32::from_bits(u32::try_from(bits >> 63 << 31 | INFINITY | fraction)?))
}
