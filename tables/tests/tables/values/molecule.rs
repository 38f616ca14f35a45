//! Values that the official Molecule implementation wrote, and bytes that it accepts or refuses.

use std::collections::BTreeMap;

use fourfold_schema::mol;
use fourfold_tables::{Error, Schema, Table};
use serde_json::Value;

use super::json::{self, Choices, unhex};
use super::{bytes, fixture, names, text};
use crate::rows::{Outcome, read};

/// The schemas of the fixtures, with an added table `InTYPE` for every type, whose only field `it` has that type.
pub(crate) fn schemas() -> BTreeMap<String, Schema> {
    let files = names("molecule/schemas", ".mol").into_iter();
    let schemas = files.map(|file| {
        // The schema may import another one in its folder.
        let schema = mol::Schema::from_file(fixture(&format!("molecule/schemas/{file}"))).unwrap();
        let mut text = schema.to_string();
        for ty in schema.types().map(mol::Type::name) {
            text.push_str(&format!("table In{ty} {{ it: {ty}, }}\n"));
        }
        let name = file.strip_suffix(".mol").unwrap().to_owned();
        (name, Schema::molecule(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    });
    schemas.collect()
}

/// A table that contains the bytes of a value.
pub(crate) fn table_of(value: &[u8]) -> Vec<u8> {
    let size = u32::try_from(8 + value.len()).unwrap();
    [&size.to_le_bytes(), &8u32.to_le_bytes(), value].concat()
}

fn json(schema: &Schema, name: &str, bytes: &[u8]) -> Result<Vec<Value>, String> {
    let table = Table::new(schema, name).unwrap();
    match read(&table, bytes) {
        Outcome { error: Some(error), .. } => Err(error),
        Outcome { rows, .. } => {
            Ok(rows.iter().map(|row| json::row(schema, Choices::USUAL.sums, name, row)).collect())
        }
    }
}

/// The library's JSON of a value, which its own tests compare with the fixtures.
fn shown(schema: &Schema, name: &str, bytes: &[u8]) -> Value {
    let Schema::Molecule(schema) = schema else { panic!("a schema of Molecule") };
    serde_json::to_value(schema.to_value(bytes, name).unwrap()).unwrap()
}

/// The values of a file: schema, type, bytes.
pub(crate) fn cases(file: &str) -> impl Iterator<Item = (String, String, Vec<u8>)> + use<> {
    let cases: Vec<Value> = serde_json::from_str(&text(file)).unwrap();
    cases.into_iter().map(|case| {
        let (schema, name) = case["type"].as_str().unwrap().split_once('.').unwrap();
        (schema.to_owned(), name.to_owned(), unhex(case["hex"].as_str().unwrap()))
    })
}

/// Those of all files of `values/`.
pub(crate) fn values() -> Vec<(String, String, Vec<u8>)> {
    let files = names("molecule/values", ".json").into_iter();
    files.flat_map(|file| cases(&format!("molecule/values/{file}"))).collect()
}

#[test]
fn values_of_the_official_code_are_the_same_in_a_column() {
    let schemas = schemas();
    let values = values();
    for (schema, name, bytes) in &values {
        let json = json(&schemas[schema], &format!("In{name}"), &table_of(bytes)).unwrap();
        let expected = serde_json::json!([{ "it": shown(&schemas[schema], name, bytes) }]);
        assert_eq!(Value::from(json).to_string(), expected.to_string(), "{schema}.{name}");
    }
    println!("{} values", values.len());
    assert!(values.len() > 800, "{}", values.len());
}

#[test]
fn values_of_the_official_code_are_the_same_as_rows() {
    let schemas = schemas();
    let (mut count, mut rows) = (0, 0);
    for (schema, name, bytes) in values() {
        let schema = &schemas[&schema];
        match Table::new(schema, &name) {
            Ok(_) => {}
            Err(Error::NoRecord { .. }) => continue,
            Err(error) => panic!("{error}"),
        }
        let json = json(schema, &name, &bytes).unwrap();
        let expected = match shown(schema, &name, &bytes) {
            Value::Array(items) => items,
            value => vec![value],
        };
        assert_eq!(Value::from(json.clone()), Value::from(expected), "{name}");
        count += 1;
        rows += json.len();
    }
    println!("{count} values, {rows} rows");
    assert!(count > 250 && rows > 500, "{count} values, {rows} rows");
}

/// The values of CKB, including the first block of its main chain.
#[test]
fn blocks_are_the_same_as_rows() {
    let schemas = schemas();
    let Schema::Molecule(schema) = &schemas["blockchain"] else { panic!("a schema of Molecule") };
    let files = [
        "blocks/block-40.bin",
        "blocks/block-empty.bin",
        "blocks/blockv1-12.bin",
        "genesis/mainnet.bin",
    ];
    for file in files {
        let name = if file.contains("v1") { "BlockV1" } else { "Block" };
        let bytes = bytes(&format!("molecule/{file}"));
        let shown = serde_json::to_value(schema.to_value(&bytes, name).unwrap()).unwrap();
        assert_eq!(json(&schemas["blockchain"], name, &bytes).unwrap(), [shown], "{file}");
    }
}

#[test]
fn what_the_official_readers_refuse_is_refused() {
    let schemas = schemas();
    let (mut good, mut bad, mut only_compatible) = (0, 0, 0);
    for file in names("molecule/bad", ".txt") {
        let (schema, rest) = file.split_once('.').unwrap();
        let name = format!("In{}", rest.strip_suffix(".txt").unwrap());
        let usual = Table::new(&schemas[schema], &name).unwrap();
        let options = fourfold_tables::Options::new().compatible(true);
        let compatible = Table::with_options(&schemas[schema], &name, options).unwrap();
        for line in
            text(&format!("molecule/bad/{file}")).lines().filter(|line| !line.starts_with('#'))
        {
            let [strict_verdict, compatible_verdict, _, hex] =
                line.split(' ').collect::<Vec<_>>()[..]
            else {
                panic!("{line}")
            };
            let bytes = table_of(&unhex(hex.trim_start_matches('-')));
            let strict = read(&usual, &*bytes);
            assert_eq!(strict.error.is_none(), strict_verdict == "ok", "{file} {line}: {strict:?}");
            assert_eq!(strict.rows.len(), usize::from(strict.error.is_none()), "{file} {line}");
            let later = read(&compatible, &*bytes);
            assert_eq!(
                later.error.is_none(),
                compatible_verdict == "ok",
                "{file} {line}: {later:?}"
            );
            match (&strict.error, &later.error) {
                (None, _) => {
                    assert_eq!(strict.rows, later.rows, "{file} {line}");
                    good += 1;
                }
                (_, None) => only_compatible += 1,
                _ => bad += 1,
            }
        }
    }
    println!("{good} good, {only_compatible} of a later version, {bad} bad");
    assert!(good > 900 && only_compatible > 100 && bad > 7_000, "{good}, {only_compatible}, {bad}");
}
