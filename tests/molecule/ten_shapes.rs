//! Ten shapes on which an earlier serde backend for Molecule (serde_molecule 1.1.2) fails:
//! it writes bytes that it cannot read, accepts invalid bytes, or repairs them silently.

use crate::round_trip::{Expected, Hex, assert_outcome, assert_reason};
use crate::support::erased::TestType;
use crate::support::random;
use fourfold::Category;
use fourfold::molecule::with::{DynVec, FixVec};
use fourfold::molecule::{Error, Options, from_reader, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Bytes from hex, with any spaces.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let pairs = digits.chunks(2).map(|pair| pair.iter().collect::<String>());
    pairs.map(|pair| u8::from_str_radix(&pair, 16).unwrap()).collect()
}

/// Asserts that the value has these bytes, and the bytes have this value.
#[track_caller]
fn assert_bytes<T: TestType>(value: &T, text: &str) {
    let bytes = hex(text);
    assert_eq!(Hex(&to_vec(value).unwrap()), Hex(&bytes), "{value:?}");
    assert_eq!(&from_slice::<T>(&bytes).unwrap(), value);
    assert_eq!(&from_reader::<_, T>(bytes.as_slice()).unwrap(), value);
}

/// Asserts that each function refuses the bytes because of their content.
#[track_caller]
fn assert_refused<T: DeserializeOwned + Debug>(text: &str) -> Error {
    let bytes = hex(text);
    let error = match from_slice::<T>(&bytes) {
        Ok(value) => panic!("{text} is read as {value:?}"),
        Err(error) => error,
    };
    assert_reason(&error, &text);
    assert_ne!(error.category(), Category::Io, "{error}");
    assert_ne!(error.category(), Category::Limit, "{error}");
    assert!(from_reader::<_, T>(bytes.as_slice()).is_err());
    error
}

#[track_caller]
fn assert_compatible_refused<T: DeserializeOwned + Debug>(text: &str) {
    let compatible = Options::new().compatible(true);
    let read = compatible.from_slice::<T>(&hex(text));
    assert!(read.is_err(), "{text} is read as {read:?}");
}

/// Items of equal size are still dynamic items: a dynvec, not a fixvec.
#[test]
fn shape_1_strings_of_equal_length() {
    let text = |s: &str| String::from(s);
    assert_bytes(
        &vec![text("ab"), text("cd")],
        "18000000 0c000000 12000000  02000000 6162  02000000 6364",
    );
    assert_bytes(&vec![text("")], "0c000000 08000000 00000000");
    assert_bytes(&vec![text(""), text("")], "14000000 0c000000 10000000 00000000 00000000");
    assert_bytes(
        &vec![vec![1_u8, 2], vec![3, 4]],
        "18000000 0c000000 12000000  02000000 0102  02000000 0304",
    );
    assert_bytes(&vec![Some(1_u8), Some(2)], "0e000000 0c000000 0d000000 01 02");
    // The same items as a fixvec of two times six bytes, and fixed items in a dynvec.
    assert_refused::<Vec<String>>("02000000 02000000 6162 02000000 6364");
    assert_refused::<Vec<u8>>("09000000 08000000 07");
    assert_refused::<Vec<u8>>("08000000 08000000");
    assert_refused::<Vec<u32>>("0c000000 08000000 07000000");
}

