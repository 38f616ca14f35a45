//! Fields that take zero bytes: options that are none, and fields that were skipped.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use fourfold::molecule::{Deserializer, Options, from_slice, to_vec, with::dynvec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer as De, Serialize, Serializer as Ser};

/// What `deserialize_with` of a field that may be absent, null or a value is.
fn some<'de, D: De<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

/// An option that is read by a function of its own.
mod halved {
    use super::*;

    pub(super) fn serialize<S: Ser>(value: &Option<u8>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(|value| value / 2).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: De<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
        Ok(Option::<u8>::deserialize(deserializer)?.map(|value| value * 2))
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone, Default)]
struct Patch {
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some")]
    a: Option<Option<u8>>,
    b: u8,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Options_ {
    plain: Option<u8>,
    #[serde(with = "halved")]
    with: Option<u8>,
    #[serde(with = "dynvec")]
    marked: Option<Vec<String>>,
    boxed: Box<Option<u8>>,
    #[serde(default = "five")]
    five: Option<u8>,
    #[serde(default, with = "halved", skip_serializing_if = "Option::is_none")]
    skipped: Option<u8>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<u8>,
    patch: Patch,
}

fn five() -> Option<u8> {
    Some(5)
}

fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let bytes = to_vec(value).unwrap();
    assert_eq!(from_slice::<T>(&bytes).unwrap(), *value);
    let compatible = Options::new().compatible(true);
    assert_eq!(compatible.from_slice::<T>(&bytes).unwrap(), *value);
}

fn all() -> Vec<Options_> {
    let all = Options_ {
        plain: Some(1),
        with: Some(2),
        marked: Some(vec!["x".into()]),
        boxed: Box::new(Some(3)),
        five: Some(4),
        skipped: Some(6),
        list: vec![7],
        patch: Patch { a: Some(Some(8)), b: 9 },
    };
    let none = Options_ {
        plain: None,
        with: None,
        marked: None,
        boxed: Box::new(None),
        five: None,
        skipped: None,
        list: vec![],
        patch: Patch { a: None, b: 0 },
    };
    vec![
        Options_ { with: None, ..all.clone() },
        Options_ { patch: Patch::default(), ..all.clone() },
        Options_ { boxed: Box::new(None), ..none.clone() },
        all,
        none,
    ]
}

#[test]
fn a_skipped_option_of_an_option_is_none() {
    let none = Patch { a: None, b: 7 };
    let bytes = to_vec(&none).unwrap();
    assert_eq!(bytes, [13, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0, 7]);
    assert_eq!(from_slice::<Patch>(&bytes).unwrap(), none);
    round_trip(&Patch { a: Some(Some(1)), b: 7 });
    let error = to_vec(&Patch { a: Some(None), b: 7 }).unwrap_err();
    assert!(error.to_string().starts_with("`Some` of nothing takes zero bytes"), "{error}");
    assert_eq!(*error.path(), "a");
}

#[test]
fn options_without_a_default_are_none() {
    for value in all() {
        round_trip(&value);
        round_trip(&Some(value.clone()));
        round_trip(&(1u8, value.clone()));
        round_trip(&BTreeMap::from([(1u8, value)]));
    }
    round_trip(&all());
    // A tuple that looks like a table has the document read once more.
    round_trip(&(all(), [9u32, 8, 0]));
}

