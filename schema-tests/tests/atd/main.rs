//! Rust types generated from random `.atd` schemas compile without a warning, and read and write values of the schemas.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test reports by panicking"
)]

mod defaults;
mod generated;
#[allow(dead_code, reason = "the tests of other formats need the rest")]
#[path = "../../../tests/support/random.rs"]
mod random;
#[path = "../../../schema/tests/schema/atd_random/values.rs"]
mod values;

use defaults::Defaults;
use fourfold_schema::atd::Schema;
use generated::SCHEMAS;
use random::Dice;

/// Values of each type.
const VALUES: usize = 40;

fn make(schema: &Schema, json: &str, name: &str) -> Vec<u8> {
    let made = schema.make(&mut serde_json::Deserializer::from_str(json), name);
    made.unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[test]
fn values_of_random_schemas_are_read_and_written_again() {
    let mut dice = Dice::of("values of rust types of atd schemas");
    let (mut types, mut values, mut long, mut same) = (0, 0, 0, 0);
    for generated in SCHEMAS {
        let schema = Schema::parse(generated.schema).unwrap();
        let defaults = Defaults::new(&schema);
        for (name, again) in generated.types {
            types += 1;
            let ty = schema.get(name).unwrap();
            for _ in 0..VALUES {
                let mut json = values::value(ty, 0, &mut dice);
                let bytes = make(&schema, &json.to_string(), name);
                defaults.apply(ty, &mut json);
                let expected = make(&schema, &json.to_string(), name);
                for bytes in [&bytes, &expected] {
                    let text = generated.schema;
                    let written = again(bytes)
                        .unwrap_or_else(|error| panic!("{error}: {json}\n{name}\n{text}"));
                    assert!(written == expected, "{json}\n{name}\n{text}");
                }
                values += 1;
                long += usize::from(expected.len() > 8);
                same += usize::from(bytes == expected);
            }
        }
    }
    println!("{} schemas, {types} types, {values} values, {same} of them unchanged", SCHEMAS.len());
    assert!(types > 100 && long > values / 2 && same > values / 2 && same < values);
}
