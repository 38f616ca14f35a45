//! Lists of records and tuples whose items have the same layout: all ways of reading return the same values, and the same
//! error for the first item that differs.

use std::fmt::Debug;

use fourfold::biniou::with::{Float32, Int8, Int16, Int32, Int64};
use fourfold::biniou::{Deserializer, Error, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    byte: Int8<u8>,
    short: Int16<u16>,
    word: Int32<i32>,
    long: Int64<i64>,
    single: Float32<f32>,
    flag: bool,
    double: f64,
    unit: (),
    slots: Slots,
    cells: Cells,
}

type Cells = (Int8<u8>, bool, f64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Slots(Int16<u16>, bool);

fn row(number: u8) -> Row {
    let flag = number % 3 == 0;
    Row {
        byte: Int8(number),
        short: Int16(u16::from(number) * 250),
        word: Int32(-i32::from(number) * 8_000_000),
        long: Int64(i64::MIN + i64::from(number)),
        single: Float32(f32::from(number) / 2.0),
        flag,
        double: f64::from(number) / 3.0,
        unit: (),
        slots: Slots(Int16(7), !flag),
        cells: (Int8(255 - number), flag, 0.5),
    }
}

fn rows() -> Vec<Row> {
    (0..50).map(row).collect()
}

fn exactly<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    let mut deserializer = Deserializer::from_slice(bytes);
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end().map(|()| value)
}

/// Asserts that both readers agree, and returns the result.
#[track_caller]
fn both<T: DeserializeOwned + Debug + PartialEq>(bytes: &[u8]) -> Result<T, Error> {
    match (from_slice::<T>(bytes), exactly::<T>(bytes)) {
        (Ok(one), Ok(other)) => {
            assert_eq!(one, other);
            Ok(one)
        }
        (Err(one), Err(other)) => {
            // A deserializer checks a record before reading it, and does not report the field.
            assert_eq!(one.kind().to_string(), other.kind().to_string());
            assert_eq!(one.offset(), other.offset());
            Err(one)
        }
        (one, other) => panic!("{one:?} and {other:?}"),
    }
}

#[test]
fn rows_are_read_back() {
    let bytes = to_vec(&rows()).unwrap();
    assert_eq!(both::<Vec<Row>>(&bytes).unwrap(), rows());
    let tuples: Vec<_> = rows().into_iter().map(|row| (row.slots, row.cells)).collect();
    let bytes = to_vec(&tuples).unwrap();
    let back: Vec<(Slots, Cells)> = both(&bytes).unwrap();
    assert_eq!(back, tuples);
}

/// The offset of a cell of the last row.
fn place(bytes: &[u8], name: &str) -> usize {
    let hash = (fourfold::biniou::hash(name) | 1 << 31).to_be_bytes();
    let key = bytes.windows(4).rposition(|window| window == hash).unwrap();
    // After the name and the tag.
    key + 5
}

#[test]
fn an_error_in_a_row_has_its_place() {
    let bytes = to_vec(&rows()).unwrap();
    for (name, path) in [("flag", "[49].flag"), ("unit", "[49].unit")] {
        let at = place(&bytes, name);
        let mut wrong = bytes.clone();
        wrong[at] = 7;
        let error = both::<Vec<Row>>(&wrong).unwrap_err();
        assert_eq!((error.offset(), error.path().to_string().as_str()), (Some(at), path));
        // Its tag.
        let mut wrong = bytes.clone();
        wrong[at - 1] = 99;
        let error = both::<Vec<Row>>(&wrong).unwrap_err();
        assert_eq!((error.offset(), error.path().to_string().as_str()), (Some(at - 1), path));
    }
    // An unknown name, so that a field is missing.
    let at = place(&bytes, "double") - 2;
    let mut wrong = bytes.clone();
    wrong[at] ^= 1;
    let error = both::<Vec<Row>>(&wrong).unwrap_err();
    assert!(error.to_string().contains("missing field `double`"), "{error}");
    assert_eq!(error.path().to_string(), "[49]");
}

/// The same bytes, read as types with another layout, or refused.
#[test]
fn rows_as_other_types() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Wide {
        byte: u64,
        short: i32,
        word: Int32<i64>,
        long: Int64<i128>,
        slots: (u32, bool),
        cells: Vec<serde::de::IgnoredAny>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Wrong {
        byte: bool,
    }

    let bytes = to_vec(&rows()).unwrap();
    let wide = from_slice::<Vec<Wide>>(&bytes).unwrap();
    let exact = exactly::<Vec<Wide>>(&bytes).unwrap();
    assert_eq!(wide.len(), 50);
    for (number, (wide, exact)) in (0..).zip(wide.iter().zip(&exact)) {
        let row = row(number);
        assert_eq!((wide.byte, wide.short), (row.byte.0.into(), row.short.0.into()));
        assert_eq!((wide.word.0, wide.long.0), (row.word.0.into(), row.long.0.into()));
        assert_eq!(wide.slots, (7, row.slots.1));
        assert_eq!((wide.cells.len(), exact.cells.len()), (3, 3));
    }
    let error = both::<Vec<Wrong>>(&bytes).unwrap_err();
    assert_eq!(error.path().to_string(), "[0].byte");
    assert_eq!(error.offset(), Some(place(&to_vec(&rows()[..1]).unwrap(), "byte") - 1));
}
