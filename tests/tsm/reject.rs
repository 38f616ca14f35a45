//! Invalid bytes and values: exact errors, whose text has kind, path and offset.

use std::collections::BTreeMap;

use fourfold::Category;
use fourfold::tsm::{Error, ErrorKind, Options, from_slice, take_from_slice, to_vec, to_writer};
use serde::de::DeserializeOwned;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

use crate::round_trip::Type;
use crate::support::depth::least_depth;
use crate::support::erased::TestType;
use crate::support::fact;
use crate::support::fixture::unhex;
use crate::support::stubborn::Lenient;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Point {
    x: u16,
    on: bool,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Line(Vec<Point>, Option<char>);

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Shape {
    Nothing,
    Circle(Point),
    Sides(u8, bool),
    Named { name: String, line: Line },
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(tag = "t", content = "c")]
enum Tagged {
    Unit,
    Number(u16),
    Pair(u8, u8),
    Point { x: u8, y: Vec<u8> },
    Nothing(),
    Last,
}

fn read<T: DeserializeOwned>(hex: &str) -> String {
    text(from_slice::<T>(&unhex(&hex.replace(' ', "")).unwrap()))
}

fn text<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => "accepted".into(),
        Err(error) => error.to_string(),
    }
}

/// Rows of the input as hex, and the complete text of the error.
macro_rules! rejected {
    ($($type:ty: $hex:literal => $text:literal,)*) => {$(
        assert_eq!(read::<$type>($hex), $text, "{} from {}", stringify!($type), $hex);
    )*};
}

#[test]
fn plain_values() {
    rejected! {
        u8: "" => "input ends early: 1 byte needed, 0 left at byte 0",
        u32: "010203" => "input ends early: 4 bytes needed, 3 left at byte 0",
        u32: "0102030405" => "1 trailing byte at byte 4",
        (): "00" => "1 trailing byte at byte 0",
        bool: "02" => "bool is 2, neither 0 nor 1 at byte 0",
        char: "00d80000" => "0xd800 is not a unicode scalar value at byte 0",
        char: "00001100" => "0x110000 is not a unicode scalar value at byte 0",
        std::num::NonZeroU16: "0000" =>
            "invalid value: integer `0`, expected a nonzero u16 at byte 0",
        String: "ffffffff" => "count -1 is negative at byte 0",
        String: "ffffff7f" => "input ends early: 2147483647 bytes needed, 0 left at byte 4",
        String: "0300" => "input ends early: 4 bytes needed, 2 left at byte 0",
        String: "01000000 61 62" => "1 trailing byte at byte 5",
        String: "03000000 61 ff 62" => "invalid utf-8 at byte 5",
        serde_bytes::ByteBuf: "00000080" => "count -2147483648 is negative at byte 0",
        serde_bytes::ByteArray<3>: "02000000 6162" =>
            "invalid length 2, expected a byte array of length 3 at byte 0",
        Option<bool>: "02" => "option flag is 2, neither 0 nor 1 at byte 0",
        Option<bool>: "ff" => "option flag is -1, neither 0 nor 1 at byte 0",
        Option<bool>: "01 07" => "bool is 7, neither 0 nor 1 at byte 1",
        Option<bool>: "01" => "input ends early: 1 byte needed, 0 left at byte 1",
        Option<bool>: "00 01" => "1 trailing byte at byte 1",
    }
}

#[test]
fn items_and_fields() {
    rejected! {
        Vec<u16>: "ffffffff" => "count -1 is negative at byte 0",
        Vec<u16>: "02000000 0100 02" =>
            "input ends early: 2 bytes needed, 1 left in [1] at byte 6",
        Vec<u16>: "ffffff7f 0000" => "count 2147483647 is beyond what 2 bytes can hold at byte 0",
        Vec<()>: "01100000" => "count 4097 is beyond what 0 bytes can hold at byte 0",
        Vec<Vec<bool>>: "01000000 01000000 03" =>
            "bool is 3, neither 0 nor 1 in [0][0] at byte 8",
        (u8, u16): "01 02" => "input ends early: 2 bytes needed, 1 left in [1] at byte 1",
        [bool; 3]: "01 00 09" => "bool is 9, neither 0 nor 1 in [2] at byte 2",
        Point: "0100 02" => "bool is 2, neither 0 nor 1 in on at byte 2",
        Point: "0100 01 00" => "1 trailing byte at byte 3",
        Line: "01000000 0100 02" => "bool is 2, neither 0 nor 1 in 0[0].on at byte 6",
        Line: "00000000 01 ffffffff" =>
            "0xffffffff is not a unicode scalar value in 1 at byte 5",
        BTreeMap<u8, bool>: "02000000 01 00 02" =>
            "input ends early: 1 byte needed, 0 left in [1].value at byte 7",
        BTreeMap<bool, bool>: "01000000 05 00" =>
            "bool is 5, neither 0 nor 1 in [0].key at byte 4",
        BTreeMap<(), ()>: "01100000" => "count 4097 is beyond what 0 bytes can hold at byte 0",
    }
}

