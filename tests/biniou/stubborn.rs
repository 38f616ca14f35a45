//! Types that ignore errors and continue to request values: each way of reading ends, and returns the error.

use crate::support::format::Biniou;
use crate::support::stubborn::{self, Idle, Lenient, Map, Three, answers, ends};
use crate::support::visits::visits;
use fourfold::CommonKind;
use fourfold::biniou::with::Shared;
use fourfold::biniou::{Deserializer, ErrorKind, from_slice, to_vec};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The number of additional answers that a reading may take.
const SLACK: usize = 16;

#[test]
fn stubborn_types_come_to_an_end() {
    stubborn::stubborn_types_come_to_an_end::<Biniou>(SLACK);
}

/// After an entry without an end, the start of the next one is unknown.
#[test]
fn entries_without_an_end_are_errors() {
    // An ARRAY of two TUPLEs of two; the second's count has no end.
    let bytes = [19, 2, 20, 2, 16, 1, 24, 0, 0x80];
    assert_eq!(ends::<Biniou, Map<u8, ()>>(&bytes, SLACK), [false, false]);
    let (error, got) = answers(|| from_slice::<Map<u8, ()>>(&bytes).unwrap_err());
    assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::UnexpectedEnd { .. })), "{error}");
    assert!(error.offset() >= Some(8), "{error}");
    assert!((1..=2).contains(&got.errors), "{got:?}");
    // An entry of one cell is refused, even if the type ignores it.
    let bytes = [19, 2, 20, 1, 16, 1, 2, 16, 2, 0, 1];
    let (error, got) = answers(|| from_slice::<Map<u8, bool>>(&bytes).unwrap_err());
    assert!(matches!(error.kind(), ErrorKind::MissingCells { found: 1 }), "{error}");
    assert_eq!(got.errors, 1, "{got:?}");
}

/// A RECORD of more fields than there are bytes for.
#[test]
fn missing_fields_are_errors() {
    let field = |name: u8| [0x80, 0, 0, name, 0, 1];
    let bytes = [&[21, 2][..], &field(b'a'), &field(b'b')[..5]].concat();
    assert_eq!(ends::<Biniou, Three<bool>>(&bytes, SLACK), [false, false]);
    let whole = [&[21, 2][..], &field(b'a'), &field(b'b')].concat();
    assert_eq!(ends::<Biniou, Three<bool>>(&whole, SLACK), [true, true]);
}

/// Of concatenated values, one that cannot be read is skipped. If it has no end, no later value is read.
#[test]
fn values_after_one_that_cannot_be_read() {
    let mut deserializer = Deserializer::from_slice(&[18, 1, 120, 16, 7]);
    assert_eq!(Lenient::<u8>::deserialize(&mut deserializer).unwrap(), Lenient(None));
    assert_eq!(u8::deserialize(&mut deserializer).unwrap(), 7);
    deserializer.end().unwrap();

    for bytes in [&[0_u8, 72][..], &[0], &[]] {
        let mut deserializer = Deserializer::from_slice(bytes);
        let read = Lenient::<bool>::deserialize(&mut deserializer).unwrap();
        assert_eq!(read, Lenient(None));
        for error in [u8::deserialize(&mut deserializer).map(drop), deserializer.end()] {
            let error = error.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Common(CommonKind::Abandoned)), "{error}");
            assert_eq!(error.offset(), Some(0));
        }
        from_slice::<Lenient<bool>>(bytes).unwrap_err();
    }
}

/// Reads nothing from its deserializer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Blind;

visits! { Blind, "anything", deserialize_newtype_struct("Blind"):
    visit_newtype_struct |_access| {
        Ok(Blind)
    }
}

