//! Compares the verdict of `check` on a Rust type with what the format does with values of the type.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod marks;
mod schemas;
#[path = "../../../tests/support/mod.rs"]
mod support;
#[allow(dead_code, reason = "the page's own test needs the rest")]
#[path = "../../../tests/support/types/mod.rs"]
mod types;
mod verdicts;

use std::fmt::Debug;
use std::marker::PhantomData;

use fourfold_schema::Verdict;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::support::format::{Biniou, Format, Molecule, Primitiv, Tsm};
use crate::support::random::{Dice, value};
use crate::support::zoo::{self, *};
use crate::types::Rows;

support::format::formats!(biniou Biniou, molecule Molecule, primitiv Primitiv, tsm Tsm);

/// Values of each type.
const COUNT: usize = 100;

/// A format whose crate checks Rust types.
pub(crate) trait Checks: Format {
    fn check<T: DeserializeOwned>() -> Verdict;
}

macro_rules! checks {
    ($($format:ident by $module:ident)*) => {$(
        impl Checks for $format {
            fn check<T: DeserializeOwned>() -> Verdict {
                fourfold_schema::$module::check::<T>()
            }
        }
    )*};
}

checks! { Biniou by atd  Molecule by mol  Primitiv by primitiv  Tsm by tsm }

/// Why a value does not survive a round trip, or `None` if it does.
pub(crate) fn loss<F: Format, T: Serialize + DeserializeOwned + PartialEq>(
    value: &T,
) -> Option<String> {
    loss_by::<F, T>(value, T::eq)
}

fn loss_by<F: Format, T: Serialize + DeserializeOwned>(
    value: &T,
    same: fn(&T, &T) -> bool,
) -> Option<String> {
    let bytes = match F::to_vec(value) {
        Ok(bytes) => bytes,
        Err(error) => return Some(format!("{error:?}")),
    };
    match F::from_slice::<T>(&bytes) {
        Ok(again) => (!same(&again, value)).then(|| "another value".to_owned()),
        Err(error) => Some(format!("{error:?}")),
    }
}

/// A verdict without its mismatches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Values {
    All,
    Some,
    None,
}

/// The verdict of `check` on a type.
pub(crate) fn checked<F: Checks, T: DeserializeOwned>() -> Values {
    match F::check::<T>() {
        Verdict::Always => Values::All,
        Verdict::SomeValues(_) => Values::Some,
        Verdict::Never(_) => Values::None,
    }
}

/// Whether all, some or none of the values survive a round trip.
fn tried<F: Format, T: Serialize + DeserializeOwned>(
    values: impl IntoIterator<Item = T>,
    same: fn(&T, &T) -> bool,
) -> Values {
    let lost: Vec<bool> =
        values.into_iter().map(|value| loss_by::<F, T>(&value, same).is_some()).collect();
    match (lost.contains(&false), lost.contains(&true)) {
        (_, false) => Values::All,
        (true, true) => Values::Some,
        (false, true) => Values::None,
    }
}

/// Asserts that the verdict on a type, and what happens to some of its values, is `expected`.
pub(crate) fn agrees<F: Checks, T: Serialize + DeserializeOwned + PartialEq>(
    expected: Values,
    values: impl IntoIterator<Item = T>,
) {
    let name = std::any::type_name::<T>();
    assert_eq!(tried::<F, T>(values, T::eq), expected, "{}: values of {name}", F::NAME);
    assert_eq!(checked::<F, T>(), expected, "{}: {name}\n{:?}", F::NAME, F::check::<T>());
}

