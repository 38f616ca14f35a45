//! Floats in JSON: numbers where they are finite, else text that keeps each bit.

use super::{Node, Part, Shape, Wrong};

const INFINITE: &str = "inf";
const NEGATIVE: &str = "-inf";
/// The NaN of most machines; another is followed by a colon and the digits of its bits.
const NAN: &str = "nan";

/// What is asked for.
const EXPECTED: &str = "a float: a number, \"inf\", \"-inf\", \"nan\" or \"nan:\" and its bits";

/// `type, number of its bits, digits, its usual NaN, the part of a finite one`
macro_rules! floats {
    ($($part:ident, $read:ident: $float:ty, $bits:ty, $digits:literal, $quiet:literal, $finite:expr;)*) => {$(
        pub(super) fn $part(float: $float) -> Part<'static> {
            let bits = float.to_bits();
            if float.is_finite() {
                return ($finite)(float);
            }
            Part::text(match float.is_nan() {
                true if bits == $quiet => NAN.into(),
                true => format!("{NAN}:{bits:0width$x}", width = $digits),
                false if float > 0.0 => INFINITE.to_owned(),
                false => NEGATIVE.into(),
            })
        }

        pub(super) fn $read(node: &Node<'_>) -> Result<$float, Wrong> {
            match node.shape() {
                Shape::Number => match node.source().parse::<$float>() {
                    Ok(float) if float.is_finite() => Ok(float),
                    _ => Err(node.wrong(format!("{} is beyond {}", node.source(), stringify!($float)))),
                },
                Shape::Text => {
                    let text = node.to_text()?;
                    let bits = match &*text {
                        INFINITE => return Ok(<$float>::INFINITY),
                        NEGATIVE => return Ok(<$float>::NEG_INFINITY),
                        NAN => Some($quiet),
                        other => other.strip_prefix(NAN).and_then(|rest| rest.strip_prefix(':'))
                            .filter(|digits| digits.len() == $digits)
                            .and_then(|digits| <$bits>::from_str_radix(digits, 16).ok()),
                    };
                    bits.map(<$float>::from_bits).filter(|float| float.is_nan())
                        .ok_or_else(|| node.expected(EXPECTED))
                }
                _ => Err(node.expected(EXPECTED)),
            }
        }
    )*};
}

floats! {
    part32, read32: f32, u32, 8, 0x7fc0_0000, Part::Float32;
    part64, read64: f64, u64, 16, 0x7ff8_0000_0000_0000, Part::Float64;
}

/// As the float32 of the same value; the bits of a NaN are its own.
pub(super) fn part16(float: half::f16) -> Part<'static> {
    match float.is_nan() {
        true if float.to_bits() == 0x7e00 => Part::text(NAN),
        true => Part::text(format!("{NAN}:{:04x}", float.to_bits())),
        false => part32(f32::from(float)),
    }
}

/// The nearest to the number that is there.
pub(super) fn read16(node: &Node<'_>) -> Result<half::f16, Wrong> {
    if node.shape() == Shape::Text {
        let text = node.to_text()?;
        if text == NAN {
            return Ok(half::f16::from_bits(0x7e00));
        }
        if let Some(digits) = text.strip_prefix(NAN).and_then(|rest| rest.strip_prefix(':')) {
            let bits = u16::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 4);
            let float = bits.map(half::f16::from_bits).filter(|float| float.is_nan());
            return float.ok_or_else(|| node.expected(EXPECTED));
        }
    }
    let wide = read64(node)?;
    match half::f16::from_f64(wide) {
        float if float.is_finite() || wide.is_infinite() => Ok(float),
        _ => Err(node.wrong(format!("{} is beyond f16", node.source()))),
    }
}
