//! Recursive types: the deepest column contains encoded bytes.

use fourfold_tables::{Error, Options, Schema, Sums, Table};
use serde_json::{Value, json};

use super::field;
use crate::rows::{hex, made, rows};

const CHAIN: &str = "type row = { ?next : row option; link : int }";

fn table(schema: &Schema, times: usize) -> Table<'_> {
    Table::with_options(schema, "row", Options::new().recursion(times)).unwrap()
}

fn chain(length: i64) -> Value {
    (0..length).fold(
        json!({ "link": length }),
        |next, link| json!({ "next": next, "link": length - 1 - link }),
    )
}

#[test]
fn a_recursive_record_is_cut_at_a_depth() {
    let schema = Schema::biniou(CHAIN).unwrap();
    let once = "nullable Binary".to_owned();
    let twice = "nullable Struct(\"next\": Binary, \"link\": non-null Int64)".to_owned();
    let thrice = "nullable Struct(\"next\": Struct(\"next\": Binary, \"link\": non-null Int64), \
                  \"link\": non-null Int64)"
        .to_owned();
    let fields = [0, 1, 2, 3].map(|times| field(&table(&schema, times)));
    // The requested type itself always has columns.
    assert_eq!(fields, [once.clone(), once, twice.clone(), thrice]);
    assert_eq!(field(&Table::new(&schema, "row").unwrap()), twice);

    let value = chain(3);
    let bytes = made(&schema, &value, "row");
    let part = |at: &Value| hex(&made(&schema, at, "row"));
    assert_eq!(
        rows(&table(&schema, 1), &bytes),
        [json!({"link": 0, "next": part(&value["next"])})]
    );
    let inner = part(&value["next"]["next"]);
    assert_eq!(
        rows(&table(&schema, 2), &bytes),
        [json!({"link": 0, "next": {"link": 1, "next": inner}})]
    );
    let whole = json!({"link": 0, "next": {"link": 1, "next": {"link": 2, "next": {"link": 3, "next": null}}}});
    assert_eq!(rows(&table(&schema, 4), &bytes), [whole]);
}

#[test]
fn a_recursive_sum_type_is_cut_at_a_depth() {
    let text = "type row = { t : tree } type tree = [ Leaf of int | Node of (tree * tree) ]";
    let schema = Schema::biniou(text).unwrap();
    let leaf = |number: i64| json!(["Leaf", number]);
    let tree = json!(["Node", [["Node", [leaf(1), leaf(2)]], leaf(3)]]);
    let bytes = made(&schema, &json!({ "t": tree }), "row");
    let part = |at: &Value| hex(&made(&schema, at, "tree"));
    let left = &tree[1][0];
    let expected = json!({"t": {"variant": "Node", "Leaf": null, "Node": {"0": part(left), "1": part(&leaf(3))}}});
    assert_eq!(rows(&table(&schema, 1), &bytes), [expected]);
    let node = |left: Value, right: Value| json!({"variant": "Node", "Leaf": null, "Node": {"0": left, "1": right}});
    let shown = |number: i64| json!({"variant": "Leaf", "Leaf": number, "Node": null});
    let inner = node(part(&leaf(1)).into(), part(&leaf(2)).into());
    assert_eq!(rows(&table(&schema, 2), &bytes), [json!({"t": node(inner, shown(3))})]);

    let union = Options::new().recursion(1).sums(Sums::Union);
    let table = Table::with_options(&schema, "row", union).unwrap();
    let expected = json!({"t": {"Node": {"0": part(left), "1": part(&leaf(3))}}});
    assert_eq!(rows(&table, &bytes), [expected]);
}

/// Rows of a table have no tags of their own, so the whole table is bytes.
#[test]
fn a_recursive_table_becomes_bytes_as_a_whole() {
    let text = "type row = { n : int; rows : rows } \
                type rows = row list <ocaml repr=\"array\"> <biniou repr=\"table\">";
    let schema = Schema::biniou(text).unwrap();
    assert_eq!(table(&schema, 1).schema().field(1).to_string(), "Field { \"rows\": Binary }");
    let none = json!([]);
    let inner = json!([{"n": 1, "rows": none}, {"n": 2, "rows": [{"n": 3, "rows": []}]}]);
    let bytes = made(&schema, &json!({"n": 0, "rows": inner}), "row");
    let cut = hex(&made(&schema, &inner, "rows"));
    assert_eq!(rows(&table(&schema, 1), &bytes), [json!({"n": 0, "rows": cut})]);
    // In a table, the tag of a column applies to each of its cells.
    let part = |value: &Value| hex(&made(&schema, value, "rows"));
    let two = json!([{"n": 1, "rows": part(&none)}, {"n": 2, "rows": part(&inner[1]["rows"])}]);
    assert_eq!(rows(&table(&schema, 2), &bytes), [json!({"n": 0, "rows": two})]);
}

/// Items of an ARRAY share one tag, which is repeated before each item in the column.
#[test]
fn an_item_that_is_cut_has_its_tag() {
    let schema = Schema::biniou("type row = { n : int; ~rows : row list }").unwrap();
    let leaf = |number: i64| json!({ "n": number });
    let bytes = made(&schema, &json!({"n": 0, "rows": [leaf(1), leaf(2)]}), "row");
    let part = |value: &Value| hex(&made(&schema, value, "row"));
    let expected = json!({"n": 0, "rows": [part(&leaf(1)), part(&leaf(2))]});
    assert_eq!(rows(&table(&schema, 1), &bytes), [expected]);
}

/// So there is nothing to cut.
#[test]
fn molecule_has_no_recursive_types() {
    let cases = [
        ("vector row <row>;", "type contains itself: row, row at line 1, column 8"),
        (
            "table row { next: Next, } option Next (row);",
            "type contains itself: row, Next, row at line 1, column 7",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(Schema::molecule(text).unwrap_err().to_string(), expected, "{text}");
    }
}

/// These types are infinite, so the schema does not define where their values end.
#[test]
fn an_alias_of_itself_has_no_columns() {
    for what in ["option", "nullable", "list", "wrap"] {
        let schema =
            Schema::biniou(&format!("type row = row {what}  type other = {{ c : row }}")).unwrap();
        let error = Table::new(&schema, "row").unwrap_err();
        assert!(matches!(error, Error::NoRecord { .. }), "{what}: {error}");
        assert!(Table::new(&schema, "other").is_ok(), "{what}");
    }
}

/// A type that refers to itself many times still has at most the allowed number of columns.
#[test]
fn many_references_to_a_type_are_still_one_type() {
    let fields: String = (0..6).map(|at| format!("?f{at} : row option; ")).collect();
    let schema = Schema::biniou(&format!("type row = {{ n : int; {fields}}}")).unwrap();
    let table = Table::new(&schema, "row").unwrap();
    let column = table.schema().field(1).to_string();
    assert_eq!(column.matches("Binary").count(), 6, "{column}");
}
