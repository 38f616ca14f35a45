//! Errors for schemas and files that cannot be read, one line each, and the rows that are read all the same.

#[path = "damage/everywhere.rs"]
mod everywhere;
#[path = "damage/skip.rs"]
mod skip;

use std::fs;

use fourfold::biniou::to_vec;
use fourfold::molecule;
use fourfold::molecule::with::{DynVec, FixVec};
use fourfold_tables::{Error, Options, Schema, Table};
use serde_json::json;

use crate::files::{CELLS, ENTRIES, cells, chunks, entries, points, records, values};
use crate::rows::{outcome, read, rows};

/// The text of an error, which must be one line.
fn text(error: &Error) -> String {
    let text = error.to_string();
    assert!(!text.contains('\n'), "{text}");
    text
}

#[test]
fn a_type_has_to_be_there_and_to_have_columns() {
    let schema = Schema::biniou(&format!(
        "{ENTRIES} type text = string type none = unit type may = entry option"
    ))
    .unwrap();
    let error = |name: &str| text(&Table::new(&schema, name).unwrap_err());
    assert_eq!(
        error("log"),
        "the schema has no type `log` (there are `entry`, `entries` and `entry_table`)"
    );
    let known = "which has no columns; name a record, or a list of records: `entry`, `entries`, `entry_table`";
    assert_eq!(error("text"), format!("`text` is a string, {known}"));
    assert_eq!(error("none"), format!("`none` is empty, {known}"));

    let schema = Schema::molecule(CELLS).unwrap();
    let error = |name: &str| text(&Table::new(&schema, name).unwrap_err());
    let names = "`Cell`, `Cells`, `Point`, `Points`, `Two`, `Either`";
    assert_eq!(
        error("Log"),
        "the schema has no type `Log` (there are `Cell`, `Cells`, `Point`, `Points`, `Two` and `Either`)"
    );
    assert_eq!(
        error("Bytes"),
        format!(
            "`Bytes` is bytes, which has no columns; name a record, or a list of records: {names}"
        )
    );
    assert_eq!(
        error("Uint64"),
        format!(
            "`Uint64` is an integer, which has no columns; name a record, or a list of records: {names}"
        )
    );

    let schema = Schema::biniou("type text = string").unwrap();
    let error = text(&Table::new(&schema, "log").unwrap_err());
    assert_eq!(error, "the schema has no type `log`");
}

#[test]
fn an_option_has_no_columns() {
    let schema = Schema::biniou("type may = entry option type entry = { n : int }").unwrap();
    let error = text(&Table::new(&schema, "may").unwrap_err());
    assert_eq!(
        error,
        "`may` is an option, which has no columns; name a record, or a list of records: `entry`"
    );
}

#[test]
fn a_schema_has_to_be_one() {
    let error_of = |result: Result<Schema, Error>| text(&result.unwrap_err());
    assert_eq!(error_of(Schema::biniou("type a = b")), "there is no type `b` at line 1, column 10");
    assert_eq!(
        error_of(Schema::molecule("struct A { }")),
        "expected the name of a field, found `}` at line 1, column 12"
    );
    let error = error_of(Schema::from_file("schema.proto"));
    assert_eq!(
        error,
        "schema.proto: a schema file has the extension .atd (biniou) or .mol (Molecule)"
    );
}

#[test]
fn a_schema_has_its_file_in_its_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a.atd"), "type a =").unwrap();
    let error = text(&Schema::from_file(path("a.atd")).unwrap_err());
    assert_eq!(
        error,
        format!("expected a type, found the end at line 1, column 9 of {}", path("a.atd"))
    );
    let error = text(&Schema::from_file(path("b.mol")).unwrap_err());
    assert_eq!(error.matches("b.mol").count(), 1, "{error}");
    println!("{error}");
}

#[test]
fn files_have_to_be_there() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let table = Table::new(&schema, "entry").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    for name in ["missing.biniou", "*.biniou", "", "[ab]/*"] {
        let pattern = format!("{folder}/{name}");
        let error = text(&table.read_files([&pattern]).unwrap_err());
        assert_eq!(error, format!("no file is named `{pattern}`"));
    }
    let error = text(&table.read_files(["a[.biniou"]).unwrap_err());
    assert_eq!(error, "invalid file name pattern `a[.biniou`: invalid range pattern");
}

/// A file may be deleted before it is opened: the rows of earlier files are returned.
#[test]
fn a_file_that_is_gone_is_an_error() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let table = Table::new(&schema, "entry").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), values(&entries(2))).unwrap();
    fs::write(path("b"), values(&entries(2))).unwrap();
    let mut reader = table.read_files([folder.path().to_str().unwrap()]).unwrap();
    fs::remove_file(path("b")).unwrap();
    let outcome = outcome(&mut reader);
    assert_eq!(outcome.rows.len(), 2);
    assert_eq!(
        outcome.error.unwrap(),
        format!("{}: No such file or directory (os error 2)", path("b"))
    );
}