/// A tuple with a dynamic item is a table.
#[test]
fn shape_2_tuple_of_byte_and_string() {
    assert_bytes(&(7_u8, String::from("hi")), "13000000 0c000000 0d000000  07  02000000 6869");
    assert_bytes(&(String::from("hi"), 7_u8), "13000000 0c000000 12000000  02000000 6869  07");
    assert_bytes(
        &vec![(7_u8, String::new())],
        "19000000 08000000  11000000 0c000000 0d000000 07 00000000",
    );
    // Two numbers are packed, and so is an array.
    assert_bytes(&(7_u8, 0x0102_u16), "07 0201");
    assert_bytes(&[0x0102_u16, 3], "0201 0300");
    assert_bytes(&((1_u8, 2_u8), [3_u16; 2]), "01 02 0300 0300");
    // A packed value is not accepted instead of a table.
    assert_refused::<(u8, String)>("07 02000000 6869");
    assert_refused::<(u8, String)>("07 00000000");
    assert_refused::<(u8, Option<u8>)>("07");
    assert_refused::<(u8, Option<u8>)>("0707");
    assert_refused::<(String, u8)>("02000000 6869 07");
    // A table is not accepted instead of a packed value.
    assert_refused::<(u8, u16)>("0f000000 0c000000 0d000000 07 0201");
    assert_refused::<[u16; 2]>("10000000 0c000000 0e000000 0201 0300");
    // A dynamic item in a nested tuple makes both tuples tables.
    assert_bytes(
        &(1_u8, (2_u8, String::from("a"))),
        "1f000000 0c000000 0d000000 01  12000000 0c000000 0d000000 02 01000000 61",
    );
    assert_bytes(
        &[(1_u8, String::new()), (2, String::new())],
        "2e000000 0c000000 1d000000 \
         11000000 0c000000 0d000000 01 00000000 \
         11000000 0c000000 0d000000 02 00000000",
    );
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Skipping {
    a: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    c: Vec<u16>,
    d: u8,
}

/// A skipped field keeps its slot.
#[test]
fn shape_3_skipped_field() {
    let full = Skipping { a: 1, b: Some(2), c: vec![3], d: 4 };
    assert_bytes(
        &full,
        "20000000 14000000 15000000 19000000 1f000000  01 02000000 010000000300 04",
    );
    assert_bytes(
        &Skipping { b: None, ..full.clone() },
        "1c000000 14000000 15000000 15000000 1b000000  01 010000000300 04",
    );
    assert_bytes(
        &Skipping { b: None, c: vec![], ..full },
        "16000000 14000000 15000000 15000000 15000000  01 04",
    );
    // A missing slot is refused, and so is an empty slot of a field without a default.
    assert_refused::<Skipping>("12000000 10000000 11000000 11000000 01 04");
    assert_refused::<Skipping>("15000000 14000000 15000000 15000000 15000000 01");
    assert_refused::<Skipping>("15000000 14000000 14000000 14000000 14000000 04");
}

/// serde writes types with `flatten` as a map of unknown length with names, which is neither a table nor a map of
/// Molecule.
#[test]
fn shape_4_flatten() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Outer {
        id: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        x: u8,
        y: u8,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Rest {
        id: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }
    let outer = Outer { id: 1, inner: Inner { x: 2, y: 3 } };
    let rest = Rest { id: 1, rest: BTreeMap::new() };
    let errors = [
        to_vec(&outer).unwrap_err(),
        to_vec(&rest).unwrap_err(),
        to_vec(&vec![outer]).unwrap_err(),
        to_vec(&Some(rest)).unwrap_err(),
    ];
    for error in errors {
        let text = error.to_string().to_lowercase();
        assert!(text.contains("unknown length") || text.contains("flatten"), "{text}");
    }
    assert_refused::<Outer>("13000000 10000000 11000000 12000000 01 02 03");
    assert_refused::<Rest>("09000000 08000000 01");
}

/// The tag could be anywhere, so serde calls `deserialize_any`, which Molecule does not support.
#[test]
fn shape_5_internally_tagged() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Internal {
        Point { x: u8, y: u8 },
        Unit,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Number(u32),
        Text(String),
    }
    fn refused<T: TestType>(value: &T) {
        let error = match to_vec(value) {
            Err(error) => error,
            Ok(bytes) => {
                let from = from_reader::<_, T>(bytes.as_slice());
                assert!(from.is_err(), "{from:?}");
                from_slice::<T>(&bytes).unwrap_err()
            }
        };
        assert_reason(&error, value);
    }
    refused(&Internal::Point { x: 1, y: 2 });
    refused(&Internal::Unit);
    refused(&vec![Internal::Unit]);
    refused(&Untagged::Number(1));
    refused(&Untagged::Text(String::new()));
    refused(&(1_u8, Untagged::Number(1)));
}

/// `Some(None)` would take no bytes and be read as `None`.
#[test]
fn shape_6_option_of_option() {
    type Twice = Option<Option<u8>>;
    assert_bytes(&None::<Option<u8>>, "");
    assert_bytes(&Some(Some(5_u8)), "05");
    let nested: Twice = Some(None);
    let error = to_vec(&nested).unwrap_err();
    assert_reason(&error, &nested);

    assert_bytes(&vec![Some(Some(5_u8)), None], "0d000000 0c000000 0d000000 05");
    assert_outcome("vector", &vec![None, nested], Expected::Refusal);
    assert_outcome("tuple", &(1_u8, nested), Expected::Refusal);
    assert_outcome("map", &BTreeMap::from([(1_u8, nested)]), Expected::Refusal);
    assert_outcome("box", &Some(Box::new(None::<u8>)), Expected::Refusal);
    // Empty values other than `None` have bytes.
    assert_bytes(&Some(()), "04000000");
    assert_bytes(&Some(Some(())), "04000000");
    assert_bytes(&Some(Vec::<u8>::new()), "00000000");
}

/// A count of zero means that nothing follows.
#[test]
fn shape_7_garbage_after_an_empty_fixvec() {
    assert_bytes(&Vec::<u8>::new(), "00000000");
    for garbage in ["ff", "00", "00000000", "01020304", "0000000000000000"] {
        let text = format!("00000000 {garbage}");
        assert_refused::<Vec<u8>>(&text);
        assert_refused::<Vec<u32>>(&text);
        assert_refused::<Vec<(u8, u8)>>(&text);
        assert_refused::<Vec<String>>(&text);
        assert_refused::<Vec<()>>(&text);
        assert_refused::<FixVec<Vec<u8>>>(&text);
        assert_refused::<DynVec<Vec<String>>>(&text);
        assert_refused::<String>(&text);
        assert_refused::<ByteBuf>(&text);
        assert_refused::<Option<Vec<u8>>>(&text);
        assert_refused::<BTreeMap<u8, u8>>(&text);
        assert_compatible_refused::<Vec<u8>>(&text);
        assert_compatible_refused::<String>(&text);
    }
    // In a table, where the slot is larger than the vector.
    assert_refused::<(u8, String)>("12000000 0c000000 0d000000 07 00000000 ff");
    assert_refused::<Vec<Vec<u8>>>("0d000000 08000000 00000000 ff");
    // And an empty dynvec.
    assert_refused::<Vec<String>>("04000000 ff");
    assert_refused::<DynVec<Vec<String>>>("04000000 ff");
}

