//! Adjacently tagged enums in all formats: what a variant is shows in what its content is read as.

use std::cell::Cell;
use std::fmt::{self, Debug};

use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Written and read in each format in which fields have no names.
macro_rules! each_format {
    ($value:expr, |$name:ident, $bytes:ident, $from_slice:ident| $then:expr) => {{
        each_format!(@ molecule, $value, $name, $bytes, $from_slice, $then);
        each_format!(@ tsm, $value, $name, $bytes, $from_slice, $then);
        each_format!(@ primitiv, $value, $name, $bytes, $from_slice, $then);
    }};
    (@ $format:ident, $value:expr, $name:ident, $bytes:ident, $from_slice:ident, $then:expr) => {{
        #[allow(unused_imports, reason = "some only want the bytes")]
        use fourfold::$format::from_slice as $from_slice;
        let $name = stringify!($format);
        let $bytes = fourfold::$format::to_vec($value).unwrap();
        $then
    }};
}

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    each_format!(value, |name, bytes, from_slice| {
        assert_eq!(from_slice::<T>(&bytes).unwrap(), *value, "{name}");
    });
}

thread_local! {
    static READ: Cell<usize> = const { Cell::new(0) };
}

#[derive(Serialize, Debug, PartialEq)]
struct Counted(u8);

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        READ.set(READ.get() + 1);
        // A value of its own, so that small ones are not tried in a fast way first.
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

/// Units are known for what they are, however many there are: nothing is read again for one.
#[test]
fn units_are_read_once() {
    let list = || vec![Many::D { x: 1, y: "y".into() }, Many::A, Many::B, Many::E {}, Many::C];
    comes_back(&list());
    each_format!(&(vec![0_u8; 3], list()), |name, bytes, from_slice| {
        READ.set(0);
        let (counted, read) = from_slice::<(Counted, Vec<Many>)>(&bytes).unwrap();
        assert_eq!((counted, read), (Counted(3), list()), "{name}");
        let most = if name == "molecule" { 2 } else { 1 };
        assert!(READ.get() <= most, "{name}: {}", READ.get());
    });
}

/// Those that take no memory are units or have fields without any.
#[test]
fn enums_without_memory_come_back() {
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

    comes_back(&(Unit::A, 7_u8, String::new()));
    comes_back(&(Fields::A { x: (), y: [] }, 7_u8, String::new()));
    comes_back(&vec![Fields::A { x: (), y: [] }]);
    comes_back(&vec![Unit::A]);
}

/// Two enums of one name in one document, of which each calls a unit what has fields in the other.
#[test]
fn enums_of_one_name_are_told_apart() {
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
    comes_back(&all);
    comes_back(&(all.1, all.0));
}

/// Content that asks the data for its type, and would take nothing for an answer, is refused.
#[test]
fn content_that_asks_for_its_type_is_refused() {
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
    enum Asks {
        Unit,
        Number(#[serde(deserialize_with = "lenient")] u32),
    }

    each_format!(&(Asks::Number(4), vec![1_u8]), |name, bytes, from_slice| {
        let read = from_slice::<(Asks, Vec<u8>)>(&bytes);
        let error = read.unwrap_err().to_string();
        assert!(error.contains("mark it `any`") || name == "molecule", "{name}: {error}");
    });
}