#[test]
fn variants_and_tuple_structs() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    enum Item {
        Patch {
            #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some")]
            a: Option<Option<String>>,
            #[serde(with = "halved")]
            b: Option<u8>,
        },
        Tuple(#[serde(with = "halved")] Option<u8>, u8),
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Tuple(#[serde(with = "halved")] Option<u8>, Box<Option<u8>>, u8);

    for b in [None, Some(2)] {
        round_trip(&Item::Patch { a: None, b });
        round_trip(&Item::Patch { a: Some(Some("x".into())), b });
        round_trip(&Item::Tuple(b, 1));
        round_trip(&Tuple(b, Box::new(b), 1));
        round_trip(&(Box::new(b), "x".to_owned()));
    }
}

/// What holds an option, or is written as one, comes back whatever its default is, unless it has the size of
/// an option of that option.
#[test]
fn a_default_does_not_replace_what_was_written() {
    mod zero_as_none {
        use super::*;

        pub(super) fn serialize<S: Ser>(value: &u8, serializer: S) -> Result<S::Ok, S::Error> {
            (*value != 0).then_some(*value).serialize(serializer)
        }

        pub(super) fn deserialize<'de, D: De<'de>>(deserializer: D) -> Result<u8, D::Error> {
            Ok(Option::deserialize(deserializer)?.unwrap_or(0))
        }
    }

    fn nine() -> u8 {
        9
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(default)]
    struct Held {
        boxed: Box<Option<u8>>,
        shared: Arc<Option<u64>>,
        cell: RefCell<Option<u8>>,
        #[serde(with = "zero_as_none")]
        zero: u8,
        #[serde(default = "nine", with = "zero_as_none")]
        nine: u8,
    }

    impl Default for Held {
        fn default() -> Self {
            let (boxed, shared) = (Box::new(Some(9)), Arc::new(Some(9)));
            Held { boxed, shared, cell: RefCell::new(Some(9)), zero: 9, nine: 8 }
        }
    }

    let (boxed, shared, cell) = (Box::new(None), Arc::new(None), RefCell::new(None));
    round_trip(&Held { boxed, shared, cell, zero: 0, nine: 0 });
    round_trip(&Held::default());
}

/// What one type shows is not held against another one with fields of the same names.
#[test]
fn types_with_fields_of_equal_names_are_told_apart() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Full {
        #[serde(with = "halved")]
        a: Option<u8>,
        b: u8,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct FullTuple(#[serde(with = "halved")] Option<u8>, u8);

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct PatchTuple(
        #[serde(default, deserialize_with = "some")] Option<Option<u8>>,
        #[serde(default)] u8,
    );

    let patch = || Patch { a: None, b: 1 };
    for a in [None, Some(2)] {
        round_trip(&(Full { a, b: 1 }, patch()));
        round_trip(&(patch(), Full { a, b: 1 }));
        round_trip(&(FullTuple(a, 1), PatchTuple(None, 1)));
    }
}

/// The same of variants of enums that have one name.
#[test]
fn variants_of_enums_of_one_name_are_told_apart() {
    mod one {
        use super::*;

        #[derive(Serialize, Deserialize, Debug, PartialEq)]
        #[serde(tag = "t", content = "c")]
        pub(super) enum Event {
            X {
                #[serde(default, skip_serializing_if = "is_zero")]
                a: u8,
                b: u8,
            },
        }

        fn is_zero(number: &u8) -> bool {
            *number == 0
        }
    }

    mod other {
        use super::*;

        #[derive(Serialize, Deserialize, Debug, PartialEq)]
        #[serde(tag = "t", content = "c")]
        pub(super) enum Event {
            X {
                #[serde(default = "five")]
                a: Option<u8>,
                b: u8,
            },
        }
    }

    round_trip(&(one::Event::X { a: 0, b: 1 }, other::Event::X { a: None, b: 1 }));
}

/// How often a document is begun does not follow its length.
#[test]
fn a_document_is_begun_as_often_as_types_differ() {
    use std::cell::Cell;

    thread_local! {
        static READ: Cell<usize> = const { Cell::new(0) };
    }

    #[derive(Serialize, Debug, PartialEq)]
    struct Counted(u8);

    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: De<'de>>(deserializer: D) -> Result<Self, D::Error> {
            READ.set(READ.get() + 1);
            u8::deserialize(deserializer).map(Counted)
        }
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Row {
        counted: Counted,
        #[serde(with = "halved")]
        a: Option<u8>,
        boxed: Box<Option<u8>>,
    }

    let row = || Row { counted: Counted(1), a: None, boxed: Box::new(None) };
    for count in [10, 100] {
        let rows: Vec<Row> = (0..count).map(|_| row()).collect();
        let bytes = to_vec(&rows).unwrap();
        READ.set(0);
        assert_eq!(from_slice::<Vec<Row>>(&bytes).unwrap(), rows);
        // Those but the last begin, which goes to the end: a fast attempt, where there is one, and two.
        assert_eq!(READ.get(), 1 + usize::from(cfg!(feature = "fast")) + count);
    }
}

/// Of a document that is read once and no more, a field is taken for what its type makes of it.
#[test]
fn a_deserializer_offers_each_field() {
    let value = &all()[4];
    let bytes = to_vec(value).unwrap();
    let read = Options_::deserialize(&mut Deserializer::from_slice(&bytes)).unwrap();
    assert_eq!(read, Options_ { patch: Patch { a: Some(None), b: 0 }, ..value.clone() });
}
