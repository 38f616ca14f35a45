//! Floating-point numbers as text.

use std::fmt::{Display, LowerExp};

/// The shortest text that is read back as the same number: with an exponent if that has less than half of the
/// characters.
pub fn float(value: impl Display + LowerExp) -> String {
    let (usual, exponent) = (value.to_string(), format!("{value:e}"));
    if exponent.len() * 2 < usual.len() { exponent } else { usual }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn much_shorter_exponents_are_used() {
        let texts =
            [1e-12, 1e-7, 1e-5, 0.1, 0.0, -1.5, 1e6, 1e30, 1.0 / 3.0].map(|it: f64| float(it));
        let expected =
            ["1e-12", "1e-7", "0.00001", "0.1", "0", "-1.5", "1e6", "1e30", "0.3333333333333333"];
        assert_eq!(texts, expected);
        assert_eq!([f32::NAN, f32::INFINITY, f32::MAX].map(float), ["NaN", "inf", "3.4028235e38"]);
    }
}
