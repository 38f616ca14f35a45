//! Adjacently tagged enums in all formats: the request for the content shows the kind of the variant.

use std::cell::Cell;
use std::fmt;

use fourfold::tsm::with::Any;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

use crate::support::format::{Format, both_ways, for_formats};

// Those in which fields have no names. Molecule and primitiv refuse units: tests/molecule/unions.rs, tests/primitiv/adjacent.rs.
for_formats! {
    [tsm Tsm] {
        units_are_read_once
        enums_without_memory
        enums_of_one_name_are_distinguished
        content_that_needs_a_self_describing_format_is_refused
    }
}

mod refused {
    use super::*;

    for_formats! { [molecule Molecule, primitiv Primitiv] { content_that_needs_a_self_describing_format_is_refused } }
}

thread_local! {
    static READ: Cell<usize> = const { Cell::new(0) };
}

#[derive(Serialize, Debug, PartialEq)]
struct Counted(u8);

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        READ.set(READ.get() + 1);
        Vec::<u8>::deserialize(deserializer).map(|bytes| Counted(bytes.len().try_into().unwrap()))
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Many {
    A,
    B,
    C,
    D { x: u8, y: String },
    E {},
}

/// Unit variants are recognized, so no message is read twice, even with many of them.
fn units_are_read_once<F: Format>() {
    let list = || vec![Many::D { x: 1, y: "y".into() }, Many::A, Many::B, Many::E {}, Many::C];
    both_ways::<F, _>(&list());
    let bytes = F::to_vec(&(vec![0_u8; 3], list())).unwrap();
    READ.set(0);
    let (counted, read) = F::from_slice::<(Counted, Vec<Many>)>(&bytes).unwrap();
    assert_eq!((counted, read), (Counted(3), list()));
    assert_eq!(READ.get(), 1);
}

/// Enums without size are treated as units: their fields are refused.
fn enums_without_memory<F: Format>() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Unit {
        A,
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Fields {
        A { x: (), y: [u8; 0] },
    }

    both_ways::<F, _>(&(Unit::A, 7_u8, String::new()));
    both_ways::<F, _>(&vec![Unit::A]);
    let bytes = F::to_vec(&vec![Fields::A { x: (), y: [] }]).unwrap();
    let error = F::from_slice::<Vec<Fields>>(&bytes).unwrap_err();
    assert_eq!((error.offset(), &*error.path().to_string()), (Some(8), "[0].c"), "{error}");
    assert!(error.to_string().contains("with::any"), "{error}");
    both_ways::<F, _>(&vec![Any(Fields::A { x: (), y: [] })]);
}

/// Two enums with the same name in one message, where a unit variant of each has fields in the other.
fn enums_of_one_name_are_distinguished<F: Format>() {
    mod one {
        use super::*;

        #[derive(Serialize, Deserialize, Debug, PartialEq)]
        #[serde(tag = "t", content = "c")]
        pub(super) enum Event {
            Ping,
            Other { x: u8, y: u8 },
        }
    }

    mod other {
        use super::*;

        #[derive(Serialize, Deserialize, Debug, PartialEq)]
        #[serde(tag = "t", content = "c")]
        pub(super) enum Event {
            Data { x: u8, y: u8 },
            Nothing,
        }
    }

    let all = (
        vec![one::Event::Ping, one::Event::Other { x: 1, y: 2 }],
        vec![other::Event::Nothing, other::Event::Data { x: 3, y: 4 }],
    );
    both_ways::<F, _>(&all);
    both_ways::<F, _>(&(all.1, all.0));
}

/// Content that needs a self-describing format, and would accept an empty value, is refused.
fn content_that_needs_a_self_describing_format_is_refused<F: Format>() {
    fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        struct Lenient;

        impl Visitor<'_> for Lenient {
            type Value = u32;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or nothing")
            }

            fn visit_unit<E>(self) -> Result<u32, E> {
                Ok(0)
            }
        }

        deserializer.deserialize_any(Lenient)
    }

    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Untyped {
        Unit,
        Number(#[serde(deserialize_with = "lenient")] u32),
    }

    let bytes = F::to_vec(&(Untyped::Number(4), vec![1_u8])).unwrap();
    let error = F::from_slice::<(Untyped, Vec<u8>)>(&bytes).unwrap_err().to_string();
    assert!(error.contains("with::any") || F::NAME == "molecule", "{error}");
}
