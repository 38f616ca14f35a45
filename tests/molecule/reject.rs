//! Bad bytes and bad values: exact kind, exact path, exact offset, which the text holds all three. The fix after them
//! is in `hints`.

use std::collections::{BTreeMap, BTreeSet};

use fourfold::molecule::with::{DynVec, FixVec, Struct, Table, dynvec, fixvec};
use fourfold::molecule::{Options, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::schema::fixture::unhex;
use crate::support::fact;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "struct.Point")]
struct Point {
    x: u16,
    on: bool,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Input {
    since: u16,
    #[serde(with = "dynvec")]
    witness: Vec<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Spend {
    #[serde(with = "dynvec")]
    inputs: Vec<Input>,
    #[serde(with = "fixvec")]
    points: Vec<Point>,
    sign: Option<char>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(rename = "union.Item.Spend-7.Count-0.Gone-9")]
enum Item {
    Spend(Spend),
    Count { low: u8, high: u8 },
    Gone,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Renamed {
    #[serde(alias = "uno", alias = "eins")]
    one: u8,
    two: bool,
}

fn read<T: DeserializeOwned>(hex: &str) -> String {
    match from_slice::<T>(&unhex(&hex.replace([' ', ','], "")).unwrap()) {
        Ok(_) => "accepted".into(),
        Err(error) => fact(&error.to_string()).to_owned(),
    }
}

/// Rows of the input as hex, and the complete text of the error.
macro_rules! rejected {
    ($($type:ty: $hex:literal => $text:literal,)*) => {$(
        assert_eq!(read::<$type>($hex), $text, "{} from {}", stringify!($type), $hex);
    )*};
}

#[test]
fn fixed_values() {
    rejected! {
        u8: "" => "input ends early: 1 byte needed, 0 left at byte 0",
        u32: "010203" => "input ends early: 4 bytes needed, 3 left at byte 0",
        u32: "0102030405" => "1 trailing byte at byte 4",
        bool: "07" => "bool is 7, neither 0 nor 1 at byte 0",
        char: "00d80000" => "0xd800 is not a unicode scalar value at byte 0",
        [u16; 2]: "01000200 ff" => "1 trailing byte at byte 4",
        (u8, u16): "01 02" => "input ends early: 2 bytes needed, 1 left in [1] at byte 1",
        Point: "0100 02" => "bool is 2, neither 0 nor 1 in on at byte 2",
        Point: "0100 01 00" => "1 trailing byte at byte 3",
        Struct<(bool, bool)>: "01 03" => "bool is 3, neither 0 nor 1 in [1] at byte 1",
        std::num::NonZeroU16: "0000" =>
            "invalid value: integer `0`, expected a nonzero u16 at byte 0",
    }
}

#[test]
fn vectors() {
    rejected! {
        String: "ffffffff" => "input ends early: 4294967295 bytes needed, 0 left at byte 4",
        String: "01000000 61 62" => "1 trailing byte at byte 5",
        String: "03000000 61 ff 62" => "invalid utf-8 at byte 5",
        Vec<u16>: "02000000 0100" => "input ends early: 2 bytes needed, 0 left in [1] at byte 6",
        Vec<u16>: "ffffffff" => "input ends early: 4294967295 bytes needed, 0 left at byte 4",
        Vec<u16>: "02000000 010002" => "2 items cannot fill 3 bytes evenly at byte 0",
        Vec<bool>: "02000000 0105" => "bool is 5, neither 0 nor 1 in [1] at byte 5",
        Vec<u8>: "09000000 08000000 01" =>
            "item has a fixed size, so the vector is a fixvec and no dynvec in [0] at byte 8",
        Vec<String>: "01000000 61" =>
            "text is dynamic where a fixvec needs fixed sizes in [0] at byte 4",
        DynVec<Vec<String>>: "00000000" => "full size 0 differs from the 4 bytes given at byte 0",
        FixVec<Vec<u8>>: "04000000" => "input ends early: 4 bytes needed, 0 left at byte 4",
        DynVec<Vec<String>>: "0c000000 08000000" =>
            "input ends early: 12 bytes needed, 8 left at byte 0",
        DynVec<Vec<String>>: "0d000000 09000000 00000000 00" =>
            "offset 9 is not a multiple of 4 at byte 4",
        DynVec<Vec<String>>: "10000000 0c000000 0b000000 00000000" =>
            "offset 11 is before the previous offset 12 at byte 8",
        DynVec<Vec<String>>: "10000000 0c000000 11000000 00000000" =>
            "offset 17 is beyond the full size 16 at byte 8",
    }
}

#[test]
fn tables() {
    rejected! {
        Spend: "10000000 10000000 10000000 10000000" =>
            "field is absent, it takes zero bytes in inputs at byte 16",
        Spend: "0c000000 08000000 04000000" => "table has 1 field, the type has more at byte 4",
        Spend: "04000000" => "table has 0 fields, the type has more at byte 0",
        Input: "12000000 0c000000 0e000000 0000 04000000" => "accepted",
        Input: "14000000 10000000 12000000 14000000 0000 0000" =>
            "table has 3 fields, the type has 2 at byte 4",
        Input: "11000000 0c000000 0d000000 00 04000000" =>
            "field or item ends early: 2 bytes needed, 1 left in since at byte 12",
        (): "00000000" => "full size 0 differs from the 4 bytes given at byte 0",
        (): "08000000 08000000" => "table has 1 field, the type has 0 at byte 4",
        // serde lists names together with aliases, so only the number of the field is known.
        Renamed: "0e000000 0c000000 0d000000 01 04" =>
            "bool is 4, neither 0 nor 1 in 1 at byte 13",
    }
}

#[test]
fn unions_options_and_maps() {
    type Map = std::collections::BTreeMap<u8, bool>;
    rejected! {
        Item: "07" => "input ends early: 4 bytes needed, 1 left at byte 0",
        Item: "01000000" => "unknown union id 1 at byte 0",
        Item: "00000007" => "unknown union id 117440512 at byte 0",
        Item: "09000000 00" => "1 trailing byte at byte 4",
        Item: "00000000 0d000000 0c000000 0d000000 01" =>
            "field is absent, it takes zero bytes in high at byte 17",
        Option<Point>: "0100" => "input ends early: 1 byte needed, 0 left in on at byte 2",
        Map: "16000000 08000000 0e000000 0c000000 0d000000 01 02" =>
            "bool is 2, neither 0 nor 1 in [0].value at byte 21",
        Map: "11000000 08000000 09000000 08000000 01" =>
            "table has 1 field, the type has more in [0] at byte 12",
        FixVec<Map>: "01000000 01 02" => "bool is 2, neither 0 nor 1 in [0].value at byte 5",
    }
}

#[test]
fn a_path_leads_to_the_error() {
    let input = |witness: &[&str]| Input {
        since: 0,
        witness: witness.iter().map(ToString::to_string).collect(),
    };
    let spend = Spend { inputs: vec![input(&[]), input(&["a", "b"])], points: vec![], sign: None };
    let bytes = to_vec(&Item::Spend(spend)).unwrap();

    // The second input's witness: its header's first offset.
    let at = bytes.windows(4).rposition(|window| window == 12u32.to_le_bytes()).unwrap();
    let mut damaged = bytes.clone();
    damaged[at] = 13;
    let error = from_slice::<Item>(&damaged).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("offset 13 is not a multiple of 4 in inputs[1].witness at byte {at}")
    );
    assert_eq!(*error.path(), "inputs[1].witness");
    assert_eq!(error.offset(), Some(at));
    assert_eq!(error.kind().to_string(), "offset 13 is not a multiple of 4");
}

#[test]
fn tuples_without_marks() {
    rejected! {
        // A table, as its header shows, with an error in a field.
        (u8, String): "14000000 0c000000 0d000000 09 02000000 68 ff ff" =>
            "1 trailing byte in [1] at byte 19",
        (u8, String): "13000000 0c000000 0d000000 09 02000000 68 ff" =>
            "invalid utf-8 in [1] at byte 18",
        (u8, String): "12000000 0d000000 0d000000 09 02000000 68" =>
            "offset 13 is not a multiple of 4 at byte 4",
        (u8, String): "0c000000 0800000000000000" =>
            "table has 1 field, the type has more at byte 4",
        // Only fixed-size items: for a packed tuple, the header of a table is content.
        [u8; 3]: "13000000 10000000 11000000 12000000 010203" => "16 trailing bytes at byte 3",
        Table<(u8, u8)>: "0102" => "input ends early: 4 bytes needed, 2 left at byte 0",
    }
}

/// The bytes of this array are those of a table of five fields.
const LOOKALIKE: [u32; 5] = [20, 20, 20, 20, 20];

#[test]
fn a_packed_tuple_that_looks_like_a_table() {
    let bytes = to_vec(&LOOKALIKE).unwrap();
    assert_eq!(bytes.len(), 20);
    // Five fields need a header of 24 bytes, so these bytes are not a valid table.
    assert_eq!(from_slice::<[u32; 5]>(&bytes).unwrap(), LOOKALIKE);

    let sly: [u32; 4] = [16, 16, 16, 16];
    assert_eq!(from_slice::<[u32; 4]>(&to_vec(&sly).unwrap()).unwrap(), sly);
    let slier: [u64; 3] = [24 | 16 << 32, 17 | 20 << 32, u64::MAX];
    let refused = to_vec(&slier).unwrap_err().to_string();
    assert_eq!(fact(&refused), "a packed tuple has the bytes of a table");
    let marked = to_vec(&Struct(slier)).unwrap();
    assert_eq!(from_slice::<Struct<[u64; 3]>>(&marked).unwrap(), Struct(slier));
    // An item of a fixvec has no header.
    assert_eq!(from_slice::<Vec<[u64; 3]>>(&to_vec(&vec![slier]).unwrap()).unwrap(), [slier]);

    // An item of a packed tuple has no header, either, unless a dynamic item makes the tuple a table.
    let nested = (1u8, slier);
    assert_eq!(from_slice::<(u8, [u64; 3])>(&to_vec(&nested).unwrap()).unwrap(), nested);
    let both = (slier, "text".to_owned());
    assert_eq!(
        fact(&to_vec(&both).unwrap_err().to_string()),
        "a packed tuple has the bytes of a table in [0]"
    );
    let marked = (Struct(slier), both.1);
    assert_eq!(
        from_slice::<(Struct<[u64; 3]>, String)>(&to_vec(&marked).unwrap()).unwrap(),
        marked
    );
}

#[test]
fn values_that_could_not_be_read_back() {
    #[derive(Serialize)]
    #[serde(rename = "struct.Bad")]
    struct Bad {
        ok: u8,
        name: String,
    }

    #[derive(Serialize)]
    #[serde(rename = "struct.Nothing")]
    struct Nothing {}

    #[derive(Serialize)]
    #[serde(rename = "struct.Skips")]
    struct Skips {
        #[serde(skip_serializing_if = "Option::is_none")]
        gone: Option<u8>,
        here: u8,
    }

    #[derive(Serialize)]
    struct Outer {
        bad: Vec<Bad>,
    }

    let text = |result: Result<Vec<u8>, fourfold::molecule::Error>| {
        let error = result.unwrap_err();
        assert_eq!(error.offset(), None);
        fact(&error.to_string()).to_owned()
    };
    let bad = Bad { ok: 1, name: "x".into() };
    assert_eq!(
        text(to_vec(&Outer { bad: vec![bad] })),
        "a field is dynamic where a struct needs fixed sizes in bad[0].name"
    );
    assert_eq!(
        text(to_vec(&Nothing {})),
        "a struct without fields takes zero bytes, which molecule does not have"
    );
    assert_eq!(
        text(to_vec(&Skips { gone: None, here: 1 })),
        "a field of a struct cannot be skipped in gone"
    );
    assert_eq!(
        text(to_vec(&[Some(Some(1u8)), Some(None)])),
        "`Some` of nothing takes zero bytes, as `None` does in [1]"
    );
    assert_eq!(
        text(to_vec(&DynVec(vec![1u8]))),
        "item has a fixed size, so the vector is a fixvec and no dynvec in [0]"
    );
    assert_eq!(
        text(to_vec(&FixVec(vec!["x"]))),
        "an item is dynamic where a fixvec needs fixed sizes in [0]"
    );
    assert_eq!(
        text(to_vec(&Struct("x"))),
        "the mark `struct` fits structs, tuples, arrays and fixed values, not text"
    );
    assert_eq!(text(to_vec(&DynVec(7u8))), "the mark `dynvec` fits sequences and maps, not u8");
    assert_eq!(
        text(to_vec(&Table(vec![1u8]))),
        "the mark `table` fits structs, tuples, arrays and units, not a sequence"
    );
}

#[test]
fn strict_names_the_mark_that_is_missing() {
    let strict = Options::new().strict(true);
    let empty = "an empty sequence needs a mark";
    let mixed = "a tuple or array with a dynamic item needs a mark";
    let text = |result: Result<Vec<u8>, _>| {
        result.map_err(|e: fourfold::molecule::Error| fact(&e.to_string()).to_owned())
    };

    assert_eq!(text(strict.to_vec(&Vec::<u8>::new())).unwrap_err(), empty);
    assert_eq!(text(strict.to_vec(&(1u8, "x"))).unwrap_err(), format!("{mixed} in [1]"));
    assert_eq!(text(strict.to_vec(&["x"])).unwrap_err(), format!("{mixed} in [0]"));
    assert_eq!(strict.to_vec(&DynVec(Vec::<String>::new())).unwrap(), [4, 0, 0, 0]);
    assert_eq!(strict.to_vec(&FixVec(Vec::<u8>::new())).unwrap(), [0, 0, 0, 0]);
    assert_eq!(strict.to_vec(&(vec![1u8], 2u8).0).unwrap(), [1, 0, 0, 0, 1]);
    assert_eq!(strict.to_vec(&[1u8, 2]).unwrap(), [1, 2]);

    let marked = Table((1u8, "x".to_owned()));
    let bytes = strict.to_vec(&marked).unwrap();
    assert_eq!(strict.from_slice::<Table<(u8, String)>>(&bytes).unwrap(), marked);
    let error = strict.from_slice::<(u8, String)>(&bytes).unwrap_err();
    assert_eq!(fact(&error.to_string()), format!("{mixed} at byte 0"));
    for bytes in [[0, 0, 0, 0], [4, 0, 0, 0]] {
        let error = strict.from_slice::<Vec<u8>>(&bytes).unwrap_err();
        assert_eq!(fact(&error.to_string()), format!("{empty} at byte 0"));
    }
}

#[test]
fn errors_lead_to_the_mark_that_reads() {
    /// Unmarked, so a table.
    #[derive(Deserialize)]
    struct OutPoint {
        _hash: [u8; 32],
        _index: u32,
    }

    #[derive(Deserialize)]
    struct Holder {
        _point: OutPoint,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "is never read without an error")]
    struct Pair(u16, u16);

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "is never read without an error")]
    enum Plain {
        A(u8),
    }

    let error =
        |result: fourfold::molecule::Result<()>| fact(&result.unwrap_err().to_string()).to_owned();
    let packed = [7; 36];
    assert_eq!(
        error(from_slice::<OutPoint>(&packed).map(drop)),
        format!("input ends early: 117901063 bytes needed, 36 left at byte 0")
    );
    let nested = [&[44, 0, 0, 0, 8, 0, 0, 0][..], &packed].concat();
    assert_eq!(
        error(from_slice::<Holder>(&nested).map(drop)),
        format!("full size 117901063 differs from the 36 bytes given in _point at byte 8")
    );
    assert_eq!(
        error(from_slice::<Pair>(&[1, 0, 2, 0]).map(drop)),
        format!("input ends early: 131073 bytes needed, 4 left at byte 0")
    );
    // A struct of another size does not fit, either.
    assert_eq!(
        error(from_slice::<OutPoint>(&packed[..35]).map(drop)),
        "input ends early: 117901063 bytes needed, 35 left at byte 0"
    );
    rejected! {
        Struct<(u8, u8)>: "0e000000 0c000000 0d000000 01 02"
            => "12 trailing bytes at byte 2",
        Vec<OutPoint>: "01000000 0707070707070707070707070707070707070707070707070707070707070707 07070707"
            => "a table is dynamic where a fixvec needs fixed sizes in [0] at byte 4",
        Plain: "06000000 07" => "unknown union id 6 at byte 0",
        Plain: "09000000 08000000 07"
            => "unknown union id 9 at byte 0",
        BTreeMap<u8, u8>: "01000000 07 08"
            => "full size 1 differs from the 6 bytes given at byte 0",
    }
}