#[test]
fn a_damaged_file_among_others_is_named() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), values(&entries(2))).unwrap();
    let mut bytes = values(&entries(3));
    // The tag of the third row.
    bytes[2 * 21] = 5;
    fs::write(path("b"), bytes).unwrap();
    fs::write(path("c"), values(&entries(2))).unwrap();
    let expected = format!("{}: row 2: unknown tag 5 at byte 42", path("b"));
    for batch_rows in [1, 2, 100] {
        let options = Options::new().batch_rows(batch_rows);
        let table = Table::with_options(&schema, "entry", options).unwrap();
        let outcome = outcome(&mut table.read_files([path("*")]).unwrap());
        let numbers: Vec<_> = outcome.rows.iter().map(|row| row["n"].as_i64().unwrap()).collect();
        assert_eq!((numbers, outcome.error), (vec![0, 1, 0, 1], Some(expected.clone())));
    }
}

/// The error is in the first field of a row, so that no value of that row was appended.
#[test]
fn errors_have_row_path_and_byte() {
    let schema = Schema::biniou(ENTRIES).unwrap();
    let list = to_vec(&entries(3)).unwrap();
    let changed = |at: usize, byte: u8| {
        let mut bytes = list.clone();
        bytes[at] = byte;
        bytes
    };
    let cut = values(&entries(3))[..30].to_vec();
    let stream = chunks([values(&entries(1)), to_vec(&entries(2)).unwrap()]);
    let mut trailing = stream.clone();
    trailing.push(7);
    let cases = [
        ("entry", cut, 1, "row 1: length 2 needs 12 bytes or more, 7 left at byte 22"),
        (
            "entry",
            stream[..stream.len() - 1].to_vec(),
            3,
            "row 3: input ends early: 1 byte needed, 0 left at byte 82",
        ),
        (
            "entry",
            stream[..stream.len() - 40].to_vec(),
            1,
            "row 1: length 2 needs 12 bytes or more, 0 left in [1][0] at byte 42",
        ),
        ("entry", trailing, 3, "row 3: 1 trailing byte at byte 83"),
        (
            "entry",
            changed(3, 9),
            0,
            "row 0: field tag 02800000 does not begin with a 1 bit in [0] at byte 23",
        ),
        (
            "entry",
            changed(8, 18),
            0,
            "row 0: found string, expected uvint, svint, int8 or int16 in [0].n at byte 8",
        ),
        ("entries", to_vec(&7).unwrap(), 0, "row 0: found svint, expected array at byte 0"),
        (
            "entry",
            chunks([&[values(&entries(1)), vec![0]].concat()]),
            1,
            "row 1: 1 trailing byte in [0] at byte 30",
        ),
        (
            "entry",
            chunks([&[][..]]),
            0,
            "row 0: input ends early: 1 byte needed, 0 left in [0] at byte 9",
        ),
        ("entry", vec![1, 0, 0], 0, "row 0: input ends early: 9 bytes needed, 3 left at byte 0"),
        ("entry", vec![0, 0], 0, "row 0: 1 trailing byte at byte 1"),
    ];
    check(&schema, &cases);

    let schema = Schema::molecule(CELLS).unwrap();
    let three = records(&cells(3));
    let vector = molecule::to_vec(&DynVec(cells(3))).unwrap();
    let mut broken = vector.clone();
    broken[4] = 17;
    let mut item = vector.clone();
    let second = usize::try_from(u32::from_le_bytes(item[8..12].try_into().unwrap())).unwrap();
    item[second + 4] = 13;
    let fixed = molecule::to_vec(&FixVec(points(3))).unwrap();
    let cases = [
        (
            "Cell",
            three[..three.len() - 1].to_vec(),
            2,
            "row 2: input ends early: 26 bytes needed, 25 left at byte 49",
        ),
        (
            "Cell",
            [&three[..], &[1, 2]].concat(),
            3,
            "row 3: input ends early: 4 bytes needed, 2 left at byte 75",
        ),
        (
            "Cell",
            vec![3, 0, 0, 0, 0],
            0,
            "row 0: full size 3 of a record is less than the 4 bytes of a full size at byte 0",
        ),
        ("Cells", broken, 0, "row 0: offset 17 is not a multiple of 4 at byte 4"),
        ("Cells", item, 1, "row 1: offset 13 is not a multiple of 4 in [1] at byte 44"),
        (
            "Cells",
            vector[..vector.len() - 1].to_vec(),
            2,
            "row 2: input ends early: 26 bytes needed, 25 left in [2] at byte 65",
        ),
        (
            "Cells",
            [&vector[..], &[0, 0, 0, 0]].concat(),
            3,
            "row 3: full size 0 of a record is less than the 4 bytes of a full size at byte 91",
        ),
        (
            "Points",
            fixed[..fixed.len() - 1].to_vec(),
            2,
            "row 2: input ends early: 5 bytes needed, 4 left in [2] at byte 14",
        ),
        (
            "Points",
            [&fixed[..], &[1, 0]].concat(),
            3,
            "row 3: input ends early: 4 bytes needed, 2 left at byte 19",
        ),
        ("Point", vec![0; 7], 1, "row 1: input ends early: 5 bytes needed, 2 left at byte 5"),
        (
            "Two",
            vec![0; 12],
            2,
            "row 2: input ends early: 5 bytes needed, 2 left in [0] at byte 10",
        ),
        ("Either", vec![2, 0, 0, 0], 0, "row 0: unknown union id 2 at byte 0"),
        ("Either", vec![], 0, "row 0: input ends early: 4 bytes needed, 0 left at byte 0"),
        ("Either", vec![1, 0, 0, 0, 1, 0, 0, 0, 2, 3], 0, "row 0: 1 trailing byte at byte 9"),
    ];
    check(&schema, &cases);
}

