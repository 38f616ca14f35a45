//! A type that ignores errors and asks on comes to an end, by each way to read, and what was wrong
//! is told nevertheless.

use std::collections::BTreeMap;

use crate::support::stubborn::{Five, Keys, Map, Seq, Three, answers};
use fourfold::Fault;
use fourfold::tsm::{Deserializer, ErrorKind, from_slice, to_vec};
use serde::{Deserialize, Serialize};

/// So many items of no bytes are believed.
const MOST_EMPTY_ITEMS: usize = 4096;

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
            answers.parts + answers.errors <= 4 * (bytes.len() + MOST_EMPTY_ITEMS),
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

/// Behind an entry whose key cannot be read nobody knows where the next one is.
#[test]
fn entries_that_cannot_be_read_are_told() {
    // Three entries, of which the second's key is none.
    let bytes = [3, 0, 0, 0, 1, 7, 2, 8, 1, 9];
    for outcome in [from_slice::<Map<bool, u8>>(&bytes), {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::deserialize(&mut deserializer).and_then(|map| deserializer.end().map(|()| map))
    }] {
        let error = outcome.unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::ExtraItems { .. } | ErrorKind::Fault(Fault::Abandoned)
            ),
            "{error}"
        );
    }
    let (_, got) = answers(|| {
        let mut deserializer = Deserializer::from_slice(&bytes);
        Map::<bool, u8>::deserialize(&mut deserializer)
    });
    assert_eq!((got.parts, got.errors), (1, 1));
}