#[test]
fn variants() {
    rejected! {
        Shape: "0000" => "input ends early: 4 bytes needed, 2 left at byte 0",
        Shape: "04000000" => "unknown variant 4 at byte 0",
        Shape: "ffffffff" => "unknown variant -1 at byte 0",
        Shape: "00000000 01" => "1 trailing byte at byte 4",
        Shape: "01000000 0100 02" => "bool is 2, neither 0 nor 1 in on at byte 6",
        Shape: "02000000 01 02" => "bool is 2, neither 0 nor 1 in 1 at byte 5",
        Shape: "03000000 01000000 61 01000000 0000 01 03" =>
            "option flag is 3, neither 0 nor 1 in line.1 at byte 16",
        Vec<Shape>: "01000000 09000000" => "unknown variant 9 in [0] at byte 4",
        Result<u8, bool>: "01000000 02" => "bool is 2, neither 0 nor 1 at byte 4",
    }
}

#[test]
fn categories() {
    let category = |hex: &str| {
        from_slice::<Vec<(bool, char, Option<u8>)>>(&unhex(hex).unwrap()).unwrap_err().category()
    };
    assert_eq!(category("ffffffff"), Category::Syntax);
    assert_eq!(category("ffffff7f"), Category::Eof);
    assert_eq!(category("01000000"), Category::Eof);
    assert_eq!(category("0100000002"), Category::Syntax);
    assert_eq!(category("0000000000"), Category::Syntax);
    let limit = from_slice::<Vec<()>>(&[1, 16, 0, 0]).unwrap_err();
    assert!(matches!(limit.kind(), ErrorKind::CountBeyond { claimed: 4097, left: 0 }));
    assert_eq!(to_vec(&vec![(); 4097]).unwrap_err().category(), Category::Limit);
}

#[test]
fn items_of_zero_bytes_are_bounded_equally() {
    type Nested = Vec<Vec<()>>;
    let text = "more than 4096 items of zero bytes";

    let most = vec![(); 4096];
    assert_eq!(from_slice::<Vec<()>>(&to_vec(&most).unwrap()).unwrap(), most);
    let error = to_vec(&vec![(); 4097]).unwrap_err();
    assert_eq!(fact(&error.to_string()), format!("{text} in [4096]"));
    let mut written = Vec::new();
    assert!(to_writer(&mut written, &vec![(); 4097]).is_err());

    // The limit applies to a value, not to each sequence.
    let nested: Nested = vec![vec![(); 2048]; 2];
    let bytes = to_vec(&nested).unwrap();
    assert_eq!(from_slice::<Nested>(&bytes).unwrap(), nested);
    let nested: Nested = vec![vec![(); 2048], vec![(); 2049]];
    let error = to_vec(&nested).unwrap_err().to_string();
    assert_eq!(fact(&error), format!("{text} in [1][2048]"));
    let mut bytes = 2i32.to_le_bytes().to_vec();
    bytes.extend(2048i32.to_le_bytes());
    bytes.extend(2049i32.to_le_bytes());
    assert_eq!(
        from_slice::<Nested>(&bytes).unwrap_err().to_string(),
        "count 2049 is beyond what 0 bytes can hold in [1] at byte 8"
    );
    // With enough bytes after it, the count is accepted, but the items have no bytes.
    bytes.push(0);
    assert_eq!(
        from_slice::<(Nested, u8)>(&bytes).unwrap_err().to_string(),
        format!("{text} in [0][1][2048] at byte 12")
    );

    let map = BTreeMap::from([((), ())]);
    assert_eq!(to_vec(&map).unwrap(), [1, 0, 0, 0]);
    assert_eq!(from_slice::<BTreeMap<(), ()>>(&[1, 0, 0, 0]).unwrap(), map);
}

