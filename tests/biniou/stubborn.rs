//! A type that ignores errors and asks on comes to an end, by each way to read, and what was wrong
//! is told nevertheless.

use std::collections::BTreeMap;

use crate::support::stubborn::{Five, Keys, Map, Seq, Three, answers};
use fourfold::Fault;
use fourfold::biniou::{Deserializer, ErrorKind, from_slice, to_vec};
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

/// Behind an entry without an end nobody knows where the next one is.
#[test]
fn entries_without_an_end_are_told() {
    // An ARRAY of two TUPLEs of two; the second's count has no end.
    let bytes = [19, 2, 20, 2, 16, 1, 24, 0, 0x80];
    assert_eq!(ends::<Map<u8, ()>>(&bytes), [false, false]);
    let (error, got) = answers(|| from_slice::<Map<u8, ()>>(&bytes).unwrap_err());
    assert!(matches!(error.kind(), ErrorKind::Fault(Fault::UnexpectedEnd { .. })), "{error}");
    assert!(error.offset() >= Some(8), "{error}");
    assert!((1..=2).contains(&got.errors), "{got:?}");
    // One of one cell has an end, and is passed over.
    let bytes = [19, 2, 20, 1, 16, 1, 2, 16, 2, 0, 1];
    let (error, got) = answers(|| from_slice::<Map<u8, bool>>(&bytes).map(drop));
    error.unwrap();
    assert!(got.errors >= 1, "{got:?}");
}

/// A RECORD of more fields than there are bytes for.
#[test]
fn fields_that_are_not_there_are_told() {
    let field = |name: u8| [0x80, 0, 0, name, 0, 1];
    let bytes = [&[21, 2][..], &field(b'a'), &field(b'b')[..5]].concat();
    assert_eq!(ends::<Three<bool>>(&bytes), [false, false]);
    let whole = [&[21, 2][..], &field(b'a'), &field(b'b')].concat();
    assert_eq!(ends::<Three<bool>>(&whole), [true, true]);
}
