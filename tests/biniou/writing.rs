//! Items of every length, wrong length announcements, memory while writing, and names that collide.

use fourfold::biniou::with::Table;
use fourfold::biniou::{ErrorKind, from_slice, to_vec};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::support::alloc::measure_value;

#[track_caller]
fn assert_read_back<T: Serialize + for<'de> Deserialize<'de> + PartialEq + Debug>(value: &T) {
    assert_eq!(&from_slice::<T>(&to_vec(value).unwrap()).unwrap(), value);
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Unit;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Wrap(Option<Box<Self>>);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Kind {
    Unit,
    Newtype(i16),
    Tuple(u8, String),
    Struct { one: f64, two: Option<char> },
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Part {
    text: String,
    numbers: Vec<u64>,
    kinds: Vec<Kind>,
    unit: Unit,
    wrap: Wrap,
    pair: (bool, Option<Option<u8>>),
    map: BTreeMap<u8, i64>,
    array: [i32; 3],
    float: f32,
}

fn part(text: usize, number: u64) -> Part {
    let signed = i64::from_ne_bytes(number.to_ne_bytes());
    let kinds = [
        Kind::Unit,
        Kind::Newtype(i16::try_from(number & 0x3fff).unwrap() - 0x2000),
        Kind::Tuple(7, "é".repeat(text % 40)),
        Kind::Struct { one: 0.5, two: Some('€') },
    ];
    Part {
        text: "x".repeat(text),
        numbers: vec![number; text % 5],
        kinds: kinds.into_iter().cycle().skip(text % 4).take(text % 7).collect(),
        unit: Unit,
        wrap: Wrap(Some(Box::new(Wrap(None)))),
        pair: (text % 2 == 0, Some(Some(7))),
        map: if text % 3 == 0 { BTreeMap::from([(1, signed)]) } else { BTreeMap::new() },
        array: [i32::MIN, -1, i32::MAX],
        float: -1.5,
    }
}

#[test]
fn items_of_every_length() {
    let numbers = || (0..64).flat_map(|shift| [(1u64 << shift) - 1, 1 << shift, u64::MAX >> shift]);
    let parts: Vec<Part> = numbers().enumerate().map(|(i, number)| part(i * 5, number)).collect();
    assert_read_back(&parts);
    for part in &parts {
        assert_read_back(part);
        assert_read_back(&(0u8, part.clone(), vec![part.clone(); 3]));
    }
    assert_read_back(&numbers().collect::<Vec<u64>>());
    let signed = |number: u64| i64::from_ne_bytes(number.to_ne_bytes());
    assert_read_back(&numbers().map(signed).collect::<Vec<i64>>());
    assert_read_back(&numbers().map(|n| u32::try_from(n).ok()).collect::<Vec<Option<u32>>>());
    assert_read_back(&(0..=u16::MAX).collect::<Vec<u16>>());
    assert_read_back(&(i16::MIN..=i16::MAX).collect::<Vec<i16>>());
    assert_read_back(&vec![(0..=u8::MAX).collect::<Vec<u8>>(); 300]);
    assert_read_back(&vec![(i8::MIN..=i8::MAX).collect::<Vec<i8>>(); 3]);
    assert_read_back(&(0..600).map(|len| "y".repeat(len)).collect::<Vec<String>>());
    assert_read_back(&(0..600).rev().map(|len| vec![1.5f32; len]).collect::<Vec<_>>());
    assert_read_back(&(0..600).map(|len| vec![len % 2 == 0; len]).collect::<Vec<_>>());
    assert_read_back(&vec![Vec::<Unit>::new(); 200]);
    assert_read_back(&vec![vec![Unit; 200]; 20]);
}

/// The number of items may differ from the announced one.
#[test]
fn iterators_with_a_wrong_size_hint() {
    struct WrongSizeHint(usize, usize);
    impl Serialize for WrongSizeHint {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            struct Items(usize, usize);
            impl Iterator for Items {
                type Item = u8;
                fn next(&mut self) -> Option<u8> {
                    self.0 = self.0.checked_sub(1)?;
                    Some(7)
                }
                fn size_hint(&self) -> (usize, Option<usize>) {
                    (self.1, Some(self.1))
                }
            }
            serializer.collect_seq(Items(self.0, self.1))
        }
    }
    for (written, announced) in [(0, 1), (1, 0), (3, 200), (200, 3), (5, 5), (0, usize::MAX)] {
        let expected = to_vec(&vec![7u8; written]).unwrap();
        assert_eq!(
            to_vec(&WrongSizeHint(written, announced)).unwrap(),
            expected,
            "{written} {announced}"
        );
        assert_eq!(
            to_vec(&vec![WrongSizeHint(written, announced)]).unwrap()[3..],
            expected[1..],
            "{written} {announced}"
        );
    }
}

/// Writing takes at most half the size of the message in addition.
#[test]
fn memory_while_writing() {
    fn check<T: Serialize>(what: &str, value: &T) {
        let (bytes, stats) = measure_value(|| to_vec(value).unwrap());
        let most = bytes.len() + bytes.len() / 2 + 4096;
        assert!(stats.peak <= most, "{what}: {} bytes, {stats:?}", bytes.len());
    }
    for count in [0, 1, 10, 100, 1000, 5000, 20_000] {
        check("records", &(0..count).map(|at| part(at % 30, 1 << (at % 64))).collect::<Vec<_>>());
        check("bytes", &vec![200u8; count * 10]);
        check("floats", &vec![1.5f64; count]);
        check("text", &"x".repeat(count * 50));
        check("texts", &vec!["x".repeat(count); 20]);
        check("pairs", &(0..count).map(|at| (at, at)).collect::<BTreeMap<_, _>>());
    }
}

#[derive(Serialize)]
struct Both {
    #[serde(skip_serializing_if = "Option::is_none")]
    azdwbie: Option<u8>,
    other: Vec<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    c7diagq: Option<u8>,
}

#[track_caller]
fn collides<T: Serialize>(value: &T) {
    match to_vec(value).unwrap_err().kind() {
        ErrorKind::Collision { first, second, .. } => {
            assert_eq!([first.as_str(), second], ["azdwbie", "c7diagq"]);
        }
        kind => panic!("{kind}"),
    }
}

/// Names that collide are refused, also after records that had only one of them.
#[test]
fn colliding_names_after_records_that_left_one_out() {
    let both = |first, second| Both { azdwbie: first, other: vec![1; 300], c7diagq: second };
    for (first, second) in [(None, Some(1)), (Some(1), None), (None, None)] {
        collides(&(both(first, second), both(Some(1), Some(2))));
        collides(&vec![both(first, second), both(None, Some(1)), both(Some(1), Some(2))]);
        collides(&vec![both(Some(1), Some(2))]);
    }
    to_vec(&vec![both(None, Some(1)), both(Some(1), None), both(None, None), both(None, Some(2))])
        .unwrap();
}

/// The same for a type that does not announce skipped fields.
#[test]
fn colliding_names_of_fields_in_any_order() {
    struct Fields(&'static [&'static str]);
    impl Serialize for Fields {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut fields = serializer.serialize_struct("Fields", self.0.len())?;
            for name in self.0 {
                fields.serialize_field(name, &1u8)?;
            }
            fields.end()
        }
    }
    const FIRST: &str = "azdwbie";
    const SECOND: &str = "c7diagq";
    let orders: [&[&'static str]; 5] =
        [&[SECOND], &["a", SECOND], &[SECOND, "b", "a"], &["b", "a"], &["a", FIRST, "b"]];
    for first in orders {
        for second in orders {
            for last in [&[FIRST, SECOND][..], &[FIRST, "a", SECOND], &["b", "a", FIRST, SECOND]] {
                let fields = || [Fields(first), Fields(second)];
                to_vec(&fields()).unwrap();
                collides(&(fields(), Fields(last)));
            }
        }
    }
    // In a table, names are not compared with fields of later rows.
    let rows = [&["a", "b", "c"][..]; 3].map(Fields);
    to_vec(&(Fields(&["a", "c"]), Fields(&["c", "b", "a"]), Table(Vec::from(rows)))).unwrap();
    collides(&(Fields(&[SECOND]), Table(vec![Fields(&[FIRST, SECOND])])));
}

/// Columns are allocated only as far as types have fields.
#[test]
fn rows_that_announce_too_many_fields() {
    struct Many;
    impl Serialize for Many {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_struct("Many", usize::MAX)?.end()
        }
    }
    let (result, stats) = measure_value(|| to_vec(&Table(vec![Many])));
    let error = result.unwrap_err();
    assert_eq!(
        error.to_string(),
        "tables cannot have rows of more than 65,535 fields in [0]; remove the mark `table`"
    );
    assert!(stats.peak < 4096, "{stats:?}");
}
