//! Packages that OpenRoleZoo wrote, and damaged ones.

use std::collections::HashMap;

use super::{DEEPEST, Value, document, extract, is_sorted, pack, read, write};
use crate::model::Node;
use crate::show::json;

fn fixture(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/sta");
    std::fs::read(format!("{folder}/{name}")).unwrap()
}

const WRITTEN: [&str; 3] = ["recognizer.sta", "small.sta", "types.sta"];

fn bytes_of(value: &Value<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(value, &mut bytes).unwrap();
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    read(bytes).map(|value| panic!("{value:?}")).unwrap_err().to_string()
}

/// A package with these bytes after its mark.
fn with(bytes: &[u8]) -> Vec<u8> {
    [b"\x29\x09\x91\x19", bytes].concat()
}

/// The value that JSON without files describes, or the error.
fn packed(text: &str) -> Result<Vec<u8>, String> {
    let node = Node::parse(text, DEEPEST.into()).map_err(|error| error.to_string())?;
    let value = pack(&node, &mut |name| Err(format!("{name}: no such file")));
    value.map(|value| bytes_of(&value)).map_err(|wrong| wrong.in_text(text))
}

#[test]
fn packages_are_written_as_openrolezoo_wrote_them() {
    for name in WRITTEN {
        let bytes = fixture(name);
        let value = read(&bytes).unwrap();
        assert!(is_sorted(&value), "{name}");
        assert_eq!(bytes_of(&value), bytes, "{name}");
    }
}

