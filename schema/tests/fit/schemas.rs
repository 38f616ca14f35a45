//! Schemas that are made of Rust types hold all values of the types, with the bytes that these are written as.

use fourfold::biniou;
use fourfold_schema::atd::{Schema, schema_of};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::support::random::{Dice, value};
use crate::support::zoo::{self, *};
use crate::{COUNT, UNEVEN};

/// Types for which OCaml has none: tuples of less than two cells, records without fields, other names than its own,
/// tags that tell what follows, what asks the data.
const WITHOUT: [&str; 22] = [
    "VecArrayEmpty",
    "ArrayOne",
    "ArrayEmpty",
    "ArrayEmptyText",
    "TupleOne",
    "TupleOneText",
    "Empty",
    "EmptyTuple",
    "Nothings",
    "Renamed",
    "Hollow",
    "RenamedEnum",
    "Adjacent",
    "VecAdjacent",
    "FlattenStruct",
    "FlattenMap",
    "FlattenNested",
    "Untagged",
    "UntaggedItems",
    "Internal",
    "AdjacentLoose",
    "Json",
];

/// What became of the types.
#[derive(Debug, Default)]
struct Tally {
    types: usize,
    values: usize,
    /// Those that are beyond OCaml's integers.
    wide: usize,
    /// Those that JSON has, too.
    shown: usize,
    without: Vec<&'static str>,
}

fn judge<T: Serialize + DeserializeOwned>(
    name: &'static str,
    make: impl Fn(&mut Dice) -> T,
    tally: &mut Tally,
) {
    if UNEVEN.contains(&name) {
        return;
    }
    let Ok(schema) = schema_of::<T>() else { return tally.without.push(name) };
    let root = schema.types().last().unwrap().name().unwrap();
    schema.check::<T>(root).unwrap_or_else(|said| panic!("{name}: {said}\n{schema}"));
    let mut dice = Dice::of(name);
    for _ in 0..COUNT {
        let Ok(bytes) = biniou::to_vec(&make(&mut dice)) else { continue };
        let value = match schema.to_value(&bytes, root) {
            Ok(value) => value,
            Err(error) if error.to_string().contains("63 bits of OCaml") => {
                tally.wide += 1;
                continue;
            }
            Err(error) => panic!("{name}: {error}\n{schema}{bytes:?}"),
        };
        tally.values += 1;
        // NaN and infinities have no JSON.
        if let Ok(json) = serde_json::to_string(&value) {
            let again = schema.make(&mut serde_json::Deserializer::from_str(&json), root);
            assert_eq!(again.unwrap(), bytes, "{name}: {json}\n{schema}");
            tally.shown += 1;
        }
    }
    tally.types += 1;
}

#[test]
fn schemas_of_the_zoo_hold_its_values() {
    let mut tally = Tally::default();
    macro_rules! judge_all {
        ($($word:ident $name:ident = $make:expr;)*) => {
            $(judge::<zoo::$name>(stringify!($name), $make, &mut tally);)*
        };
    }
    for_each_zoo_type!(judge_all);
    println!("{tally:?}");
    let Tally { types, values, wide, shown, without } = tally;
    assert_eq!(without, WITHOUT);
    assert!(types > 100 && values > 10_000, "{values} values of {types} types");
    assert!(shown > values * 9 / 10 && wide < values / 10, "{shown} with JSON, {wide} too wide");
}

/// Counts the other types whose schemas a type passes, and reads its values by them.
fn compare<T: Serialize + DeserializeOwned>(
    name: &'static str,
    make: impl Fn(&mut Dice) -> T,
    schemas: &[Schema],
    passed: &mut usize,
) {
    if UNEVEN.contains(&name) {
        return;
    }
    let mut dice = Dice::of(name);
    for schema in schemas {
        let root = schema.types().last().unwrap().name().unwrap();
        if schema.check::<T>(root).is_err() {
            continue;
        }
        *passed += 1;
        for _ in 0..COUNT / 10 {
            let Ok(bytes) = biniou::to_vec(&make(&mut dice)) else { continue };
            match schema.to_value(&bytes, root) {
                Ok(_) => {}
                Err(error) if error.to_string().contains("63 bits of OCaml") => {}
                Err(error) => panic!("{name}: {error}\n{schema}{bytes:?}"),
            }
        }
    }
}

/// A type that passes has no value that the schema does not have, also where the schema is another type's.
#[test]
fn types_that_pass_have_the_values_of_the_schema() {
    let mut schemas = Vec::new();
    macro_rules! all {
        ($($word:ident $name:ident = $make:expr;)*) => {
            $(schemas.extend(schema_of::<zoo::$name>().ok());)*
        };
    }
    for_each_zoo_type!(all);
    let mut passed = 0;
    macro_rules! compare_all {
        ($($word:ident $name:ident = $make:expr;)*) => {
            $(compare::<zoo::$name>(stringify!($name), $make, &schemas, &mut passed);)*
        };
    }
    for_each_zoo_type!(compare_all);
    println!("{passed} passed");
    assert!(passed > 150, "{passed} passed");
}
