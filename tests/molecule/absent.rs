//! Fields without bytes: options that are `None`, and skipped fields.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use fourfold::molecule::{Options, from_slice, to_vec, with::dynvec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer as De, Serialize, Serializer as Ser};

/// The usual `deserialize_with` of a field that may be absent, null or a value.
fn some<'de, D: De<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

/// An option that is read by a user's function.
mod halved {
    use super::*;

    pub(super) fn serialize<S: Ser>(value: &Option<u8>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(|value| value / 2).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: De<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
        Ok(Option::<u8>::deserialize(deserializer)?.map(|value| value * 2))
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
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
        patch: Patch { a: Some(Some(0)), b: 0 },
    };
    vec![
        Options_ { with: None, ..all.clone() },
        Options_ { boxed: Box::new(None), ..none.clone() },
        all,
        none,
    ]
}

#[test]
fn a_skipped_option_of_an_option_is_null() {
    let bytes = to_vec(&Patch { a: None, b: 7 }).unwrap();
    assert_eq!(bytes, [13, 0, 0, 0, 12, 0, 0, 0, 12, 0, 0, 0, 7]);
    // The function reads an `Option`, and the empty slot is `None`.
    assert_eq!(from_slice::<Patch>(&bytes).unwrap(), Patch { a: Some(None), b: 7 });
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
        round_trip(&Item::Patch { a: Some(Some("x".into())), b });
        round_trip(&Item::Tuple(b, 1));
        round_trip(&Tuple(b, Box::new(b), 1));
        round_trip(&(Box::new(b), "x".to_owned()));
    }
}

/// Types that contain or are written as an option survive, whatever the default of the field is.
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
    struct Wrapped {
        boxed: Box<Option<u8>>,
        shared: Arc<Option<u64>>,
        cell: RefCell<Option<u8>>,
        #[serde(with = "zero_as_none")]
        zero: u8,
        #[serde(default = "nine", with = "zero_as_none")]
        nine: u8,
    }

    impl Default for Wrapped {
        fn default() -> Self {
            let (boxed, shared) = (Box::new(Some(9)), Arc::new(Some(9)));
            Wrapped { boxed, shared, cell: RefCell::new(Some(9)), zero: 9, nine: 8 }
        }
    }

    let (boxed, shared, cell) = (Box::new(None), Arc::new(None), RefCell::new(None));
    round_trip(&Wrapped { boxed, shared, cell, zero: 0, nine: 0 });
    round_trip(&Wrapped::default());
}
