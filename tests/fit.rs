//! What `check` says of Rust types without a value, beside what writers and readers do with values.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

#[path = "fit/marks.rs"]
mod marks;
#[path = "fit/schemas.rs"]
mod schemas;
mod support;

use fourfold::schema::Mismatches;
use fourfold::{biniou, primitiv, tsm};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::support::format::{Biniou, Format, Primitiv, Tsm};
use crate::support::random::{Dice, value};
use crate::support::zoo::{self, *};

support::format::face!(biniou Biniou, primitiv Primitiv, tsm Tsm);

/// Values of each type.
const COUNT: usize = 100;

/// A format that is asked about types.
pub(crate) trait Checks: Format {
    fn check<T: DeserializeOwned>() -> Result<(), Mismatches>;
}

macro_rules! checks {
    ($($format:ident by $module:ident)*) => {$(
        impl Checks for $format {
            fn check<T: DeserializeOwned>() -> Result<(), Mismatches> {
                $module::check::<T>()
            }
        }
    )*};
}

checks! { Biniou by biniou  Primitiv by primitiv  Tsm by tsm }

/// Why a value does not come back, if it does not.
pub(crate) fn loss<F: Format, T: Serialize + DeserializeOwned + PartialEq>(
    value: &T,
) -> Option<String> {
    let bytes = match F::to_vec(value) {
        Ok(bytes) => bytes,
        Err(error) => return Some(format!("{error:?}")),
    };
    match F::from_slice::<T>(&bytes) {
        Ok(again) => (again != *value).then(|| "another value".to_owned()),
        Err(error) => Some(format!("{error:?}")),
    }
}

/// What is said of a type, and why a value of it does not come back.
fn judge<F: Checks, T: Serialize + DeserializeOwned + PartialEq>(
    name: &'static str,
    make: impl Fn(&mut Dice) -> T,
    found: &mut Vec<&'static str>,
) {
    let mut dice = Dice::of(name);
    let lost = (0..COUNT).find_map(|_| loss::<F, T>(&make(&mut dice)));
    let checked = F::check::<T>();
    println!("{}, {name}: check says {checked:?}, values {lost:?}", F::NAME);
    if checked.is_ok() != lost.is_none() {
        found.push(name);
    }
}

/// Types that show one thing in reading and another in writing, which `check` does not see: they skip what they
/// read, or read what they skip.
const UNEVEN: [&str; 5] = ["SkipsIf", "SkippedVariant", "ReadOnly", "WriteOnly", "TupleSkipsIf"];

/// Besides, some values of types that ask the data come back from biniou, and some contents of adjacently tagged
/// enums do not. Records and variants have names there.
const UNEVEN_IN_BINIOU: [&str; 6] =
    ["FlattenStruct", "FlattenMap", "AdjacentLoose", "ReadOnly", "WriteOnly", "TupleSkipsIf"];

fn check_zoo<F: Checks>(uneven: &[&str]) {
    let mut found = Vec::new();
    macro_rules! judge_all {
        ($($word:ident $name:ident = $make:expr;)*) => {
            $(judge::<F, zoo::$name>(stringify!($name), $make, &mut found);)*
        };
    }
    for_each_zoo_type!(judge_all);
    assert_eq!(found, uneven);
}

#[test]
fn types_of_the_zoo_pass_if_their_values_come_back() {
    check_zoo::<Biniou>(&UNEVEN_IN_BINIOU);
    check_zoo::<Tsm>(&UNEVEN);
    check_zoo::<Primitiv>(&UNEVEN);
}
