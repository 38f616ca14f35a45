//! Types that ignore errors and continue to request values: each way of reading ends, and returns the error.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::num::NonZeroU8;

use crate::support::format::Molecule;
use crate::support::stubborn::{self, Half, Idle, Lenient, Map, Outcome, Three, answers, ends};
use fourfold::CommonKind;
use fourfold::molecule::with::FixVec;
use fourfold::molecule::{Deserializer, ErrorKind, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The number of additional answers that a reading may take.
const SLACK: usize = 16;

#[test]
fn stubborn_types_come_to_an_end() {
    stubborn::stubborn_types_come_to_an_end::<Molecule>(SLACK);
}

/// A table with fewer fields than the type is refused.
#[test]
fn missing_fields_are_errors() {
    let two = [&[14, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0][..], &[1, 1]].concat();
    assert_eq!(ends::<Molecule, Three<bool>>(&two, SLACK), [false, false]);
    let error = from_slice::<Three<bool>>(&two).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
    assert_eq!(error.offset(), Some(4));
    let three = to_vec(&Flags { a: true, b: false, c: true }).unwrap();
    assert_eq!(ends::<Molecule, Three<bool>>(&three, SLACK), [true, true]);
}

/// Invalid entries are skipped like invalid items, since their end is known.
#[test]
fn entries_that_cannot_be_read_are_passed_over() {
    let map: BTreeMap<String, bool> = [("a".into(), true), ("b".into(), false)].into();
    let mut bytes = to_vec(&map).unwrap();
    // The first key is not UTF-8.
    let key = bytes.iter().position(|byte| *byte == b'a').unwrap();
    bytes[key] = 0xff;
    let (value, got) = answers(|| {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::<String, bool>::deserialize(&mut deserializer)
    });
    assert!(value.is_ok());
    assert_eq!((got.parts, got.errors), (1, 1));
    // Entries of a fixvec have no offsets.
    let bytes = to_vec(&FixVec(BTreeMap::from([(false, 1_u8), (true, 2)]))).unwrap();
    let changed = [&bytes[..4], &[2, 1, 1, 2]].concat();
    assert_eq!(ends::<Molecule, FixVec<Map<bool, u8>>>(&bytes, SLACK), [true, true]);
    assert_eq!(ends::<Molecule, FixVec<Map<bool, u8>>>(&changed, SLACK), [false, false]);
    let error = from_slice::<FixVec<Map<bool, u8>>>(&changed).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ExtraItems { .. } | ErrorKind::Common(_)), "{error}");
}

/// Reads in both ways.
fn both<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8]) -> fourfold::molecule::Result<T> {
    let read = from_slice::<T>(bytes);
    let mut deserializer = Deserializer::from_slice(bytes);
    let again = T::deserialize(&mut deserializer);
    let again = again.and_then(|value| deserializer.end().map(|()| value));
    assert_eq!(format!("{read:?}"), format!("{again:?}"));
    read
}

/// The end of a packed value that failed before its last byte is unknown. A value that was refused after its last byte
/// ends there.
#[test]
fn packed_values_that_failed_in_their_middle() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "struct.Pair")]
    struct Pair<A, B> {
        a: A,
        b: B,
    }
    type Parts = (bool, u8);

    fn abandoned<T: DeserializeOwned + PartialEq + Debug>(bytes: &[u8]) {
        let error = both::<T>(bytes).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
    }

    let none = Lenient(None);
    abandoned::<Pair<Lenient<Parts>, u16>>(&[2, 7, 8]);
    abandoned::<(Lenient<Parts>, u16)>(&[2, 7, 8]);
    abandoned::<(u8, Lenient<Parts>, u16)>(&[9, 2, 7, 8]);
    abandoned::<(u8, (Lenient<Parts>, u8), u8)>(&[9, 2, 7, 8]);
    abandoned::<Vec<Lenient<Parts>>>(&[2, 0, 0, 0, 2, 2]);
    // An error of the type.
    abandoned::<(Lenient<Half>, u8)>(&[1, 2]);
    abandoned::<[Lenient<Half>; 2]>(&[1, 2]);
    abandoned::<Vec<Lenient<Half>>>(&[2, 0, 0, 0, 1, 2]);
    // Text has no fixed size, so no bytes are read.
    abandoned::<Pair<Lenient<String>, u16>>(&[7, 8]);
    abandoned::<(u8, Lenient<u32>, u16)>(&[9, 7, 8]);
    // A byte that is not a bool is the last element.
    let pair = Pair { a: none, b: 0x0807_u16 };
    assert_eq!(both::<Pair<Lenient<bool>, u16>>(&[2, 7, 8]).unwrap(), pair);
    let pair = Pair { a: Lenient::<(u8, bool)>(None), b: 8_u8 };
    assert_eq!(both::<Pair<_, _>>(&[7, 2, 8]).unwrap(), pair);
    let items = both::<Vec<Lenient<bool>>>(&[2, 0, 0, 0, 2, 1]).unwrap();
    assert_eq!(items, [none, Lenient(Some(true))]);
    // The end of a field is known.
    let table = [15, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 2, 7, 8];
    #[derive(Debug, PartialEq, Deserialize)]
    struct Fields {
        a: Lenient<Parts>,
        b: u8,
    }
    assert_eq!(both::<Fields>(&table).unwrap(), Fields { a: Lenient(None), b: 8 });
}

