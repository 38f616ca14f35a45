//! A type that ignores errors and asks on comes to an end, by each way to read, and what was wrong
//! is told nevertheless.

use std::collections::BTreeMap;

use crate::support::stubborn::{Five, Keys, Map, Seq, Three, answers};
use fourfold::Fault;
use fourfold::molecule::with::FixVec;
use fourfold::molecule::{Deserializer, ErrorKind, from_slice, to_vec};
use serde::{Deserialize, Serialize};

/// How long asking on may take: an answer for each byte, and the end.
#[track_caller]
fn ends<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Vec<bool> {
    let (quick, first) = answers(|| from_slice::<T>(bytes).is_ok());
    let exact = || {
        let mut deserializer = Deserializer::from_slice(bytes);
        T::deserialize(&mut deserializer).and_then(|_| deserializer.end()).is_ok()
    };
    let (exact, second) = answers(exact);
    for answers in [first, second] {
        // `from_slice` may read a document several times.
        assert!(
            answers.parts + answers.errors <= 4 * bytes.len() + 16,
            "{answers:?}: {bytes:02x?}"
        );
    }
    vec![quick, exact]
}

/// Each document, cut everywhere and with each byte changed, read as each stubborn type.
#[test]
fn stubborn_types_come_to_an_end() {
    let map: BTreeMap<String, bool> =
        [("a", true), ("bc", false), ("d", true)].map(|(k, v)| (k.into(), v)).into();
    let numbers: BTreeMap<u8, bool> = [(1, true), (2, false), (3, true)].into();
    for bytes in [
        to_vec(&map).unwrap(),
        to_vec(&numbers).unwrap(),
        to_vec(&vec![true, false, true]).unwrap(),
        to_vec(&vec!["a", "bc", "d"]).unwrap(),
        to_vec(&("a", true, 7_u32, "b", [1_u8; 3])).unwrap(),
        to_vec(&Fields { a: true, b: "text".into(), c: vec![1, 2, 3] }).unwrap(),
        to_vec(&vec![Fields { a: true, b: "text".into(), c: vec![] }; 2]).unwrap(),
    ] {
        for at in 0..bytes.len() {
            for change in [0, 1, 2, 0x7f, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                all_end(&changed);
            }
            all_end(&bytes[..at]);
        }
    }
}

fn all_end(bytes: &[u8]) {
    ends::<Seq<bool>>(bytes);
    ends::<Seq<String>>(bytes);
    ends::<Seq<Three<String>>>(bytes);
    ends::<Five<bool>>(bytes);
    ends::<Five<String>>(bytes);
    ends::<Map<String, bool>>(bytes);
    ends::<Map<u8, bool>>(bytes);
    ends::<Map<bool, String>>(bytes);
    ends::<Keys<String>>(bytes);
    ends::<Keys<u8>>(bytes);
    ends::<Three<bool>>(bytes);
    ends::<Three<Seq<u8>>>(bytes);
}

#[derive(Clone, Serialize)]
struct Fields {
    a: bool,
    b: String,
    c: Vec<u8>,
}

/// A table of fewer fields than the type has stays refused.
#[test]
fn missing_fields_are_told() {
    let two = [&[14, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0][..], &[1, 1]].concat();
    assert_eq!(ends::<Three<bool>>(&two), [false, false]);
    let error = from_slice::<Three<bool>>(&two).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Fault(Fault::Abandoned)), "{error}");
    assert_eq!(error.offset(), Some(4));
    let three = to_vec(&Flags { a: true, b: false, c: true }).unwrap();
    assert_eq!(ends::<Three<bool>>(&three), [true, true]);
}

/// What is no entry is passed over like an item that is none: its end is known.
#[test]
fn entries_that_cannot_be_read_are_passed_over() {
    let map: BTreeMap<String, bool> = [("a".into(), true), ("b".into(), false)].into();
    let mut bytes = to_vec(&map).unwrap();
    // The key of the first: no UTF-8.
    let key = bytes.iter().position(|byte| *byte == b'a').unwrap();
    bytes[key] = 0xff;
    let (value, got) = answers(|| {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::<String, bool>::deserialize(&mut deserializer)
    });
    assert!(value.is_ok());
    assert_eq!((got.parts, got.errors), (1, 1));
    // A fixvec's entries have no ends of their own.
    let bytes = to_vec(&FixVec(BTreeMap::from([(false, 1_u8), (true, 2)]))).unwrap();
    let changed = [&bytes[..4], &[2, 1, 1, 2]].concat();
    assert_eq!(ends::<FixVec<Map<bool, u8>>>(&bytes), [true, true]);
    assert_eq!(ends::<FixVec<Map<bool, u8>>>(&changed), [false, false]);
    let error = from_slice::<FixVec<Map<bool, u8>>>(&changed).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ExtraItems { .. } | ErrorKind::Fault(_)), "{error}");
}

#[derive(Serialize)]
struct Flags {
    a: bool,
    b: bool,
    c: bool,
}
