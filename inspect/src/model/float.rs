//! Floats in JSON: numbers if they are finite, else text that keeps every bit.

use half::f16;

use super::{Node, Part, Shape, Wrong};
use crate::tensors::Small;
use crate::write::hex;

const INFINITE: &str = "inf";
const NEGATIVE: &str = "-inf";
/// The default NaN of most machines; another one is followed by a colon and the digits of its bits.
const NAN: &str = "nan";

/// The expected values.
const EXPECTED: &str = "a float: a number, \"inf\", \"-inf\", \"nan\" or \"nan:\" and its bits";

/// A float that is not finite, for views: as text only if it is a NaN with other bits than the default.
pub(super) fn view32(float: f32) -> Part<'static> {
    view(part32(float), f64::from(float))
}

/// The same for 64 bits.
pub(super) fn view64(float: f64) -> Part<'static> {
    view(part64(float), float)
}

fn view(part: Part<'static>, float: f64) -> Part<'static> {
    match part.as_text() {
        Some(text) if text.contains(':') => part,
        _ => Part::Float64(float),
    }
}

/// The JSON text of a float that is not a JSON number.
pub(crate) fn text(float: f64) -> Option<String> {
    Some(part64(float).as_text()?.into_owned())
}

/// Arguments: type, integer of its bits, its default NaN, the part of a finite one, the number of a text.
macro_rules! floats {
    ($($part:ident, $read:ident: $float:ident, $bits:ty, $quiet:literal, $finite:expr, $number:expr;)*) => {$(
        pub(super) fn $part(float: $float) -> Part<'static> {
            let bits = float.to_bits();
            if float.is_finite() {
                return ($finite)(float);
            }
            Part::text(match float.is_nan() {
                true if bits == $quiet => NAN.into(),
                true => format!("{NAN}:{}", hex::digits(&bits.to_be_bytes())),
                false if float.is_sign_positive() => INFINITE.to_owned(),
                false => NEGATIVE.into(),
            })
        }

        pub(crate) fn $read(node: &Node<'_>) -> Result<$float, Wrong> {
            match node.shape() {
                Shape::Number => match ($number)(node.source()) {
                    Ok(float) if f64::from(float) == 0.0 && !is_zero(node.source()) => {
                        let text = format!("{} is too small for {}, which has 0 there", node.source(), stringify!($float));
                        Err(node.wrong(text).with_hint("write 0.0"))
                    }
                    Ok(float) if $float::is_finite(float) => Ok(float),
                    _ => Err(node.wrong(format!("{} is beyond {}", node.source(), stringify!($float)))),
                },
                Shape::Text => {
                    let text = node.to_text()?;
                    let bits = match &*text {
                        INFINITE => return Ok($float::INFINITY),
                        NEGATIVE => return Ok($float::NEG_INFINITY),
                        NAN => Some($quiet),
                        other => bytes_of_nan(other).map(<$bits>::from_be_bytes),
                    };
                    bits.map($float::from_bits).filter(|float| float.is_nan())
                        .ok_or_else(|| node.expected(EXPECTED))
                }
                _ => Err(node.expected(EXPECTED)),
            }
        }
    )*};
}

floats! {
    part16, read16: f16, u16, 0x7e00, |float| Part::Float32(f32::from(float)),
        |text: &str| text.parse().map(f16::from_f64);
    part32, read32: f32, u32, 0x7fc0_0000, Part::Float32, str::parse;
    part64, read64: f64, u64, 0x7ff8_0000_0000_0000, Part::Float64, str::parse;
}

/// Whether a number of JSON is zero: its digits before an exponent are.
fn is_zero(number: &str) -> bool {
    let digits = number.split(['e', 'E']).next().unwrap_or(number);
    !digits.contains(|letter: char| ('1'..='9').contains(&letter))
}

/// A float of at most 8 bits.
pub(super) fn part8(small: Small, bits: u8) -> Part<'static> {
    let value = small.value(bits);
    match value.is_nan() && small.nan() != Some(bits) {
        true => Part::text(format!("{NAN}:{}", hex::digits(&[bits]))),
        false => part32(value),
    }
}

/// The bytes after the colon of a NaN.
fn bytes_of_nan<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.strip_prefix(NAN)?.strip_prefix(':')?.to_ascii_lowercase();
    hex::bytes(&digits)?.try_into().ok()
}
