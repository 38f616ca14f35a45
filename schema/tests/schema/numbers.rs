//! Numbers of Molecule: which arrays are numbers, and their JSON.

use fourfold::molecule::to_vec;
use fourfold_schema::mol::{NumberType, Parts, Schema};
use serde_json::{Value, json};

use crate::random::Dice;

/// The decimal digits of a little-endian number, by long division.
fn decimal(bytes: &[u8]) -> String {
    let mut digits = vec![0u32];
    for byte in bytes.iter().rev() {
        let mut carry = u32::from(*byte);
        for digit in &mut digits {
            carry += *digit * 256;
            *digit = carry % 10;
            carry /= 10;
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    digits.iter().rev().map(|digit| char::from_digit(*digit, 10).unwrap()).collect()
}

fn signed_decimal(bytes: &[u8], is_signed: bool) -> String {
    if !is_signed || bytes.last().is_none_or(|last| *last < 0x80) {
        return decimal(bytes);
    }
    // One less than its opposite is the complement.
    let complement: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
    let mut digits = decimal(&complement).into_bytes();
    match digits.iter().rposition(|digit| *digit != b'9') {
        Some(at) => {
            digits[at] += 1;
            digits[at + 1..].fill(b'0');
        }
        None => {
            digits.fill(b'0');
            digits.insert(0, b'1');
        }
    }
    format!("-{}", String::from_utf8(digits).unwrap())
}

/// The JSON of the bytes of a number.
pub(crate) fn as_json(bytes: &[u8], is_signed: bool) -> Value {
    let text = signed_decimal(bytes, is_signed);
    match text.parse::<i64>() {
        Ok(number) if number.unsigned_abs() < 1 << 53 => json!(number),
        _ => json!(text),
    }
}

/// A schema with a number of each size, with and without a sign.
fn all() -> Schema {
    let declarations = (1..=32).map(|size| {
        let bits = 8 * size;
        format!("array Uint{bits} [byte; {size}]; array Int{bits} [byte; {size}];\n")
    });
    Schema::parse(&declarations.collect::<String>()).unwrap()
}

fn make(schema: &Schema, name: &str, json: &str) -> Result<Vec<u8>, String> {
    let mut reader = serde_json::Deserializer::from_str(json);
    schema.make(&mut reader, name).map_err(|error| error.to_string())
}

#[test]
fn numbers_of_all_sizes_survive() {
    let schema = all();
    let mut dice = Dice::of("numbers");
    let mut beyond = 0;
    for ty in schema.types() {
        let number = ty.number().unwrap();
        let size = number.size();
        let mut cases: Vec<Vec<u8>> = vec![vec![0; size], vec![0xff; size]];
        for last in [0x7f, 0x80] {
            cases.push([&vec![0; size - 1][..], &[last]].concat());
            cases.push([&vec![0xff; size - 1][..], &[last]].concat());
        }
        for wide in [(1u64 << 53) - 1, 1 << 53, (1 << 53) + 1] {
            for wide in [wide, wide.wrapping_neg()] {
                let fill = if wide >> 63 == 1 { 0xff } else { 0 };
                let bytes = wide.to_le_bytes().into_iter().chain([fill; 32]);
                cases.push(bytes.take(size).collect());
            }
        }
        for _ in 0..100 {
            let length = dice.below(size + 1);
            let byte = |at| if at < length { u8::try_from(dice.below(256)).unwrap() } else { 0 };
            cases.push((0..size).map(byte).collect());
        }
        for bytes in cases {
            let value = schema.to_value(&bytes, ty.name()).unwrap();
            let shown = serde_json::to_value(value).unwrap();
            let expected = as_json(&bytes, number.is_signed());
            assert_eq!(shown, expected, "{}: {bytes:?}", ty.name());
            beyond += usize::from(shown.is_string());
            let digits = signed_decimal(&bytes, number.is_signed());
            // As a JSON number and as text.
            for json in [digits.clone(), format!("\"{digits}\"")] {
                assert_eq!(make(&schema, ty.name(), &json).as_ref(), Ok(&bytes), "{json}");
            }
            assert_eq!(number.parse(&digits), Some(bytes.clone()));
            assert_eq!(number.of(&bytes).unwrap().to_string(), digits);
            assert!(matches!(value.parts(), Parts::Number(it) if it.bytes() == bytes));
        }
    }
    assert!(beyond > 2_000, "{beyond}");
}

#[test]
fn other_values_and_numbers_out_of_range_are_refused() {
    let schema = all();
    for ty in schema.types() {
        let number = ty.number().unwrap();
        let size = number.size();
        // One more than the largest, and one less than the least.
        let (above, below) = match number.is_signed() {
            true => {
                let mut half = vec![0; size];
                half[size - 1] = 0x80;
                let above = decimal(&half);
                half[0] |= 1;
                (above, format!("-{}", decimal(&half)))
            }
            false => (decimal(&[&vec![0; size][..], &[1]].concat()), "-1".to_owned()),
        };
        for text in [&above, &below] {
            assert_eq!(number.parse(text), None, "{} {text}", ty.name());
            for json in [text.clone(), format!("\"{text}\"")] {
                let error = make(&schema, ty.name(), &json).unwrap_err();
                assert!(error.contains("expected a decimal integer from"), "{error}");
            }
        }
        for json in [
            "1.5",
            "1e3",
            "1.0",
            "-0.5",
            "true",
            "null",
            "[]",
            "{}",
            "[1]",
            r#"{"a": 1}"#,
            r#""""#,
            r#""-""#,
            r#""+1""#,
            r#""01""#,
            r#""-0""#,
            r#"" 1""#,
            r#""1 ""#,
            r#""1e3""#,
            r#""1.0""#,
            r#""１""#,
            r#""1_0""#,
            r#""0x""#,
            r#""0xg""#,
            r#""0x0""#,
            r#""0x1""#,
        ] {
            let error = make(&schema, ty.name(), json).unwrap_err();
            assert!(error.contains("expected a decimal integer from"), "{json}: {error}");
        }
    }
    let refused = |name: &str, json: &str| make(&schema, name, json).unwrap_err();
    assert_eq!(
        refused("Uint32", "4294967296"),
        "invalid value: integer `4294967296`, expected a decimal integer from 0 to 4294967295 at line 1 column 10"
    );
    assert_eq!(
        refused("Uint32", "\"0x00000001\""),
        "invalid value: string \"0x00000001\", expected a decimal integer from 0 to 4294967295; write 1 at line 1 \
         column 12"
    );
    assert_eq!(
        refused("Int16", "-32769"),
        "invalid value: integer `-32769`, expected a decimal integer from -32768 to 32767 at line 1 column 6"
    );
}

#[test]
fn numbers_are_read_from_other_deserializers() {
    let schema = all();
    let made = |name: &str, value: &dyn Fn(NumberType) -> Vec<u8>| {
        value(schema.get(name).unwrap().number().unwrap())
    };
    let bytes = u128::MAX.to_le_bytes();
    let number: serde::de::value::U128Deserializer<serde::de::value::Error> =
        serde::de::IntoDeserializer::into_deserializer(u128::MAX);
    assert_eq!(schema.make(number, "Uint128").unwrap(), bytes);
    let number: serde::de::value::I128Deserializer<serde::de::value::Error> =
        serde::de::IntoDeserializer::into_deserializer(-1i128);
    assert_eq!(schema.make(number, "Int40").unwrap(), [0xff; 5]);
    assert_eq!(made("Uint24", &|number| number.parse("258").unwrap()), [2, 1, 0]);
    // Bytes are copied, if their number is right.
    let shown = serde::de::value::BytesDeserializer::<serde::de::value::Error>::new(&[2, 1, 0]);
    assert_eq!(schema.make(shown, "Uint24").unwrap(), [2, 1, 0]);
    let shown = serde::de::value::BytesDeserializer::<serde::de::value::Error>::new(&[2, 1]);
    schema.make(shown, "Uint24").unwrap_err();
}

#[test]
fn names_comments_and_options_select_numbers() {
    let number = |text: &str, name: &str| {
        let schema = Schema::parse(text).unwrap();
        schema.get(name).unwrap().number().map(|it| (it.size(), it.is_signed(), it.integer()))
    };
    for (text, name, expected) in [
        ("array Uint32 [byte; 4];", "Uint32", Some((4, false, Some("u32")))),
        ("array Uint256 [byte; 32];", "Uint256", Some((32, false, None))),
        ("array Uint8 [byte; 1];", "Uint8", Some((1, false, None))),
        ("array Uint32 [byte; 5];", "Uint32", None),
        ("array Uint264 [byte; 33];", "Uint264", None),
        ("array Uint032 [byte; 4];", "Uint032", None),
        ("array uint32 [byte; 4];", "uint32", None),
        ("array BeUint32 [byte; 4];", "BeUint32", None),
        ("vector Uint32 <byte>;", "Uint32", None),
        ("array Pair [byte; 2]; array Uint16 [Pair; 1];", "Uint16", None),
        ("array Id [byte; 4];", "Id", None),
        ("array Id [byte; 4]; // fourfold: number", "Id", Some((4, false, Some("u32")))),
        (
            "/* The id.\n * fourfold: signed number */\narray Id [byte; 8];",
            "Id",
            Some((8, true, Some("i64"))),
        ),
        ("# fourfold: number\narray Uint16 [byte; 2];", "Uint16", Some((2, false, Some("u16")))),
        ("// fourfold: number\n\narray Id [byte; 4];", "Id", None),
        ("// a fourfold: number\narray Id [byte; 4];", "Id", None),
    ] {
        assert_eq!(number(text, name), expected, "{text}");
    }
    for (text, at, error) in [
        ("array Id [byte; 33]; // fourfold: number", 7, "`Id` is not an array of 1 to 32 bytes"),
        ("vector Id <byte>; // fourfold: number", 8, "`Id` is not an array of 1 to 32 bytes"),
        ("array Id [byte; 4]; // fourfold: numbr", 7, "a comment `fourfold: ..` is"),
        ("table T { a: byte, // fourfold: number\n }", 11, "a comment `fourfold: ..` is"),
        (
            "array A [byte; 1]; union U { A, // fourfold: number\n }",
            30,
            "a comment `fourfold: ..` is",
        ),
        (
            "// fourfold: number\n// fourfold: number\narray Id [byte; 4];",
            7,
            "a comment `fourfold: ..` is",
        ),
    ] {
        let found = Schema::parse(text).unwrap_err();
        assert_eq!(found.location().unwrap().column(), at, "{text}: {found}");
        assert!(found.to_string().starts_with(error), "{text}: {found}");
    }
    let schema = Schema::parse("array Id [byte; 2]; vector Ids <Id>;").unwrap();
    for name in ["Ids", "byte", "Nothing"] {
        let error = schema.clone().with_number(name, false).unwrap_err();
        assert!(error.to_string().starts_with(&format!("`{name}` is not an array")), "{error}");
    }
    let schema = schema.with_number("Id", true).unwrap();
    let bytes = to_vec(&vec![-2i16, 3]).unwrap();
    let value = schema.to_value(&bytes, "Ids").unwrap();
    assert_eq!(serde_json::to_string(&value).unwrap(), "[-2,3]");
    assert!(schema.to_rust(&fourfold_schema::RustOptions::new()).contains("Vec<i16>"));
    // The printed schema has the same annotation.
    let text = "// fourfold: number\narray Id [byte; 4];\n";
    assert_eq!(Schema::parse(text).unwrap().to_string(), text);
}
