//! Verdicts on types that contain a refused type: values without the refused part survive a round trip.

use std::collections::BTreeMap;

use fourfold::biniou::with::{Int8, optional};
use fourfold::molecule::with::{DynVec, Struct};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::format::{Biniou, Molecule, Primitiv, Tsm};
use crate::{Checks, Values, agrees};

#[derive(Serialize, Deserialize, PartialEq)]
enum Part<T> {
    Good(u8),
    Bad(T),
}

#[derive(Serialize, Deserialize, PartialEq)]
enum Expression<T> {
    Literal(T),
    Negative(Box<Expression<T>>),
    Sum { left: Box<Expression<T>>, right: Box<Expression<T>> },
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Chain<T> {
    value: T,
    next: Option<Box<Chain<T>>>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Tree<T> {
    value: u8,
    inside: Vec<Tree<T>>,
    other: Option<T>,
}

/// Checks types that contain a type of which every value is refused.
fn check_types_that_contain<F: Checks, T: Serialize + DeserializeOwned + PartialEq>(
    bad: fn() -> T,
) {
    agrees::<F, _>(Values::None, [bad()]);
    agrees::<F, _>(Values::None, [(bad(), 1u8)]);
    agrees::<F, _>(Values::None, [[bad(), bad()]]);
    agrees::<F, _>(Values::Some, [None, Some(bad())]);
    agrees::<F, _>(Values::Some, [vec![], vec![bad()]]);
    agrees::<F, _>(Values::Some, [BTreeMap::new(), BTreeMap::from([(1u8, bad())])]);
    agrees::<F, _>(Values::Some, [Part::Good(1), Part::Bad(bad())]);
    agrees::<F, _>(Values::Some, [(1u8, Part::Good(1)), (1, Part::Bad(bad()))]);
    let literal = || Box::new(Expression::Literal(bad()));
    agrees::<F, _>(
        Values::None,
        [
            Expression::Literal(bad()),
            Expression::Negative(literal()),
            Expression::Sum { left: literal(), right: literal() },
        ],
    );
    let last = || Chain { value: bad(), next: None };
    agrees::<F, _>(Values::None, [last(), Chain { value: bad(), next: Some(Box::new(last())) }]);
    let leaf = |other| Tree { value: 1, inside: vec![], other };
    agrees::<F, _>(
        Values::Some,
        [
            leaf(None),
            leaf(Some(bad())),
            Tree { value: 1, inside: vec![leaf(None), leaf(Some(bad()))], other: None },
        ],
    );
}

#[test]
fn values_without_the_refused_type_survive() {
    check_types_that_contain::<Molecule, Value>(|| json!({ "a": [1] }));
    check_types_that_contain::<Tsm, Value>(|| json!({ "a": [1] }));
    check_types_that_contain::<Primitiv, Value>(|| json!({ "a": [1] }));
    check_types_that_contain::<Biniou, Int8<String>>(|| Int8("x".to_owned()));
}

/// `check` reports the same error and hint as the writer.
#[test]
fn adjacently_tagged_unit_variants_are_refused() {
    #[derive(Serialize, Deserialize, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Units {
        A,
        B,
    }
    #[derive(Serialize, Deserialize, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Newtypes {
        A,
        B(u8),
    }
    #[derive(Serialize, Deserialize, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Structs {
        A,
        B { b: u8 },
    }
    #[derive(Serialize, Deserialize, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Others {
        A { a: u8 },
        B(String),
    }
    #[derive(Serialize, Deserialize, PartialEq)]
    struct Marked(#[serde(with = "fourfold::molecule::with::any")] Units);

    fn check<F: Checks>() {
        agrees::<F, _>(Values::None, [Units::A, Units::B]);
        agrees::<F, _>(Values::Some, [Newtypes::A, Newtypes::B(1)]);
        agrees::<F, _>(Values::Some, [Structs::A, Structs::B { b: 1 }]);
        agrees::<F, _>(Values::All, [Others::A { a: 1 }, Others::B(String::new())]);
        agrees::<F, _>(Values::All, [Marked(Units::A), Marked(Units::B)]);
        agrees::<F, _>(Values::None, [(1u8, Units::A)]);
        agrees::<F, _>(Values::Some, [None, Some(Units::A)]);
        let error = F::to_vec(&Units::A).unwrap_err();
        let verdict = F::check::<Units>().to_string();
        let hint = error.hint().unwrap();
        assert_eq!(verdict, format!("never\n{}: {hint}", error.kind()));
        assert_eq!(error.to_string(), format!("{} in t; {hint}", error.kind()));
    }
    check::<Molecule>();
    check::<Primitiv>();
}

