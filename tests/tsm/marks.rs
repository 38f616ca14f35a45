//! The mark `raw` at each position, and in other formats.

use crate::support::placed;
use std::borrow::Cow;
use std::collections::BTreeMap;

use fourfold::tsm::with::{Raw, RawBytes, RawLen, raw};
use fourfold::tsm::{Deserializer, Error, from_slice, take_from_slice, to_vec};
use serde::de::{DeserializeOwned, DeserializeSeed};
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteArray, ByteBuf, Bytes};

/// `<byte*4:digest><int32:size>`
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Entry {
    #[serde(with = "raw")]
    digest: [u8; 4],
    size: i32,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "raw.Digest")]
struct Digest([u8; 4]);

fn text<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => "accepted".into(),
        Err(error) => error.to_string(),
    }
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    value: &T,
    bytes: &[u8],
    json: &str,
) {
    assert_eq!(to_vec(value).unwrap(), bytes, "{value:?}");
    assert_eq!(from_slice::<T>(bytes).unwrap(), *value);
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    assert_eq!(serde_json::from_str::<T>(json).unwrap(), *value);
}

#[test]
fn arrays_have_the_same_bytes_without_the_mark() {
    round_trip(&Raw([1u8, 2, 3]), &[1, 2, 3], "[1,2,3]");
    round_trip(&Raw([0u8; 0]), &[], "[]");
    round_trip(&Digest([1, 2, 3, 4]), &[1, 2, 3, 4], "[1,2,3,4]");
    round_trip(&Raw(Digest([1, 2, 3, 4])), &[1, 2, 3, 4], "[1,2,3,4]");
    round_trip(&Raw(Raw([1u8])), &[1], "[1]");
    let entry = Entry { digest: [1, 2, 3, 4], size: 5 };
    round_trip(&entry, &[1, 2, 3, 4, 5, 0, 0, 0], r#"{"digest":[1,2,3,4],"size":5}"#);
}

#[test]
fn marks_at_each_position() {
    round_trip(&Raw(Some([7u8, 8])), &[1, 7, 8], "[7,8]");
    round_trip(&Raw(None::<[u8; 2]>), &[0], "null");
    round_trip(&Some(Raw([7u8])), &[1, 7], "[7]");
    round_trip(&vec![Raw([7u8]), Raw([8])], &[2, 0, 0, 0, 7, 8], "[[7],[8]]");
    let map = BTreeMap::from([(9u8, Raw([7u8]))]);
    round_trip(&map, &[1, 0, 0, 0, 9, 7], r#"{"9":[7]}"#);
    round_trip(&Box::new(Raw([7u8])), &[7], "[7]");
}

#[test]
fn bytes_have_no_count() {
    assert_eq!(to_vec(&RawBytes(b"abc")).unwrap(), *b"abc");
    assert_eq!(to_vec(&RawBytes(b"")).unwrap(), *b"");
    assert_eq!(to_vec(&Raw(Bytes::new(b"abc"))).unwrap(), *b"abc");
    assert_eq!(to_vec(&Raw(ByteBuf::from(*b"abc"))).unwrap(), *b"abc");
    assert_eq!(to_vec(&Raw(RawBytes(b"abc"))).unwrap(), *b"abc");
    assert_eq!(serde_json::to_string(&RawBytes(b"ab")).unwrap(), "[97,98]");
    // Without the mark they have a count.
    assert_eq!(to_vec(&ByteBuf::from(*b"abc")).unwrap(), *b"\x03\0\0\0abc");
    let array = ByteArray::new(*b"abc");
    assert_eq!(from_slice::<ByteArray<3>>(&to_vec(&array).unwrap()).unwrap(), array);
}

#[test]
fn bytes_of_a_given_length_are_read() {
    let mut deserializer = Deserializer::from_slice(b"abcd");
    let lent = RawLen(3).deserialize(&mut deserializer).unwrap();
    assert!(matches!(lent, Cow::Borrowed(b"abc")));
    let empty = RawLen(0).deserialize(&mut deserializer).unwrap();
    assert!(empty.is_empty());
    let error = RawLen(2).deserialize(&mut deserializer).unwrap_err();
    assert_eq!(error.to_string(), "input ends early: 2 bytes needed, 1 left at byte 3");
    let error = RawLen(usize::MAX).deserialize(&mut deserializer).unwrap_err();
    assert!(error.is_eof());

    let mut json = serde_json::Deserializer::from_str("[97,98]");
    assert_eq!(RawLen(2).deserialize(&mut json).unwrap(), b"ab".as_slice());
    let mut json = serde_json::Deserializer::from_str("[97,98]");
    let error = RawLen(3).deserialize(&mut json).unwrap_err();
    assert!(error.to_string().contains("invalid length 2, expected 3 bytes"), "{error}");
}

#[test]
fn other_types_are_refused() {
    #[derive(Serialize, Deserialize)]
    #[serde(rename = "raw.Pair")]
    struct Pair(u8, u8);

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "raw.Point")]
    struct Point {
        x: u8,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "raw.Level")]
    enum Level {
        Low,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "raw.Mark")]
    struct Unit;

    let mismatch =
        |found| format!("the mark `raw` fits bytes and arrays, not {found}; remove the mark");
    assert_eq!(text(to_vec(&Raw(vec![1u8]))), mismatch("a sequence"));
    assert_eq!(text(to_vec(&Raw("text"))), mismatch("text"));
    assert_eq!(text(to_vec(&Raw(1.5f32))), mismatch("a number"));
    assert_eq!(text(to_vec(&Raw(true))), mismatch("a bool"));
    assert_eq!(text(to_vec(&Raw('x'))), mismatch("a char"));
    assert_eq!(text(to_vec(&Raw(()))), mismatch("a unit"));
    assert_eq!(text(to_vec(&Raw(BTreeMap::<u8, u8>::new()))), mismatch("a map"));
    assert_eq!(text(to_vec(&(1u8, Raw(Level::Low)))), placed(&mismatch("an enum"), " in [1]"));
    assert_eq!(text(to_vec(&Pair(1, 2))), mismatch("a tuple struct"));
    assert_eq!(text(to_vec(&Point { x: 1 })), mismatch("a struct"));
    assert_eq!(text(to_vec(&Level::Low)), mismatch("an enum"));
    assert_eq!(text(to_vec(&Unit)), mismatch("a unit struct"));

    let bytes = [7; 8];
    let at = |found, place: &str| placed(&mismatch(found), place);
    assert_eq!(text(from_slice::<Pair>(&bytes)), at("a tuple struct", " at byte 0"));
    assert_eq!(text(from_slice::<(u8, Point)>(&bytes)), at("a struct", " in [1] at byte 1"));
    assert_eq!(text(from_slice::<Level>(&bytes)), at("an enum", " at byte 0"));
    assert_eq!(text(from_slice::<Unit>(&bytes)), at("a unit struct", " at byte 0"));
}

#[test]
fn types_without_a_length_are_refused() {
    let lengthless = "the mark `raw` is on a type that does not state how many bytes to read; use an array such as `[u8; 32]`, or `fourfold::tsm::with::RawLen(len)` in a `Deserialize` implementation, or remove the mark";
    let bytes = [1; 16];
    assert_eq!(text(from_slice::<Raw<ByteBuf>>(&bytes)), placed(lengthless, " at byte 0"));
    assert_eq!(text(from_slice::<Raw<Vec<u8>>>(&bytes)), placed(lengthless, " at byte 0"));
    assert_eq!(text(from_slice::<Raw<String>>(&bytes)), placed(lengthless, " at byte 0"));
    assert_eq!(
        text(take_from_slice::<(u16, Raw<Option<ByteBuf>>)>(&bytes)),
        placed(lengthless, " in [1] at byte 3")
    );
}
