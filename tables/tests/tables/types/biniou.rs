//! Types of biniou.

use arrow_schema::DataType;
use fourfold_tables::{Options, Schema, Strings, Sums, Table};
use serde_json::json;

use super::{c, case, check, same};
use crate::rows::{made, read, rows};

fn biniou(ty: &str) -> Schema {
    let text = match ty.contains("type row") {
        true => ty.to_owned(),
        false => format!("type row = {{ c : {ty} }}"),
    };
    Schema::biniou(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn scalars_of_biniou() {
    let cases = [
        same("unit", "nullable Null", json!([null])),
        same("bool", "Boolean", json!([true, false])),
        same("int", "Int64", json!([-7, 1i64 << 61])),
        same("int <biniou repr=\"svint\">", "Int64", json!([-300])),
        same("int <biniou repr=\"uvint\">", "Int64", json!([128])),
        same("int <biniou repr=\"int8\">", "UInt8", json!([255])),
        same("int <ocaml repr=\"char\"> <biniou repr=\"int8\">", "UInt8", json!([65])),
        same("int <biniou repr=\"int16\">", "UInt16", json!([65535])),
        same("int <ocaml repr=\"int32\"> <biniou repr=\"int32\">", "Int32", json!([i32::MIN])),
        case(
            "int <ocaml repr=\"int64\"> <biniou repr=\"int64\">",
            "Int64",
            c(&[(json!(i64::MIN.to_string()), json!(i64::MIN))]),
        ),
        same("float", "Float64", json!([0.1])),
        same("float <biniou repr=\"float64\">", "Float64", json!([-2.5])),
        same("float <biniou repr=\"float32\">", "Float32", json!([1.5])),
        same("string", "Utf8", json!(["", "grün 😀"])),
    ];
    check(&cases, &Options::new(), biniou);
}

#[test]
fn strings_of_biniou_may_be_bytes() {
    let cases = [
        case("string", "Binary", c(&[(json!("é"), json!("0xc3a9"))])),
        case(
            "(string * int) list <json repr=\"object\">",
            "Map(\"entries\": non-null Struct(\"key\": non-null Binary, \"value\": non-null Int64), unsorted)",
            c(&[(json!({"a": 1}), json!([{"key": "0x61", "value": 1}]))]),
        ),
    ];
    check(&cases, &Options::new().strings(Strings::Bytes), biniou);
}

#[test]
fn records_and_options_of_biniou() {
    let cases = [
        same(
            "type row = { c : p } type p = { x : int; y : string }",
            "Struct(\"x\": non-null Int64, \"y\": non-null Utf8)",
            json!([{"x": 1, "y": "a"}]),
        ),
        case(
            "type row = { ?c : int option }",
            "nullable Int64",
            json!([[{}, null], [{"c": 5}, 5]]),
        ),
        case(
            "type row = { ?c : int nullable }",
            "nullable Int64",
            json!([[{}, null], [{"c": 5}, 5]]),
        ),
        case(
            "type row = { ?c : int nullable option }",
            "nullable Struct(\"value\": Int64)",
            json!([[{}, null], [{"c": 5}, {"value": 5}]]),
        ),
        // OCaml's default for a missing field is not in the file.
        case("type row = { ~c : int }", "nullable Int64", json!([[{}, null], [{"c": 0}, 0]])),
        case(
            "type row = { ~c <ocaml default=\"7\"> : int }",
            "nullable Int64",
            json!([[{}, null], [{"c": 7}, 7]]),
        ),
        case(
            "type row = { ~c : int option }",
            "nullable Struct(\"value\": Int64)",
            json!([[{}, null], [{"c": "None"}, {"value": null}], [{"c": ["Some", 1]}, {"value": 1}]]),
        ),
        case(
            "int option",
            "nullable Int64",
            c(&[("None".into(), json!(null)), (json!(["Some", 3]), json!(3))]),
        ),
        same("int nullable", "nullable Int64", json!([null, 3])),
        case(
            "int option option",
            "nullable Struct(\"value\": Int64)",
            c(&[
                ("None".into(), json!(null)),
                (json!(["Some", "None"]), json!({"value": null})),
                (json!(["Some", ["Some", 3]]), json!({"value": 3})),
            ]),
        ),
        case(
            "string nullable option",
            "nullable Struct(\"value\": Utf8)",
            c(&[("None".into(), json!(null)), (json!(["Some", null]), json!({"value": null}))]),
        ),
        case(
            "unit option",
            "nullable Struct(\"value\": Null)",
            c(&[("None".into(), json!(null)), (json!(["Some", null]), json!({"value": null}))]),
        ),
        case(
            "type row = { c : p option } type p = { x : int }",
            "nullable Struct(\"x\": non-null Int64)",
            c(&[("None".into(), json!(null)), (json!(["Some", {"x": 1}]), json!({"x": 1}))]),
        ),
        case(
            "type row = { inherit base; d : int } type base = { c : bool }",
            "Boolean",
            json!([[{"c": true, "d": 1}, true]]),
        ),
        // Columns are named by the biniou names, not the JSON names.
        case(
            "type row = { c <json name=\"x\"> : p } type p = { a <json name=\"b\"> : int }",
            "Struct(\"a\": non-null Int64)",
            json!([[{"x": {"b": 1}}, {"a": 1}]]),
        ),
    ];
    check(&cases, &Options::new(), biniou);
}

#[test]
fn tuples_and_lists_of_biniou() {
    let cases = [
        case(
            "(int * string)",
            "Struct(\"0\": non-null Int64, \"1\": non-null Utf8)",
            c(&[(json!([1, "a"]), json!({"0": 1, "1": "a"}))]),
        ),
        case(
            "(int * <ocaml default=\"9\"> : int)",
            "Struct(\"0\": non-null Int64, \"1\": Int64)",
            c(&[
                (json!([1, 2]), json!({"0": 1, "1": 2})),
                (json!([1]), json!({"0": 1, "1": null})),
            ]),
        ),
        same("int list", "List(non-null Int64)", json!([[], [1, 2]])),
        same("int list <ocaml repr=\"array\">", "List(non-null Int64)", json!([[1, 2]])),
        case(
            "int option list",
            "List(Int64)",
            c(&[(json!(["None", ["Some", 1]]), json!([null, 1]))]),
        ),
        same("int list list", "List(non-null List(non-null Int64))", json!([[[1], [], [2, 3]]])),
        same("unit list", "List(Null)", json!([[null, null]])),
        case(
            "type row = { c : t } type t = p list <ocaml repr=\"array\"> <biniou repr=\"table\"> \
             type p = { x : int; ?y : string option }",
            "List(non-null Struct(\"x\": non-null Int64, \"y\": Utf8))",
            c(&[
                (json!([]), json!([])),
                (
                    json!([{"x": 1, "y": "a"}, {"x": 2}]),
                    json!([{"x": 1, "y": "a"}, {"x": 2, "y": null}]),
                ),
            ]),
        ),
        case(
            "(string * int) list",
            "List(non-null Struct(\"0\": non-null Utf8, \"1\": non-null Int64))",
            c(&[(json!([["a", 1]]), json!([{"0": "a", "1": 1}]))]),
        ),
        case(
            "(string * int option) list <json repr=\"object\">",
            "Map(\"entries\": non-null Struct(\"key\": non-null Utf8, \"value\": Int64), unsorted)",
            c(&[(
                json!({"a": ["Some", 1], "b": "None"}),
                json!([{"key": "a", "value": 1}, {"key": "b", "value": null}]),
            )]),
        ),
    ];
    check(&cases, &Options::new(), biniou);
}

#[test]
fn sum_types_of_biniou() {
    let names = "Dictionary(Int32, Utf8)";
    let cases = [
        same("[ A | B ]", names, json!(["A", "B"])),
        case(
            "[ A | B ] option",
            "nullable Dictionary(Int32, Utf8)",
            c(&[(json!("None"), json!(null)), (json!(["Some", "B"]), json!("B"))]),
        ),
        case(
            "[ A | B of int | C of (int * int) ]",
            "Struct(\"variant\": non-null Dictionary(Int32, Utf8), \"B\": Int64, \
             \"C\": Struct(\"0\": non-null Int64, \"1\": non-null Int64))",
            c(&[
                (json!("A"), json!({"variant": "A", "B": null, "C": null})),
                (json!(["B", 1]), json!({"variant": "B", "B": 1, "C": null})),
                (json!(["C", [1, 2]]), json!({"variant": "C", "B": null, "C": {"0": 1, "1": 2}})),
            ]),
        ),
        case(
            "[ A | B of int ] nullable",
            "nullable Struct(\"variant\": non-null Dictionary(Int32, Utf8), \"B\": Int64)",
            c(&[(json!(null), json!(null)), (json!(["B", 1]), json!({"variant": "B", "B": 1}))]),
        ),
        // A variant may have the name of the `variant` column.
        case(
            "[ Variant of int | Other ]",
            "Struct(\"variant\": non-null Dictionary(Int32, Utf8), \"Variant\": Int64)",
            c(&[(json!(["Variant", 1]), json!({"variant": "Variant", "Variant": 1}))]),
        ),
        case(
            "[ A | Other of string ] <json open_enum>",
            "Struct(\"variant\": non-null Dictionary(Int32, Utf8), \"Other\": Utf8)",
            c(&[(json!("?"), json!({"variant": "Other", "Other": "?"}))]),
        ),
        case(
            "type row = { c : [ inherit a | B ] } type a = [ A of int ]",
            "Struct(\"variant\": non-null Dictionary(Int32, Utf8), \"A\": Int64)",
            c(&[(json!(["A", 1]), json!({"variant": "A", "A": 1}))]),
        ),
        case(
            "[ A <json name=\"a\"> | B <json name=\"b\"> ]",
            names,
            c(&[(json!("b"), json!("B"))]),
        ),
    ];
    check(&cases, &Options::new(), biniou);
}

#[test]
fn sum_types_of_biniou_may_be_unions() {
    let cases = [
        case(
            "[ A of int | B of string ]",
            "Union(Dense, 0: (\"A\": non-null Int64), 1: (\"B\": non-null Utf8))",
            c(&[(json!(["A", 1]), json!({"A": 1})), (json!(["B", "b"]), json!({"B": "b"}))]),
        ),
        // Unions of Arrow have no nulls.
        case(
            "[ A of int | B of string ] option",
            "nullable Struct(\"value\": non-null Union(Dense, 0: (\"A\": non-null Int64), 1: (\"B\": non-null Utf8)))",
            c(&[
                (json!("None"), json!(null)),
                (json!(["Some", ["B", "b"]]), json!({"value": {"B": "b"}})),
            ]),
        ),
        case(
            "[ A of int | B of string ] list",
            "List(non-null Union(Dense, 0: (\"A\": non-null Int64), 1: (\"B\": non-null Utf8)))",
            c(&[(json!([["B", "b"], ["A", 1]]), json!([{"B": "b"}, {"A": 1}]))]),
        ),
    ];
    check(&cases, &Options::new().sums(Sums::Union), biniou);
}

/// A variant without a value is a null child, so Arrow reports the whole union as nullable.
#[test]
fn variants_of_unions_need_no_value() {
    let cases = [
        case(
            "[ A | B of int ]",
            "nullable Union(Dense, 0: (\"A\": Null), 1: (\"B\": non-null Int64))",
            c(&[(json!("A"), json!({"A": null})), (json!(["B", 1]), json!({"B": 1}))]),
        ),
        case(
            "[ A | B of int ] option",
            "nullable Struct(\"value\": Union(Dense, 0: (\"A\": Null), 1: (\"B\": non-null Int64)))",
            c(&[
                (json!("None"), json!(null)),
                (json!(["Some", "A"]), json!({"value": {"A": null}})),
            ]),
        ),
        case(
            "[ A | B of int ] list",
            "List(Union(Dense, 0: (\"A\": Null), 1: (\"B\": non-null Int64)))",
            c(&[(json!(["A", ["B", 1], "A"]), json!([{"A": null}, {"B": 1}, {"A": null}]))]),
        ),
        case(
            "[ A of int option | B of string ]",
            "nullable Union(Dense, 0: (\"A\": Int64), 1: (\"B\": non-null Utf8))",
            c(&[(json!(["A", "None"]), json!({"A": null}))]),
        ),
    ];
    check(&cases, &Options::new().sums(Sums::Union), biniou);
}

/// Type ids of unions have 7 bits: a larger sum type remains a struct.
#[test]
fn a_sum_type_of_more_variants_than_unions_have_is_a_struct() {
    let options = Options::new().sums(Sums::Union);
    let is_union = |count: usize| {
        let names: Vec<String> = (0..count).map(|number| format!("V{number} of int")).collect();
        let schema = biniou(&format!("type row = {{ c : [ {} ] }}", names.join(" | ")));
        let table = Table::with_options(&schema, "row", options.clone()).unwrap();
        let bytes = made(&schema, &json!({ "c": [format!("V{}", count - 1), 5] }), "row");
        let rows = rows(&table, &bytes);
        assert_eq!(rows[0]["c"][format!("V{}", count - 1)], 5);
        matches!(table.schema().field(0).data_type(), DataType::Union(..))
    };
    assert!(is_union(128));
    assert!(!is_union(129));
}

#[test]
fn wraps_parameters_and_abstract_types_of_biniou() {
    let cases = [
        same("int wrap <ocaml t=\"string\" wrap=\"f\" unwrap=\"g\">", "Int64", json!([1])),
        case("int option wrap", "nullable Int64", c(&[(json!("None"), json!(null))])),
        same(
            "type row = { c : int page } type 'a page = { items : 'a list; total : int }",
            "Struct(\"items\": non-null List(non-null Int64), \"total\": non-null Int64)",
            json!([{"items": [1], "total": 2}]),
        ),
        case("abstract", "Binary", json!([])),
    ];
    check(&cases, &Options::new(), biniou);
}

/// A reader cannot determine where such a value ends.
#[test]
fn ocaml_only_types_are_refused() {
    let schema = biniou("abstract");
    let table = Table::new(&schema, "row").unwrap();
    let bytes = made(&biniou("int"), &json!({"c": 1}), "row");
    let outcome = read(&table, &*bytes);
    assert_eq!(
        outcome.error.as_deref(),
        Some(
            "row 0: the schema calls this type abstract, so its values are unknown in c at byte 6"
        )
    );
    assert!(outcome.rows.is_empty());
}
