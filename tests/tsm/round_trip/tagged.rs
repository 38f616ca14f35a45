//! Enums with other representations than serde's default.

use super::{Hex, assert_reason};
use crate::support::erased::TestType;
use crate::support::random::{Dice, value};
use crate::support::zoo::{Key, Suit};
use fourfold::tsm::{from_reader, from_slice, to_vec};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Tag and content, with contents of every kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value")]
pub(crate) enum AdjacentAll {
    Unit,
    Number(u32),
    Pair(u8, String),
    Record { a: u8, b: Vec<String> },
    Inside(Key),
    Maybe(Option<u8>),
    Nothing(()),
    None(),
    Empty {},
    Map(BTreeMap<String, u8>),
    Deep(Box<AdjacentAll>),
}

impl AdjacentAll {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        match value::<usize>(g) % 11 {
            0 => AdjacentAll::Unit,
            1 => AdjacentAll::Number(value(g)),
            2 => AdjacentAll::Pair(value(g), value(g)),
            3 => AdjacentAll::Record { a: value(g), b: value(g) },
            4 => AdjacentAll::Inside(value(g)),
            5 => AdjacentAll::Maybe(value(g)),
            6 => AdjacentAll::Nothing(()),
            7 => AdjacentAll::None(),
            8 => AdjacentAll::Empty {},
            9 => AdjacentAll::Map(value(g)),
            _ => AdjacentAll::Deep(Box::new(AdjacentAll::sample(g))),
        }
    }

    pub(crate) fn samples(g: &mut Dice) -> VecAdjacentAll {
        (0..value::<usize>(g) % 4).map(|_| AdjacentAll::sample(g)).collect()
    }
}

pub(crate) type VecAdjacentAll = Vec<AdjacentAll>;

/// Contents that serde reads without `deserialize_any`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c", rename_all = "lowercase")]
pub(crate) enum AdjacentNewtypes {
    One(u8),
    Two(String),
    Three(Option<Vec<u8>>),
    Four(u8, Suit),
    Five(Box<Option<AdjacentNewtypes>>),
}

/// Two such enums, whose indices have different meanings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AdjacentMixed {
    a: AdjacentAll,
    b: Vec<(AdjacentOther, AdjacentAll)>,
    c: AdjacentOther,
    d: Option<Box<AdjacentMixed>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "a", content = "b")]
pub(crate) enum AdjacentOther {
    Number(u8),
    Unit,
    Inner(Box<AdjacentAll>),
    Pair(Box<AdjacentOther>, u8),
    Map(BTreeMap<u8, AdjacentOther>),
    Last,
}

impl AdjacentOther {
    fn sample(g: &mut Dice) -> Self {
        match value::<usize>(g) % 6 {
            0 => AdjacentOther::Number(value(g)),
            1 => AdjacentOther::Unit,
            2 => AdjacentOther::Inner(Box::new(AdjacentAll::sample(g))),
            3 => AdjacentOther::Pair(Box::new(AdjacentOther::sample(g)), value(g)),
            4 => AdjacentOther::Map(BTreeMap::from([(value(g), AdjacentOther::Last)])),
            _ => AdjacentOther::Last,
        }
    }
}

impl AdjacentMixed {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        let b = 0..value::<usize>(g) % 4;
        AdjacentMixed {
            a: AdjacentAll::sample(g),
            b: b.map(|_| (AdjacentOther::sample(g), AdjacentAll::sample(g))).collect(),
            c: AdjacentOther::sample(g),
            d: (value::<usize>(g) % 3 == 0).then(|| Box::new(AdjacentMixed::sample(g))),
        }
    }
}

/// The tag is a field among the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
pub(crate) enum InternalAll {
    Unit,
    Record { a: u8, b: Option<String> },
    Inside(Key),
    Map(BTreeMap<String, u8>),
}

impl InternalAll {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        match value::<usize>(g) % 4 {
            0 => InternalAll::Unit,
            1 => InternalAll::Record { a: value(g), b: value(g) },
            2 => InternalAll::Inside(value(g)),
            _ => InternalAll::Map(value(g)),
        }
    }
}

/// One variant without a tag, after others that have one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum UntaggedVariant {
    One(u8),
    Two {
        a: u8,
    },
    #[serde(untagged)]
    Rest(Vec<u16>),
}

impl UntaggedVariant {
    pub(crate) fn sample(g: &mut Dice) -> Self {
        match value::<usize>(g) % 3 {
            0 => UntaggedVariant::One(value(g)),
            1 => UntaggedVariant::Two { a: value(g) },
            _ => UntaggedVariant::Rest(value(g)),
        }
    }
}

/// The content of an adjacently tagged enum is read as its type. A content that accepts any type is not read as a unit.
#[test]
fn types_that_accept_any_kind_as_content() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Loose {
        Number(u32),
        Nothing,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum LooseStruct {
        Named { a: u32 },
        Text(String),
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Holds {
        Unit,
        Loose(Loose),
        Named(LooseStruct),
        Json(serde_json::Value),
        Internal(InternalAll),
        Pair(Loose, u32),
        Inside { a: Loose, b: u32 },
        Deep(Box<Holds>),
    }
    #[track_caller]
    fn equal_or_refused<T: TestType>(value: &T) {
        let Ok(bytes) = to_vec(value) else { return };
        for read in [from_slice::<T>(&bytes), from_reader::<_, T>(bytes.as_slice())] {
            match read {
                Ok(back) => assert_eq!(&back, value, "{}", Hex(&bytes)),
                Err(error) => assert_reason(&error, value),
            }
        }
    }
    let record = InternalAll::Record { a: 1, b: None };
    let all = [
        Holds::Unit,
        Holds::Loose(Loose::Number(1)),
        Holds::Loose(Loose::Number(0)),
        Holds::Loose(Loose::Nothing),
        Holds::Named(LooseStruct::Named { a: 1 }),
        Holds::Named(LooseStruct::Text("a".into())),
        Holds::Json(serde_json::json!(null)),
        Holds::Json(serde_json::json!(1_u32)),
        Holds::Json(serde_json::json!([1_u8])),
        Holds::Json(serde_json::json!({"a": 1})),
        Holds::Internal(InternalAll::Unit),
        Holds::Internal(record),
        Holds::Pair(Loose::Number(1), 2),
        Holds::Pair(Loose::Nothing, 2),
        Holds::Inside { a: Loose::Number(1), b: 2 },
        Holds::Inside { a: Loose::Nothing, b: 2 },
        Holds::Deep(Box::new(Holds::Unit)),
        Holds::Deep(Box::new(Holds::Loose(Loose::Number(1)))),
    ];
    for one in &all {
        equal_or_refused(one);
        for other in &all {
            equal_or_refused(&(one.clone(), other.clone()));
            equal_or_refused(&vec![one.clone(), other.clone(), Holds::Unit]);
        }
        for after in [vec![], vec![0_u32], vec![1, 0], vec![0, 0, 0]] {
            equal_or_refused(&(one.clone(), after.clone()));
            equal_or_refused(&(Holds::Unit, one.clone(), after.clone()));
            equal_or_refused(&(vec![one.clone(); 2], after));
        }
        for text in ["", "a", "abcd"] {
            equal_or_refused(&(one.clone(), text.to_owned()));
            equal_or_refused(&(one.clone(), text.as_bytes().to_vec(), Some(one.clone())));
        }
    }
}
