//! Compares what serde shows of a decoded value with the JSON of a fixture.
//!
//! Fixtures show every array and vector of bytes as `"0x..."`; the Rust type may be a number, a
//! text or a list. The fixture's side has the number of bytes, the decoded side what they
//! mean.

use serde_json::{Map, Number, Value, json};

use super::fixture::unhex;

/// The hash of the chain: blake2b, 32 bytes, personalised.
pub fn ckb_hash(bytes: &[u8]) -> String {
    let mut params = blake2b_simd::Params::new();
    params.hash_length(32).personal(b"ckb-default-hash");
    format!("0x{}", params.hash(bytes).to_hex())
}

/// Reports where and how the decoded value differs from the expected one.
pub fn compare(decoded: &Value, wanted: &Value) -> Result<(), String> {
    compare_at("value", decoded, wanted)
}

fn compare_at(path: &str, decoded: &Value, wanted: &Value) -> Result<(), String> {
    let same = match (wanted, decoded) {
        (Value::Null, _) => decoded.is_null(),
        (Value::Number(wanted), Value::Number(decoded)) => wanted.as_str() == decoded.as_str(),
        (Value::String(wanted), _) => is_bytes(decoded, wanted),
        (Value::Array(wanted), Value::Array(decoded)) if wanted.len() == decoded.len() => {
            for (i, (wanted, decoded)) in wanted.iter().zip(decoded).enumerate() {
                compare_at(&format!("{path}[{i}]"), decoded, wanted)?;
            }
            true
        }
        (Value::Object(wanted), _) if has_keys(wanted, ["ckb_hash", "elided_len"]) => {
            is_elided(decoded, wanted)
        }
        (Value::Object(wanted), Value::Object(decoded)) => {
            if has_keys(wanted, ["id", "type", "value"]) {
                let name = wanted["type"].as_str().unwrap_or_default();
                let Some(content) = decoded.get(name).filter(|_| decoded.len() == 1) else {
                    let found: Vec<_> = decoded.keys().collect();
                    return Err(format!("{path}: variant {found:?}, wanted {name}"));
                };
                return compare_at(&format!("{path}.{name}"), content, &wanted["value"]);
            }
            if wanted.len() != decoded.len() || wanted.keys().any(|key| !decoded.contains_key(key))
            {
                let keys = [decoded, wanted].map(|map| map.keys().collect::<Vec<_>>());
                return Err(format!("{path}: fields {:?}, wanted {:?}", keys[0], keys[1]));
            }
            for (key, wanted) in wanted {
                compare_at(&format!("{path}.{key}"), &decoded[key], wanted)?;
            }
            true
        }
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("{path}: {decoded}, wanted {wanted}")) }
}

/// Whether these are all the keys.
fn has_keys<const N: usize>(map: &Map<String, Value>, keys: [&str; N]) -> bool {
    map.len() == N && keys.iter().all(|key| map.contains_key(*key))
}

/// A long byte string. The fixture has only its length and hash.
fn is_elided(decoded: &Value, wanted: &Map<String, Value>) -> bool {
    let bytes = decoded.as_str().and_then(|text| unhex(text.strip_prefix("0x")?));
    bytes.is_some_and(|bytes| {
        wanted["elided_len"] == json!(bytes.len()) && wanted["ckb_hash"] == json!(ckb_hash(&bytes))
    })
}

/// Whether the value is what bytes, shown as `0x...`, mean in its type.
fn is_bytes(decoded: &Value, wanted: &str) -> bool {
    let Some(bytes) = wanted.strip_prefix("0x").and_then(unhex) else {
        return false;
    };
    match decoded {
        Value::Bool(bit) => bytes == [u8::from(*bit)],
        Value::Number(number) => is_number(number, &bytes),
        Value::String(text) => {
            let mut chars = text.chars();
            let scalar = chars.next().filter(|_| chars.next().is_none()).map(u32::from);
            text == wanted
                || text.as_bytes() == bytes
                || scalar.is_some_and(|scalar| bytes == scalar.to_le_bytes())
        }
        Value::Array(items) => {
            items.len() == bytes.len() && items.iter().zip(&bytes).all(|(item, byte)| item == byte)
        }
        // JSON has no other way to show a float that is no finite number.
        Value::Null => match *bytes {
            [a, b, c, d] => !f32::from_le_bytes([a, b, c, d]).is_finite(),
            [a, b, c, d, e, f, g, h] => !f64::from_le_bytes([a, b, c, d, e, f, g, h]).is_finite(),
            _ => false,
        },
        Value::Object(_) => false,
    }
}

