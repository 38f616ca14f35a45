//! Types of Molecule.

use fourfold_tables::{Damaged, Error, Options, Schema, Sums, Table, WideNumbers};
use serde_json::json;

use super::{c, case, check, same};
use crate::rows::{made, rows};

fn molecule(ty: &str) -> Schema {
    let text = match ty.contains("row {") {
        true => ty.to_owned(),
        false => format!("{ty} table row {{ c: T, }}"),
    };
    Schema::molecule(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The largest number of 256 bits.
const LARGEST: &str =
    "115792089237316195423570985008687907853269984665640564039457584007913129639935";

#[test]
fn bytes_and_integers_of_molecule() {
    let cases = [
        same("table row { c: byte, }", "UInt8", json!([255])),
        same("array T [byte; 3];", "FixedSizeBinary(3)", json!(["0x000102"])),
        same("array Uint16 [byte; 2]; table row { c: Uint16, }", "UInt16", json!([1])),
        same("array Int16 [byte; 2]; table row { c: Int16, }", "Int16", json!([-2])),
        same("array Uint32 [byte; 4]; table row { c: Uint32, }", "UInt32", json!([1])),
        same("array Int32 [byte; 4]; table row { c: Int32, }", "Int32", json!([-1])),
        case(
            "array Uint64 [byte; 8]; table row { c: Uint64, }",
            "UInt64",
            c(&[(json!(u64::MAX.to_string()), json!(u64::MAX))]),
        ),
        case(
            "array Int64 [byte; 8]; table row { c: Int64, }",
            "Int64",
            c(&[(json!(i64::MIN.to_string()), json!(i64::MIN))]),
        ),
        case(
            "array Uint128 [byte; 16]; table row { c: Uint128, }",
            "Utf8",
            c(&[
                (json!(u128::MAX.to_string()), json!(u128::MAX.to_string())),
                (json!("100000000000000000001"), json!("100000000000000000001")),
                (json!(0), json!("0")),
            ]),
        ),
        case(
            "array Int128 [byte; 16]; table row { c: Int128, }",
            "Utf8",
            c(&[(json!(-2), json!("-2"))]),
        ),
        case(
            "array Uint256 [byte; 32]; table row { c: Uint256, }",
            "Utf8",
            c(&[(json!(1), json!("1")), (json!(LARGEST), json!(LARGEST))]),
        ),
        // A comment marks any name as a number.
        same(
            "array Id [byte; 4]; // fourfold: number\n table row { c: Id, }",
            "UInt32",
            json!([258]),
        ),
        // The name counts only for arrays of the right size.
        same(
            "array Uint32 [byte; 5]; table row { c: Uint32, }",
            "FixedSizeBinary(5)",
            json!(["0x0000000001"]),
        ),
    ];
    check(&cases, &Options::new(), molecule);
}

#[test]
fn wide_numbers_of_molecule_may_be_bytes() {
    let cases = [
        case(
            "array Uint128 [byte; 16]; table row { c: Uint128, }",
            "FixedSizeBinary(16)",
            c(&[(json!("18446744073709551616"), json!("0x00000000000000000100000000000000"))]),
        ),
        case(
            "array Int128 [byte; 16]; table row { c: Int128, }",
            "FixedSizeBinary(16)",
            c(&[(json!(-2), json!("0xfeffffffffffffffffffffffffffffff"))]),
        ),
        case(
            "array Uint256 [byte; 32]; table row { c: Uint256, }",
            "FixedSizeBinary(32)",
            c(&[(json!(1), json!(format!("0x01{:062}", 0)))]),
        ),
        same("array Uint64 [byte; 8]; table row { c: Uint64, }", "UInt64", json!([1])),
    ];
    check(&cases, &Options::new().wide_numbers(WideNumbers::Bytes), molecule);
}

#[test]
fn wide_numbers_of_molecule_may_be_decimals() {
    let text = |ty: &'static str, array: &str, numbers: &[&str]| {
        let values: Vec<_> = numbers.iter().map(|it| (json!(it), json!(it))).collect();
        let (name, _) = array.split_once(' ').unwrap();
        case(format!("array {array}; table row {{ c: {name}, }}").leak(), ty, c(&values))
    };
    let (most, least) = ("9".repeat(38), format!("-{}", "9".repeat(38)));
    let cases = [
        text("Decimal128(38, 0)", "Uint128 [byte; 16]", &["0", "18446744073709551616", &most]),
        text("Decimal128(38, 0)", "Int128 [byte; 16]", &["-1", &most, &least]),
        text("Decimal128(38, 0)", "Uint256 [byte; 32]", &["1", &most]),
        text("Decimal128(38, 0)", "Int256 [byte; 32]", &["-18446744073709551616", &least]),
    ];
    check(&cases, &Options::new().wide_numbers(WideNumbers::Decimal), molecule);
}

#[test]
fn numbers_of_39_digits_are_no_decimals_of_38() {
    let schema =
        "array Uint128 [byte; 16]; array Int256 [byte; 32]; table row { a: Uint128, b: Int256, }";
    let schema = Schema::molecule(schema).unwrap();
    let wide = format!("1{}", "0".repeat(38));
    for (a, b, name, number) in
        [(&*wide, "0", "a", wide.clone()), ("0", &*format!("-{wide}"), "b", format!("-{wide}"))]
    {
        let bytes = crate::rows::made(&schema, &json!({"a": a, "b": b}), "row");
        for damaged in [Damaged::Stop, Damaged::Skip] {
            let options = Options::new().wide_numbers(WideNumbers::Decimal).damaged(damaged);
            let table = Table::with_options(&schema, "row", options).unwrap();
            let error = table.read_slice(&bytes).next().unwrap().unwrap_err();
            let error = Error::from_arrow(error);
            assert!(matches!(error, Error::TooWide(_)), "{error:?}");
            let text = format!("row 0: {number} has more than 38 digits in {name} at byte");
            assert!(error.to_string().starts_with(&text), "{error}");
            let fix = "use `WideNumbers::Text`, in SQL the option 'wide_numbers' 'text'";
            assert!(error.to_string().ends_with(fix), "{error}");
        }
    }
}

/// Many rows of fixed size are decoded in lanes.
#[test]
fn wide_numbers_of_many_rows_have_all_digits() {
    let schema = "array Uint128 [byte; 16]; array Int256 [byte; 32]; option AmountOpt (Uint128);
        struct Point { a: Uint128, b: Int256, } vector Points <Point>;
        table Cell { a: AmountOpt, b: Int256, } vector Cells <Cell>;";
    let schema = Schema::molecule(schema).unwrap();
    let numbers = |is_decimal: bool, name: &'static str| {
        let digits = if is_decimal { 37 } else { 38 };
        (0..300).map(move |row: usize| {
            let a = format!("1{row:0digits$}");
            let is_null = name == "Cells" && row % 3 == 0;
            json!({ "a": if is_null { json!(null) } else { json!(a) }, "b": format!("-{a}") })
        })
    };
    for (options, is_decimal) in
        [(Options::new(), false), (Options::new().wide_numbers(WideNumbers::Decimal), true)]
    {
        for name in ["Points", "Cells"] {
            let expected: Vec<_> = numbers(is_decimal, name).collect();
            let bytes = made(&schema, &json!(expected), name);
            let table = Table::with_options(&schema, name, options.clone()).unwrap();
            assert_eq!(rows(&table, &bytes), expected, "{name}");
        }
    }
    // The error is that of the first number that does not fit, also within a lane.
    let mut points: Vec<_> = numbers(true, "Points").collect();
    points[217]["b"] = json!(format!("1{:038}", 0));
    points[218]["a"] = json!(u128::MAX.to_string());
    let bytes = made(&schema, &json!(points), "Points");
    let options = Options::new().wide_numbers(WideNumbers::Decimal);
    let table = Table::with_options(&schema, "Points", options).unwrap();
    let error = table.read_slice(&bytes).find_map(Result::err).map(Error::from_arrow).unwrap();
    let text = format!("row 217: 1{:038} has more than 38 digits in [217].b at byte", 0);
    assert!(matches!(error, Error::TooWide(_)) && error.to_string().starts_with(&text), "{error}");
}

