//! A type that ignores errors and asks on comes to an end, by each way to read, and what was wrong
//! is told nevertheless.

use std::collections::BTreeMap;

use crate::support::stubborn::{Map, Three, answers, stubborn_types};
use fourfold::Fault;
use fourfold::molecule::with::FixVec;
use fourfold::molecule::{Deserializer, ErrorKind, from_slice, to_vec};
use serde::{Deserialize, Serialize};

stubborn_types!(molecule, 16);

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