/// Whether these are the number's bytes, little-endian. Floats are recognised by a point or exponent.
fn is_number(number: &Number, bytes: &[u8]) -> bool {
    let text = number.as_str();
    if text.contains(['.', 'e', 'E']) {
        let single = text.parse::<f32>().is_ok_and(|float| bytes == float.to_le_bytes());
        return single || text.parse::<f64>().is_ok_and(|float| bytes == float.to_le_bytes());
    }
    let negative = text.starts_with('-');
    let wide = match negative {
        true => text.parse::<i128>().map(i128::to_le_bytes),
        false => text.parse::<u128>().map(u128::to_le_bytes),
    };
    let fill = if negative { 0xff } else { 0 };
    wide.is_ok_and(|wide| {
        let (low, high) = wide.split_at(bytes.len().min(wide.len()));
        low == bytes && high.iter().all(|byte| *byte == fill)
    })
}

#[test]
fn sees_what_is_equal() {
    let wanted = json!({
        "flag": "0x01", "small": 7, "wide": "0xfeffffff", "float": "0xcdcccc3d", "nan": "0x0000c07f",
        "char": "0xac200000", "text": "0xe282ac", "bytes": "0x0102", "hash": "0xab", "none": null,
        "list": [{ "type": "A", "id": 3, "value": { "f": "0x00" } }],
    });
    let decoded = json!({
        "flag": true, "small": 7, "wide": -2, "float": 0.1, "nan": null,
        "char": "\u{20ac}", "text": "\u{20ac}", "bytes": [1, 2], "hash": "0xab", "none": null,
        "list": [{ "A": { "f": 0 } }],
    });
    assert_eq!(compare(&decoded, &wanted), Ok(()));
    let long = json!({ "elided_len": 2, "ckb_hash": ckb_hash(&[1, 2]) });
    assert_eq!(compare(&json!("0x0102"), &long), Ok(()));
}

#[test]
fn sees_what_differs() {
    let byte = json!("0x01");
    let fields = json!({ "f": 1 });
    let union = json!({ "type": "A", "id": 0, "value": "0x01" });
    let long = json!({ "elided_len": 2, "ckb_hash": ckb_hash(&[1, 2]) });
    let cases = [
        (json!(2), json!(1), "value: 2, wanted 1"),
        (json!(2), byte.clone(), "value: 2, wanted \"0x01\""),
        (json!(256 + 1), byte.clone(), "value: 257, wanted \"0x01\""),
        (json!(-1), json!("0xfe"), "value: -1, wanted \"0xfe\""),
        (json!(0.5), json!("0x0000003e"), "value: 0.5, wanted \"0x0000003e\""),
        (json!(null), json!("0x0000003f"), "value: null, wanted \"0x0000003f\""),
        (json!(null), json!("0x00"), "value: null, wanted \"0x00\""),
        (json!(0), json!(null), "value: 0, wanted null"),
        (json!(false), json!("0x01"), "value: false, wanted \"0x01\""),
        (json!("b"), json!("0x61"), "value: \"b\", wanted \"0x61\""),
        (json!([1, 3]), json!("0x0102"), "value: [1,3], wanted \"0x0102\""),
        (json!([1]), json!("0x0102"), "value: [1], wanted \"0x0102\""),
        (json!([1, 2]), json!([1]), "value: [1,2], wanted [1]"),
        (json!([[1], [2]]), json!([[1], [3]]), "value[1][0]: 2, wanted 3"),
        (json!({}), fields.clone(), r#"value: fields [], wanted ["f"]"#),
        (json!({ "f": 1, "g": 1 }), fields.clone(), r#"value: fields ["f", "g"], wanted ["f"]"#),
        (json!({ "f": 2 }), fields.clone(), "value.f: 2, wanted 1"),
        (json!({ "B": 1 }), union.clone(), r#"value: variant ["B"], wanted A"#),
        (json!({ "A": 2 }), union.clone(), "value.A: 2, wanted \"0x01\""),
        (json!("A"), union.clone(), &*format!("value: \"A\", wanted {union}")),
        (json!("0x0103"), long.clone(), &*format!("value: \"0x0103\", wanted {long}")),
    ];
    for (decoded, wanted, text) in cases {
        assert_eq!(compare(&decoded, &wanted), Err(text.to_owned()), "{decoded} {wanted}");
    }
}