/// A type that reads no bytes is accepted in a tuple, but refused as item of a fixvec, or if it ignored the error of a
/// number.
#[test]
fn types_that_read_nothing() {
    assert_eq!(both::<(Idle, u16)>(&[7, 8]).unwrap(), (Idle, 0x0807));
    let error = both::<Vec<Idle>>(&[2, 0, 0, 0, 7, 8]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnlikeItems { index: 0 }), "{error}");

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename = "struct.Packed")]
    struct Packed {
        x: Lenient<u8>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Fields {
        #[serde(default)]
        packed: Packed,
        number: u8,
    }
    let empty = [13, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0, 5];
    let error = both::<Fields>(&empty).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
    assert_eq!(both::<Pair<Option<u8>, u8>>(&empty).unwrap(), Pair { a: None, b: 5 });
}

#[derive(Debug, PartialEq, Deserialize)]
struct Pair<A, B> {
    a: A,
    b: B,
}

/// While a type reads, errors have the text of the type that refused a value. Errors of the format are stored in the
/// reader.
#[test]
fn errors_have_the_text_of_types_while_reading() {
    let outcome: (Outcome<NonZeroU8, String>, u8) = both(&[0, 1]).unwrap();
    let refused = "invalid value: integer `0`, expected a nonzero u8";
    assert_eq!(outcome, (Outcome::Bad(refused.to_owned()), 1));
    let outcome: (Outcome<bool, String>, u8) = both(&[9, 1]).unwrap();
    assert_eq!(outcome, (Outcome::Bad("reading failed".to_owned()), 1));
}

/// A type may wrap an error in its own message. Kind, text, offset, path and hint are kept.
#[test]
fn types_that_wrap_errors() {
    #[derive(Debug, PartialEq)]
    struct Wraps<T>(T);

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Wraps<T> {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let wrapped = T::deserialize(deserializer).map(Wraps);
            wrapped.map_err(|error| serde::de::Error::custom(format_args!("no limit: {error}")))
        }
    }

    let error = both::<(u8, Wraps<bool>)>(&[1, 7]).unwrap_err();
    assert_eq!(error.to_string(), "no limit: bool is 7, neither 0 nor 1 in [1] at byte 1");
    assert!(matches!(error.kind(), ErrorKind::InvalidBool { .. }), "{error}");
    let error = both::<Wraps<Vec<Wraps<bool>>>>(&[1, 0, 0, 0, 7]).unwrap_err();
    let text = "no limit: no limit: bool is 7, neither 0 nor 1 in [0] at byte 4";
    assert_eq!(error.to_string(), text);
    let error = both::<(u8, Wraps<Wraps<NonZeroU8>>)>(&[1, 0]).unwrap_err();
    let refused = "invalid value: integer `0`, expected a nonzero u8";
    assert_eq!(error.to_string(), format!("no limit: no limit: {refused} in [1] at byte 1"));
    let bytes = [20, 0, 0, 0, 12, 0, 0, 0, 20, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0];
    let error = both::<Pair<Wraps<Vec<String>>, Option<u8>>>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "no limit: offset 9 is not a multiple of 4 in a at byte 16");
}

#[derive(Serialize)]
struct Flags {
    a: bool,
    b: bool,
    c: bool,
}