#[test]
fn shape_8_bool_that_is_neither() {
    assert_bytes(&false, "00");
    assert_bytes(&true, "01");
    for byte in 2..=255_u8 {
        assert_refused::<bool>(&format!("{byte:02x}"));
    }
    assert_refused::<bool>("07");
    assert_refused::<Vec<bool>>("03000000 01 07 00");
    assert_refused::<(u8, bool)>("00 07");
    assert_refused::<Option<bool>>("07");
    assert_compatible_refused::<bool>("07");
    assert_refused::<bool>("0100");
    assert_refused::<bool>("");
    // An invalid char.
    assert_refused::<char>("00d80000");
    assert_refused::<char>("00001100");
}

/// Text is checked, not repaired; bytes are bytes.
#[test]
fn shape_9_text_that_is_not_utf8() {
    for text in [
        "01000000 ff",
        "01000000 80",
        "02000000 c3 28",
        "03000000 ed a0 80",
        "02000000 c0 80",
        "04000000 f4 90 80 80",
        "03000000 61 62 c3",
    ] {
        assert_refused::<String>(text);
        assert_refused::<Option<String>>(text);
        assert_compatible_refused::<String>(text);
        let bytes = hex(text);
        assert!(from_slice::<&str>(&bytes).is_err());
        assert_eq!(from_slice::<ByteBuf>(&bytes).unwrap(), bytes[4..]);
        assert_eq!(from_slice::<Vec<u8>>(&bytes).unwrap(), bytes[4..]);
    }
    assert_refused::<Vec<String>>("0d000000 08000000 01000000 ff");
}

/// Only compatible readers accept extra fields of a table.
#[test]
fn shape_10_extra_fields() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Old {
        a: u8,
        b: String,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct New {
        a: u8,
        b: String,
        c: u16,
        d: Option<u8>,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Holder<T> {
        before: Vec<T>,
        after: u8,
    }
    fn accepted<T: TestType>(value: &T, text: &str) {
        let compatible = Options::new().compatible(true);
        assert_eq!(&compatible.from_slice::<T>(&hex(text)).unwrap(), value);
        let read: T = compatible.from_reader(hex(text).as_slice()).unwrap();
        assert_eq!(&read, value);
        assert_refused::<T>(text);
    }
    let old = Old { a: 1, b: String::from("x") };
    let new = New { a: 1, b: String::from("x"), c: 9, d: None };
    let text = "1c000000 14000000 15000000 1a000000 1c000000 01 0100000078 0900";
    assert_bytes(&new, text);
    accepted(&old, text);
    accepted(&(1_u8, String::from("x")), text);
    // In nested tables, with fields after them.
    let more = Holder { before: vec![new.clone(), new], after: 5 };
    let less = Holder { before: vec![old.clone(), old], after: 5 };
    let holder = to_vec(&more).unwrap();
    let text: String = holder.iter().map(|byte| format!("{byte:02x}")).collect();
    accepted(&less, &text);

    // Fewer fields and invalid offsets are still refused.
    assert_compatible_refused::<New>("12000000 0c000000 0d000000 01 0100000078");
    assert_compatible_refused::<Old>("11000000 10000000 11000000 16000000 01 0100000078 0900");
    assert_compatible_refused::<Old>("18000000 10000000 11000000 10000000 01 0100000078 0900");
    assert_compatible_refused::<Old>("18000000 10000000 11000000 19000000 01 0100000078 0900");
    assert_compatible_refused::<Old>("18000000 10000000 11000000 15000000 01 0100000078 0900");
    // Other containers have no extra fields.
    assert_compatible_refused::<(u8, u8)>("010203");
    assert_compatible_refused::<[u8; 2]>("010203");
    assert_compatible_refused::<u8>("0102");
    assert_compatible_refused::<Vec<u8>>("01000000 0102");
}

/// The same shapes with random content survive or are refused.
#[test]
fn random_content() {
    macro_rules! shapes {
        ($($type:ty,)*) => {$(
            random::check(stringify!($type), 300, random::value::<$type>, |_, value| {
                assert_outcome(stringify!($type), &value, Expected::Bytes);
            });
        )*};
    }
    shapes! {
        Vec<String>,
        (u8, String),
        Vec<(u8, String)>,
        Skipping,
        Vec<Skipping>,
        Vec<Option<u8>>,
        Option<Vec<bool>>,
        (String, Vec<(bool, Vec<String>)>),
    }
}