#[test]
fn a_long_path_is_written_short() {
    #[derive(Serialize, Deserialize)]
    struct Next {
        next: Option<Box<Next>>,
    }

    let mut next = Next { next: None };
    for _ in 0..200 {
        next = Next { next: Some(Box::new(next)) };
    }
    let error = to_vec(&next).unwrap_err();
    let ends = ["next"; 8].join(".");
    let short = format!("{ends}…(112 more)….{ends}");
    assert_eq!(fact(&error.to_string()), format!("nested deeper than 128 levels in {short}"));
    assert_eq!(error.path().segments().len(), 128);
    assert_eq!(*error.path(), short.as_str());
    assert_eq!(*error.path(), ["next"; 128].join(".").as_str());
}

#[test]
fn an_empty_dynvec_needs_its_mark() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Plain(Vec<String>);

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Lines {
        lines: Vec<String>,
    }

    let dynvec = "an empty dynvec needs a mark";
    let either = "an empty dynvec needs a mark";
    for compatible in [false, true] {
        let options = Options::new().compatible(compatible);
        let text = |error: fourfold::molecule::Error| fact(&error.to_string()).to_owned();
        let strings = options.from_slice::<Vec<String>>(&[4, 0, 0, 0]).unwrap_err();
        assert_eq!(text(strings), format!("{dynvec} at byte 0"));
        let set = options.from_slice::<BTreeSet<Vec<u8>>>(&[4, 0, 0, 0]).unwrap_err();
        assert_eq!(text(set), format!("{dynvec} at byte 0"));
        let tables = options.from_slice::<Vec<Input>>(&[4, 0, 0, 0]).unwrap_err();
        assert_eq!(text(tables), format!("{dynvec} at byte 0"));
        let mixed = options.from_slice::<Vec<(u8, String)>>(&[4, 0, 0, 0]).unwrap_err();
        assert_eq!(text(mixed), format!("{either} at byte 0"));
        let hashes = options.from_slice::<Vec<[u8; 32]>>(&[4, 0, 0, 0]).unwrap_err();
        assert_eq!(text(hashes), format!("{either} at byte 0"));
    }
    rejected! {
        Option<Vec<String>>: "04000000" => "an empty dynvec needs a mark at byte 0",
        Vec<Vec<String>>: "0c000000 08000000 04000000"
            => "an empty dynvec needs a mark in [0] at byte 8",
        Plain: "04000000" => "an empty dynvec needs a mark at byte 0",
        Lines: "0c000000 08000000 04000000" => "an empty dynvec needs a mark in lines at byte 8",
        BTreeMap<u8, Vec<String>>: "19000000 08000000 11000000 0c000000 0d000000 07 04000000"
            => "an empty dynvec needs a mark in [0].value at byte 21",
        std::result::Result<Vec<String>, u8>: "00000000 04000000"
            => "an empty dynvec needs a mark at byte 4",
        (Vec<String>, u8): "11000000 0c000000 10000000 04000000 07"
            => "an empty dynvec needs a mark in [0] at byte 12",
        // Four missing fixed-size items.
        Vec<u8>: "04000000" => "input ends early: 4 bytes needed, 0 left at byte 4",
        Vec<Point>: "04000000" => "input ends early: 4 bytes needed, 0 left at byte 4",
        Vec<Vec<bool>>: "0c000000 08000000 04000000"
            => "4 items cannot fill 0 bytes evenly in [0] at byte 8",
    }
    // Without a mark, an empty sequence survives. With a mark, its encoding is exact.
    assert_eq!(to_vec(&Vec::<String>::new()).unwrap(), [0; 4]);
    assert_eq!(from_slice::<Vec<String>>(&[0; 4]).unwrap(), [""; 0]);
    assert_eq!(from_slice::<DynVec<Vec<String>>>(&[4, 0, 0, 0]).unwrap().0, [""; 0]);
    assert_eq!(to_vec(&DynVec(Vec::<String>::new())).unwrap(), [4, 0, 0, 0]);
    assert_eq!(from_slice::<BTreeMap<u8, u8>>(&[4, 0, 0, 0]).unwrap(), BTreeMap::new());
    assert_eq!(to_vec(&BTreeMap::<u8, u8>::new()).unwrap(), [4, 0, 0, 0]);
}

