//! Types that ignore errors, and visitors written by hand: each with its smallest input, read by `from_slice` and by a
//! `Deserializer`.

#![allow(clippy::cast_possible_truncation, reason = "small numbers of tests")]

use std::fmt::{self, Debug};
use std::marker::PhantomData;

use fourfold::biniou::{Deserializer, Error, ErrorKind, from_slice, take_from_slice, to_vec};
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::support::stubborn::Lenient;
use crate::support::visits::visits;

/// The first value of `bytes`, from the reader without fast paths.
fn exact<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    T::deserialize(&mut Deserializer::from_slice(bytes))
}

/// Asserts that both refuse `bytes` with this error.
#[track_caller]
fn refused<T: DeserializeOwned + Debug>(bytes: &[u8], text: &str) {
    assert_eq!(from_slice::<T>(bytes).unwrap_err().to_string(), text, "from_slice: {bytes:?}");
    assert_eq!(exact::<T>(bytes).unwrap_err().to_string(), text, "Deserializer: {bytes:?}");
}

/// Asserts that both return this value.
#[track_caller]
fn reads<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8], expected: &T) {
    assert_eq!(&from_slice::<T>(bytes).unwrap(), expected, "from_slice: {bytes:?}");
    assert_eq!(&exact::<T>(bytes).unwrap(), expected, "Deserializer: {bytes:?}");
}

/// The layout of an array in an item is not used for the items of the outer array.
#[test]
fn an_array_in_an_item_has_items_of_its_own() {
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    struct Corner {
        x: f64,
        y: f64,
    }

    /// A pair, a list, and corners.
    #[derive(Debug, PartialEq)]
    struct Odd((f64, f64), Vec<Corner>, Vec<Corner>);

    visits! { Odd, "items of three kinds", deserialize_seq():
        visit_seq |items| {
            let pair = items.next_element()?.unwrap_or_default();
            let (list,) = items.next_element()?.unwrap_or_default();
            let mut corners = Vec::new();
            while let Some(corner) = items.next_element()? {
                corners.push(corner);
            }
            Ok(Odd(pair, list, corners))
        }
    }

    const CORNERS: u8 = 30;
    let corner = Corner { x: 1.0, y: 2.0 };
    let pair = to_vec(&(1.0, 2.0)).unwrap();
    let list = to_vec(&vec![corner; 9]).unwrap();
    let body = &to_vec(&corner).unwrap()[1..];
    // An ARRAY of TUPLEs, the last of which have the bytes of RECORDs, and enough bytes for a window after them.
    let mut bytes = [&[19, 2 + CORNERS, 20], &pair[1..], &[1], &list].concat();
    bytes.extend(body.repeat(CORNERS.into()));
    bytes.resize(bytes.len() + 400, 0);
    let text = "found tuple, expected record in [2] at byte 2";
    assert_eq!(take_from_slice::<Odd>(&bytes).unwrap_err().to_string(), text);
    assert_eq!(exact::<Odd>(&bytes).unwrap_err().to_string(), text);
}

/// The number of times that a sequence or map returned an item or an error, until it had no more.
#[derive(Debug, PartialEq)]
struct Returned<K, T>(usize, PhantomData<(K, T)>);

impl<'de, K: Deserialize<'de>, T: Deserialize<'de>> Visitor<'de> for Returned<K, T> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<T>().transpose().is_some() {
            self.0 += 1;
        }
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Self, A::Error> {
        while let Some(key) = entries.next_key::<K>().transpose() {
            self.0 += 1;
            if key.is_ok() && entries.next_value::<T>().is_err() {
                // Another request does not return the next value.
                assert!(entries.next_value::<IgnoredAny>().is_err(), "a value without a key");
            }
        }
        Ok(self)
    }
}

#[derive(Debug, PartialEq)]
struct Seq<T>(Returned<(), T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Seq<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Returned(0, PhantomData)).map(Seq)
    }
}

#[derive(Debug, PartialEq)]
struct Map<K, T>(Returned<K, T>);

impl<'de, K: Deserialize<'de>, T: Deserialize<'de>> Deserialize<'de> for Map<K, T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Returned(0, PhantomData)).map(Map)
    }
}

/// Counts what is returned for a struct's fields, or a table's row.
#[derive(Debug, PartialEq)]
struct Fields<T>(Returned<String, T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fields<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = Returned(0, PhantomData);
        deserializer.deserialize_struct("Fields", &["a", "b"], visitor).map(Fields)
    }
}