#[test]
fn lists_and_records_of_molecule() {
    let cases = [
        same(
            "array Word [byte; 2]; array T [Word; 2];",
            "FixedSizeList(2 x non-null FixedSizeBinary(2))",
            json!([["0x0001", "0x0203"]]),
        ),
        same(
            "array Uint32 [byte; 4]; array Pair [Uint32; 2]; array T [Pair; 2];",
            "FixedSizeList(2 x non-null FixedSizeList(2 x non-null UInt32))",
            json!([[[1, 2], [3, 4]]]),
        ),
        same(
            "array Uint16 [byte; 2]; struct T { a: byte, b: Uint16, }",
            "Struct(\"a\": non-null UInt8, \"b\": non-null UInt16)",
            json!([{"a": 1, "b": 2}]),
        ),
        same("vector T <byte>;", "Binary", json!(["0x", "0x6162"])),
        same(
            "array Uint16 [byte; 2]; vector T <Uint16>;",
            "List(non-null UInt16)",
            json!([[], [1, 2]]),
        ),
        same(
            "vector Bytes <byte>; vector T <Bytes>;",
            "List(non-null Binary)",
            json!([[], ["0x", "0x01"]]),
        ),
        same(
            "vector Bytes <byte>; table T { a: byte, b: Bytes, }",
            "Struct(\"a\": non-null UInt8, \"b\": non-null Binary)",
            json!([{"a": 1, "b": "0x02"}]),
        ),
        case("table T { }", "nullable Null", c(&[(json!({}), json!(null))])),
        case(
            "table E { } vector T <E>;",
            "List(Null)",
            c(&[(json!([{}, {}]), json!([null, null]))]),
        ),
    ];
    check(&cases, &Options::new(), molecule);
}

