//! Types that go on without what they cannot read, and visitors by hand: each with its smallest
//! input, read by both ways in, `from_slice` and a `Deserializer`.

#![allow(clippy::cast_possible_truncation, reason = "small numbers of tests")]

use std::fmt;

use fourfold::biniou::{Deserializer, Error, ErrorKind, from_slice, take_from_slice, to_vec};
use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// The first value of `bytes` as the reader gives it that never makes a first attempt.
fn thorough<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    T::deserialize(&mut Deserializer::from_slice(bytes))
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

/// Goes on without a value that it cannot read.
#[derive(Debug, PartialEq)]
struct Lenient<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Lenient(T::deserialize(deserializer).ok()))
    }
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
