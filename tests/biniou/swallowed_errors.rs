//! Types that go on without what they cannot read, and visitors by hand: each with its smallest
//! input, read by both ways in, `from_slice` and a `Deserializer`.

#![allow(clippy::cast_possible_truncation, reason = "small numbers of tests")]

use std::fmt::{self, Debug};
use std::marker::PhantomData;

use fourfold::biniou::{Deserializer, Error, ErrorKind, from_slice, take_from_slice, to_vec};
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::support::stubborn::Lenient;

/// The first value of `bytes` as the reader gives it that never makes a first attempt.
fn thorough<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    T::deserialize(&mut Deserializer::from_slice(bytes))
}

/// Both ways in refuse `bytes` with that text.
#[track_caller]
fn refused<T: DeserializeOwned + Debug>(bytes: &[u8], text: &str) {
    assert_eq!(from_slice::<T>(bytes).unwrap_err().to_string(), text, "from_slice: {bytes:?}");
    assert_eq!(thorough::<T>(bytes).unwrap_err().to_string(), text, "Deserializer: {bytes:?}");
}

/// Both ways in give that value.
#[track_caller]
fn reads<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8], expected: &T) {
    assert_eq!(&from_slice::<T>(bytes).unwrap(), expected, "from_slice: {bytes:?}");
    assert_eq!(&thorough::<T>(bytes).unwrap(), expected, "Deserializer: {bytes:?}");
}

/// The template of an array in an item was taken for that of the items, whose tag is another.
#[test]
fn an_array_in_an_item_has_items_of_its_own() {
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    struct Corner {
        x: f64,
        y: f64,
    }

    /// A pair, a list, and corners: of one sequence.
    #[derive(Debug, PartialEq)]
    struct Odd((f64, f64), Vec<Corner>, Vec<Corner>);

    impl<'de> Deserialize<'de> for Odd {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Items;
            impl<'de> Visitor<'de> for Items {
                type Value = Odd;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("items of three kinds")
                }
                fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Odd, A::Error> {
                    let pair = items.next_element()?.unwrap_or_default();
                    let (list,) = items.next_element()?.unwrap_or_default();
                    let mut corners = Vec::new();
                    while let Some(corner) = items.next_element()? {
                        corners.push(corner);
                    }
                    Ok(Odd(pair, list, corners))
                }
            }
            deserializer.deserialize_seq(Items)
        }
    }

    const CORNERS: u8 = 30;
    let corner = Corner { x: 1.0, y: 2.0 };
    let pair = to_vec(&(1.0, 2.0)).unwrap();
    let list = to_vec(&vec![corner; 9]).unwrap();
    let body = &to_vec(&corner).unwrap()[1..];
    // An ARRAY of TUPLEs, the last of which have the bytes of RECORDs, and room for a window behind.
    let mut bytes = [&[19, 2 + CORNERS, 20], &pair[1..], &[1], &list].concat();
    bytes.extend(body.repeat(CORNERS.into()));
    bytes.resize(bytes.len() + 400, 0);
    let text = "found tuple, expected record in [2] at byte 2";
    assert_eq!(take_from_slice::<Odd>(&bytes).unwrap_err().to_string(), text);
    assert_eq!(thorough::<Odd>(&bytes).unwrap_err().to_string(), text);
}

/// The number of times that a sequence or map gave an item or an error, until it had no more.
#[derive(Debug, PartialEq)]
struct Asks<K, T>(usize, PhantomData<(K, T)>);

impl<'de, K: Deserialize<'de>, T: Deserialize<'de>> Visitor<'de> for Asks<K, T> {
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
                // Whoever asks once more does not get what stands behind.
                assert!(entries.next_value::<IgnoredAny>().is_err(), "a value without a key");
            }
        }
        Ok(self)
    }
}

#[derive(Debug, PartialEq)]
struct Seq<T>(Asks<(), T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Seq<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Asks(0, PhantomData)).map(Seq)
    }
}

#[derive(Debug, PartialEq)]
struct Map<K, T>(Asks<K, T>);

impl<'de, K: Deserialize<'de>, T: Deserialize<'de>> Deserialize<'de> for Map<K, T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Asks(0, PhantomData)).map(Map)
    }
}