#[test]
fn extracted_packages_are_packed_again_with_the_same_bytes() {
    for name in WRITTEN {
        let bytes = fixture(name);
        let value = read(&bytes).unwrap();
        let (part, files) = extract(&value, "model");
        let mut text = Vec::new();
        json::write(&part, usize::MAX, None, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut files: HashMap<String, &[u8]> = files.into_iter().collect();
        let node = Node::parse(&text, DEEPEST.into()).unwrap();
        let again = pack(&node, &mut |name| Ok(files.remove(name).unwrap().to_vec())).unwrap();
        assert_eq!(bytes_of(&again), bytes, "{name}: {text}");
        assert!(files.is_empty(), "{name}: {text}");
    }
}

#[test]
fn json_is_packed_as_by_openrolezoo() {
    let text = String::from_utf8(fixture("recognizer.json")).unwrap();
    let node = Node::parse(&text, DEEPEST.into()).unwrap();
    let value = pack(&node, &mut |name| Ok(fixture(name))).unwrap();
    assert_eq!(bytes_of(&value), fixture("recognizer.sta"));
}

#[test]
fn every_truncated_package_is_refused() {
    for name in WRITTEN {
        let bytes = fixture(name);
        for len in 0..bytes.len() {
            let text = refusal(&bytes[..len]);
            let is_known = ["input ends early", " bytes, "].iter().any(|it| text.contains(it));
            assert!(is_known && text.contains(" at byte "), "{name}, {len} bytes: {text}");
        }
    }
}

/// What is read from a damaged package is all of it.
#[test]
fn each_other_byte_is_refused_or_kept() {
    let bytes = fixture("small.sta");
    let mut kept = 0;
    for at in 0..bytes.len() {
        for other in 0..=u8::MAX {
            let mut damaged = bytes.clone();
            damaged[at] = other;
            match read(&damaged) {
                Ok(value) => {
                    assert_eq!(bytes_of(&value), damaged, "byte {at} is {other}");
                    kept += 1;
                }
                Err(error) => assert!(error.to_string().contains(" at byte "), "{error}"),
            }
        }
    }
    assert!(kept > bytes.len(), "{kept}");
}

#[test]
fn errors_have_path_and_offset() {
    let most = i32::MAX.to_le_bytes();
    let entry = |value: &[u8]| with(&[b"\x06\x01\0\0\0\x01\0\0\0a", value].concat());
    for (bytes, text) in [
        (Vec::new(), "input ends early: 4 bytes needed, 0 left at byte 0"),
        (
            b"fast".to_vec(),
            "not a package: the first bytes are 66 61 73 74, not 29 09 91 19 at byte 0",
        ),
        (with(b""), "input ends early: 1 byte needed, 0 left at byte 4"),
        (with(b"\x08"), "unknown tag 8 at byte 4"),
        (with(b"\0\0\0"), "1 trailing byte at byte 6"),
        (entry(b"\0\x01"), "nil is 1, not 0 in a at byte 15"),
        (entry(b"\x07\x02"), "bool is 2, neither 0 nor 1 in a at byte 15"),
        (entry(b"\x05\x02\0\0\0\0\0\0\xff"), "nil is 255, not 0 in a[1] at byte 22"),
        (
            entry(&[b"\x04".as_slice(), &most, b"abc"].concat()),
            "input ends early: 2147483647 bytes needed, 3 left in a at byte 19",
        ),
        (
            entry(&[b"\x05".as_slice(), &most, b"\0\0"].concat()),
            "2147483647 items need at least 4294967294 bytes, 2 left in a at byte 15",
        ),
        (
            entry(&[b"\x06".as_slice(), &most].concat()),
            "2147483647 items need at least 12884901882 bytes, 0 left in a at byte 15",
        ),
        (entry(b"\x03\xff\xff\xff\xff"), "length -1 is negative in a at byte 15"),
        (entry(b"\x05\0\0\0\x80"), "length -2147483648 is negative in a at byte 15"),
        (with(b"\x06\x02\0\0\0\x01\0\0\0a\0\0\x01\0\0\0a\0\0"), "duplicate key in a at byte 16"),
        (
            with(b"\x06\x01\0\0\0\x01\0\0\0\xff\0\0"),
            "key is not UTF-8; write the package again, with keys in UTF-8 at byte 9",
        ),
    ] {
        assert_eq!(refusal(&bytes), text);
    }
}

#[test]
fn depth_is_limited() {
    let lists = |depth: usize| with(&[b"\x05\x01\0\0\0".repeat(depth), b"\0\0".to_vec()].concat());
    let dicts = |depth: usize| {
        with(&[b"\x06\x01\0\0\0\x01\0\0\0a".repeat(depth), b"\0\0".to_vec()].concat())
    };
    let deepest = usize::from(DEEPEST);
    for nested in [lists, dicts] {
        let bytes = nested(deepest);
        assert_eq!(bytes_of(&read(&bytes).unwrap()), bytes);
        for depth in [deepest + 1, 100_000] {
            let text = refusal(&nested(depth));
            assert!(text.contains("nested deeper than 128 levels in "), "{text}");
        }
    }
    let lists = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(packed(&lists(deepest)).unwrap().len(), 4 + 5 * deepest);
    for depth in [deepest + 1, 100_000] {
        let text = packed(&lists(depth)).unwrap_err();
        assert!(text.contains("deeper than 128 levels"), "{text}");
    }
}

#[test]
fn keys_out_of_order_are_kept_and_packed_in_order() {
    let other = with(b"\x06\x02\0\0\0\x01\0\0\0b\0\0\x01\0\0\0a\0\0");
    let value = read(&other).unwrap();
    assert_eq!(bytes_of(&value), other);
    assert!(!is_sorted(&value) && !is_sorted(&Value::List(vec![value])));
    let sorted = with(b"\x06\x02\0\0\0\x01\0\0\0a\0\0\x01\0\0\0b\0\0");
    assert_eq!(packed(r#"{"b": null, "a": null}"#).unwrap(), sorted);
}

#[test]
fn commands_in_json() {
    for (text, bytes) in [
        (r#""@nil""#, b"\0\0".as_slice()),
        (r#""@base64@AP8=""#, b"\x04\x02\0\0\0\0\xff"),
        (r#""@string@QG5pbA==""#, b"\x03\x04\0\0\0@nil"),
        (r#""@float@7f800000""#, b"\x02\0\0\x80\x7f"),
        (r#""@home@x""#, b"\x03\x07\0\0\0@home@x"),
        ("-1", b"\x01\xff\xff\xff\xff"),
        ("2.0", b"\x02\0\0\0\x40"),
        ("1e3", b"\x02\0\0\x7a\x44"),
        ("true", b"\x07\x01"),
    ] {
        assert_eq!(packed(text).unwrap(), with(bytes), "{text}");
    }
}

#[test]
fn what_packages_cannot_store_is_refused() {
    let integer = "expected an integer of 32 bits, or a float with a point, such as 3000000000.0, \
                   found 2147483648 at line 1 column 1";
    for (text, error) in [
        ("2147483648", integer),
        ("1e39", "1e39 is beyond f32 at line 1 column 1"),
        ("-1e-60", "-1e-60 is too small for f32, which has 0 there at line 1 column 1; write 0.0"),
        (r#"{"a": 1, "a": 2}"#, "duplicate key \"a\" at line 1 column 1"),
        (r#"{"a": ["@file@x"]}"#, "x: no such file in a[0] at line 1 column 8"),
        (r#""@file@a@b""#, "`@` in the name of a file at line 1 column 1; rename the file"),
        (
            r#""@binary@3""#,
            "this is the size of a binary, not its bytes at line 1 column 1; \
             name a file with them: \"@file@NAME\"",
        ),
        (
            r#""@date""#,
            "@date is the time of packing, so each package would be different at line 1 column 1; \
             write the time itself",
        ),
        (
            r#""@base64@A""#,
            r#"expected base64 after @base64@, found "@base64@A" at line 1 column 1"#,
        ),
        (
            r#""@float@1""#,
            r#"expected the 8 digits of a float's bits after @float@, found "@float@1" at line 1 column 1"#,
        ),
    ] {
        assert_eq!(packed(text).unwrap_err(), error, "{text}");
    }
}

#[test]
fn the_json_of_dump_is_not_packed() {
    let bytes = fixture("recognizer.sta");
    let value = read(&bytes).unwrap();
    let mut text = Vec::new();
    json::write(&document(&value).whole(), usize::MAX, None, &mut text).unwrap();
    let error = packed(std::str::from_utf8(&text).unwrap()).unwrap_err();
    assert!(error.starts_with("this is the JSON of `dump`, without"), "{error}");
}

#[test]
fn packages_without_their_first_bytes_are_named() {
    let bytes = [0xff, 0, 0x12, 0x9c, 7, 0xe1];
    let text = "a package begins with 29 09 91 19, not ff 00 12 9c; SeetaFace6 publishes encrypted \
                models, so use the .sta package that it was made from";
    for name in ["model.csta", "folder/MODEL.STA"] {
        assert_eq!(super::without_mark(name, &bytes).unwrap(), text);
    }
    assert_eq!(super::without_mark("model.bin", &bytes), None);
}
