//! Marked values at each position of a message.

use crate::round_trip::{Expected, Hex, assert_outcome, assert_reason, types, visible};
use crate::support::erased::{TestType, check_each};
use crate::support::random::{self, value};
use crate::support::zoo::{
    Carrier, EitherOption, Expression, Hollow, Key, Only, RenamedEnum, Shape, Suit,
};
use fourfold::primitiv::with::{Named, Text};
use fourfold::primitiv::{from_slice, to_vec};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct AtUse {
    #[serde(with = "fourfold::primitiv::with::text")]
    name: ByteBuf,
    #[serde(with = "fourfold::primitiv::with::text")]
    maybe: Option<ByteBuf>,
    #[serde(with = "fourfold::primitiv::with::named")]
    shape: Shape,
    #[serde(with = "fourfold::primitiv::with::named")]
    suit: Option<Suit>,
    after: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename = "text.Name")]
struct Name(ByteBuf);

/// Skipped variants at any position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "named.Event")]
enum Event {
    #[serde(skip)]
    Never,
    Start,
    #[serde(rename = "stop it")]
    Stop(u32),
    #[serde(skip)]
    NeverEither,
    Move {
        to: (u8, u8),
        #[serde(rename = "by")]
        how: Option<Box<Event>>,
    },
    Pair(u8, Option<u8>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename = "named.Small")]
enum Small {
    One,
    Two(u8),
}

#[test]
fn marked_values() {
    let types = types! {
        at_use: AtUse;
        text_of_bytes: Text<ByteBuf>;
        text_of_strings: Vec<Text<String>>;
        text_in_options: Vec<Option<Text<ByteBuf>>>;
        options_in_text: Vec<Text<Option<ByteBuf>>>;
        names: BTreeMap<Name, Option<Name>>;
        names_with_values: (Vec<(Name, u32)>, Vec<(Name, f32)>);
        named_shapes: Vec<Named<Shape>>;
        named_in_options: Vec<Option<Named<Hollow>>>;
        options_in_named: Vec<Named<Option<Suit>>>;
        named_carriers: Named<Carrier>;
        named_expressions: Named<Expression>;
        named_renamed: Vec<Named<RenamedEnum>>;
        named_only: (Named<Only>, u8);
        named_either: Named<EitherOption>;
        named_result: Vec<Named<Result<u8, String>>>;
        events: Vec<Event>;
        optional_events: Vec<Option<Option<Event>>>;
        small_keys: BTreeMap<Small, Small>;
    };
    check_each(&types, visible);
}

/// A mark determines how the value itself is written, not its content.
#[test]
fn names_of_variants() {
    assert_eq!(Hex(&to_vec(&Named(Suit::Clubs)).unwrap()), Hex(b"\xa5Clubs"));
    let circle = to_vec(&Named(Shape::Circle(1))).unwrap();
    assert_eq!(Hex(&circle), Hex(b"\xa6Circle\xce\0\0\0\x01"));
    let nested = to_vec(&Named(Carrier::Enum(Shape::Nothing))).unwrap();
    assert_eq!(Hex(&nested), Hex(b"\xa4Enum\xce\0\0\0\0"));
    // Names and indices are not interchangeable.
    assert!(from_slice::<Suit>(b"\xa5Clubs").is_err());
    assert!(from_slice::<Named<Suit>>(&to_vec(&Suit::Clubs).unwrap()).is_err());
    let error = from_slice::<(u8, Named<Suit>)>(b"\xce\0\0\0\0\xa5Clabs").unwrap_err();
    assert_reason(&error, &"Clabs");
    assert_eq!(error.offset(), Some(5), "{error}");
    assert_outcome("skipped", &Event::Never, Expected::Refusal);
    assert_outcome("skipped", &vec![Event::Start, Event::NeverEither], Expected::Refusal);
}

/// Values that a mark does not fit survive or are refused.
#[test]
fn marks_that_do_not_fit() {
    fn either<T: TestType>(name: &str) {
        random::check(name, 100, value::<T>, |_, value| match to_vec(&value) {
            Ok(bytes) => assert_eq!(from_slice::<T>(&bytes).unwrap(), value, "{name}"),
            Err(error) => assert_reason(&error, &value),
        });
    }
    either::<Text<u8>>("text of a number");
    either::<Text<Key>>("text of a struct");
    either::<Text<Vec<u8>>>("text of a list");
    either::<Text<Option<Option<ByteBuf>>>>("text of two options");
    either::<Text<(ByteBuf, ByteBuf)>>("text of a pair");
    either::<Text<Shape>>("text of an enum");
    either::<Text<Named<Suit>>>("text of a name");
    either::<Text<char>>("text of a char");
    either::<Text<u128>>("text of a large number");
    either::<Text<()>>("text of a unit");
    either::<Named<u8>>("named number");
    either::<Named<Key>>("named struct");
    either::<Named<Vec<Suit>>>("named list");
    either::<Named<(Suit, Suit)>>("named pair");
    either::<Named<Text<ByteBuf>>>("named text");
    either::<Named<()>>("named unit");
    either::<Named<Box<Suit>>>("named box");
    either::<Named<BTreeMap<Suit, Suit>>>("named map");
    either::<Named<Option<Option<Suit>>>>("named options");
}
