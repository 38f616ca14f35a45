//! Single words of a view, as OCaml writes them.

/// A float as `string_of_float` writes it: twelve significant digits, and a point at the end of
/// what would look like an integer.
pub(super) fn float(number: f64) -> String {
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number.is_nan() {
        return format!("{sign}nan");
    }
    if number.is_infinite() {
        return format!("{sign}inf");
    }

    // One digit, a point, eleven more digits, `e`, the exponent.
    let scientific = format!("{:.11e}", number.abs());
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = digits.replace('.', "");
    let digits = match digits.trim_end_matches('0') {
        "" => "0",
        digits => digits,
    };
    match exponent.parse().unwrap_or(0) {
        exponent @ 0..=11 => format!("{sign}{}", with_point(digits, exponent)),
        exponent @ -4..=-1 => {
            let zeros = usize::from(exponent.unsigned_abs()) - 1;
            format!("{sign}0.{}{digits}", "0".repeat(zeros))
        }
        exponent => {
            let mut digits = digits.to_string();
            if digits.len() > 1 {
                digits.insert(1, '.');
            }
            let direction = if exponent < 0 { '-' } else { '+' };
            format!("{sign}{digits}e{direction}{:02}", exponent.unsigned_abs())
        }
    }
}

/// Digits with a point after the first and `exponent` more, padded with zeros.
fn with_point(digits: &str, exponent: i16) -> String {
    let before = usize::from(exponent.unsigned_abs()) + 1;
    let mut text = format!("{digits:0<before$}");
    text.insert(before, '.');
    text
}

/// A uvint as OCaml reads it: an integer of 63 bits, of which the first is the sign.
pub(super) fn uvint(number: u128) -> String {
    match number >> 62 {
        1 => format!("-{}", (1u128 << 63) - number),
        _ => number.to_string(),
    }
}

/// A hash as OCaml stores it: the highest of its 31 bits is the sign, and is repeated in the 32nd.
pub(super) fn hash(hash: u32) -> String {
    format!("#{:08x}", hash | (hash << 1 & 1 << 31))
}

/// Bytes as `%S` writes them.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for byte in bytes {
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\r' => text.push_str("\\r"),
            b'\x08' => text.push_str("\\b"),
            b' '..=b'~' => text.push(char::from(*byte)),
            byte => text.push_str(&format!("\\{byte:03}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_twelve_digits() {
        for (number, text) in [
            (0.0, "0."),
            (-0.0, "-0."),
            (1.0, "1."),
            (-2.5, "-2.5"),
            (0.1, "0.1"),
            (std::f64::consts::PI, "3.14159265359"),
            (1e11, "100000000000."),
            (1e12, "1e+12"),
            (999_999_999_999.5, "1e+12"),
            (123_456_789_012.5, "123456789012."),
            (1e-4, "0.0001"),
            (0.000_123_456_789_012_34, "0.000123456789012"),
            (1e-5, "1e-05"),
            (f64::MAX, "1.79769313486e+308"),
            (5e-324, "4.94065645841e-324"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(float(number), text);
        }
    }

    #[test]
    fn integers_are_those_of_ocaml() {
        assert_eq!(uvint((1 << 62) - 1), "4611686018427387903");
        assert_eq!(uvint(1 << 62), "-4611686018427387904");
        assert_eq!(uvint((1 << 63) - 1), "-1");
        assert_eq!(uvint(1 << 63), "9223372036854775808");
        assert_eq!(hash(0x7fff_ffff), "#ffffffff");
        assert_eq!(hash(0x4000_0000), "#c0000000");
        assert_eq!(hash(0x3fff_ffff), "#3fffffff");
    }
}
