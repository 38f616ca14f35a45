//! The column type and values of each schema type: one test case for each mapping.

#[path = "types/biniou.rs"]
mod biniou;
#[path = "types/molecule.rs"]
mod molecule;
#[path = "types/recursive.rs"]
mod recursive;

use fourfold_tables::{Options, Schema, Table};
use serde_json::{Value, json};

use crate::rows::{made, rows};

/// A column `c` of a record.
struct Case {
    /// The type, or definitions that end with that of `row`.
    ty: &'static str,
    /// Its Arrow field: the type, and whether it is nullable.
    field: &'static str,
    /// Rows in the library's JSON, with the expected cells: an array of pairs.
    values: Value,
}

fn case(ty: &'static str, field: &'static str, values: Value) -> Case {
    Case { ty, field, values }
}

/// A column `c` whose cells are equal to their JSON.
fn same(ty: &'static str, field: &'static str, values: Value) -> Case {
    let values = values.as_array().unwrap().iter().map(|value| (value.clone(), value.clone()));
    case(ty, field, c(&values.collect::<Vec<_>>()))
}

/// The only field of a table, as Arrow prints it.
fn field(table: &Table<'_>) -> String {
    let schema = table.schema();
    let field = schema.field(0);
    let may = if field.is_nullable() { "nullable " } else { "" };
    format!("{may}{}", field.data_type())
}

/// Fails with the list of all cases that differ.
fn check(cases: &[Case], options: &Options, parse: impl Fn(&str) -> Schema) {
    let mut wrong = Vec::new();
    for Case { ty, field: expected, values } in cases {
        let schema = parse(ty);
        let table = Table::with_options(&schema, "row", options.clone()).unwrap();
        let found = field(&table);
        if found != *expected {
            wrong.push(format!("{ty}: {found}, not {expected}"));
        }
        for pair in values.as_array().unwrap() {
            let (json, cell) = (&pair[0], &pair[1]);
            let bytes = made(&schema, json, "row");
            let read = rows(&table, &bytes);
            let [Value::Object(row)] = &read[..] else { panic!("{ty}: {read:?}") };
            let found = row.values().next().unwrap();
            if found != cell {
                wrong.push(format!("{ty}: {json} is {found}, not {cell}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Records with a single field that has these values.
fn c(pairs: &[(Value, Value)]) -> Value {
    pairs.iter().map(|(json, cell)| json!([{ "c": json }, cell])).collect()
}