/// What is read of a struct's fields, or of a table's row.
#[derive(Debug, PartialEq)]
struct Fields<T>(Asks<String, T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fields<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let asks = Asks(0, PhantomData);
        deserializer.deserialize_struct("Fields", &["a", "b"], asks).map(Fields)
    }
}

/// A visitor that asks on behind an item without an end got others from the middle of it.
#[test]
fn behind_an_item_without_an_end_there_is_none() {
    let tag = "unknown tag 255 at byte 4";
    let items = [19, 3, 20, 3, 255, 2, 0, 1, 16, 5, 2, 0, 1, 16, 9];
    refused::<Seq<(bool, u8)>>(&items, tag);
    refused::<Seq<Lenient<(bool, u8)>>>(&items, tag);
    refused::<Vec<Lenient<(bool, u8)>>>(&items, tag);

    let cell = [&[20, 1], &items[..]].concat();
    refused::<(Lenient<Seq<(bool, u8)>>,)>(&cell, "unknown tag 255 at byte 6");

    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Field {
        g: Seq<(bool, u8)>,
    }
    let field = [&[21, 1, 0x80, 0, 0, b'g'], &items[..]].concat();
    refused::<Field>(&field, "unknown tag 255 at byte 10");

    for bytes in [&[19, 2, 0, 2, 0][..], &[19, 2, 0, 2, 2]] {
        refused::<Seq<bool>>(bytes, "bool is 2, neither 0 nor 1 at byte 3");
    }
    refused::<Seq<bool>>(&[19, 2, 0, 0, 2], "bool is 2, neither 0 nor 1 at byte 4");
    let text = "length 2120 needs 2120 bytes or more, 3 left at byte 3";
    refused::<Seq<u8>>(&[20, 3, 18, 200, 16, 5, 16, 9], text);
    let cells = [20, 2, 0, 2, 16, 5];
    refused::<(Lenient<bool>, u8)>(&cells, "bool is 2, neither 0 nor 1 at byte 3");

    let map = [19, 2, 20, 2, 16, 1, 0, 2, 2, 16, 1, 0, 1];
    refused::<Map<u8, bool>>(&map, "bool is 2, neither 0 nor 1 at byte 7");
    let keys = [19, 2, 20, 2, 0, 2, 16, 1, 2, 0, 1, 16, 1];
    refused::<Map<bool, u8>>(&keys, "bool is 2, neither 0 nor 1 at byte 5");
    let record = [21, 2, 0x80, 0, 0, b'a', 0, 2, 0x80, 0, 0, b'b', 0, 1];
    refused::<Fields<bool>>(&record, "bool is 2, neither 0 nor 1 at byte 7");
    // A TABLE of two rows with one column.
    let table = [25, 2, 1, 0x80, 0, 0, b'a', 0, 2, 1];
    refused::<Seq<Fields<bool>>>(&table, "bool is 2, neither 0 nor 1 at byte 8");
}

/// Behind an item that has an end but is not what was asked for, there are others as before.
#[test]
fn behind_an_item_with_an_end_there_are_others() {
    let items = [19, 3, 20, 2, 16, 7, 0, 1, 2, 0, 1, 16, 5, 2, 0, 1, 16, 9];
    reads(&items, &Seq::<(bool, u8)>(Asks(3, PhantomData)));
    let nested = vec![Lenient(None), Lenient(Some((true, 5))), Lenient(Some((true, 9)))];
    reads::<Vec<Lenient<(bool, u8)>>>(&items, &nested);
    let map = [19, 2, 20, 2, 16, 1, 16, 2, 2, 16, 1, 0, 1];
    reads(&map, &Map::<u8, bool>(Asks(2, PhantomData)));
    let record = [21, 2, 0x80, 0, 0, b'a', 16, 2, 0x80, 0, 0, b'b', 0, 1];
    reads(&record, &Fields::<bool>(Asks(2, PhantomData)));
    let table = [25, 2, 1, 0x80, 0, 0, b'a', 16, 2, 1];
    reads(&table, &Seq::<Fields<bool>>(Asks(2, PhantomData)));
}

/// A shared value that was read in part was taken for as small as that part, and so were all the
/// references to it.
#[test]
fn references_to_what_was_read_in_part() {
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
        thorough::<Parts<u8>>(&bytes).unwrap_err(),
        from_slice::<Parts<Vec<()>>>(&bytes).unwrap_err(),
    ] {
        assert!(
            matches!(error.kind(), ErrorKind::Expansion { limit: found } if *found == limit),
            "{error}"
        );
        // 69 of them are not too many.
        assert_eq!(error.path().to_string(), "[1][69]");
    }
}