#[test]
fn trailing_bytes_where_allowed() {
    let lax = Options::new().allow_trailing(true);
    assert_eq!(lax.from_slice::<u16>(&[1, 0, 9]).unwrap(), 1);
    assert_eq!(lax.from_slice::<String>(&[1, 0, 0, 0, b'a', 9]).unwrap(), "a");
    assert_eq!(lax.from_slice::<[u8; 2]>(&[1, 2, 3]).unwrap(), [1, 2]);
    assert_eq!(lax.from_slice::<FixVec<Vec<u16>>>(&[1, 0, 0, 0, 7, 0, 9]).unwrap().0, [7]);
    assert_eq!(lax.from_slice::<DynVec<Vec<String>>>(&[4, 0, 0, 0, 9]).unwrap().0, [""; 0]);
    lax.from_slice::<()>(&[4, 0, 0, 0, 9]).unwrap();

    let item = Item::Count { low: 1, high: 2 };
    let mut bytes = to_vec(&item).unwrap();
    bytes.extend([1, 2, 3]);
    assert_eq!(lax.from_slice::<Item>(&bytes).unwrap(), item);
    assert_eq!(from_slice::<Item>(&bytes).unwrap_err().offset(), Some(4));
    let mixed = (1u8, "x".to_owned());
    let mut bytes = to_vec(&mixed).unwrap();
    bytes.push(0);
    assert_eq!(lax.from_slice::<(u8, String)>(&bytes).unwrap(), mixed);

    let endless = |error: fourfold::molecule::Error| fact(&error.to_string()).to_owned();
    assert_eq!(
        endless(lax.from_slice::<Vec<u8>>(&[0, 0, 0, 0]).unwrap_err()),
        "an unmarked sequence does not show its end, so trailing bytes cannot be detected at byte 0"
    );
    assert_eq!(
        endless(lax.from_slice::<Option<u8>>(&[1]).unwrap_err()),
        "an option does not show its end, so trailing bytes cannot be detected at byte 0"
    );
}
