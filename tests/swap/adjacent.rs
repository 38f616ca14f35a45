//! Adjacently tagged enums whose variants have content, in the formats without field names: they survive at each
//! position.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::support::format::{Format, both_ways, for_formats};
use crate::through_erased::Erased;

for_formats! {
    [molecule Molecule, primitiv Primitiv, tsm Tsm] {
        every_variant_next_to_every_other
        variants_in_all_places
        a_unit_variant_alone_in_a_struct_is_no_tag
    }
}

/// Through `erased-serde`, the serde method that reads a tag is not visible.
mod erased {
    use super::*;

    for_formats! { [primitiv Primitiv, tsm Tsm] { every_variant_next_to_every_other_erased } }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Event {
    Has { x: u8 },
    Empty {},
    Record { a: u8, b: Option<u8> },
    New(u16),
    Both(u8, String),
    Nothing(()),
    Maybe(Option<u8>),
    Within(Box<Event>),
}

/// A type that denies unknown fields sees that there are none after its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
enum Strict {
    Record { a: u8, b: bool },
    Nested { inner: Event },
}

/// It takes no memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Hollow {
    A { x: (), y: [u8; 0] },
}

fn all() -> [Event; 10] {
    [
        Event::Has { x: 3 },
        Event::Empty {},
        Event::Record { a: 1, b: None },
        Event::New(9),
        Event::Both(1, "b".into()),
        Event::Nothing(()),
        Event::Maybe(None),
        Event::Maybe(Some(1)),
        Event::Within(Box::new(Event::Has { x: 4 })),
        Event::Within(Box::new(Event::Within(Box::new(Event::Empty {})))),
    ]
}

/// A struct of two fields is not read as a tag and its content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Two<T> {
    first: T,
    second: T,
}

fn every_variant_next_to_every_other<F: Format>() {
    for one in all() {
        for other in all() {
            both_ways::<F, _>(&vec![one.clone(), other.clone()]);
            let two = Two { first: one.clone(), second: other };
            both_ways::<F, _>(&(two.clone(), Some(vec![two]), one.clone()));
        }
    }
}

fn every_variant_next_to_every_other_erased<F: Format>() {
    for one in all() {
        both_ways::<F, _>(&Erased(one.clone()));
        for other in all() {
            both_ways::<F, _>(&Erased(vec![one.clone(), other.clone()]));
            both_ways::<F, _>(&vec![Erased(one.clone()), Erased(other.clone())]);
            both_ways::<F, _>(&(Erased(one.clone()), other, 7_u8));
        }
    }
    both_ways::<F, _>(&Erased([all(), all(), all()].concat()));
}

/// Values alone, and nested at each position.
fn in_all_places<F: Format, T>(values: &[T])
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + Clone,
{
    for value in values {
        both_ways::<F, _>(value);
        both_ways::<F, _>(&Some(value.clone()));
        both_ways::<F, _>(&(1u8, value.clone()));
        both_ways::<F, _>(&(value.clone(), value.clone()));
    }
    both_ways::<F, _>(&BTreeMap::from_iter((0u8..).zip(values.iter().cloned())));
    both_ways::<F, _>(&values.iter().cloned().map(Some).chain([None]).collect::<Vec<_>>());
    both_ways::<F, _>(&values.to_vec());
}

fn variants_in_all_places<F: Format>() {
    in_all_places::<F, _>(&all());
    let nested = Strict::Nested { inner: Event::Record { a: 1, b: Some(2) } };
    in_all_places::<F, _>(&[Strict::Record { a: 1, b: true }, nested]);
    // tsm reads it as a unit.
    if F::NAME != "tsm" {
        in_all_places::<F, _>(&[Hollow::A { x: (), y: [] }]);
    }
}

/// A struct and an enum with the same name.
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

fn a_unit_variant_alone_in_a_struct_is_no_tag<F: Format>() {
    use of_one_name::{Kind, around};

    #[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
    struct Holder {
        kind: Kind,
    }

    in_all_places::<F, _>(&[Holder { kind: Kind::One }, Holder { kind: Kind::Two(1) }]);
    let list = |list| around::Kind { list };
    in_all_places::<F, _>(&[(list(vec![Kind::One]), Kind::One), (list(vec![]), Kind::One)]);
    both_ways::<F, _>(&(list(vec![Kind::One]), Kind::One, vec![Kind::One]));
}
