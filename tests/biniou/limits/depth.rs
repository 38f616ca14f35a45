//! Writers refuse exactly the values that are too deep for readers.

use super::doubling;
use crate::round_trip::{AnyValue, Hex};
use crate::support::depth::{self, Deep, least_depth};
use crate::support::erased::{self, AnyType, TestType, check_each};
use crate::support::format::Biniou;
use crate::support::zoo;
use fourfold::Category;
use fourfold::biniou::with::{Optional, Shared, Table};
use fourfold::biniou::{Options, Value, from_slice};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

type Type = AnyType<Biniou>;

/// A type with most kinds of nesting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Tower {
    Top,
    Tuple(u8, Box<Tower>),
    Pair(Box<(u8, Tower)>),
    Array(Box<[Tower; 1]>),
    Map(BTreeMap<u8, Tower>),
    Rows(Table<Vec<Row>>),
    Shared(Shared<Rc<Tower>>),
    Field { maybe: Optional<Option<Box<Tower>>> },
    Named(Box<Named>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    id: u8,
    #[serde(with = "fourfold::biniou::with::optional", default)]
    inner: Option<Tower>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Named(Option<Tower>);

fn tower(levels: usize) -> Tower {
    (0..levels).fold(Tower::Top, |inner, level| match level % 8 {
        0 => Tower::Tuple(0, Box::new(inner)),
        1 => Tower::Pair(Box::new((0, inner))),
        2 => Tower::Array(Box::new([inner])),
        3 => Tower::Map(BTreeMap::from([(0, inner)])),
        4 => Tower::Rows(Table(vec![Row { id: 1, inner: Some(inner) }])),
        5 => Tower::Shared(Shared(Rc::new(inner))),
        6 => Tower::Field { maybe: Optional(Some(Box::new(inner))) },
        _ => Tower::Named(Box::new(Named(Some(inner)))),
    })
}

fn types() -> Vec<Deep<Biniou>> {
    depth::zoo().into_iter().chain([Deep::new("tower", tower)]).collect()
}

/// The tree of a value has no newtype structs and so is at most as deep.
fn check_tree(ty: &Type, value: &AnyValue, most: u16) {
    let typed = least_depth(ty, value, most);
    let wide = Options::new().max_depth(u16::MAX);
    if let Ok(bytes) = value.to_vec_with(&wide) {
        let tree = wide.from_slice::<Value>(&bytes).unwrap();
        let tree = least_depth(&Type::of::<Value>("Value"), &tree, most);
        let deeper = typed.unwrap_or(u16::MAX) >= tree.unwrap_or(u16::MAX);
        assert!(deeper, "{tree:?} as Value, {typed:?} for {value:?} in {}", Hex(&bytes));
    }
}

#[test]
fn writing_and_reading_agree_on_depth() {
    depth::writing_and_reading_agree(&types());
    for deep in types() {
        for levels in [3, 7, 13] {
            check_tree(&deep.ty, &*deep.value(levels), 90);
        }
    }
}

#[test]
fn writing_and_reading_agree_on_the_depth_of_every_type() {
    const CASES: usize = if cfg!(debug_assertions) { 12 } else { 40 };
    check_each(&erased::zoo(), |ty| {
        // A value that serde does not show completely may be written but not read.
        if ty.visible {
            ty.check(CASES, |_, value| check_tree(ty, value, 16));
        }
    });
}

#[test]
fn twenty_levels_are_accepted_and_two_hundred_refused() {
    depth::default_accepts(&types(), 20);
    let all = Options::new().max_depth(u16::MAX);
    for deep in types() {
        let bytes = deep.value(200).to_vec_with(&all).unwrap();
        let error = from_slice::<Value>(&bytes).unwrap_err();
        assert_eq!(error.category(), Category::Limit, "{}: {error}", deep.ty.name);
    }
}

/// What the documentation counts as a level.
#[test]
fn levels_are_as_documented() {
    #[track_caller]
    fn levels<T: TestType>(value: &T, wanted: u16) {
        assert_eq!(least_depth(&Type::of::<T>("value"), value, 8), Some(wanted), "{value:?}");
    }
    levels(&1_u8, 0);
    levels(&String::from("text"), 0);
    levels(&(), 0);
    levels(&None::<u8>, 0);
    levels(&Some(1_u8), 1);
    levels(&Some(Some(None::<u8>)), 2);
    levels(&vec![1_u8], 1);
    levels(&vec![vec![1_u8]], 2);
    levels(&(1_u8, "x".to_owned()), 1);
    levels(&zoo::Key { id: 1, name: "x".into() }, 1);
    levels(&zoo::Suit::Clubs, 0);
    levels(&zoo::Shape::Nothing, 0);
    levels(&zoo::Shape::Circle(1), 1);
    levels(&zoo::Shape::Line(zoo::Point { x: 1, y: 2 }, zoo::Point { x: 1, y: 2 }), 3);
    levels(&BTreeMap::from([(1_u8, 2_u8)]), 2);
    levels(&Shared(Rc::new(1_u8)), 1);
}

/// Skipping, reading as a tree and explaining report the same place for an argument that is too deep.
#[test]
fn arguments_that_are_too_deep_have_one_place() {
    let (num_variant, variant, shared) = ([22, 0x80], [23, 0x80, 0, 0, 1], [26, 0]);
    for front in [&num_variant[..], &variant, &shared] {
        let bytes = [front.repeat(140).as_slice(), &[24, 0]].concat();
        let skipped = from_slice::<IgnoredAny>(&bytes).unwrap_err();
        let read = from_slice::<Value>(&bytes).unwrap_err();
        assert_eq!(skipped.offset(), read.offset(), "{front:?}: {skipped}; {read}");
        assert_eq!(skipped.category(), Category::Limit);
    }
}

/// The work for shared values is proportional to the bytes.
#[test]
fn work_for_shared_values_is_linear() {
    thread_local! {
        static CALLS: Cell<usize> = const { Cell::new(0) };
    }

    struct Counted;
    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            CALLS.set(CALLS.get() + 1);
            Vec::<Counted>::deserialize(deserializer).map(|_| Counted)
        }
    }

    for levels in 1..=61 {
        let bytes = doubling(levels);
        CALLS.set(0);
        let _ = from_slice::<Counted>(&bytes);
        let most = 32 * bytes.len();
        assert!(CALLS.get() <= most, "{levels} levels: {} calls, {most}", CALLS.get());
    }
}
