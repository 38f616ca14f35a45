//! Selected columns.

use fourfold::biniou::to_vec;
use fourfold::biniou::with::Table as AsTable;
use fourfold_tables::{Options, Schema, Sums, Table};
use serde::Serialize;
use serde_json::{Value, json};

use super::{CELLS, cells, chunks, records};
use crate::rows::{made, read, rows};

#[derive(Serialize)]
struct Row {
    a: i64,
    b: &'static str,
    c: Vec<i64>,
    d: bool,
}

const ROWS: &str = "type row = { a : int; b : string; c : int list; d : bool }";

fn all() -> Vec<Row> {
    [1, 2, 3].map(|a| Row { a, b: "text", c: vec![a; 2], d: a == 2 }).into()
}

fn only(keys: &[&str]) -> Vec<Value> {
    let rows = all().into_iter().map(|row| serde_json::to_value(row).unwrap());
    let rows = rows.map(|row| {
        Value::Object(keys.iter().map(|key| ((*key).to_owned(), row[*key].clone())).collect())
    });
    rows.collect()
}

#[test]
fn columns_that_are_selected_are_the_same() {
    let schema = Schema::biniou(ROWS).unwrap();
    let list = to_vec(&all()).unwrap();
    let files = [
        all().iter().flat_map(|row| to_vec(row).unwrap()).collect(),
        list.clone(),
        to_vec(&AsTable(all())).unwrap(),
        chunks([&list]),
    ];
    let choices: [&[&str]; 8] =
        [&["a"], &["b"], &["c"], &["d"], &["a", "d"], &["b", "c"], &["a", "b", "c", "d"], &[]];
    for keys in choices {
        let table = Table::new(&schema, "row").unwrap().select(keys).unwrap();
        let names: Vec<String> =
            table.schema().fields().iter().map(|it| it.name().clone()).collect();
        assert_eq!(names, keys);
        for file in &files {
            assert_eq!(rows(&table, file), only(keys), "{keys:?}");
        }
    }
}

/// Without columns, rows are still counted.
#[test]
fn batches_without_columns_have_rows() {
    let schema = Schema::biniou(ROWS).unwrap();
    let options = Options::new().batch_rows(2);
    let table = Table::with_options(&schema, "row", options).unwrap().select([""; 0]).unwrap();
    let outcome = read(&table, &*to_vec(&all()).unwrap());
    assert_eq!((outcome.batches, outcome.error), (vec![2, 1], None));
}

/// Independent of the order and number of times they are named in.
#[test]
fn columns_have_the_order_of_the_type() {
    let schema = Schema::biniou(ROWS).unwrap();
    let table = Table::new(&schema, "row").unwrap();
    let table = table.select(["d", "a", "b", "d"]).unwrap();
    let again = table.clone().select(["d", "b"]).unwrap();
    let names = |table: &Table<'_>| {
        table.schema().fields().iter().map(|it| it.name().clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&table), ["a", "b", "d"]);
    assert_eq!(names(&again), ["b", "d"]);
    let bytes = to_vec(&all()).unwrap();
    assert_eq!(rows(&table, &bytes), only(&["a", "b", "d"]));
    assert_eq!(rows(&again, &bytes), only(&["b", "d"]));
    let error = table.select(["c"]).unwrap_err();
    assert_eq!(error.to_string(), "there is no column `c` (there are `a`, `b` and `d`)");
}

/// Columns that are not selected are skipped without checking them.
#[test]
fn columns_that_are_not_selected_are_not_checked() {
    let schema = Schema::biniou(ROWS).unwrap();
    let mut bytes = to_vec(&all()).unwrap();
    let at = bytes.windows(4).position(|text| text == b"text").unwrap();
    bytes[at] = 0xff;
    let table = Table::new(&schema, "row").unwrap();
    assert!(read(&table, &*bytes).error.is_some());
    assert_eq!(rows(&table.select(["a", "c", "d"]).unwrap(), &bytes), only(&["a", "c", "d"]));
}

#[test]
fn columns_of_molecule_can_be_selected() {
    let schema = Schema::molecule(CELLS).unwrap();
    let table = Table::new(&schema, "Cell").unwrap().select(["data"]).unwrap();
    let expected = [json!({"data": "0x"}), json!({"data": "0x01"}), json!({"data": "0x0202"})];
    assert_eq!(rows(&table, &records(&cells(3))), expected);
}

#[test]
fn columns_of_sum_types_can_be_selected() {
    let schema = Schema::biniou("type row = [ A of int | B | C of string ]").unwrap();
    let bytes: Vec<u8> = [json!(["A", 1]), json!("B"), json!(["C", "x"])]
        .iter()
        .flat_map(|value| made(&schema, value, "row"))
        .collect();
    let select =
        |names: &[&str]| rows(&Table::new(&schema, "row").unwrap().select(names).unwrap(), &bytes);
    assert_eq!(select(&["C"]), [json!({"C": null}), json!({"C": null}), json!({"C": "x"})]);
    let expected = ["A", "B", "C"].map(|name| json!({"variant": name}));
    assert_eq!(select(&["variant"]), expected);
    let a = [json!(1), Value::Null, Value::Null];
    let expected: Vec<Value> =
        ["A", "B", "C"].iter().zip(a).map(|(name, a)| json!({"variant": name, "A": a})).collect();
    assert_eq!(select(&["A", "variant"]), expected);
}

/// A union becomes one column, so its rows have none.
#[test]
fn rows_are_no_unions() {
    let schema = Schema::biniou("type row = [ A of int | B ]").unwrap();
    let options = Options::new().sums(Sums::Union);
    let error = Table::with_options(&schema, "row", options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`row` is a union, which has no columns; name a record, or a list of records: none"
    );
}
