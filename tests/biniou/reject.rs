//! Invalid bytes and values: exact errors, whose text has kind, path and offset.

use crate::support::fact;
use crate::support::fixture::unhex;
use crate::support::zoo::{Key, Point, Shape, Suit};
use fourfold::biniou::with::{Char, Float32, Int8, Int32, Int64, Table, Uvint, optional};
use fourfold::biniou::{Dictionary, Options, Value, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Hashes: x 00000078, y 00000079, on 0000611f, a 00000061, in 00005be5.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Spot {
    x: u8,
    on: bool,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Outer {
    a: Vec<Spot>,
    #[serde(with = "optional", default)]
    y: Option<Spot>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Choice {
    #[serde(rename = "a")]
    Plain,
    #[serde(rename = "x")]
    One(u8),
    #[serde(rename = "y")]
    Two(u8, bool),
    #[serde(rename = "on")]
    Named { x: u8 },
    #[serde(rename = "in")]
    Unit(()),
}

/// Two names with the same hash.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Twins {
    azdwbie: u8,
    c7diagq: u8,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[allow(non_camel_case_types, reason = "names of one hash")]
enum TwinVariants {
    azdwbie,
    c7diagq(u8),
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Tagged {
    A { x: u8 },
}

fn read<T: DeserializeOwned>(hex: &str) -> String {
    match from_slice::<T>(&unhex(&hex.replace([' ', ','], "")).unwrap()) {
        Ok(_) => "accepted".into(),
        Err(error) => error.to_string(),
    }
}

/// The hint for types that need names.
const NAMES: &str = "use `#[serde(with = \"fourfold::biniou::with::any\")]` on the field of that type (on the field that holds the struct with `flatten`), or `fourfold::biniou::with::Any(value)` where there is no field; or pass names with `Options::names`, as `Dictionary::of_value(&value)` returns them";

/// Rows of the input as hex, and the error without its hint. All differences are reported together.
macro_rules! rejected {
    ($($type:ty: $hex:literal => $text:expr,)*) => {{
        let mut failures = Vec::new();
        $(
            let text = read::<$type>($hex);
            if fact(&text) != fact(&$text.to_string()) {
                failures.push(format!("{} from {}: {text}", stringify!($type), $hex));
            }
        )*
        crate::support::fixture::assert_none(&failures);
    }};
}

#[test]
fn tags_and_scalars() {
    rejected! {
        u8: "" => "input ends early: 1 byte needed, 0 left at byte 0",
        Value: "" => "input ends early: 1 byte needed, 0 left at byte 0",
        u8: "05" => "unknown tag 5 at byte 0",
        Value: "05" => "unknown tag 5 at byte 0",
        Value: "1b00" => "unknown tag 27 at byte 0",
        Value: "ff" => "unknown tag 255 at byte 0",
        bool: "0002" => "bool is 2, neither 0 nor 1 at byte 1",
        Value: "0002" => "bool is 2, neither 0 nor 1 at byte 1",
        (): "1801" => "unit is 1, not 0 at byte 1",
        Value: "1801" => "unit is 1, not 0 at byte 1",
        bool: "00" => "input ends early: 1 byte needed, 0 left at byte 1",
        (): "18" => "input ends early: 1 byte needed, 0 left at byte 1",
        Int8<u8>: "01" => "input ends early: 1 byte needed, 0 left at byte 1",
        u8: "0201" => "input ends early: 2 bytes needed, 1 left at byte 1",
        Int32<i32>: "03010203" => "input ends early: 4 bytes needed, 3 left at byte 1",
        Int64<i64>: "040000" => "input ends early: 8 bytes needed, 2 left at byte 1",
        f32: "0b000000" => "input ends early: 4 bytes needed, 3 left at byte 1",
        f64: "0c00000000000000" => "input ends early: 8 bytes needed, 7 left at byte 1",
        u8: "10" => "input ends early: 1 byte needed, 0 left at byte 1",
        u8: "1080" => "input ends early: 1 byte needed, 0 left at byte 2",
        Value: "10ffffffffffffffffffffffffffffffffffff04" => "vint is longer than 128 bits at byte 1",
        u128: "10808080808080808080808080808080808080808000" =>
            "vint is longer than 128 bits at byte 1",
        String: "1204 6162" => "length 4 needs 4 bytes or more, 2 left at byte 1",
        Value: "1204 6162" => "length 4 needs 4 bytes or more, 2 left at byte 1",
        String: "1203 61ff62" => "invalid utf-8 at byte 3",
        char: "1202 6162" => "invalid value: string \"ab\", expected a character at byte 0",
        char: "1200" => "invalid value: string \"\", expected a character at byte 0",
        u8: "1001 00" => "1 trailing byte at byte 2",
        Value: "1001 000102" => "3 trailing bytes at byte 2",
        u8: "108002" => "invalid value: integer `256`, expected u8 at byte 0",
        u8: "1101" => "invalid value: integer `-1`, expected u8 at byte 0",
        i8: "02 0080" => "invalid value: integer `128`, expected i8 at byte 0",
        std::num::NonZeroU8: "1000" =>
            "invalid value: integer `0`, expected a nonzero u8 at byte 0",
    }
}

#[test]
fn wrong_tags() {
    rejected! {
        u8: "1200" => "found string, expected uvint, svint, int8 or int16 at byte 0",
        u8: "0300000001" => "found int32, expected uvint, svint, int8 or int16 at byte 0; use `#[serde(with = \"fourfold::biniou::with::int32\")]` on the field of the number, or `fourfold::biniou::with::Int32(value)` where there is no field",
        Int8<u8>: "0300000001" => "found int32, expected uvint, svint, int8 or int16 at byte 0; use `#[serde(with = \"fourfold::biniou::with::int32\")]` on the field of the number, or `fourfold::biniou::with::Int32(value)` where there is no field",
        Uvint<u8>: "0001" => "found bool, expected uvint, svint, int8 or int16 at byte 0",
        Int32<i32>: "1102" => "found svint, expected int32 at byte 0",
        Int64<i64>: "1102" => "found svint, expected int64 at byte 0",
        f32: "0c0000000000000000" => "found float64, expected float32 at byte 0",
        f64: "0b00000000" => "found float32, expected float64 at byte 0; use `#[serde(with = \"fourfold::biniou::with::float32\")]` on the field of the number, or `fourfold::biniou::with::Float32(value)` where there is no field",
        Float32<f64>: "0c0000000000000000" => "found float64, expected float32 at byte 0",
        Char<char>: "1102" => "found svint, expected int8 at byte 0",
        char: "0161" => "found int8, expected string at byte 0",
        bool: "1800" => "found unit, expected bool at byte 0",
        (): "0000" => "found bool, expected unit at byte 0",
        String: "1300" => "found array, expected string at byte 0",
        serde_bytes::ByteBuf: "1301 00 01" =>
            "found bool, expected uvint, svint, int8 or int16 in [0] at byte 2",
        Vec<u8>: "1203 616263" => "found string, expected array, tuple or table at byte 0",
        Vec<u8>: "1500" => "found record, expected array, tuple or table at byte 0",
        (u8, u8): "1302 01 0102" => "found array, expected tuple at byte 0",
        [u8; 2]: "1302 01 0102" => "found array, expected tuple at byte 0",
        Spot: "1400" => "found tuple, expected record at byte 0",
        Spot: "1900" => "found table, expected record at byte 0",
                Table<Vec<Spot>>: "1400" => "found tuple, expected table or array at byte 0",
        Option<u8>: "1102" => "found svint, expected num_variant at byte 0; use `#[serde(default, with = \"fourfold::biniou::with::optional\")]` on a field that is left out for `None`",
        Option<u8>: "1700000001" => "found variant, expected num_variant at byte 0; use `#[serde(default, with = \"fourfold::biniou::with::optional\")]` on a field that is left out for `None`",
        Choice: "1600" => "found num_variant, expected variant at byte 0",
        Choice: "1201 61" => "found string, expected variant at byte 0",
        Vec<u8>: "1302 12 00 00" => "found string, expected uvint, svint, int8 or int16 in [0] at byte 2",
        Vec<bool>: "1402 0001 1001" => "found uvint, expected bool in [1] at byte 4",
        (u8, bool): "1402 1001 1001" => "found uvint, expected bool in [1] at byte 4",
    }
}

#[test]
fn sequences() {
    rejected! {
        Value: "1301 ff 00" => "unknown tag 255 at byte 2",
        Vec<u8>: "1301 05 00" => "unknown tag 5 at byte 2",
        Value: "1301" => "length 1 needs 1 byte or more, 0 left at byte 1",
        Value: "13" => "input ends early: 1 byte needed, 0 left at byte 1",
        Value: "1302 11 02" => "input ends early: 1 byte needed, 0 left in [1] at byte 4",
        Vec<i8>: "1302 11 02" => "input ends early: 1 byte needed, 0 left in [1] at byte 4",
        Value: "1403 1001 00" => "length 3 needs 6 bytes or more, 3 left at byte 1",
        Vec<u8>: "1302 10 0180" => "input ends early: 1 byte needed, 0 left in [1] at byte 5",
        Vec<bool>: "1303 00 000102" => "bool is 2, neither 0 nor 1 in [2] at byte 5",
        Vec<()>: "1302 18 0007" => "unit is 7, not 0 in [1] at byte 4",
        (u8, u8): "1401 1001" => "tuple has 1 cell, the type has more at byte 2; use `#[serde(default)]` on the last fields",
        (u8, u8): "1400" => "tuple has 0 cells, the type has more at byte 2; use `#[serde(default)]` on the last fields",
        [u8; 2]: "1401 1001" => "tuple has 1 cell, the type has more at byte 2; use `#[serde(default)]` on the last fields",
        (u8, u8): "1403 1001 1001 0500" => "unknown tag 5 at byte 6",
        BTreeMap<u8, bool>: "1301 14 02 1001 0003" =>
            "bool is 3, neither 0 nor 1 in [0].value at byte 7",
        BTreeMap<u8, bool>: "1301 14 02 0001 0001" =>
            "found bool, expected uvint, svint, int8 or int16 in [0].key at byte 4",
        BTreeMap<u8, bool>: "1301 14 01 1001" => "tuple has 1 cell, the type has more in [0] at byte 3; use `#[serde(default)]` on the last fields",
        BTreeMap<u8, bool>: "1301 10 01" => "found uvint, expected tuple at byte 2",
    }
}

#[test]
fn records() {
    rejected! {
        Value: "1501 00000078 1102" => "field tag 00000078 does not begin with a 1 bit at byte 2",
        Spot: "1501 00000078 1102" => "field tag 00000078 does not begin with a 1 bit at byte 2",
        Spot: "1501 800000" => "length 1 needs 6 bytes or more, 3 left at byte 1",
        Spot: "1500" => "missing field `x` at byte 2",
        Spot: "1501 80000078 1001" => "missing field `on` at byte 2",
        Spot: "1502 80000078 1001 8000611f 0002" =>
            "bool is 2, neither 0 nor 1 in on at byte 13",
        Spot: "1502 80000078 0001 8000611f 0001" =>
            "found bool, expected uvint, svint, int8 or int16 in x at byte 6",
        Spot: "1502 80000078 1001 80000079 0500" => "unknown tag 5 in #00000079 at byte 12",
        Spot: "1502 80000078 1001 80000079 0002" =>
            "bool is 2, neither 0 nor 1 in #00000079 at byte 13",
        Outer: "1501 80000061 1301 15 01 80000078 0001" =>
            "found bool, expected uvint, svint, int8 or int16 in a[0].x at byte 14",
        Outer: "1502 80000061 1300 80000079 1600" =>
            "found num_variant, expected record in y at byte 12",
        Outer: "1502 80000061 1300 80000079 1502 80000078 1001 8000611f 1001" =>
            "found uvint, expected bool in y.on at byte 24",
    }
}

#[test]
fn options_and_variants() {
    rejected! {
        Option<u8>: "1601" => "num_variant 1 is no option at byte 1",
        Option<u8>: "1681 1001" => "num_variant 1 is no option at byte 1",
        Option<u8>: "167f" => "num_variant 127 is no option at byte 1",
        Option<u8>: "16" => "input ends early: 1 byte needed, 0 left at byte 1",
        Option<u8>: "1680" => "input ends early: 1 byte needed, 0 left at byte 2",
        Option<bool>: "1680 0002" => "bool is 2, neither 0 nor 1 at byte 3",
        Choice: "17 00000001" => "unknown variant #00000001 at byte 1",
        Choice: "17 80000001 1800" => "unknown variant #00000001 at byte 1",
        Choice: "17 800000" => "input ends early: 4 bytes needed, 3 left at byte 1",
        Choice: "17 80000061 1800" => "variant a has an argument too many at byte 1",
        Choice: "17 00000078" => "variant x has no argument at byte 1",
        Choice: "17 00000079" => "variant y has no argument at byte 1",
        Choice: "17 0000611f" => "variant on has no argument at byte 1",
        Choice: "17 80000078 0001" => "found bool, expected uvint, svint, int8 or int16 at byte 5",
        Choice: "17 80000079 1401 1001" => "tuple has 1 cell, the type has more at byte 7; use `#[serde(default)]` on the last fields",
        Choice: "17 80000079 1402 1001 0002" => "bool is 2, neither 0 nor 1 in 1 at byte 10",
        Choice: "17 8000611f 1500" => "missing field `x` at byte 7",
        Choice: "17 8000611f 1501 80000078 0001" =>
            "found bool, expected uvint, svint, int8 or int16 in x at byte 11",
        Choice: "17 8000611f 1401 1001" => "found tuple, expected record at byte 5",
        Suit: "17 37eea2f2" => "unknown variant #37eea2f2 at byte 1",
    }
}

#[test]
fn tables() {
    rejected! {
        Value: "1901 01 00000078 11 02" => "field tag 00000078 does not begin with a 1 bit at byte 3",
        Vec<Spot>: "1901 01 00000078 11 02" =>
            "field tag 00000078 does not begin with a 1 bit at byte 3",
        Value: "1901 01 80000078 05 02" => "unknown tag 5 at byte 7",
        Vec<Spot>: "1901 01 80000078 05 02" => "unknown tag 5 at byte 7",
        Value: "1901" => "input ends early: 1 byte needed, 0 left at byte 2",
        Value: "1901 01 80" => "length 1 needs 5 bytes or more, 1 left at byte 2",
        Vec<Spot>: "1902 02 80000078 10 8000611f 00 01 00 02 07" =>
            "bool is 7, neither 0 nor 1 in [1].on at byte 16",
        Vec<Spot>: "1901 01 80000078 10 01" => "missing field `on` in [0] at byte 8",
        Vec<Spot>: "1901 01 80000078 00 01" => "found bool, expected uvint, svint, int8 or int16 in [0].x at byte 7",
        Vec<Spot>: "1901 00" => "missing field `x` in [0] at byte 3",
        Vec<u8>: "1901 00" => "found a row of a table, expected a value that is no struct in [0] at byte 3",
        Vec<Outer>: "1901 02 80000061 13 80000079 10 00 01" =>
            "found uvint, expected num_variant in [0].y at byte 12; use `#[serde(default, with = \"fourfold::biniou::with::optional\")]` on a field that is left out for `None`",
        Value: "19 8120 00" => "4097 rows without columns are more than a reader accepts at byte 1",
        Vec<Point>: "1902 01 80000078 11 02" => "length 2 needs 2 bytes or more, 1 left at byte 1",
    }
}

#[test]
fn sharing() {
    rejected! {
        Value: "1a01" => "reference 1 byte back leads to no shared value at byte 1",
        u8: "1a01" => "reference 1 byte back leads to no shared value at byte 1",
        Value: "1402 1a00 1102 1a02" =>
            "reference 2 bytes back leads to no shared value in [1] at byte 7",
        (i8, i8): "1402 1a00 1102 1a02" =>
            "reference 2 bytes back leads to no shared value in [1] at byte 7",
        (i8, i8, i8): "1403 1a00 1102 1a04 1a02" =>
            "reference 2 bytes back leads to no shared value in [2] at byte 9",
        Vec<i8>: "1a00 1402 1102 1a06" => "shared value is part of itself in [1] at byte 7; read it as `fourfold::biniou::Value`, which stores each shared value once",
        u8: "1a00 1a02" => "shared value is part of itself at byte 3; read it as `fourfold::biniou::Value`, which stores each shared value once",
        Value: "1a00 05" => "unknown tag 5 at byte 2",
        bool: "1a00 0002" => "bool is 2, neither 0 nor 1 at byte 3",
        bool: "1a00 1001" => "found uvint, expected bool at byte 2",
        (i8, bool): "1402 1a00 1102 1a04" => "found svint, expected bool in [1] at byte 4",
        Value: "1a80" => "input ends early: 1 byte needed, 0 left at byte 2",
    }
}

#[test]
fn names() {
    rejected! {
        Twins: "1501 ec312372 1001" =>
            "`azdwbie` and `c7diagq` have the same hash, #6c312372 at byte 0; use `#[serde(rename = \"c7diagq_\")]` on `c7diagq`",
        Twins: "1500" => "`azdwbie` and `c7diagq` have the same hash, #6c312372 at byte 0; use `#[serde(rename = \"c7diagq_\")]` on `c7diagq`",
        TwinVariants: "17 6c312372" =>
            "`azdwbie` and `c7diagq` have the same hash, #6c312372 at byte 0; use `#[serde(rename = \"c7diagq_\")]` on `c7diagq`",
        Vec<TwinVariants>: "1301 17 00000001" =>
            "`azdwbie` and `c7diagq` have the same hash, #6c312372 in [0] at byte 3; use `#[serde(rename = \"c7diagq_\")]` on `c7diagq`",
        serde_json::Value: "1501 80000078 1001" => format!("unknown field name (hash #00000078) at byte 2; {NAMES}"),
        serde_json::Value: "17 00000078" => format!("unknown variant name (hash #00000078) at byte 1; {NAMES}"),
        Tagged: "1501 80000078 1001" => format!("unknown field name (hash #00000078) at byte 2; {NAMES}"),
    }
    let named = Options::new().names(Dictionary::from_words("kind\nx\nA").unwrap());
    let bytes = to_vec(&Tagged::A { x: 1 }).unwrap();
    assert_eq!(named.from_slice::<Tagged>(&bytes).unwrap(), Tagged::A { x: 1 });
    let json = named.from_slice::<serde_json::Value>(&bytes).unwrap();
    assert_eq!(json, serde_json::json!({ "kind": "A", "x": 1 }));
}

#[test]
fn a_path_leads_to_the_error() {
    let spot = |x| Spot { x, on: true };
    let outer = Outer { a: vec![spot(1), spot(2)], y: Some(spot(3)) };
    let bytes = to_vec(&vec![("k".to_owned(), outer)]).unwrap();
    // The last bool is the last byte; that of the second spot is before the field `y`.
    for (path, at) in [
        ("[0][1].y.on", bytes.len() - 1),
        ("[0][1].a[1].on", bytes.windows(4).position(|w| w == [0x80, 0, 0, 0x79]).unwrap() - 1),
    ] {
        let mut damaged = bytes.clone();
        assert_eq!(damaged[at], 1);
        damaged[at] = 9;
        let error = from_slice::<Vec<(String, Outer)>>(&damaged).unwrap_err();
        assert_eq!(error.to_string(), format!("bool is 9, neither 0 nor 1 in {path} at byte {at}"));
        assert_eq!(*error.path(), *path);
        assert_eq!(error.offset(), Some(at));
        assert_eq!(error.kind().to_string(), "bool is 9, neither 0 nor 1");
    }
}

#[test]
fn values_that_could_not_be_read_back() {
    let text = |result: Result<Vec<u8>, fourfold::biniou::Error>| {
        let error = result.unwrap_err();
        assert_eq!(error.offset(), None);
        error.to_string()
    };
    assert_eq!(
        text(to_vec(&Twins { azdwbie: 1, c7diagq: 2 })),
        "`azdwbie` and `c7diagq` have the same hash, #6c312372 in c7diagq; use `#[serde(rename = \"c7diagq_\")]` on `c7diagq`"
    );
    assert_eq!(
        text(to_vec(&[Some(Twins { azdwbie: 1, c7diagq: 2 })])),
        "`azdwbie` and `c7diagq` have the same hash, #6c312372 in [0].c7diagq; use `#[serde(rename = \"c7diagq_\")]` on `c7diagq`"
    );
    let key = Key { id: 256, name: "x".into() };
    assert_eq!(
        text(to_vec(&Wrong { key: Int8(key.id) })),
        "int8 cannot hold 256 exactly in key; use `#[serde(with = \"fourfold::biniou::with::int16\")]` on the field of the number, or `fourfold::biniou::with::Int16(value)` where there is no field, or remove the mark"
    );
    assert_eq!(
        text(to_vec(&BTreeMap::from([("k", (1, Int8(-1)))]))),
        "int8 cannot hold -1 exactly in [0].value[1]; use `#[serde(with = \"fourfold::biniou::with::int32\")]` on the field of the number, or `fourfold::biniou::with::Int32(value)` where there is no field, or remove the mark"
    );
    let row = |id: u8, more: bool| Row { id, more: more.then_some(1) };
    assert_eq!(
        text(to_vec(&Table(vec![row(1, true), row(2, true), row(3, false)]))),
        "row 2 of a table differs from the first: a field is skipped in [2].more; remove `skip_serializing_if`, or use \
         `#[serde(default, with = \"fourfold::biniou::with::optional\")]` in its place"
    );
    let rows = vec![Cell(Kind::Number(1)), Cell(Kind::Number(2)), Cell(Kind::Text("x".into()))];
    let rows: Vec<_> = rows.into_iter().map(|cell| Holder { cell }).collect();
    assert_eq!(
        text(to_vec(&Table(rows))),
        "row 2 of a table differs from the first: another tag in [2].cell; remove the mark `table`"
    );
    // Trees that cannot be written.
    for value in [
        Value::Array(vec![Value::Unit, Value::Bool(true)]),
        Value::Tuple(vec![Value::Unit, Value::Reference(1)]),
        Value::NumVariant(128, None),
        Value::Variant(1 << 31, None),
        Value::Record(vec![(1 << 31, Value::Unit)]),
        Value::Shared(2, Box::new(Value::Unit)),
        Value::Overlong([18, 0], Box::new(Value::Unit)),
        Value::Overlong([19, 0], Box::new(Value::Uvint(1))),
        Value::Overlong([1, 1], Box::new(Value::Uvint(1))),
    ] {
        let text = text(to_vec(&value));
        assert!(text.starts_with("this value has no encoding: "), "{value:?}: {text}");
    }
}

#[derive(Serialize)]
struct Wrong {
    key: Int8<u32>,
}

#[derive(Serialize)]
struct Row {
    id: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<u8>,
}

#[derive(Serialize)]
struct Holder {
    cell: Cell,
}

#[derive(Serialize)]
struct Cell(Kind);

#[derive(Serialize)]
#[serde(untagged)]
enum Kind {
    Number(u8),
    Text(String),
}

#[test]
fn trailing_bytes_where_allowed() {
    let lax = Options::new().allow_trailing(true);
    assert_eq!(lax.from_slice::<u16>(&[16, 1, 9]).unwrap(), 1);
    assert_eq!(lax.from_slice::<String>(&[18, 1, b'a', 9]).unwrap(), "a");
    assert_eq!(lax.from_slice::<Vec<u8>>(&[19, 0, 9]).unwrap(), [0; 0]);
    assert_eq!(lax.from_slice::<Option<u8>>(&[22, 0, 9]).unwrap(), None);
    lax.from_slice::<()>(&[24, 0, 9]).unwrap();
    assert_eq!(lax.from_slice::<Value>(&[24, 0, 9]).unwrap(), Value::Unit);
    let mut bytes = to_vec(&Shape::Circle(1)).unwrap();
    let len = bytes.len();
    bytes.extend([1, 2, 3]);
    assert_eq!(lax.from_slice::<Shape>(&bytes).unwrap(), Shape::Circle(1));
    let error = from_slice::<Shape>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), format!("3 trailing bytes at byte {len}"));
}