/// A visitor that continues after an error of an item, entry or field gets no other one, and the error is returned.
#[test]
fn no_item_follows_an_error() {
    let items = [19, 3, 20, 3, 255, 2, 0, 1, 16, 5, 2, 0, 1, 16, 9];
    refused::<Seq<(bool, u8)>>(&items, "unknown tag 255 in [0][0] at byte 4");
    let bools = [19, 2, 0, 2, 0];
    refused::<Seq<bool>>(&bools, "bool is 2, neither 0 nor 1 in [0] at byte 3");
    let items = [19, 2, 20, 2, 16, 7, 0, 1, 2, 0, 1, 16, 5];
    refused::<Seq<(bool, u8)>>(&items, "found uvint, expected bool in [0][0] at byte 4");
    let map = [19, 2, 20, 2, 16, 1, 16, 2, 2, 16, 1, 0, 1];
    refused::<Map<u8, bool>>(&map, "found uvint, expected bool in [0].value at byte 6");
    let keys = [19, 2, 20, 2, 0, 2, 16, 1, 2, 0, 1, 16, 1];
    refused::<Map<bool, u8>>(&keys, "bool is 2, neither 0 nor 1 in [0].key at byte 5");
    let record = [21, 2, 0x80, 0, 0, b'a', 16, 2, 0x80, 0, 0, b'b', 0, 1];
    refused::<Fields<bool>>(&record, "found uvint, expected bool in a at byte 6");
    // A TABLE of two rows with one column.
    let table = [25, 2, 1, 0x80, 0, 0, b'a', 16, 2, 1];
    refused::<Seq<Fields<bool>>>(&table, "found uvint, expected bool in [0].a at byte 7");
}

/// If a type ignores the error of its whole value, the value is skipped, if it has an end.
#[test]
fn values_after_an_ignored_error_are_read() {
    let items = [19, 3, 20, 2, 16, 7, 0, 1, 2, 0, 1, 16, 5, 2, 0, 1, 16, 9];
    let nested = vec![Lenient(None), Lenient(Some((true, 5))), Lenient(Some((true, 9)))];
    reads::<Vec<Lenient<(bool, u8)>>>(&items, &nested);
    let items = [19, 3, 20, 3, 255, 2, 0, 1, 16, 5, 2, 0, 1, 16, 9];
    refused::<Vec<Lenient<(bool, u8)>>>(&items, "unknown tag 255 in [0] at byte 4");
    let cells = [20, 2, 0, 2, 16, 5];
    refused::<(Lenient<bool>, u8)>(&cells, "bool is 2, neither 0 nor 1 in [0] at byte 3");
}

/// A shared value that is read partly counts with its whole size in each reference to it.
#[test]
fn references_to_a_partly_read_value() {
    // Some of 8000 units, and 100 references to it.
    let mut bytes = vec![20, 2, 26, 0, 22, 0x80, 19, 0xc0, 0x3e, 24];
    let definition = 3;
    bytes.resize(bytes.len() + 8000, 0);
    bytes.extend([19, 100, 26]);
    for _ in 0..100 {
        let distance = bytes.len() - definition;
        bytes.extend([(distance % 128) as u8 | 128, (distance / 128) as u8]);
    }
    let limit = 64 * bytes.len() + (1 << 15);
    type Parts<T> = (Option<Lenient<T>>, Vec<Option<Vec<()>>>);
    for error in [
        from_slice::<Parts<u8>>(&bytes).unwrap_err(),
        exact::<Parts<u8>>(&bytes).unwrap_err(),
        from_slice::<Parts<Vec<()>>>(&bytes).unwrap_err(),
    ] {
        assert!(
            matches!(error.kind(), ErrorKind::Expansion { limit: found } if *found == limit),
            "{error}"
        );
        // 69 references are allowed.
        assert_eq!(error.path().to_string(), "[1][69]");
    }
}

/// A RECORD of these fields: name, then tag and value.
fn record(fields: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![21, fields.len() as u8];
    for (name, value) in fields {
        bytes.extend([0x80, 0, 0, *name]);
        bytes.extend_from_slice(value);
    }
    bytes
}

/// A repeated field is refused by each way of reading.
#[test]
fn repeated_fields() {
    #[derive(Deserialize, Debug, PartialEq, Clone, Copy)]
    struct A {
        a: u8,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Two {
        a: u8,
        #[serde(default)]
        b: u8,
    }
    let text = "duplicate field `a` at byte 2";
    for bytes in [
        record(&[(b'a', &[16, 3]), (b'a', &[16, 7])]),
        record(&[(b'a', &[16, 3]), (b'x', &[16, 3]), (b'a', &[16, 7])]),
    ] {
        refused::<A>(&bytes, text);
        refused::<Two>(&bytes, text);
        reads(&[&[20, 1], &bytes[..]].concat(), &(Lenient(None::<A>),));
    }
    // A repeated unknown field.
    reads(&record(&[(b'x', &[0, 1]), (b'a', &[16, 1]), (b'x', &[0, 1])]), &A { a: 1 });
}