/// A RECORD of such fields, each with its tag and value behind its name, or the body of one.
fn record(fields: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![21, fields.len() as u8];
    for (name, value) in fields {
        bytes.extend([0x80, 0, 0, *name]);
        bytes.extend_from_slice(value);
    }
    bytes
}

/// Equal fields counted only where the first of them could be read, or where others stood before.
#[test]
fn of_equal_fields_the_last_counts() {
    #[derive(Deserialize, Debug, PartialEq, Clone, Copy)]
    struct A {
        a: u8,
    }
    let bad = record(&[(b'a', &[0, 1]), (b'a', &[16, 7])]);
    let dup = record(&[(b'a', &[16, 3]), (b'a', &[16, 7])]);
    reads(&bad, &A { a: 7 });
    reads(&dup, &A { a: 7 });
    for records in [&[&bad][..], &[&bad, &dup], &[&dup, &bad], &[&bad, &bad]] {
        let bodies: Vec<u8> = records.iter().flat_map(|record| &record[1..]).copied().collect();
        let bytes = [&[19, records.len() as u8, 21], &bodies[..]].concat();
        reads(&bytes, &vec![A { a: 7 }; records.len()]);
        reads(&bytes, &records.iter().map(|_| Lenient(Some(A { a: 7 }))).collect::<Vec<_>>());
    }
    // It is the last one that is wrong, or one that comes once.
    let last = record(&[(b'a', &[16, 7]), (b'a', &[0, 1])]);
    refused::<A>(&last, "found bool, expected uvint, svint, int8 or int16 in a at byte 12");
    reads(&[&[20, 1], &last[..]].concat(), &(Lenient(None::<A>),));
    let once = record(&[(b'a', &[0, 1])]);
    refused::<A>(&once, "found bool, expected uvint, svint, int8 or int16 in a at byte 6");
    // Other names come twice: what is wrong remains where it was.
    let others = record(&[(b'x', &[0, 1]), (b'a', &[0, 1]), (b'x', &[0, 1])]);
    refused::<A>(&others, "found bool, expected uvint, svint, int8 or int16 in a at byte 12");
    // The record does not end.
    let cut = &bad[..bad.len() - 1];
    assert!(from_slice::<A>(cut).is_err() && thorough::<A>(cut).is_err());
}

#[test]
fn of_equal_fields_the_last_counts_for_types_that_go_on() {
    #[derive(Deserialize, Debug, PartialEq)]
    enum Either {
        D { x: Lenient<bool>, y: u16 },
    }
    let fields = [(b'x', &[16, 1][..]), (b'y', &[0, 1]), (b'y', &[16, 5])];
    let variant = [&[23, 0x80, 0, 0, b'D'], &record(&fields)[..]].concat();
    let value = || Either::D { x: Lenient(None), y: 5 };
    reads(&variant, &value());
    let items = [&[19, 1], &variant[..]].concat();
    reads(&items, &vec![Lenient(Some(value()))]);
}

/// A visitor that comes to an end before the fields do got the first of equal ones.
#[test]
fn of_equal_fields_the_last_counts_for_visitors_that_stop() {
    /// The value of the first field.
    #[derive(Debug, PartialEq)]
    struct First(u8);
    impl<'de> Deserialize<'de> for First {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Fields;
            impl<'de> Visitor<'de> for Fields {
                type Value = First;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a struct")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<First, A::Error> {
                    map.next_key::<IgnoredAny>()?;
                    map.next_value().map(First)
                }
            }
            deserializer.deserialize_struct("First", &["a", "b"], Fields)
        }
    }
    let of = |names: [u8; 3]| {
        record(
            &[0, 1, 2]
                .map(|n| (names[n], [&[16, 7], &[16, 8], &[16, 9]][n]))
                .map(|(name, value): (u8, &[u8; 2])| (name, &value[..])),
        )
    };
    reads(&of(*b"aba"), &First(8));
    reads(&of(*b"aab"), &First(8));
    reads(&of(*b"abb"), &First(7));
    // Those that are none of the type's are all given out.
    reads(&of(*b"xxa"), &First(7));
}
