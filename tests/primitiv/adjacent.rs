//! Adjacently tagged enums, also behind `erased-serde`, where types keep to themselves what they make of a
//! tag.

use std::fmt::Debug;

use fourfold::primitiv::{from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Event {
    Unit,
    Has { x: u8 },
    Empty {},
    New(u16),
    Both(u8, String),
    Other,
}

/// A value whose both sides go through `erased-serde`.
#[derive(Clone, Debug, PartialEq)]
struct Erased<T>(T);

impl<T: Serialize> Serialize for Erased<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&self.0, to)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Erased<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value =
            erased_serde::deserialize(&mut <dyn erased_serde::Deserializer<'_>>::erase(from));
        value.map(Erased).map_err(serde::de::Error::custom)
    }
}

#[track_caller]
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    assert_eq!(from_slice::<T>(&to_vec(value).unwrap()).unwrap(), *value);
}

fn all() -> [Event; 6] {
    [
        Event::Has { x: 3 },
        Event::Unit,
        Event::Empty {},
        Event::New(9),
        Event::Both(1, "b".into()),
        Event::Other,
    ]
}

#[test]
fn every_variant_beside_every_other() {
    for one in all() {
        comes_back(&Erased(one.clone()));
        for other in all() {
            comes_back(&vec![one.clone(), other.clone()]);
            comes_back(&Erased(vec![one.clone(), other.clone()]));
            comes_back(&vec![Erased(one.clone()), Erased(other.clone())]);
            comes_back(&(Erased(one.clone()), other, 7_u8));
        }
    }
    comes_back(&Erased([all(), all(), all()].concat()));
}

/// Any number of numbers may be one variant, and each is learned by itself.
#[test]
fn numbers_that_are_learned_are_few() {
    #[derive(Debug, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Open {
        #[serde(other)]
        Unknown,
    }

    let numbers = |count: u32| {
        let mut bytes = vec![0xdd];
        bytes.extend(count.to_be_bytes());
        (0..count).for_each(|number| bytes.extend(to_vec(&number).unwrap()));
        bytes
    };
    let read: Vec<Open> = from_slice(&numbers(10_000)).unwrap();
    assert!(read.len() == 10_000 && matches!(read[0], Open::Unknown));
    assert_eq!(from_slice::<Erased<Vec<Open>>>(&numbers(256)).unwrap().0.len(), 256);
    let error = from_slice::<Erased<Vec<Open>>>(&numbers(10_000)).unwrap_err();
    assert!(error.to_string().contains("`deserialize_any`"), "{error}");
}

/// Also under the mark for names.
#[test]
fn variants_by_name() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c", rename = "named.Event")]
    enum Named {
        Unit,
        Has { x: u8 },
        Other,
    }

    let values = vec![Named::Has { x: 1 }, Named::Unit, Named::Other, Named::Has { x: 2 }];
    comes_back(&values);
    comes_back(&Erased(values.clone()));
    comes_back(&values.into_iter().map(Erased).collect::<Vec<_>>());
}

/// Nothing is taken for what it is not: a struct of two fields, and one around another.
#[test]
fn units_among_other_structs() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Two {
        first: Event,
        second: Event,
    }

    for first in all() {
        for second in all() {
            let two = Two { first: first.clone(), second };
            comes_back(&(two.clone(), Some(vec![two]), first.clone()));
        }
    }
}

/// What erased types are shows only by reading once more.
#[test]
fn a_deserializer_cannot_start_over() {
    for event in all() {
        let bytes = to_vec(&event).unwrap();
        let mut deserializer = fourfold::primitiv::Deserializer::from_slice(&bytes);
        assert_eq!(Event::deserialize(&mut deserializer).unwrap(), event);
    }
    let bytes = to_vec(&Event::Unit).unwrap();
    let mut deserializer = fourfold::primitiv::Deserializer::from_slice(&bytes);
    let error = Erased::<Event>::deserialize(&mut deserializer).unwrap_err();
    assert!(error.to_string().contains("`deserialize_any`"), "{error}");
}
