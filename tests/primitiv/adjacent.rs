//! Adjacently tagged enums: which values are read back, also through `erased-serde`, and unit variants, which are refused.

use std::fmt::Debug;

use fourfold::primitiv::{Deserializer, Options, Serializer, from_slice, to_vec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Event {
    Unit,
    Has { x: u8 },
    Empty {},
    New(u16),
    Both(u8, String),
    Nothing(()),
    Maybe(Option<u8>),
    Within(Box<Event>),
}

/// A value whose both sides go through `erased-serde`.
#[derive(Clone, Debug, PartialEq)]
struct Erased<T>(T);

impl<T: Serialize> Serialize for Erased<T> {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        erased_serde::serialize(&self.0, to)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Erased<T> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value =
            erased_serde::deserialize(&mut <dyn erased_serde::Deserializer<'_>>::erase(from));
        value.map(Erased).map_err(serde::de::Error::custom)
    }
}

#[track_caller]
fn assert_read_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let bytes = to_vec(value).unwrap();
    assert_eq!(from_slice::<T>(&bytes).unwrap(), *value);
    let mut deserializer = Deserializer::from_slice(&bytes);
    assert_eq!(T::deserialize(&mut deserializer).unwrap(), *value);
    deserializer.end().unwrap();
}

fn all() -> [Event; 8] {
    [
        Event::Has { x: 3 },
        Event::Empty {},
        Event::New(9),
        Event::Both(1, "b".into()),
        Event::Nothing(()),
        Event::Maybe(None),
        Event::Maybe(Some(1)),
        Event::Within(Box::new(Event::Has { x: 4 })),
    ]
}

#[test]
fn every_variant_next_to_every_other() {
    for one in all() {
        assert_read_back(&Erased(one.clone()));
        for other in all() {
            assert_read_back(&vec![one.clone(), other.clone()]);
            assert_read_back(&Erased(vec![one.clone(), other.clone()]));
            assert_read_back(&vec![Erased(one.clone()), Erased(other.clone())]);
            assert_read_back(&(Erased(one.clone()), other, 7_u8));
        }
    }
    assert_read_back(&Erased([all(), all(), all()].concat()));
}

/// Also under the mark for names.
#[test]
fn variants_by_name() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c", rename = "named.Event")]
    enum Named {
        Has { x: u8 },
        Other(u8),
    }

    let values = vec![Named::Has { x: 1 }, Named::Other(3), Named::Has { x: 2 }];
    assert_read_back(&values);
    assert_read_back(&Erased(values.clone()));
    assert_read_back(&values.into_iter().map(Erased).collect::<Vec<_>>());
}

/// Nothing is taken for what it is not: a struct of two fields, and one around another.
#[test]
fn variants_among_other_structs() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Two {
        first: Event,
        second: Event,
    }

    for first in all() {
        for second in all() {
            let two = Two { first: first.clone(), second };
            assert_read_back(&(two.clone(), Some(vec![two]), first.clone()));
        }
    }
}

/// The fields of a variant that ignore their errors, or whose first element does, do not end the fields.
#[test]
fn a_field_that_ignores_its_value_is_refused() {
    #[derive(Debug, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Ignoring {
        A {
            #[serde(rename = "x")]
            _x: (serde::de::IgnoredAny, u8),
        },
    }

    #[derive(Serialize)]
    #[serde(tag = "t", content = "c")]
    enum Written {
        A { x: (u8, u8) },
    }

    let error = from_slice::<Ignoring>(&to_vec(&Written::A { x: (1, 2) }).unwrap()).unwrap_err();
    assert_eq!((error.offset(), error.path().to_string()), (Some(5), "c.0[0]".to_owned()));
}

#[test]
fn unit_variants_are_refused_when_written() {
    #[derive(Debug, Serialize, Deserialize, PartialEq)]
    #[serde(rename = "named.Marked", tag = "t", content = "c")]
    enum Marked {
        Unit,
        Other(u8),
    }

    fn path(value: &impl Serialize) -> String {
        let error = to_vec(value).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("a unit variant of an adjacently tagged enum could"), "{text}");
        error.path().to_string()
    }

    assert_eq!(path(&Event::Unit), "t");
    assert_eq!(path(&Erased(Event::Unit)), "t");
    assert_eq!(path(&Marked::Unit), "t");
    assert_eq!(path(&Some(Event::Unit)), "t");
    assert_eq!(path(&(1_u8, Event::Unit)), "[1].t");
    assert_eq!(path(&vec![Event::New(1), Event::Unit]), "[1].t");
    assert_eq!(path(&Event::Within(Box::new(Event::Unit))), "c.t");
    assert_read_back(&Marked::Other(1));
    let mut serializer = Serializer::new(Vec::new());
    assert!(Event::Unit.serialize(&mut serializer).is_err());
    Event::New(1).serialize(&mut serializer).unwrap();
    assert_eq!(serializer.into_inner(), to_vec(&Event::New(1)).unwrap());
}

/// Bytes that have one are refused: its content is read as a value of any type.
#[test]
fn unit_variants_are_refused_when_read() {
    let unit = to_vec(&0_u32).unwrap();
    for options in [Options::new(), Options::new().lenient(true)] {
        for content in [&[][..], &[0xc0], &[0x90], &[0xce, 0, 0, 0, 1]] {
            let bytes = [&unit, content].concat();
            let error = options.from_slice::<Event>(&bytes).unwrap_err();
            assert_eq!((error.offset(), error.path().to_string()), (Some(5), "c".to_owned()));
            assert!(error.to_string().contains("`deserialize_any`"), "{error}");
        }
    }
}

/// A struct and an enum of one name.
mod of_one_name {
    use super::*;

    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    pub(super) enum Kind {
        One,
        Two(u8),
    }

    pub(super) mod around {
        use super::*;

        #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
        pub(in super::super) struct Kind {
            pub(in super::super) list: Vec<super::Kind>,
        }
    }
}

#[test]
fn a_unit_variant_alone_in_a_struct_is_no_tag() {
    use of_one_name::{Kind, around};

    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    struct Holder {
        kind: Kind,
    }

    assert_read_back(&[Holder { kind: Kind::One }, Holder { kind: Kind::Two(1) }]);
    let list = |list| around::Kind { list };
    assert_read_back(&(list(vec![Kind::One]), Kind::One, vec![Kind::One]));
    assert_read_back(&vec![(list(vec![]), Kind::One, vec![Kind::One])]);
}