/// Of types that call `deserialize_any`, biniou reads back the values without names.
#[test]
fn biniou_reads_back_values_without_names() {
    #[derive(Serialize, Deserialize, PartialEq)]
    #[serde(untagged)]
    enum Loose {
        Number(u32),
        Text(String),
        Items(Vec<Option<bool>>),
        Record { a: u8 },
    }
    #[derive(Serialize, Deserialize, PartialEq)]
    struct Flat<T> {
        id: u8,
        #[serde(flatten)]
        rest: T,
    }
    #[derive(Serialize, Deserialize, PartialEq)]
    struct Point<T> {
        x: T,
        y: u8,
    }

    agrees::<Biniou, _>(
        Values::Some,
        [
            Loose::Number(7),
            Loose::Text("x".to_owned()),
            Loose::Items(vec![None, Some(true)]),
            Loose::Record { a: 1 },
        ],
    );
    agrees::<Biniou, _>(Values::Some, [json!(1), json!("x"), json!([1, 2]), json!({ "a": 1 })]);
    let flat = |x| Flat { id: 1, rest: Point { x, y: 2 } };
    agrees::<Biniou, _>(
        Values::Some,
        [flat(None), flat(Some(Part::Good(1))), flat(Some(Part::Bad(())))],
    );
}

#[test]
fn molecule_refuses_some_values() {
    #[derive(Serialize, Deserialize, PartialEq)]
    #[serde(rename = "union.Choice.One-0")]
    enum Choice {
        One,
        Two,
    }

    agrees::<Molecule, _>(Values::Some, [None, Some(None), Some(Some(1u8))]);
    agrees::<Molecule, _>(Values::Some, [DynVec(vec![]), DynVec(vec![1u8])]);
    agrees::<Molecule, _>(Values::None, [Struct((1u8, "x".to_owned()))]);
    agrees::<Molecule, _>(Values::Some, [Choice::One, Choice::Two]);
}

#[test]
fn biniou_refuses_some_values() {
    #[derive(Serialize, Deserialize, PartialEq)]
    struct Optional {
        #[serde(with = "optional")]
        a: Option<u8>,
    }
    #[derive(Serialize, Deserialize, PartialEq)]
    enum Same {
        Record { azdwbie: u8, c7diagq: u8 },
        Other(u8),
    }
    #[derive(Serialize, Deserialize, PartialEq)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Unit,
        Number(u32),
        Record { a: u8, b: u8 },
    }

    agrees::<Biniou, _>(Values::Some, [Optional { a: None }, Optional { a: Some(1) }]);
    agrees::<Biniou, _>(Values::Some, [Same::Record { azdwbie: 1, c7diagq: 2 }, Same::Other(1)]);
    agrees::<Biniou, _>(
        Values::All,
        [Adjacent::Unit, Adjacent::Number(1), Adjacent::Record { a: 1, b: 2 }],
    );
}

/// Such a newtype has no values, so any verdict on it is true.
#[test]
fn newtypes_that_contain_themselves_end_the_check() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Endless(Box<Endless>);

    fn check_returns<F: Checks>() {
        let _ = F::check::<Endless>();
        let _ = F::check::<(u8, Option<Endless>)>();
    }
    check_returns::<Molecule>();
    check_returns::<Biniou>();
    check_returns::<Tsm>();
    check_returns::<Primitiv>();
}
