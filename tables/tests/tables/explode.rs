//! Rows of the items of lists.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use fourfold_tables::{Exploded, Schema, Table};

const BLOCKS: &str = "type block = { n : int; body : body; ?tags : string list option }
    type body = { name : string; txs : tx list; pair : (int * int) }
    type tx = { fee : int; outs : int list }";

fn blocks() -> (Schema, Vec<u8>) {
    let schema = Schema::biniou(BLOCKS).unwrap();
    let Schema::Biniou(atd) = &schema else { panic!("it is one of biniou") };
    let json = |text: &str| {
        let mut json = serde_json::Deserializer::from_str(text);
        atd.make(&mut json, "block").unwrap()
    };
    let bytes = [
        json(
            r#"{"n":1,"body":{"name":"a","txs":[{"fee":5,"outs":[1,2]},{"fee":6,"outs":[]}],"pair":[1,2]}}"#,
        ),
        json(r#"{"n":2,"body":{"name":"b","txs":[],"pair":[3,4]},"tags":["x","y"]}"#),
        json(r#"{"n":3,"body":{"name":"c","txs":[{"fee":7,"outs":[3]}],"pair":[5,6]},"tags":[]}"#),
    ];
    (schema, bytes.concat())
}

fn explode(path: &str) -> Result<RecordBatch, String> {
    let (schema, bytes) = blocks();
    let table = Table::new(&schema, "block").unwrap();
    let exploded = Exploded::new(table.read(&*bytes), [path]).map_err(|error| error.to_string())?;
    let batches: Vec<_> = exploded.collect::<Result<_, _>>().unwrap();
    assert_eq!(batches.len(), 1);
    Ok(batches[0].clone())
}

fn ints(array: &dyn arrow_array::Array) -> Vec<i64> {
    array.as_primitive::<Int64Type>().values().to_vec()
}

#[test]
fn items_in_structs_become_rows() {
    let batch = explode("body.txs").unwrap();
    assert_eq!(ints(batch.column(0)), [1, 1, 3]);
    let body = batch.column(1).as_struct();
    let names: Vec<_> = body.column(0).as_string::<i32>().iter().map(Option::unwrap).collect();
    assert_eq!(names, ["a", "a", "c"]);
    assert_eq!(ints(body.column(1).as_struct().column(0)), [5, 6, 7]);
    // Nested lists can be exploded again.
    let (schema, bytes) = blocks();
    let table = Table::new(&schema, "block").unwrap();
    let paths = ["body.txs", "body.txs.outs"];
    let twice = Exploded::new(table.read(&*bytes), paths).unwrap();
    let batches: Vec<_> = twice.collect::<Result<_, _>>().unwrap();
    let txs = batches[0].column(1).as_struct().column(1).as_struct();
    assert_eq!((ints(txs.column(0)), ints(txs.column(1))), (vec![5, 5, 7], vec![1, 2, 3]));
}

#[test]
fn lists_that_are_null_or_empty_have_no_rows() {
    let batch = explode("tags").unwrap();
    assert_eq!(ints(batch.column(0)), [2, 2]);
    assert_eq!(batch.column(2).as_string::<i32>().value(1), "y");
}

#[test]
fn arrays_of_a_fixed_length_become_rows() {
    let schema = Schema::molecule(
        "array Two [Point; 2]; struct Point { x: byte, y: byte, } table Row { n: byte, two: Two, }",
    )
    .unwrap();
    let rows: Vec<u8> = [
        [17, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 7, 1, 2, 3, 4],
        [17, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0, 8, 5, 6, 7, 8],
    ]
    .concat();
    let table = Table::new(&schema, "Row").unwrap();
    let mut exploded = Exploded::new(table.read(&*rows), ["two"]).unwrap();
    let batch = exploded.next().unwrap().unwrap();
    let bytes = |array: &dyn arrow_array::Array| {
        array.as_primitive::<arrow_array::types::UInt8Type>().values().to_vec()
    };
    assert_eq!(bytes(batch.column(0)), [7, 7, 8, 8]);
    assert_eq!(bytes(batch.column(1).as_struct().column(1)), [2, 4, 6, 8]);
    assert!(exploded.next().is_none());
}

#[test]
fn exploding_anything_but_a_list_is_an_error() {
    let not = |path: &str| explode(path).unwrap_err();
    assert_eq!(not("m"), "there is no column `m` (there are `n`, `body` and `tags`)");
    assert_eq!(not("n"), "`n` is an integer, not a list (there are `body.txs` and `tags`)");
    assert_eq!(not("tags.x"), "there is no column `tags.x`");
    assert_eq!(not("body.m"), "there is no column `m` (there are `name`, `txs` and `pair`)");
    assert_eq!(
        not("body.txs.outs"),
        "`body.txs.outs` is inside of the list `body.txs`; explode `body.txs`, `body.txs.outs` in this order"
    );
    assert_eq!(
        not("body.txs.fee"),
        "`body.txs.fee` is an integer, not a list (did you mean `body.txs`?)"
    );
    assert_eq!(not("body.txs.f"), "there is no column `f` (there are `fee` and `outs`)");
    assert!(not("body").starts_with("`body` is a struct of 3 fields, not a list ("));
}