/// Checks the number of rows and the error, for each type and its bytes.
fn check(schema: &Schema, cases: &[(&str, Vec<u8>, usize, &str)]) {
    let mut wrong = Vec::new();
    for (name, bytes, count, expected) in cases {
        let outcome = read(&Table::new(schema, name).unwrap(), &**bytes);
        let found = (outcome.rows.len(), outcome.error.unwrap_or_default());
        if found != (*count, (*expected).to_owned()) {
            wrong.push(format!("{name} {bytes:?}:\n{found:?}, not\n{:?}", (count, expected)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Two invalid strings whose concatenation is valid UTF-8 are still errors, in any row.
#[test]
fn each_string_is_text_of_its_own() {
    let schema = Schema::biniou("type row = { s : string }").unwrap();
    for row in [0, 1, 62, 63, 64, 130, 198] {
        let mut rows = vec![Text { s: "plain text" }; 200];
        (rows[row], rows[row + 1]) = (Text { s: "!?" }, Text { s: "?!" });
        let mut bytes = to_vec(&rows).unwrap();
        let first = bytes.windows(2).position(|two| two == b"!?").unwrap();
        let second = bytes.windows(2).position(|two| two == b"?!").unwrap();
        // Both halves of one character.
        (bytes[first + 1], bytes[second]) = (0xc3, 0xa9);
        let text = format!(
            "row {row}: invalid utf-8 at byte 1 of a string in [{row}].s at byte {}; read strings as \
             bytes (option `strings`)",
            first
        );
        check(&schema, &[("row", bytes, row, &text)]);
    }
}

/// Values that OCaml can encode but the Arrow column cannot store.
#[test]
fn values_have_to_fit_in_their_columns() {
    let schema =
        Schema::biniou("type row = { s : string } type small = { n : int <biniou repr=\"int8\"> }")
            .unwrap();
    let mut bytes = to_vec(&Text { s: "é!" }).unwrap();
    let at = bytes.len() - 2;
    bytes[at] = b'x';
    let cases = [
        (
            "row",
            bytes.clone(),
            0,
            "row 0: invalid utf-8 at byte 0 of a string in s at byte 8; read strings as bytes (option `strings`)",
        ),
        (
            "small",
            to_vec(&Small { n: 256 }).unwrap(),
            0,
            "row 0: 256 does not fit in the schema's 8 bits in n at byte 7; use a wider `repr` in the schema, or none",
        ),
        (
            "small",
            to_vec(&Small { n: -1 }).unwrap(),
            0,
            "row 0: -1 does not fit in the schema's 8 bits in n at byte 7; use a wider `repr` in the schema, or none",
        ),
    ];
    check(&schema, &cases);
    let options = Options::new().strings(fourfold_tables::Strings::Bytes);
    let table = Table::with_options(&schema, "row", options).unwrap();
    assert_eq!(rows(&table, &bytes), [json!({"s": "0xc37821"})]);
}

#[derive(serde::Serialize, Clone)]
struct Text {
    s: &'static str,
}

#[derive(serde::Serialize)]
struct Small {
    n: i64,
}

/// A file may end after a complete array only, not after any of its items.
#[test]
fn an_array_has_all_its_items() {
    let schema = Schema::molecule(CELLS).unwrap();
    let outcome = read(&Table::new(&schema, "Two").unwrap(), &[0; 15][..]);
    assert!(outcome.error.is_some(), "{outcome:?}");
}

#[test]
fn a_table_has_a_bounded_number_of_columns() {
    let fields: String = (0..6).map(|at| format!("?f{at} : row option; ")).collect();
    let schema = Schema::biniou(&format!("type row = {{ {fields}}}")).unwrap();
    let options = Options::new().recursion(9);
    let error = text(&Table::with_options(&schema, "row", options).unwrap_err());
    assert_eq!(
        error,
        "`row` has more than 10000 columns, nested ones included; lower the option `recursion`"
    );
}