/// Unread values are skipped like ignored ones.
#[test]
fn values_that_are_not_read() {
    fn reads<T: DeserializeOwned, E: DeserializeOwned>(bytes: &[u8]) -> [String; 2] {
        let text = |error: Option<fourfold::biniou::Error>| match error {
            None => "read".to_owned(),
            Some(error) => error.to_string(),
        };
        let quick = text(from_slice::<T>(bytes).err());
        let mut deserializer = Deserializer::from_slice(bytes);
        let exact = T::deserialize(&mut deserializer).and_then(|_| deserializer.end());
        assert_eq!(text(exact.err()), quick);
        [quick, text(from_slice::<E>(bytes).err())]
    }

    let good = to_vec(&(5_u8, 7_u8)).unwrap();
    assert_eq!(from_slice::<(Idle, u8)>(&good).unwrap(), (Idle, 7));
    assert_eq!(from_slice::<(Blind, u8)>(&good).unwrap(), (Blind, 7));
    let text = to_vec(&Some("some text")).unwrap();
    let named = to_vec(&[("a", 1_u8), ("b", 2)]).unwrap();
    for bytes in [
        &good[..],
        &text,
        &named,
        &[20, 2, 47, 16, 7],
        &[20, 2, 16, 5, 47],
        &[19, 1, 47],
        &[19, 2, 16, 1, 2],
        &[22, 0x80, 47],
        &[22, 0x80, 18, 9],
        &[47],
        &[18, 3, 97],
        &[],
    ] {
        for [found, ignored] in [
            reads::<Blind, IgnoredAny>(bytes),
            reads::<(Idle, u8), (IgnoredAny, u8)>(bytes),
            reads::<(u8, Blind), (u8, IgnoredAny)>(bytes),
            reads::<Vec<Idle>, Vec<IgnoredAny>>(bytes),
            reads::<Option<Blind>, Option<IgnoredAny>>(bytes),
        ] {
            assert_eq!(found, ignored, "{bytes:?}");
        }
    }
}

/// The same for shared values, of which the tag and an offset are read before the type requests them.
#[test]
fn shared_values_that_are_not_read() {
    fn reads<T: DeserializeOwned + PartialEq + std::fmt::Debug>(bytes: &[u8], expected: T) {
        let expected = (Shared(Rc::new(expected)), 7);
        assert_eq!(from_slice::<(Shared<Rc<T>>, u8)>(bytes).unwrap(), expected);
        let mut deserializer = Deserializer::from_slice(bytes);
        let read = <(Shared<Rc<T>>, u8) as Deserialize>::deserialize(&mut deserializer);
        assert_eq!(read.unwrap(), expected);
        deserializer.end().unwrap();
    }

    for value in [&[16, 5][..], &[18, 3, b'a', b'b', b'c'], &[19, 0], &[20, 1, 16, 7]] {
        let bytes = [&[20, 2, 26, 0], value, &[16, 7]].concat();
        reads(&bytes, Idle);
        reads(&bytes, Blind);
        // A reference has a known end.
        let distance = u8::try_from(bytes.len() - 5).unwrap() + 1;
        let bytes = [&[20, 3, 26, 0], value, &[26, distance, 16, 7]].concat();
        let read: (Shared<Rc<Idle>>, Shared<Rc<Blind>>, u8) = from_slice(&bytes).unwrap();
        assert_eq!(read.2, 7);
    }
}

/// Concatenated values are read by the names of fields, and errors are the same.
#[test]
fn errors_of_a_stream_have_a_path() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Record {
        a: u8,
        b: (u8, u8),
    }

    let sound = to_vec(&Record { a: 1, b: (2, 3) }).unwrap();
    let mut paths = 0;
    for place in 0..sound.len() {
        for byte in [0, 1, 0x7f, 0xff] {
            let mut bytes = sound.clone();
            bytes[place] = byte;
            let mut deserializer = Deserializer::from_slice(&bytes);
            let exact = Record::deserialize(&mut deserializer).and_then(|record| {
                deserializer.end()?;
                Ok(record)
            });
            let quick = from_slice::<Record>(&bytes);
            paths +=
                usize::from(quick.as_ref().is_err_and(|error| error.to_string().contains("in b")));
            assert_eq!(format!("{exact:?}"), format!("{quick:?}"), "byte {place}: {byte}");
        }
    }
    assert!(paths > 8, "{paths}");
}

/// The argument of a variant that its type does not read is skipped.
#[test]
fn arguments_that_are_not_read() {
    #[derive(Debug, PartialEq, Deserialize)]
    enum Choice {
        Idle(Idle),
    }

    #[derive(Serialize)]
    enum Written {
        Idle(&'static str),
    }

    let bytes = to_vec(&(Written::Idle("text"), 7u8)).unwrap();
    assert_eq!(from_slice::<(Choice, u8)>(&bytes).unwrap(), (Choice::Idle(Idle), 7));
}
