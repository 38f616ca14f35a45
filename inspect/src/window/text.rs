//! An element as text, in the form that a person has chosen.

use crate::model::{Kind, Part};

/// The form of numbers. Bools are always `true` and `false`, but for their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The fewest digits that are read as the same number.
    Auto,
    /// That many digits after the point of floats.
    Fixed(usize),
    /// One digit before the point and that many after it, and an exponent.
    Scientific(usize),
    /// The bits of each number in hexadecimal digits.
    Bits,
}

/// The most digits after the point: all digits of a number of 64 bits.
const MOST_DIGITS: usize = 64;

impl Form {
    /// The form with that name, and that number of digits if it has one.
    pub fn named(name: &str, digits: usize) -> Option<Self> {
        let digits = digits.min(MOST_DIGITS);
        Some(match name {
            "auto" => Form::Auto,
            "fixed" => Form::Fixed(digits),
            "scientific" => Form::Scientific(digits),
            "bits" => Form::Bits,
            _ => return None,
        })
    }

    /// The text of an element with these bytes.
    pub fn text(self, kind: Kind, bytes: &[u8]) -> String {
        match kind {
            Kind::Complex(size) => {
                let mut halves = bytes.chunks(size).map(|half| self.text(kind.of_numbers(), half));
                let [real, imaginary] = [(); 2].map(|()| halves.next().unwrap_or_default());
                match self {
                    Form::Bits => format!("{real} {imaginary}"),
                    _ if imaginary.starts_with('-') => format!("{real}{imaginary}j"),
                    _ => format!("{real}+{imaginary}j"),
                }
            }
            _ if self == Form::Bits => bits(kind, bytes),
            Kind::Raw(_) => bits(kind, bytes),
            _ => self.number(kind, bytes),
        }
    }

    fn number(self, kind: Kind, bytes: &[u8]) -> String {
        let part = kind.part(bytes);
        let digits = match self {
            Form::Auto | Form::Bits => None,
            Form::Fixed(digits) | Form::Scientific(digits) => Some(digits),
        };
        match (kind.float(bytes).filter(|float| float.is_finite()), digits) {
            (Some(float), Some(digits)) => match self {
                Form::Scientific(_) => format!("{float:.digits$e}"),
                _ => format!("{float:.digits$}"),
            },
            _ => match (part, self) {
                (Part::Integer(number), Form::Scientific(digits)) => format!("{number:.digits$e}"),
                (Part::Unsigned(number), Form::Scientific(digits)) => format!("{number:.digits$e}"),
                (Part::Integer(number), _) => number.to_string(),
                (Part::Unsigned(number), _) => number.to_string(),
                (Part::Float32(number), _) => format!("{number:?}"),
                (Part::Float64(number), _) => format!("{number:?}"),
                (Part::Bool(value), _) => value.to_string(),
                (other, _) => other.as_text().map_or_else(String::new, |text| text.into_owned()),
            },
        }
    }
}

/// The bits of a number, the highest first.
fn bits(kind: Kind, bytes: &[u8]) -> String {
    let digits = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
    // One digit is enough for 4 bits.
    let surplus = digits.len().saturating_sub(kind.bits().div_ceil(4));
    format!("0x{}", digits.get(surplus..).unwrap_or(&digits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensors::Small;

    #[test]
    fn numbers_have_each_form() {
        let forms = [Form::Auto, Form::Fixed(2), Form::Scientific(1), Form::Bits];
        let float = (-1234.5f32).to_le_bytes();
        let complex = [1.5f32.to_le_bytes(), (-0.25f32).to_le_bytes()].concat();
        for (kind, bytes, texts) in [
            (Kind::Float32, &float[..], ["-1234.5", "-1234.50", "-1.2e3", "0xc49a5000"]),
            (Kind::Float32, &[0, 0, 0x80, 0x7f], ["inf", "inf", "inf", "0x7f800000"]),
            (
                Kind::Float32,
                &[1, 0, 0x80, 0x7f],
                ["nan:7f800001", "nan:7f800001", "nan:7f800001", "0x7f800001"],
            ),
            (Kind::Float16, &[0x66, 0x2e], ["0.099975586", "0.10", "1.0e-1", "0x2e66"]),
            (Kind::Signed(2), &[0x18, 0xfc], ["-1000", "-1000", "-1.0e3", "0xfc18"]),
            (
                Kind::Unsigned(8),
                &[255; 8],
                ["18446744073709551615", "18446744073709551615", "1.8e19", "0xffffffffffffffff"],
            ),
            (Kind::Bool, &[1], ["true", "true", "true", "0x01"]),
            (Kind::Raw(2), &[1, 2], ["0x0201"; 4]),
            (Kind::Small(Small::E2M1Fn), &[0xf], ["-6.0", "-6.00", "-6.0e0", "0xf"]),
            (Kind::Small(Small::E3M2Fn), &[0x3f], ["-28.0", "-28.00", "-2.8e1", "0x3f"]),
            (
                Kind::Complex(4),
                &complex,
                ["1.5-0.25j", "1.50-0.25j", "1.5e0-2.5e-1j", "0x3fc00000 0xbe800000"],
            ),
        ] {
            assert_eq!(forms.map(|form| form.text(kind, bytes)), texts, "{kind:?}");
        }
    }
}