#[test]
fn options_and_unions_of_molecule() {
    let cases = [
        same("vector Bytes <byte>; option T (Bytes);", "nullable Binary", json!([null, "0x"])),
        same(
            "vector Bytes <byte>; option O (Bytes); option T (O);",
            "nullable Binary",
            json!([null, "0x01"]),
        ),
        case(
            "table E { } option T (E);",
            "nullable Struct(\"value\": Null)",
            c(&[(json!(null), json!(null)), (json!({}), json!({"value": null}))]),
        ),
        same(
            "vector Bytes <byte>; option O (Bytes); vector T <O>;",
            "List(Binary)",
            json!([["0x01", null]]),
        ),
        same(
            "struct P { x: byte, } option T (P);",
            "nullable Struct(\"x\": non-null UInt8)",
            json!([null, {"x": 1}]),
        ),
        case(
            "vector Bytes <byte>; table E { } union T { byte, Bytes: 7, E, }",
            "Struct(\"variant\": non-null Dictionary(Int32, Utf8), \"byte\": UInt8, \"Bytes\": Binary, \"E\": Null)",
            c(&[
                (
                    json!({"type": "Bytes", "value": "0x01"}),
                    json!({"variant": "Bytes", "byte": null, "Bytes": "0x01", "E": null}),
                ),
                (
                    json!({"type": "E", "value": {}}),
                    json!({"variant": "E", "byte": null, "Bytes": null, "E": null}),
                ),
            ]),
        ),
        case(
            "vector Bytes <byte>; union U { byte, Bytes, } option T (U);",
            "nullable Struct(\"variant\": non-null Dictionary(Int32, Utf8), \"byte\": UInt8, \"Bytes\": Binary)",
            c(&[
                (json!(null), json!(null)),
                (
                    json!({"type": "byte", "value": 3}),
                    json!({"variant": "byte", "byte": 3, "Bytes": null}),
                ),
            ]),
        ),
        // The column `variant` has the same name as an item.
        case(
            "array variant [byte; 2]; union T { byte, variant, }",
            "Struct(\"variant_\": non-null Dictionary(Int32, Utf8), \"byte\": UInt8, \"variant\": FixedSizeBinary(2))",
            c(&[(
                json!({"type": "variant", "value": "0x0102"}),
                json!({"variant_": "variant", "byte": null, "variant": "0x0102"}),
            )]),
        ),
    ];
    check(&cases, &Options::new(), molecule);
}

#[test]
fn unions_of_molecule_may_be_unions() {
    let cases = [
        case(
            "vector Bytes <byte>; union T { byte, Bytes: 7, }",
            "Union(Dense, 0: (\"byte\": non-null UInt8), 1: (\"Bytes\": non-null Binary))",
            c(&[(json!({"type": "Bytes", "value": "0x01"}), json!({"Bytes": "0x01"}))]),
        ),
        case(
            "vector Bytes <byte>; union U { byte, Bytes, } option T (U);",
            "nullable Struct(\"value\": non-null Union(Dense, 0: (\"byte\": non-null UInt8), 1: (\"Bytes\": non-null Binary)))",
            c(&[
                (json!(null), json!(null)),
                (json!({"type": "byte", "value": 3}), json!({"value": {"byte": 3}})),
            ]),
        ),
    ];
    check(&cases, &Options::new().sums(Sums::Union), molecule);
}

/// Type ids of unions have 7 bits: a larger union remains a struct.
#[test]
fn a_union_of_more_items_than_unions_of_arrow_have_is_a_struct() {
    let items = (0..130).map(|number| format!("A{number}"));
    let arrays: String = items.clone().map(|name| format!("array {name} [byte; 2];")).collect();
    let union = items.collect::<Vec<_>>().join(", ");
    let schema = molecule(&format!("{arrays} union T {{ {union}, }}"));
    let table = Table::with_options(&schema, "row", Options::new().sums(Sums::Union)).unwrap();
    let bytes = made(&schema, &json!({"c": {"type": "A129", "value": "0x0102"}}), "row");
    assert_eq!(rows(&table, &bytes)[0]["c"]["A129"], "0x0102");
}
