//! A schema generated from a Rust type reads the bytes of all values of the type.

use fourfold::biniou;
use fourfold_schema::atd::{Schema, schema_of};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::support::random::{Dice, value};
use crate::support::zoo::{self, *};
use crate::{COUNT, READ_AND_WRITTEN_DIFFERENTLY};

/// Types without an `.atd` schema: tuples of fewer than two fields, records without fields, names that are not OCaml names,
/// internally tagged and other types that call `deserialize_any`.
const WITHOUT_SCHEMA: [&str; 22] = [
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

/// Counts of types and values.
#[derive(Debug, Default)]
struct Tally {
    types: usize,
    values: usize,
    /// Values with an integer of more than 63 bits.
    too_wide: usize,
    /// Values that JSON can represent.
    with_json: usize,
    without_schema: Vec<&'static str>,
}

fn check_values<T: Serialize + DeserializeOwned>(
    name: &'static str,
    make: impl Fn(&mut Dice) -> T,
    tally: &mut Tally,
) {
    if READ_AND_WRITTEN_DIFFERENTLY.contains(&name) {
        return;
    }
    let Ok(schema) = schema_of::<T>() else { return tally.without_schema.push(name) };
    let root = schema.types().last().unwrap().name().unwrap();
    schema.check::<T>(root).unwrap_or_else(|error| panic!("{name}: {error}\n{schema}"));
    let mut dice = Dice::of(name);
    for _ in 0..COUNT {
        let Ok(bytes) = biniou::to_vec(&make(&mut dice)) else { continue };
        let value = match schema.to_value(&bytes, root) {
            Ok(value) => value,
            Err(error) if error.to_string().contains("63 bits of OCaml") => {
                tally.too_wide += 1;
                continue;
            }
            Err(error) => panic!("{name}: {error}\n{schema}{bytes:?}"),
        };
        tally.values += 1;
        // JSON has no NaN and no infinities.
        if let Ok(json) = serde_json::to_string(&value) {
            let again = schema.make(&mut serde_json::Deserializer::from_str(&json), root);
            assert_eq!(again.unwrap(), bytes, "{name}: {json}\n{schema}");
            tally.with_json += 1;
        }
    }
    tally.types += 1;
}

#[test]
fn generated_schemas_read_all_values_of_their_type() {
    let mut tally = Tally::default();
    macro_rules! check_all {
        ($($word:ident $name:ident = $make:expr;)*) => {
            $(check_values::<zoo::$name>(stringify!($name), $make, &mut tally);)*
        };
    }
    for_each_zoo_type!(check_all);
    println!("{tally:?}");
    let Tally { types, values, too_wide, with_json, without_schema } = tally;
    assert_eq!(without_schema, WITHOUT_SCHEMA);
    assert!(types > 100 && values > 10_000, "{values} values of {types} types");
    assert!(
        with_json > values * 9 / 10 && too_wide < values / 10,
        "{with_json} with JSON, {too_wide} too wide"
    );
}

/// Counts the schemas whose check the type passes, and reads its values with each.
fn read_with_other_schemas<T: Serialize + DeserializeOwned>(
    name: &'static str,
    make: impl Fn(&mut Dice) -> T,
    schemas: &[Schema],
    passed: &mut usize,
) {
    if READ_AND_WRITTEN_DIFFERENTLY.contains(&name) {
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

/// Also if the schema was generated from another type.
#[test]
fn a_schema_reads_all_values_of_a_type_that_passes_its_check() {
    let mut schemas = Vec::new();
    macro_rules! generate_all {
        ($($word:ident $name:ident = $make:expr;)*) => {
            $(schemas.extend(schema_of::<zoo::$name>().ok());)*
        };
    }
    for_each_zoo_type!(generate_all);
    let mut passed = 0;
    macro_rules! read_all {
        ($($word:ident $name:ident = $make:expr;)*) => {
            $(read_with_other_schemas::<zoo::$name>(stringify!($name), $make, &schemas, &mut passed);)*
        };
    }
    for_each_zoo_type!(read_all);
    println!("{passed} passed");
    assert!(passed > 150, "{passed} passed");
}
