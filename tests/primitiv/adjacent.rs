//! Adjacently tagged enums: variants by name, and unit variants, which are refused. `tests/swap/adjacent.rs` has the others.

use fourfold::primitiv::{Options, Serializer, from_slice, to_vec};
use serde::{Deserialize, Serialize};

use crate::support::format::{Primitiv, both_ways};
use crate::through_erased::Erased;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Event {
    Unit,
    New(u16),
    Within(Box<Event>),
}

/// Cut at each byte.
#[test]
fn cut_variants_are_refused() {
    let bytes = to_vec(&Event::Within(Box::new(Event::New(7)))).unwrap();
    for size in 0..bytes.len() {
        let error = from_slice::<Event>(&bytes[..size]).unwrap_err();
        assert!(error.is_eof(), "{size} bytes: {error}");
    }
}

/// Also with the mark `named`.
#[test]
fn variants_by_name() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c", rename = "named.Event")]
    enum Named {
        Has { x: u8 },
        Other(u8),
    }

    let values = vec![Named::Has { x: 1 }, Named::Other(3), Named::Has { x: 2 }];
    both_ways::<Primitiv, _>(&values);
    both_ways::<Primitiv, _>(&Erased(values.clone()));
    both_ways::<Primitiv, _>(&values.into_iter().map(Erased).collect::<Vec<_>>());
}

/// Errors that the fields of a variant ignore are returned.
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
    both_ways::<Primitiv, _>(&Marked::Other(1));
    let mut serializer = Serializer::new(Vec::new());
    assert!(Event::Unit.serialize(&mut serializer).is_err());
    Event::New(1).serialize(&mut serializer).unwrap();
    assert_eq!(serializer.into_inner(), to_vec(&Event::New(1)).unwrap());
}

/// Their content would be read as a value of any type.
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