#[test]
fn depth_has_the_same_limit_in_reading_and_writing() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Chain {
        End,
        Next(Box<Chain>),
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Wrapped(Option<Box<Wrapped>>);

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct List {
        next: Vec<List>,
    }

    fn check<T: TestType>(deepest: u16, value: T) {
        let least = least_depth(&Type::of::<T>("value"), &value, deepest + 2);
        assert_eq!(least, Some(deepest), "{value:?}");
    }

    let chain = |n| (0..n).fold(Chain::End, |chain, _| Chain::Next(Box::new(chain)));
    check(0, chain(0));
    check(20, chain(20));
    // Each is a newtype struct and a `Some`.
    check(9, (0..4).fold(Wrapped(None), |wrapped, _| Wrapped(Some(Box::new(wrapped)))));
    check(10, (0..4).fold(List { next: vec![] }, |list, _| List { next: vec![list] }));
    check(2, ((1u8,), ()));
    check(3, Tagged::Point { x: 1, y: vec![] });
    check(1, Tagged::Unit);
    check(2, Tagged::Pair(1, 2));
    check(1, Tagged::Number(1));
    check(2, vec![Some(Some(Point { x: 1, on: true }))]);
    check(0, "text".to_owned());

    let deep = to_vec(&chain(129)).unwrap_err();
    assert_eq!(
        deep.to_string(),
        "nested deeper than 128 levels; use `Options::max_depth` to allow more"
    );
    let bytes = [1, 0, 0, 0].repeat(1 << 16);
    let error = from_slice::<Chain>(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nested deeper than 128 levels at byte 516; use `Options::max_depth` to allow more"
    );
}

#[test]
fn adjacently_tagged_enums() {
    assert_eq!(to_vec(&Tagged::Unit).unwrap(), [0, 0, 0, 0]);
    let point = Tagged::Point { x: 1, y: vec![2, 3] };
    assert_eq!(to_vec(&point).unwrap(), [3, 0, 0, 0, 1, 2, 0, 0, 0, 2, 3]);
    rejected! {
        Tagged: "06000000" => "unknown variant 6 in t at byte 0",
        Tagged: "ffffffff" => "unknown variant -1 in t at byte 0",
        Tagged: "03000000 01 02000000 02" =>
            "input ends early: 1 byte needed, 0 left in c.1[1] at byte 10",
        Tagged: "05000000 00" => "1 trailing byte at byte 4",
    }
}

const SELF_DESCRIBING: &str = "the type calls `deserialize_any` (as untagged, internally tagged, `flatten` and \
                               `Value` do), and tsm is not self-describing";

#[test]
fn types_that_need_a_self_describing_format() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(untagged)]
    enum Untagged {
        Number(u8),
        Nothing,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Json {
        Value(serde_json::Value),
        Maybe(Option<u8>),
    }

    assert_eq!(
        fact(&text(from_slice::<Lenient<Untagged>>(&[]))),
        "the type ignored an error of a nested value at byte 0"
    );
    let bytes = to_vec(&Json::Value(serde_json::Value::Null)).unwrap();
    assert!(text(from_slice::<Json>(&bytes)).starts_with(SELF_DESCRIBING));
    assert!(text(from_slice::<(Json, u8)>(&[0, 0, 0, 0, 0])).starts_with(SELF_DESCRIBING));
    assert_eq!(
        fact(&text(from_slice::<serde::de::IgnoredAny>(&[1]))),
        format!("{SELF_DESCRIBING} at byte 0")
    );
}

/// Announces two items and has one.
struct Short;

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(2))?;
        seq.serialize_element(&1u8)?;
        seq.end()
    }
}

#[test]
fn a_serializer_continues_after_an_error() {
    let mut serializer = fourfold::tsm::Serializer::new(Vec::new());
    for _ in 0..300 {
        assert!((0u8, Short).serialize(&mut serializer).is_err());
    }
    vec![1u8].serialize(&mut serializer).unwrap();
    assert!(serializer.into_inner().ends_with(&[1, 0, 0, 0, 1]));
}

#[test]
fn trailing_bytes_where_allowed() {
    let lax = Options::new().allow_trailing(true);
    assert_eq!(lax.from_slice::<u16>(&[1, 0, 9]).unwrap(), 1);
    assert_eq!(take_from_slice::<String>(&[1, 0, 0, 0, b'a', 9]).unwrap(), ("a".into(), &[9][..]));
    assert_eq!(lax.from_slice::<Vec<u8>>(&[1, 0, 0, 0, 7, 9]).unwrap(), [7]);
    assert_eq!(take_from_slice::<()>(&[9]).unwrap(), ((), &[9][..]));
}