/// A type whose verdict differs from what happens to its values: its name, the verdict, the values.
type Difference = (&'static str, Values, Values);

fn compare<F: Checks, T: Serialize + DeserializeOwned>(
    name: &'static str,
    values: impl IntoIterator<Item = T>,
    same: fn(&T, &T) -> bool,
    found: &mut Vec<Difference>,
) {
    let (checked, tried) = (checked::<F, T>(), tried::<F, T>(values, same));
    if checked != tried {
        println!("{}, {name}: {:?}", F::NAME, F::check::<T>());
        found.push((name, checked, tried));
    }
}

/// Types whose `Serialize` and `Deserialize` differ: they skip fields that they read, or read fields that they skip.
/// `check` traces `Deserialize` only.
pub(crate) const READ_AND_WRITTEN_DIFFERENTLY: [&str; 5] =
    ["SkipsIf", "SkippedVariant", "ReadOnly", "WriteOnly", "TupleSkipsIf"];

fn check_zoo<F: Checks>(differences: &[Difference]) {
    let mut found = Vec::new();
    macro_rules! compare_all {
        ($($word:ident $name:ident = $make:expr;)*) => {$(
            let mut dice = Dice::of(stringify!($name));
            let values = (0..COUNT).map(|_| $make(&mut dice));
            compare::<F, zoo::$name>(stringify!($name), values, zoo::$name::eq, &mut found);
        )*};
    }
    for_each_zoo_type!(compare_all);
    assert_eq!(found, differences, "{}", F::NAME);
}

/// The listed types are the exceptions. For a type that calls `deserialize_any`, biniou's verdict is `SomeValues`: only
/// values without names survive, and tracing does not show whether a value has names.
#[test]
fn verdicts_on_zoo_types_agree_with_their_values() {
    use Values::{All, None, Some};

    check_zoo::<Molecule>(&[
        ("ReadOnly", All, None),
        ("WriteOnly", All, None),
        ("TupleSkipsIf", All, Some),
    ]);
    check_zoo::<Biniou>(&[
        ("FlattenStruct", Some, All),
        ("FlattenMap", Some, All),
        ("FlattenNested", Some, None),
        ("Internal", Some, None),
        ("ReadOnly", All, Some),
        ("WriteOnly", All, Some),
        ("TupleSkipsIf", All, Some),
    ]);
    let differences = &[
        ("SkipsIf", All, None),
        ("SkippedVariant", All, Some),
        ("ReadOnly", All, None),
        ("WriteOnly", All, None),
        ("TupleSkipsIf", All, Some),
    ];
    check_zoo::<Tsm>(differences);
    check_zoo::<Primitiv>(differences);
}

/// Compares verdict and values for each row of *Will my type work?*
struct Compare<F>(Vec<Difference>, PhantomData<F>);

impl<F: Checks> Rows for Compare<F> {
    fn group(&mut self, _: &'static str) {}

    fn row<T>(&mut self, name: &'static str, values: Vec<T>)
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug + 'static,
    {
        compare::<F, T>(name, values, types::equal, &mut self.0);
    }

    /// `check` takes only types that own their data.
    fn borrowed<T>(&mut self, _: &'static str, _: Vec<T>)
    where
        T: Serialize + Deserialize<'static> + PartialEq + Debug + 'static,
    {
    }
}

fn check_documented_types<F: Checks>(differences: &[Difference]) {
    let mut compare = Compare::<F>(Vec::new(), PhantomData);
    types::rows(&mut compare);
    assert_eq!(compare.0, differences, "{}", F::NAME);
}

/// The same for the types of *Will my type work?* `OsString` has a variant for another system, so its verdict is
/// `SomeValues`. 5,000 units take no bytes, so tsm refuses their count.
#[test]
fn verdicts_on_documented_types_agree_with_their_values() {
    use Values::{All, None, Some};

    const SYSTEM: Difference = ("`OsString`", Some, All);
    const SKIPS: [Difference; 7] = [
        ("`skip_serializing_if = \"Option::is_none\"`", All, Some),
        ("`skip_serializing_if = \"Option::is_none\"` with `default`", All, Some),
        ("`skip_serializing_if = \"Vec::is_empty\"` with `default`", All, Some),
        ("`skip_serializing_if` with the same `default = \"..\"`", All, Some),
        ("`skip_serializing_if` with another `default`", All, Some),
        ("`Option<Option<T>>`: absent, null, value (`double_option`)", All, Some),
        ("`skip_serializing_if` in a tuple struct", All, Some),
    ];
    let [.., default, double, tuple] = SKIPS;
    const ONE_SIDE: [Difference; 3] = [
        ("`skip_deserializing` alone", All, None),
        ("`skip_serializing` alone, with `default`", All, None),
        ("a struct by `serialize_map`, read by derive", All, None),
    ];
    const NAMES: [Difference; 2] =
        [("`skip` on another variant", All, None), ("`tag` on a struct", All, None)];

    const WRITTEN: [Difference; 2] =
        [SYSTEM, ("a map of unknown length (`collect_map`)", All, Some)];
    let molecule = [&WRITTEN[..], &NAMES, &[default, double, tuple], &ONE_SIDE];
    let counts = ("a tuple with more items than announced", All, None);
    check_documented_types::<Molecule>(&[molecule.concat(), vec![counts]].concat());
    check_documented_types::<Biniou>(&[
        SYSTEM,
        ("`tag`: unit variants", Some, None),
        ("`tag`: struct variants", Some, None),
        ("`tag`: newtype variants of structs", Some, None),
        ("`untagged`: numbers, text, lists", Some, All),
        ("`untagged`: struct variants", Some, None),
        default,
        double,
        ("`rename` of one side", All, None),
        ("`flatten`: a struct", Some, All),
        ("`flatten`: an `Option` of a struct", Some, All),
        ("`flatten`: a map of numbers", Some, All),
        ("`flatten`: a map of text", Some, All),
        ("`flatten`: a struct with structs in it", Some, None),
        ("`flatten`: an enum with `tag`", Some, All),
    ]);
    let primitiv = [&WRITTEN[..], &NAMES, &SKIPS, &ONE_SIDE].concat();
    check_documented_types::<Primitiv>(&primitiv);
    let mut tsm = primitiv;
    tsm.insert(1, ("`Vec<()>` of 5,000", All, None));
    for row in tsm.iter_mut().filter(|row| row.0 == double.0) {
        row.2 = None;
    }
    check_documented_types::<Tsm>(&tsm);
}
