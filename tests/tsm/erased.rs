//! Adjacently tagged enums through `erased-serde`, which does not pass on how types read a tag.

use std::fmt::Debug;

use fourfold::tsm::{ErrorKind, from_slice, to_vec};
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
fn assert_read_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    assert_eq!(from_slice::<T>(&to_vec(value).unwrap()).unwrap(), *value);
}

fn with_content() -> [Event; 4] {
    [Event::Has { x: 3 }, Event::Empty {}, Event::New(9), Event::Both(1, "b".into())]
}

#[test]
fn every_variant_next_to_every_other() {
    for one in with_content() {
        assert_read_back(&Erased(one.clone()));
        for other in with_content().into_iter().chain([Event::Unit]) {
            assert_read_back(&vec![one.clone(), other.clone()]);
            assert_read_back(&(Erased(one.clone()), other, 7_u8));
        }
        for other in with_content() {
            assert_read_back(&Erased(vec![one.clone(), other.clone()]));
            assert_read_back(&vec![Erased(one.clone()), Erased(other)]);
        }
    }
    assert_read_back(&Erased([with_content(), with_content(), with_content()].concat()));
}

/// serde shows no difference between a unit and the fields of a struct variant there.
#[test]
fn units_are_refused() {
    for bytes in [to_vec(&Erased(Event::Unit)).unwrap(), to_vec(&Event::Unit).unwrap()] {
        assert_eq!(from_slice::<Event>(&bytes).unwrap(), Event::Unit);
        let error = from_slice::<Erased<Event>>(&bytes).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::SelfDescribing), "{error}");
        assert_eq!((error.offset(), &*error.path().to_string()), (Some(4), "c"), "{error}");
        #[cfg(feature = "any")]
        assert_read_back(&fourfold::tsm::with::Any(Erased(Event::Unit)));
    }
}

/// Any number of numbers may be one variant.
#[test]
fn numbers_of_other_variants() {
    #[derive(Debug, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Open {
        #[serde(other)]
        Unknown,
    }

    let mut bytes = 10_000_u32.to_le_bytes().to_vec();
    (0..10_000_u32).for_each(|number| bytes.extend(number.to_le_bytes()));
    let read: Vec<Open> = from_slice(&bytes).unwrap();
    assert!(read.len() == 10_000 && matches!(read[0], Open::Unknown));
}
